"""Open threads are opened and closed by conversations; what a person does to them stays."""

from typing import Any

import pytest
from msgspec.structs import replace
from pretend.timeline import ADA, ROBIN, Timeline, at, on

from voice_server.domain.digest import OpenThread
from voice_server.errors import Conflict, NotFound
from voice_server.store.knowledge import threads
from voice_server.store.knowledge.threads import Row

RECIPE = OpenThread("promise", "agent", "You said you'd send the recipe.", on(1), (2,), due=on(5))
SISTER = OpenThread(
    "question", "user", "The caller asked how long the flight to her sister takes.", on(1), (4,)
)


async def page(timeline: Timeline, **which: Any) -> list[Row]:
    async with timeline.transaction() as connection:
        return await threads.page(connection, ADA, ROBIN, **which)


async def change(
    timeline: Timeline, row: Row, day: int = 20, version: int | None = None, **changes: Any
) -> Row:
    async with timeline.transaction() as connection:
        return await threads.change(connection, row.id, version, at=at(day), **changes)


async def opened(timeline: Timeline, day: int = 1, *found: OpenThread) -> list[Row]:
    """A conversation opens these threads, the recipe if none are named."""
    await timeline.digest(day, open_threads=found or (RECIPE,))
    return await page(timeline)


async def statuses(timeline: Timeline) -> dict[str, str]:
    return {row.text: row.status for row in await page(timeline)}


async def test_a_thread_knows_where_it_comes_from(timeline: Timeline) -> None:
    conversation = await timeline.digest(1, open_threads=(RECIPE,))

    [row] = await page(timeline)

    assert (row.conversation_id, row.positions, row.kind, row.due) == (conversation, (2,), "promise", on(5))
    assert (row.status, row.version, row.by_hand) == ("open", 1, False)


async def test_understood_anew_a_thread_keeps_its_row(timeline: Timeline) -> None:
    before = await opened(timeline)

    assert await opened(timeline) == before


async def test_in_other_words_about_the_same_message_it_is_the_same_thread(timeline: Timeline) -> None:
    [before] = await opened(timeline)

    [after] = await opened(timeline, 1, replace(RECIPE, text="You promised the recipe."))

    assert (after.id, after.text) == (before.id, "You promised the recipe.")


async def test_a_thread_the_digest_has_no_more_is_gone(timeline: Timeline) -> None:
    await opened(timeline, 1, RECIPE, SISTER)

    assert [row.text for row in await opened(timeline, 1, SISTER)] == [SISTER.text]


async def test_a_later_conversation_closes_a_thread(timeline: Timeline) -> None:
    [recipe] = await opened(timeline)

    closing = await timeline.digest(2, closes=(recipe.id,))

    [row] = await page(timeline)
    assert (row.status, row.closed_by) == ("closed", closing)
    assert row.closed_at is not None


async def test_a_closed_thread_stays_closed_when_its_own_conversation_is_understood_anew(
    timeline: Timeline,
) -> None:
    [recipe] = await opened(timeline)
    await timeline.digest(2, closes=(recipe.id,))

    await opened(timeline, 1, replace(RECIPE, text="You promised the recipe."))

    assert await statuses(timeline) == {"You promised the recipe.": "closed"}


async def test_a_thread_is_open_again_when_the_conversation_does_not_close_it_after_all(
    timeline: Timeline,
) -> None:
    [recipe] = await opened(timeline)
    await timeline.digest(2, closes=(recipe.id,))

    await timeline.digest(2)

    assert await page(timeline) == [recipe]


async def test_a_thread_is_open_again_when_the_closing_conversation_is_taken_back(timeline: Timeline) -> None:
    [recipe] = await opened(timeline)

    await timeline.take_back(await timeline.digest(2, closes=(recipe.id,)))

    assert await page(timeline) == [recipe]


async def test_a_thread_closed_twice_stays_closed_by_the_other(timeline: Timeline) -> None:
    [recipe] = await opened(timeline)
    await timeline.digest(2, closes=(recipe.id,))
    other = await timeline.digest(3, closes=(recipe.id,))

    await timeline.digest(2)

    assert [(row.status, row.closed_by) for row in await page(timeline)] == [("closed", other)]


async def test_a_conversation_before_a_thread_does_not_close_it(timeline: Timeline) -> None:
    [recipe] = await opened(timeline, 3)

    await timeline.digest(2, closes=(recipe.id,))

    assert await statuses(timeline) == {RECIPE.text: "open"}


