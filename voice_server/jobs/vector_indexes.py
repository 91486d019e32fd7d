"""Vector indexes: long timelines get one each, so that searching them takes no longer with the years.

gather: what indexes there are, and how much of which timeline is in them · decide · apply, a few conversations at a
time, and what Postgres makes beside reads and writes

Nothing waits for this: what is in no index is scanned. Runs beside the queue in every worker, in one at a time; what
was cut short is found at the next look, and goes on.
"""

import logging
from collections.abc import Awaitable, Callable
from enum import Enum

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.store import session, vector_indexes
from voice_server.store.vector_indexes import Index

log = logging.getLogger(__name__)

# Messages with vectors from which on an index finds them sooner than a scan of their codes does; where there is one,
# half as many are enough to keep it.
LEAST = 20_000
MOST = 100  # indexes: each costs what reads or writes vectors 10 µs; timelines beyond are scanned
_OUTSIDE = 1_000  # messages that are scanned beside an index, until so many are taken up
_AT_ONCE = 5  # conversations: what is said in one of the same user meanwhile waits, a second at most
_ONE_AT_A_TIME = "select pg_try_advisory_lock(hashtext('vector_indexes'))"


class Due(Enum):
    """What is to be done about an index."""

    NOTHING = "nothing"
    MAKE = "make"
    PUT_RIGHT = "put right"
    DROP = "drop"


def due(index: Index, model: str, least: int) -> Due:
    """What is to be done about it where vectors are of this model and timelines of `least` messages get one."""
    if index.model != model or index.messages < least / 2:
        return Due.DROP
    if not index.ready:
        return Due.MAKE
    return Due.PUT_RIGHT if index.foreign or index.outside >= min(_OUTSIDE, least) else Due.NOTHING


class VectorIndexes:
    """The indexes of vectors of one model, looked after by one worker."""

    def __init__(self, engine: AsyncEngine, model: str, *, least: int = LEAST, most: int = MOST) -> None:
        self._engine = engine
        self._model = model
        self._least = least
        self._most = most

    async def wake(self) -> None:
        """Do all that is due, unless another worker is at it, or Postgres keeps no such indexes."""
        async with self._engine.connect() as connection:
            if not await vector_indexes.are_possible(connection):
                return
        driver = await session.dial(self._engine)
        try:
            if await driver.fetchval(_ONE_AT_A_TIME):
                await self._look_after(driver)
        finally:
            await driver.close(timeout=5)

    async def _look_after(self, driver: "asyncpg.Connection[asyncpg.Record]") -> None:
        async with self._engine.begin() as connection:
            await vector_indexes.announce(connection, self._model, self._least, self._most)
            indexes = await vector_indexes.existing(connection)
        for index in indexes:
            await self._apply(driver, index, due(index, self._model, self._least))
        for name in await vector_indexes.sweep(driver):
            log.info("dropped the index %s", name)

    async def _apply(self, driver: "asyncpg.Connection[asyncpg.Record]", index: Index, what: Due) -> None:
        if what is Due.DROP:
            async with self._engine.begin() as connection:
                await vector_indexes.forget(connection, index)
        if what in (Due.MAKE, Due.PUT_RIGHT):
            await self._put_right(index)
        if what is Due.MAKE:
            await vector_indexes.make(driver, index)
            async with self._engine.begin() as connection:
                await vector_indexes.set_ready(connection, index)
            log.info("made an index of %d messages' vectors", index.messages)

    async def _put_right(self, index: Index) -> None:
        for move in (vector_indexes.let_go, vector_indexes.take_up):
            await self._all(index, move)

    async def _all(self, index: Index, move: Callable[[AsyncConnection, Index, int], Awaitable[int]]) -> None:
        moved = _AT_ONCE
        while moved == _AT_ONCE:
            async with self._engine.begin() as connection:
                moved = await move(connection, index, _AT_ONCE)
