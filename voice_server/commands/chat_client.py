"""The API, as the terminal asks it: one user, one agent, the chats of both."""

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

TIMEOUT = httpx2.Timeout(30, read=180)  # a model takes its time; a comment comes every 15 seconds
_PAGE, _MOST = 200, 1000

Answer = dict[str, Any]


class ApiTarget(Struct, frozen=True):
    url: str
    token: str


class TurnNews(Struct, frozen=True):
    """Something that happened in a turn: `turn`, `text`, `tool`, `done` or `error`."""

    name: str
    data: Answer


class Writing(Struct, frozen=True):
    """Who writes to whom, in which chat."""

    user_id: str
    agent_id: str
    chat_id: str


def target(settings: Settings, url: str) -> ApiTarget:
    """The running server: the environment's token, else the one that its start made. Raises
    ConfigurationError without any."""
    kept = secrets_file.load(settings.data_dir)
    token = os.environ.get("API_TOKEN") or kept.get("API_TOKEN")
    if not token:
        raise ConfigurationError(
            f"API_TOKEN is neither set nor in {secrets_file.path_in(settings.data_dir)}: "
            "start scripts/run first"
        )
    return ApiTarget(url.rstrip("/") or settings.local_url, token.split(",")[0])


class ChatClient:
    """Raises ConfigurationError when the server does not answer, ApiRefusal for what it refuses."""

    def __init__(self, client: httpx2.Client, server: ApiTarget) -> None:
        self._client = client
        self._server = server

    def user(self, user_id: str) -> Answer:
        return self._get(f"/users/{_part(user_id)}")

    def user_at(self, address: str, name: str = "") -> Answer:
        """Who has this address; made known under a name, when one is told."""
        found: list[Answer] = self._get("/users", address=address)["items"]
        if found:
            return found[0]
        if not name:
            raise ApiRefusal(f"Nobody has the address {address}.")
        known_by = {"name": name} if all(map(str.isalpha, name.split())) else {}
        return self._send("POST", "/users", json={**known_by, "addresses": [address]})

    def agent(self, agent_id: str) -> None:
        """Make sure that it is known."""
        self._send("PUT", f"/agents/{_part(agent_id)}")

    def agents(self) -> list[str]:
        return [one["id"] for one in self._get("/agents", limit=_PAGE)["items"]]

    def chats(self, writing: Writing) -> list[Answer]:
        asked = {"agent_id": writing.agent_id, "limit": 20}
        listed: list[Answer] = self._get(f"/users/{writing.user_id}/chats", **asked)["items"]
        return listed

    def context(self, writing: Writing) -> Answer:
        """What the agent would be told now."""
        asked = {"agent_id": writing.agent_id, "chat_id": writing.chat_id}
        return self._get(f"/users/{writing.user_id}/text-context", **asked)

    def sum_up(self, writing: Writing, focus: str) -> Answer:
        """The history before and after, and the summary."""
        given = {"user_id": writing.user_id, "agent_id": writing.agent_id, "focus": focus}
        return self._send("POST", f"/chats/{_part(writing.chat_id)}/summary", json=given)

    def undo_summary(self, writing: Writing) -> None:
        whose = {"user_id": writing.user_id, "agent_id": writing.agent_id}
        self._send("DELETE", f"/chats/{_part(writing.chat_id)}/summary", params=whose)

    def facts(self, writing: Writing) -> list[Answer]:
        """What is known and may be told, at most a thousand."""
        found, asked = list[Answer](), {"agent_id": writing.agent_id, "current": True, "limit": _PAGE}
        while len(found) < _MOST:
            page = self._get(f"/users/{writing.user_id}/facts", **asked)
            found += page["items"]
            if not page["next"]:
                break
            asked["cursor"] = page["next"]
        return found

    def add(self, writing: Writing, text: str) -> Answer:
        given = {"agent_id": writing.agent_id, "text": text}
        return self._send("POST", f"/users/{writing.user_id}/facts", json=given)

    def exclude(self, fact_id: str, *, excluded: bool) -> Answer:
        return self._send("PATCH", f"/facts/{fact_id}", json={"excluded": excluded})

    def ask(self, writing: Writing, turn_id: str, text: str) -> Answer:
        """The whole answer."""
        return self._send("POST", "/chat", json=_turn(writing, turn_id, text), accept="application/json")

    def write(self, writing: Writing, turn_id: str, text: str) -> Iterator[TurnNews]:
        """The answer as it comes."""
        with (
            self._heard(),
            self._client.stream(
                "POST",
                f"{self._server.url}/api/chat",
                json=_turn(writing, turn_id, text),
                headers=self._headers("text/event-stream"),
            ) as response,
        ):
            if not response.is_success:
                response.read()
                raise _refusal(response)
            yield from _news(response)

    def stop(self, writing: Writing, turn_id: str) -> None:
        path = f"/chats/{_part(writing.chat_id)}/turns/{turn_id}"
        self._send("DELETE", path, params={"user_id": writing.user_id})

    def _get(self, path: str, **asked: Any) -> Answer:
        return self._send("GET", path, params=asked)

    def _send(self, method: str, path: str, accept: str = "application/json", **more: Any) -> Answer:
        with self._heard():
            url = f"{self._server.url}/api{path}"
            response = self._client.request(method, url, headers=self._headers(accept), **more)
        if not response.is_success:
            raise _refusal(response)
        told: Answer = msgspec.json.decode(response.content or b"{}")
        return told

    def _headers(self, accept: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self._server.token}", "accept": accept}

    @contextmanager
    def _heard(self) -> Iterator[None]:
        try:
            yield
        except httpx2.TransportError as error:
            raise ConfigurationError(
                f"{self._server.url} does not answer ({error or type(error).__name__}): "
                "start it with scripts/run"
            ) from None


def _turn(writing: Writing, turn_id: str, text: str) -> Answer:
    return {**msgspec.to_builtins(writing), "turn_id": turn_id, "text": text}


def _news(response: httpx2.Response) -> Iterator[TurnNews]:
    name = ""
    for line in _lines(response):
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield TurnNews(name, msgspec.json.decode(line.removeprefix("data: ")))


def _lines(response: httpx2.Response) -> Iterator[str]:
    """As server-sent events have them: other ends of lines that Unicode knows are text."""
    rest = b""
    for more in response.iter_bytes():
        *lines, rest = (rest + more).split(b"\n")
        yield from (line.decode() for line in lines)


def _part(id_: str) -> str:
    """Of a path, whatever it has in it."""
    return quote(id_, safe="")


def _refusal(response: httpx2.Response) -> ApiRefusal:
    try:
        problem = msgspec.json.decode(response.content, type=dict[str, Any])
        return ApiRefusal(str(problem.get("detail") or problem.get("message")))
    except msgspec.MsgspecError:
        return ApiRefusal(f"The server answered {response.status_code}: {response.text:.200}")
