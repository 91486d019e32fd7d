"""Digests, and what follows from them: threads, thoughts, facts, the relationship."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import Insert, distinct_on, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.digest import Digest
from voice_server.store import facts, names, relationships, thoughts, threads
from voice_server.store.tables import conversations, digests

_EARLIER = 50  # digests whose keywords say how common a word is in this user's talk


async def save(
    connection: AsyncConnection,
    conversation_id: int,
    user_id: str,
    agent_id: str,
    digest: Digest,
    *,
    basis: str = "",
    awaits_model: bool = False,
) -> None:
    """Store the digest of a conversation, over an earlier digest of the same, with its threads and thoughts, and what
    it closed. After `users.lock`; `refresh` when it is the last of several.

    `basis` names what it was made from; `awaits_model` says that a model's digest is to replace it.
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
        "closes": list(digest.closes),
        "claims": msgspec.to_builtins(digest.claims),
        "thoughts": msgspec.to_builtins(digest.thoughts),
        "relationship": msgspec.to_builtins(digest.relationship),
        "caller_name": msgspec.to_builtins(digest.caller_name),
        "forgets": msgspec.to_builtins(digest.forgets),
        "agent_name": digest.agent_name,
        "model": digest.use.model,
        "tokens_in": digest.use.tokens_in,
        "tokens_out": digest.use.tokens_out,
        "awaits_model": awaits_model,
        "basis": basis,
    }
    await connection.execute(_saving(tuple(values)), values)
    at = await _ended_at(connection, conversation_id)
    await threads.replace(connection, conversation_id, user_id, agent_id, digest.open_threads, at=at)
    await thoughts.replace(connection, conversation_id, user_id, agent_id, digest.thoughts, at=at)
    await threads.settle(connection, conversation_id, digest.closes)


async def remove(connection: AsyncConnection, conversation_id: int) -> bool:
    """Take back what was understood from a conversation, with all that followed from it; whether there was anything.

    After `users.lock` of whom it was understood about, who need not be whose conversation it is by now.
    """
    await threads.remove(connection, conversation_id)
    await thoughts.remove(connection, conversation_id)
    statement = sa.delete(digests).where(digests.c.conversation_id == conversation_id)
    user_id = (await connection.execute(statement.returning(digests.c.user_id))).scalar_one_or_none()
    if user_id is None:
        return False
    await threads.settle(connection, conversation_id)
    agent = sa.select(conversations.c.agent_id).where(conversations.c.id == conversation_id)
    await refresh(connection, user_id, (await connection.execute(agent)).scalar_one())
    return True


async def refresh(connection: AsyncConnection, user_id: str, agent_id: str) -> None:
    """Make anew what all digests of a user and agent say together: the facts and the relationship, and what the user
    is called. After `users.lock`; ask for a rebuild."""
    await names.refresh(connection, user_id)
    await facts.refresh(connection, user_id, agent_id)
    await relationships.refresh(connection, user_id, agent_id)


async def _ended_at(connection: AsyncConnection, conversation_id: int) -> datetime:
    asked = {"conversation": conversation_id}
    ended_at: datetime = (await connection.execute(_ENDED_AT, asked)).scalar_one()
    return ended_at


async def stems_before(connection: AsyncConnection, user_id: str, started_at: datetime) -> list[list[str]]:
    """The stems of the user's latest conversations that started before; of each its own, in any order."""
    asked = {"user": user_id, "before": started_at}
    return [list(stems) for stems in (await connection.execute(_STEMS_BEFORE, asked)).scalars()]


async def stems_of(connection: AsyncConnection, conversation_id: int) -> list[str] | None:
    """The stems kept with a conversation's digest; None before it has one."""
    return (await connection.execute(_STEMS_OF, {"conversation": conversation_id})).scalar_one_or_none()


async def forgets_of(connection: AsyncConnection, conversation_id: int) -> list[list[str]]:
    """The topics to be forgotten that are kept with a conversation's digest."""
    asked = {"conversation": conversation_id}
    return (await connection.execute(_FORGETS_OF, asked)).scalar_one_or_none() or []


async def is_by_model(connection: AsyncConnection, conversation_id: int, basis: str) -> bool:
    """Whether there is a model's digest of a conversation, made from just this."""
    asked = {"conversation": conversation_id, "basis": basis}
    return (await connection.execute(_BY_MODEL, asked)).first() is not None


async def reweigh(
    connection: AsyncConnection, conversation_id: int, keywords: Sequence[str], stems: Sequence[str]
) -> None:
    """Replace the keywords and stems of a digest, and nothing else."""
    values = {"keywords": list(keywords), "stems": list(stems)}
    await connection.execute(
        sa.update(digests).where(digests.c.conversation_id == conversation_id).values(values)
    )


