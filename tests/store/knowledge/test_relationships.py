"""The relationship: what a person set, and the small steps of every conversation since."""

from typing import Any

import pytest
from pretend.timeline import ADA, ROBIN, Timeline, at

from voice_server.domain.relationship import Metrics, Relationship, RelationshipDelta, gained, grown
from voice_server.errors import Conflict, NotFound
from voice_server.store.knowledge import relationships
from voice_server.store.knowledge.relationships import Row

WARMER = RelationshipDelta(score=0.05, trust=0.1, emotional_state="glad")


async def get(timeline: Timeline) -> Row:
    async with timeline.transaction() as connection:
        return await relationships.get(connection, ADA, ROBIN)


async def put(timeline: Timeline, day: int, version: int | None = None, **changes: Any) -> Row:
    async with timeline.transaction() as connection:
        return await relationships.set_by_hand(connection, ADA, ROBIN, version, at=at(day), **changes)


async def test_before_anything_there_is_an_empty_one(timeline: Timeline) -> None:
    assert await get(timeline) == Row(ADA, ROBIN)


async def test_conversations_add_up(timeline: Timeline) -> None:
    for day in (1, 2, 3):
        await timeline.digest(day, relationship=WARMER)

    state = (await get(timeline)).state
    assert (state.score, state.metrics.trust, state.emotional_state) == (0.15, 0.3, "glad")


async def test_a_conversation_understood_anew_counts_once(timeline: Timeline) -> None:
    for step in (WARMER, RelationshipDelta(score=0.02)):
        await timeline.digest(1, relationship=step)

    assert (await get(timeline)).gained == RelationshipDelta(score=0.02)


async def test_a_conversation_taken_back_counts_no_more(timeline: Timeline) -> None:
    await timeline.take_back(await timeline.digest(1, relationship=WARMER))

    assert (await get(timeline)).state == Relationship()


async def test_the_latest_conversation_says_the_state_however_it_was_delivered(timeline: Timeline) -> None:
    for day, mood in ((3, "tired"), (1, "glad"), (2, "")):
        await timeline.digest(day, relationship=RelationshipDelta(emotional_state=mood))

    assert (await get(timeline)).state.emotional_state == "tired"


async def test_what_is_set_by_hand_holds_and_only_later_calls_add_to_it(timeline: Timeline) -> None:
    await timeline.digest(1, relationship=WARMER)
    await put(timeline, 2, score=0.5, conflict_state="none")
    for day in (1, 3):
        await timeline.digest(day, relationship=WARMER)

    state = (await get(timeline)).state
    assert (state.score, state.metrics.trust, state.conflict_state) == (0.55, 0.2, "none")


async def test_who_sets_the_backstory_leaves_the_measures_to_the_calls(timeline: Timeline) -> None:
    await timeline.digest(1, relationship=WARMER)
    row = await put(timeline, 2, backstory="They met at a fair.", chapter="friends")
    await timeline.digest(1, relationship=RelationshipDelta())

    assert row.state.score == 0.05
    assert (await get(timeline)).state == Relationship(chapter="friends", backstory="They met at a fair.")


async def test_a_change_of_what_was_changed_meanwhile_is_refused(timeline: Timeline) -> None:
    first = await put(timeline, 1, 0, chapter="friends")
    await put(timeline, 2, first.version, chapter="old friends")

    with pytest.raises(Conflict, match="the version is 2 now"):
        await put(timeline, 3, first.version, chapter="strangers")


async def test_nobody_has_no_relationship(timeline: Timeline) -> None:
    async with timeline.transaction() as connection:
        with pytest.raises(NotFound):
            await relationships.set_by_hand(connection, "usr_nobody", ROBIN, None, at=at(1), score=0.1)


def test_a_step_is_bounded() -> None:
    assert gained(Relationship(), [RelationshipDelta(score=0.9, trust=-3)]) == RelationshipDelta(score=0.1)


def test_after_much_praise_one_quarrel_counts() -> None:
    steps = [RelationshipDelta(score=0.1)] * 30 + [RelationshipDelta(score=-0.1)]

    start = Relationship(score=0.4, metrics=Metrics(trust=0.3))

    assert grown(start, gained(start, steps)).score == pytest.approx(0.9)
