"""Summing up a chat: what its history has no room for is told in short.

gather: what was written, up to a place in the chat · ask the model, with no transaction open · decide what of
its answer holds (pure) · keep it, if the chat up to there is still the same

Without a model, or when it is of no use, the digests of the sittings are told. Nothing is kept where there
are none: how many messages are not shown is said all the same.
"""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context import condensing
from voice_server.context.layout.budget import Count
from voice_server.context.working_memory import HistoryRules, with_short_outputs
from voice_server.digest.model import chat_prompt
from voice_server.digest.model.chat_prompt import ChatBrief
from voice_server.digest.model.reader import Failure, Reader
from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.domain.conversation import Message, Turn
from voice_server.domain.memory import ForgottenTopic
from voice_server.errors import ConfigurationError, Conflict, NotFound
from voice_server.runtime.timezones import zone
from voice_server.settings import Settings
from voice_server.store import model_usage
from voice_server.store.conversations import chat_summaries, chats
from voice_server.store.conversations.chat_summaries import ChatOf, NewChatSummary, StoredChatSummary
from voice_server.store.knowledge import day_segments, forgotten
from voice_server.store.people import users
from voice_server.templates.library import TemplateLibrary

_MOST_READ = 1500  # messages: what holds is looked for in each of them

log = logging.getLogger(__name__)


class SummingRules(Struct, frozen=True):
    """Tokens of one question to the model, and those it may cost in a day (UTC; 0: no limit); the time zone
    of users and agents who have none; the most of a chat's history."""

    window: int
    tokens_per_day: int
    timezone: str
    history: HistoryRules


def summing_rules(settings: Settings) -> SummingRules:
    return SummingRules(
        settings.llm_window_tokens,
        settings.llm_tokens_per_day,
        settings.default_timezone,
        history_rules(settings),
    )


def history_rules(settings: Settings) -> HistoryRules:
    """Of all agents that have none of their own."""
    return HistoryRules(
        settings.chat_history_messages,
        settings.chat_history_tokens,
        settings.chat_tool_output_chars,
        strategy=settings.chat_history_strategy,
    )


class _Written(Struct, frozen=True):
    """What was written in a chat up to a place, as far as it may be told. `digests` are of its sittings, with
    their days, `earlier` is the summary there was. `basis` names what it is made of."""

    sources: tuple[int, ...]
    messages: tuple[Message, ...]
    digests: tuple[str, ...]
    earlier: str
    timezone: ZoneInfo
    basis: str


class _Summary(Struct, frozen=True):
    text: str
    model: str = ""


