"""The user on whose behalf a client asks, as the client names them."""

import re
from typing import Any

from voice_server.api.http.dependencies import Dependencies
from voice_server.domain.addresses.address import Address, address_of, app_address
from voice_server.errors import ChatRefused, Conflict
from voice_server.store import session
from voice_server.store.people import users

_ID = "usr_"
_SPELLED = re.compile(r"(app|tel|sips?|whatsapp):", re.IGNORECASE)


async def resolved(dependencies: Dependencies, named: str) -> str:
    """Return the id of the named user; an address that nobody has gets a new user. Raises ChatRefused for a
    malformed name, Conflict for a shared line."""
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
    """Return the user whose memory is told, None if there is none, and what could not be read in time. Raises
    ChatRefused for a malformed name."""
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
    """Take a number only with its `+`: a client's own id may be nothing but digits."""
    is_spelled = named.startswith("+") or _SPELLED.match(named)
    address = address_of(named, dependencies.region) if is_spelled else app_address(named)
    if address is None:
        raise ChatRefused(
            400,
            "invalid_user",
            "The user must be usr_…, a number as +14155550101, or an id of yours as app:42.",
        )
    return address
