"""Forgetting an address: what is left to do when Redis was away while the address changed hands."""

from datetime import datetime

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.domain.addresses.address import Address
from voice_server.operations import fill_cache
from voice_server.operations.people import erasing, revoke
from voice_server.platforms import registry
from voice_server.store.lifecycle import erasures
from voice_server.store.lifecycle.erasures import Call
from voice_server.store.people import agents, users


class ForgetAddress:
    """The job. It forgets an address, and puts there again what belongs under it now. Where its user was
    erased, so are the calls bound to it then, also when they were taken for somebody new's meanwhile.
    `region` is where national phone numbers are from."""

    def __init__(self, engine: AsyncEngine, redis: Redis, region: str) -> None:
        self._engine = engine
        self._redis = redis
        self._region = region

    async def run(self, key: str, trigger: str) -> None:
        address, erased_at = Address(key), revoke.erased_at(trigger)
        async with self._engine.begin() as connection:
            if erased_at:
                await users.move(connection)  # else an event of such a call may be ingested meanwhile
            known = await agents.ids(connection)
            await prompt_cache.remove(self._redis, known, [address])
            owner = await users.find(connection, [address])
            bound = await self._bound_to(connection, address) if erased_at else []
            if owner is None:
                await erasures.stay_erased(connection, bound)
                await prompt_cache.forget_traces(self._redis, {address})
        if owner and erased_at:
            await self._erase(owner, bound, erased_at)
        await fill_cache.fill(self._engine, self._redis, [(agent, address) for agent in known])

    async def _bound_to(self, connection: AsyncConnection, address: Address) -> list[Call]:
        """Include calls that began since and are not recorded yet: nothing says when one was bound."""
        found = await prompt_cache.traces(self._redis, {address})
        bound = [Call(registry.DEFAULT.name, one) for one in found.calls]
        return await erasures.not_others(connection, [], bound)

    async def _erase(self, owner: str, bound: list[Call], erased_at: datetime) -> None:
        """Erase calls that began before, and a user who is made of nothing else."""
        async with self._engine.connect() as connection:
            theirs = await erasures.began_before(connection, owner, bound, erased_at)
            is_made_of_them = 0 < len(theirs) == len(await erasures.calls_of(connection, [owner]))
        if is_made_of_them:
            async with self._engine.begin() as connection:
                await erasing.user(connection, self._redis, owner, region=self._region)
            return
        for conversation in theirs:
            async with self._engine.begin() as connection:
                await erasing.conversation(connection, self._redis, conversation)
