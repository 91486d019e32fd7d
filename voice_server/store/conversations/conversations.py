"""Conversations and their messages, idempotent on the platform's conversation id."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.conversation import Channel, Conversation, Message
from voice_server.store.json_rows import inserting, packed, replacing
from voice_server.store.search import vectors
from voice_server.store.session import Statement
from voice_server.store.tables import conversations, messages

Outcome = Literal["talked", "silent", "voicemail", "short", "declined", "failed"]


class DigestibleConversation(Struct, frozen=True):
    """A conversation as the digest needs it. `collected` is what the platform's data collection found, by
    item."""

    user_id: str
    agent_id: str
    started_at: datetime
    channel: Channel
    language: str
    platform_summary: str
    goes_on: bool
    messages: tuple[Message, ...]
    collected: dict[str, str | int | float | bool] = {}


async def save(  # noqa: PLR0913 (what an event says, and what was found out about it)
    connection: AsyncConnection,
    conversation: Conversation,
    *,
    user_id: str | None,
    outcome: Outcome,
    event_id: int,
    event_timestamp: int,
    timezone: str = "",
    known_as: str = "",
    verbatim: Mapping[int, str] | None = None,
) -> int | None:
    """Store a conversation over what an earlier event said of it; return its id, or None when a later event
    was stored already: deliveries come in any order. `known_as` is the caller's address, or the user id that
    came back without one; `verbatim` has, by position, messages that were said otherwise, for people."""
    seen = {"user_id": user_id, "known_as": known_as, "outcome": outcome, "timezone": timezone}
    event = {"event_id": event_id, "event_timestamp": event_timestamp}
    values = {**_told(conversation), **seen, **event}
    saved = await _saving(tuple(values)).rows(connection, {"rows": packed([values])})
    if not saved:
        return None
    id_, is_new = saved[0]
    if not is_new:
        await _forget_messages(connection, id_)
    await _add_messages(connection, id_, conversation.messages, verbatim or {})
    return int(id_)


@cache
def _saving(columns: tuple[str, ...]) -> Statement:
    """Let newer events win; a failure never replaces a call that took place, which replaces a failure in any
    case. The statement returns whether the row is new: one that is written over has an `xmax`."""
    new = replacing([name for name in columns if name not in ("platform", "platform_id")])
    return Statement(f"""{inserting("conversations", columns)}
        on conflict (platform, platform_id) do update set {new}
        where case when (conversations.outcome = 'failed') = (excluded.outcome = 'failed')
            then conversations.event_timestamp <= excluded.event_timestamp
            else excluded.outcome <> 'failed' end
        returning id, conversations.xmax = 0""")


def _told(conversation: Conversation) -> dict[str, object]:
    return {
        "platform": conversation.platform,
        "platform_id": conversation.id,
        "agent_id": conversation.agent_id,
        "channel": conversation.channel,
        "started_at": conversation.started_at,
        "ended_at": conversation.started_at + timedelta(seconds=conversation.duration),
        "language": conversation.language,
        "platform_summary": conversation.summary,
        "collected": conversation.collected,
        "prompt_version": conversation.prompt_version,
        "caller_name": conversation.caller_name,
    }


async def owner(connection: AsyncConnection, platform: str, platform_id: str) -> str | None:
    rows = await _OWNER.rows(connection, {"platform": platform, "id": platform_id})
    return next((user_id for (user_id,) in rows), None)


class StoredConversation(Struct, frozen=True):
    id: int
    agent_id: str
    user_id: str | None
    outcome: Outcome
    started_at: datetime
    known_as: str


async def find(connection: AsyncConnection, platform: str, platform_id: str) -> StoredConversation | None:
    columns = [conversations.c[name] for name in StoredConversation.__struct_fields__]
    named = (conversations.c.platform == platform) & (conversations.c.platform_id == platform_id)
    row = (await connection.execute(sa.select(*columns).where(named))).first()
    return None if row is None else StoredConversation(*row)


async def move(connection: AsyncConnection, id_: int, user_id: str) -> None:
    """Give a conversation to another user. What was understood from it is made anew, not moved."""
    whose = {"user_id": user_id}
    await connection.execute(sa.update(conversations).where(conversations.c.id == id_).values(whose))
    await vectors.move(connection, id_, user_id)


async def to_digest(connection: AsyncConnection, id_: int) -> DigestibleConversation | None:
    """Return a conversation in which something was said, or None when it is gone or nothing was."""
    rows = await _TO_DIGEST.rows(connection, {"conversation": id_})
    return await with_messages(connection, id_, rows[0]) if rows else None


async def with_messages(connection: AsyncConnection, id_: int, told: Sequence[Any]) -> DigestibleConversation:
    rows = await _MESSAGES.rows(connection, {"conversation": id_})
    said = tuple(Message(*one) for one in rows)
    return DigestibleConversation(messages=said, **dict(zip(_TOLD, told, strict=True)))


async def _forget_messages(connection: AsyncConnection, id_: int) -> None:
    await connection.execute(_FORGET_MESSAGES, {"conversation": id_})
    await vectors.remove(connection, id_)


async def _add_messages(
    connection: AsyncConnection, id_: int, said: tuple[Message, ...], verbatim: Mapping[int, str]
) -> None:
    rows = [
        {
            "conversation_id": id_,
            "position": one.position,
            "role": one.role,
            "content": one.content,
            "verbatim": verbatim.get(one.position),
            "tool_name": one.tool_name,
            "said_at": one.said_at,
        }
        for one in said
    ]
    if rows:
        await _ADD_MESSAGES.rows(connection, {"rows": packed(rows)})


_OWNER = Statement("select user_id from conversations where platform = :platform and platform_id = :id")
_TOLD = [name for name in DigestibleConversation.__struct_fields__ if name != "messages"]
TO_DIGEST = sa.select(*(conversations.c[name] for name in _TOLD)).where(
    conversations.c.id == sa.bindparam("conversation"),
    conversations.c.outcome == "talked",
    conversations.c.user_id.is_not(None),
)
_TO_DIGEST = Statement(TO_DIGEST)
_MESSAGES = Statement(
    sa.select(*(messages.c[name] for name in Message.__struct_fields__))
    .where(messages.c.conversation_id == sa.bindparam("conversation"))
    .order_by(messages.c.position)
)
_FORGET_MESSAGES = sa.text("delete from messages where conversation_id = :conversation")
_ADD_MESSAGES = Statement(inserting("messages", messages.c.keys()))
