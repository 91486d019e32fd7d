"""What a text agent is told: the prompt as it would be written now, and the history of its chat.

    memory (one query) → chat (two) → redial mark (Redis) ──within the deadline──→ prompt and history (pure)

Somebody waits for an answer. What cannot be had in time is left out, and the record says so: without memory
it is the default prompt, without the chat there is no history.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.context import continuous, prompt_builder
from voice_server.context.layout import slots
from voice_server.context.layout.budget import Count
from voice_server.context.layout.slots import CachedPrompt, Call
from voice_server.context.prompt_builder import Prompt
from voice_server.context.snapshot import ToldText, snapshot, told_text
from voice_server.context.working_memory import History, HistoryRules, Turns
from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.digest.tellable import tellable
from voice_server.domain.conversation import Turn, chat_named, continuous_id
from voice_server.domain.memory import Memory
from voice_server.errors import Conflict
from voice_server.runtime.timezones import zone
from voice_server.store import session
from voice_server.store.conversations import chat_summaries, chats
from voice_server.store.conversations.chats import Chat, Sitting
from voice_server.store.inputs import prompt_inputs
from voice_server.store.inputs.prompt_inputs import GatheredMemory
from voice_server.store.people import agents, users
from voice_server.store.prompts.prompts import Target
from voice_server.templates.library import AgentTemplates, TemplateLibrary

_OPENING = 10  # messages among which the first exchange is looked for
_FAILURES = (*session.ERRORS, RedisError, OSError)

log = logging.getLogger(__name__)


class WritingRules(Struct, frozen=True):
    """`deadline`: seconds until less is told; `limit`: tokens of prompt and history together; `day_pause`:
    hours of silence that end a session; `timezone` of users and agents who have none."""

    deadline: float
    limit: int
    timezone: str
    day_pause: float
    history: HistoryRules


class Question(Struct, frozen=True):
    """Who is written with (None: somebody nobody knows), and in which chat: `continuous`, another, None for a
    new chat. Told is what stands `before` this place of it; None: all. `found` is the chat of who knows it:
    who writes, in which chat, and with which agent is then not asked again."""

    user_id: str | None
    agent_id: str
    chat_id: str | None = None
    before: int | None = None
    found: Chat | None = None


class TextContext(Struct, frozen=True):
    """The prompt, and the chat so far. `record` has also what it did without, and the milliseconds that
    reading took (`read_ms`, of these `history_ms` the chat) and building (`build_ms`, of these `count_ms` for
    tokens).
    """

    instructions: str
    history: History
    record: dict[str, Any]


class _Sources(Struct):
    """What was read so far. `turns` stay None while a chat that was asked for is not read, which took
    `turns_seconds`; `sitting` is the one that goes on."""

    gathered: GatheredMemory | None = None
    turns: Turns | None = None
    turns_seconds: float = 0.0
    sitting: Sitting | None = None
    redial: bool = False


class _TimedCount:
    """Count tokens, and the seconds that takes."""

    def __init__(self, count: Count) -> None:
        self.seconds = 0.0
        self._count = count

    def __call__(self, text: str) -> int:
        started = time.perf_counter()
        tokens = self._count(text)
        self.seconds += time.perf_counter() - started
        return tokens


class TextContexts(Struct, frozen=True):
    """What text contexts are made of. `reading` are `session.single_statements` of the engine, `count` counts
    tokens, `now` is in UTC."""

    engine: AsyncEngine
    reading: AsyncEngine
    redis: Redis
    templates: TemplateLibrary
    rules: WritingRules
    count: Count
    now: Callable[[], datetime]

    async def of(self, question: Question) -> TextContext:
        """Build a text context. Raises NotFound for an unknown user or agent, Conflict for another's chat."""
        return await _build(self, question, self.now())

    def sums_up(self, agent_id: str) -> bool:
        """Tell whether what a chat's history has no room for is summed up."""
        return self.rules.history.of(self.templates.agent(agent_id).in_writing.agent).sums_up


