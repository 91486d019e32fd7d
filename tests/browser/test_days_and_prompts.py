"""A person's days, prompts and what is known of them, as people go through them in a browser."""

import itertools
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from api.routes.conversations.test_chats import tell
from browser import story
from browser.conftest import Console, OpenWindow
from browser.story import DAY
from playwright.async_api import Locator, Page, expect
from pretend.elevenlabs import AGENT, ended_call

from voice_server.console import view

ZOE = "+14155559000"
_CHATS = itertools.count()


@dataclass
class Caller:
    """Somebody who called yesterday and today, and is of these tests alone."""

    console: Console
    id: str
    today: date

    @property
    def path(self) -> str:
        return f"/console/people/{self.id}"

    @property
    def day(self) -> str:
        return f"{self.path}/timeline/{self.today}"

    @property
    def yesterday(self) -> date:
        return self.today - timedelta(days=1)

    def writes(self, words: str) -> None:
        """No summary tells it yet."""
        tell(self.console.host, self.id, f"user: {words}", chat=f"zoe {next(_CHATS)}")


@pytest.fixture(scope="session")
async def caller(console: Console) -> Caller:
    host = console.host
    now = host.house.clock()
    said = ("user: The roof leaks.", "agent: Oh dear.")
    host.house.platform.post_call(ended_call("conv_zoe", said, ended=now - DAY, caller=ZOE))
    id_ = await host.call("conv_zoe_again", "user: Please send me the offer by Friday.", caller=ZOE)
    host.ok(host.send("PATCH", f"/users/{id_}", json={"timezone": "UTC"}))
    await host.house.work()
    return Caller(console, id_, datetime.fromtimestamp(now, UTC).date())


async def test_one_goes_from_day_to_day_and_picks_one(open_window: OpenWindow, caller: Caller) -> None:
    window = await open_window()
    page = window.page
    yesterday = view.day(caller.yesterday)
    await window.open(caller.day)

    await page.get_by_role("link", name=f"‹ {yesterday}").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(yesterday)
    await expect(page.get_by_text("The roof leaks.", exact=True)).to_be_visible()
    await page.get_by_role("link", name=f"{view.day(caller.today)} ›").click()
    await expect(_said(page, "Please send me the offer by Friday.")).to_be_attached()
    await _pick(page, caller.yesterday)
    await expect(page.get_by_text("The roof leaks.", exact=True)).to_be_visible()
    await _pick(page, caller.today - timedelta(days=40))
    await expect(page.get_by_text("Nothing was said on this day.")).to_be_visible()
    await page.get_by_text("All days").click()
    await page.get_by_role("listitem").get_by_role("link", name=yesterday).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(yesterday)
    assert window.trouble == []


@pytest.mark.parametrize("scripts", [True, False])
async def test_what_the_summary_tells_is_unfolded(
    open_window: OpenWindow, caller: Caller, *, scripts: bool
) -> None:
    caller.writes(f"The roofer came, {scripts}.")
    window = await open_window(java_script_enabled=scripts)
    await window.open(caller.day)
    told = _said(window.page, "Please send me the offer by Friday.")

    await expect(_said(window.page, f"The roofer came, {scripts}.")).to_be_visible()
    await expect(told).to_be_hidden()
    await window.page.get_by_text("earlier messages, told in the summary").click()

    await expect(told).to_be_visible()
    assert window.trouble == []


async def test_without_a_script_the_timeline_is_whole(open_window: OpenWindow, caller: Caller) -> None:
    caller.writes("The attic is dry.")
    window = await open_window(java_script_enabled=False)
    page = window.page
    await window.open(f"{caller.path}/timeline/today")

    await _pick(page, caller.yesterday)
    await expect(page.get_by_text("The roof leaks.", exact=True)).to_be_visible()
    await page.get_by_label("Search").fill("roof")
    await page.get_by_role("button", name="Search").click()
    await page.get_by_role("link", name="The roof leaks.", exact=True).click()
    await expect(page.locator("li:target")).to_contain_text("The roof leaks.")
    await window.open(caller.day)
    await _said(page, "The attic is dry.").hover()
    await page.get_by_role("listitem").filter(has_text="The attic is dry.").get_by_role("button").click()

    await expect(page).to_have_url(re.compile(r"/facts\?of=\d+#fact-\d+$"))
    await expect(page.locator("li:target")).to_contain_text("The attic is dry.")


