"""The console in a browser: a web process on a real port, what is to be seen there, and whoever looks.

All of it is made once for each test process, when the first test asks for it. A test that changes something
makes what it changes.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from api.conftest import Host
from browser import executable, story
from conftest import TEMPLATE, Clock, House, _database
from playwright.async_api import (
    Browser,
    Dialog,
    Page,
    Request,
    StorageState,
    ViewportSize,
    async_playwright,
    expect,
)
from pretend import wire
from pretend.elevenlabs import Platform
from pretend.model import PretendModel
from redis.asyncio import Redis
from starlette.testclient import TestClient

from voice_server.app import create_app
from voice_server.console.session import link_token
from voice_server.embedded.services import EmbeddedServices
from voice_server.settings import Settings
from voice_server.webhooks.http.connections import Connections
from voice_server.worker import Worker

SECRET, PASSWORD = "the-consoles-secret", "open sesame"
WIDE, NARROW = ViewportSize(width=1200, height=900), ViewportSize(width=390, height=844)
PATIENCE = 30_000  # milliseconds; a busy test machine takes its time
_IS_REQUIRED = os.environ.get("BROWSER_TESTS") == "required"
_VALKEY = 32  # databases from here on are those of these tests
_FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a browser there is nothing to be tested, unless BROWSER_TESTS=required says that there must."""
    if executable.find() or _IS_REQUIRED:
        return
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skipif(condition=True, reason=executable.WHAT_TO_DO))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Whether a test has failed, for who is to keep a picture of what it saw."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


@dataclass
class Console:
    """A console that runs, and the host application beside it."""

    url: str
    host: Host

    def link(self) -> str:
        """That opens it once."""
        return f"{self.url}/console/login?token={link_token([SECRET])}"


@pytest.fixture(scope="session")
async def console(
    services: EmbeddedServices, _portal: BlockingPortal, _settings: Settings, _model: PretendModel
) -> AsyncIterator[Console]:
    """With all of the story in it."""
    number = _VALKEY + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    given = {
        "redis_url": f"{services.redis_url}?db={number}",
        "console_secret": SECRET,
        "console_password": PASSWORD,
        "chat_model": "openai-chat:pretend:8b",
        "llm_base_url": _model.url,
        "llm_api_key": "key",
    }
    async with _database(services, TEMPLATE) as url, Redis.from_url(given["redis_url"]) as redis:
        await redis.flushdb()
        settings = _settings.model_copy(update={**given, "database_url": url})
        clock = Clock()
        with TestClient(create_app(settings, clock)) as client:
            platform = Platform(client, settings.tokens[0], settings.webhook_secrets[0], clock)
            house = House(settings, clock, client, platform, Worker(settings, clock))
            await story.told(Host(house))
            with wire.serving(settings, clock, Connections(60, 100)) as port:
                yield Console(f"http://127.0.0.1:{port}", Host(house))
            await house.worker.close()


@dataclass
class Window:
    """One page in a browser, what whoever looks at it would not want (`trouble`), and all that happened."""

    console: Console
    page: Page
    trouble: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda message: self._note(f"said {message.text}"))
        self.page.on("pageerror", lambda error: self._note(f"failed: {error}"))
        self.page.on("request", self._asked)
        self.page.on("response", lambda response: self.log.append(f"{response.status} {response.url}"))
        self.page.on("requestfailed", self._missed)
        self.page.on("dialog", self._interrupted)

    async def open(self, path: str) -> None:
        """It has loaded; what happens later may still come, since no page is ever idle for certain."""
        await self.page.goto(f"{self.console.url}{path}", wait_until="load")

    def _note(self, what: str) -> None:
        self.trouble.append(f"{self.page.url} {what}")
        self.log.append(self.trouble[-1])

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.console.url}/", "data:")):
            self._note(f"asked {request.url}")

    def _missed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # who leaves a page no longer hears its events
            self._note(f"did not get {request.url}: {request.failure}")

    async def keep(self, path: Path) -> None:
        """Keep what it looked like, and what led to it, in files of this name; say where they are."""
        picture, log, trace = (path.with_suffix(one) for one in (".png", ".log", ".zip"))
        await self.page.screenshot(path=picture, full_page=True)
        log.write_text("\n".join(self.log), encoding="utf-8")
        await self.page.context.tracing.stop(path=trace)
        print(f"of {self.page.url}\n  what was seen: {picture}\n  what the browser said: {log}")
        print(f"  its trace (playwright show-trace): {trace}")

    async def _interrupted(self, dialog: Dialog) -> None:
        self._note(f"asked the person: {dialog.message}")
        await dialog.dismiss()


OpenWindow = Callable[..., Awaitable[Window]]


@pytest.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    found = executable.find()
    assert found, executable.WHAT_TO_DO
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        environment: dict[str, str | float | bool] = {**os.environ, **found.environment}
        flags = list(executable.FLAGS)
        launched = await playwright.chromium.launch(executable_path=found.path, args=flags, env=environment)
        yield launched
        await launched.close()


@pytest.fixture(scope="session")
async def _session(chromium: Browser, console: Console) -> StorageState:
    """What a browser keeps that was let in."""
    context = await chromium.new_context()
    page = await context.new_page()
    await page.goto(console.link())
    kept = await context.storage_state()
    await context.close()
    return kept


@pytest.fixture
async def open_window(
    request: pytest.FixtureRequest,
    chromium: Browser,
    console: Console,
    _session: StorageState,
    tmp_path: Path,
) -> AsyncIterator[OpenWindow]:
    """Opens a browser for somebody of their own: `open_window(color_scheme="dark")`. They are let in already,
    unless their `storage_state` is None. When the test fails, a picture of each is kept, with its trace and
    what the browser said."""
    windows: list[Window] = []

    async def opened(**more: Any) -> Window:
        context = await chromium.new_context(**{"storage_state": _session, "viewport": WIDE, **more})
        await context.tracing.start(snapshots=True)
        windows.append(Window(console, await context.new_page()))
        return windows[-1]

    yield opened
    for number, window in enumerate(windows):
        if request.node.stash.get(_FAILED, False):
            await window.keep(tmp_path / f"window-{number}")
        await window.page.context.close()