async def _build(contexts: TextContexts, question: Question, now: datetime) -> TextContext:
    templates, rules, count = contexts.templates, contexts.rules, _TimedCount(contexts.count)
    started = time.perf_counter()
    written = templates.agent(question.agent_id).in_writing
    sources = _Sources()
    missing = ""
    try:
        await session.within(rules.deadline, _read(contexts, question, written, now, sources))
    except _FAILURES as error:
        missing = type(error).__name__
    read = time.perf_counter()
    memory = _as_earlier(question, sources)
    prompt, told = _prompt(memory, sources.turns or Turns(), written, count, now, rules.limit)
    without = _without(sources, question, missing) | dict(prompt.failed)
    if without:
        log.warning("text context of %s with %s: without %s", question.user_id, question.agent_id, without)
    text = _told(told, prompt, Call(now.timestamp(), sources.redial))
    record = {
        **snapshot(told, prompt, written.version, text),
        "prompt_version": prompt.version,
        "degraded": bool(without),
        "without": without,
        "message_history_there": sources.turns.there if sources.turns else 0,
        "message_history_left_out": prompt.history.left_out,
        "message_history_summed_up": prompt.history.summed_up,
        "message_history_trimmed": prompt.history.trimmed,
        "message_history_dropped": dict(Counter(one.rule for one in prompt.history.dropped)),
        "read_ms": _milliseconds(read - started),
        "history_ms": _milliseconds(sources.turns_seconds),
        "build_ms": _milliseconds(time.perf_counter() - read),
        "count_ms": _milliseconds(count.seconds),
    }
    return TextContext(text.text, prompt.history, record)


async def _read(
    contexts: TextContexts, question: Question, written: AgentTemplates, now: datetime, sources: _Sources
) -> None:
    rules = contexts.rules
    async with contexts.reading.connect() as connection:
        target = await _target(connection, question)
        if target is None:
            return
        wanted = prompt_inputs.requested(written.agent, rules.timezone, rules.day_pause)
        sources.gathered = (await prompt_inputs.gather(connection, {target: wanted}, now=now)).get(target)
        chat_id = chat_named(question.chat_id or "", target.user_id, target.agent_id)
        chat = question.found or await _chat(connection, chat_id, target)
        pause = timedelta(hours=rules.day_pause)
        sources.sitting = _going_on(chat, now, pause)
        most = rules.history.of(written.agent)
        asked = time.perf_counter()
        if chat_id == continuous_id(target.user_id, target.agent_id):
            most = continuous.rules(most)
            turns = await _turns(connection, target, chat_id, question.before, most)
            user_zone = _zone(sources.gathered, rules)
            turns = continuous.today(turns, now, user_zone, pause)
        else:
            turns = await _turns(connection, target, chat_id, question.before, most)
        sources.turns = await _without_forgotten(turns, sources)
        sources.turns_seconds = time.perf_counter() - asked
    if sources.gathered:
        known_as, recent = sources.gathered.addresses, sources.gathered.memory.recent_calls
        latest = await prompt_cache.latest_call(contexts.redis, question.agent_id, known_as)
        sources.redial = latest is not None and latest not in recent


async def _target(connection: AsyncConnection, question: Question) -> Target | None:
    if question.found and question.user_id:
        return Target(question.user_id, question.agent_id)
    await agents.require(connection, question.agent_id)
    if question.user_id is None:
        return None
    return Target(await users.require(connection, question.user_id), question.agent_id)


async def _chat(connection: AsyncConnection, chat_id: str, target: Target) -> Chat | None:
    chat = await chats.find_theirs(connection, chat_id, target.user_id, target.agent_id) if chat_id else None
    whose = Target(chat.user_id, chat.agent_id) if chat and chat.user_id and chat.agent_id else target
    if whose != target:
        raise Conflict(f"Chat {chat_id} is not one of user {target.user_id} with agent {target.agent_id}.")
    return chat


