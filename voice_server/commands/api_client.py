"""The API of the running server, for commands."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import httpx2
import msgspec
from msgspec import Struct

from voice_server.commands import secrets_file
from voice_server.errors import ApiRefusal, ConfigurationError
from voice_server.settings import Settings

Answer = dict[str, Any]


class ApiTarget(Struct, frozen=True):
    url: str
    token: str


def target(settings: Settings, url: str) -> ApiTarget:
    """Take the token from the environment, else from the server's start. Raises ConfigurationError without
    any."""
    kept = secrets_file.load(settings.data_dir)
    token = os.environ.get("API_TOKEN") or kept.get("API_TOKEN")
    if not token:
        raise ConfigurationError(
            f"API_TOKEN is neither set nor in {secrets_file.path_in(settings.data_dir)}: "
            "start scripts/run first"
        )
    return ApiTarget(url.rstrip("/") or settings.local_url, token.split(",")[0])


class ApiClient:
    """Raises ConfigurationError when the server does not answer, ApiRefusal for what it refuses."""

    def __init__(self, client: httpx2.Client, server: ApiTarget) -> None:
        self._client = client
        self._server = server

    def get(self, path: str, **asked: Any) -> Answer:
        return self.send("GET", path, params=asked)

    def send(self, method: str, path: str, accept: str = "application/json", **more: Any) -> Answer:
        with self.heard():
            response = self._client.request(method, self.url(path), headers=self.headers(accept), **more)
        if not response.is_success:
            raise refusal(response)
        told: Answer = msgspec.json.decode(response.content or b"{}")
        return told

    def url(self, path: str) -> str:
        return f"{self._server.url}/api{path}"

    def headers(self, accept: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self._server.token}", "accept": accept}

    @contextmanager
    def heard(self) -> Iterator[None]:
        try:
            yield
        except httpx2.TransportError as error:
            raise ConfigurationError(
                f"{self._server.url} does not answer ({error or type(error).__name__}): "
                "start it with scripts/run"
            ) from None


def part(id_: str) -> str:
    """Quote a part of a path."""
    return quote(id_, safe="")


def refusal(response: httpx2.Response) -> ApiRefusal:
    try:
        problem = msgspec.json.decode(response.content, type=dict[str, Any])
        return ApiRefusal(str(problem.get("detail") or problem.get("message")))
    except msgspec.MsgspecError:
        return ApiRefusal(f"The server answered {response.status_code}: {response.text:.200}")
