"""What a person sees and changes by hand: rows of one user, page by page. A change needs the version that was
seen (None: whichever there is), and locks the user."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.errors import Conflict, NotFound
from voice_server.store.people import agents, users


class _VersionedRow(Protocol):
    @property
    def user_id(self) -> str: ...
    @property
    def version(self) -> int: ...


_Row = TypeVar("_Row", bound=_VersionedRow)
_AnyRow = TypeVar("_AnyRow", bound=Struct)


def listed(
    table: sa.Table, user_id: str, agent_id: str | None, *, after: int, limit: int
) -> "sa.Select[Any]":
    theirs = sa.select(table).where(table.c.user_id == user_id, table.c.id > after)
    if agent_id is not None:
        theirs = theirs.where(table.c.agent_id == agent_id)
    return theirs.order_by(table.c.id).limit(limit)


def latest(
    table: sa.Table, user_id: str, columns: "Sequence[sa.Column[Any]]", *, limit: int
) -> "sa.Select[Any]":
    theirs = sa.select(table).where(table.c.user_id == user_id)
    return theirs.order_by(*(one.desc() for one in columns)).limit(limit)


async def count(connection: AsyncConnection, statement: "sa.Select[Any]") -> int:
    counted = sa.select(sa.func.count()).select_from(statement.subquery())
    return int((await connection.execute(counted)).scalar_one())


async def rows(
    connection: AsyncConnection,
    statement: "sa.Select[Any]",
    type_: type[_AnyRow],
    asked: Mapping[str, object] | None = None,
) -> list[_AnyRow]:
    """Return what a statement over one table finds, each as `type_`, which names columns."""
    found = (await connection.execute(statement, dict(asked or {}))).mappings()
    return [msgspec.convert({name: one[name] for name in type_.__struct_fields__}, type_) for one in found]


async def row(
    connection: AsyncConnection, table: sa.Table, id_: int, type_: type[_AnyRow], noun: str
) -> _AnyRow:
    """Return the row with this id. Raises NotFound, naming it as `noun`."""
    found = await rows(connection, sa.select(table).where(table.c.id == id_), type_)
    if not found:
        raise NotFound(f"There is no {noun} {id_}.")
    return found[0]


async def adding(connection: AsyncConnection, user_id: str, agent_id: str) -> str:
    """Return who the user is now, locked until the transaction ends. Raises NotFound for an unknown user or
    agent."""
    await users.stay(connection)
    user_id = await users.require(connection, user_id)
    if not await agents.is_registered(connection, agent_id):
        raise NotFound(f"There is no agent {agent_id}: it is registered when it first calls.")
    await users.lock(connection, user_id)
    return user_id


async def changing(
    connection: AsyncConnection,
    get: Callable[[AsyncConnection, int], Awaitable[_Row]],
    id_: int,
    version: int | None,
) -> _Row:
    """Return the row that `get` finds, its user locked until the transaction ends. Raises NotFound, and
    Conflict when `version` is not the current one."""
    await users.stay(connection)
    await users.lock(connection, (await get(connection, id_)).user_id)
    row = await get(connection, id_)
    require_version(row.version, version)
    return row


def differs(row: object, changes: Mapping[str, object]) -> bool:
    """Tell whether anything would change: what a person leaves as it is, digests may go on changing."""
    return any(getattr(row, name) != value for name, value in changes.items())


def require_version(current: int, seen: int | None) -> None:
    """Raise Conflict when another version was seen; None sees whatever is there."""
    if seen not in (None, current):
        raise Conflict(f"It was changed meanwhile: the version is {current} now. Read it again, then decide.")
