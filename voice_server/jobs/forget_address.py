"""Forgetting an address: what is left to do when Redis was away while the address changed hands."""

from collections.abc import Sequence
from datetime import datetime

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.cache.prompt_cache import BoundCall
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
        called = await prompt_cache.calls_from(self._redis, {address})  # before any lock: it takes its time
        async with self._engine.begin() as connection:
            if erased_at:
                await users.move(connection)  # else an event of such a call may be ingested meanwhile
            known = await agents.ids(connection)
            await prompt_cache.remove(self._redis, known, [address])
            owner = await users.find(connection, [address])
            bound = await _not_others(connection, called) if erased_at else []
            if owner is None:
                await erasures.stay_erased(connection, bound)
                await self._forget(address, known, called)
        if owner and erased_at:
            await self._erase(owner, bound, erased_at)
        await fill_cache.fill(self._engine, self._redis, [(agent, address) for agent in known])

    async def _forget(self, address: Address, known: Sequence[str], called: Sequence[BoundCall]) -> None:
        agents_called = sorted({*known, *(one.agent_id for one in called)})
        await prompt_cache.forget_bindings(self._redis, [one.id for one in called])
        await prompt_cache.forget_traces(self._redis, agents_called, {address})

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


async def _not_others(connection: AsyncConnection, called: Sequence[BoundCall]) -> list[Call]:
    """Include calls that began since and are not recorded yet: nothing says when one was bound."""
    bound = [Call(registry.DEFAULT.name, one.id) for one in called]
    return await erasures.not_others(connection, [], bound)
