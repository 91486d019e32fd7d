"""Chats: conversations that are told us message by message. They go on until they are ended, and may be taken up again."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.conversation import Message
from voice_server.store.tables import conversations, messages

PLATFORM = "app"  # whose ids chats have: the host application's


class Chat(Struct, frozen=True):
    """A chat as it stands. `id` is ours; `ended_at` is when (UTC) the latest of its `messages` was said, of which the
    first `understood` were there when it was digested."""

    id: int
    user_id: str
    agent_id: str
    ended_at: datetime
    goes_on: bool
    messages: int
    understood: int


class Quiet(Struct, frozen=True):
    """A chat in which nothing was said for a while. `chat_id` is the host application's."""

    id: int
    chat_id: str
    user_id: str


async def find(connection: AsyncConnection, chat_id: str) -> Chat | None:
    """The chat with this id of the host application's."""
    row = (await connection.execute(_FIND, {"platform": PLATFORM, "chat": chat_id})).first()
    return None if row is None else Chat(*row)


async def begin(
    connection: AsyncConnection, chat_id: str, user_id: str, agent_id: str, started_at: datetime
) -> None:
    """A chat in which nothing was said yet, unless there is one of this id."""
    row = {
        "platform": PLATFORM,
        "platform_id": chat_id,
        "agent_id": agent_id,
        "user_id": user_id,
        "channel": "text",
        "outcome": "silent",
        "started_at": started_at,
        "ended_at": started_at,
        "known_as": user_id,
        "goes_on": True,
    }
    await connection.execute(insert(conversations).values(row).on_conflict_do_nothing())


async def append(
    connection: AsyncConnection, chat: Chat, said: Sequence[Message], *, language: str = ""
) -> None:
    """More was said: the chat goes on. `language` is its own from now on, "" leaves it. After `users.lock`."""
    whose = {"conversation_id": chat.id, "user_id": chat.user_id}
    await connection.execute(sa.insert(messages), [{**whose, **asdict(one)} for one in said])
    values: dict[str, object] = {"ended_at": said[-1].said_at, "goes_on": True}
    if any(one.role == "user" for one in said):
        values["outcome"] = "talked"
    if language:
        values["language"] = language
    await connection.execute(sa.update(conversations).where(conversations.c.id == chat.id).values(values))


async def end(connection: AsyncConnection, id_: int) -> None:
    """The chat does not go on."""
    await connection.execute(sa.update(conversations).where(conversations.c.id == id_).values(goes_on=False))


async def told(connection: AsyncConnection, id_: int, first: int, count: int) -> list[Message]:
    """So many of a chat's messages, from the position `first` on."""
    columns = [messages.c[name] for name in Message.__struct_fields__]
    statement = sa.select(*columns).where(messages.c.conversation_id == id_, messages.c.position >= first)
    return [
        Message(*row)
        for row in await connection.execute(statement.order_by(messages.c.position).limit(count))
    ]


async def ending(connection: AsyncConnection, before: datetime, limit: int) -> list[Quiet]:
    """Chats that go on and in which nothing was said since a moment, the longest quiet first."""
    return [Quiet(*row) for row in await connection.execute(_ENDING, {"before": before, "limit": limit})]


async def awaiting_digest(connection: AsyncConnection, before: datetime, limit: int) -> list[int]:
    """Those of them in which more was said than is understood."""
    asked = {"before": before, "limit": limit}
    return list((await connection.execute(_AWAITING_DIGEST, asked)).scalars())


_FIND = sa.text("""
select c.id, c.user_id, c.agent_id, c.ended_at, c.goes_on,
    coalesce((select max(position) from messages m where m.conversation_id = c.id), -1) + 1, c.understood
from conversations c where c.platform = :platform and c.platform_id = :chat
""")
_ENDING = sa.text("""
select id, platform_id, user_id from conversations where goes_on and ended_at < :before
order by ended_at, id limit :limit
""")
_AWAITING_DIGEST = sa.text("""
select c.id from conversations c
where c.goes_on and c.ended_at < :before and c.outcome = 'talked'
    and (select max(position) from messages m where m.conversation_id = c.id) >= c.understood
order by c.ended_at, c.id limit :limit
""")
