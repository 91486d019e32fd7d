"""Chats: what the host application's own text agent tells us of, message by message.

    told ──→ stored, findable at once ──→ every ten messages, or when they fill a message history, or after a minute
                                          of silence: understood so far, its day summed up, the prompt made anew
         ──→ ended, or silent for as long as ends a session: understood, also by the model

Each sitting is a conversation. It is over after a pause, and when it is long: what there is to do about one
more message never grows with what was said in years. Who tells the same again changes nothing; what is said within the
pause takes a sitting up again that was said to have ended.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context import working_memory
from voice_server.context.budget import Count
from voice_server.digest.privacy import consent
from voice_server.digest.privacy.secrets_messages import may_be_of, redacted_messages
from voice_server.domain import day
from voice_server.domain.conversation import Message, Role
from voice_server.domain.day import Trigger
from voice_server.errors import Conflict, NotFound
from voice_server.jobs import digest_requests, index, rebuild
from voice_server.jobs.ingest import understand
from voice_server.store import agents, chats, conversations, users
from voice_server.store.chats import PLATFORM, Chat, Silent, Sitting

QUIET = timedelta(minutes=1)  # nobody writes any more: what was said can be understood
LONGEST = 300  # messages of one sitting
_BATCH = 200
_SAID_BEFORE = 12  # messages of a chat that are read with the next ones: a number may go on there


class Said(Struct, frozen=True):
    """One message, as it is told. `said_at` (UTC) is None for now."""

    role: Role
    content: str
    said_at: datetime | None = None
    tool_name: str | None = None


class Told(Struct, frozen=True):
    """What is told of a chat, which has this id of the host application's, between a user and an agent. `named` is the
    id under which the user was named, who may have been merged. `first` is the position of the first message; None:
    behind what is there. `ended`: nothing comes behind them for now."""

    chat_id: str
    user_id: str
    named: str
    agent_id: str
    said: tuple[Said, ...]
    first: int | None = None
    ended: bool = False
    language: str = ""


class When(Struct, frozen=True):
    """The moment something is told (UTC), and the silence after which a sitting is over. `redacts`: transcripts
    have no secrets either."""

    now: datetime
    pause: timedelta
    redacts: bool = True


class _New(NamedTuple):
    """A message, and how it was said where that was otherwise and is kept."""

    message: Message
    verbatim: str | None = None


async def tell(connection: AsyncConnection, told: Told, count: Count, when: When) -> Chat:
    """Take down what was said; the chat as it stands then. After `users.lock`.

    Raises NotFound for an agent nobody knows, and for a chat that is not there when nothing is said in it; Conflict
    when the chat is somebody else's, when there are other messages at these positions, or when some before are missing.
    """
    await agents.require(connection, told.agent_id)
    chat = await chats.find(connection, told.chat_id)
    if chat is None and not told.said:
        raise NotFound(f"There is no chat {told.chat_id}: it begins with its first message.")
    chat = chat or Chat(0, None, None, None)
    _require_theirs(chat, told)
    said = _dated(await _new(connection, chat, told), chat.sitting, when.now)
    new = await _without_secrets(connection, chat, told, said, redacts=when.redacts) if said else []
    sitting = await _write(connection, chat, told, new, when)
    if new:
        await index.request(connection, told.user_id, told.agent_id)
    if sitting and sitting.goes_on:
        wish = any(consent.may_ask(one.message) for one in new)
        await _look_after(
            connection, sitting, told, "edit" if wish else await _due(connection, sitting, count)
        )
    return await chats.find(connection, told.chat_id) or chat


class Chats:
    """Looks after the chats that have gone quiet. `pause` ends a sitting; `clock` gives unix seconds."""

    def __init__(self, engine: AsyncEngine, clock: Callable[[], float], *, pause: timedelta) -> None:
        self._engine = engine
        self._clock = clock
        self._pause = pause

    async def wake(self) -> None:
        """End the sittings that are over, and have those understood so far in which nobody writes just now."""
        now = datetime.fromtimestamp(self._clock(), UTC)
        await self._end_those_over(now - self._pause)
        async with self._engine.begin() as connection:
            for one in await chats.quiet(connection, now - QUIET, _BATCH):
                await digest_requests.request(connection, one.id, one.user_id, one.agent_id, "silence")

    async def _end_those_over(self, before: datetime) -> None:
        async with self._engine.connect() as connection:
            over = await chats.over(connection, before, _BATCH)
        for one in over:
            async with self._engine.begin() as connection:
                await users.stay(connection)
                await users.lock(connection, one.user_id)
                chat = await chats.find(connection, one.chat_id)
                if chat and chat.sitting and _is_over(chat.sitting, one, before):
                    await _end(connection, chat.sitting, one.chat_id)


def _is_over(sitting: Sitting, found: Silent, before: datetime) -> bool:
    """Whether it still is: something may have been said meanwhile, or its user have been merged."""
    return sitting.goes_on and sitting.heard_at < before and sitting.user_id == found.user_id


def _require_theirs(chat: Chat, told: Told) -> None:
    if chat.user_id is not None and (chat.user_id, chat.agent_id) != (told.user_id, told.agent_id):
        raise Conflict(
            f"Chat {told.chat_id} is not one of user {told.user_id} with agent {told.agent_id}: give each chat an "
            "id of its own."
        )


async def _new(connection: AsyncConnection, chat: Chat, told: Told) -> Sequence[Said]:
    """Those messages that are not there yet."""
    first = chat.messages if told.first is None else told.first
    if first > chat.messages:
        raise Conflict(f"Messages {chat.messages} to {first - 1} of the chat are missing: send them first.")
    known = min(chat.messages - first, len(told.said))
    there = await chats.told(connection, told.chat_id, first, known) if known else {}
    for at, said in enumerate(told.said[:known], start=first):
        if at in there and not _is_same(there[at], said):
            raise Conflict(
                f"Message {at} of the chat is another one: what was said cannot be changed. Leave out `first` to add "
                "what is new."
            )
    return told.said[known:]


def _is_same(there: Message, said: Said) -> bool:
    """Whether it is the message that is there, as far as what was kept of that tells."""
    ours = (there.role, there.tool_name) == (said.role, said.tool_name)
    return ours and may_be_of(there.content, said.content)


async def _without_secrets(
    connection: AsyncConnection, chat: Chat, told: Told, said: Sequence[Message], *, redacts: bool
) -> list[_New]:
    """The new messages without secrets. One may have begun in those before, which are changed then."""
    first = max(chat.messages - _SAID_BEFORE, 0)
    there = await chats.told(connection, told.chat_id, first, chat.messages - first)
    before = sorted(there.items())
    # in a thread: 200 long messages take their time
    texts = await asyncio.to_thread(redacted_messages, [*(one for _, one in before), *said])
    changed = {
        at: text for (at, one), text in zip(before, texts[: len(before)], strict=True) if one.content != text
    }
    await chats.retell(connection, told.chat_id, changed, verbatim=not redacts)
    new = zip(said, texts[len(before) :], strict=True)
    return [
        _New(replace(one, content=text), None if redacts or text == one.content else one.content)
        for one, text in new
    ]


def _dated(said: Sequence[Said], sitting: Sitting | None, now: datetime) -> list[Message]:
    """Messages, none before the one before it, none later than now. Their positions are yet to be found."""
    after, dated = sitting.ended_at if sitting else None, []
    for one in said:
        moment = min(one.said_at or now, now)
        after = max(moment, after) if after else moment
        dated.append(Message(0, one.role, one.content, after, one.tool_name))
    return dated


def cut(
    said: Sequence[Message], room: int, ended_at: datetime | None, pause: timedelta, longest: int
) -> list[list[Message]]:
    """What was said, cut into sittings: after pauses, and when one has the `longest` number of messages. The first
    part is what goes on with the sitting there is, in which the latest was said at `ended_at`, and that has `room` for
    so many; it may be empty."""
    parts: list[list[Message]] = [[]]
    for one in said:
        if room <= 0 or ended_at is None or one.said_at - ended_at >= pause:
            parts.append([])
            room = longest
        parts[-1].append(one)
        room, ended_at = room - 1, one.said_at
    return parts


async def _write(
    connection: AsyncConnection, chat: Chat, told: Told, new: Sequence[_New], when: When
) -> Sitting | None:
    """Store what is new, in the sitting there is and in others; the last of them."""
    sitting = chat.sitting
    room, ended_at = (LONGEST - sitting.size, sitting.ended_at) if sitting else (0, None)
    going_on, *others = cut([one.message for one in new], room, ended_at, when.pause, LONGEST)
    verbatim = iter([one.verbatim for one in new])
    if sitting and going_on:
        if not sitting.goes_on:  # it is no longer the last time
            await rebuild.request(connection, sitting.user_id, sitting.agent_id)
        sitting = await _append(connection, sitting, going_on, verbatim, told, when)
    first = chat.messages + len(going_on)
    for part in others:
        if sitting and sitting.goes_on:
            await _end(connection, sitting, told.chat_id)
        sitting = await _append(
            connection, await _begin(connection, told, first, part[0]), part, verbatim, told, when
        )
        first += len(part)
    return sitting


async def _begin(connection: AsyncConnection, told: Told, first: int, message: Message) -> Sitting:
    sitting = await chats.begin(
        connection,
        told.chat_id,
        user_id=told.user_id,
        known_as=told.named,
        agent_id=told.agent_id,
        first=first,
        at=message.said_at,
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
    told: Told,
    when: When,
) -> Sitting:
    words = list(islice(verbatim, len(said)))
    placed = [replace(one, position=position) for position, one in enumerate(said, start=sitting.size)]
    return await chats.append(
        connection, sitting, placed, at=when.now, language=told.language, verbatim=words
    )


async def _look_after(
    connection: AsyncConnection, sitting: Sitting, told: Told, trigger: Trigger | None
) -> None:
    """End it, or have it understood so far, if there is a reason: what is to be forgotten is told no more."""
    if told.ended:
        await _end(connection, sitting, told.chat_id)
    elif trigger:
        await chats.asked(connection, sitting)
        await digest_requests.request(
            connection, sitting.conversation_id, sitting.user_id, sitting.agent_id, trigger
        )


async def _due(connection: AsyncConnection, sitting: Sitting, count: Count) -> Trigger | None:
    """Whether it is to be understood so far, by what was said since that was last asked for."""
    new = sitting.size - sitting.asked
    trigger = day.due(new, 0, working_memory.MOST)
    if trigger or not new:
        return trigger
    said = await chats.contents(connection, sitting.conversation_id, sitting.asked)
    return day.due(new, sum(map(count, said)), working_memory.MOST)


async def _end(connection: AsyncConnection, sitting: Sitting, chat_id: str) -> None:
    known = await conversations.find(connection, PLATFORM, f"{chat_id}:{sitting.first}")
    if known is not None:
        await chats.end(connection, known.id)
        await chats.asked(connection, sitting)
        await understand(connection, known.id, known.user_id or sitting.user_id, known, known.outcome)
