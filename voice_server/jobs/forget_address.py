"""Forgetting an address: what is left to do when Redis was away while the address changed hands."""

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.domain.address import Address
from voice_server.operations import fill_cache
from voice_server.store.people import agents, users


class ForgetAddress:
    """What belongs under the address now is put there again; of one that is nobody's any more, nothing
    stays."""

    def __init__(self, engine: AsyncEngine, redis: Redis) -> None:
        self._engine = engine
        self._redis = redis

    async def run(self, key: str, _trigger: str) -> None:
        address = Address(key)
        async with self._engine.begin() as connection:
            known = await agents.ids(connection)
            await prompt_cache.remove(self._redis, known, [address])
            if await users.find(connection, [address]) is None:
                await prompt_cache.forget_traces(self._redis, {address})
        await fill_cache.fill(self._engine, self._redis, [(agent, address) for agent in known])
