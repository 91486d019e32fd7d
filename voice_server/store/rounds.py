"""Rounds: a look at all there is, page by page, which remembers how far it came."""

from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

_LOCKS = 19  # what the hashes of names are locked under
_HOW_FAR: sa.TextClause = sa.text("""
select position, position = '' and begun_at > now() - cast(:every as interval) as is_over
from rounds where name = :name
""")
_NOTE = sa.text("""
insert into rounds as r (name, position, begun_at) values (:name, :position, now())
on conflict (name) do update set position = excluded.position,
    begun_at = case when r.position = '' then excluded.begun_at else r.begun_at end
""")


async def alone(connection: AsyncConnection, name: str) -> bool:
    """Tell whether nobody else goes this round; if so, nobody does until the transaction ends."""
    lock = sa.func.pg_try_advisory_xact_lock(sa.func.hashtextextended(name, _LOCKS))
    return bool((await connection.execute(sa.select(lock))).scalar_one())


async def take(connection: AsyncConnection, name: str, every: timedelta) -> str | None:
    """Keep others from this round until the transaction ends; return the position behind which to go on,
    "" at its beginning. None while somebody else goes it, or until `every` has passed since the last one
    began."""
    if not await alone(connection, name):
        return None
    row = (await connection.execute(_HOW_FAR, {"name": name, "every": every})).first()
    if row is None:
        return ""
    return None if row.is_over else str(row.position)


async def keep_position(connection: AsyncConnection, name: str, position: str) -> None:
    """Note how far the round came; "" at its end."""
    await connection.execute(_NOTE, {"name": name, "position": position})
