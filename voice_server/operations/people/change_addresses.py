"""Whose an address is, changed by hand, with what that means for the cache. Each function is the first thing
its transaction does."""

from collections.abc import Sequence

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import Address
from voice_server.errors import NotFound
from voice_server.operations.people import revoke
from voice_server.store.people import shared_lines, user_profiles, users
from voice_server.store.people.shared_lines import Line


async def share(
    connection: AsyncConnection, redis: Redis, address: Address, members: Sequence[str] = ()
) -> Line:
    """Make an address a shared line: at once no call over it is told anybody's memory. Raises NotFound for a
    member who is not there."""
    await users.move(connection)
    await revoke.forget_marks(connection, redis, address)
    owner = await users.find(connection, [address])
    if owner is None:
        return await shared_lines.share(connection, address, members)
    await revoke.hold(connection, owner)
    async with revoke.withdrawing(connection, redis, owner):
        line = await shared_lines.share(connection, address, members)
    await revoke.renew(connection, owner)
    return line


async def unshare(connection: AsyncConnection, address: Address, user_id: str | None = None) -> None:
    """Make a shared line the address of one user, or nobody's: then its next caller is somebody new. Raises
    Conflict when it is not shared, NotFound for a user who is not there."""
    await users.move(connection)
    await shared_lines.unshare(connection, address)
    if user_id is not None:
        await _give(connection, address, await users.require(connection, user_id))


async def link(connection: AsyncConnection, address: Address, user_id: str) -> bool:
    """Give a user an address; return whether it was not theirs before. Raises Conflict when it is somebody
    else's or shared, NotFound for a user who is not there."""
    await users.move(connection)
    return await _give(connection, address, await users.require(connection, user_id))


async def unlink(connection: AsyncConnection, redis: Redis, address: Address, user_id: str) -> None:
    """Take an address away: its next caller is somebody new, and what was said over it stays the user's.
    Raises NotFound when it is not theirs alone."""
    await users.move(connection)
    user = await users.require(connection, user_id)
    if await users.find(connection, [address]) != user:
        raise NotFound(f"{address} is no address of user {user_id} alone.")
    await revoke.forget_marks(connection, redis, address)
    await revoke.hold(connection, user)
    async with revoke.withdrawing(connection, redis, user):
        await user_profiles.take_away(connection, user, address)
    await revoke.renew(connection, user)


async def _give(connection: AsyncConnection, address: Address, user: str) -> bool:
    await revoke.hold(connection, user)
    added = await user_profiles.give(connection, user, address)
    await revoke.renew(connection, user)
    return added
