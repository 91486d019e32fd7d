"""Day segments in the store: found by id, by day and by what was said on it; withdrawn before they
mislead."""

import runpy
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pretend.timeline import ADA, ROBIN, Timeline, at, on

from voice_server.domain.memory import SummarisedDay
from voice_server.errors import NotFound
from voice_server.store import session
from voice_server.store.inputs import prompt_inputs
from voice_server.store.inputs.prompt_inputs import PromptRequest
from voice_server.store.knowledge import day_segments
from voice_server.store.knowledge.day_segments import OF_MESSAGE, NewSegment
from voice_server.store.prompts.prompts import Target

MIGRATION = Path(session.__file__).parent / "migrations" / "versions" / "0003_day_segments.py"
GRACE = "usr_000000000000000grace"


@pytest.fixture
async def timeline(database_url: str) -> AsyncIterator[Timeline]:
    engine = session.connect(database_url, 2)
    timeline = Timeline(engine)
    await timeline.begin(GRACE)
    yield timeline
    await engine.dispose()


async def keep(timeline: Timeline, day: int, *sources: int, user_id: str = ADA, **more: object) -> int:
    """A segment from seven in the morning until nine in the evening; its id."""
    made = NewSegment(
        **{  # type: ignore[arg-type]  # the values of one row, some of them given
            "day": on(day), "timezone": "UTC", "starts_at": at(day, 7), "ends_at": at(day, 21), "messages": 2,
            "summary": f"## Summary\nDay {day}.", "sources": list(sources),
            "marks": ["m"] * len(sources), "basis": "basis", "finalised": False, **more,
        }
    )  # fmt: skip
    async with timeline.transaction() as connection:
        id_ = await day_segments.save(connection, user_id, ROBIN, made, awaits_model=True)
    if id_ is None:
        [(id_,)] = await timeline.query("select id from day_segments where day = :day", day=on(day))
    return int(id_)


async def told(timeline: Timeline, user_id: str = ADA) -> list[tuple[str, list[int]]]:
    async with timeline.transaction() as connection:
        return [(one.summary, one.sources) for one in await day_segments.page(connection, user_id)]


async def test_a_message_finds_its_segment(timeline: Timeline) -> None:
    call, other = await timeline.call(17), await timeline.call(18)
    segment = await keep(timeline, 17, call)
    for id_, day in ((call, 17), (other, 18)):
        await timeline.query(
            "insert into messages (conversation_id, position, role, content, said_at)"
            " values (:id, 0, 'user', 'Hi', :at)",
            id=id_, at=at(day, 9),
        )  # fmt: skip

    found = await timeline.query(
        "select c.id, s.id from messages m join conversations c on c.id = m.conversation_id"  # noqa: S608 (our own names)
        f" {OF_MESSAGE} order by 1"
    )

    assert found == [(call, segment), (other, None)]


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (
            16,
            "2026-11-18T09:59:59+00:00",
        ),  # of a session that began at 23:00 on the 16th in Honolulu, until noon
        (17, "2026-11-16T10:00:00+00:00"),  # midnight on Kiritimati
        (17, "2026-11-18T11:59:59+00:00"),
    ],
)
async def test_a_message_finds_its_segment_from_anywhere_on_earth(
    timeline: Timeline, day: int, said: str
) -> None:
    call = await timeline.call(17)
    moment = datetime.fromisoformat(said)
    segment = await keep(timeline, day, call, starts_at=moment - timedelta(days=1), ends_at=moment)
    await timeline.query(
        "insert into messages (conversation_id, position, role, content, said_at)"
        " values (:id, 0, 'user', 'Hi', :at)",
        id=call, at=moment,
    )  # fmt: skip

    for zone in ("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"):
        found = await timeline.query(
            f"with zone as materialized (select set_config('timezone', '{zone}', true)) "  # noqa: S608 (our own names)
            f"select s.id from zone, messages m join conversations c on c.id = m.conversation_id {OF_MESSAGE}"
        )
        assert found == [(segment,)]


async def test_a_segment_is_found_by_nobody_else(timeline: Timeline) -> None:
    segment = await keep(timeline, 17, 1)

    async with timeline.transaction() as connection:
        assert (await day_segments.get(connection, ADA, ROBIN, segment)).day == on(17)
        for user_id, agent_id in ((GRACE, ROBIN), (ADA, "agent_wren")):
            with pytest.raises(NotFound):
                await day_segments.get(connection, user_id, agent_id, segment)


