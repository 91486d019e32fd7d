"""Changes by hand: whose row, still the one that was seen, and nobody else's at the same moment."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.errors import Conflict, NotFound
from voice_server.store import agents, users


class _Versioned(Protocol):
    @property
    def user_id(self) -> str: ...
    @property
    def version(self) -> int: ...


_Row = TypeVar("_Row", bound=_Versioned)


async def adding(connection: AsyncConnection, user_id: str, agent_id: str) -> str:
    """Before something is added for a user and agent: who the user is now, locked until the transaction ends.
    Raises NotFound for a user or agent that is not there."""
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
    """Before the row that `get` finds is changed: the row, its user locked until the transaction ends.
    Raises NotFound, and Conflict when `version` is given and is not the current one."""
    await users.stay(connection)
    await users.lock(connection, (await get(connection, id_)).user_id)
    row = await get(connection, id_)
    require_version(row.version, version)
    return row


def differs(row: object, changes: Mapping[str, object]) -> bool:
    """Whether a change would change anything: what a person leaves as it is, digests may go on changing."""
    return any(getattr(row, name) != value for name, value in changes.items())


def require_version(current: int, seen: int | None) -> None:
    """Raises Conflict when another version was seen; None sees whatever is there."""
    if seen not in (None, current):
        raise Conflict(f"It was changed meanwhile: the version is {current} now. Read it again, then decide.")
