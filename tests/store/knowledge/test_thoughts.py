"""Thoughts are carried until they are told in a conversation that took place, or expire."""

import json
from datetime import timedelta
from typing import Any

import pytest
from pretend.timeline import ADA, ROBIN, Timeline, at

from voice_server.domain.thought import NewThought
from voice_server.errors import Conflict, NotFound
from voice_server.store.knowledge import thoughts
from voice_server.store.knowledge.thoughts import Row

GARDEN, SISTER = NewThought("I wonder how the garden is.", (2,), 7), NewThought("Is her sister well?")


async def page(timeline: Timeline, **which: Any) -> list[Row]:
    async with timeline.transaction() as connection:
        return await thoughts.page(connection, ADA, ROBIN, **which)


async def change(timeline: Timeline, row: Row, version: int | None = None, **changes: Any) -> Row:
    async with timeline.transaction() as connection:
        return await thoughts.change(connection, row.id, version, **changes)


async def serve(timeline: Timeline, day: int, *held: Row, outcome: str = "talked") -> int:
    """A conversation whose prompt held these thoughts, and left another out; its id."""
    id_ = await timeline.call(day)
    sections = [
        {"name": "open_threads", "sources": ["open_threads/1"]},
        {"name": "inner_life", "sources": [f"thoughts/{row.id}" for row in held]},
    ]
    snapshot = {"sections": sections, "dropped": [{"section": "inner_life", "item": "thoughts/99"}]}
    await timeline.query(
        "insert into generated_prompts (user_id, agent_id, version, prompt, context_snapshot)"
        " values (:user, :agent, :version, '', cast(:snapshot as jsonb))",
        user=ADA, agent=ROBIN, version=f"v{day}", snapshot=json.dumps(snapshot),
    )  # fmt: skip
    served = "update conversations set prompt_version = :version, outcome = :outcome where id = :id"
    await timeline.query(served, version=f"v{day}", outcome=outcome, id=id_)
    await mark(timeline, id_)
    return id_


async def mark(timeline: Timeline, conversation_id: int) -> None:
    async with timeline.transaction() as connection:
        await thoughts.set_used(connection, conversation_id)


async def test_a_thought_is_carried_from_its_conversation_for_its_days(timeline: Timeline) -> None:
    conversation = await timeline.digest(1, thoughts=(GARDEN,))

    [row] = await page(timeline)

    ended = at(1, 9) + timedelta(minutes=6)
    assert (row.conversation_id, row.positions) == (conversation, (2,))
    assert (row.created_at, row.expires_at) == (ended, ended + timedelta(days=7))


async def test_understood_anew_a_thought_keeps_its_row_and_others_go(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN, SISTER))
    [garden, _] = await page(timeline)

    await timeline.digest(1, thoughts=(GARDEN,))

    assert await page(timeline) == [garden]


async def test_a_thought_changed_by_hand_outlives_the_digest_made_anew(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN, SISTER))
    garden, sister = await page(timeline)
    await change(timeline, garden, text="How are the tomatoes?")
    await change(timeline, sister, excluded=True)

    await timeline.digest(1, thoughts=(SISTER,))

    assert [(row.text, row.excluded) for row in await page(timeline)] == [
        ("How are the tomatoes?", False),
        (SISTER.text, True),
    ]


async def test_taken_back_a_conversation_leaves_no_thoughts(timeline: Timeline) -> None:
    await timeline.take_back(await timeline.digest(1, thoughts=(GARDEN,)))

    assert await page(timeline) == []


async def test_a_thought_is_used_once_a_prompt_that_held_it_was_served(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN, SISTER))
    garden, sister = await page(timeline)

    conversation = await serve(timeline, 2, garden)

    assert [row.used_in for row in await page(timeline)] == [conversation, None]
    assert [row.id for row in await page(timeline, carried_at=at(2))] == [sister.id]


async def test_a_used_thought_stays_used_when_its_conversation_is_understood_anew(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN,))
    await serve(timeline, 2, *await page(timeline))

    await timeline.digest(1, thoughts=(SISTER, GARDEN))

    assert [row.text for row in await page(timeline, carried_at=at(2))] == [SISTER.text]


async def test_a_call_that_did_not_take_place_uses_nothing(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN,))

    await serve(timeline, 2, *await page(timeline), outcome="silent")

    assert [row.used_at for row in await page(timeline)] == [None]


async def test_what_turns_out_not_to_have_been_told_can_be_told_again(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN,))
    conversation = await serve(timeline, 2, *await page(timeline))

    await timeline.query("update conversations set outcome = 'silent' where id = :id", id=conversation)
    await mark(timeline, conversation)

    assert [(row.used_in, row.used_at) for row in await page(timeline)] == [(None, None)]


async def test_the_first_conversation_that_used_a_thought_counts_in_any_order(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN,))
    held = await page(timeline)

    later = await serve(timeline, 4, *held)
    assert [row.used_in for row in await page(timeline)] == [later]
    earlier = await serve(timeline, 3, *held)

    assert [row.used_in for row in await page(timeline)] == [earlier]


async def test_a_thought_can_be_added_by_hand(timeline: Timeline) -> None:
    async with timeline.transaction() as connection:
        added = await thoughts.add(connection, ADA, ROBIN, "Ask about the fair.", at=at(1), expires_at=at(8))

    assert (added.conversation_id, added.by_hand, added.created_at, added.expires_at) == (
        None,
        True,
        at(1),
        at(8),
    )
    assert [await page(timeline, carried_at=at(7)), await page(timeline, carried_at=at(9))] == [[added], []]


async def test_a_used_thought_can_be_given_back_by_hand(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN,))
    [garden] = await page(timeline)
    await serve(timeline, 2, garden)

    again = await change(timeline, garden, used_at=None)

    assert (again.used_at, again.used_in) == (None, None)


async def test_stale_changes_and_what_is_not_there_are_refused(timeline: Timeline) -> None:
    await timeline.digest(1, thoughts=(GARDEN,))
    [garden] = await page(timeline)
    await change(timeline, garden, 1, pinned=True)

    with pytest.raises(Conflict, match="the version is 2 now"):
        await change(timeline, garden, 1, excluded=True)
    async with timeline.transaction() as connection:
        with pytest.raises(NotFound, match="no thought 7"):
            await thoughts.get(connection, 7)
        with pytest.raises(NotFound):
            await thoughts.add(connection, "usr_nobody", ROBIN, "Hm.", at=at(1), expires_at=at(2))
