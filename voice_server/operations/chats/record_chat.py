"""Chats: what the host application's own text agent tells us, message by message.

    told ──→ stored, findable at once ──→ every ten messages, when they fill a message history, or after
                                          a minute of silence: understood so far, day and prompt made anew
         ──→ ended, or silent for as long as ends a session: understood, also by the model

Each sitting is a conversation. It is over after a pause, and when it is long: the work for a message never
grows with what was said in years. Telling it again changes nothing; what is said within the pause takes up an
ended sitting again.
"""

import contextlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace
from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context import working_memory
from voice_server.context.layout.budget import Count
from voice_server.digest.privacy import consent
from voice_server.digest.secrets.messages import may_be_of, redacted_messages
from voice_server.domain import days
from voice_server.domain.conversation import ChatMessage, Message, chat_named, continuous_id
from voice_server.domain.days import Trigger
from voice_server.errors import Conflict, NotFound
from voice_server.operations import learning
from voice_server.operations.people import revoke
from voice_server.queue import chat_requests, day_requests, digest_requests, index_requests, prompt_requests
from voice_server.store import session
from voice_server.store.conversations import chat_summaries, chats, conversations
from voice_server.store.conversations.chats import PLATFORM, Chat, Sitting
from voice_server.store.knowledge import digests
from voice_server.store.people import agents, users

LONGEST = 300  # messages of one sitting
_TRIES = 3  # readings before a chat that goes on meanwhile is held up for one
_WHENEVER = datetime(1970, 1, 1, tzinfo=UTC)
_AT_ONCE = (
    4000  # characters that are read, in some milliseconds, within the transaction: it spares another one
)
_SAID_BEFORE = 12  # messages of a chat that are read with the next ones: a number may go on there


class ChatUpdate(Struct, frozen=True):
    """What is told of a chat. `named` is the id under which the user was named, who may have been merged.
    `first` is the position of the first message; None: behind what is there. `ended`: nothing follows for
    now."""

    chat_id: str
    named: str
    agent_id: str
    said: tuple[ChatMessage, ...]
    first: int | None = None
    ended: bool = False
    language: str = ""


class RecordingRules(Struct, frozen=True):
    """How a chat is recorded. `pause` ends a sitting; `redacts`: transcripts have no secrets either;
    `sums_up`: what a chat's history has no room for is summed up."""

    now: datetime
    pause: timedelta
    redacts: bool = True
    sums_up: bool = False


class RecordingHook(Protocol):
    """What is written in the same transaction, or not at all."""

    async def before(self, connection: AsyncConnection) -> None:
        """Write with the user locked, before anything else. What it raises keeps all from being written."""

    async def after(self, connection: AsyncConnection, chat: Chat) -> None:
        """Write when all else is written."""


class Basis(Struct, frozen=True):
    """What a reading is made from: the chat's last messages by their positions, without times, and what is
    new."""

    before: tuple[tuple[int, ChatMessage], ...]
    new: tuple[ChatMessage, ...]

    @property
    def size(self) -> int:
        """In characters."""
        return sum(len(one.content) for _, one in self.before) + sum(len(one.content) for one in self.new)


class Reading(Struct, frozen=True):
    """New messages as read. `changed` are texts of earlier messages, by position, in which a secret had
    begun; `texts` those of the new ones. `wish`: something is to be forgotten."""

    basis: Basis
    changed: Mapping[int, str]
    texts: tuple[str, ...]
    wish: bool


class _WrittenTurn(NamedTuple):
    told: ChatUpdate
    user_id: str
    chat: Chat
    reading: Reading
    when: RecordingRules


class _NewMessage(NamedTuple):
    message: Message
    verbatim: str | None = None


