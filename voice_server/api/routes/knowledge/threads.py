"""Open threads: what is unresolved, and closing, reopening or changing it by hand."""

from datetime import date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, with_config
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from voice_server.api.http import etag, paging, problem, rebuilding
from voice_server.api.http.dependencies import OfLockedUser, OfUser, Reading, TheDependencies, Writing
from voice_server.api.http.etag import Seen
from voice_server.api.http.fields import STRICT, AgentId, Day, OfAnyAgent, RequestBody, RowId, Sentence
from voice_server.api.http.paging import Page
from voice_server.domain.digest import OpenThread, Speaker, ThreadKind
from voice_server.queue import day_requests
from voice_server.store.knowledge import threads
from voice_server.store.knowledge.threads import Row, Status

router = APIRouter(tags=["open threads"])


class Thread(BaseModel):
    """An unresolved promise, request, question, plan or topic."""

    id: int
    user_id: str
    agent_id: str
    conversation_id: int | None = Field(description="Where it was opened; null when it was added by hand")
    positions: list[int] = Field(description="The messages of that conversation it rests on")
    kind: ThreadKind
    said_by: Speaker
    text: str
    said_on: date
    due: date | None
    status: Status
    pinned: bool
    touched_at: datetime
    closed_at: datetime | None
    closed_by: int | None = Field(description="The conversation that resolved it; null when closed by hand")
    by_hand: bool = Field(description="It was added or changed by hand: digests leave it as it is")
    version: int


class NewThread(RequestBody):
    """A thread to be opened."""

    agent_id: AgentId
    kind: ThreadKind
    text: Sentence = Field(examples=["You said you'd send the recipe."])
    said_by: Speaker = "user"
    due: Day | None = None
    pinned: bool = False


@with_config(STRICT)
class ThreadChange(TypedDict, total=False):
    """What to change; what is left out stays. `status` closes, reopens or excludes it."""

    kind: ThreadKind
    text: Sentence
    due: Day | None
    status: Status
    pinned: bool


@router.get("/users/{user_id}/threads", response_model=Page[Thread], summary="List open threads")
async def list_threads(
    connection: Reading,
    user_id: OfUser,
    agent_id: OfAnyAgent = None,
    status: Annotated[Status | None, Query()] = None,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List all threads of a user, also closed, expired and excluded ones."""
    after = paging.after(cursor, int) or 0
    rows = await threads.page(connection, user_id, agent_id, after=after, limit=limit + 1, status=status)
    return paging.page(rows, limit, lambda row: row.id)


@router.post("/users/{user_id}/threads", status_code=201, response_model=Thread, summary="Open a thread")
async def add_thread(
    connection: Writing,
    dependencies: TheDependencies,
    user_id: OfLockedUser,
    given: NewThread,
    response: Response,
) -> Row:
    """Open a thread that the host application knows: an order to be asked about, a promise made elsewhere."""
    now = await dependencies.now_for(connection, user_id, given.agent_id)
    thread = OpenThread(given.kind, given.said_by, given.text, now.date(), positions=(), due=given.due)
    row = await threads.add(connection, user_id, given.agent_id, thread, at=now, pinned=given.pinned)
    response.headers["location"] = f"/api/threads/{row.id}"
    await rebuilding.after(connection, row, response)
    return row


@router.get("/threads/{thread_id}", response_model=Thread, summary="Get an open thread")
async def get_thread(connection: Reading, thread_id: RowId, response: Response) -> Row:
    """Return a thread with the messages it rests on."""
    row = await threads.get(connection, thread_id)
    etag.tag(response, row.version)
    return row


@router.patch(
    "/threads/{thread_id}",
    response_model=Thread,
    responses=problem.documented(412),
    summary="Change, close or reopen a thread",
)
async def change_thread(
    connection: Writing,
    dependencies: TheDependencies,
    thread_id: RowId,
    given: ThreadChange,
    seen: Seen,
    response: Response,
) -> Row:
    """Change a thread. From then on digests leave it as a person set it, and its day is told accordingly.
    What an excluded thread rests on is left out of the summary of its day."""
    there = await threads.get(connection, thread_id)
    now = await dependencies.now_for(connection, there.user_id, there.agent_id)
    row = await threads.change(connection, thread_id, seen, at=now, **given)
    if row.conversation_id is not None:
        await days_anew(connection, row, row.conversation_id)
    await rebuilding.after(connection, row, response)
    return row


async def days_anew(connection: AsyncConnection, row: Row, conversation_id: int) -> None:
    """Have the summary of its day say what the thread says; what is excluded is withdrawn at once."""
    if row.status == "excluded":
        await day_requests.withdraw(connection, row.user_id, row.agent_id, conversation_id)
    else:
        await day_requests.request(connection, row.user_id, row.agent_id, "edit")
