"""Users: who they are, and what they are known as."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from msgspec.structs import asdict
from pydantic import BaseModel, Field, with_config
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.responses import StreamingResponse
from typing_extensions import TypedDict

from voice_server.api.http import etag, paging, problem, rebuilding
from voice_server.api.http.dependencies import Moving, OfLockedUser, OfUser, Reading, TheDependencies, Writing
from voice_server.api.http.etag import Seen
from voice_server.api.http.fields import (
    STRICT,
    ExternalId,
    Language,
    Metadata,
    Name,
    OptionalTimezone,
    RequestBody,
    Timezone,
    UserId,
    Word,
)
from voice_server.api.http.paging import Page
from voice_server.api.routes.people.addresses import Spelling, free_of_agents, spelled_address
from voice_server.domain.person import NameSource
from voice_server.operations.people import change_addresses, erasing, exporting
from voice_server.queue import day_requests
from voice_server.store.people import shared_lines, talk_counts, user_profiles, user_search, users
from voice_server.store.people.user_profiles import Profile

router = APIRouter(tags=["users"])

_PARTS = (
    "Only whose name has it in it, or begins so where it is less than three letters; of three digits or "
    "more, also who has a phone number with them in it"
)
_LINES = {"application/x-ndjson": {"schema": {"type": "string"}}}


class UserAddress(BaseModel):
    """An address of a user."""

    address: str = Field(examples=["tel:+14155550101"])
    shared: bool = Field(description="Whether it is a line that others use, too")


class User(BaseModel):
    """A person who calls or writes."""

    id: str
    name: str = Field(description="What they are called; empty while nobody knows")
    nickname: str = Field(description="What they like to be called besides; mostly empty")
    name_source: NameSource = Field(
        description="Who says so: the host application (`api`), the `platform`, a `model`, or the caller "
        "(`said`)"
    )
    external_id: str | None = Field(description="The host application's own id of them")
    metadata: dict[str, Any] = Field(description="Whatever the host application keeps with them")
    timezone: str = Field(description="IANA name; empty: where their latest call came from, else the agent's")
    language: str
    addresses: list[UserAddress]
    merged_into: str | None = Field(description="The user who has all of this one's since they were merged")
    created_at: datetime
    version: int


class ListedUser(User):
    """A user in a list."""

    last_seen: datetime | None = Field(description="The end of their latest conversation; null before it")
    conversations: int = Field(description="How many they had: 1000 where it is that or more")


class NewUser(RequestBody):
    """A new user."""

    name: Name = ""
    nickname: Name = ""
    external_id: ExternalId | None = None
    metadata: Metadata = Field(default_factory=dict)
    timezone: Timezone | None = None
    language: Language = ""
    addresses: list[Spelling] = Field([], max_length=20)


@with_config(STRICT)
class UserChange(TypedDict, total=False):
    """What to change; what is left out stays. An empty text: as if nobody had set it; a name is then what was
    heard in conversations. A nickname given alone confirms the name."""

    name: Name
    nickname: Name
    external_id: ExternalId | Annotated[str, Field(max_length=0)] | None
    metadata: Metadata
    timezone: OptionalTimezone
    language: Language


@router.post(
    "/users", status_code=201, response_model=User, responses=problem.documented(409), summary="Create a user"
)
async def create_user(
    connection: Moving, dependencies: TheDependencies, given: NewUser, response: Response
) -> Profile:
    """Make a user before their first call, or without any. 409 when an address or the external id is somebody
    else's."""
    await users.move(connection)
    named = {"name": given.name, "nickname": given.nickname} if given.name else {}
    user_id = await user_profiles.create(
        connection,
        **named,
        external_id=given.external_id,
        metadata=given.metadata,
        timezone=given.timezone or "",
        language=given.language,
    )
    for address in sorted(spelled_address(one, dependencies) for one in given.addresses):
        await user_profiles.give(connection, user_id, await free_of_agents(connection, address))
    response.headers["location"] = f"/api/users/{user_id}"
    return await _after(connection, user_id, response)