class ChatSummaries(Struct, frozen=True):
    """What they are made with. `reader` gives the model, and is None where there is none; `now` is in UTC."""

    engine: AsyncEngine
    templates: TemplateLibrary
    reader: Callable[[], Awaitable[Reader]] | None
    rules: SummingRules
    count: Count
    now: Callable[[], datetime]

    async def make_due(self, conversation_id: int) -> None:
        """Sum up what the history of the chat with this sitting is about to leave out, if it is full."""
        async with self.engine.connect() as connection:
            chat = await chat_summaries.chat_of(connection, conversation_id)
            if chat is None:
                return
            rules = self._history(chat)
            reached = await chat_summaries.reached(connection, chat.chat_id)
            latest, _ = await chats.history(connection, chat.whose, chat.chat_id, 0, 2 * rules.messages)
        agent = self.templates.agent(chat.agent_id).in_writing.agent
        new = [one for one in latest if one.place >= reached]
        until = condensing.due(new, rules, agent, self.count) if rules.sums_up else None
        if until is not None:
            await self._make(chat, until)

    async def make_now(self, chat: ChatOf, focus: str = "") -> None:
        """Sum up all but the newest turns: from now on they are told by it alone. `focus` is what is wanted
        most of it. Raises Conflict when there is nothing to sum up, or nothing to make it of."""
        until = await self._until_now(chat)
        if not await self._make(chat, until, focus=focus, condenses=True):
            raise Conflict(
                f"Chat {chat.chat_id} cannot be summed up now: no model answered (SUMMARY_MODEL, LLM_MODEL), "
                "and it has no digest yet. Send it again later, or write the summary yourself."
            )

    async def write(self, chat: ChatOf, text: str) -> None:
        """Tell what a person wrote in place of the summary there is, or of all but the newest turns. Raises
        Conflict when there is nothing to sum up."""
        async with self.engine.connect() as connection:
            there = await chat_summaries.current(connection, chat.whose, chat.chat_id)
        until = there.until if there else await self._until_now(chat)
        condenses = there.condenses if there else True
        async with self.engine.begin() as connection:
            await users.lock(connection, chat.user_id)
            written = await self._gather(connection, chat, until)
            if not written.sources:
                raise NotFound(f"Chat {chat.chat_id} was erased.")
            made = _row(chat, written, until, text, condenses=condenses)
            await chat_summaries.keep(connection, replace(made, source="person"))

    async def _until_now(self, chat: ChatOf) -> int:
        async with self.engine.connect() as connection:
            latest, _ = await chats.history(connection, chat.whose, chat.chat_id, 0, _MOST_READ)
        until = condensing.now(latest)
        if until is None:
            raise Conflict(f"Chat {chat.chat_id} is too short to sum up: its newest turns stay as they are.")
        return until

    async def _make(self, chat: ChatOf, until: int, *, focus: str = "", condenses: bool = False) -> bool:
        """Whether there is one now."""
        async with self.engine.connect() as connection:
            written = await self._gather(connection, chat, until)
        summary = await self._by_model(written, focus) or _of_digests(written, self.count)
        if summary is None:
            return False
        made = _row(chat, written, until, summary.text, condenses=condenses)
        made = replace(made, source="model" if summary.model else "digests", model=summary.model, focus=focus)
        async with self.engine.begin() as connection:
            await users.lock(connection, chat.user_id)
            if (await self._gather(connection, chat, until)).basis != written.basis:
                return False  # something of it was erased, or is to be forgotten: the next turn asks again
            await chat_summaries.keep(connection, made)
        return True

    async def _by_model(self, written: _Written, focus: str) -> _Summary | None:
        if self.reader is None or not written.messages or not await self._may_ask():
            return None
        try:
            reader = await self.reader()
        except ConfigurationError as error:
            log.error("no model sums up chats: %s", error)  # noqa: TRY400 (the message says what to set)
            return None
        brief = await asyncio.to_thread(self._brief, written, focus)
        answer = await reader.sum_up_chat(brief)
        async with self.engine.begin() as connection:
            await model_usage.add(connection, self.now().date(), answer.use)
        if isinstance(answer, Failure):
            log.warning("no model's summary of a chat: %s", answer.reason)
            return None
        text = await asyncio.to_thread(chat_prompt.grounded, answer.findings, brief, self.count)
        if not text:
            log.warning("no use of the model's summary of a chat: nothing of what it wrote was said there")
        return _Summary(text, reader.name) if text else None

    def _brief(self, written: _Written, focus: str) -> ChatBrief:
        return chat_prompt.brief(
            written.messages,
            written.timezone,
            self.count,
            tokens=self.rules.window,
            earlier=written.earlier,
            focus=focus,
        )

    async def _may_ask(self) -> bool:
        if not self.rules.tokens_per_day:
            return True
        async with self.engine.connect() as connection:
            used = await model_usage.on(connection, self.now().date())
        return used.tokens < self.rules.tokens_per_day

    async def _gather(self, connection: AsyncConnection, chat: ChatOf, until: int) -> _Written:
        sittings = await chat_summaries.sittings(connection, chat.whose, chat.chat_id, _MOST_READ)
        first = {one.conversation_id: one.first for one in sittings if one.first < until}
        contents = await day_segments.contents(connection, list(first))
        topics = await forgotten.topics(connection, chat.user_id)
        there = await chat_summaries.current(connection, chat.whose, chat.chat_id)
        named = await users.timezone(connection, chat.user_id, at=self.now())
        return await asyncio.to_thread(self._written, chat, until, first, contents, topics, there, named)

    def _written(
        self,
        chat: ChatOf,
        until: int,
        first: dict[int, int],
        contents: Sequence[day_segments.Content],
        topics: Sequence[ForgottenTopic],
        there: StoredChatSummary | None,
        named: str,
    ) -> _Written:
        agent = self.templates.agent(chat.agent_id).agent
        where = zone(named or agent.timezone or self.rules.timezone) or ZoneInfo("UTC")
        hidden = ForgetFilter(topics, where.key)
        turns: list[Turn] = []
        digests: list[str] = []
        for one in contents:
            kept = hidden.kept(consent.kept(one.messages))
            places = [_at(message, one.id, first[one.id]) for message in kept]
            turns += (turn for turn in places if turn.place < until)
            if one.summary and kept and not hidden.at(kept[0].said_at, one.summary):
                digests.append(f"{kept[0].said_at.astimezone(where):%Y-%m-%d}: {one.summary}")
        _, shorter = with_short_outputs(turns, self._history(chat).tool_output_chars)
        earlier = there.text if there else "\n".join(f"- {one}" for one in digests)
        told = [(one.place, one.role, one.content) for one in turns]
        basis = msgspec.json.encode((told, topics))
        messages = (Message(one.place, one.role, one.content, one.said_at, one.tool_name) for one in shorter)
        return _Written(
            tuple(sorted(first)),
            tuple(messages),
            tuple(digests),
            earlier,
            where,
            hashlib.blake2b(basis, digest_size=16).hexdigest(),
        )

    def _history(self, chat: ChatOf) -> HistoryRules:
        return self.rules.history.of(self.templates.agent(chat.agent_id).in_writing.agent)


def _at(message: Message, conversation_id: int, first: int) -> Turn:
    return Turn(
        message.position,
        message.role,
        message.content,
        message.said_at,
        message.tool_name,
        conversation_id=conversation_id,
        place=first + message.position,
    )


def _of_digests(written: _Written, count: Count) -> _Summary | None:
    text = chat_prompt.fitting(written.digests, (), count)
    return _Summary(text) if text else None


def _row(chat: ChatOf, written: _Written, until: int, text: str, *, condenses: bool) -> NewChatSummary:
    return NewChatSummary(
        text,
        until,
        condenses,
        chat_id=chat.chat_id,
        sources=written.sources,
        source="digests",
    )
