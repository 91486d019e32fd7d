"""Summaries of chats. The latest of a chat is told. An undone one loses its text, so that the one before it
is told again; its row stays to say how far nothing is summed up again by itself."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.chat_summary import ChatSummary, Source
from voice_server.store.session import Statement
from voice_server.store.tables import chat_summaries

_KEPT = 20  # of a chat


class ChatKey(Struct, frozen=True):
    chat_id: str
    user_id: str
    agent_id: str

    @property
    def whose(self) -> tuple[str, str]:
        return self.user_id, self.agent_id


class Sitting(Struct, frozen=True):
    """A conversation that has `size` messages of a chat, from the place `first` on."""

    conversation_id: int
    first: int
    size: int


class StoredChatSummary(ChatSummary, frozen=True, kw_only=True):
    id: int
    source: Source
    model: str
    focus: str
    made_at: datetime


class NewChatSummary(ChatSummary, frozen=True, kw_only=True):
    """A summary to keep. `sources` are the conversations it tells of, the latest last."""

    chat_id: str
    sources: Sequence[int]
    source: Source
    model: str = ""
    focus: str = ""


async def chat_of(connection: AsyncConnection, conversation_id: int) -> ChatKey | None:
    row = (await connection.execute(_CHAT_OF, {"conversation": conversation_id})).first()
    return ChatKey(*row) if row else None


async def sittings(
    connection: AsyncConnection, whose: tuple[str, str], chat_id: str, most: int
) -> list[Sitting]:
    """Return the latest sittings of a chat, in order, that hold `most` messages."""
    asked = {"chat": chat_id, "user": whose[0], "agent": whose[1], "most": most}
    return [Sitting(*row) for row in await connection.execute(_SITTINGS, asked)]


async def current(
    connection: AsyncConnection, whose: tuple[str, str], chat_id: str, before: int | None = None
) -> StoredChatSummary | None:
    """Return the latest summary that reaches no further than `before`, unless it tells of what is not this
    user's with this agent."""
    asked = {"chat": chat_id, "user": whose[0], "agent": whose[1], "before": before}
    rows = await _CURRENT.rows(connection, asked)
    told = (zip(StoredChatSummary.__struct_fields__, row, strict=True) for row in rows)
    return next((StoredChatSummary(**dict(one)) for one in told), None)


async def of_user(connection: AsyncConnection, user_id: str) -> list[StoredChatSummary]:
    rows = await connection.execute(_OF_USER, {"user": user_id})
    return [StoredChatSummary(**row) for row in rows.mappings()]


async def latest_id(connection: AsyncConnection, chat_id: str) -> int:
    """Return the id of the latest, undone or not; 0 for none."""
    newest = sa.select(sa.func.coalesce(sa.func.max(chat_summaries.c.id), 0))
    found = await connection.execute(newest.where(chat_summaries.c.chat_id == chat_id))
    return int(found.scalar_one())


async def reached(connection: AsyncConnection, chat_id: str) -> int:
    """Return how far the chat was summed up, undone or not."""
    furthest = sa.select(sa.func.coalesce(sa.func.max(chat_summaries.c.until), 0))
    found = await connection.execute(furthest.where(chat_summaries.c.chat_id == chat_id))
    return int(found.scalar_one())


async def keep(connection: AsyncConnection, made: NewChatSummary) -> None:
    """Store a summary to be told from now on. After `users.lock`."""
    row = {
        "chat_id": made.chat_id,
        "conversation_id": made.sources[-1],
        "sources": list(made.sources),
        "until": made.until,
        "text": made.text,
        "source": made.source,
        "model": made.model,
        "focus": made.focus,
        "condenses": made.condenses,
    }
    await connection.execute(sa.insert(chat_summaries).values(row))
    await connection.execute(_PRUNE, {"chat": made.chat_id, "kept": _KEPT})


async def undo(connection: AsyncConnection, id_: int) -> None:
    """Undo a summary: the one before it is told again, or none."""
    gone = {"text": "", "focus": ""}
    await connection.execute(sa.update(chat_summaries).where(chat_summaries.c.id == id_).values(gone))


async def remove_of(connection: AsyncConnection, conversation_id: int) -> None:
    """Remove the summaries that tell of a conversation."""
    await connection.execute(_REMOVE_OF, {"conversation": conversation_id})


async def remove_of_chat(connection: AsyncConnection, chat_id: str) -> None:
    await connection.execute(sa.delete(chat_summaries).where(chat_summaries.c.chat_id == chat_id))


async def remove_all(connection: AsyncConnection, user_ids: Sequence[str]) -> None:
    """Remove the summaries of all chats of these users."""
    await connection.execute(_REMOVE_ALL, {"users": list(user_ids)})


_CHAT_OF = sa.text("""
select s.chat_id, c.user_id, c.agent_id from sittings s join conversations c on c.id = s.conversation_id
where c.id = :conversation
""")
_SITTINGS = sa.text("""
with ours as (
    select s.conversation_id, s.first, s.size, sum(s.size) over (order by s.first desc) - s.size as behind
    from sittings s join conversations c on c.id = s.conversation_id
    where s.chat_id = :chat and c.user_id = :user and c.agent_id = :agent
)
select conversation_id, first, size from ours where behind < :most order by first
""")
_CURRENT = Statement("""
select s.text, s.until, s.condenses, s.id, s.source, s.model, s.focus, s.made_at from chat_summaries s
where s.chat_id = :chat and s.text <> '' and (cast(:before as int) is null or s.until <= :before)
and not exists (
    select from unnest(s.sources) as one (id) left join conversations c on c.id = one.id
    where c.user_id is distinct from :user or c.agent_id <> :agent
)
order by s.id desc limit 1
""")
_OF_USER = sa.text("""
select s.text, s.until, s.condenses, s.id, s.source, s.model, s.focus, s.made_at from chat_summaries s
join conversations c on c.id = s.conversation_id where c.user_id = :user and s.text <> '' order by s.id
""")
_PRUNE = sa.text("""
delete from chat_summaries where chat_id = :chat and id < (
    select min(id) from (
        select id from chat_summaries where chat_id = :chat order by id desc limit :kept
    ) latest
)
""")
_REMOVE_OF = sa.text("delete from chat_summaries where sources @> array[cast(:conversation as bigint)]")
_REMOVE_ALL = sa.text("""
delete from chat_summaries where sources && array(
    select id from conversations where user_id = any(cast(:users as text[]))
)
""")
