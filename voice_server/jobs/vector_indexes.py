"""Vector indexes: long timelines get one each, so that searching them takes no longer with the years.

gather: what indexes there are, and how much of which timeline is in them · decide · apply, a few hundred messages at a
time, and what Postgres makes beside reads and writes

Nothing waits for this: what is in no index is scanned. Runs beside the queue in every worker, in one at a time; what
was cut short is found at the next look, and goes on.
"""

import logging
import time
from enum import Enum

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.store import session, vector_indexes
from voice_server.store.vector_indexes import Index

log = logging.getLogger(__name__)

# Messages with vectors from which on an index finds them sooner than a scan of their codes does; where there is one,
# half as many are enough to keep it.
LEAST = 20_000
MOST = 100  # indexes; timelines beyond are scanned
_OUTSIDE = 1_000  # messages that are scanned beside an index, until so many are taken up
_CONVERSATIONS, _MESSAGES = 100, 300  # at once: an index takes up a message in a millisecond
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
    return Due.PUT_RIGHT if index.outside >= min(_OUTSIDE, least) else Due.NOTHING


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
            version = await vector_indexes.version(connection)
        if not version:
            return
        if not vector_indexes.are_possible(version):
            log.info("long timelines are scanned: pgvector is %s, and 0.8 would index them", version)
            return
        driver = await session.dial(self._engine)
        try:
            if await driver.fetchval(_ONE_AT_A_TIME):
                await self._look_after(driver)
        finally:
            await driver.close(timeout=5)

    async def _look_after(self, driver: "asyncpg.Connection[asyncpg.Record]") -> None:
        for index in await self._existing():
            await self._apply(driver, index)
        async with self._engine.begin() as connection:
            await vector_indexes.announce(connection, self._model, self._least, self._most)
        for index in await self._existing():
            await self._apply(driver, index)
        for name in await vector_indexes.sweep(driver):
            log.info("dropped %s: its timeline is short, erased or of another model", name)

    async def _existing(self) -> list[Index]:
        async with self._engine.connect() as connection:
            return await vector_indexes.existing(connection)

    def _due(self, index: Index) -> Due:
        return due(index, self._model, self._least)

    async def _apply(self, driver: "asyncpg.Connection[asyncpg.Record]", index: Index) -> None:
        """What cannot be done to one index holds up no other."""
        what, began = self._due(index), time.monotonic()
        if what is Due.NOTHING:
            return
        log.info("vector index %d: to %s, %d messages", index.id, what.value, index.messages)
        try:
            await self._do(driver, index, what)
        except session.ERRORS as error:
            log.warning("vector index %d has to wait, what is not in it is scanned: %r", index.id, error)
        else:
            log.info("vector index %d: done after %.0f s", index.id, time.monotonic() - began)

    async def _do(self, driver: "asyncpg.Connection[asyncpg.Record]", index: Index, what: Due) -> None:
        if what is Due.DROP:
            async with self._engine.begin() as connection:
                await vector_indexes.forget(connection, index)
            return
        await self._put_right(index)
        if what is Due.MAKE:
            await vector_indexes.make(driver, index)
            async with self._engine.begin() as connection:
                await vector_indexes.set_ready(connection, index)
        async with self._engine.begin() as connection:
            await vector_indexes.purge(connection, index)

    async def _put_right(self, index: Index) -> None:
        """What is of others goes, what is outside comes, a few hundred messages at a time."""
        gone = _CONVERSATIONS
        while gone == _CONVERSATIONS:
            async with self._engine.begin() as connection:
                gone = await vector_indexes.let_go(connection, index, _CONVERSATIONS)
        async with self._engine.connect() as connection:
            outside = await vector_indexes.outside(connection, index)
        for conversation_id in outside:
            await self._take_up(index, conversation_id)

    async def _take_up(self, index: Index, conversation_id: int) -> None:
        entered = _MESSAGES
        while entered == _MESSAGES:
            async with self._engine.begin() as connection:
                entered = await vector_indexes.enter(connection, index, conversation_id, _MESSAGES)
        async with self._engine.begin() as connection:
            await vector_indexes.close(connection, index, conversation_id)
