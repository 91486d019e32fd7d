"""Rebuild: facts in, prompt out, into the cache.

gather (one query) → context.prompt.build (pure) → durable copy and snapshot (one statement) → Redis
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server import prompt_cache
from voice_server.context import prompt as context_prompt
from voice_server.context import slots
from voice_server.context.budget import Count
from voice_server.context.prompt import Prompt
from voice_server.context.slots import CachedPrompt, Call
from voice_server.domain.address import Address
from voice_server.domain.agent import Agent
from voice_server.domain.memory import Memory
from voice_server.jobs import queue
from voice_server.store import memory as memory_store
from voice_server.store import prompts
from voice_server.store.memory import Gathered
from voice_server.store.prompts import BuiltPrompt, Target
from voice_server.templates import AgentTemplates, TemplateLibrary
from voice_server.tokens import TOKENIZER
from voice_server.webhooks.platforms import elevenlabs

REBUILD = "rebuild"


async def exclusively(connection: AsyncConnection, user_id: str, agent_id: str) -> None:
    """Until the transaction ends, nobody else rebuilds this prompt."""
    await queue.exclusively(connection, REBUILD, f"{user_id}|{agent_id}")


async def request(connection: AsyncConnection, user_id: str, agent_id: str) -> None:
    """Ask for a rebuild in the transaction that makes it necessary."""
    await queue.request(connection, REBUILD, f"{user_id}|{agent_id}")


class Rebuilt(msgspec.Struct, frozen=True):
    """A prompt just built, not yet stored: what to keep, and under which addresses to cache it."""

    built: BuiltPrompt
    addresses: tuple[Address, ...]


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
    ) -> None:
        self._redis = redis
        self._templates = templates
        self._count = count
        self._clock = clock
        self._limit = limit
        self._default_timezone = default_timezone

    async def prepare(self, connection: AsyncConnection, key: str) -> queue.Apply | None:
        """For the queue: gather and decide now, apply in its transaction."""
        user_id, _, agent_id = key.partition("|")
        rebuilt = await self.build(connection, Target(user_id, agent_id), trigger="event")
        if rebuilt is None:
            return None

        async def apply(connection: AsyncConnection) -> None:
            await self.apply(connection, rebuilt)

        return apply

    async def build(self, connection: AsyncConnection, target: Target, *, trigger: str) -> Rebuilt | None:
        """The prompt as it would be now, or None when the user is gone."""
        started, now = time.perf_counter(), datetime.fromtimestamp(self._clock(), UTC)
        templates = self._templates.agent(target.agent_id)
        timezone = templates.agent.timezone or self._default_timezone
        gathered = await memory_store.gather(
            connection, target.user_id, target.agent_id, now=now, timezone=timezone
        )
        if gathered is None:
            return None
        limit = templates.agent.token_limit or self._limit
        prompt = context_prompt.build(gathered.memory, templates, self._count, now=now, limit=limit)
        report = {"trigger": trigger, "build_ms": round((time.perf_counter() - started) * 1000, 3)}
        return Rebuilt(_to_keep(target, gathered, prompt, templates, now, report), gathered.addresses)

    async def apply(self, connection: AsyncConnection, rebuilt: Rebuilt) -> bool:
        """Store and cache, in a transaction that has begun; whether Redis took it. When Redis does not take it, the durable copy says so and upkeep tries again.

        Redis comes before the commit: a worker killed in between starts over; one killed after
        the commit would leave the old prompt in the cache.
        """
        cached = await self._put(rebuilt)
        await prompts.save(connection, rebuilt.built, in_cache=cached)
        return cached

    async def _put(self, rebuilt: Rebuilt) -> bool:
        try:
            await prompt_cache.put(
                self._redis, rebuilt.built.agent_id, rebuilt.addresses, rebuilt.built.entry
            )
        except (RedisError, OSError):
            return False
        return True


def entry_for(memory: Memory, prompt: Prompt, agent: Agent, *, known: bool = True) -> CachedPrompt:
    """What waits in the cache: the platform's whole answer, cut at its slots."""
    json = elevenlabs.reply(
        agent,
        prompt=prompt.text,
        memory=prompt.memory,
        version=prompt.version,
        user_id=memory.user_id or slots.USER_ID,
        known=known,
        conversations=memory.conversations,
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


def default_entry(
    templates: AgentTemplates, count: Count, *, now: datetime, limit: int, timezone: str
) -> CachedPrompt:
    """The prompt for callers nobody knows."""
    agent = templates.agent
    nobody = Memory(user_id="", timezone=agent.timezone or timezone)
    prompt = context_prompt.build(
        nobody, templates, count, now=now, limit=agent.token_limit or limit, known=False
    )
    return entry_for(nobody, prompt, agent, known=False)


def _to_keep(
    target: Target,
    gathered: Gathered,
    prompt: Prompt,
    templates: AgentTemplates,
    now: datetime,
    report: dict[str, object],
) -> BuiltPrompt:
    entry = entry_for(gathered.memory, prompt, templates.agent)
    text = prompt.text if templates.agent.delivery == "override" else prompt.memory
    return BuiltPrompt(
        user_id=target.user_id,
        agent_id=target.agent_id,
        version=prompt.version,
        template_version=templates.version,
        prompt=slots.fill_text(text, prompt.choices, entry, Call(now.timestamp())),
        snapshot=_snapshot(gathered.memory, prompt, templates, report),
        entry=slots.pack(entry),
        fresh_until=prompt.fresh_until,
        built_at=now,
    )


def _snapshot(memory: Memory, prompt: Prompt, templates: AgentTemplates, report: dict[str, object]) -> str:
    """The record of a prompt: what went in, what was left out and why (CONTEXT_STACK: snapshot)."""
    present = {section.name for section in prompt.sections}
    snapshot = {
        "message_history_count": 0,
        "message_history_tokens": 0,
        "today_summary_present": "today_so_far" in present,
        "last_conversation_present": "last_time" in present,
        "open_threads_count": sum(one.items_kept for one in prompt.sections if one.name == "open_threads"),
        "conversations": memory.conversations,
        "tokens": prompt.tokens,
        "tokenizer": TOKENIZER,
        "template_version": templates.version,
        "sections": prompt.sections,
        "dropped": prompt.dropped,
        **report,
    }
    return msgspec.json.encode(snapshot).decode()
