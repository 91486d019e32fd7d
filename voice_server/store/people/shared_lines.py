"""Shared lines: addresses that several people use (a household, an office).

A shared line is nobody's. Until somebody says whose call it is, no personal memory is told and none is made.
What changes here changes what may be cached: go through `operations.people.revoke`.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import Address
from voice_server.errors import Conflict, NotFound
from voice_server.store.people import users
from voice_server.store.tables import addresses, shared_lines


class Line(Struct, frozen=True):
    """An address with its owner or, when it is shared, its users."""

    address: Address
    user_id: str | None
    shared: bool
    members: tuple[str, ...] = ()


async def get(connection: AsyncConnection, address: Address) -> Line | None:
    statement = sa.select(addresses.c.user_id, addresses.c.shared).where(addresses.c.address == address)
    row = (await connection.execute(statement)).first()
    if row is None:
        return None
    members = sa.select(shared_lines.c.user_id).where(shared_lines.c.address == address)
    using = (await connection.execute(members.order_by(shared_lines.c.user_id))).scalars()
    return Line(address, row.user_id, row.shared, tuple(using))


async def of(connection: AsyncConnection, user_id: str) -> list[Address]:
    statement = sa.select(shared_lines.c.address).where(shared_lines.c.user_id == user_id)
    return [Address(one) for one in (await connection.execute(statement.order_by("address"))).scalars()]


async def share(connection: AsyncConnection, address: Address, members: Sequence[str] = ()) -> Line:
    """Make an address a shared line. Its owner becomes a user of it; what was said over it so far stays
    theirs. Raises NotFound for an unknown user."""
    owner = await users.find(connection, [address])
    values = insert(addresses).values(address=address, user_id=None, shared=True)
    shared = {"user_id": None, "shared": True}
    await connection.execute(values.on_conflict_do_update(index_elements=["address"], set_=shared))
    for member in (*([owner] if owner else []), *members):
        await _add(connection, address, member)
    return await require(connection, address)


async def unshare(connection: AsyncConnection, address: Address) -> None:
    """Make the line nobody's. Raises Conflict for an address that is not shared."""
    await require(connection, address)
    await connection.execute(sa.delete(addresses).where(addresses.c.address == address))


async def remove_member(connection: AsyncConnection, address: Address, user_id: str) -> Line:
    """Remove a user of a shared line. Raises Conflict for an address that is not shared, NotFound for a user
    who is no member."""
    await require(connection, address)
    member = await users.require(connection, user_id)
    using = (shared_lines.c.address == address) & (shared_lines.c.user_id == member)
    statement = sa.delete(shared_lines).where(using).returning(shared_lines.c.user_id)
    if (await connection.execute(statement)).first() is None:
        raise NotFound(f"User {user_id} is no member of the shared line {address}.")
    return await require(connection, address)


async def require(connection: AsyncConnection, address: Address) -> Line:
    """Return a shared line. Raises Conflict for an address that is not shared."""
    line = await get(connection, address)
    if line is None or not line.shared:
        raise Conflict(f"{address} is no shared line: make it one first.")
    return line


async def _add(connection: AsyncConnection, address: Address, user_id: str) -> None:
    values = {"address": address, "user_id": await users.require(connection, user_id)}
    await connection.execute(insert(shared_lines).values(values).on_conflict_do_nothing())


async def has_member(connection: AsyncConnection, address: Address, user_id: str) -> bool:
    line = await get(connection, address)
    return line is not None and line.shared and user_id in line.members
