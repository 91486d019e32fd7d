"""Pages that are open hear of news."""

import asyncio
import re
import threading
from collections.abc import Callable

import pytest
from api.conftest import Host
from api.routes.conversations.test_chats import tell
from conftest import House
from console.conftest import HERE, SECRET, Browser
from console.test_pages import ada
from pretend.trouble import Trouble
from starlette.testclient import TestClient

from voice_server.app import VoiceApp
from voice_server.console.pages import live
from voice_server.settings import Settings
from voice_server.store import latest_changes


async def test_a_page_hears_of_a_call_within_two_seconds_until_the_server_stops(
    host: Host, browser: Browser
) -> None:
    stops = threading.Event()
    app = host.house.client.app
    assert isinstance(app, VoiceApp)
    app.shutdown.told_by(stops.is_set)
    [line] = re.findall(r'hx-sse:connect="/console([^"]*)"', browser.page())
    heard = asyncio.create_task(asyncio.to_thread(browser.get, line))
    await asyncio.sleep(0.5)  # the line is open

    host.report("conv_1")
    await asyncio.sleep(2)
    stops.set()

    assert (await heard).text.count("event: changed\ndata: \n\n") == 1


async def test_what_changed_before_the_page_began_to_listen_is_heard_at_once(
    host: Host, browser: Browser
) -> None:
    [line] = re.findall(r'hx-sse:connect="/console([^"]*)"', browser.page())
    host.report("conv_1")
    app = host.house.client.app
    assert isinstance(app, VoiceApp)
    app.shutdown.told_by(lambda: True)

    assert browser.get(line).text == "event: changed\ndata: \n\n"


async def test_so_many_lines_are_open_at_a_time(
    host: Host, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_LINES", 2)
    stops = threading.Event()
    app = host.house.client.app
    assert isinstance(app, VoiceApp)
    app.shutdown.told_by(stops.is_set)
    for _ in range(3):  # who only looks whether it is there holds none
        assert browser.client.head("/console/live", headers=HERE).status_code == 200

    opened = [asyncio.create_task(asyncio.to_thread(browser.get, "/live?seen=")) for _ in range(4)]
    await asyncio.sleep(1)
    stops.set()
    answers = await asyncio.gather(*opened)

    assert sum("event: changed" in one.text for one in answers) == 2


async def test_a_line_ends_soon_after_its_session_was_left_and_others_stay(
    host: Host, browser: Browser
) -> None:
    other = Browser(TestClient(host.house.client.app))
    other.enter()
    stops = threading.Event()
    app = host.house.client.app
    assert isinstance(app, VoiceApp)
    app.shutdown.told_by(stops.is_set)
    lines = [asyncio.create_task(asyncio.to_thread(one.get, "/live?seen=")) for one in (browser, other)]
    await asyncio.sleep(0.5)  # the lines are open

    browser.post("/logout")
    ended, going_on = await asyncio.wait(lines, timeout=5, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(1)
    is_open = not lines[1].done()
    stops.set()

    assert (ended, going_on, is_open) == ({lines[0]}, {lines[1]}, True)
    assert lines[0].result().text.endswith("event: changed\ndata: \n\n"), "so that its page asks, and leaves"
    await lines[1]


async def test_while_redis_is_silent_a_line_stays_open(
    open_house: Callable[[Settings], House], fragile: Settings, trouble: Trouble
) -> None:
    host = Host(open_house(fragile.model_copy(update={"console_secret": SECRET})))
    browser = Browser(host.house.client)
    browser.enter()
    stops = threading.Event()
    app = host.house.client.app
    assert isinstance(app, VoiceApp)
    app.shutdown.told_by(stops.is_set)
    line = asyncio.create_task(asyncio.to_thread(browser.get, "/live?seen="))
    await asyncio.sleep(0.5)

    trouble.freeze("valkey")
    await asyncio.sleep(4)
    is_open = not line.done()
    stops.set()

    assert is_open
    await line


async def test_conversations_days_and_events_change_the_fingerprint(host: Host) -> None:
    async def seen_now(user_id: str = "") -> str:
        async with host.house.worker.engine.connect() as connection:
            return await latest_changes.fingerprint(connection, user_id)

    seen = [await seen_now()]
    user_id = await ada(host)
    seen.append(await seen_now())
    theirs = [await seen_now(user_id)]
    tell(host, user_id, "user: Is it Monday yet?", chat="trip")
    seen.append(await seen_now())
    theirs.append(await seen_now(user_id))
    host.house.platform.post_call(b'{"type": "post_call_transcription", "data": {"conversation_id": "c"}}')
    seen.append(await seen_now())
    theirs.append(await seen_now(user_id))
    await host.house.work()
    seen.append(await seen_now())

    assert len(set(seen)) == len(seen)
    assert theirs[0] != theirs[1] == theirs[2], "somebody else's event is no news of hers"
    assert await seen_now() == seen[-1]