async def tell(
    engine: AsyncEngine,
    redis: Redis,
    told: ChatUpdate,
    count: Count,
    when: RecordingRules,
    hook: RecordingHook | None = None,
) -> Chat:
    """Take down what was said, with what `hook` writes; return the chat as it stands then.

    A few messages are read within the transaction. Megabytes take seconds: they are read with no transaction
    open, and again when the chat has gone on meanwhile; the last time within the transaction. Raises NotFound
    for an unknown user or agent, and for an unknown chat in which nothing is said; Conflict when the chat is
    somebody else's, has other messages at these positions, or lacks some before.
    """
    reading = None
    for tries_left in reversed(range(_TRIES)):
        async with _locked(engine, told.named) as (connection, user_id):
            told = replace(told, chat_id=chat_named(told.chat_id, user_id, told.agent_id))
            chat = await _chat(connection, user_id, told)
            basis = await _basis(connection, chat, told)
            if not tries_left or not basis.new or basis.size <= _AT_ONCE:
                reading = await session.aside(read, basis)
            if reading and reading.basis == basis:
                if hook:
                    await hook.before(connection)
                chat = await _take_down(
                    connection, redis, _WrittenTurn(told, user_id, chat, reading, when), count
                )
                if hook:
                    await hook.after(connection, chat)
                return chat
        reading = await session.aside(read, basis)
    raise RuntimeError("the last try reads what it writes")


async def add(
    connection: AsyncConnection,
    redis: Redis,
    told: ChatUpdate,
    user_id: str,
    chat: Chat | None,
    count: Count,
    when: RecordingRules,
) -> Chat | None:
    """Take down what is said next in a chat of this user's, as it was found after `users.lock`; return it as
    it stands then. None when that is too long to be read within the transaction: `tell` it."""
    chat = chat or Chat(0, None, None, None)
    basis = await _basis(connection, chat, told)
    if basis.size > _AT_ONCE:
        return None
    reading = await session.aside(read, basis)
    return await _take_down(connection, redis, _WrittenTurn(told, user_id, chat, reading, when), count)


def read(basis: Basis) -> Reading:
    """Read new messages for secrets and wishes. Pure."""
    said = [_message(one) for one in (*(there for _, there in basis.before), *basis.new)]
    texts = redacted_messages(said)
    of_before, of_new = texts[: len(basis.before)], texts[len(basis.before) :]
    there = zip(basis.before, of_before, strict=True)
    changed = {at: text for (at, one), text in there if one.content != text}
    kept = (replace(_message(one), content=text) for one, text in zip(basis.new, of_new, strict=True))
    return Reading(basis, changed, tuple(of_new), any(map(consent.may_ask, kept)))


@contextlib.asynccontextmanager
async def _locked(engine: AsyncEngine, named: str) -> AsyncIterator[tuple[AsyncConnection, str]]:
    session.expect_answer()
    async with engine.begin() as connection:
        await users.stay(connection)
        yield connection, await users.hold(connection, named)


async def _chat(connection: AsyncConnection, user_id: str, told: ChatUpdate) -> Chat:
    await agents.require(connection, told.agent_id)
    chat = await chats.find_theirs(connection, told.chat_id, user_id, told.agent_id)
    if chat is None and not told.said:
        raise NotFound(f"There is no chat {told.chat_id}: it begins with its first message.")
    chat = chat or Chat(0, None, None, None)
    if chat.user_id is not None and (chat.user_id, chat.agent_id) != (user_id, told.agent_id):
        raise Conflict(
            f"Chat {told.chat_id} is not one of user {user_id} with agent {told.agent_id}: give each chat an "
            "id of its own."
        )
    return chat


def _is_continuous(told: ChatUpdate, user_id: str) -> bool:
    return told.chat_id == continuous_id(user_id, told.agent_id)


async def _basis(connection: AsyncConnection, chat: Chat, told: ChatUpdate) -> Basis:
    new = tuple(await _new(connection, chat, told))
    first = max(chat.messages - _SAID_BEFORE, 0)
    goes_on = new and chat.messages
    there = await chats.told(connection, told.chat_id, first, chat.messages - first) if goes_on else {}
    before = [
        (at, ChatMessage(one.role, one.content, tool_name=one.tool_name)) for at, one in sorted(there.items())
    ]
    return Basis(tuple(before), new)