async def test_somebody_elses_conversation_closes_nothing(timeline: Timeline) -> None:
    await timeline.query("insert into users (id) values ('usr_grace')")
    [recipe] = await opened(timeline)

    await timeline.digest(2, closes=(recipe.id,), user_id="usr_grace")

    assert await statuses(timeline) == {RECIPE.text: "open"}


async def test_what_a_person_closed_or_excluded_stays_so(timeline: Timeline) -> None:
    recipe, sister = await opened(timeline, 1, RECIPE, SISTER)
    await change(timeline, recipe, status="closed")
    await change(timeline, sister, status="excluded")

    await opened(timeline, 1, RECIPE, SISTER)
    await timeline.digest(2)

    assert await statuses(timeline) == {RECIPE.text: "closed", SISTER.text: "excluded"}


QUOTED = replace(RECIPE, text='"Have you the recipe?" – "I\'ll send it."', positions=(1, 2))


@pytest.mark.parametrize("status", ["closed", "excluded"])
async def test_what_a_person_put_away_stays_so_when_it_is_understood_as_resting_on_more(
    timeline: Timeline, status: threads.Status
) -> None:
    [recipe] = await opened(timeline)
    await change(timeline, recipe, status=status)

    await opened(timeline, 1, QUOTED)

    assert await statuses(timeline) == {RECIPE.text: status}


async def test_what_a_person_put_away_stays_so_when_it_is_understood_as_of_another_kind(
    timeline: Timeline,
) -> None:
    _, sister = await opened(timeline, 1, RECIPE, SISTER)
    await change(timeline, sister, status="excluded")

    promised = replace(
        SISTER, kind="promise", text='"How long is the flight?" – "I\'ll ask."', positions=(4, 5)
    )
    await opened(timeline, 1, RECIPE, promised)

    assert await statuses(timeline) == {RECIPE.text: "open", SISTER.text: "excluded"}


async def test_what_a_person_put_away_hides_only_what_rests_on_most_of_the_same_messages(
    timeline: Timeline,
) -> None:
    [recipe] = await opened(timeline)
    await change(timeline, recipe, status="closed")
    other = replace(SISTER, text='"How long is the flight?"', positions=(2, 3, 4))

    await opened(timeline, 1, other, QUOTED)

    assert await statuses(timeline) == {RECIPE.text: "closed", other.text: "open"}


async def test_what_nobody_changed_gives_way_to_what_rests_on_more_messages(timeline: Timeline) -> None:
    await opened(timeline)

    await opened(timeline, 1, QUOTED)

    assert await statuses(timeline) == {QUOTED.text: "open"}


async def test_what_a_person_opened_again_an_earlier_conversation_does_not_close(timeline: Timeline) -> None:
    [recipe] = await opened(timeline)
    await timeline.digest(2, closes=(recipe.id,))
    await change(timeline, recipe, 3, status="open")

    await timeline.digest(2, closes=(recipe.id,))
    assert await statuses(timeline) == {RECIPE.text: "open"}

    await timeline.digest(4, closes=(recipe.id,))
    assert await statuses(timeline) == {RECIPE.text: "closed"}


async def test_a_threads_new_words_and_pin_outlive_the_digest_made_anew(timeline: Timeline) -> None:
    [recipe] = await opened(timeline)
    await change(timeline, recipe, text="You owe her the recipe.", pinned=True, due=None)

    [row] = await opened(timeline)

    assert (row.text, row.pinned, row.due) == ("You owe her the recipe.", True, None)


async def test_taken_back_a_conversation_leaves_no_threads(timeline: Timeline) -> None:
    await timeline.take_back(await timeline.digest(1, open_threads=(RECIPE, SISTER)))

    assert await page(timeline) == []


async def test_a_thread_can_be_added_by_hand(timeline: Timeline) -> None:
    async with timeline.transaction() as connection:
        added = await threads.add(connection, ADA, ROBIN, replace(SISTER, positions=()), at=at(1))

    assert (added.conversation_id, added.by_hand, added.status, added.touched_at) == (
        None,
        True,
        "open",
        at(1),
    )
    assert await page(timeline, status="open") == [added]
    assert await page(timeline, status="closed") == []


async def test_stale_changes_and_what_is_not_there_are_refused(timeline: Timeline) -> None:
    [recipe] = await opened(timeline)
    await change(timeline, recipe, version=1, pinned=True)

    with pytest.raises(Conflict, match="the version is 2 now"):
        await change(timeline, recipe, version=1, status="closed")
    async with timeline.transaction() as connection:
        with pytest.raises(NotFound, match="no open thread 7"):
            await threads.get(connection, 7)
        with pytest.raises(NotFound):
            await threads.add(connection, ADA, "agent_nobody", SISTER, at=at(1))
