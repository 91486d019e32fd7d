"""A person's day in the console: what was said on any channel, what its summary covers, which day it is."""

import re
from typing import Any

from api.conftest import Host
from api.routes.conversations.test_chats import silence, tell
from benchmarks.statements import Statement, recorded
from console.conftest import Browser
from console.test_pages import DAY, ada, id_of
from pretend.elevenlabs import AGENT

from voice_server.store import session

OTHER = "agent_other"


def timeline(browser: Browser, user_id: str, which: str = "today", **query: str) -> str:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    return browser.page(f"/people/{user_id}/timeline/{which}?{asked}")


async def test_what_was_just_written_is_there_before_its_day_is_summed_up(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: Is it Monday yet?", "agent: Tomorrow.", chat="trip")

    shown = timeline(browser, user_id)

    assert ">Is it Monday yet?</bdi>" in shown
    assert "goes on" in shown


async def test_what_the_summary_tells_is_folded_above_what_came_after(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    whole = timeline(browser, user_id)
    tell(host, user_id, "user: Is it Monday yet?", "agent: Tomorrow.", chat="trip")

    shown = timeline(browser, user_id)

    assert 'class="folded"' not in whole
    assert re.search(r"<summary>3 earlier messages, told in the summary \(", shown)
    places = [shown.index(one) for one in ("</details>", "summary of the day made of 3", "Is it Monday yet?")]
    assert places == sorted(places)


async def test_a_day_is_the_persons_own(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    host.ok(host.send("PATCH", f"/users/{user_id}", json={"timezone": "Pacific/Kiritimati"}))
    await host.call("conv_2", "user: It is warm again.")

    assert "Wednesday 18 November 2026" in timeline(browser, user_id)
    assert ">It is warm again.</bdi>" in timeline(browser, user_id, "2026-11-18")
    assert "Times are in Pacific/Kiritimati." in timeline(browser, user_id)


async def test_all_agents_are_on_a_day_or_the_one_that_is_asked_for(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    await host.call("conv_2", "user: I want to book a table.", agent=OTHER)

    both, other = timeline(browser, user_id), timeline(browser, user_id, agent=OTHER)

    assert ">My boiler broke last night.</bdi>" in both
    assert ">I want to book a table.</bdi>" in both
    assert ">My boiler broke last night.</bdi>" not in other
    assert ">I want to book a table.</bdi>" in other


async def test_a_day_is_picked(host: Host, browser: Browser) -> None:
    user_id = await ada(host)

    picked = browser.get(f"/people/{user_id}/timeline?day=2026-11-16&agent={AGENT}")

    assert picked.headers["location"] == f"/console/people/{user_id}/timeline/2026-11-16?agent={AGENT}"
    assert "Nothing was said on this day." in timeline(browser, user_id, "2026-11-16")


async def test_a_call_in_which_nobody_spoke_is_on_its_day(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    await host.call("conv_2", "agent: Hello?")

    assert "· silent" in timeline(browser, user_id)


async def test_a_long_day_is_shown_in_parts(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    for part in range(3):
        said = [f"user: Line {part * 100 + one}." for one in range(100)]
        tell(host, user_id, *said, chat="long")

    parts = [timeline(browser, user_id)]
    while following := re.findall(r'href="([^"]*cursor=[^"]*)">Earlier on this day', parts[0]):
        parts.insert(0, browser.page(following[0].removeprefix("/console").replace("&amp;", "&")))

    assert len(parts) > 2
    assert [int(one) for part in parts for one in re.findall(r">Line (\d+)\.<", part)] == list(range(300))
    assert ">My boiler broke last night.</bdi>" in parts[0]
    leads_on = [f'{user_id}/timeline/2026-11-17">To the latest of this day</a>' in part for part in parts]
    assert leads_on == [True] * (len(parts) - 1) + [False]


async def test_a_conversation_is_shown_on_its_day_in_the_part_that_has_it(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    first = await id_of(host, "conv_1")
    for part in range(3):
        tell(host, user_id, *(f"user: Line {part * 100 + one}." for one in range(100)), chat="long")
    host.house.clock.now += DAY
    await host.call("conv_2", "user: It is warm again.")
    second = await id_of(host, "conv_2")

    early, late = timeline(browser, user_id, f"c{first}"), timeline(browser, user_id, f"c{second}")

    for shown, talk, day in ((early, first, "Tuesday 17"), (late, second, "Wednesday 18")):
        assert shown.count(f'<section id="c{talk}" class="talk call">') == 1
        assert re.search(rf"<h1>(Today, )?{day} November 2026</h1>", shown)
    assert ">My boiler broke last night.</bdi>" in early
    assert ">Line 20.</bdi>" in early, "and what came after"
    assert ">Line 299.</bdi>" not in early
    assert ">To the latest of this day</a>" in early
    assert ">To the latest of this day</a>" not in late


async def test_what_the_summary_tells_is_unfolded_where_it_has_the_conversation_asked_for(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: Is it Monday yet?", "agent: Tomorrow.", chat="trip")

    asked = timeline(browser, user_id, f"c{await id_of(host, 'conv_1')}")

    assert '<details class="folded" open>' in asked
    assert '<details class="folded">' in timeline(browser, user_id)


async def test_a_conversation_without_words_is_on_the_persons_own_day(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    host.ok(host.send("PATCH", f"/users/{user_id}", json={"timezone": "Pacific/Kiritimati"}))
    await host.call("conv_silent", "agent: Hello?")
    silent = await id_of(host, "conv_silent")

    shown = timeline(browser, user_id, f"c{silent}")

    assert "Wednesday 18 November 2026" in shown
    assert f'<section id="c{silent}"' in shown


async def test_a_conversation_that_is_gone_or_somebody_elses_has_no_day(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    others = host.user(name="Grace Hopper")

    for path in (f"{user_id}/timeline/c4711", f"{others}/timeline/c{await id_of(host, 'conv_1')}"):
        gone = browser.get(f"/people/{path}")
        assert (gone.status_code, "no longer kept" in gone.text) == (404, True), path
    for which in ("c", "cx", f"c{'9' * 19}"):
        assert browser.get(f"/people/{user_id}/timeline/{which}").status_code == 404


async def test_calls_in_which_nobody_spoke_are_in_their_part_of_a_long_day(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    await host.call("conv_silent", "agent: Hello?")
    await host.house.query(
        "delete from messages where conversation_id = $1", await id_of(host, "conv_silent")
    )
    tell(host, user_id, *(f"user: Line {one}." for one in range(100)), chat="long")

    last = timeline(browser, user_id)
    [following] = re.findall(r'href="([^"]*cursor=[^"]*)">Earlier on this day', last)
    first = browser.page(following.removeprefix("/console").replace("&amp;", "&"))

    assert ("· silent" in first, "· silent" in last) == (True, False)


async def test_the_summary_is_made_anew(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    await host.house.query("update day_segments set summary = 'Something else.'")

    asked = browser.post(f"/people/{user_id}/timeline/2026-11-17/summary?agent={AGENT}")
    await host.house.work()

    assert asked.headers["location"] == f"/console/people/{user_id}/timeline/2026-11-17?agent={AGENT}"
    anew = timeline(browser, user_id).partition("Summary of the day")[2].partition("Earlier versions")[0]
    assert "Something else." not in anew
    assert "boiler" in anew


async def test_the_summary_that_is_made_anew_tells_what_was_written_since_the_chat_was_read(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    tell(host, user_id, *["user: My sister Ines is a vet in Leeds.", "agent: Oh."] * 5, chat="trip")
    await host.house.work()
    tell(host, user_id, "user: I am allergic to peanuts.", chat="trip")

    browser.post(f"/people/{user_id}/timeline/2026-11-17/summary?agent={AGENT}")
    await host.house.work()

    shown = timeline(browser, user_id)
    assert "allergic to peanuts" in shown.partition("Summary of the day")[2].partition("Make it anew")[0]


async def test_what_was_said_of_the_day_before_is_kept_beside_its_summary(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    host.house.clock.now += 600
    await host.call("conv_2", "user: Priya never came.")

    [path] = re.findall(r'<a href="/console([^"]+)">Earlier versions \(1\)</a>', timeline(browser, user_id))
    earlier = browser.page(path)

    assert "covered 3 messages" in earlier
    assert "boiler" in earlier
    assert "Priya never came" not in earlier


async def test_a_session_that_runs_past_midnight_stays_on_the_day_it_began(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    clock = host.house.clock
    clock.now += DAY - clock.now % DAY - 120  # two minutes before midnight in UTC
    host.ok(host.send("PATCH", f"/users/{user_id}", json={"timezone": "UTC"}))
    tell(host, user_id, "user: I cannot sleep.", chat="night")
    clock.now += 300
    tell(host, user_id, "user: Now it is tomorrow.", chat="night")
    await silence(host, 120)

    days: dict[str, Any] = {day: timeline(browser, user_id, day) for day in ("2026-11-17", "2026-11-18")}

    assert ">Now it is tomorrow.</bdi>" in days["2026-11-17"]
    assert ">Now it is tomorrow.</bdi>" not in days["2026-11-18"]


async def test_every_message_has_an_address_of_its_own(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    talk = await id_of(host, "conv_1")

    assert f'<li id="m{talk}-1" class="said user">' in timeline(browser, user_id)
    assert f'href="#m{talk}-1"' in timeline(browser, user_id)


async def test_a_day_among_many_leads_to_those_beside_it_and_reads_no_summary_but_theirs(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    await host.house.query(
        "insert into day_segments"
        " (user_id, agent_id, day, timezone, starts_at, ends_at, messages, summary, sources, marks)"
        " select user_id, agent_id, day - 2 * n, timezone, starts_at, starts_at, 1, 'Long ago.', '{}', '{}'"
        " from day_segments, generate_series(1, 40) n"
    )

    with recorded() as asked:
        shown = timeline(browser, user_id, "2026-11-09")

    assert [f'rel="{one}"' in shown for one in ("prev", "next")] == [True, True]
    assert f'{user_id}/timeline/2026-11-07">' in shown.partition('rel="prev"')[2][:200]
    assert f'{user_id}/timeline/2026-11-11">' in shown.partition('rel="next"')[2][:200]
    assert len(re.findall(r'<span class="dim">\d+ messages</span></li>', shown)) == 31
    assert ">All 41 days</a>" in shown
    assert await _summaries_read(host, asked) == 1


async def _summaries_read(host: Host, asked: list[Statement]) -> int:
    """Ask for the same again."""
    async with host.house.worker.engine.connect() as connection:
        driver = await session.driver(connection)
        rows = [row for one in asked for row in await driver.fetch(one.text, *one.values)]
    return sum("Long ago." in row.values() for row in rows)
