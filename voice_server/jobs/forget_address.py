"""Forgetting an address: what is left to do when Redis was away while the address changed hands."""

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.domain.address import Address
from voice_server.operations import fill_cache, revoke
from voice_server.platforms import registry
from voice_server.store.lifecycle import erasures
from voice_server.store.lifecycle.erasures import Call
from voice_server.store.people import agents, users


class ForgetAddress:
    """What belongs under the address now is put there again; of one that is nobody's any more, nothing
    stays. Where its user was erased, the calls that were bound to it are erased too."""

    def __init__(self, engine: AsyncEngine, redis: Redis) -> None:
        self._engine = engine
        self._redis = redis

    async def run(self, key: str, trigger: str) -> None:
        address = Address(key)
        async with self._engine.begin() as connection:
            known = await agents.ids(connection)
            await prompt_cache.remove(self._redis, known, [address])
            if await users.find(connection, [address]) is None:
                if trigger == revoke.ERASED:
                    await self._erase_calls(connection, address)
                await prompt_cache.forget_traces(self._redis, {address})
        await fill_cache.fill(self._engine, self._redis, [(agent, address) for agent in known])

    async def _erase_calls(self, connection: AsyncConnection, address: Address) -> None:
        """A call that began since and is not recorded yet is among them: nothing says when one was bound."""
        found = await prompt_cache.traces(self._redis, {address})
        bound = [Call(registry.DEFAULT.name, one) for one in found.calls]
        await erasures.stay_erased(connection, await erasures.not_others(connection, [], bound))
