"""Agents: registered on first contact."""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.address import Address
from voice_server.store.tables import agents


async def register(connection: AsyncConnection, agent_id: str, platform: str) -> None:
    """Make the agent known; nothing happens when it is."""
    await connection.execute(insert(agents).values(id=agent_id, platform=platform).on_conflict_do_nothing())


async def is_registered(connection: AsyncConnection, agent_id: str) -> bool:
    """Whether the agent is known."""
    return (
        await connection.execute(sa.select(agents.c.id).where(agents.c.id == agent_id))
    ).first() is not None


async def numbers_by_agent(connection: AsyncConnection) -> dict[str, list[Address]]:
    """Every agent with its own phone numbers."""
    rows = await connection.execute(sa.select(agents.c.id, agents.c.numbers))
    return {id_: [Address(number) for number in numbers] for id_, numbers in rows}


async def add_number(connection: AsyncConnection, agent_id: str, number: Address) -> None:
    """Learn one of the agent's own phone numbers; nothing is written when it is known."""
    statement = (
        sa.update(agents)
        .where(agents.c.id == agent_id, sa.literal(number) != sa.all_(agents.c.numbers))
        .values(numbers=sa.func.array_append(agents.c.numbers, number))
    )
    await connection.execute(statement)