async def _take_down(connection: AsyncConnection, redis: Redis, writing: _WrittenTurn, count: Count) -> Chat:
    told, user_id, chat, reading, when = writing
    changed = await chats.retell(connection, told.chat_id, reading.changed, verbatim=not when.redacts)
    async with _withdrawing(connection, redis, user_id, told.agent_id, changed):
        sitting = await _write(connection, writing, _without_secrets(writing))
        if reading.wish:  # it may tell what is to be forgotten
            await chat_summaries.remove_of_chat(connection, told.chat_id)
            await day_requests.forget_earlier(connection, user_id)
        if reading.basis.new:
            await index_requests.request(connection, user_id, told.agent_id)
            if sitting and when.sums_up and not _is_continuous(told, user_id):
                await chat_requests.request(connection, sitting.conversation_id)
        if sitting and sitting.goes_on:
            trigger = "edit" if reading.wish else await _due(connection, sitting, count, reading.texts)
            await _look_after(connection, sitting, told, trigger)
    if sitting is None or not reading.basis.new:
        return await chats.find(connection, told.chat_id) or chat
    sitting = replace(sitting, goes_on=not told.ended)
    return Chat(chat.messages + len(reading.basis.new), user_id, told.agent_id, sitting)


@contextlib.asynccontextmanager
async def _withdrawing(
    connection: AsyncConnection, redis: Redis, user_id: str, agent_id: str, changed: Sequence[int]
) -> AsyncIterator[None]:
    """Have conversations understood anew in which a secret had begun; until then nothing of them is told."""
    if not changed:
        yield
        return
    await revoke.hold(connection, user_id)
    async with revoke.withdrawing(connection, redis, user_id):
        for one in changed:
            await day_requests.withdraw(connection, user_id, agent_id, one)
            await digests.remove(connection, one)
        yield
        for one in changed:
            await digest_requests.request(connection, one, user_id, agent_id, "edit")
    await revoke.renew(connection, user_id)


async def _new(connection: AsyncConnection, chat: Chat, told: ChatUpdate) -> Sequence[ChatMessage]:
    first = chat.messages if told.first is None else told.first
    if first > chat.messages:
        raise Conflict(f"Messages {chat.messages} to {first - 1} of the chat are missing: send them first.")
    known = min(chat.messages - first, len(told.said))
    there = await chats.told(connection, told.chat_id, first, known) if known else {}
    for at, said in enumerate(told.said[:known], start=first):
        if at in there and not _is_same(there[at], said):
            raise Conflict(
                f"Message {at} of the chat is another one: what was said cannot be changed. Leave out "
                "`first` to add what is new."
            )
    return told.said[known:]


def _is_same(there: Message, said: ChatMessage) -> bool:
    ours = (there.role, there.tool_name) == (said.role, said.tool_name)
    return ours and may_be_of(there.content, said.content)


def _without_secrets(writing: _WrittenTurn) -> list[_NewMessage]:
    reading, redacts = writing.reading, writing.when.redacts
    said = _dated(reading.basis.new, writing.chat.sitting, writing.when.now)
    return [
        _NewMessage(replace(one, content=text), None if redacts or text == one.content else one.content)
        for one, text in zip(said, reading.texts, strict=True)
    ]


def _message(said: ChatMessage) -> Message:
    return Message(0, said.role, said.content, said.said_at or _WHENEVER, said.tool_name)


def _dated(said: Sequence[ChatMessage], sitting: Sitting | None, now: datetime) -> list[Message]:
    after, dated = sitting.ended_at if sitting else None, []
    for one in said:
        moment = min(one.said_at or now, now)
        after = max(moment, after) if after else moment
        dated.append(Message(0, one.role, one.content, after, one.tool_name))
    return dated


