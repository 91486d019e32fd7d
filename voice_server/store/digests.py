"""Digests, and the open threads they opened."""

from collections import Counter

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
        "language": digest.language,
    }
    statement = insert(digests).values(values)
    await connection.execute(
        statement.on_conflict_do_update(
            index_elements=["conversation_id"], set_={name: statement.excluded[name] for name in values}
        )
    )
    await _replace_threads(connection, conversation_id, user_id, agent_id, digest)


async def document_frequencies(
    connection: AsyncConnection, user_id: str, *, besides: int
) -> tuple[dict[str, int], int]:
    """In how many of the user's other latest conversations each keyword occurs, and how many those are."""
    others = (digests.c.user_id == user_id) & (digests.c.conversation_id != besides)
    statement = (
        sa.select(digests.c.keywords).where(others).order_by(digests.c.conversation_id.desc()).limit(_EARLIER)
    )
    earlier = (await connection.execute(statement)).scalars().all()
    return dict(Counter(word for keywords in earlier for word in set(keywords))), len(earlier)


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
