"""What people do in the console, as they do it: by what they read on it, with a mouse or a keyboard."""

import re

import pytest
from browser import story
from browser.conftest import PASSWORD, Console, OpenWindow
from playwright.async_api import Locator, Page, expect
from pretend.elevenlabs import ADA, AGENT, GRACE

HOME = re.compile(r"/console/$")
LOGIN = re.compile(r"/console/login")
AGAIN = re.compile(r"Try \d events? again")
# Where the keyboard is, and whether that is to be seen.
FOCUSED = """() => {
    const here = document.activeElement, style = getComputedStyle(here);
    const is_ringed = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    return {name: here.textContent.trim() || here.name, is_ringed: is_ringed || here === document.body};
}"""
# Of the row of a bar, how far what was told and left out is from it.
APART = """drawing => {
    const edge = drawing.getBoundingClientRect().right;
    const beside = [...drawing.closest("tr").cells].slice(-2);
    return Math.max(...beside.map(cell => cell.getBoundingClientRect().right)) - edge;
}"""
# Of a bar, in which order its parts are drawn, and the colour of each.
MARKS = """drawing => {
    const parts = [...drawing.children].map(one => [one.className.baseVal, getComputedStyle(one)]);
    const colour = (name, style) => ["cap", "target"].includes(name) ? style.stroke : style.fill;
    const colours = Object.fromEntries(parts.map(([name, style]) => [name, colour(name, style)]));
    return {...colours, order: parts.map(([name]) => name)};
}"""


async def test_a_link_opens_it_once(open_window: OpenWindow, console: Console) -> None:
    link = console.link()
    first, second = await open_window(storage_state=None), await open_window(storage_state=None)

    await first.page.goto(link)
    await second.page.goto(link)

    await expect(first.page).to_have_url(HOME)
    await expect(first.page.get_by_role("heading", name="Overview")).to_be_visible()
    await expect(second.page.get_by_text("This link was used before")).to_be_visible()
    await second.open("/console/")
    await expect(second.page).to_have_url(LOGIN)


async def test_the_password_opens_it_after_a_wrong_one_did_not(open_window: OpenWindow) -> None:
    window = await open_window(storage_state=None)
    await window.open("/console/people")

    await _log_in(window.page, "open simsim")
    await expect(window.page.get_by_role("alert")).to_have_text("This is not the password.")
    await _log_in(window.page, PASSWORD)

    await expect(window.page).to_have_url(re.compile("/console/people$"))
    await window.page.get_by_role("button", name="Leave").click()
    await expect(window.page).to_have_url(LOGIN)
    await window.open("/console/people")
    await expect(window.page).to_have_url(LOGIN)


async def _log_in(page: Page, password: str) -> None:
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Log in").click()


async def test_a_fact_is_pinned_and_told_no_more(open_window: OpenWindow, console: Console) -> None:
    path, fact = _noted(console, "Grace keeps bees.")
    window = await open_window()
    await window.open(path)

    await _do(window.page, fact, "Pin")
    await expect(_of(window.page, fact)).to_contain_text("pinned")
    await _do(window.page, fact, "Tell it no more")
    await _do(window.page, fact, "Tell it again")

    await expect(_of(window.page, fact).get_by_role("button", name="Tell it no more")).to_be_visible()
    assert window.trouble == []


async def test_without_a_script_pages_are_whole_and_forms_work(
    open_window: OpenWindow, console: Console
) -> None:
    path, fact = _noted(console, "Grace plays the oboe.")
    window = await open_window(java_script_enabled=False)
    await window.open("/console/")

    await window.page.get_by_role("link", name="Ada Byron").first.click()
    await expect(window.page.get_by_role("heading", level=1)).to_contain_text("Ada Byron")
    await window.page.get_by_role("link", name="Search").first.click()
    await window.page.get_by_label("What").fill("boiler")
    await window.page.get_by_role("button", name="Search").click()
    await expect(window.page.get_by_text("My boiler broke last night.").first).to_be_visible()
    await window.open(path)
    await _do(window.page, fact, "Pin")

    await expect(_of(window.page, fact)).to_contain_text("pinned")


async def test_who_comes_second_is_told_so_and_overwrites_nothing(
    open_window: OpenWindow, console: Console
) -> None:
    path, fact = _noted(console, "Grace collects stamps.")
    first, second = await open_window(), await open_window()
    await first.open(path)
    await second.open(path)

    await _do(first.page, fact, "Pin")
    await expect(_of(first.page, fact)).to_contain_text("pinned")
    await _do(second.page, fact, "Tell it no more")

    await expect(second.page.get_by_text("changed meanwhile")).to_be_visible()
    await first.open(path)
    await expect(_of(first.page, fact)).to_contain_text("pinned")


