"""Rebuild: facts in, prompt out, into the cache; several users' prompts together.

gather (one query) → context.prompt_builder.build (pure) → durable copy and snapshot (one statement) → Redis
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.context import prompt_builder
from voice_server.context.layout import slots
from voice_server.context.layout.budget import Count
from voice_server.context.layout.slots import CachedPrompt, Call
from voice_server.context.prompt_builder import Prompt
from voice_server.context.snapshot import ToldText, snapshot, told_text
from voice_server.digest.tellable import tellable
from voice_server.domain.addresses.address import Address
from voice_server.domain.agent import Agent
from voice_server.domain.days import PAUSE_HOURS
from voice_server.domain.memory import Memory
from voice_server.platforms import registry
from voice_server.queue import prompt_requests, queue, rounds
from voice_server.queue.names import timeline_key, timeline_of
from voice_server.queue.rounds import AT_ONCE, Pace
from voice_server.runtime.histogram import Histogram
from voice_server.store.inputs import prompt_inputs
from voice_server.store.inputs.prompt_inputs import GatheredMemory, PromptRequest
from voice_server.store.prompts import prompts
from voice_server.store.prompts.default_prompts import DefaultPrompt
from voice_server.store.prompts.prompts import BuiltPrompt, Target
from voice_server.templates.library import AgentTemplates, TemplateLibrary

_PAGE = 5000  # users and agents looked at in one transaction
_BATCH = 500  # asked for in it at most
_BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0)  # seconds

log = logging.getLogger(__name__)


async def catch_up(engine: AsyncEngine, pace: Pace = AT_ONCE) -> None:
    """Ask for the prompt of everybody who has had a conversation and has none."""
    await rounds.go(engine, "people without a prompt", _ask_for_missing, pace)


async def _ask_for_missing(connection: AsyncConnection, position: str) -> str:
    page = await prompts.talked_with(connection, _target(position) if position else None, _PAGE)
    missing = await prompts.without(connection, page)
    asked = [prompt_requests.wanted(one.user_id, one.agent_id, trigger="upkeep") for one in missing[:_BATCH]]
    await queue.request(connection, *asked)
    if len(missing) > _BATCH:
        return _key(missing[_BATCH - 1])
    return _key(page[-1]) if len(page) == _PAGE else ""


class RebuiltPrompt(msgspec.Struct, frozen=True):
    """A prompt not yet stored, and where to cache it. `without`: what it lacks, with the reason."""

    built: BuiltPrompt
    addresses: tuple[Address, ...]
    without: Mapping[str, str]


class Rebuild:
    """The rebuild job; also run by hand. `clock` gives unix seconds."""

    def __init__(
        self,
        redis: Redis,
        templates: TemplateLibrary,
        count: Count,
        clock: Callable[[], float],
        *,
        limit: int,
        default_timezone: str,
        day_pause: float = PAUSE_HOURS,
    ) -> None:
        self._redis = redis
        self._templates = templates
        self._count = count
        self._clock = clock
        self._limit = limit
        self._default_timezone = default_timezone
        self._day_pause = day_pause
        # from an event's receipt to the prompt that knows of its call, in Redis
        self.freshness = Histogram(_BUCKETS)

    async def prepare(self, connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        targets = {key: _target(key) for key in keys}
        rebuilt = await self.build(connection, list(targets.values()), trigger="")

        async def apply(connection: AsyncConnection, due: Sequence[str]) -> None:
            there = [rebuilt[targets[key]] for key in due if targets[key] in rebuilt]
            await self.apply(connection, there)

        return apply

    async def build(
        self, connection: AsyncConnection, targets: Sequence[Target], *, trigger: str
    ) -> dict[Target, RebuiltPrompt]:
        """Build prompts, but none for users who are gone. The snapshot names the trigger; "": who asked
        last."""
        now = datetime.fromtimestamp(self._clock(), UTC)
        templates = {one: self._templates.agent(one) for one in {target.agent_id for target in targets}}
        wanted = {one: self._wanted(templates[one.agent_id].agent) for one in targets}
        gathered = await prompt_inputs.gather(connection, wanted, now=now)
        return {
            target: self._build(target, templates[target.agent_id], found, now, trigger)
            for target, found in gathered.items()
        }

    async def apply(self, connection: AsyncConnection, rebuilt: Sequence[RebuiltPrompt]) -> bool:
        """Store and cache, in a transaction that has begun; return whether Redis took them, else upkeep tries
        again.

        Redis comes before the commit: a worker killed in between starts over, a worker killed after it would
        leave old prompts in the cache. It comes after the durable copies: these are locked then, and no
        refill puts what they were.
        """
        if not rebuilt:
            return True
        waited = await prompts.save(connection, [one.built for one in rebuilt])
        saved = time.monotonic()
        cached = await self._put(rebuilt)
        if not cached:
            left_out = [Target(one.built.user_id, one.built.agent_id) for one in rebuilt]
            await prompts.set_in_cache(connection, left_out, in_cache=False)
            return False
        for seconds in waited:
            self.freshness.observe(seconds + time.monotonic() - saved)
        return True

    def _wanted(self, agent: Agent) -> PromptRequest:
        return prompt_inputs.requested(agent, self._default_timezone, self._day_pause)

    def _build(
        self,
        target: Target,
        templates: AgentTemplates,
        gathered: GatheredMemory,
        now: datetime,
        trigger: str,
    ) -> RebuiltPrompt:
        started = time.perf_counter()
        limit = templates.agent.token_limit or self._limit
        memory, untold = tellable(gathered.memory, self._count)
        prompt = prompt_builder.build(memory, templates, self._count, now=now, limit=limit, untold=untold)
        without = {**gathered.missing, **prompt.failed}
        for what, reason in without.items():
            log.error("rebuild: %s gets a prompt without %s: %s", target, what, reason)
        report = {
            "trigger": trigger or gathered.trigger or "event",
            "without": without,
            "build_ms": _since(started),
        }
        kept = _to_keep(target, gathered, prompt, templates, now, report)
        return RebuiltPrompt(kept, gathered.addresses, without)

    async def _put(self, rebuilt: Sequence[RebuiltPrompt]) -> bool:
        entries = [
            (one.built.agent_id, known_as, one.built.entry) for one in rebuilt for known_as in one.addresses
        ]
        try:
            await prompt_cache.put(self._redis, entries)
        except (RedisError, OSError):
            return False
        return True


def entry_for(memory: Memory, prompt: Prompt, agent: Agent, *, known: bool = True) -> CachedPrompt:
    """Return what waits in the cache: the platform's whole answer, cut at its slots."""
    json = registry.DEFAULT.reply(
        agent,
        prompt=prompt.text,
        memory=prompt.memory,
        version=prompt.version,
        user_id=memory.user_id or slots.USER_ID,
        known=known,
        conversations=memory.conversations,
        name=memory.user_name,
    )
    choices = [
        [slots.Option(until, slots.cut(slots.escape(text))) for until, text in each]
        for each in prompt.choices
    ]
    return CachedPrompt(
        format=slots.FORMAT,
        version=prompt.version,
        user_id=memory.user_id,
        timezone=memory.timezone,
        last_contact=int(memory.last_contact.timestamp()) if memory.last_contact else 0,
        recent_calls=list(memory.recent_calls),
        body=slots.cut(json),
        choices=choices,
    )


