"""Day segments: what was said is cut into days and summed up, in whichever order it came, and again with the
same result; and what must not be told any more is told no more."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from conftest import API_TOKEN, House
from pretend.elevenlabs import ADA, AGENT, GRACE, Event, ended_call

from voice_server.queue import day_requests
from voice_server.search import lookup
from voice_server.search.types import Query, Timeline
from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]

RECIPE = (
    "user: I want to bake my grandmother's plum cake for Maria's birthday.",
    "agent: I'll send you the recipe tomorrow.",
)
PLUMS = (
    "user: I decided to take dried plums soaked in black tea instead.",
    "agent: That sounds like a good plan to me.",
)
SECRET = (
    "user: Please don't remember this, but my kingfisher bit the old postman in the leg on Sunday morning."
)
ALL = "user_id, day::text, messages, starts_at, ends_at, timezone, summary, source, finalised"


def call(conversation: str, at: str, *said: str, **more: Any) -> Event:
    """A call that began at this moment (UTC), of one message a second."""
    began = datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp()
    duration = max(60, len(said))
    return ended_call(conversation, said or RECIPE, ended=began + duration, duration=duration, **more)


async def hear(house: House, *events: Event) -> None:
    """The calls are over, their events delivered in this order, and everything is done."""
    for event in events:
        house.clock.now = max(house.clock.now, float(event["event_timestamp"]))
        house.platform.post_call(event)
    await house.work()


async def rows(house: House, what: str = "day::text, messages") -> list[tuple[Any, ...]]:
    return await house.query(f"select {what} from day_segments order by user_id, day")  # noqa: S608 (our own)


async def ask(house: House) -> None:
    """Ask for all days there are."""
    async with house.worker.engine.begin() as connection:
        for user_id, agent_id in await house.query("select distinct user_id, agent_id from conversations"):
            await day_requests.request(connection, user_id, agent_id, "edit")
    await house.work()


def send(house: House, method: str, path: str, **more: Any) -> Any:
    headers = {"authorization": f"Bearer {API_TOKEN}"}
    answer = house.client.request(method, f"/api{path}", headers=headers, **more)
    assert answer.is_success, answer.text
    return answer.json()


async def owner(house: House, number: str) -> str:
    [(user_id,)] = await house.query("select user_id from addresses where address = $1", f"tel:{number}")
    return str(user_id)


async def test_what_was_said_on_a_day_is_summed_up_in_sections(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE), call("conv_2", "2026-11-17T15:00", *PLUMS))

    [(summary, messages, source, finalised)] = await rows(house, "summary, messages, source, finalised")

    assert (messages, source, finalised) == (4, "extractive", False)
    assert summary.splitlines() == [
        "## Summary",
        (
            "- 09:00: Caller: \"I want to bake my grandmother's plum cake for Maria's birthday.\""
            ' You: "I\'ll send you the recipe tomorrow (18 November 2026)."'
        ),
        (
            '- 15:00: Caller: "I decided to take dried plums soaked in black tea instead."'
            ' You: "That sounds like a good plan to me."'
        ),
        "",
        "## Next steps",
        '- "I\'ll send you the recipe tomorrow."',
    ]


async def test_a_session_that_runs_past_midnight_stays_in_the_day_it_began(house: House) -> None:
    await hear(
        house,
        call("conv_1", "2026-11-17T23:50", *RECIPE),
        call("conv_2", "2026-11-18T00:40", *PLUMS),
        call("conv_3", "2026-11-18T09:00", "user: The cake turned out to be wonderful.", "agent: I am glad."),
    )

    assert await rows(house) == [("2026-11-17", 4), ("2026-11-18", 2)]


async def test_the_order_of_delivery_makes_no_difference(house: House) -> None:
    events = [
        call("conv_1", "2026-11-16T23:58", *RECIPE),
        call("conv_2", "2026-11-17T01:30", *PLUMS),
        call("conv_3", "2026-11-17T04:31", "user: I want to learn Portuguese before the summer."),
        call("conv_4", "2026-11-18T09:00", "user: I decided to fly to Lisbon in March."),
    ]
    for event in (events[3], events[0], events[2], events[1]):
        await hear(house, event)
    found = await rows(house, ALL)

    await house.query("delete from day_segments")
    await ask(house)

    assert [row[1:3] for row in found] == [("2026-11-16", 4), ("2026-11-17", 1), ("2026-11-18", 1)]
    assert await rows(house, ALL) == found


async def test_what_did_not_change_is_not_touched(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-16T09:00", *RECIPE), call("conv_2", "2026-11-17T15:00", *PLUMS))
    before = await rows(house, "xmin::text, id, updated_at")

    await ask(house)

    assert await rows(house, "xmin::text, id, updated_at") == before


async def test_a_late_event_changes_its_own_day_and_no_text_of_another(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-16T09:00", *RECIPE), call("conv_3", "2026-11-18T15:00", *PLUMS))
    before = await rows(house, "day::text, summary, updated_at")

    await hear(house, call("conv_2", "2026-11-17T09:00", "user: I moved to Lisbon with my sister Maria."))

    after = await rows(house, "day::text, summary, updated_at")
    assert [day for day, *_ in after] == ["2026-11-16", "2026-11-17", "2026-11-18"]
    assert [after[0], after[2]] == before


async def test_days_are_those_of_the_users_time_zone_and_cut_anew_when_it_is_set(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T01:30", *RECIPE), call("conv_2", "2026-11-17T20:00", *PLUMS))
    assert await rows(house) == [("2026-11-17", 4)]

    send(house, "PATCH", f"/users/{await owner(house, ADA)}", json={"timezone": "America/New_York"})
    await house.work()

    assert await rows(house, "day::text, messages, timezone") == [
        ("2026-11-16", 2, "America/New_York"),
        ("2026-11-17", 2, "America/New_York"),
    ]


async def test_a_day_is_finalised_in_the_users_own_night(house: House) -> None:
    """At 02:00 in London it is 18:00 in San Francisco, of the day before."""
    await hear(
        house, call("conv_ada", "2026-11-17T19:00"), call("conv_grace", "2026-11-17T19:00", caller=GRACE)
    )
    zones = {ADA: "America/Los_Angeles", GRACE: "Europe/London"}
    for number, zone in zones.items():
        send(house, "PATCH", f"/users/{await owner(house, number)}", json={"timezone": zone})

    finalised = []
    for moment in ("2026-11-17T23:59", "2026-11-18T02:00", "2026-11-18T07:59", "2026-11-18T08:01"):
        house.clock.set_to(f"{moment}:00+00:00")
        await house.worker.days.wake()
        await house.work()
        done = await rows(house, "timezone, finalised")
        finalised.append({zone for zone, is_done in done if is_done})

    london, angeles = {"Europe/London"}, {"America/Los_Angeles"}
    assert finalised == [set(), london, london, london | angeles]


async def test_no_day_is_finalised_while_its_session_goes_on(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T23:50", *RECIPE), call("conv_2", "2026-11-18T00:40", *PLUMS))

    found = []
    for moment in ("2026-11-18T03:30", "2026-11-18T03:41"):
        house.clock.set_to(f"{moment}:30+00:00")
        await house.worker.days.wake()
        await house.work()
        found += await rows(house, "finalised")

    assert found == [(False,), (True,)]


async def test_nothing_is_asked_for_twice_of_a_day_that_is_finalised(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T19:00"))
    house.clock.set_to("2026-11-18T09:00:00+00:00")
    await house.worker.days.wake()
    await house.work()
    requested = "select requested from pending_work where kind = 'day_summaries'"
    before = await house.query(requested)
    assert before

    await house.worker.days.wake()

    assert await house.query(requested) == before


async def test_what_is_not_to_be_remembered_is_in_no_summary(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE, SECRET, "agent: Of course."))

    [(summary, messages)] = await rows(house, "summary, messages")

    assert "kingfisher" not in summary
    assert messages < 4


async def test_a_call_of_which_nothing_may_be_remembered_is_of_no_day(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", SECRET, "user: Forget this whole conversation."))

    assert await rows(house) == []


async def test_a_call_retold_as_silent_leaves_its_day(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE), call("conv_2", "2026-11-17T15:00", *PLUMS))
    retold = call("conv_1", "2026-11-17T09:00", "agent: Hello? Is anybody there?")

    house.clock.now += 60
    await hear(house, retold | {"event_timestamp": int(house.clock())})

    [(summary, messages)] = await rows(house, "summary, messages")
    assert "cake" not in summary
    assert "dried plums" in summary
    assert messages == 2


async def test_a_call_that_was_somebody_elses_is_taken_back_at_once(house: House) -> None:
    """Before any job has run, nothing of it is told of the one for whom it was taken."""
    await hear(
        house,
        call("conv_1", "2026-11-17T09:00", *RECIPE),
        call("conv_2", "2026-11-17T15:00", *PLUMS),
        call("conv_3", "2026-11-17T16:00", caller=GRACE),
    )
    ada, grace = await owner(house, ADA), await owner(house, GRACE)

    send(house, "PUT", "/calls/conv_1/caller", json={"user_id": grace, "anywhere": True})
    at_once = await house.query("select summary, sources from day_segments where user_id = $1", ada)
    await house.work()

    [(summary, sources)] = at_once
    assert (summary, len(sources)) == ("", 1)
    told = dict(await rows(house, "user_id, summary"))
    assert "grandmoth" not in told[ada]
    assert told[grace].count("09:00") == told[grace].count("16:00") == 1


async def test_the_days_of_merged_users_are_one_timeline_and_apart_again_when_undone(house: House) -> None:
    await hear(
        house,
        call("conv_1", "2026-11-17T09:00", *RECIPE),
        call("conv_2", "2026-11-17T15:00", *PLUMS, caller=GRACE),
    )
    ada, grace = await owner(house, ADA), await owner(house, GRACE)
    apart = await rows(house, "user_id, day::text, messages, summary")

    merge = send(house, "POST", "/merges", json={"from_user": grace, "into_user": ada})
    of_grace = await house.query("select 1 from day_segments where user_id = $1", grace)
    await house.work()
    merged = await rows(house, "user_id, day::text, messages")
    send(house, "POST", f"/merges/{merge['id']}/undo")
    at_once = await house.query("select summary from day_segments")
    await house.work()

    assert of_grace == []
    assert merged == [(ada, "2026-11-17", 4)]
    assert "tea" not in str(at_once)
    assert await rows(house, "user_id, day::text, messages, summary") == apart


LATER = "2026-11-20T09:00:00+00:00"
STEP = '"I\'ll send you the recipe tomorrow."'


async def change(house: House, **changes: str) -> list[tuple[Any, ...]]:
    """The first open thread is changed by hand; the days as they are told before any job has run."""
    send(house, "PATCH", "/threads/1", json=changes)
    return await rows(house, "summary")


async def found(house: House, text: str) -> str:
    """All that a search finds of days."""
    whose = Timeline(await owner(house, ADA), AGENT, "UTC")
    now = datetime.fromtimestamp(house.clock(), UTC)
    async with house.worker.engine.connect() as connection:
        hits = await lookup.messages_and_days(connection, whose, Query(text, limit=20), now=now)
    return " ".join(hit.snippet for hit in hits if hit.kind == "summary")


async def test_an_excluded_thread_is_told_no_more_of_its_day_from_that_moment_on(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE), call("conv_2", "2026-11-17T15:00", *PLUMS))
    assert STEP in await found(house, "the recipe tomorrow")

    at_once = await change(house, status="excluded")
    await house.work()

    assert at_once == [("",)]
    [(summary,)] = await rows(house, "summary")
    assert "recipe" not in summary
    assert "I want to bake" in summary, "the rest is told"
    assert "recipe" not in await found(house, "the recipe tomorrow")


async def test_of_a_day_that_is_finalised_too(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE))
    house.clock.set_to(LATER)
    await house.worker.days.wake()
    await house.work()

    await change(house, status="excluded")
    await house.work()

    [(summary, finalised)] = await rows(house, "summary, finalised")
    assert "recipe" not in summary
    assert finalised


async def test_a_day_of_which_nothing_else_was_said_is_told_no_more(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", "user: Please send me the tax forms by Friday."))
    assert await change(house, status="open") != [("",)], "there is something"

    await change(house, status="excluded")
    await house.work()

    assert await rows(house, "summary") == [("",)]


async def test_a_thread_closed_by_hand_is_no_next_step_and_reopened_it_is_again(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE))

    told = []
    for status in ("closed", "open", "excluded", "open"):
        await change(house, status=status)
        await house.work()
        [(summary,)] = await rows(house, "summary")
        told.append(f"## Next steps\n- {STEP}" in summary)

    assert told == [False, True, False, True]


@pytest.mark.parametrize(
    "became", ["status = 'expired'", "status = 'closed', closed_by = (select max(id) from conversations)"]
)
async def test_what_becomes_of_a_thread_on_later_days_touches_no_day_before(
    house: House, became: str
) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE), call("conv_2", "2026-11-19T15:00", *PLUMS))
    before = await rows(house, "xmin::text, summary")

    await house.query(f"update open_threads set {became}")  # noqa: S608 (our own)
    await ask(house)

    assert await rows(house, "xmin::text, summary") == before


async def test_a_thread_changed_by_hand_is_told_as_it_was_changed(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE))

    await change(house, text="You promised two recipes.")
    await house.work()

    [(summary,)] = await rows(house, "summary")
    assert summary.endswith("## Next steps\n- You promised two recipes.")


async def test_days_go_with_their_user(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE))

    await house.query("delete from users")

    assert await rows(house) == []


async def test_what_was_said_in_a_conversation_that_is_gone_is_told_no_more(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-16T09:00", *RECIPE), call("conv_2", "2026-11-17T15:00", *PLUMS))
    await house.query("delete from conversations where platform_id = 'conv_1'")

    await ask(house)

    assert await rows(house) == [("2026-11-17", 2)]


CHAT = """
insert into conversations (platform, platform_id, agent_id, user_id, channel, outcome, started_at, ended_at)
select 'ours', 'chat_1', agent_id, user_id, 'continuous', 'talked', '2026-11-18T21:00Z', '2026-11-19T10:00Z'
from conversations limit 1
"""
WRITTEN = """
insert into messages (conversation_id, position, role, content, said_at)
select id, $1, 'user', $2, cast($3::text as timestamptz) from conversations where channel = 'continuous'
"""


async def test_a_chat_belongs_to_its_days_while_it_goes_on(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE))
    await house.query(CHAT)
    await house.query(WRITTEN, 0, "I am planting three apple trees behind the mill.", "2026-11-18T21:00Z")
    await house.query(WRITTEN, 1, "The badger has dug out one of the trees again.", "2026-11-19T09:00Z")
    await ask(house)
    first = await rows(house, "day::text, messages, summary like '%apple%', summary like '%badger%'")

    await house.query(WRITTEN, 2, "I decided to build a fence around the orchard.", "2026-11-19T10:00Z")
    await ask(house)

    assert first[1:] == [("2026-11-18", 1, True, False), ("2026-11-19", 1, False, True)]
    [_, _, (messages, summary)] = await rows(house, "messages, summary")
    assert messages == 2
    assert "I decided to build a fence around the orchard." in summary


@pytest.mark.parametrize("hours", [1.0, 5.0])
async def test_how_long_a_pause_is_is_a_setting(
    open_house: OpenHouse, settings: Settings, hours: float
) -> None:
    house = open_house(settings.model_copy(update={"day_pause_hours": hours}))

    await hear(house, call("conv_1", "2026-11-17T23:00", *RECIPE), call("conv_2", "2026-11-18T02:00", *PLUMS))

    assert len(await rows(house)) == (2 if hours == 1.0 else 1)


async def test_each_agent_has_days_of_its_own(house: House) -> None:
    await hear(house, call("conv_1", "2026-11-17T09:00", *RECIPE))
    await hear(house, call("conv_2", "2026-11-17T15:00", *PLUMS, agent="agent_wren"))

    found = await rows(house, "agent_id, messages")

    assert sorted(found) == [(AGENT, 2), ("agent_wren", 2)]
