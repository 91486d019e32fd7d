"""Filling the cache: durable copies go to where Redis has no entry.

    reserve in Redis → read the durable copies → put what is still reserved

Who replaces or erases a copy meanwhile changes the row first and Redis then. They find the reservation there;
or the row was being changed when it was read, and is left out.
"""

from collections.abc import Iterable, Sequence

import msgspec
from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.domain.addresses.address import Address
from voice_server.operations import cache_size
from voice_server.store import rounds
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import LATEST, Copy, LastTalk

Caller = tuple[str, Address]  # an agent, and under which address it is called
_BATCH = 200  # entries of 16 KB: Redis does nothing else for 2 ms
_REFILL = "refill of the cache"


async def fill(engine: AsyncEngine, redis: Redis, callers: Sequence[Caller]) -> int:
    """Cache durable copies where there is no entry; return how many."""
    count = 0
    for first in range(0, len(callers), _BATCH):
        async with engine.begin() as connection:
            count += await _fill(connection, redis, callers[first : first + _BATCH])
    return count


async def fill_all(engine: AsyncEngine, redis: Redis) -> int:
    """Fill the cache until it is full, those first who talked last; return how many were put. Goes on where
    an earlier refill was broken off. One worker at a time."""
    count, before = 0, await cache_size.memory_use(redis)
    while True:
        async with engine.begin() as connection:
            begun = await prompt_cache.filled_to(redis) if await rounds.alone(connection, _REFILL) else None
            if begun is None:
                return count
            is_full = cache_size.is_full(before, await cache_size.memory_use(redis))
            callers, last = ([], None) if is_full else await _page(connection, begun)
            count += await _fill_in_batches(connection, redis, callers)
            await prompt_cache.keep_filled(redis, begun, msgspec.json.encode(last) if last else None)


async def _page(connection: AsyncConnection, begun: bytes) -> tuple[list[Caller], LastTalk | None]:
    try:
        before = msgspec.json.decode(begun, type=LastTalk)
    except msgspec.DecodeError:  # its beginning, or noted by another release
        before = LATEST
    return await prompts.last_to_talk(connection, before, _BATCH)


async def _fill_in_batches(connection: AsyncConnection, redis: Redis, callers: Sequence[Caller]) -> int:
    batches = range(0, len(callers), _BATCH)
    return sum([await _fill(connection, redis, callers[first : first + _BATCH]) for first in batches])


async def _fill(connection: AsyncConnection, redis: Redis, callers: Sequence[Caller]) -> int:
    """Fill in a transaction that sees what others commit meanwhile."""
    reserved = await prompt_cache.reserve(redis, callers)
    if not reserved.callers:
        return 0
    entries = await _read(connection, reserved.callers)
    return await prompt_cache.put_reserved(redis, reserved, entries)


async def _read(connection: AsyncConnection, callers: Sequence[Caller]) -> dict[Caller, bytes]:
    found = _by_caller(await prompts.copies_for(connection, callers))
    if rest := [one for one in callers if one not in found]:
        found |= _by_caller(await prompts.locked_copies_for(connection, rest))
    return found


def _by_caller(copies: Iterable[Copy]) -> dict[Caller, bytes]:
    return {(one.agent_id, one.address): one.entry for one in copies}