@router.get("/users", response_model=Page[ListedUser], summary="List users, or find them")
async def list_users(
    connection: Reading,
    dependencies: TheDependencies,
    address: Annotated[Spelling | None, Query(description="Only who is known by it")] = None,
    external_id: Annotated[ExternalId | None, Query(description="Only who has it")] = None,
    name: Annotated[Word | None, Query(min_length=1, description="Only whose name begins so")] = None,
    find: Annotated[Word | None, Query(min_length=1, description=_PARTS)] = None,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List all users in the order of their ids, or only those whose name begins so, or who are found by a
    part of their name or number. By external id: who has it. By address: its owner, or everybody who shares
    the line. Of several questions one is answered: `external_id`, else `address`, else `find`."""
    after = paging.after(cursor, str) or ""
    if external_id is not None:
        found = await user_profiles.called(connection, external_id)
        limit = len(found)
    elif address is not None:
        found = await user_profiles.known_as(connection, spelled_address(address, dependencies))
        limit = len(found)
    elif find is not None:
        ids = await user_search.matching(connection, find, after=after, limit=limit + 1)
        found = await user_profiles.in_order(connection, ids)
    else:
        found = await user_profiles.page(connection, after=after, limit=limit + 1, name=name or "")
    return await _listed(connection, paging.page(found, limit, _id))


@router.get("/users/{user_id}", response_model=User, summary="Get a user")
async def get_user(connection: Reading, user_id: UserId, response: Response) -> Profile:
    """Return a user. For a user who was merged, `merged_into` names who has their memory now."""
    user = await user_profiles.get(connection, user_id)
    etag.tag(response, user.version)
    return user


@router.get(
    "/users/{user_id}/export",
    response_class=StreamingResponse,
    responses={200: {"description": "A JSON object in each line, with its `type`", "content": _LINES}},
    summary="Export all that is known of a user",
)
async def export_user(dependencies: TheDependencies, user_id: OfUser) -> StreamingResponse:
    """Export the user, conversations with what was said and understood, days, chat summaries, facts, open
    threads, thoughts and prompts. It takes as long as it takes; changes meanwhile may show."""
    told = exporting.lines(dependencies.engine, user_id)
    return StreamingResponse(told, media_type="application/x-ndjson")


@router.patch(
    "/users/{user_id}",
    response_model=User,
    responses=problem.documented(409, 412),
    summary="Change name, time zone, language, external id or metadata",
)
async def change_user(
    connection: Writing, user_id: OfLockedUser, given: UserChange, seen: Seen, response: Response
) -> Profile:
    """Change a user and rebuild their prompts: days begin and end in their time zone. A name set here stays,
    whatever is said."""
    user = await user_profiles.change(connection, user_id, seen, _stored(given))
    for agent_id in await users.agents_of(connection, user_id):  # in the order of their keys: no deadlock
        await day_requests.request(connection, user_id, agent_id, "edit")
    await rebuilding.of_all_agents(connection, user_id)
    etag.tag(response, user.version)
    return user


@router.delete("/users/{user_id}", status_code=204, responses=problem.documented(409), summary="Erase a user")
async def erase_user(connection: Moving, dependencies: TheDependencies, user_id: UserId) -> None:
    """Erase all their conversations with every agent, all that is known of them, their addresses, and all
    users merged into them. The next caller from their number is somebody new. 409 for a user who was merged
    into another: erase that one, which erases both, or undo the merge first."""
    await erasing.user(connection, dependencies.redis, user_id, region=dependencies.region)


@router.put(
    "/users/{user_id}/addresses/{address:path}",
    response_model=User,
    responses=problem.documented(409),
    summary="Link an address",
)
async def link_address(
    connection: Moving, dependencies: TheDependencies, user_id: UserId, address: Spelling, response: Response
) -> Profile:
    """Link an address: from now on, who calls from there is this user. 409 when it is somebody else's."""
    await change_addresses.link(
        connection, await free_of_agents(connection, spelled_address(address, dependencies)), user_id
    )
    return await _after(connection, user_id, response)


@router.delete("/users/{user_id}/addresses/{address:path}", response_model=User, summary="Unlink an address")
async def unlink_address(
    connection: Moving, dependencies: TheDependencies, user_id: UserId, address: Spelling, response: Response
) -> Profile:
    """Unlink an address: from now on, who calls from there is somebody new. What was said stays this
    user's."""
    await change_addresses.unlink(
        connection, dependencies.redis, spelled_address(address, dependencies), user_id
    )
    return await _after(connection, user_id, response)


@router.delete(
    "/users/{user_id}/shared-lines/{address:path}",
    response_model=User,
    responses=problem.documented(409),
    summary="Leave a shared line",
)
async def leave_line(
    connection: Moving, dependencies: TheDependencies, user_id: UserId, address: Spelling, response: Response
) -> Profile:
    """Take the user off a shared line. 409 for an address that is not shared."""
    await users.move(connection)
    await shared_lines.remove_member(connection, spelled_address(address, dependencies), user_id)
    return await _after(connection, user_id, response)


def _stored(given: UserChange) -> dict[str, object]:
    changes: dict[str, object] = {**given}
    return changes if given.get("external_id", "x") else {**changes, "external_id": None}


async def _after(connection: AsyncConnection, user_id: str, response: Response) -> Profile:
    user = await user_profiles.get(connection, await users.require(connection, user_id))
    etag.tag(response, user.version)
    return user


async def _listed(connection: AsyncConnection, page: dict[str, Any]) -> dict[str, Any]:
    counts = await talk_counts.of(connection, [one.id for one in page["items"]])
    return {**page, "items": [{**asdict(one), **asdict(counts[one.id])} for one in page["items"]]}


def _id(user: Profile) -> str:
    return user.id
