"""Filling the cache: durable copies go to where Redis has no entry.

    reserve in Redis → read the durable copies → put what is still reserved

None is put that somebody replaces or erases meanwhile: who does so changes the row first and Redis then, and finds
the reservation there, or the row was being changed when it was read, and is left out.
"""

from collections.abc import Iterable, Sequence

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server import prompt_cache
from voice_server.domain.address import Address
from voice_server.jobs import cache_size
from voice_server.store import prompts
from voice_server.store.prompts import Copy

Caller = tuple[str, Address]  # an agent, and under which address it is called
_BATCH = 200  # entries of 16 KB: Redis does nothing else for 2 ms


async def fill(engine: AsyncEngine, redis: Redis, callers: Sequence[Caller]) -> int:
    """Cache the durable copies for these callers where there is no entry; how many were put."""
    return sum(
        [
            await _fill(engine, redis, callers[first : first + _BATCH])
            for first in range(0, len(callers), _BATCH)
        ]
    )


async def fill_all(engine: AsyncEngine, redis: Redis) -> int:
    """Cache everybody's durable copies where there is no entry, those first who talked last, until there is no room
    for more; how many were put."""
    count, before = 0, await cache_size.memory(redis)
    async with engine.connect() as connection:
        async for callers in prompts.known_as(connection, _BATCH):
            if cache_size.is_full(before, await cache_size.memory(redis)):
                break
            count += await _fill(engine, redis, callers)
    return count


async def _fill(engine: AsyncEngine, redis: Redis, callers: Sequence[Caller]) -> int:
    reserved = await prompt_cache.reserve(redis, callers)
    if not reserved.callers:
        return 0
    async with engine.begin() as connection:
        entries = await _read(connection, reserved.callers)
        return await prompt_cache.put_reserved(redis, reserved, entries)


async def _read(connection: AsyncConnection, callers: Sequence[Caller]) -> dict[Caller, bytes]:
    found = _by_caller(await prompts.copies_for(connection, callers))
    if rest := [one for one in callers if one not in found]:
        found |= _by_caller(await prompts.locked_copies_for(connection, rest))
    return found


def _by_caller(copies: Iterable[Copy]) -> dict[Caller, bytes]:
    return {(one.agent_id, one.address): one.entry for one in copies}
