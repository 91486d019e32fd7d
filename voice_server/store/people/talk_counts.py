"""When users were last heard of, and how often they talked: what a list tells of each."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

MOST_COUNTED = 1000  # conversations of one user: whoever has more costs a list no more


class TalkCount(Struct, frozen=True):
    """A user's conversations, counted up to MOST_COUNTED, and when the latest ended."""

    last_seen: datetime | None
    conversations: int


async def of(connection: AsyncConnection, user_ids: Sequence[str]) -> dict[str, TalkCount]:
    rows = await connection.execute(_COUNTS, {"users": list(user_ids), "most": MOST_COUNTED})
    return {user_id: TalkCount(last_seen, number) for user_id, last_seen, number in rows}


_COUNTS = sa.text("""
select u.id,
    (select c.ended_at from conversations c where c.user_id = u.id order by c.started_at desc limit 1),
    (select count(*) from (select from conversations c where c.user_id = u.id limit :most) counted)
from unnest(cast(:users as text[])) u (id)
""")
