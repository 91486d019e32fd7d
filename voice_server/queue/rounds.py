"""Rounds, made page by page: the cost of a look does not grow with how much there is."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.store import rounds

# Looks at the page behind a position ("" is the beginning) and answers where it ends: "" when it was the
# last.
Look = Callable[[AsyncConnection, str], Awaitable[str]]


class Pace(Struct, frozen=True):
    """How soon after its beginning a round may begin again, and how many seconds to rest after each page."""

    every: timedelta = timedelta(0)
    rest: float = 0.0


AT_ONCE = Pace()


async def go(engine: AsyncEngine, name: str, look: Look, pace: Pace) -> None:
    """Go a round, or go on with a round left in the middle: one worker at a time, a transaction for each
    page."""
    while True:
        async with engine.begin() as connection:
            position = await rounds.take(connection, name, pace.every)
            if position is None:
                return
            position = await look(connection, position)
            await rounds.keep_position(connection, name, position)
        if not position:
            return
        await asyncio.sleep(pace.rest)
