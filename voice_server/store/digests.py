"""Digests, and the open threads they opened."""

from datetime import datetime

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.digest import Digest
from voice_server.store.tables import conversations, digests, open_threads

_EARLIER = 50  # digests whose keywords say how common a word is in this user's talk


async def save(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str, digest: Digest
) -> None:
    """Store the digest of a conversation and its threads, over an earlier digest of the same.

    Threads that were closed in the meantime stay closed: only open ones are replaced.
    """
    values = {
        "conversation_id": conversation_id,
        "user_id": user_id,
        "source": digest.source,
        "summary": digest.summary,
        "key_moments": msgspec.to_builtins(digest.key_moments),
        "keywords": list(digest.keywords),
        "stems": list(digest.stems),
        "language": digest.language,
    }
    statement = insert(digests).values(values)
    await connection.execute(
        statement.on_conflict_do_update(
            index_elements=["conversation_id"], set_={name: statement.excluded[name] for name in values}
        )
    )
    await _replace_threads(connection, conversation_id, user_id, agent_id, digest)


async def remove(connection: AsyncConnection, conversation_id: int) -> bool:
    """Take back what was understood from a conversation; whether there was anything."""
    await connection.execute(sa.delete(open_threads).where(open_threads.c.conversation_id == conversation_id))
    statement = sa.delete(digests).where(digests.c.conversation_id == conversation_id)
    return (await connection.execute(statement.returning(digests.c.conversation_id))).first() is not None


async def stems_before(connection: AsyncConnection, user_id: str, started_at: datetime) -> list[list[str]]:
    """The stems of the user's latest conversations that started before; of each its own, in any order."""
    earlier = (digests.c.user_id == user_id) & (conversations.c.started_at < started_at)
    statement = (
        sa.select(digests.c.stems)
        .join(conversations, conversations.c.id == digests.c.conversation_id)
        .where(earlier)
        .order_by(conversations.c.started_at.desc(), conversations.c.id.desc())
        .limit(_EARLIER)
    )
    return [list(stems) for stems in (await connection.execute(statement)).scalars()]


async def digested_after(connection: AsyncConnection, user_id: str, started_at: datetime) -> list[int]:
    """The user's conversations that started next and were digested without the knowledge of this one."""
    later = (digests.c.user_id == user_id) & (conversations.c.started_at > started_at)
    statement = (
        sa.select(digests.c.conversation_id)
        .join(conversations, conversations.c.id == digests.c.conversation_id)
        .where(later)
        .order_by(conversations.c.started_at)
        .limit(_EARLIER)
    )
    return list((await connection.execute(statement)).scalars())


async def stems_of(connection: AsyncConnection, conversation_id: int) -> list[str] | None:
    """The stems kept with a conversation's digest; None before it has one."""
    statement = sa.select(digests.c.stems).where(digests.c.conversation_id == conversation_id)
    return (await connection.execute(statement)).scalar_one_or_none()


async def _replace_threads(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str, digest: Digest
) -> None:
    of_this = open_threads.c.conversation_id == conversation_id
    await connection.execute(sa.delete(open_threads).where(of_this, open_threads.c.status == "open"))
    closed = set((await connection.execute(sa.select(open_threads.c.text).where(of_this))).scalars())
    touched = (
        sa.select(conversations.c.ended_at).where(conversations.c.id == conversation_id).scalar_subquery()
    )
    rows = [
        {
            "user_id": user_id,
            "agent_id": agent_id,
            "conversation_id": conversation_id,
            "positions": list(thread.positions),
            "kind": thread.kind,
            "said_by": thread.said_by,
            "text": thread.text,
            "said_on": thread.said_on,
            "due": thread.due,
            "touched_at": touched,
        }
        for thread in digest.open_threads
        if thread.text not in closed
    ]
    if rows:
        await connection.execute(insert(open_threads).values(rows))