async def test_the_summary_of_a_day_is_made_anew(open_window: OpenWindow, caller: Caller) -> None:
    host = caller.console.host
    caller.writes("The gutter is new.")
    await host.house.query("update day_segments set summary = 'Rain.' where user_id = $1", caller.id)
    window = await open_window()
    await window.open(caller.day)
    summary = window.page.get_by_role("heading", name="Summary of the day").locator("xpath=..")
    await expect(summary).to_contain_text("Rain.")

    await summary.get_by_role("button", name="Make it anew").click()
    await host.house.work()
    await window.open(caller.day)

    await expect(summary).to_contain_text("The gutter is new.")
    await expect(summary).not_to_contain_text("Rain.")
    assert window.trouble == []


async def test_what_changed_since_an_earlier_prompt_is_marked(
    open_window: OpenWindow, caller: Caller
) -> None:
    host = caller.console.host
    fact = story.note(host, caller.id, "She has a slate roof.")
    await host.house.work()
    earlier = host.get(f"/users/{caller.id}/prompts")["items"][0]["version"]
    host.ok(host.send("PATCH", f"/facts/{fact['id']}", json={"text": "She has a tiled roof."}))
    window = await open_window()
    page = window.page
    await window.open(f"{caller.path}/prompts/now?agent={AGENT}")

    options = page.get_by_label("What changed since").get_by_role("option").filter(has_text=earlier)
    await page.get_by_label("What changed since").select_option(label=await options.inner_text())
    await page.get_by_role("button", name="Show").click()

    await expect(page.get_by_role("heading", name=f"What changed since {earlier}")).to_be_visible()
    await expect(page.get_by_role("insertion").filter(has_text="a tiled roof")).to_be_visible()
    await expect(page.get_by_role("deletion").filter(has_text="a slate roof")).to_be_visible()
    await page.get_by_role("link", name="All sections, and what was left out").click()
    await expect(page.get_by_role("heading", name="Left out")).to_be_visible()
    assert window.trouble == []


async def test_a_fact_is_worded_anew(open_window: OpenWindow, caller: Caller) -> None:
    story.note(caller.console.host, caller.id, "She keeps two cats.")
    window = await open_window()
    page = window.page
    await window.open(f"{caller.path}/facts")
    item = page.get_by_role("listitem").filter(has_text="two cats")

    await item.get_by_text("Edit").click()
    await item.get_by_label("How it should read").fill("She keeps three cats.")
    await item.get_by_role("button", name="Keep it so").click()

    await expect(page.locator("li:target")).to_contain_text("She keeps three cats.")
    await expect(page.locator("li:target [dir=auto]")).to_have_text("She keeps two cats.")
    await page.get_by_role("link", name=re.compile("superseded")).click()
    await expect(page.get_by_text("She keeps two cats.").first).to_be_visible()
    assert window.trouble == []


async def test_a_thread_is_closed_and_opened_again(open_window: OpenWindow, caller: Caller) -> None:
    window = await open_window()
    page = window.page
    await window.open(f"{caller.path}/threads?show=all")
    thread = page.get_by_role("listitem").filter(has_text="the offer by Friday")

    await thread.get_by_role("button", name="Close").click()
    await expect(thread).to_contain_text("closed by hand")
    await thread.get_by_role("button", name="Open it again").click()

    await expect(thread.get_by_role("button", name="Close")).to_be_visible()
    assert window.trouble == []


async def _pick(page: Page, day: date) -> None:
    await page.get_by_label("Day", exact=True).fill(day.isoformat())
    await page.get_by_role("button", name="Go").click()


def _said(page: Page, words: str) -> Locator:
    return page.locator(".said .words").get_by_text(words, exact=True)