def cut(
    said: Sequence[Message], room: int, ended_at: datetime | None, pause: timedelta, longest: int
) -> list[list[Message]]:
    """Cut messages into sittings: after pauses, and at `longest` messages. The first part, which may be
    empty, goes on with the sitting there is, which was last heard at `ended_at` and has `room` for so
    many."""
    parts: list[list[Message]] = [[]]
    for one in said:
        if room <= 0 or ended_at is None or one.said_at - ended_at >= pause:
            parts.append([])
            room = longest
        parts[-1].append(one)
        room, ended_at = room - 1, one.said_at
    return parts


async def _write(
    connection: AsyncConnection, writing: _WrittenTurn, new: Sequence[_NewMessage]
) -> Sitting | None:
    told, chat, when = writing.told, writing.chat, writing.when
    sitting = chat.sitting
    room, ended_at = (LONGEST - sitting.size, sitting.ended_at) if sitting else (0, None)
    going_on, *others = cut([one.message for one in new], room, ended_at, when.pause, LONGEST)
    verbatim = iter([one.verbatim for one in new])
    if sitting and going_on:
        if not sitting.goes_on:  # it is no longer the last time
            await prompt_requests.request(connection, sitting.user_id, sitting.agent_id)
        sitting = await _append(connection, sitting, going_on, verbatim, told, when)
    first = chat.messages + len(going_on)
    for part in others:
        if sitting and sitting.goes_on:
            await end(connection, sitting, told.chat_id)
        sitting = await _append(
            connection, await _begin(connection, writing, first, part[0]), part, verbatim, told, when
        )
        first += len(part)
    return sitting


async def _begin(connection: AsyncConnection, writing: _WrittenTurn, first: int, message: Message) -> Sitting:
    told = writing.told
    sitting = await chats.begin(
        connection,
        told.chat_id,
        user_id=writing.user_id,
        known_as=told.named,
        agent_id=told.agent_id,
        first=first,
        at=message.said_at,
        channel="continuous" if _is_continuous(told, writing.user_id) else "text",
    )
    if sitting is None:
        raise Conflict(
            f"Somebody else has just begun a chat {told.chat_id}: give each chat an id of its own."
        )
    return sitting


async def _append(
    connection: AsyncConnection,
    sitting: Sitting,
    said: Sequence[Message],
    verbatim: Iterator[str | None],
    told: ChatUpdate,
    when: RecordingRules,
) -> Sitting:
    words = list(islice(verbatim, len(said)))
    placed = [replace(one, position=position) for position, one in enumerate(said, start=sitting.size)]
    return await chats.append(
        connection, sitting, placed, at=when.now, language=told.language, verbatim=words
    )


async def _look_after(
    connection: AsyncConnection, sitting: Sitting, told: ChatUpdate, trigger: Trigger | None
) -> None:
    if told.ended:
        await end(connection, sitting, told.chat_id)
    elif trigger:
        await chats.asked(connection, sitting)
        await digest_requests.request(
            connection, sitting.conversation_id, sitting.user_id, sitting.agent_id, trigger
        )


async def _due(
    connection: AsyncConnection, sitting: Sitting, count: Count, written: Sequence[str]
) -> Trigger | None:
    new = sitting.size - sitting.asked
    trigger = days.due(new, 0, working_memory.MOST)
    if trigger or not new:
        return trigger
    if new <= len(written):
        said = written[-new:]
    else:
        said = await chats.contents(connection, sitting.conversation_id, sitting.asked)
    return days.due(new, sum(map(count, said)), working_memory.MOST)


async def end(connection: AsyncConnection, sitting: Sitting, chat_id: str) -> None:
    known = await conversations.find(connection, PLATFORM, f"{chat_id}:{sitting.first}")
    if known is not None:
        await chats.end(connection, known.id)
        await chats.asked(connection, sitting)
        await learning.learn(connection, known.id, known.user_id or sitting.user_id, known, known.outcome)