async def test_what_a_conversation_said_is_withdrawn_with_the_whole_summary(timeline: Timeline) -> None:
    first, second, third = [await timeline.call(day) for day in (16, 17, 18)]
    await keep(timeline, 16, first)
    await keep(timeline, 17, first, second)
    await keep(timeline, 18, third)

    async with timeline.transaction() as connection:
        await day_segments.withdraw(connection, ADA, first)

    assert await told(timeline) == [("## Summary\nDay 18.", [third]), ("", [second])]


async def test_what_is_of_others_or_gone_is_withdrawn(timeline: Timeline) -> None:
    gone, moved, stays = [await timeline.call(day) for day in (16, 17, 18)]
    for day, source in ((16, gone), (17, moved), (18, stays)):
        await keep(timeline, day, source)
    await timeline.query("delete from conversations where id = :id", id=gone)
    await timeline.query("update conversations set user_id = :user where id = :id", user=GRACE, id=moved)

    async with timeline.transaction() as connection:
        await day_segments.withdraw_strangers(connection, [ADA, GRACE])

    assert await told(timeline) == [("## Summary\nDay 18.", [stays])]


async def test_a_models_summary_stays_while_what_was_said_does(timeline: Timeline) -> None:
    segment = await keep(timeline, 17, 1)
    async with timeline.transaction() as connection:
        assert await day_segments.summed_up(connection, segment, "basis", "## Summary\nBy the model.")

    assert await keep(timeline, 17, 1, marks=["other"]) == segment
    assert await told(timeline) == [("## Summary\nBy the model.", [1])]

    await keep(timeline, 17, 1, basis="another")
    assert await told(timeline) == [("## Summary\nDay 17.", [1])]


async def test_a_models_summary_of_something_else_is_not_kept(timeline: Timeline) -> None:
    segment = await keep(timeline, 17, 1)

    async with timeline.transaction() as connection:
        assert not await day_segments.summed_up(connection, segment, "another", "## Summary\nLate.")

    assert await told(timeline) == [("## Summary\nDay 17.", [1])]


async def test_a_prompt_is_given_the_days_that_a_model_summed_up(timeline: Timeline) -> None:
    by_model, _, long_ago = [await keep(timeline, day, day) for day in (17, 16, 3)]
    target = Target(ADA, ROBIN)
    async with timeline.transaction() as connection:
        for segment in (by_model, long_ago):
            await day_segments.summed_up(connection, segment, "basis", "## Summary\nBy the model.")
        found = await prompt_inputs.gather(
            connection, {target: PromptRequest("UTC", day_pause=2.0)}, now=at(18, 9)
        )

    assert found[target].memory.days == (SummarisedDay(by_model, on(17), (17,), "## Summary\nBy the model."),)
    assert found[target].memory.day_pause == 2.0


async def test_days_are_unfinished_until_they_are_finalised(timeline: Timeline) -> None:
    quiet = await keep(timeline, 16, 1)
    await keep(timeline, 17, 2)
    await keep(timeline, 15, 3, finalised=True)

    async with timeline.transaction() as connection:
        found = await day_segments.unfinished(connection, at(16, 22), 0, 10)

    assert [one.id for one in found] == [quiet]


async def test_the_days_of_what_was_said_before_are_asked_for_by_the_migration(timeline: Timeline) -> None:
    await timeline.call(16)
    await timeline.call(17)

    await timeline.query(runpy.run_path(str(MIGRATION))["_CHANGES"].split(";\n")[-1])

    asked = await timeline.query("select kind, key, requested, done from pending_work")
    assert asked == [("days", f"{ADA}|{ROBIN}", 1, 0)]


async def test_when_it_was_updated_says_when_what_it_tells_changed(timeline: Timeline) -> None:
    """`updated_at` changes with what it tells, and with nothing else."""
    await keep(timeline, 17, 1)
    [(before,)] = await timeline.query("select updated_at from day_segments")

    await keep(timeline, 17, 1, marks=["other"])
    [(same,)] = await timeline.query("select updated_at from day_segments")
    await keep(timeline, 17, 1, basis="another")
    [(after,)] = await timeline.query("select updated_at from day_segments")

    assert before == same < after
