"""Users and what is told of them, for whoever runs the server."""

from datetime import datetime

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import Address, address_of
from voice_server.errors import ConfigurationError, NotFound
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.store.people import user_profiles, users
from voice_server.store.people.user_profiles import Profile
from voice_server.store.prompts import prompt_history
from voice_server.store.prompts.prompt_history import PromptRecord


class UserRow(Struct, frozen=True):
    """`with_agents` are those who know something of the user."""

    user: str
    name: str
    addresses: list[str]
    external_id: str | None
    timezone: str
    language: str
    with_agents: list[str]
    merged_into: str | None
    created_at: datetime


async def listing(settings: Settings, *, address: str, after: str, limit: int) -> list[UserRow]:
    async with session.at_work(settings.database_url) as connection:
        found = (
            await user_profiles.known_as(connection, required_address(address, settings.default_region))
            if address
            else await user_profiles.page(connection, after=after, limit=limit)
        )
        return [await _listed(connection, one) for one in found]


async def shown(settings: Settings, who: str) -> tuple[UserRow, list[PromptRecord]]:
    """Find a user by id, address or external id, with the prompts that their next calls get. Raises NotFound,
    and ConfigurationError for a shared line."""
    async with session.at_work(settings.database_url) as connection:
        profile = await _found(connection, who, settings)
        prompts = [
            await prompt_history.get(connection, profile.id, one.agent_id, one.version)
            for one in await prompt_history.page(connection, profile.id, None)
            if one.cached
        ]
        return await _listed(connection, profile), prompts


async def require(settings: Settings, user_id: str, agent_id: str) -> None:
    """Raise NotFound, unless the user exists and the agent knows something of them."""
    async with session.at_work(settings.database_url) as connection:
        survivor = await users.require(connection, user_id)
        known = await users.agents_of(connection, survivor)
    if agent_id not in known:
        raise NotFound(
            f"Agent {agent_id} knows nothing of user {user_id}. Who does: {', '.join(known) or 'nobody'}."
        )


async def _listed(connection: AsyncConnection, profile: Profile) -> UserRow:
    return UserRow(
        profile.id,
        profile.name,
        [f"{one.address} (shared)" if one.shared else one.address for one in profile.addresses],
        profile.external_id,
        profile.timezone,
        profile.language,
        await users.agents_of(connection, profile.id),
        profile.merged_into,
        profile.created_at,
    )


async def _found(connection: AsyncConnection, who: str, settings: Settings) -> Profile:
    if survivor := await users.survivor(connection, who):
        return await user_profiles.get(connection, survivor)
    address = address_of(who, settings.default_region)
    found = await user_profiles.known_as(connection, address) if address else []
    found = found or await user_profiles.called(connection, who)
    if len(found) > 1:
        raise ConfigurationError(f"{who} is a line of {', '.join(one.id for one in found)}: name one of them")
    if not found:
        raise NotFound(f"Nobody has the id, the address or the external id {who}.")
    return found[0]


def required_address(text: str, region: str) -> Address:
    """Read an address. Raises ConfigurationError when it is none."""
    address = address_of(text, region)
    if address is None:
        raise ConfigurationError(f"{text!r} is no address: write a phone number, sip:…, whatsapp:… or app:…")
    return address
