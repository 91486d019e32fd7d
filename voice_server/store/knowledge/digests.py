"""Digests, and what follows from them: threads, thoughts, facts, the relationship."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.digest import Digest
from voice_server.store.json_rows import inserting, packed, replacing
from voice_server.store.knowledge import excerpts, facts, relationships, thoughts, threads
from voice_server.store.people import names
from voice_server.store.session import Statement
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
) -> bool:
    """Store a digest over an earlier one, with its threads and thoughts, and what it closed; return whether
    its threads are others now. `basis` names what it was made from; `awaits_model`: a model's is to replace
    it. After `users.lock`; `refresh` after the last of several."""
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
        "follow_ups": msgspec.to_builtins(digest.follow_ups),
        "claims": msgspec.to_builtins(digest.claims),
        "thoughts": msgspec.to_builtins(digest.thoughts),
        "relationship": msgspec.to_builtins(digest.relationship),
        "caller_name": msgspec.to_builtins(digest.caller_name),
        "forgets": msgspec.to_builtins(digest.forgets),
        "forgets_at": msgspec.to_builtins(digest.forgets_at),
        "agent_name": digest.agent_name,
        "model": digest.use.model,
        "tokens_in": digest.use.tokens_in,
        "tokens_out": digest.use.tokens_out,
        "awaits_model": awaits_model,
        "basis": basis,
    }
    [(at, is_first)] = await _saving(tuple(values)).rows(connection, {"rows": packed([values])})
    whose = conversation_id, user_id, agent_id
    others = await threads.replace(connection, *whose, digest.open_threads, at=at, is_first=is_first)
    await thoughts.replace(connection, *whose, digest.thoughts, at=at, is_first=is_first)
    await threads.settle(connection, conversation_id, digest.closes, is_first=is_first)
    return others


async def remove(connection: AsyncConnection, conversation_id: int) -> bool:
    """Remove a digest with all that followed from it; return whether there was one. After `users.lock` of
    whom it was understood about, whose conversation it need not be by now."""
    await threads.remove(connection, conversation_id)
    await thoughts.remove(connection, conversation_id)
    for whose in await excerpts.remove(connection, conversation_id):
        await facts.refresh(connection, *whose)
    statement = sa.delete(digests).where(digests.c.conversation_id == conversation_id)
    user_id = (await connection.execute(statement.returning(digests.c.user_id))).scalar_one_or_none()
    if user_id is None:
        return False
    await threads.settle(connection, conversation_id)
    agent = sa.select(conversations.c.agent_id).where(conversations.c.id == conversation_id)
    await refresh(connection, user_id, (await connection.execute(agent)).scalar_one())
    return True


async def refresh(connection: AsyncConnection, user_id: str, agent_id: str) -> bool:
    """Make the facts, the relationship and the user's name anew; return whether the name is another. After
    `users.lock`; ask for a rebuild."""
    renamed = await names.refresh(connection, user_id)
    await facts.refresh(connection, user_id, agent_id)
    await relationships.refresh(connection, user_id, agent_id)
    return renamed


def stems_before(user: str, before: str) -> str:
    """Return the SQL of a JSON array: the stems of each of a user's latest conversations before a moment.
    `user` and `before` are expressions."""
    return f"""(
        select coalesce(json_agg(said.stems), '[]') from (
            select d.stems from digests d join conversations earlier on earlier.id = d.conversation_id
            where d.user_id = {user} and earlier.started_at < {before}
            order by earlier.started_at desc, earlier.id desc limit {_EARLIER}
        ) said
    )"""  # noqa: S608 (the expressions are ours)


async def reweigh(
    connection: AsyncConnection, conversation_id: int, keywords: Sequence[str], stems: Sequence[str]
) -> None:
    values = {"keywords": list(keywords), "stems": list(stems)}
    await connection.execute(
        sa.update(digests).where(digests.c.conversation_id == conversation_id).values(values)
    )


async def awaits_model(connection: AsyncConnection, conversation_id: int) -> bool:
    ours = (digests.c.conversation_id == conversation_id) & digests.c.awaits_model
    return (await connection.execute(sa.select(digests.c.conversation_id).where(ours))).first() is not None


async def await_model(
    connection: AsyncConnection, *, user_id: str | None = None, since: datetime | None = None
) -> int:
    """Let the model's digest replace those made without it, also where it was tried in vain; return how many
    await it now. None is all."""
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
    """Return the earliest that awaits the model and was tried fewer than `tries` times: each is read with the
    knowledge of those before it."""
    statement = _awaiting(tries).where(
        conversations.c.user_id == user_id, conversations.c.agent_id == agent_id
    )
    earliest = statement.order_by(conversations.c.started_at, conversations.c.platform_id).limit(1)
    return (await connection.execute(earliest)).scalar_one_or_none()


async def awaiting_model(connection: AsyncConnection, tries: int, limit: int) -> list[int]:
    """Return the earliest such conversation of each user and agent, the least tried first."""
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
    tried = (digests.c.conversation_id == conversation_id) & (digests.c.basis == basis)
    once_more = {"model_tries": digests.c.model_tries + weight}
    await connection.execute(sa.update(digests).where(tried).values(once_more))


async def count_awaiting(connection: AsyncConnection) -> int:
    statement = sa.select(sa.func.count()).select_from(digests).where(digests.c.awaits_model)
    return (await connection.execute(statement)).scalar_one()


@cache
def _saving(columns: tuple[str, ...]) -> Statement:
    """Return when the conversation ended, and whether this is its first digest: a row that is written over
    has an `xmax`."""
    return Statement(f"""{inserting("digests", columns)}
        on conflict (conversation_id) do update set {replacing(columns)},
            model_tries = case when digests.basis = excluded.basis then digests.model_tries else 0 end
        returning (select ended_at from conversations where id = digests.conversation_id), digests.xmax = 0
    """)  # noqa: S608 (all of it is ours)


def _awaiting(tries: int) -> sa.Select[int]:
    wanted = digests.c.awaits_model & (digests.c.model_tries < tries) & ~conversations.c.goes_on
    return (
        sa.select(digests.c.conversation_id)
        .join(conversations, conversations.c.id == digests.c.conversation_id)
        .where(wanted)
    )
