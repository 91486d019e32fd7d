"""Summing up a chat: what its history has no room for is told in short.

gather: what was written, up to a place in the chat · ask the model, window by window, with no transaction
open · decide what of its answers holds (pure) · keep it, if nothing was changed meanwhile

A summary goes on from the one before it, whoever made that. Without a model, or when it is of no use, the
earlier summary stays, or the digests of the sittings are told. Without digests, only how many messages are
not shown is said.
"""

import hashlib
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context import condensing
from voice_server.context.layout.budget import Count
from voice_server.context.working_memory import SUMMARY_SHARE, HistoryRules, with_short_outputs
from voice_server.digest.model import chat_prompt
from voice_server.digest.model.chat_prompt import ChatBrief
from voice_server.digest.model.reader import ChatReader, Failure
from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.domain.agent import Agent
from voice_server.domain.chat_summary import LONGEST, Source
from voice_server.domain.conversation import Message, Turn
from voice_server.domain.memory import ForgottenTopic
from voice_server.errors import ChatRefused, ConfigurationError, Conflict, NotFound
from voice_server.runtime.timezones import zone
from voice_server.settings import Settings
from voice_server.store import model_usage, session
from voice_server.store.conversations import chat_summaries, chats
from voice_server.store.conversations.chat_summaries import ChatKey, NewChatSummary, StoredChatSummary
from voice_server.store.knowledge import day_segments, forgotten
from voice_server.store.people import users
from voice_server.templates.library import TemplateLibrary

_MOST_READ = 10_000  # messages
_NEWEST = 200  # messages among which the newest turns are looked for
_SOON = 5  # seconds after which who was refused may ask again

log = logging.getLogger(__name__)


class SummingRules(Struct, frozen=True):
    """`window`: tokens of one question to the model; `windows`: questions for one summary; `tokens_per_day`
    (UTC): 0 for no limit; `at_once`: summaries that people ask for at a time; `timezone` of users and agents
    who have none."""

    window: int
    windows: int
    tokens_per_day: int
    at_once: int
    timezone: str
    history: HistoryRules


def summing_rules(settings: Settings) -> SummingRules:
    return SummingRules(
        settings.llm_window_tokens,
        settings.llm_windows,
        settings.llm_tokens_per_day,
        settings.llm_concurrency,
        settings.default_timezone,
        history_rules(settings),
    )


def history_rules(settings: Settings) -> HistoryRules:
    """Return the rules for agents that have none of their own."""
    return HistoryRules(
        settings.chat_history_messages,
        settings.chat_history_tokens,
        settings.chat_tool_output_chars,
        strategy=settings.chat_history_strategy,
    )


class _WrittenChat(Struct, frozen=True):
    """What was written up to a place, as far as it may be told. `digests` are of sittings, with their first
    places; `there` is the summary that is told, `latest` the id of the newest. `basis` names what was
    written."""

    sources: tuple[int, ...]
    messages: tuple[Message, ...]
    digests: tuple[tuple[int, str], ...]
    there: StoredChatSummary | None
    latest: int
    timezone: ZoneInfo
    basis: str

    def is_same(self, other: "_WrittenChat") -> bool:
        return (self.basis, self.latest) == (other.basis, other.latest)


class _Wish(Struct, frozen=True):
    """A summary to be made, up to a place. `anew`: of all that was written, instead of going on from the
    summary there is."""

    until: int
    focus: str = ""
    condenses: bool = False
    anew: bool = False


class _MadeSummary(Struct, frozen=True):
    text: str = ""
    model: str = ""
    why_not: str = ""


