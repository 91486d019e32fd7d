"""Addresses: whose they are, and shared lines."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.api.http import fields, problem
from voice_server.api.http.dependencies import Dependencies, Moving, Reading, TheDependencies
from voice_server.api.http.fields import AnyUser, RequestBody
from voice_server.domain.addresses.address import Address, address_of
from voice_server.errors import Conflict, NotFound
from voice_server.operations.people import change_addresses
from voice_server.store.people import agents, shared_lines
from voice_server.store.people.shared_lines import Line

router = APIRouter(tags=["addresses"])

Spelling = Annotated[
    str,
    Field(
        min_length=1,
        max_length=255,
        description="A phone number, sip:ada@example.org, whatsapp:… or app:… (an id of the host "
        "application's)",
    ),
    fields.Storable,
]


class AnAddress(BaseModel):
    """How a platform knows a user."""

    address: str = Field(examples=["tel:+14155550101"])
    user_id: str | None = Field(description="Whose it is; null for a shared line")
    shared: bool
    members: list[str] = Field(description="Who uses it, when it is a shared line")


class LineMembers(RequestBody):
    """Who uses a shared line."""

    members: list[AnyUser] = Field([], max_length=100, description="Besides its owner, if it has one")


@router.get("/addresses/{address:path}", response_model=AnAddress, summary="Get an address")
async def get_address(connection: Reading, dependencies: TheDependencies, address: Spelling) -> Line:
    """Return whose address it is. 404 when nobody is known by it."""
    line = await shared_lines.get(connection, spelled_address(address, dependencies))
    if line is None:
        raise NotFound(f"Nobody is known by {address}.")
    return line


@router.put(
    "/shared-lines/{address:path}",
    response_model=AnAddress,
    responses=problem.documented(409),
    summary="Mark an address as shared",
)
async def share_address(
    connection: Moving, dependencies: TheDependencies, address: Spelling, given: LineMembers
) -> Line:
    """Make an address a shared line, as of a household or an office. Until callers over it are identified,
    they are told nobody's memory, and nothing is learned of anybody. Its owner and earlier members use it
    from now on."""
    known = await free_of_agents(connection, spelled_address(address, dependencies))
    return await change_addresses.share(connection, dependencies.redis, known, sorted(set(given.members)))


@router.delete(
    "/shared-lines/{address:path}",
    status_code=204,
    responses=problem.documented(409),
    summary="Make a shared line one user's, or nobody's",
)
async def unshare_address(
    connection: Moving,
    dependencies: TheDependencies,
    address: Spelling,
    user_id: Annotated[
        AnyUser | None, Query(description="Whose it is from now on; left out: nobody's")
    ] = None,
) -> None:
    """Make a shared line one user's, or nobody's: then its next caller is a new user. 409 for an address that
    is not shared."""
    await change_addresses.unshare(connection, spelled_address(address, dependencies), user_id)


def spelled_address(text: str, dependencies: Dependencies) -> Address:
    """Return an address in our spelling. Raises HTTPException (422) when the text is no address, or stands
    for a caller who hides."""
    address = address_of(text, dependencies.region)
    if address is None:
        raise HTTPException(
            422, f"{text!r} is no address: write tel:+14155550101, sip:ada@example.org, whatsapp:… or app:…"
        )
    return address


async def free_of_agents(connection: AsyncConnection, address: Address) -> Address:
    """Return the address. Raises Conflict for an agent's own number: its user would be nobody from then
    on."""
    if await agents.has_number(connection, address):
        raise Conflict(f"{address} is an agent's own number.")
    return address
