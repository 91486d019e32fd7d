"""Thoughts: what the agent carries, from digests or added by hand, until it is used or has expired."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypedDict, Unpack

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.thought import NewThought
from voice_server.store.knowledge import editing
from voice_server.store.session import Statement
from voice_server.store.tables import thoughts


class Row(Struct, frozen=True):
    """A thought as a person sees it, by the columns of `tables.thoughts`. It rests on the messages
    `positions`."""

    id: int
    user_id: str
    agent_id: str
    conversation_id: int | None
    positions: tuple[int, ...]
    text: str
    created_at: datetime
    expires_at: datetime
    used_in: int | None
    used_at: datetime | None
    pinned: bool
    excluded: bool
    by_hand: bool
    version: int


class Changes(TypedDict, total=False):
    text: str
    expires_at: datetime
    used_at: datetime | None
    pinned: bool
    excluded: bool


async def page(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str | None = None,
    *,
    after: int = 0,
    limit: int = 50,
    carried_at: datetime | None = None,
) -> list[Row]:
    wanted = editing.listed(thoughts, user_id, agent_id, after=after, limit=limit)
    if carried_at is not None:
        wanted = wanted.where(_is_carried(carried_at))
    return await editing.rows(connection, wanted, Row)


async def latest(connection: AsyncConnection, user_id: str, *, limit: int) -> list[Row]:
    """Return thoughts, whatever became of them: pinned ones first, then the youngest."""
    columns = (thoughts.c.pinned, thoughts.c.created_at, thoughts.c.id)
    return await editing.rows(connection, editing.latest(thoughts, user_id, columns, limit=limit), Row)


async def count(connection: AsyncConnection, user_id: str, *, carried_at: datetime, most: int) -> int:
    wanted = editing.listed(thoughts, user_id, None, after=0, limit=most).where(_is_carried(carried_at))
    return await editing.count(connection, wanted)


def _is_carried(at: datetime) -> "sa.ColumnElement[bool]":
    return thoughts.c.used_at.is_(None) & ~thoughts.c.excluded & (thoughts.c.expires_at > at)


async def get(connection: AsyncConnection, id_: int) -> Row:
    """Return one thought. Raises NotFound."""
    return await editing.row(connection, thoughts, id_, Row, "thought")


async def add(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str,
    text: str,
    *,
    at: datetime,
    expires_at: datetime,
    pinned: bool = False,
) -> Row:
    """Add a thought by hand. Ask for a rebuild. Raises NotFound for an unknown user or agent."""
    user_id = await editing.adding(connection, user_id, agent_id)
    values = {
        "user_id": user_id,
        "agent_id": agent_id,
        "text": text,
        "created_at": at,
        "expires_at": expires_at,
    }
    statement = insert(thoughts).values(**values, pinned=pinned, by_hand=True).returning(thoughts.c.id)
    return await get(connection, (await connection.execute(statement)).scalar_one())


async def change(
    connection: AsyncConnection, id_: int, version: int | None, **changes: Unpack[Changes]
) -> Row:
    """Change a thought by hand; digests leave it so from then on. Ask for a rebuild. Raises NotFound, and
    Conflict when it was changed meanwhile."""
    row = await editing.changing(connection, get, id_, version)
    if not editing.differs(row, changes):
        return row
    values: dict[str, Any] = {**changes, "by_hand": True, "version": row.version + 1}
    if "used_at" in changes:
        values["used_in"] = None
    await connection.execute(sa.update(thoughts).where(thoughts.c.id == id_).values(values))
    return await get(connection, id_)


async def replace(
    connection: AsyncConnection,
    conversation_id: int,
    user_id: str,
    agent_id: str,
    had: Sequence[NewThought],
    *,
    at: datetime,
    is_first: bool = False,
) -> None:
    """Store thoughts over those of an earlier digest of the conversation. A thought that was there keeps its
    row; one that is gone is deleted, unless it was used or a person changed it."""
    asked = {"conversation": conversation_id}
    there = [] if is_first else await editing.rows(connection, _OF_CONVERSATION, Row, asked)
    now = {thought.text: _columns(thought, at) for thought in had}
    gone = [row.id for row in there if row.text not in now and not row.by_hand and row.used_at is None]
    if gone:
        await connection.execute(sa.delete(thoughts).where(thoughts.c.id.in_(gone)))
    for row in there:
        values = now.pop(row.text, {})
        if not row.by_hand and any(getattr(row, name) != value for name, value in values.items()):
            await connection.execute(sa.update(thoughts).where(thoughts.c.id == row.id).values(values))
    whose = {"conversation_id": conversation_id, "user_id": user_id, "agent_id": agent_id}
    if now:
        await connection.execute(insert(thoughts).values([whose | values for values in now.values()]))


async def remove(connection: AsyncConnection, conversation_id: int) -> None:
    """Take back the thoughts of a conversation, a person's changes to them too."""
    await connection.execute(sa.delete(thoughts).where(thoughts.c.conversation_id == conversation_id))


async def set_used(connection: AsyncConnection, conversation_id: int) -> set[str]:
    """Note that the thoughts in the prompt of a conversation are used, once it took place; return the users
    whose thoughts are used now, or no longer. What an earlier event of it said is taken back; the first
    conversation that used a thought counts."""
    rows = await _MARK_USED.rows(connection, {"conversation": conversation_id})
    return {user_id for (user_id,) in rows}


_OF_CONVERSATION = sa.select(thoughts).where(thoughts.c.conversation_id == sa.bindparam("conversation"))
# A thought is used once a prompt that held it was served in a conversation that took place
# (docs/explanation/prompt-stack.md, inner life). The prompt may have been another user's, whose call it
# turned out not to be: what was spoken is used.
_MARK_USED = Statement("""
with served as (
    select c.id as conversation_id, g.* from conversations c
    join generated_prompts g on g.agent_id = c.agent_id and g.version = c.prompt_version
    where c.id = :conversation and (c.user_id = g.user_id or not exists (
        select from generated_prompts p
        where p.user_id = c.user_id and p.agent_id = c.agent_id and p.version = c.prompt_version
    ))
), held as (
    select t.id from served g
    cross join lateral jsonb_path_query(g.context_snapshot, '$.sections[*].sources[*]') as s (source)
    join thoughts t on t.user_id = g.user_id and t.agent_id = g.agent_id
        and s.source #>> '{}' = 'thoughts/' || t.id
    where g.conversation_id = :conversation
    union
    select id from thoughts where used_in = :conversation
)
update thoughts t set used_in = first.id, used_at = first.started_at
from held join thoughts o on o.id = held.id left join lateral (
    select c.id, c.started_at from generated_prompts g
    join conversations c on c.agent_id = g.agent_id and c.prompt_version = g.version
    where (c.user_id = g.user_id or not exists (
        select from generated_prompts p
        where p.user_id = c.user_id and p.agent_id = c.agent_id and p.version = c.prompt_version
    ))
        and g.user_id = o.user_id and g.agent_id = o.agent_id
        and c.outcome = 'talked' and c.started_at >= o.created_at
        and g.context_snapshot @> jsonb_build_object(
            'sections', jsonb_build_array(
                jsonb_build_object('sources', jsonb_build_array('thoughts/' || o.id))
            )
        )
    order by c.started_at, c.platform_id limit 1
) first on true
where t.id = held.id and t.used_in is distinct from first.id
returning t.user_id
""")


def _columns(thought: NewThought, at: datetime) -> dict[str, Any]:
    return {
        "text": thought.text,
        "positions": thought.positions,
        "created_at": at,
        "expires_at": at + timedelta(days=thought.days),
    }
