"""Users as the host application sees and changes them: time zone, language, addresses."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.address import Address
from voice_server.errors import Conflict, NotFound
from voice_server.store import users as users_store
from voice_server.store.tables import addresses, shared_lines, users


class KnownAs(Struct, frozen=True):
    """One of a user's addresses; `shared` when it is a line that others use, too."""

    address: Address
    shared: bool


class Profile(Struct, frozen=True):
    """A user. `timezone` and `language` are "" where nobody set them; `merged_into` is the user who has all of
    this one's now. `version` goes up with every change by hand."""

    id: str
    timezone: str
    language: str
    addresses: tuple[KnownAs, ...]
    merged_into: str | None
    created_at: datetime
    version: int


async def create(connection: AsyncConnection, timezone: str, language: str) -> str:
    """Make a user; their id."""
    user_id = users_store.new_id()
    await connection.execute(sa.insert(users).values(id=user_id, timezone=timezone, language=language))
    return user_id


async def get(connection: AsyncConnection, user_id: str) -> Profile:
    """A user with all addresses. Raises NotFound."""
    row = (await connection.execute(_PROFILES.where(users.c.id == user_id))).first()
    if row is None:
        raise NotFound(f"There is no user {user_id}.")
    return _profile(row)


async def page(connection: AsyncConnection, *, after: str = "", limit: int = 50) -> list[Profile]:
    """Users in the order of their ids, those that follow `after`."""
    statement = _PROFILES.where(users.c.id > after).order_by(users.c.id).limit(limit)
    return [_profile(row) for row in await connection.execute(statement)]


async def known_as(connection: AsyncConnection, address: Address) -> list[Profile]:
    """Whose address this is: nobody's, one user's, or, of a shared line, everybody's who uses it."""
    owner = sa.select(addresses.c.user_id).where(addresses.c.address == address)
    sharing = sa.select(shared_lines.c.user_id).where(shared_lines.c.address == address)
    statement = _PROFILES.where(users.c.id.in_(owner.union(sharing))).order_by(users.c.id)
    return [_profile(row) for row in await connection.execute(statement)]


async def change(connection: AsyncConnection, user_id: str, version: int | None, **changes: str) -> Profile:
    """Change time zone or language. Raises NotFound, and Conflict when `version` is not the current one."""
    statement = sa.update(users).where(users.c.id == user_id).values(**changes, version=users.c.version + 1)
    if version is not None:
        statement = statement.where(users.c.version == version)
    changed = (await connection.execute(statement.returning(users.c.id))).first()
    profile = await get(connection, user_id)
    if changed is None:
        raise Conflict(f"User {user_id} was changed meanwhile: the version is {profile.version} now.")
    return profile


async def give(connection: AsyncConnection, user_id: str, address: Address) -> bool:
    """Give an address to a user; whether it was not theirs before. Raises Conflict when it is somebody
    else's, or a shared line. Two at once: one of them gets it."""
    statement = insert(addresses).values(address=address, user_id=user_id).on_conflict_do_nothing()
    added = (await connection.execute(statement.returning(addresses.c.address))).first() is not None
    owned = sa.select(addresses.c.user_id).where(addresses.c.address == address)
    owner = (await connection.execute(owned)).scalar_one()
    if owner != user_id:
        whose = f"belongs to user {owner}" if owner else "is a shared line"
        raise Conflict(f"{address} {whose}: unlink it there first, or merge the two users.")
    return added


async def take_away(connection: AsyncConnection, user_id: str, address: Address) -> None:
    """Take an address from a user. Raises NotFound when it is not theirs alone."""
    theirs = (addresses.c.address == address) & (addresses.c.user_id == user_id)
    statement = sa.delete(addresses).where(theirs).returning(addresses.c.address)
    if (await connection.execute(statement)).first() is None:
        raise NotFound(f"{address} is no address of user {user_id} alone.")


_KNOWN_AS = (
    sa.select(sa.func.json_agg(sa.func.json_build_array(addresses.c.address, addresses.c.shared)))
    .where(
        (addresses.c.user_id == users.c.id)
        | sa.exists(shared_lines.c.address)
        .where(shared_lines.c.address == addresses.c.address, shared_lines.c.user_id == users.c.id)
        .correlate(addresses, users)
    )
    .correlate(users)
    .scalar_subquery()
    .label("addresses")
)
_PROFILES: sa.Select[Any] = sa.select(*(users.c.get(name, _KNOWN_AS) for name in Profile.__struct_fields__))


def _profile(row: "sa.Row[Any]") -> Profile:
    shown = (KnownAs(Address(address), shared) for address, shared in sorted(row.addresses or []))
    return Profile(
        row.id, row.timezone, row.language, tuple(shown), row.merged_into, row.created_at, row.version
    )
