"""Rounds: a look at all there is goes on where it was left, one worker at a time."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.queue import rounds
from voice_server.queue.rounds import Look, Pace
from voice_server.store import session

PAGES = ["", "first", "second"]  # the position behind which each begins


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = session.connect(database_url, 3)
    yield made
    await made.dispose()


def looking(seen: list[str], *, killed_at: str | None = None) -> Look:
    """A look at three pages that notes which it saw."""

    async def look(_connection: AsyncConnection, position: str) -> str:
        if position == killed_at:
            raise KeyboardInterrupt
        seen.append(position)
        return [*PAGES[1:], ""][PAGES.index(position)]

    return look


async def test_a_round_looks_at_every_page(engine: AsyncEngine) -> None:
    seen: list[str] = []

    await rounds.go(engine, "a round", looking(seen), Pace())

    assert seen == PAGES


async def test_a_round_that_was_left_in_the_middle_goes_on_there(engine: AsyncEngine) -> None:
    with pytest.raises(KeyboardInterrupt):
        await rounds.go(engine, "a round", looking([], killed_at="second"), Pace())
    seen: list[str] = []

    await rounds.go(engine, "a round", looking(seen), Pace(every=timedelta(hours=1)))

    assert seen == ["second"]


async def test_no_round_begins_before_its_time(engine: AsyncEngine) -> None:
    seen: list[str] = []

    for _ in range(2):
        await rounds.go(engine, "a round", looking(seen), Pace(every=timedelta(hours=1)))

    assert seen == PAGES


async def test_while_one_worker_looks_no_other_does(engine: AsyncEngine) -> None:
    seen: list[str] = []

    async def look(_connection: AsyncConnection, _position: str) -> str:
        await rounds.go(engine, "a round", looking(seen), Pace())
        return ""

    await rounds.go(engine, "a round", look, Pace())

    assert seen == []
