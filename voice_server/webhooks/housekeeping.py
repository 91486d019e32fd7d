"""What the web process does between calls, so that no call has to: default prompts, new agents, cache entries
that pre-calls missed."""

import asyncio
import logging
import math
import time

from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.errors import VoiceServerError
from voice_server.operations import fill_cache
from voice_server.store import session
from voice_server.store.people import agents
from voice_server.store.prompts import default_prompts
from voice_server.webhooks.default_prompts import DefaultPrompts
from voice_server.webhooks.pre_call import PreCallApp

log = logging.getLogger(__name__)

_LOOK_AFTER = 1.0  # seconds between looks at what pre-calls noticed


class Housekeeping:
    def __init__(
        self,
        engine: AsyncEngine,
        redis: Redis,
        pre_call: PreCallApp,
        default_prompts: DefaultPrompts,
        *,
        register: bool,
    ) -> None:
        self._engine = engine
        self._redis = redis
        self._pre_call = pre_call
        self._default_prompts = default_prompts
        self._register = register
        self._registered: set[str] = set()
        self._refreshed = -math.inf

    async def run(self, every: float) -> None:
        """Go on until cancelled. A failure is logged once per outage and retried; calls are answered
        meanwhile."""
        failing = False
        while True:
            try:
                await self._keep_house(every)
                failing = False
            except (*session.ERRORS, RedisError, VoiceServerError) as error:
                if not failing:
                    log.warning("the default prompts stay as they are for now: %r", error)
                failing = True
            await asyncio.sleep(min(_LOOK_AFTER, every))

    async def _keep_house(self, every: float) -> None:
        due = time.monotonic() - self._refreshed >= every
        registered = await self._register_agents()
        if due or registered:
            await self.refresh()
            self._refreshed = time.monotonic()
        await self._keep_defaults()
        await self._refill()

    async def refresh(self) -> None:
        """Update the default prompts and the agents' own numbers; without Postgres, the templates at
        least."""
        self._default_prompts.refresh(self._pre_call.defaults, self._registered)
        async with self._engine.connect() as connection:
            numbers = await agents.numbers_by_agent(connection)
        self._pre_call.defaults.own_numbers = frozenset(
            number for known in numbers.values() for number in known
        )
        self._registered = set(numbers)
        self._default_prompts.refresh(self._pre_call.defaults, self._registered)

    async def _keep_defaults(self) -> None:
        if unkept := dict(self._default_prompts.unkept):
            async with self._engine.begin() as connection:
                await default_prompts.keep(connection, unkept)
            for kept in unkept:
                del self._default_prompts.unkept[kept]

    async def _register_agents(self) -> bool:
        unknown = sorted(self._pre_call.unknown_agents) if self._register else []
        if unknown:
            async with self._engine.begin() as connection:
                for agent_id in unknown:
                    await agents.register(connection, agent_id, self._pre_call.platform.name)
            log.info("registered on first contact: %s", ", ".join(unknown))
            self._pre_call.unknown_agents.difference_update(unknown)
        return bool(unknown)

    async def _refill(self) -> None:
        """Cache again what Redis evicted or cannot be read. A failure is forgotten: the next call asks
        again."""
        for agent_id, address in sorted(self._pre_call.unreadable):
            await prompt_cache.remove(self._redis, [agent_id], [address])
            self._pre_call.unreadable.discard((agent_id, address))
        missing = sorted(self._pre_call.missing)
        self._pre_call.missing.clear()
        await fill_cache.fill(self._engine, self._redis, missing)