async def _turns(
    connection: AsyncConnection, target: Target, chat_id: str, before: int | None, rules: HistoryRules
) -> Turns:
    if not chat_id or before == 0:
        return Turns(rules=rules)
    whose = (target.user_id, target.agent_id)
    messages, there = await chats.history(connection, whose, chat_id, _OPENING, rules.messages, before)
    summary = await chat_summaries.current(connection, whose, chat_id, before)
    if summary is None or not summary.is_told(sums_up=rules.sums_up):
        return Turns(tuple(messages), there, rules)
    behind = await chats.behind(connection, whose, chat_id, summary.until, before)
    return Turns(tuple(messages), there, rules, summary, behind)


def _going_on(chat: Chat | None, now: datetime, pause: timedelta) -> Sitting | None:
    sitting = chat.sitting if chat else None
    return sitting if sitting and sitting.goes_on and now - sitting.ended_at < pause else None


async def _without_forgotten(turns: Turns, sources: _Sources) -> Turns:
    """Leave out what the user asked to have forgotten. The sitting that goes on is told as it was said, as a
    call is that goes on."""
    hidden = ForgetFilter(sources.gathered.memory.forgotten if sources.gathered else ())
    sitting = sources.sitting.conversation_id if sources.sitting else None
    if not hidden and all(one.conversation_id == sitting for one in turns.messages):
        return turns
    return replace(turns, messages=await asyncio.to_thread(_kept, turns.messages, sitting, hidden))


def _kept(messages: Sequence[Turn], sitting: int | None, hidden: ForgetFilter) -> tuple[Turn, ...]:
    kept = list[Turn]()
    for conversation_id, said in groupby(messages, key=lambda one: one.conversation_id):
        there = tuple(said)
        kept += hidden.kept(there if conversation_id == sitting else consent.kept(there), of=conversation_id)
    return tuple(kept)


def _zone(gathered: GatheredMemory | None, rules: WritingRules) -> ZoneInfo:
    named = gathered.memory.timezone if gathered else rules.timezone
    return zone(named) or ZoneInfo("UTC")


def _as_earlier(asked: Question, sources: _Sources) -> Memory | None:
    """Leave out the sitting that goes on: it is no earlier conversation."""
    memory, sitting = sources.gathered.memory if sources.gathered else None, sources.sitting
    if memory is None or sitting is None:
        return memory
    turns = sources.turns.messages if sources.turns else ()
    ours = (one for one in turns if one.conversation_id == sitting.conversation_id)
    is_counted = asked.before is not None or any(one.role == "user" for one in ours)
    earlier = [one for one in memory.latest if one.id != sitting.conversation_id]
    return replace(
        memory,
        conversations=memory.conversations - is_counted,
        last_contact=max((one.ended_at for one in earlier), default=None),
    )


def _prompt(
    memory: Memory | None, turns: Turns, written: AgentTemplates, count: Count, now: datetime, limit: int
) -> tuple[Prompt, Memory]:
    limit = written.agent.token_limit or limit
    known = memory is not None
    told, untold = tellable(memory or Memory("", written.agent.timezone or "UTC"), count)
    prompt = prompt_builder.build(
        told, written, count, now=now, limit=limit, known=known, turns=turns, untold=untold
    )
    return prompt, told


def _without(sources: _Sources, question: Question, missing: str) -> dict[str, str]:
    if question.user_id is None:
        without = {"agent": missing} if missing else dict[str, str]()
    elif sources.gathered is None:
        without = {"memory": missing or "no such user any more"}
    else:
        without = dict(sources.gathered.missing)
    if question.chat_id and sources.turns is None:
        without["chat"] = missing
    if sources.gathered and sources.turns is not None and missing:
        without["redial"] = missing
    return without


def _told(memory: Memory, prompt: Prompt, moment: Call) -> ToldText:
    seen = int(memory.last_contact.astimezone(UTC).timestamp()) if memory.last_contact else 0
    served = CachedPrompt(slots.FORMAT, prompt.version, memory.user_id, memory.timezone, seen, [], [], [])
    return told_text(prompt, served, moment)


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
