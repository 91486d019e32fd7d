"""What comes by itself while somebody looks: calls, and answers as they are made."""

import re

from browser.conftest import Console, OpenWindow, Window
from playwright.async_api import Locator, Page, expect
from pretend.elevenlabs import ADA, AGENT, GRACE
from pretend.model import PretendModel, says

ITEMS = "main tbody tr, main .days > li"
WORDS = [f"word{number} " for number in range(40)]


async def test_a_call_appears_without_loading_the_page_again(
    open_window: OpenWindow, console: Console
) -> None:
    ada = console.host.user_at(ADA)
    everybody, day = await open_window(), await open_window()
    await everybody.open("/console/")
    await day.open(f"/console/people/{ada}/timeline/today")
    await everybody.page.evaluate("window.stays = true")
    await day.page.evaluate("window.stays = true")
    await day.page.get_by_label("What to write").fill("half written")

    await console.host.call("conv_news", "user: The cherries are ripe at last.")

    for window in (everybody, day):
        await expect(window.page.get_by_text("The cherries are ripe at last.").first).to_be_visible()
        assert await window.page.evaluate("window.stays"), "it is still the same page"
        assert window.trouble == []
    await expect(day.page.get_by_label("What to write")).to_have_value("half written")


async def test_who_leaves_leaves_every_page_that_is_open(open_window: OpenWindow, console: Console) -> None:
    window = await open_window(storage_state=None)
    other = await window.page.context.new_page()
    await window.page.goto(console.link())
    await other.goto(f"{console.url}/console/people/{console.host.user_at(ADA)}/timeline/today")

    await window.page.get_by_role("button", name="Leave").click()

    await expect(other).to_have_url(re.compile(r"/console/login$"), timeout=10_000)


async def test_what_is_open_stays_open_when_news_come(open_window: OpenWindow, console: Console) -> None:
    ada = console.host.user_at(ADA)
    window = await open_window()
    await window.open(f"/console/people/{ada}")
    number = window.page.locator("details.mask").first
    await number.locator("summary").click()

    await console.host.call("conv_more_news", "user: And the plums follow.")

    await expect(window.page.get_by_text("And the plums follow.").first).to_be_visible()
    await expect(number).to_have_attribute("open", "")


async def test_an_answer_comes_as_it_is_made_survives_a_reload_and_is_stopped(
    open_window: OpenWindow, console: Console, model: PretendModel
) -> None:
    model.otherwise = says(*WORDS, pause=0.2)
    page = (await _written(open_window, console, "Tell me all of it.")).page

    answer = page.locator(".answer")
    await expect(answer).to_contain_text("word1 ")
    early = await answer.inner_text()
    await page.reload()
    await expect(answer).to_contain_text(early.strip())
    await expect(answer).to_contain_text(f"word{len(early.split()) + 1} ")
    await page.get_by_role("button", name="Stop").click()

    await expect(page.get_by_text("The answer was stopped, or broke off.")).to_be_visible()
    await expect(page.get_by_text(re.compile(r"word1 .* \[…\]"))).to_be_visible()
    await expect(page.get_by_text("Tell me all of it.", exact=True)).to_have_count(1)


async def test_an_answer_that_is_whole_takes_its_place_in_the_day(
    open_window: OpenWindow, console: Console, model: PretendModel
) -> None:
    model.otherwise = says("Ten ", "minutes ", "in the morning.", pause=0.3)
    window = await _written(open_window, console, "How long each day?")

    await expect(window.page.get_by_role("heading", name="answers")).to_have_count(0)
    await expect(window.page.get_by_text("Ten minutes in the morning.")).to_have_count(1)
    assert window.trouble == []


async def test_without_a_script_an_answer_is_there_after_a_while(
    open_window: OpenWindow, console: Console, model: PretendModel
) -> None:
    model.otherwise = says("With ", "scripts or without.", pause=0.5)
    page = (await _written(open_window, console, "Can you hear me?", java_script_enabled=False)).page

    await expect(page.get_by_text("With scripts or without.")).to_be_visible()


async def test_keys_lead_around(open_window: OpenWindow, console: Console) -> None:
    window = await open_window()
    page = window.page
    await window.open(f"/console/people/{console.host.user_at(ADA)}/facts?show=all")

    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("k")
    first = page.get_by_role("main").locator(".facts > li").first
    await expect(first).to_be_focused()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.keyboard.press("t")
    await expect(page).to_have_url(re.compile("/timeline/today$"))
    await page.keyboard.press("/")
    await expect(page.get_by_label("Search", exact=True)).to_be_focused()
    await page.keyboard.type("jk?t")
    await expect(page.get_by_label("Search", exact=True)).to_have_value("jk?t")


async def test_enter_opens_the_item_that_was_chosen(open_window: OpenWindow, console: Console) -> None:
    window = await open_window()
    page = window.page
    await window.open("/console/people")

    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/console/people/usr_\w+$"))
    conversation = page.get_by_role("row").filter(has_text="call").last
    await _go_to(page, conversation)
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/console/conversations/\d+$"))

    await window.open(f"/console/people/{console.host.user_at(ADA)}/threads?show=all")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/console/conversations/\d+\?at=\d+#m\d+$"))
    assert window.trouble == []


async def test_enter_on_a_button_or_link_is_its_own(open_window: OpenWindow) -> None:
    window = await open_window()
    await window.open("/console/people")
    await window.page.keyboard.press("j")

    await window.page.get_by_role("link", name="Events").focus()
    await window.page.keyboard.press("Enter")

    await expect(window.page).to_have_url(re.compile("/console/events$"))


async def _go_to(page: Page, item: Locator) -> None:
    """With the keyboard alone."""
    for _ in range(await page.locator(ITEMS).count()):
        await page.keyboard.press("j")
        if await item.evaluate("one => one === document.activeElement"):
            return


async def test_a_search_leads_to_the_message(open_window: OpenWindow, console: Console) -> None:
    window = await open_window()
    page = window.page
    await window.open(f"/console/people/{console.host.user_at(ADA)}/search?q=boiler")

    await page.get_by_role("link", name="My boiler broke last night.").first.click()

    target = page.locator("li:target")
    await expect(target).to_contain_text("My boiler broke last night.")
    await expect(target).to_be_in_viewport()


async def test_an_event_leads_to_its_conversation(open_window: OpenWindow) -> None:
    window = await open_window()
    await window.open("/console/events")

    await window.page.get_by_role("link", name="conv_2", exact=True).click()

    target = window.page.locator("section:target")
    await expect(target).to_contain_text("Please send me the tax forms by Friday.")
    await expect(target.get_by_role("heading")).to_be_in_viewport()
    assert window.trouble == []


async def _written(open_window: OpenWindow, console: Console, text: str, **more: bool) -> Window:
    window = await open_window(**more)
    await window.open(f"/console/people/{console.host.user_at(GRACE)}/timeline/today")
    await _choose(window.page)
    await window.page.get_by_label("What to write").fill(text)
    await window.page.get_by_role("button", name="Send").click()
    return window


async def _choose(page: Page) -> None:
    await page.get_by_label("Write as").select_option(label=f"{AGENT}, in a new chat")
