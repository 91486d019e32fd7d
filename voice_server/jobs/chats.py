"""Chats: what the host application's own text agent tells us of, message by message.

    told ──→ stored, findable at once ──→ every ten messages, or when they fill a message history, or after a minute
                                          of silence: understood so far, its day summed up, the prompt made anew
         ──→ ended, or silent for as long as ends a session: understood, also by the model

Who is told the same again changes nothing; what is said after the end takes the chat up again.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context import working_memory
from voice_server.context.budget import Count
from voice_server.domain import day
from voice_server.domain.conversation import Message, Role
from voice_server.domain.day import Trigger
from voice_server.errors import Conflict, NotFound
from voice_server.jobs import index, queue
from voice_server.jobs.ingest import DIGEST, understand
from voice_server.store import agents, chats, conversations, users
from voice_server.store.chats import PLATFORM, Chat

QUIET = timedelta(minutes=1)  # nobody writes any more: what was said can be understood
_BATCH = 200


class Said(Struct, frozen=True):
    """One message, as it is told. `said_at` (UTC) is None for now."""

    role: Role
    content: str
    said_at: datetime | None = None
    tool_name: str | None = None


class Told(Struct, frozen=True):
    """What is told of a chat, which has this id of the host application's, between a user and an agent. `first` is
    the position of the first message; None: behind what is there. `ended`: nothing comes behind them."""

    chat_id: str
    user_id: str
    agent_id: str
    said: tuple[Said, ...]
    first: int | None = None
    ended: bool = False
    language: str = ""


async def tell(connection: AsyncConnection, told: Told, count: Count, now: datetime) -> Chat:
    """Take down what was said; the chat as it stands then. After `users.lock`.

    Raises NotFound for an agent nobody knows, and for a chat that is not there when nothing is said in it; Conflict
    when the chat is somebody else's, when there are other messages at these positions, or when some before are missing.
    """
    await agents.require(connection, told.agent_id)
    chat = await _chat(connection, told, now)
    new = await _new(connection, chat, told, now)
    if new:
        await chats.append(connection, chat, new, language=told.language)
        await index.request(connection, chat.user_id, chat.agent_id)
    if told.ended and (new or chat.goes_on):
        await _end(connection, told.chat_id, chat.user_id)
    elif new and (trigger := await _due(connection, chat, new, count)):
        await _understand_so_far(connection, chat.id, trigger)
    return await _there(connection, told.chat_id)


class Chats:
    """Looks after the chats that have gone quiet. `pause` ends a session; `clock` gives unix seconds."""

    def __init__(self, engine: AsyncEngine, clock: Callable[[], float], *, pause: timedelta) -> None:
        self._engine = engine
        self._clock = clock
        self._pause = pause

    async def wake(self) -> None:
        """End the chats that are over, and have those understood so far in which nobody writes just now."""
        now = datetime.fromtimestamp(self._clock(), UTC)
        await self._end_those_over(now - self._pause)
        async with self._engine.begin() as connection:
            for id_ in await chats.awaiting_digest(connection, now - QUIET, _BATCH):
                await _understand_so_far(connection, id_, "silence")

    async def _end_those_over(self, before: datetime) -> None:
        async with self._engine.connect() as connection:
            over = await chats.ending(connection, before, _BATCH)
        for one in over:
            async with self._engine.begin() as connection:
                await users.stay(connection)
                await users.lock(connection, one.user_id)
                chat = await chats.find(connection, one.chat_id)
                if chat and chat.user_id == one.user_id and chat.goes_on and chat.ended_at < before:
                    await _end(connection, one.chat_id, chat.user_id)


async def _chat(connection: AsyncConnection, told: Told, now: datetime) -> Chat:
    """The chat; begun, when something is said in it."""
    chat = await chats.find(connection, told.chat_id)
    if chat is None and told.said:
        began = _moment(told.said[0], now, now)
        await chats.begin(connection, told.chat_id, told.user_id, told.agent_id, began)
    chat = chat or await _there(connection, told.chat_id)
    if (chat.user_id, chat.agent_id) != (told.user_id, told.agent_id):
        raise Conflict(
            f"Chat {told.chat_id} is not one of user {told.user_id} with agent {told.agent_id}: give another chat "
            "an id of its own."
        )
    return chat


async def _there(connection: AsyncConnection, chat_id: str) -> Chat:
    chat = await chats.find(connection, chat_id)
    if chat is None:
        raise NotFound(f"There is no chat {chat_id}: it begins with its first message.")
    return chat


async def _new(connection: AsyncConnection, chat: Chat, told: Told, now: datetime) -> list[Message]:
    """Those messages that are not there yet."""
    first = chat.messages if told.first is None else told.first
    if first > chat.messages:
        raise Conflict(f"Messages {chat.messages} to {first - 1} of the chat are missing: send them first.")
    known = await chats.told(connection, chat.id, first, len(told.said)) if first < chat.messages else []
    for there, said in zip(known, told.said, strict=False):
        if (there.role, there.content, there.tool_name) != (said.role, said.content, said.tool_name):
            raise Conflict(
                f"Message {there.position} of the chat is another one: what was said cannot be changed. Leave out "
                "`first` to add what is new."
            )
    return _dated(told.said[len(known) :], first + len(known), chat.ended_at if chat.messages else None, now)


def _dated(said: Sequence[Said], first: int, after: datetime | None, now: datetime) -> list[Message]:
    """Messages, none before the one before it, none later than now."""
    dated = []
    for position, one in enumerate(said, start=first):
        after = _moment(one, after, now)
        dated.append(Message(position, one.role, one.content, after, one.tool_name))
    return dated


def _moment(said: Said, after: datetime | None, now: datetime) -> datetime:
    moment = min(said.said_at or now, now)
    return max(moment, after) if after else moment


async def _due(
    connection: AsyncConnection, chat: Chat, new: Sequence[Message], count: Count
) -> Trigger | None:
    """Whether it is to be understood so far."""
    behind = chat.messages - chat.understood
    trigger = day.due(behind + len(new), 0, working_memory.MOST)
    if trigger:
        return trigger
    before = await chats.told(connection, chat.id, chat.understood, behind) if behind > 0 else []
    tokens = sum(count(one.content) for one in (*before, *new))
    return day.due(behind + len(new), tokens, working_memory.MOST)


async def _understand_so_far(connection: AsyncConnection, id_: int, trigger: Trigger) -> None:
    """Have it digested, and its day summed up then; once, however often it is asked for before that begins."""
    payload = {"conversation_id": id_, "trigger": trigger}
    await queue.enqueue(connection, DIGEST, payload, key=f"{DIGEST}:{id_}")


async def _end(connection: AsyncConnection, chat_id: str, user_id: str) -> None:
    known = await conversations.find(connection, PLATFORM, chat_id)
    if known is not None:
        await chats.end(connection, known.id)
        await understand(connection, known.id, user_id, known, known.outcome)
