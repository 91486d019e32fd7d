"""Whether the cache is large enough for everybody's prompt. Where it is not, some calls are answered from
Postgres, a few milliseconds later."""

import math
import time

from redis.asyncio import Redis
from redis.exceptions import ResponseError
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.cache.prompt_cache import MemoryUse
from voice_server.store.prompts import prompts

_USABLE = 0.9  # of the limit: beyond, Redis is about to evict
OVERHEAD = 1.12, 400  # what an allocator wastes of an entry, and bytes of its key and of what goes with it
_MB = 1 << 20
_AGAIN = 60.0  # seconds
_REMEMBERED = 600.0  # seconds: to add everything up takes Postgres a second for a million people


async def memory_use(redis: Redis) -> MemoryUse:
    """Return Redis' memory use, without a limit where it is not ours to ask."""
    try:
        return await prompt_cache.memory_use(redis)
    except ResponseError:
        return MemoryUse(0, 0, 0)


def is_full(before: MemoryUse, now: MemoryUse) -> bool:
    """Tell whether more would drive out what is there, or did so since `before`."""
    return now.limit > 0 and (now.used > _USABLE * now.limit or now.evicted > before.evicted)


def shortage_of(limit: int, copies: int, size: int) -> str:
    """Tell what is wrong with a cache of `limit` bytes (0: no limit) for durable copies of `size` bytes in
    all; "" for nothing."""
    waste, each = OVERHEAD
    needed = math.ceil((waste * size + each * copies) / _USABLE / _MB)
    if not limit or needed * _MB <= limit:
        return ""
    return (
        f"too small: {limit // _MB} MB, of {needed} MB that the prompts of all callers take; set "
        f"CACHE_MEMORY_MB, or maxmemory of your own Redis, to {needed} MB. Until then the others are told "
        "from Postgres"
    )


class CacheSize:
    """Whether the cache is large enough."""

    def __init__(self, engine: AsyncEngine, redis: Redis) -> None:
        self._engine = engine
        self._redis = redis
        self._told, self._until = "", -math.inf

    async def shortage(self) -> str:
        if time.monotonic() >= self._until:
            # Who is cancelled, having waited too long, does not begin anew at each look.
            self._until = time.monotonic() + _AGAIN
            self._told = await self._measure()
            self._until = time.monotonic() + _REMEMBERED
        return self._told

    async def _measure(self) -> str:
        limit = (await memory_use(self._redis)).limit
        if not limit:
            return ""
        async with self._engine.connect() as connection:
            return shortage_of(limit, *await prompts.size_of_copies(connection))
