"""Users as the host application sees and changes them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import Address
from voice_server.domain.person import NameSource
from voice_server.errors import Conflict, NotFound
from voice_server.store.people import names, user_search
from voice_server.store.people.users import new_id
from voice_server.store.tables import addresses, conversations, shared_lines, users

_MOST_NOTED = 20_000  # characters of what is kept with a user
_EXTERNAL_IDS = 14  # what the hashes of external ids are locked under


class UserAddress(Struct, frozen=True):
    address: Address
    shared: bool


class Profile(Struct, frozen=True):
    """A user as the host application sees them, by the columns of `tables.users`; "" is unknown."""

    id: str
    name: str
    nickname: str
    name_source: NameSource
    external_id: str | None
    metadata: dict[str, Any]
    timezone: str
    language: str
    addresses: tuple[UserAddress, ...]
    merged_into: str | None
    created_at: datetime
    version: int


async def create(connection: AsyncConnection, **given: object) -> str:
    """Create a user; return the id. Raises Conflict for an external id that somebody has."""
    user_id = new_id()
    values = await _values(connection, user_id, given)
    await connection.execute(sa.insert(users).values(id=user_id, **values))
    return user_id


async def get(connection: AsyncConnection, user_id: str) -> Profile:
    """Return a user with all addresses. Raises NotFound."""
    row = (await connection.execute(_PROFILES.where(users.c.id == user_id))).first()
    if row is None:
        raise NotFound(f"There is no user {user_id}.")
    return _profile(row)


async def page(
    connection: AsyncConnection, *, after: str = "", limit: int = 50, name: str = ""
) -> list[Profile]:
    statement = _PROFILES.where(users.c.id > after).order_by(users.c.id).limit(limit)
    if name:
        statement = statement.where(user_search.begins(name))
    return [_profile(row) for row in await connection.execute(statement)]


async def known_as(connection: AsyncConnection, address: Address) -> list[Profile]:
    owner = sa.select(addresses.c.user_id).where(addresses.c.address == address)
    sharing = sa.select(shared_lines.c.user_id).where(shared_lines.c.address == address)
    statement = _PROFILES.where(users.c.id.in_(owner.union(sharing))).order_by(users.c.id)
    return [_profile(row) for row in await connection.execute(statement)]


async def find(
    connection: AsyncConnection, wanted: str, address: Address | None, *, limit: int
) -> list[Profile]:
    """Return who is meant by an id, the host application's id, an address, or a part of a name or number."""
    ways = [sa.select(users.c.id).where(one) for one in (users.c.id == wanted, users.c.external_id == wanted)]
    exactly = list((await connection.execute(sa.union(*ways))).scalars())
    parts = await user_search.matching(connection, wanted, limit=limit)
    theirs = await known_as(connection, address) if address else []
    others = await in_order(connection, [*exactly, *parts])
    return list({one.id: one for one in (*theirs, *others)}.values())


async def in_order(connection: AsyncConnection, ids: Sequence[str]) -> list[Profile]:
    found = await named(connection, ids)
    return [found[one] for one in dict.fromkeys(ids) if one in found]


async def named(connection: AsyncConnection, ids: Collection[str]) -> dict[str, Profile]:
    found = _PROFILES.where(users.c.id.in_(set(ids)))
    return {row.id: _profile(row) for row in await connection.execute(found)}


async def called(connection: AsyncConnection, external_id: str) -> list[Profile]:
    return [
        _profile(row) for row in await connection.execute(_PROFILES.where(users.c.external_id == external_id))
    ]


async def change(
    connection: AsyncConnection, user_id: str, version: int | None, changes: Mapping[str, object]
) -> Profile:
    """Change a user. A name that is taken back is made anew of what was heard. Raises NotFound, and Conflict
    for a `version` that is not current, or an external id that somebody else has."""
    values = await _values(connection, user_id, changes)
    statement = sa.update(users).where(users.c.id == user_id).values(**values, version=users.c.version + 1)
    if version is not None:
        statement = statement.where(users.c.version == version)
    changed = (await connection.execute(statement.returning(users.c.id))).first()
    if changed is not None and changes.get("name") == "":
        await names.refresh(connection, user_id)
    profile = await get(connection, user_id)
    if changed is None:
        raise Conflict(f"User {user_id} was changed meanwhile: the version is {profile.version} now.")
    return profile


async def keep_collected(
    connection: AsyncConnection, user_id: str, at: datetime, values: Mapping[str, str | float | bool]
) -> None:
    """Put what a platform collected beside the host application's data of a user. The latest conversation has
    the last word; an earlier one (`at`) only adds what nobody said. After `users.lock`."""
    later = sa.select(conversations.c.id).where(
        conversations.c.user_id == user_id,
        conversations.c.started_at > at,
        conversations.c.outcome == "talked",
    )
    new = sa.literal(dict(values), JSONB)
    merged = sa.case((later.exists(), new.concat(users.c.metadata)), else_=users.c.metadata.concat(new))
    kept = sa.case((sa.func.length(sa.cast(merged, sa.Text)) <= _MOST_NOTED, merged), else_=users.c.metadata)
    await connection.execute(sa.update(users).where(users.c.id == user_id).values(metadata=kept))


async def _values(
    connection: AsyncConnection, user_id: str, given: Mapping[str, object]
) -> dict[str, object]:
    """Add who named the user; make sure that nobody else has the external id."""
    values = dict(given)
    if "name" in given:
        values |= {"name_source": "api" if given["name"] else "", "nickname": given.get("nickname", "")}
    elif given.get("nickname"):
        values["name_source"] = sa.case((users.c.name != "", "api"), else_=users.c.name_source)
    if external_id := given.get("external_id"):
        lock = sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(external_id, _EXTERNAL_IDS))
        await connection.execute(sa.select(lock))
        theirs = (users.c.external_id == external_id) & (users.c.id != user_id)
        if (
            other := (await connection.execute(sa.select(users.c.id).where(theirs))).scalar_one_or_none()
        ) is not None:
            raise Conflict(f"User {other} has the external id {external_id!r}: change it there first.")
    return values


async def give(connection: AsyncConnection, user_id: str, address: Address) -> bool:
    """Give an address to a user; return whether it is new to them. Raises Conflict when it is another's, or a
    shared line. Of two at once, one gets it."""
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


# Two branches and no "or": each finds its rows by an index of its own, where an "or" reads every address
# there is.
_KNOWN = sa.union(
    sa.select(addresses.c.address, addresses.c.shared)
    .where(addresses.c.user_id == users.c.id)
    .correlate(users),
    sa.select(addresses.c.address, addresses.c.shared)
    .join(shared_lines, shared_lines.c.address == addresses.c.address)
    .where(shared_lines.c.user_id == users.c.id)
    .correlate(users),
).subquery()
_KNOWN_AS = (
    sa.select(sa.func.json_agg(sa.func.json_build_array(_KNOWN.c.address, _KNOWN.c.shared)))
    .scalar_subquery()
    .label("addresses")
)
_PROFILES: sa.Select[Any] = sa.select(*(users.c.get(name, _KNOWN_AS) for name in Profile.__struct_fields__))


def _profile(row: "sa.Row[Any]") -> Profile:
    shown = (UserAddress(Address(address), shared) for address, shared in sorted(row.addresses or []))
    given = {name: getattr(row, name) for name in Profile.__struct_fields__ if name != "addresses"}
    return Profile(**given, addresses=tuple(shown))
