"""Users and their addresses."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import APP, Address
from voice_server.domain.addresses.number_zone import number_zone
from voice_server.errors import NotFound
from voice_server.store.session import Statement
from voice_server.store.tables import (
    addresses,
    cached_voice_prompts,
    conversations,
    facts,
    open_threads,
    relationships,
    shared_lines,
    thoughts,
    users,
)

_HANDS = 7_001_318  # the key of the lock that `stay` shares and `move` has alone
_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def new_id() -> str:
    return "usr_" + "".join(secrets.choice(_ALPHABET) for _ in range(20))


async def resolve(
    connection: AsyncConnection, user_id: str, known_as: Sequence[Address], *, at: datetime | None = None
) -> str | None:
    """Return the user with this id, else the owner of the first address that has one, else a new user.

    Addresses nobody owns become this user's; another user's stay theirs. Two calls of one new caller at the
    same moment make one user. `at` is when the call began. A shared line is nobody's: over it an id counts
    only if a member has it, and only the host application's id makes somebody known. None when that leaves
    nobody, as for a caller without an address.
    """
    await _lock(connection, known_as)
    there = await owners(connection, known_as)
    shared = [one for one in known_as if one in there and there[one] is None]
    own = [one for one in known_as if one not in shared and (one.startswith(APP) or not shared)]
    user = await _named(connection, user_id, known_as, shared, at) or first_owner(there, known_as)
    if user is None and own:
        user = await _create(connection)
    if user is not None:
        await link(connection, user, [one for one in own if one not in there])
    return user


async def find(connection: AsyncConnection, known_as: Sequence[Address]) -> str | None:
    return first_owner(await owners(connection, known_as), known_as)


async def owners(connection: AsyncConnection, known_as: Sequence[Address]) -> dict[Address, str | None]:
    """Return whose these addresses are, without those that nobody has. None: it is a shared line."""
    rows = await _OWNERS.rows(connection, {"addresses": list(known_as)})
    return {Address(address): user for address, user in rows}


def first_owner(there: Mapping[Address, str | None], known_as: Sequence[Address]) -> str | None:
    return next((owner for one in known_as if (owner := there.get(one))), None)


def is_shared(there: Mapping[Address, str | None], address: Address) -> bool:
    return address in there and there[address] is None


async def survivor(connection: AsyncConnection, user_id: str) -> str | None:
    """Return who this user is now: themselves, or whom they were merged into."""
    if not user_id:
        return None
    rows = await _SURVIVOR.rows(connection, {"user": user_id})
    return next((id_ for (id_,) in rows), None)


async def require(connection: AsyncConnection, user_id: str) -> str:
    """Return who this user is now. Raises NotFound."""
    found = await survivor(connection, user_id)
    if found is None:
        raise NotFound(f"There is no user {user_id}.")
    return found


async def link(connection: AsyncConnection, user_id: str, unowned: Sequence[Address]) -> None:
    """Give addresses to a user; those that are somebody's, or shared, stay so."""
    if unowned:
        rows = [{"address": one, "user_id": user_id} for one in dict.fromkeys(unowned)]
        await connection.execute(insert(addresses).values(rows).on_conflict_do_nothing())


def addresses_by(user: str) -> str:
    return f"select address from addresses where user_id = {user}"  # noqa: S608 (the expression is ours)


async def addresses_of(connection: AsyncConnection, user_id: str) -> list[Address]:
    rows = await _ADDRESSES.rows(connection, {"user": user_id})
    return [Address(address) for (address,) in rows]


async def agents_of(connection: AsyncConnection, user_id: str) -> list[str]:
    known = (conversations, facts, open_threads, thoughts, relationships, cached_voice_prompts)
    statement = sa.union(*(sa.select(one.c.agent_id).where(one.c.user_id == user_id) for one in known))
    return sorted((await connection.execute(statement)).scalars())


def timezone_of(user: str, at: str) -> str:
    """Return the SQL of a user's own time zone, else of where their latest call up to a moment came from,
    else ''. `user` and `at` are expressions. What phone numbers tell is left to `zone_of_numbers`."""
    return f"""coalesce((select nullif(whose.timezone, '') from users whose where whose.id = {user}), (
        select came.timezone from conversations came
        where came.user_id = {user} and came.timezone <> '' and came.started_at <= {at}
        order by came.started_at desc, came.id desc limit 1
    ), '')"""  # noqa: S608 (the expressions are ours)


