"""What the web process does between calls, so that no call has to: it keeps the default prompts fresh,
registers agents that called for the first time, and refills cache entries that pre-calls missed.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from datetime import UTC, datetime

from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server import prompt_cache
from voice_server.context.budget import Count
from voice_server.context.slots import CachedPrompt
from voice_server.errors import VoiceServerError
from voice_server.jobs import rebuild
from voice_server.store import agents, prompts, session
from voice_server.templates import TemplateLibrary
from voice_server.webhooks.platforms import elevenlabs
from voice_server.webhooks.pre_call import Defaults, PreCallApp

log = logging.getLogger(__name__)

_LOOK_AFTER = 1.0  # seconds between looks at what pre-calls noticed


class DefaultPrompts:
    """Renders default prompts. `clock` gives unix seconds, `limit` is in tokens."""

    def __init__(
        self,
        templates: TemplateLibrary,
        count: Count,
        clock: Callable[[], float],
        *,
        limit: int,
        timezone: str,
    ) -> None:
        self._templates = templates
        self._count = count
        self._clock = clock
        self._limit = limit
        self._timezone = timezone

    def of(self, agent_id: str) -> CachedPrompt:
        """The default prompt of one agent; of an unknown one, the default agent's."""
        now = datetime.fromtimestamp(self._clock(), UTC)
        templates = self._templates.agent(agent_id)
        return rebuild.default_entry(
            templates, self._count, now=now, limit=self._limit, timezone=self._timezone
        )

    def refresh(self, defaults: Defaults, agent_ids: set[str]) -> None:
        """Take up edited templates and new agents."""
        changed = self._templates.refresh()
        wanted = agent_ids | set(self._templates.agent_ids)
        if changed:
            defaults.fallback = self.of("")
        if changed or wanted != defaults.by_agent.keys():
            # the same entry for all agents without templates of their own: it names no agent
            own = {agent_id: self.of(agent_id) for agent_id in self._templates.agent_ids}
            defaults.by_agent = {**dict.fromkeys(wanted, defaults.fallback), **own}


class BetweenCalls:
    """The background task of a web process."""

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
        """Go on until cancelled. What fails is logged once per outage and tried again: calls are answered meanwhile."""
        failing = False
        while True:
            try:
                await self._round(every)
                failing = False
            except (*session.ERRORS, RedisError, VoiceServerError) as error:
                if not failing:
                    log.warning("the default prompts stay as they are for now: %r", error)
                failing = True
            await asyncio.sleep(min(_LOOK_AFTER, every))

    async def _round(self, every: float) -> None:
        due = time.monotonic() - self._refreshed >= every
        registered = await self._register_agents()
        if due or registered:
            await self.refresh()
            self._refreshed = time.monotonic()
        await self._refill()

    async def refresh(self) -> None:
        """Bring the default prompts and the agents' own numbers up to date; the templates without Postgres too."""
        self._default_prompts.refresh(self._pre_call.defaults, self._registered)
        async with self._engine.connect() as connection:
            numbers = await agents.numbers_by_agent(connection)
        self._pre_call.defaults.own_numbers = frozenset(
            number for known in numbers.values() for number in known
        )
        self._registered = set(numbers)
        self._default_prompts.refresh(self._pre_call.defaults, self._registered)

    async def _register_agents(self) -> bool:
        """Make agents known that called for the first time; whether there were any."""
        unknown = sorted(self._pre_call.unknown_agents) if self._register else []
        if unknown:
            async with self._engine.begin() as connection:
                for agent_id in unknown:
                    await agents.register(connection, agent_id, elevenlabs.PLATFORM)
            log.info("registered on first contact: %s", ", ".join(unknown))
            self._pre_call.unknown_agents.difference_update(unknown)
        return bool(unknown)

    async def _refill(self) -> None:
        """Cache again what Redis evicted or what cannot be read: the next call finds it."""
        for agent_id, address in sorted(self._pre_call.unreadable):
            await prompt_cache.remove(self._redis, agent_id, [address])
            self._pre_call.unreadable.discard((agent_id, address))
        missing = sorted(self._pre_call.missing)
        if missing:
            async with self._engine.connect() as connection:
                copies = await prompts.copies_for(connection, missing)
            await prompt_cache.put_missing(self._redis, copies)
            self._pre_call.missing.difference_update(missing)
