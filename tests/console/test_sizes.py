"""No page is larger than 60 KB, however much there is; and all of it is reached."""

import html
import re
from collections.abc import Iterator

from api.conftest import Host
from api.routes.conversations.test_chats import silence, tell
from console.conftest import Browser
from pretend.elevenlabs import AGENT

from voice_server.console import portions

LARGEST = 60_000  # bytes
MESSAGES, AT_ONCE, CHATS = 1800, 200, 3
ENOUGH = 5  # pages of one kind
LONGEST = '"' * 20_000  # what is five times as long on a page


async def long_day(host: Host) -> str:
    """A person of whom there are thousands of messages of one day; their id."""
    user_id = await host.call("conv_1", "user: My boiler broke last night.")
    for first in range(0, MESSAGES, AT_ONCE):
        tell(host, user_id, *lines(first), chat=f"long{first // AT_ONCE % CHATS}")
    await silence(host, 7200)
    await host.call("conv_2", "user: And now?")
    return user_id


def lines(first: int) -> Iterator[str]:
    for number in range(first, first + AT_ONCE):
        role = "user" if number % 2 else "agent"
        yield f"{role}: Line {number} is about the house by the sea, and I must call Priya{number} on Friday."


def large(pages: dict[str, str]) -> dict[str, int]:
    return {path: size(content) for path, content in pages.items() if size(content) > LARGEST}


def size(content: str) -> int:
    return len(content.encode())


def said(pages: list[str]) -> set[int]:
    return {int(number) for page in pages for number in re.findall(r'"words">Line (\d+) ', page)}


def following(browser: Browser, path: str) -> Iterator[str]:
    """A page, and those that its links to more lead to."""
    while True:
        shown = browser.page(path)
        yield shown
        links = re.findall(r'(?:rel="next" href|href)="([^"]+)">(?:More|Earlier on this day)<', shown)
        if not links:
            return
        link = html.unescape(links[-1]).partition("#")[0].removeprefix("/console")
        path = link if link.startswith("/") else f"{path.partition('?')[0]}{link}"


async def test_of_a_day_of_thousands_of_messages_no_page_is_large_and_all_is_reached(
    host: Host, browser: Browser
) -> None:
    user_id = await long_day(host)
    prompt = host.get(f"/users/{user_id}/prompt-preview", agent_id=AGENT)

    pages = browser.crawl(ENOUGH)

    assert f"/console/people/{user_id}/prompts/now?agent={AGENT}" in pages
    assert large(pages) == {}
    day = [*following(browser, f"/people/{user_id}/timeline/2026-11-17")]
    assert said(day) == {*range(MESSAGES)}
    talks = await host.house.query("select id from conversations")
    talked = [page for (talk,) in talks for page in following(browser, f"/conversations/{talk}")]
    assert said(talked) == {*range(MESSAGES)}
    prompts = [*following(browser, f"/people/{user_id}/prompts/now?agent={AGENT}")]
    left_out = sum(page.partition('id="left-out"')[2].count("<tr>") - 1 for page in prompts)
    assert max(map(size, [*day, *talked, *prompts])) <= LARGEST
    assert left_out == len(prompt["snapshot"]["dropped"]) > portions.MOST


async def test_however_long_texts_and_lists_are_pages_are_not(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", *(f"user: {LONGEST[:3000]} I live in Lisbon." for _ in range(40)))
    tell(host, user_id, f"user: {LONGEST}", f"agent: {LONGEST}", *[f"user: {LONGEST[:4000]}"] * 30)
    for number in range(60):
        text = f"{number} {LONGEST[:900]}"
        host.ok(host.send("POST", f"/users/{user_id}/facts", json={"agent_id": AGENT, "text": text}))
        host.ok(host.send("PUT", f"/agents/agent_{number}"))
        tell(host, user_id, f"user: {LONGEST[:300]}", agent=f"agent_{number}", chat=f"chat {number}")
    await silence(host, 7200)
    await host.house.query(
        "insert into day_segments"
        " (user_id, agent_id, day, timezone, starts_at, ends_at, messages, sources, marks)"
        " select user_id, agent_id, day - n, timezone, starts_at, starts_at, 1, '{}', '{}'"
        " from day_segments, generate_series(1, 1000) n where agent_id = $1",
        AGENT,
    )

    pages = browser.crawl(ENOUGH)

    assert large(pages) == {}
    assert f"/console/people/{user_id}/days" in pages
    days = [*following(browser, f"/people/{user_id}/days")]
    assert len(re.findall(r'<li><a href="[^"]*/timeline/', "".join(days))) == 1001


async def test_what_a_page_has_no_room_for_is_there_as_text(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", *(f"user: {number} {LONGEST[:3000]}" for number in range(40)))
    tell(host, user_id, f"user: {LONGEST}", chat="long")
    await host.house.work()
    [(talk,)] = await host.house.query("select id from conversations where channel <> 'voice'")

    shown = browser.page(f"/conversations/{talk}")

    [path] = re.findall(r'<a href="/console([^"]+)">all of it, 20,000 characters</a>', shown)
    whole = browser.get(path)
    assert (whole.text, whole.headers["content-type"]) == (LONGEST, "text/plain; charset=utf-8")
    assert browser.get(f"/conversations/{talk}/messages/7").status_code == 404
    assert '<a href="?as=text">' in browser.page("/events/1")
    assert f"39 {LONGEST[:10]}".replace('"', r"\"") in browser.get("/events/1?as=text").text


async def test_a_link_to_a_message_leads_to_the_part_that_has_it(host: Host, browser: Browser) -> None:
    user_id = await host.call(
        "conv_1", *(f"user: Line {number} is long. {'x' * 900}" for number in range(150))
    )
    [(talk,)] = await host.house.query("select id from conversations")

    first = browser.page(f"/conversations/{talk}")
    [link] = re.findall(r'<a href="/console([^"#]+)#m140"', browser.page(f"/people/{user_id}/search?q=140"))[
        :1
    ]

    assert 'id="m140"' not in first
    assert 'id="m140"' in browser.page(link)