def default_prompt(
    templates: AgentTemplates, count: Count, *, now: datetime, limit: int, timezone: str
) -> tuple[CachedPrompt, DefaultPrompt]:
    """Return the prompt for callers nobody knows: to serve, and to keep."""
    started, agent = time.perf_counter(), templates.agent
    nobody = Memory(user_id="", timezone=agent.timezone or timezone)
    prompt = prompt_builder.build(
        nobody, templates, count, now=now, limit=agent.token_limit or limit, known=False
    )
    entry = entry_for(nobody, prompt, agent, known=False)
    report = {"trigger": "default", "without": prompt.failed, "build_ms": _since(started)}
    told = _told(prompt, templates, entry, now)
    record = {**snapshot(nobody, prompt, templates.version, told), **report}
    return entry, DefaultPrompt(prompt.version, told.text, msgspec.json.encode(record).decode())


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)


def _told(prompt: Prompt, templates: AgentTemplates, entry: CachedPrompt, now: datetime) -> ToldText:
    whole = templates.agent.delivery == "override"
    return told_text(prompt, entry, Call(now.timestamp()), whole=whole)


def _key(target: Target) -> str:
    return timeline_key(target.user_id, target.agent_id)


def _target(key: str) -> Target:
    return Target(*timeline_of(key))


def _to_keep(
    target: Target,
    gathered: GatheredMemory,
    prompt: Prompt,
    templates: AgentTemplates,
    now: datetime,
    report: dict[str, object],
) -> BuiltPrompt:
    entry = entry_for(gathered.memory, prompt, templates.agent)
    told = _told(prompt, templates, entry, now)
    record = {**snapshot(gathered.memory, prompt, templates.version, told), **report}
    return BuiltPrompt(
        user_id=target.user_id,
        agent_id=target.agent_id,
        version=prompt.version,
        template_version=templates.version,
        prompt=told.text,
        snapshot=msgspec.json.encode(record).decode(),
        entry=slots.pack(entry),
        fresh_until=prompt.fresh_until,
        built_at=now,
    )
