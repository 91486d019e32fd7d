"""Thoughts: what the agent carries until it is used or has expired."""

from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, with_config
from typing_extensions import TypedDict

from voice_server.api.http import etag, paging, problem, rebuilding
from voice_server.api.http.dependencies import OfLockedUser, OfUser, Reading, TheDependencies, Writing
from voice_server.api.http.etag import Seen
from voice_server.api.http.fields import STRICT, AgentId, Moment, OfAnyAgent, RequestBody, RowId, Sentence
from voice_server.api.http.paging import Page
from voice_server.store.knowledge import thoughts
from voice_server.store.knowledge.thoughts import Row

router = APIRouter(tags=["thoughts"])

_CARRIED = timedelta(days=14)  # as long as one of a digest's


class Thought(BaseModel):
    """Something for the agent to bring along."""

    id: int
    user_id: str
    agent_id: str
    conversation_id: int | None = Field(description="What gave rise to it; null when it was added by hand")
    positions: list[int] = Field(description="The messages of that conversation it rests on")
    text: str
    created_at: datetime
    expires_at: datetime
    used_in: int | None = Field(description="The conversation whose prompt held it")
    used_at: datetime | None
    pinned: bool
    excluded: bool
    by_hand: bool = Field(description="It was added or changed by hand: digests leave it as it is")
    version: int


class NewThought(RequestBody):
    """A thought to be carried."""

    agent_id: AgentId
    text: Sentence = Field(examples=["Ask how the move to Lisbon went."])
    expires_at: Moment | None = Field(None, description="Left out: in 14 days")
    pinned: bool = False


@with_config(STRICT)
class ThoughtChange(TypedDict, total=False):
    """What to change; what is left out stays. `used` false: it can be told again; true: it is over."""

    text: Sentence
    expires_at: Moment
    used: bool
    pinned: bool
    excluded: bool


@router.get("/users/{user_id}/thoughts", response_model=Page[Thought], summary="List thoughts")
async def list_thoughts(
    connection: Reading,
    dependencies: TheDependencies,
    user_id: OfUser,
    agent_id: OfAnyAgent = None,
    carried: Annotated[bool, Query(description="Only what can be told now")] = False,  # noqa: FBT002 (a query's)
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List all thoughts about a user, also used, expired and excluded ones."""
    after, now = paging.after(cursor, int) or 0, dependencies.now()
    rows = await thoughts.page(
        connection, user_id, agent_id, after=after, limit=limit + 1, carried_at=now if carried else None
    )
    return paging.page(rows, limit, lambda row: row.id)


@router.post("/users/{user_id}/thoughts", status_code=201, response_model=Thought, summary="Add a thought")
async def add_thought(
    connection: Writing,
    dependencies: TheDependencies,
    user_id: OfLockedUser,
    given: NewThought,
    response: Response,
) -> Row:
    """Add a thought of the host application's, as news to be mentioned once."""
    now = dependencies.now()
    until = given.expires_at or now + _CARRIED
    row = await thoughts.add(
        connection, user_id, given.agent_id, given.text, at=now, expires_at=until, pinned=given.pinned
    )
    response.headers["location"] = f"/api/thoughts/{row.id}"
    await rebuilding.after(connection, row, response)
    return row


@router.get("/thoughts/{thought_id}", response_model=Thought, summary="Get a thought")
async def get_thought(connection: Reading, thought_id: RowId, response: Response) -> Row:
    """Return a thought with the messages it rests on."""
    row = await thoughts.get(connection, thought_id)
    etag.tag(response, row.version)
    return row


@router.patch(
    "/thoughts/{thought_id}",
    response_model=Thought,
    responses=problem.documented(412),
    summary="Change a thought",
)
async def change_thought(
    connection: Writing,
    dependencies: TheDependencies,
    thought_id: RowId,
    given: ThoughtChange,
    seen: Seen,
    response: Response,
) -> Row:
    """Change a thought. From then on digests leave it as a person set it."""
    changes: dict[str, Any] = {**given}
    if "used" in changes:
        changes["used_at"] = dependencies.now() if changes.pop("used") else None
    row = await thoughts.change(connection, thought_id, seen, **changes)
    await rebuilding.after(connection, row, response)
    return row
