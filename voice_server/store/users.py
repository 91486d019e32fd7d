"""Users and their addresses."""

import secrets
from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.address import Address
from voice_server.store.tables import addresses, conversations, users

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def new_id() -> str:
    """`usr_` and twenty random characters."""
    return "usr_" + "".join(secrets.choice(_ALPHABET) for _ in range(20))


async def resolve(connection: AsyncConnection, user_id: str, known_as: Sequence[Address]) -> str:
    """The user with this id, else the owner of the first address that has one, else a new user.

    Addresses nobody owns become this user's; one that another user owns stays theirs. `known_as`
    must not be empty. Two calls of one new caller at the same moment make one user.
    """
    await _lock(connection, known_as)
    owners = await _owners(connection, known_as)
    owned = [owners[one] for one in known_as if one in owners]
    user = (await _existing(connection, user_id)) or (owned[0] if owned else await _create(connection))
    await link(connection, user, [one for one in known_as if one not in owners])
    return user


async def find(connection: AsyncConnection, known_as: Sequence[Address]) -> str | None:
    """The owner of the first of these addresses that has one."""
    owners = await _owners(connection, known_as)
    return next((owners[one] for one in known_as if one in owners), None)


async def exists(connection: AsyncConnection, user_id: str) -> bool:
    """Whether there is such a user."""
    return await _existing(connection, user_id) is not None


async def link(connection: AsyncConnection, user_id: str, unowned: Sequence[Address]) -> None:
    """Give addresses to a user."""
    if unowned:
        rows = [{"address": one, "user_id": user_id} for one in dict.fromkeys(unowned)]
        await connection.execute(insert(addresses).values(rows).on_conflict_do_nothing())


async def addresses_of(connection: AsyncConnection, user_id: str) -> list[Address]:
    """All addresses of a user."""
    rows = await connection.execute(sa.select(addresses.c.address).where(addresses.c.user_id == user_id))
    return [Address(address) for address in rows.scalars()]


async def timezone(connection: AsyncConnection, user_id: str, *, at: datetime) -> str:
    """A user's time zone: their own, else the one their latest call up to `at` came from; "" when unknown."""
    said = (
        (conversations.c.user_id == user_id)
        & (conversations.c.timezone != "")
        & (conversations.c.started_at <= at)
    )
    latest = (
        sa.select(conversations.c.timezone)
        .where(said)
        .order_by(conversations.c.started_at.desc(), conversations.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    own = sa.func.nullif(users.c.timezone, "")
    statement = sa.select(sa.func.coalesce(own, latest, "")).where(users.c.id == user_id)
    return (await connection.execute(statement)).scalar_one_or_none() or ""


async def lock(connection: AsyncConnection, user_id: str) -> None:
    """Until the transaction ends, nobody else records a call of this user or keeps what was understood
    from one. Comes before any lock of the queue's."""
    row = sa.select(users.c.id).where(users.c.id == user_id)
    await connection.execute(row.with_for_update(key_share=True))


async def _lock(connection: AsyncConnection, known_as: Sequence[Address]) -> None:
    """Until the transaction ends, nobody else resolves these addresses. Sorted: no deadlock."""
    for one in sorted(set(known_as)):
        await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(one, 7))))


async def _owners(connection: AsyncConnection, known_as: Sequence[Address]) -> dict[Address, str]:
    statement = sa.select(addresses.c.address, addresses.c.user_id).where(addresses.c.address.in_(known_as))
    return {Address(address): user for address, user in await connection.execute(statement)}


async def _existing(connection: AsyncConnection, user_id: str) -> str | None:
    if not user_id:
        return None
    return (await connection.execute(sa.select(users.c.id).where(users.c.id == user_id))).scalar_one_or_none()


async def _create(connection: AsyncConnection) -> str:
    user_id = new_id()
    await connection.execute(insert(users).values(id=user_id))
    return user_id