@pytest.mark.parametrize("scripts", [True, False])
async def test_what_was_put_aside_is_tried_again_once_that_is_meant(
    open_window: OpenWindow, console: Console, *, scripts: bool
) -> None:
    await story.something_fails(console.host)
    window = await open_window(java_script_enabled=scripts)
    await window.open("/console/")
    await expect(window.page.get_by_text("put aside")).to_be_visible()

    await window.page.get_by_role("link", name="Events").click()
    await window.page.get_by_role("link", name=AGAIN).click()
    await expect(window.page.get_by_role("heading", level=1)).to_have_text(re.compile(r"Try \d event"))
    await window.page.get_by_role("link", name="aside").click()
    await window.page.get_by_role("link", name=AGAIN).click()
    await window.page.get_by_role("button", name="again").click()

    await expect(window.page.get_by_role("heading", name="Events and jobs")).to_be_visible()
    await expect(window.page.get_by_role("link", name=AGAIN)).to_have_count(0)
    await window.page.get_by_role("link", name="voice-server").click()
    await expect(window.page.get_by_text("All is well.")).to_be_visible()
    await console.host.house.work()  # and it is put aside once more
    await window.page.reload()
    await expect(window.page.get_by_text("put aside")).to_be_visible()


async def test_the_bars_of_a_prompt_are_as_long_as_the_numbers_beside_them(
    open_window: OpenWindow, console: Console
) -> None:
    window = await open_window()
    await window.open(f"/console/people/{console.host.user_at(ADA)}/prompts/now?agent={AGENT}")

    rows = await window.page.get_by_role("row").filter(has=window.page.get_by_role("img")).all()
    bars = [await _bar(row) for row in rows]

    told = sum(tokens for tokens, _ in bars)
    drawn = sum(width for _, width in bars)
    assert told > 0
    assert [width for _, width in bars] == [
        pytest.approx(tokens / told * drawn, abs=0.5) for tokens, _ in bars
    ]


@pytest.mark.parametrize("colours", ["light", "dark"])
async def test_target_and_cap_are_told_apart_from_a_bar_that_is_filled(
    open_window: OpenWindow, console: Console, colours: str
) -> None:
    window = await open_window(color_scheme=colours)
    await window.open(f"/console/people/{console.host.user_at(ADA)}/prompts/now?agent={AGENT}")

    marks = await window.page.locator("td .bar").first.evaluate(MARKS)

    assert marks["order"] == ["filled", "apart", "heads", "cap", "target"]
    assert all(_contrast(marks[one], marks["apart"]) > 4.5 for one in ("filled", "heads", "cap", "target"))


async def test_what_was_told_and_left_out_stands_beside_its_bar(
    open_window: OpenWindow, console: Console
) -> None:
    window = await open_window()
    await window.open(f"/console/people/{console.host.user_at(ADA)}/prompts/now?agent={AGENT}")

    apart = await window.page.locator("td .bar").first.evaluate(APART)

    assert 0 < apart < 240, "pixels of 1200"


def _contrast(one: str, other: str) -> float:
    """As WCAG has it, of two colours as a browser writes them."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


async def _bar(row: Locator) -> tuple[int, float]:
    """How many tokens its label says, which are those of the cell beside it, and how wide it is drawn."""
    drawing = row.get_by_role("img")
    label = await drawing.get_attribute("aria-label") or ""
    tokens = label.partition(" tokens")[0]
    await expect(row.get_by_role("cell", name=f"{int(tokens):,}", exact=True).first).to_be_visible()
    width = await drawing.locator("rect").first.evaluate("one => one.getBoundingClientRect().width")
    return int(tokens), float(width)


async def test_a_link_of_old_leads_to_its_message_in_whichever_part_it_is(
    open_window: OpenWindow, console: Console
) -> None:
    await console.host.call("conv_long", *(f"user: The barrel has number {one}." for one in range(150)))
    [talk] = await console.host.house.query("select id from conversations where platform_id = 'conv_long'")
    window = await open_window()

    await window.open(f"/console/conversations/{talk[0]}#m140")

    await expect(window.page.locator("li:target")).to_contain_text("number 140.")
    await window.page.get_by_role("link", name="Those before").first.click()
    await expect(window.page.get_by_text("The barrel has number 7.", exact=True)).to_be_visible()
    assert window.trouble == []


async def test_a_slash_looks_in_what_the_person_said(open_window: OpenWindow, console: Console) -> None:
    window = await open_window()
    person = console.host.user_at(ADA)
    await window.open(f"/console/people/{person}/facts")

    await window.page.keyboard.press("/")

    await window.page.wait_for_url(f"**/people/{person}/search#q")
    await expect(window.page.get_by_label("What")).to_be_focused()


async def test_the_keyboard_reaches_everything_and_shows_where_it_is(open_window: OpenWindow) -> None:
    window = await open_window()
    await window.open("/console/people")
    page = window.page

    await page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="To the page")
    await expect(skip).to_be_focused()
    await expect(skip).to_be_in_viewport()
    reached = set()
    while (focused := await page.evaluate(FOCUSED))["name"] not in reached:
        assert focused["is_ringed"], focused
        reached.add(focused["name"])
        await page.keyboard.press("Tab")

    assert {"To the page", "Events", "Find", "Ada Byron"} <= reached
    await skip.focus()
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("#main$"))


def _noted(console: Console, text: str) -> tuple[str, str]:
    """A new fact about Grace: the page where it is, and how it is found there."""
    grace = console.host.user_at(GRACE)
    story.note(console.host, grace, text)
    return f"/console/people/{grace}/facts?show=all", text


def _of(page: Page, fact: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=fact)


async def _do(page: Page, fact: str, what: str) -> None:
    await _of(page, fact).get_by_role("button", name=what, exact=True).click()
