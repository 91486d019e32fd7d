"""Transcripts: what one user and one agent said to each other, from one message on, in order.

Only of conversations that may be remembered. What the user asked not to be remembered is the reader's to
leave out (`digest.privacy.consent`): that takes the whole conversation, so whole ones are given.
"""

from datetime import date, datetime

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message


class Place(Struct, frozen=True, order=True):
    conversation_id: int
    position: int


class Owner(Struct, frozen=True):
    user_id: str
    agent_id: str


class Stretch(Struct, frozen=True):
    """Part of a timeline: between two messages, between two moments (UTC), all included, and of some
    conversations alone. None: no such bound."""

    first: Place | None = None
    last: Place | None = None
    since: datetime | None = None
    until: datetime | None = None
    among: tuple[int, ...] | None = None


class Day(Struct, frozen=True):
    id: int
    starts_at: datetime
    ends_at: datetime
    day: date
    summary: str
    updated_at: datetime
    sources: tuple[int, ...]

    @property
    def stretch(self) -> Stretch:
        return Stretch(since=self.starts_at, until=self.ends_at, among=self.sources)


async def conversations_in(
    connection: AsyncConnection, whose: Owner, stretch: Stretch, *, limit: int
) -> list[int]:
    """Return the conversations that reach into a stretch, in order; none when a bound of it is not theirs."""
    asked = {
        "user": whose.user_id,
        "agent": whose.agent_id,
        "first": stretch.first.conversation_id if stretch.first else None,
        "last": stretch.last.conversation_id if stretch.last else None,
        "since": stretch.since,
        "until": stretch.until,
        "among": None if stretch.among is None else list(stretch.among),
        "limit": limit,
    }
    return list((await connection.execute(_IN, asked)).scalars())


async def said_in(
    connection: AsyncConnection, whose: Owner, conversation_id: int, *, longest: int
) -> tuple[Message, ...]:
    """Return what may be remembered of a conversation. Of each message the first `longest` characters; of the
    user's as many as are searched for what is not to be remembered; nothing of what tools were asked and
    said."""
    asked = {
        "id": conversation_id,
        "user": whose.user_id,
        "agent": whose.agent_id,
        "longest": longest,
        "longest_turn": max(longest, consent.LONGEST_TURN),
    }
    rows = await connection.execute(_SAID, asked)
    return tuple(Message(*row) for row in rows)


async def day(connection: AsyncConnection, whose: Owner, day_segment_id: int) -> Day | None:
    asked = {"id": day_segment_id, "user": whose.user_id, "agent": whose.agent_id}
    row = (await connection.execute(_DAY, asked)).mappings().first()
    return None if row is None else msgspec.convert(row, Day)


_IN = sa.text("""
with theirs as (
    select id, started_at, ended_at from conversations
    where user_id = :user and agent_id = :agent and outcome = 'talked'
)
select id from theirs
where (cast(:first as bigint) is null
        or (started_at, id) >= (select started_at, id from theirs where id = :first))
    and (cast(:last as bigint) is null
        or (started_at, id) <= (select started_at, id from theirs where id = :last))
    and (cast(:since as timestamptz) is null or ended_at >= :since)
    and (cast(:until as timestamptz) is null or started_at <= :until)
    and (cast(:among as bigint[]) is null or id = any(:among))
order by started_at, id limit :limit
""")
_SAID = sa.text("""
select m.position, m.role,
    case m.role
        when 'user' then left(m.content, cast(:longest_turn as int))
        when 'agent' then left(m.content, cast(:longest as int))
        else ''
    end,
    m.said_at, m.tool_name
from messages m join conversations c on c.id = m.conversation_id
where c.id = :id and c.user_id = :user and c.agent_id = :agent and c.outcome = 'talked'
order by m.position
""")
_DAY = sa.text("""
select id, starts_at, ends_at, day, summary, updated_at, sources from day_segments
where id = :id and user_id = :user and agent_id = :agent
""")
