"""The console of a running house, as a browser asks for it."""

import html
import re
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx2
import pytest
from api.conftest import Host
from conftest import House
from starlette.testclient import TestClient

from voice_server.console.session import link_token
from voice_server.settings import Settings

SECRET = "the-consoles-secret"
HERE = {"host": "localhost"}
_LINK = re.compile(r'href="((?:/console|\?)[^"#]*)')
_OWN = re.compile(r"usr_\w+|[^/?&=]*\d[^/?&=]*|=[^&]*")  # what differs between pages of one kind


@dataclass
class Browser:
    """Keeps cookies, and follows no redirect by itself."""

    client: TestClient

    def get(self, path: str = "/", headers: Mapping[str, str] | None = None) -> httpx2.Response:
        return self.client.get(f"/console{path}", headers={**HERE, **(headers or {})}, follow_redirects=False)

    def post(
        self, path: str, data: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """As the console's own forms do."""
        sent = {**HERE, "sec-fetch-site": "same-origin", **(headers or {})}
        form = dict(data or {})
        return self.client.post(f"/console{path}", data=form, headers=sent, follow_redirects=False)

    def page(self, path: str = "/") -> str:
        response = self.get(path)
        assert response.status_code == 200, (path, response.status_code, response.text[-500:])
        assert response.headers["content-type"].startswith("text/html")
        return response.text

    def crawl(self, enough: int) -> dict[str, str]:
        """The pages that can be reached by following links, from the overview on: of each kind so many. What
        else the links lead to, as JSON and text, is there: of each kind so many too."""
        found: dict[str, str] = {}
        asked: set[str] = set()
        alike: Counter[str] = Counter()
        waiting = deque(["/console/"])
        while waiting:
            path = waiting.popleft()
            if path in asked or alike[kind(path)] == enough or path.startswith("/console/static/"):
                continue
            asked.add(path)
            alike[kind(path)] += 1
            response = self.get(path.removeprefix("/console"))
            assert response.is_success, path
            if response.headers["content-type"].startswith("text/html"):
                found[path] = response.text
                links = map(html.unescape, _LINK.findall(response.text))
                waiting += (f"{path.partition('?')[0]}{one}" if one[0] == "?" else one for one in links)
        return found

    def enter(self, secret: str = SECRET) -> None:
        """With a link."""
        opened = self.get(f"/login?token={link_token([secret])}")
        assert (opened.status_code, opened.headers["location"]) == (303, "/console/")


def kind(path: str) -> str:
    return _OWN.sub("*", path)


@pytest.fixture
def open_console(open_house: Callable[[Settings], House], settings: Settings) -> Callable[..., Host]:
    """A house with a console, set up so."""

    def opened(**more: object) -> Host:
        return Host(open_house(settings.model_copy(update={"console_secret": SECRET, **more})))

    return opened


@pytest.fixture
def host(open_console: Callable[..., Host]) -> Host:
    return open_console()


@pytest.fixture
def browser(host: Host) -> Browser:
    """Whoever is let in."""
    browser = Browser(host.house.client)
    browser.enter()
    return browser