async def timezone(connection: AsyncConnection, user_id: str, *, at: datetime) -> str:
    """Return a user's own time zone, else where their latest call up to `at` came from, else what their phone
    number tells, else ""."""
    asked = {"user": user_id, "at": at}
    known: str = (await connection.execute(_TIMEZONE, asked)).scalar_one()
    return known or await zone_of_numbers(connection, user_id, at=at)


async def zone_of_numbers(connection: AsyncConnection, user_id: str, *, at: datetime) -> str:
    """Return the time zone that a user's phone numbers tell; "" when they tell none or several."""
    return number_zone(await addresses_of(connection, user_id), at)


async def stay(connection: AsyncConnection) -> None:
    """Keep every address, conversation and user from changing hands until the transaction ends. The first
    lock of a transaction (docs/explanation/architecture.md, lock order); those who only stay do not wait for
    each other."""
    await _STAY.rows(connection, {})


async def move(connection: AsyncConnection) -> None:
    """Keep others, until the transaction ends, from deciding whose a call is, and from changing that. The
    first lock of a transaction that does either: it waits for those who stay."""
    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_HANDS)))


async def lock(connection: AsyncConnection, *user_ids: str | None) -> Sequence[str]:
    """Keep others, until the transaction ends, from recording a call of these users, keeping what was
    understood from one, and merging them; return the ids that there are. Before any lock of the queue's, for
    all users at once: they are locked in the order of their ids."""
    return [id_ for (id_,) in await _LOCK.rows(connection, {"users": [one for one in user_ids if one]})]


async def hold(connection: AsyncConnection, user_id: str) -> str:
    """`require` and `lock` at once, after `stay`."""
    for (id_,) in await _HOLD.rows(connection, {"user": user_id}):
        return str(id_)
    raise NotFound(f"There is no user {user_id}.")


async def _lock(connection: AsyncConnection, known_as: Sequence[Address]) -> None:
    """Lock these addresses, sorted: no deadlock."""
    for one in sorted(set(known_as)):
        await _LOCK_ADDRESS.rows(connection, {"address": one})


async def _named(
    connection: AsyncConnection,
    user_id: str,
    known_as: Sequence[Address],
    shared: Sequence[Address],
    at: datetime | None,
) -> str | None:
    """Return the user whom our own id means, where one came back with a call."""
    if user_id and at is not None:
        user_id = await _parted(connection, user_id, known_as, at)
    user = await survivor(connection, user_id)
    if user is None or not shared:
        return user
    members = sa.select(shared_lines.c.user_id).where(shared_lines.c.address.in_(shared))
    return user if user in set((await connection.execute(members)).scalars()) else None


async def _parted(
    connection: AsyncConnection, user_id: str, known_as: Sequence[Address], at: datetime, before: int = 2**62
) -> str:
    """Return whose call it is. One that began while two users were merged was told the id of both; once they
    are parted, it belongs to the user to whom its address went back."""
    asked = {"user": user_id, "known_as": list(known_as), "at": at, "before": before}
    merge = (await connection.execute(_UNDONE, asked)).first()
    if merge is None:
        return user_id
    return await _parted(connection, merge.from_user, known_as, at, merge.id)


async def _create(connection: AsyncConnection) -> str:
    user_id = new_id()
    await connection.execute(insert(users).values(id=user_id))
    return user_id


# "union" and not "union all": no ring could keep it going.
_SURVIVOR = Statement("""
with recursive chain as (
    select id, merged_into from users where id = :user
    union select u.id, u.merged_into from users u join chain on u.id = chain.merged_into
)
select id from chain where merged_into is null
""")
_HOLD = Statement("""
with recursive chain as (
    select id, merged_into from users where id = :user
    union select u.id, u.merged_into from users u join chain on u.id = chain.merged_into
)
select id from users where id = (select id from chain where merged_into is null) for no key update
""")
_UNDONE = sa.text("""
select id, from_user from user_merges
where into_user = :user and undone_at > :at
    and moved -> 'addresses' ?| cast(:known_as as text[]) and id < :before
order by id desc limit 1
""")
_TIMEZONE = sa.text(f"select {timezone_of(':user', ':at')}")
_ADDRESSES = Statement(addresses_by(":user"))
_OWNERS = Statement("select address, user_id from addresses where address = any(cast(:addresses as text[]))")
_STAY = Statement(f"select pg_advisory_xact_lock_shared({_HANDS})")
_LOCK_ADDRESS = Statement("select pg_advisory_xact_lock(hashtextextended(:address, 7))")
_LOCK = Statement("select id from users where id = any(cast(:users as text[])) order by id for no key update")
