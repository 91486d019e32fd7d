"""Every page that a link of the console leads to, as people see it: in light and in the dark, on a wide
screen and on a phone."""

import itertools
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from axe_playwright_python.async_playwright import Axe
from browser.conftest import NARROW, WIDE, Console, OpenWindow
from browser.story import CALCULATED, SHOWN
from console import conftest as by_http
from console.conftest import kind
from playwright.async_api import Page
from pretend.elevenlabs import ADA, AGENT

ENOUGH = 15  # pages of one kind
COLOURS: Sequence[Literal["light", "dark"]] = ("light", "dark")
EXAMINED = (("light", WIDE), ("dark", NARROW))
EXAMINE = "() => axe.run({resultTypes: ['violations']}).then(found => found.violations)"
# Where the hostile words are, at least.
SAID_ON = {
    "/console/people",
    "/console/people/*",
    "/console/people/*/timeline/*?agent*",
    "/console/people/*/prompts/*?agent*",
    "/console/people/*/prompts/now?agent*",
    "/console/conversations/*",
    "/console/events/*",
}
MADE = """() => document.querySelectorAll("hostile-element, img[src=x]").length
    + [...document.scripts].filter(one => one.text.includes("alert")).length"""
TOO_WIDE = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"

UNFOLD = "() => document.querySelectorAll('details').forEach(one => one.open = true)"
# Of each cell in a table: the names that its column has and shows, and whether all of it is to be seen.
CELLS = """() => [...document.querySelectorAll("table")].flatMap(table => {
    const names = [...table.tHead.rows[0].cells].map(one => one.textContent);
    const clips = one => getComputedStyle(one).overflowX !== "visible";
    const clipping = one => !one || clips(one) ? one : clipping(one.parentElement);
    return [...table.tBodies[0].rows].flatMap(row => [...row.cells].map((cell, place) => {
        const told = document.createRange();
        told.selectNodeContents(cell);
        const {left, right} = told.getBoundingClientRect();
        const room = (clipping(cell) ?? document.documentElement).getBoundingClientRect();
        const is_seen = left >= Math.max(0, room.left) && right <= Math.min(innerWidth, room.right) + 1;
        const label = getComputedStyle(cell, "::before").content.replaceAll('"', "");
        const has = cell.textContent.trim() || cell.querySelector("svg")?.ariaLabel;
        return {has, name: names[place], label, place, is_seen, of: table.className};
    }));
})"""


@pytest.fixture(scope="session")
def sent(console: Console) -> dict[str, str]:
    """What is sent for each path that can be reached by following links, from the overview on."""
    browser = by_http.Browser(console.host.house.client)
    browser.enter()
    return browser.crawl(ENOUGH)


@pytest.fixture(scope="session")
def pages(console: Console, sent: dict[str, str]) -> Sequence[str]:
    """One page of each kind, with what no link leads to, but a form."""
    ada = console.host.user_at(ADA)
    earliest = console.host.get(f"/users/{ada}/prompts")["items"][-1]["version"]
    return [
        *{kind(path): path for path in reversed(sent)}.values(),
        "/console/login",
        f"/console/people/{ada}/search?q=boiler",
        f"/console/people/{ada}/prompts/now?agent={AGENT}&since={earliest}",
    ]


async def test_every_page_loads_whole_from_here_alone_fits_the_screen_and_keeps_nobody_out(
    open_window: OpenWindow, pages: Sequence[str]
) -> None:
    """In light and dark, wide and narrow. A page is loaded once: to load it takes longer than to look."""
    window = await open_window()
    page = window.page
    found: list[tuple[Any, ...]] = []

    for path in pages:
        await window.open(path)
        await page.evaluate(Axe().axe_script)
        for colours, size in itertools.product(COLOURS, (WIDE, NARROW)):
            await page.emulate_media(color_scheme=colours)
            await page.set_viewport_size(size)
            if await page.evaluate(TOO_WIDE):
                found.append((path, size, "too wide"))
            if (colours, size) in EXAMINED:
                found += [(path, colours, *one) for one in await obstacles(page)]

    assert (window.trouble, found) == ([], [])


async def test_on_a_phone_every_column_of_a_table_is_to_be_seen_with_its_name(
    open_window: OpenWindow, pages: Sequence[str]
) -> None:
    window = await open_window(viewport=NARROW)
    seen = set[str]()

    for path in pages:
        await window.open(path)
        await window.page.evaluate(UNFOLD)
        cells = [one for one in await window.page.evaluate(CELLS) if one["has"]]
        assert [one for one in cells if not one["is_seen"]] == [], path
        apart = [one for one in cells if "rows" in one["of"] and one["place"]]
        assert [one for one in apart if one["label"] != one["name"]] == [], path
        assert {one["of"] for one in cells} <= {"rows", "sections rows", "stack"}, path
        seen |= {one["name"] for one in cells}

    assert {"last heard of", "what was said", "of its budget", "rule", "why", "cap", "numbers"} <= seen


async def obstacles(page: Page) -> list[tuple[str, Any]]:
    """What axe finds, as far as it keeps people from using the page: by which rule, where."""
    violations = await page.evaluate(EXAMINE)
    return [
        (one["id"], [node["html"] for node in one["nodes"]])
        for one in violations
        if one["impact"] in ("serious", "critical")
    ]


async def test_what_people_say_is_text_on_every_page_that_has_it(
    open_window: OpenWindow, sent: dict[str, str]
) -> None:
    window = await open_window(viewport=NARROW)
    having = [path for path, content in sent.items() if "alert(1)" in content]

    for path in having:
        await window.open(path)
        text = await window.page.locator("body").text_content() or ""
        assert (SHOWN in text, CALCULATED in text) == (True, False), path
        assert not await window.page.evaluate(MADE), path
        assert not await window.page.evaluate(TOO_WIDE), path

    assert window.trouble == []
    assert SAID_ON - set(map(kind, having)) == set()