class ChatSummaries:
    """The summaries of chats. `reader` is None where there is no model; `now` is in UTC."""

    def __init__(
        self,
        engine: AsyncEngine,
        templates: TemplateLibrary,
        reader: ChatReader | None,
        rules: SummingRules,
        count: Count,
        now: Callable[[], datetime],
    ) -> None:
        self._engine = engine
        self._templates = templates
        self._reader = reader
        self._rules = rules
        self._count = count
        self._now = now
        self._under_way: set[str] = set()

    async def make_due(self, conversation_id: int) -> None:
        """Sum up what the history of this sitting's chat is about to leave out, if it is full."""
        async with self._engine.connect() as connection:
            chat = await chat_summaries.chat_of(connection, conversation_id)
            if chat is None:
                return
            rules, agent = self._history(chat), self._agent(chat)
            reached = await chat_summaries.reached(connection, chat.chat_id)
            latest, _ = await chats.history(connection, chat.whose, chat.chat_id, 0, 2 * rules.messages)
        new = [one for one in latest if one.place >= reached]
        until = condensing.due(new, rules, agent, self._count) if rules.sums_up else None
        if until is not None:
            await self._make(chat, _Wish(until))

    async def make_now(self, chat: ChatKey, focus: str = "") -> None:
        """Sum up all but the newest turns, which are told by it alone from now on; `focus` is what is wanted
        most. Raises Conflict when there is nothing to sum up, or nothing to make it of; ChatRefused when too
        many are made just now."""
        if chat.chat_id in self._under_way:
            raise Conflict(f"Chat {chat.chat_id} is being summed up just now.")
        if len(self._under_way) >= self._rules.at_once:
            raise ChatRefused(503, "busy", "Too many chats are being summed up. Send it again.", _SOON)
        self._under_way.add(chat.chat_id)
        try:
            until = await self._until_now(chat)
            why_not = await self._make(chat, _Wish(until, focus, condenses=True, anew=True))
        finally:
            self._under_way.discard(chat.chat_id)
        if why_not:
            raise Conflict(f"Chat {chat.chat_id} cannot be summed up now: {why_not}")

    async def write(self, chat: ChatKey, text: str) -> None:
        """Tell what a person wrote instead of the summary that is told, or of all but the newest turns.
        Raises Conflict when there is nothing to sum up, NotFound when the chat was erased."""
        there = await self.told(chat)
        until = there.until if there else await self._until_now(chat)
        async with self._engine.begin() as connection:
            await users.lock(connection, chat.user_id)
            written = await self._gather(connection, chat, until)
            if not written.sources:
                raise NotFound(f"Chat {chat.chat_id} was erased.")
            wish = _Wish(until, condenses=there.condenses if there else True)
            await chat_summaries.keep(connection, _row(chat, written, wish, text, "person"))

    async def told(self, chat: ChatKey) -> StoredChatSummary | None:
        """Return the summary that the chat's history has, where it leaves something out."""
        async with self._engine.connect() as connection:
            there = await chat_summaries.current(connection, chat.whose, chat.chat_id)
        return there if there and there.is_told(sums_up=self._history(chat).sums_up) else None

    async def undo(self, chat: ChatKey) -> bool:
        """Tell the summary before it again, or none; return whether there was one to undo."""
        there = await self.told(chat)
        if there is None:
            return False
        async with self._engine.begin() as connection:
            await users.lock(connection, chat.user_id)
            await chat_summaries.undo(connection, there.id)
        return True

    def longest(self, chat: ChatKey) -> int:
        """Return the tokens that a summary of this chat may have."""
        room = condensing.room(self._history(chat), self._agent(chat))
        return min(LONGEST, int(room * SUMMARY_SHARE))

    async def _until_now(self, chat: ChatKey) -> int:
        async with self._engine.connect() as connection:
            latest, _ = await chats.history(connection, chat.whose, chat.chat_id, 0, _NEWEST)
        if not latest:
            raise NotFound(
                f"There is no chat {chat.chat_id} of user {chat.user_id} with agent {chat.agent_id}."
            )
        until = condensing.now(latest)
        if until is None:
            raise Conflict(f"Chat {chat.chat_id} is too short to sum up: its newest turns stay as they are.")
        return until

    async def _make(self, chat: ChatKey, wish: _Wish) -> str:
        """Return why there is no summary, or ""."""
        async with self._engine.connect() as connection:
            written = await self._gather(connection, chat, wish.until)
        made = await self._by_model(chat, written, wish)
        if not made.text:
            if written.there is not None:
                return made.why_not
            digests = chat_prompt.fitting(
                [text for _, text in written.digests], (), self._count, self.longest(chat)
            )
            if not digests:
                return f"{made.why_not}, and it has no digest yet"
            made = _MadeSummary(digests)
        if written.there is not None and not wish.anew:
            wish = replace(wish, focus=written.there.focus, condenses=written.there.condenses)
        row = _row(chat, written, wish, made.text, "model" if made.model else "digests", made.model)
        async with self._engine.begin() as connection:
            await users.lock(connection, chat.user_id)
            if not (await self._gather(connection, chat, wish.until)).is_same(written):
                return "it was changed meanwhile. Send it again"
            await chat_summaries.keep(connection, row)
        return ""

    async def _by_model(self, chat: ChatKey, written: _WrittenChat, wish: _Wish) -> _MadeSummary:
        if self._reader is None:
            return _MadeSummary(why_not="there is no model (SUMMARY_MODEL, LLM_MODEL)")
        earlier, messages = _to_read(written, wish)
        briefs = await session.aside(
            chat_prompt.briefs,
            messages,
            written.timezone,
            self._count,
            tokens=self._rules.window,
            most=self._rules.windows,
            focus=wish.focus,
        )
        if briefs and not earlier:
            first = briefs[0].shown[0].position
            earlier = "\n".join(f"- {text}" for place, text in written.digests if place < first)
        made = _MadeSummary(why_not="nothing was written that may be told")
        for brief in briefs:
            made = await self._read(self._reader, chat, chat_prompt.behind(brief, earlier))
            if not made.text:
                return made
            earlier = made.text
        return made

    async def _read(self, reader: ChatReader, chat: ChatKey, brief: ChatBrief) -> _MadeSummary:
        if not await self._may_ask():
            return _MadeSummary(why_not="the model's tokens for today are used up (LLM_TOKENS_PER_DAY)")
        session.expect_nothing()  # but the model
        try:
            answer = await reader.sum_up_chat(brief.text)
        except ConfigurationError as error:
            log.error("no model sums up chats: %s", error)  # noqa: TRY400 (the message says what to set)
            return _MadeSummary(why_not=f"the model is set up wrong: {error}")
        async with self._engine.begin() as connection:
            await model_usage.add(connection, self._now().date(), answer.use)
        if isinstance(answer, Failure):
            log.warning("no model's summary of a chat: %s", answer.reason)
            return _MadeSummary(why_not="the model did not answer")
        text = await session.aside(
            chat_prompt.grounded, answer.findings, brief, self._count, self.longest(chat)
        )
        if not text:
            log.warning("no use of the model's summary of a chat: nothing of what it wrote was said there")
            return _MadeSummary(why_not="nothing of what the model wrote was said there")
        return _MadeSummary(text, answer.use.model)

    async def _may_ask(self) -> bool:
        if not self._rules.tokens_per_day:
            return True
        async with self._engine.connect() as connection:
            used = await model_usage.on(connection, self._now().date())
        return used.tokens < self._rules.tokens_per_day

    async def _gather(self, connection: AsyncConnection, chat: ChatKey, until: int) -> _WrittenChat:
        sittings = await chat_summaries.sittings(connection, chat.whose, chat.chat_id, _MOST_READ)
        first = {one.conversation_id: one.first for one in sittings if one.first < until}
        sources = _Sources(
            first,
            await day_segments.contents(connection, list(first)),
            await forgotten.topics(connection, chat.user_id),
            await chat_summaries.current(connection, chat.whose, chat.chat_id),
            await chat_summaries.latest_id(connection, chat.chat_id),
            await users.timezone(connection, chat.user_id, at=self._now()),
        )
        return await session.aside(self._written, chat, until, sources)

    def _written(self, chat: ChatKey, until: int, sources: "_Sources") -> _WrittenChat:
        named = sources.timezone or self._agent(chat).timezone or self._rules.timezone
        where = zone(named) or ZoneInfo("UTC")
        hidden = ForgetFilter(sources.topics, where.key)
        turns: list[Turn] = []
        digests: list[tuple[int, str]] = []
        for one in sources.contents:
            kept = hidden.kept(consent.kept(one.messages), of=one.id)
            places = [_at(message, one.id, sources.first[one.id]) for message in kept]
            turns += (turn for turn in places if turn.place < until)
            if one.summary and kept and not hidden.at(kept[0].said_at, one.summary, of=one.id):
                day = f"{kept[0].said_at.astimezone(where):%Y-%m-%d}"
                digests.append((places[0].place, f"{day}: {one.summary}"))
        _, shorter = with_short_outputs(turns, self._history(chat).tool_output_chars)
        told = [(one.place, one.role, one.content) for one in turns]
        basis = msgspec.json.encode((told, sources.topics))
        messages = (Message(one.place, one.role, one.content, one.said_at, one.tool_name) for one in shorter)
        return _WrittenChat(
            tuple(sorted(sources.first)),
            tuple(messages),
            tuple(digests),
            sources.there,
            sources.latest,
            where,
            hashlib.blake2b(basis, digest_size=16).hexdigest(),
        )

    def _agent(self, chat: ChatKey) -> Agent:
        return self._templates.agent(chat.agent_id).in_writing.agent

    def _history(self, chat: ChatKey) -> HistoryRules:
        return self._rules.history.of(self._agent(chat))


class _Sources(Struct, frozen=True):
    """What was read. `first` are the sittings' first places, by conversation."""

    first: dict[int, int]
    contents: Sequence[day_segments.Content]
    topics: Sequence[ForgottenTopic]
    there: StoredChatSummary | None
    latest: int
    timezone: str


def _to_read(written: _WrittenChat, wish: _Wish) -> tuple[str, Sequence[Message]]:
    """Read on from the earlier summary; what a person wrote always counts."""
    there = written.there
    if there is None or (wish.anew and there.source != "person"):
        return "", written.messages
    if wish.anew:
        return there.text, written.messages
    return there.text, [one for one in written.messages if one.position >= there.until]


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


def _row(
    chat: ChatKey, written: _WrittenChat, wish: _Wish, text: str, source: Source, model: str = ""
) -> NewChatSummary:
    return NewChatSummary(
        text,
        wish.until,
        wish.condenses,
        chat_id=chat.chat_id,
        sources=written.sources,
        source=source,
        model=model,
        focus=wish.focus,
    )
