"""The user on whose behalf a client asks, as it names them: by our id, by a number, by an id of its own."""

import re
from typing import Any

from voice_server.api.http.dependencies import Dependencies
from voice_server.domain.address import Address, address_of, app_address
from voice_server.errors import ChatRefused, Conflict
from voice_server.store import session
from voice_server.store.people import users

_ID = "usr_"
_SPELLED = re.compile(r"(app|tel|sips?|whatsapp):", re.IGNORECASE)


async def resolved(dependencies: Dependencies, named: str) -> str:
    """The user so named, who is made known when nobody has this address. Raises ChatRefused for a name that
    is none; Conflict for a line that several share."""
    if named.startswith(_ID):
        return named
    address = _address(dependencies, named)
    async with dependencies.engine.begin() as connection:
        await users.stay(connection)
        found = await users.resolve(connection, "", [address])
    if found is None:
        raise Conflict(f"Several share the line {address}: name the user by their id.")
    return found


async def known(dependencies: Dependencies, named: str | None) -> tuple[str | None, dict[str, Any]]:
    """The user of whom memory is told, if there is one; and what could not be read. Raises ChatRefused for a
    name that is none."""
    if named is None or named.startswith(_ID):
        return named, {}
    address = _address(dependencies, named)
    deadline = dependencies.contexts.rules.deadline
    try:
        return await session.within(deadline, _found(dependencies, address)), {}
    except session.ERRORS as error:
        return None, {"degraded": True, "without": {"user": type(error).__name__}}


async def _found(dependencies: Dependencies, address: Address) -> str | None:
    async with dependencies.engine.connect() as connection:
        return await users.find(connection, [address])


def _address(dependencies: Dependencies, named: str) -> Address:
    """A number is one only with its `+`: an id of somebody's may be nothing but digits."""
    is_spelled = named.startswith("+") or _SPELLED.match(named)
    address = address_of(named, dependencies.region) if is_spelled else app_address(named)
    if address is None:
        raise ChatRefused(
            400,
            "invalid_user",
            "The user must be usr_…, a number as +14155550101, or an id of yours as app:42.",
        )
    return address
