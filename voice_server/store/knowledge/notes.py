"""Notes: facts that tools added while a conversation went on. They go where the conversation goes.

A note knows its conversation by the platform's id (`said_in`): the conversation is stored later. Whoever the
conversation is known to be of has its notes; nobody has those of nobody's. What a person edited goes with
what it edits; what they pinned or excluded stays, once there is nobody to have it.
"""

from collections.abc import Iterable, Sequence
from datetime import date

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.session import Statement
from voice_server.store.tables import agents, facts

Whose = tuple[str, str]  # a user and an agent


class Note(Struct, frozen=True):
    """One note of a conversation. `said_on` is the user's day."""

    id: int
    text: str
    said_on: date
    flagged: bool


async def platform_of(connection: AsyncConnection, agent_id: str) -> str:
    found = await connection.execute(sa.select(agents.c.platform).where(agents.c.id == agent_id))
    return found.scalar_one_or_none() or ""


async def hold(connection: AsyncConnection, platform: str, platform_id: str) -> None:
    """Keep others, until the transaction ends, from noting anything in this conversation, and from deciding
    whose it is by an event. After `users.stay`, before `users.lock`."""
    await _HOLD.rows(connection, {"conversation": f"{platform} {platform_id}"})


async def owners(connection: AsyncConnection, platform: str, platform_id: str) -> list[str]:
    rows = await _OWNERS.rows(connection, {"platform": platform, "id": platform_id})
    return sorted(user_id for (user_id,) in rows)


async def follow(
    connection: AsyncConnection, platform: str, platform_id: str, owner: str | None
) -> list[Whose]:
    """Make the notes of a conversation this user's, or (None) nobody's; return whose facts are to be
    refreshed, which folds what two then say alike. All who had or get some must be locked."""
    if owner is None:
        return _sorted(await _remove(connection, _of(platform, platform_id)))
    asked = {"platform": platform, "id": platform_id, "owner": owner}
    moved = [(row.user_id, row.agent_id) for row in await connection.execute(_MOVE, asked)]
    if not moved:
        return []
    await connection.execute(_LET_GO, {"owner": owner, "former": [user for user, _ in moved]})
    return _sorted(moved + [(owner, agent) for _, agent in moved])


async def of(connection: AsyncConnection, platform: str, platform_id: str) -> list[Note]:
    """Return the notes of a conversation that nobody pinned or excluded since, in the order made."""
    return await _notes(connection, _of(platform, platform_id) & _UNTOUCHED)


async def made(connection: AsyncConnection, platform: str, platform_id: str) -> list[Note]:
    return await _notes(connection, _of(platform, platform_id))


async def remove(connection: AsyncConnection, ids: Sequence[int]) -> list[Whose]:
    """Take notes back; return whose facts are to be refreshed."""
    return _sorted(await _remove(connection, facts.c.id.in_(ids))) if ids else []


async def flag(connection: AsyncConnection, ids: Sequence[int], *, flagged: bool) -> list[Whose]:
    """Show notes to people alone, or to the agent too; return whose facts are to be refreshed."""
    if not ids:
        return []
    statement = sa.update(facts).where(facts.c.id.in_(ids)).values(flagged=flagged)
    changed = await connection.execute(statement.returning(facts.c.user_id, facts.c.agent_id))
    return _sorted((row.user_id, row.agent_id) for row in changed)


def _of(platform: str, platform_id: str) -> sa.ColumnElement[bool]:
    there = sa.select(agents.c.id).where(agents.c.platform == platform)
    named = (facts.c.said_in == platform_id) & sa.text("said_in <> ''")  # as the index has it
    return (facts.c.origin == "tool") & named & facts.c.agent_id.in_(there)


async def _notes(connection: AsyncConnection, which: sa.ColumnElement[bool]) -> list[Note]:
    columns = [facts.c[name] for name in Note.__struct_fields__]
    there = sa.select(*columns).where(which).order_by(facts.c.id)
    return [Note(*row) for row in await connection.execute(there)]


async def _remove(connection: AsyncConnection, which: sa.ColumnElement[bool]) -> list[Whose]:
    gone = sa.delete(facts).where(which, _UNTOUCHED).returning(facts.c.user_id, facts.c.agent_id)
    return [(row.user_id, row.agent_id) for row in await connection.execute(gone)]


def _sorted(whose: Iterable[Whose]) -> list[Whose]:
    return sorted(set(whose))


_NOTES = 11  # the seed of the locks of `hold`; those of addresses have another
_UNTOUCHED = ~facts.c.pinned & ~facts.c.excluded
# An edit is a row of its own that names the words it replaced.
_MOVE = sa.text("""
with recursive note as (
    select f.id, f.text, f.superseded_by, f.user_id from facts f join agents a on a.id = f.agent_id
    where f.origin = 'tool' and f.said_in = :id and f.said_in <> ''
        and a.platform = :platform and f.user_id <> :owner
    union
    select f.id, f.text, f.superseded_by, f.user_id from note join facts f on f.id = note.superseded_by
    where f.user_id = note.user_id and f.origin = 'api' and f.supersedes = note.text
)
update facts f set user_id = :owner, superseded_by = null from note where f.id = note.id
returning note.user_id, f.agent_id
""")
# No fact may point at another user's; superseding is folded anew.
_LET_GO = sa.text("""
update facts o set superseded_by = null from facts n
where n.id = o.superseded_by and n.user_id = :owner and o.user_id <> n.user_id and o.user_id = any(:former)
""")
_HOLD = Statement(f"select pg_advisory_xact_lock(hashtextextended(:conversation, {_NOTES}))")
_OWNERS = Statement("""
select distinct f.user_id from facts f join agents a on a.id = f.agent_id
where f.origin = 'tool' and f.said_in = :id and f.said_in <> '' and a.platform = :platform
""")
