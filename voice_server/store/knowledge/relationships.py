"""Relationships: what was set by hand, and what conversations added since."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict, Unpack

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.relationship import Metrics, Relationship, RelationshipDelta, gained, grown
from voice_server.store.knowledge import editing
from voice_server.store.session import Statement
from voice_server.store.tables import relationships


class Row(Struct, frozen=True):
    """How a user and an agent stand, as a person sees it. The agent is told `state`: what was `set_by_hand`
    at `set_at`, and what conversations `gained` since. `version` 0: nothing was ever set or gained."""

    user_id: str
    agent_id: str
    state: Relationship = Relationship()
    set_by_hand: Relationship = Relationship()
    gained: RelationshipDelta = RelationshipDelta()
    set_at: datetime | None = None
    version: int = 0
    updated_at: datetime | None = None


class Changes(TypedDict, total=False):
    """What a person can set. Of `metrics` all four."""

    chapter: str
    score: float
    metrics: Metrics
    engagement: str
    emotional_state: str
    conflict_state: str
    backstory: str


_GROWING = {"score", "metrics", "emotional_state", "conflict_state"}  # conversations change these


async def get(connection: AsyncConnection, user_id: str, agent_id: str) -> Row:
    rows = await _GET.rows(connection, {"user": user_id, "agent": agent_id})
    found = [dict(zip(relationships.c.keys(), row, strict=True)) for row in rows]
    return _row(found[0]) if found else Row(user_id, agent_id)


async def set_by_hand(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str,
    version: int | None,
    *,
    at: datetime,
    **changes: Unpack[Changes],
) -> Row:
    """Set some of a relationship by hand. Ask for a rebuild. Setting a score, a metric or a state starts all
    of them anew: what is told now is kept, and only conversations that begin later add to it. Raises NotFound
    for an unknown user or agent, and Conflict when it was changed meanwhile."""
    user_id = await editing.adding(connection, user_id, agent_id)
    row = await get(connection, user_id, agent_id)
    editing.require_version(row.version, version)
    if changes.keys() & _GROWING:
        row = replace(row, set_by_hand=row.state, gained=RelationshipDelta(), set_at=at)
    row = replace(row, set_by_hand=replace(row.set_by_hand, **changes), version=row.version + 1)
    await _put(connection, row)
    await refresh(connection, user_id, agent_id)
    return await get(connection, user_id, agent_id)


async def refresh(connection: AsyncConnection, user_id: str, agent_id: str) -> bool:
    """Add up what conversations gained since it was set; return whether that changed anything. In the
    transaction in which a digest changed, after `users.lock`."""
    [(before, found)] = await _DELTAS.rows(connection, {"user": user_id, "agent": agent_id})
    deltas = _deltas.decode(found)
    if all(one == RelationshipDelta() for one in (_gained.decode(before), *deltas)):
        return False  # without a model, always
    row = await get(connection, user_id, agent_id)
    now = gained(row.set_by_hand, deltas)
    if now == row.gained:
        return False
    await _put(connection, replace(row, gained=now, version=max(row.version, 1)))
    return True


_deltas = msgspec.json.Decoder(list[RelationshipDelta])
_gained = msgspec.json.Decoder(RelationshipDelta)


async def _put(connection: AsyncConnection, row: Row) -> None:
    values = asdict(row.set_by_hand) | {
        "metrics": msgspec.to_builtins(row.set_by_hand.metrics),
        "gained": msgspec.to_builtins(row.gained),
        "set_at": row.set_at,
        "version": row.version,
        "updated_at": sa.func.now(),
    }
    statement = insert(relationships).values(user_id=row.user_id, agent_id=row.agent_id, **values)
    await connection.execute(
        statement.on_conflict_do_update(index_elements=["user_id", "agent_id"], set_=values)
    )


def _row(found: Mapping[Any, Any]) -> Row:
    chosen = msgspec.convert({name: found[name] for name in Relationship.__struct_fields__}, Relationship)
    since = msgspec.convert(found["gained"], RelationshipDelta)
    return Row(
        found["user_id"],
        found["agent_id"],
        grown(chosen, since),
        chosen,
        since,
        found["set_at"],
        found["version"],
        found["updated_at"],
    )


_GET = Statement(
    sa.select(relationships).where(
        relationships.c.user_id == sa.bindparam("user"), relationships.c.agent_id == sa.bindparam("agent")
    )
)
# What was gained so far, and what each conversation since it was set adds to it.
_DELTAS = Statement("""
select coalesce(r.gained, '{}')::text, (
    select coalesce(json_agg(d.relationship order by c.started_at, c.platform_id), '[]')
    from digests d join conversations c on c.id = d.conversation_id
    where d.user_id = :user and c.agent_id = :agent and d.relationship <> '{}'
        and (r.set_at is null or c.started_at > r.set_at)
)::text
from (select) one left join relationships r on r.user_id = :user and r.agent_id = :agent
""")