async def awaits_model(connection: AsyncConnection, conversation_id: int) -> bool:
    """Whether a conversation has a digest that the model's is to replace."""
    ours = (digests.c.conversation_id == conversation_id) & digests.c.awaits_model
    return (await connection.execute(sa.select(digests.c.conversation_id).where(ours))).first() is not None


async def await_model(
    connection: AsyncConnection, *, user_id: str | None = None, since: datetime | None = None
) -> int:
    """Let the model's digest replace those made without it, also where it was tried in vain: of a user, or all; of
    conversations that began since a moment, or all. How many now await it."""
    wanted = sa.select(conversations.c.id).where(conversations.c.outcome == "talked")
    if user_id is not None:
        wanted = wanted.where(conversations.c.user_id == user_id)
    if since is not None:
        wanted = wanted.where(conversations.c.started_at >= since)
    says_nothing = (digests.c.summary == "") & (digests.c.forgets != sa.text("'[]'::jsonb"))
    unread = (digests.c.source != "model") & ~says_nothing & digests.c.conversation_id.in_(wanted)
    marked = sa.update(digests).where(unread).values(awaits_model=True, model_tries=0)
    return len((await connection.execute(marked.returning(digests.c.conversation_id))).all())


async def next_for_model(connection: AsyncConnection, user_id: str, agent_id: str, tries: int) -> int | None:
    """The earliest conversation of a user and agent that awaits the model, and was not tried so often yet: each
    is read with the knowledge of those before it."""
    statement = _awaiting(tries).where(
        conversations.c.user_id == user_id, conversations.c.agent_id == agent_id
    )
    earliest = statement.order_by(conversations.c.started_at, conversations.c.platform_id).limit(1)
    return (await connection.execute(earliest)).scalar_one_or_none()


async def awaiting_model(connection: AsyncConnection, tries: int, limit: int) -> list[int]:
    """The earliest such conversation of every user and agent; those first that were tried least."""
    whose = (conversations.c.user_id, conversations.c.agent_id)
    order = (*whose, conversations.c.started_at, conversations.c.platform_id)
    earliest = (
        _awaiting(tries)
        .add_columns(digests.c.model_tries)
        .ext(distinct_on(*whose))
        .order_by(*order)
        .subquery()
    )
    ordered = sa.select(earliest.c.conversation_id).order_by(
        earliest.c.model_tries, earliest.c.conversation_id
    )
    return list((await connection.execute(ordered.limit(limit))).scalars())


async def count_try(connection: AsyncConnection, conversation_id: int, basis: str, weight: int) -> None:
    """The model was asked about this in vain, which weighs so much."""
    tried = (digests.c.conversation_id == conversation_id) & (digests.c.basis == basis)
    once_more = {"model_tries": digests.c.model_tries + weight}
    await connection.execute(sa.update(digests).where(tried).values(once_more))


async def count_awaiting(connection: AsyncConnection) -> int:
    """How many digests were made without the model while one is wanted."""
    statement = sa.select(sa.func.count()).select_from(digests).where(digests.c.awaits_model)
    return (await connection.execute(statement)).scalar_one()


@cache
def _saving(columns: tuple[str, ...]) -> Insert:
    """The statement of `save`: made once, it takes longer to build than to run."""
    statement = insert(digests)
    new = {name: statement.excluded[name] for name in columns}
    same = digests.c.basis == statement.excluded.basis
    tries = sa.case((same, digests.c.model_tries), else_=0)
    return statement.on_conflict_do_update(
        index_elements=["conversation_id"], set_={**new, "model_tries": tries}
    )


def _awaiting(tries: int) -> sa.Select[int]:
    wanted = digests.c.awaits_model & (digests.c.model_tries < tries) & ~conversations.c.goes_on
    return (
        sa.select(digests.c.conversation_id)
        .join(conversations, conversations.c.id == digests.c.conversation_id)
        .where(wanted)
    )


_OURS = digests.c.conversation_id == sa.bindparam("conversation")
_STEMS_OF = sa.select(digests.c.stems).where(_OURS)
_FORGETS_OF = sa.select(digests.c.forgets).where(_OURS)
_BY_MODEL = sa.text(
    "select 1 from digests where conversation_id = :conversation and basis = :basis and source = 'model'"
)
_ENDED_AT = sa.text("select ended_at from conversations where id = :conversation")
_STEMS_BEFORE = sa.text(f"""
select d.stems from digests d join conversations c on c.id = d.conversation_id
where d.user_id = :user and c.started_at < :before order by c.started_at desc, c.id desc limit {_EARLIER}
""")  # noqa: S608 (the number is ours)
