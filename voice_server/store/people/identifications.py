"""Who is on the line, and who was. The latest word of a tool or the host application counts, whether it comes
before the conversation's event or after it; else whose conversation or address it is."""

from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.people import users
from voice_server.store.session import Statement
from voice_server.store.tables import identifications


class IdentifiedCaller(Struct, frozen=True):
    """A user and the agent they talk with; time zone and names are "" when unknown. `agent_name` is what the
    agent last called itself to this user."""

    user_id: str
    agent_id: str
    timezone: str
    user_name: str = ""
    agent_name: str = ""


async def put(
    connection: AsyncConnection, platform: str, platform_id: str, user_id: str, agent_id: str = ""
) -> None:
    """Note who is on the line. An `agent_id` of "" leaves the agent as it was said before."""
    values = {"platform": platform, "platform_id": platform_id, "user_id": user_id, "agent_id": agent_id}
    statement = insert(identifications).values(values)
    said = sa.func.coalesce(sa.func.nullif(statement.excluded.agent_id, ""), identifications.c.agent_id)
    latest = {"user_id": statement.excluded.user_id, "agent_id": said, "identified_at": sa.func.now()}
    await connection.execute(
        statement.on_conflict_do_update(index_elements=["platform", "platform_id"], set_=latest)
    )


async def of(connection: AsyncConnection, platform: str, platform_id: str) -> str | None:
    """Return who was said to be on the line, or whom they were merged into."""
    asked = {"platform": platform, "id": platform_id}
    user_id = next((user_id for (user_id,) in await _OF.rows(connection, asked)), None)
    return await users.survivor(connection, user_id) if user_id else None


async def on_the_line(
    connection: AsyncConnection, platform: str, platform_id: str, *, agent_id: str, address: str, at: datetime
) -> IdentifiedCaller | None:
    """Return, in one query, who was said to be on the line; else whose the stored conversation is; else the
    owner of the address, nobody on a shared line. `agent_id` and `address` were bound at pre-call. None
    without a user or an agent."""
    asked = {"platform": platform, "id": platform_id, "agent": agent_id, "address": address, "at": at}
    row = (await connection.execute(_ON_THE_LINE, asked)).first()
    return IdentifiedCaller(*row) if row is not None and row.agent_id else None


async def known(
    connection: AsyncConnection, user_id: str, agent_id: str, *, at: datetime
) -> IdentifiedCaller | None:
    """Return a user with this agent, or whom that user was merged into."""
    row = (await connection.execute(_KNOWN, {"user": user_id, "agent": agent_id, "at": at})).first()
    return IdentifiedCaller(*row) if row is not None else None


# "union" and not "union all": no ring could keep it going.
_FROM_WHOSE = """
chain as (
    select u.id, u.merged_into, u.timezone, u.name, u.nickname from users u join whose on u.id = whose.user_id
    union
    select u.id, u.merged_into, u.timezone, u.name, u.nickname from users u
    join chain on u.id = chain.merged_into
)
select c.id as user_id, whose.agent_id, coalesce(nullif(c.timezone, ''), (
    select timezone from conversations where user_id = c.id and timezone <> '' and started_at <= :at
    order by started_at desc, id desc limit 1
), '') as timezone, trim(c.name || ' ' || c.nickname) as user_name, coalesce((
    select d.agent_name from conversations t join digests d on d.conversation_id = t.id
    where t.user_id = c.id and t.agent_id = whose.agent_id and d.agent_name <> ''
    order by t.started_at desc, t.id desc limit 1
), '') as agent_name
from chain c, whose where c.merged_into is null
"""
_ON_THE_LINE = sa.text(
    """
with recursive
said as (select user_id, agent_id from identifications where platform = :platform and platform_id = :id),
stored as (select user_id, agent_id from conversations where platform = :platform and platform_id = :id),
whose as (
    select case
        when exists (select from said) then (select user_id from said)
        when exists (select from stored) then (select user_id from stored)
        else (select user_id from addresses where address = :address and not shared)
    end as user_id,
    coalesce(nullif(:agent, ''), (select agent_id from stored), (select agent_id from said), '') as agent_id
),
"""  # noqa: S608 (all of it is ours)
    + _FROM_WHOSE
)
_KNOWN = sa.text(
    "with recursive whose as (select cast(:user as text) as user_id, cast(:agent as text) as agent_id),"
    + _FROM_WHOSE
)
_OF = Statement("select user_id from identifications where platform = :platform and platform_id = :id")
