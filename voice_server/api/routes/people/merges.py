"""Merges: two users who turn out to be one person, and undoing that."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from voice_server.api.http import paging, problem
from voice_server.api.http.dependencies import Moving, OfUser, Reading, TheDependencies
from voice_server.api.http.fields import AnyUser, RequestBody, RowId, UserId
from voice_server.api.http.paging import Page
from voice_server.operations.people import merging
from voice_server.store.lifecycle import merges

router = APIRouter(tags=["merges"])


class Merge(BaseModel):
    """A merge of two users."""

    id: int
    from_user: str
    into_user: str
    merged_at: datetime
    undone_at: datetime | None = Field(description="Null while it holds")


class NewMerge(RequestBody):
    """Two users who turn out to be one person."""

    from_user: AnyUser = Field(
        description="All of this one's becomes the other's; the id goes on to mean the other"
    )
    into_user: AnyUser = Field(description="Who remains")


@router.post(
    "/merges",
    status_code=201,
    response_model=Merge,
    responses=problem.documented(409),
    summary="Merge two users",
)
async def merge_users(
    connection: Moving, dependencies: TheDependencies, given: NewMerge, response: Response
) -> merges.Merge:
    """Make the addresses, conversations, facts, threads, thoughts and relationship of two users one user's.
    This can be undone for MERGE_UNDO_DAYS. 409 when the two are one already."""
    made = await merging.merge(
        connection, dependencies.redis, given.from_user, given.into_user, now=dependencies.now()
    )
    response.headers["location"] = f"/api/merges/{made.id}"
    return made


@router.get("/merges/{merge_id}", response_model=Merge, summary="Get a merge")
async def get_merge(connection: Reading, merge_id: RowId) -> merges.Merge:
    """Return a merge."""
    return await merges.get(connection, merge_id)


@router.get("/users/{user_id}/merges", response_model=Page[Merge], summary="List merges of a user")
async def list_merges(
    connection: Reading,
    user_id: UserId,
    _remaining: OfUser,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List all merges of a user, newest first, undone ones too."""
    rows = await merges.page(connection, user_id, before=paging.after(cursor, int), limit=limit + 1)
    return paging.page(rows, limit, lambda row: row.id)


@router.post(
    "/merges/{merge_id}/undo", response_model=Merge, responses=problem.documented(409), summary="Undo a merge"
)
async def undo_merge(connection: Moving, dependencies: TheDependencies, merge_id: RowId) -> merges.Merge:
    """Give back everything that was moved; what came since goes where it would have gone without the merge.
    409 when it was undone before, is too long ago, or later merges have to be undone first."""
    return await merging.undo(
        connection, dependencies.redis, merge_id, now=dependencies.now(), days=dependencies.merge_undo_days
    )
