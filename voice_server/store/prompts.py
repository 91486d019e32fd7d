"""Prompts that were built, and the durable copies of the cached ones."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.address import Address
from voice_server.store import session
from voice_server.store.tables import (
    addresses,
    cached_voice_prompts,
    conversations,
    generated_prompts,
    pending_work,
)

_SAVE = """
with generated as (
    insert into generated_prompts (user_id, agent_id, version, prompt, context_snapshot)
    values ($1, $2, $3, $5, $6::jsonb) on conflict do nothing
)
insert into cached_voice_prompts as cached
    (user_id, agent_id, version, template_version, entry, in_cache, fresh_until, built_at)
values ($1, $2, $3, $4, $7, $8, $9, $10)
on conflict (user_id, agent_id) do update set
    version = excluded.version, template_version = excluded.template_version, entry = excluded.entry,
    in_cache = excluded.in_cache, fresh_until = excluded.fresh_until, built_at = excluded.built_at
"""


class BuiltPrompt(Struct, frozen=True):
    """A prompt to keep: its text and snapshot for people, its entry for the cache."""

    user_id: str
    agent_id: str
    version: str
    template_version: str
    prompt: str
    snapshot: str
    entry: bytes
    fresh_until: datetime | None
    built_at: datetime


class Target(Struct, frozen=True, order=True):
    """Whose prompt."""

    user_id: str
    agent_id: str


async def save(connection: AsyncConnection, built: BuiltPrompt, *, in_cache: bool) -> None:
    """Keep a prompt and make it the durable copy, in one statement. Never the first of its transaction."""
    driver = await session.driver(connection)
    await driver.execute(
        _SAVE,
        built.user_id,
        built.agent_id,
        built.version,
        built.template_version,
        built.prompt,
        built.snapshot,
        built.entry,
        in_cache,
        built.fresh_until,
        built.built_at,
    )


async def latest_text(connection: AsyncConnection, target: Target) -> str | None:
    """The text of the prompt that is cached now."""
    cached, made = cached_voice_prompts.c, generated_prompts.c
    same = (
        (made.user_id == cached.user_id)
        & (made.agent_id == cached.agent_id)
        & (made.version == cached.version)
    )
    ours = (cached.user_id == target.user_id) & (cached.agent_id == target.agent_id)
    statement = sa.select(made.prompt).join(cached_voice_prompts, same).where(ours)
    return (await connection.execute(statement)).scalar_one_or_none()


async def targets(
    connection: AsyncConnection, *, user_id: str | None = None, agent_id: str | None = None
) -> list[Target]:
    """Every user and agent that ever talked, of one user or one agent if asked."""
    talked = conversations.c.user_id.is_not(None)
    statement = (
        sa.select(conversations.c.user_id, conversations.c.agent_id)
        .where(talked)
        .distinct()
        .order_by("user_id", "agent_id")
    )
    if user_id:
        statement = statement.where(conversations.c.user_id == user_id)
    if agent_id:
        statement = statement.where(conversations.c.agent_id == agent_id)
    return [Target(*row) for row in await connection.execute(statement)]


async def stale(
    connection: AsyncConnection,
    template_versions: dict[str, str],
    default_version: str,
    now: datetime,
    limit: int | None,
) -> list[Target]:
    """Prompts that would be built differently now: the templates changed, or the clock made them so.
    Oldest first; without those for which a rebuild is asked for already."""
    cached = cached_voice_prompts.c
    current = (
        sa.case(template_versions, value=cached.agent_id, else_=default_version)
        if template_versions
        else sa.literal(default_version)
    )
    statement = (
        sa.select(cached.user_id, cached.agent_id)
        .where((cached.fresh_until <= now) | (cached.template_version != current), ~_asked_for(cached))
        .order_by(cached.built_at, cached.user_id, cached.agent_id)
        .limit(limit)
    )
    return [Target(*row) for row in await connection.execute(statement)]


def _asked_for(cached: sa.ColumnCollection[str, sa.Column[object]]) -> sa.ColumnElement[bool]:
    """Whether a rebuild of this prompt is due anyway."""
    key = cached.user_id.concat("|").concat(cached.agent_id)
    waiting = (pending_work.c.kind == "rebuild") & (pending_work.c.key == key)
    return sa.exists().where(waiting, pending_work.c.requested > pending_work.c.done)


async def not_in_cache(connection: AsyncConnection, limit: int) -> list[tuple[Target, bytes]]:
    """Durable copies that Redis did not take, locked until the transaction ends: no rebuild in between."""
    cached = cached_voice_prompts.c
    statement = (
        sa.select(cached.user_id, cached.agent_id, cached.entry)
        .where(~cached.in_cache)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return [(Target(user, agent), entry) for user, agent, entry in await connection.execute(statement)]


async def mark_in_cache(connection: AsyncConnection, cached_now: Sequence[Target]) -> None:
    """Note that Redis has these."""
    pairs = sa.tuple_(cached_voice_prompts.c.user_id, cached_voice_prompts.c.agent_id)
    named = pairs.in_([(one.user_id, one.agent_id) for one in cached_now])
    await connection.execute(sa.update(cached_voice_prompts).where(named).values(in_cache=True))


async def copies(
    connection: AsyncConnection, batch: int = 500
) -> AsyncIterator[list[tuple[str, Address, bytes]]]:
    """Every durable copy as (agent, address, entry), in batches."""
    last = ("", "", "")
    cached = cached_voice_prompts.c
    key = sa.tuple_(cached.user_id, cached.agent_id, addresses.c.address)
    statement = sa.select(cached.user_id, cached.agent_id, addresses.c.address, cached.entry).join(
        addresses, addresses.c.user_id == cached.user_id
    )
    while True:
        rows = (await connection.execute(statement.where(key > last).order_by(key).limit(batch))).all()
        if not rows:
            return
        last = (rows[-1].user_id, rows[-1].agent_id, rows[-1].address)
        yield [(row.agent_id, Address(row.address), row.entry) for row in rows]


async def copies_for(
    connection: AsyncConnection, callers: Sequence[tuple[str, Address]]
) -> list[tuple[str, Address, bytes]]:
    """The durable copies for these agents and addresses, where there are any."""
    cached = cached_voice_prompts.c
    statement = (
        sa.select(cached.agent_id, addresses.c.address, cached.entry)
        .join(addresses, addresses.c.user_id == cached.user_id)
        .where(sa.tuple_(cached.agent_id, addresses.c.address).in_(callers))
    )
    return [(agent, Address(address), entry) for agent, address, entry in await connection.execute(statement)]
