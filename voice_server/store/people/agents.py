"""Agents: registered on first contact."""

from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import Address
from voice_server.errors import AgentNotFound
from voice_server.store.session import Statement
from voice_server.store.tables import agents


class RegisteredAgent(Struct, frozen=True):
    id: str
    platform: str
    numbers: tuple[str, ...]
    created_at: datetime


async def register(connection: AsyncConnection, agent_id: str, platform: str) -> None:
    await _REGISTER.rows(connection, {"id": agent_id, "platform": platform})


async def is_registered(connection: AsyncConnection, agent_id: str) -> bool:
    return (
        await connection.execute(sa.select(agents.c.id).where(agents.c.id == agent_id))
    ).first() is not None


async def ids(connection: AsyncConnection) -> list[str]:
    return list((await connection.execute(sa.select(agents.c.id).order_by(agents.c.id))).scalars())


async def numbers_by_agent(connection: AsyncConnection) -> dict[str, list[Address]]:
    rows = await connection.execute(sa.select(agents.c.id, agents.c.numbers))
    return {id_: [Address(number) for number in numbers] for id_, numbers in rows}


async def has_number(connection: AsyncConnection, number: Address) -> bool:
    statement = sa.select(agents.c.id).where(sa.literal(number) == sa.any_(agents.c.numbers)).limit(1)
    return (await connection.execute(statement)).first() is not None


async def learn_number(connection: AsyncConnection, agent_id: str, number: Address) -> bool:
    """Learn one of the agent's own phone numbers; return whether it is one. An address that a user holds
    never is: that user would be nobody from then on."""
    [[held]] = await _LEARN.rows(connection, {"agent": agent_id, "number": number})
    return not held


async def page(connection: AsyncConnection, *, after: str = "", limit: int = 50) -> list[RegisteredAgent]:
    statement = _KNOWN.where(agents.c.id > after).order_by(agents.c.id).limit(limit)
    return [
        RegisteredAgent(id_, platform, tuple(numbers), at)
        for id_, platform, numbers, at in await connection.execute(statement)
    ]


async def require(connection: AsyncConnection, agent_id: str) -> RegisteredAgent:
    """Return an agent. Raises AgentNotFound, saying how to make it known."""
    for id_, platform, numbers, at in await _ONE.rows(connection, {"agent": agent_id}):
        return RegisteredAgent(id_, platform, tuple(numbers), at)
    raise AgentNotFound(
        f"There is no agent {agent_id}: it is known from its first call on, or PUT it to /api/agents."
    )


_KNOWN = sa.select(agents.c.id, agents.c.platform, agents.c.numbers, agents.c.created_at)
_ONE = Statement(_KNOWN.where(agents.c.id == sa.bindparam("agent")))
_REGISTER = Statement("insert into agents (id, platform) values (:id, :platform) on conflict do nothing")
_LEARN = Statement("""
with held as (
    select from addresses where address = :number
), learned as (
    update agents set numbers = array_append(numbers, cast(:number as text))
    where id = :agent and cast(:number as text) <> all(numbers) and not exists (select from held)
)
select exists (select from held)
""")
