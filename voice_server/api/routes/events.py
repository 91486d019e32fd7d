"""Events, what was put aside, and the work that waits: for whoever runs the server."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from voice_server.api.http import fields, paging
from voice_server.api.http.dependencies import Moving, Reading
from voice_server.api.http.fields import RowId
from voice_server.api.http.paging import Page
from voice_server.errors import NotFound
from voice_server.operations import event_log
from voice_server.operations.event_log import EventRow, QueuedJobs
from voice_server.store.lifecycle import webhook_events
from voice_server.store.lifecycle.webhook_events import Status

router = APIRouter(tags=["events"])

_PlatformId = Annotated[str, Field(min_length=1, max_length=200), fields.Storable]


class Event(BaseModel):
    """An event as it came in, with what became of it."""

    id: int
    platform: str
    kind: str
    type: str
    conversation_id: str = Field(description="The platform's id")
    status: Status
    reason: str = Field(description="Why it failed, or was left out")
    received_at: datetime


class WholeEvent(BaseModel):
    """An event with what came in."""

    event: Event
    body: str = Field(description="In lines where it is JSON; empty when it is no longer kept")


class PutAsideWork(BaseModel):
    """What failed again and again: an event, a digest or a job."""

    event: int | None = Field(description="The event's id; null for a job")
    at: datetime
    status: str
    type: str = Field(description="Of an event its own; `digest`; `job …`")
    conversation: str = Field(description="The platform's id")
    reason: str


class RetriedWork(BaseModel):
    """How many of each are queued again."""

    events: int
    digests: int


class QueuedWork(BaseModel):
    """The jobs of one name."""

    job: str
    queued: int
    picked: int
    failed: int
    oldest_seconds: float = Field(description="For how long the oldest has waited")


@router.get("/events", response_model=Page[Event], summary="List events")
async def list_events(
    connection: Reading,
    status: Status | None = None,
    conversation_id: Annotated[_PlatformId | None, Query(description="The platform's id")] = None,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List what the platform sent, newest first, with what became of it."""
    before = paging.after(cursor, int)
    rows = await webhook_events.latest(
        connection, status=status, conversation_id=conversation_id, before=before, limit=limit + 1
    )
    return paging.page(rows, limit, lambda row: row.id)


@router.get("/events/{event_id}", response_model=WholeEvent, summary="Get an event")
async def get_event(connection: Reading, event_id: RowId) -> dict[str, Any]:
    """Return an event with its body, which is kept for EVENTS_KEPT_DAYS, and longer when it failed."""
    event, body = await webhook_events.get(connection, event_id)
    return {"event": event, "body": event_log.readable(body)}


@router.post("/events/{event_id}/replay", status_code=202, summary="Ingest an event again")
async def replay_event(connection: Moving, event_id: RowId) -> RetriedWork:
    """Ingest an event as if it had just come in. 404 when its body is no longer kept."""
    if not await event_log.replay(connection, event_id):
        raise NotFound(f"There is no event {event_id}, or its body is no longer kept.")
    return RetriedWork(events=1, digests=0)


@router.get("/failures", response_model=list[PutAsideWork], summary="List what was put aside")
async def list_failures(connection: Reading, limit: paging.Limit = 50) -> list[EventRow]:
    """List what was put aside, newest first of each kind: events, digests, jobs. Events and digests stay
    until somebody retries them; the work of a job is retried by itself."""
    return await event_log.failures(connection, limit)


@router.post(
    "/failures/retry", status_code=202, response_model=RetriedWork, summary="Try again what was put aside"
)
async def retry_failures(connection: Moving) -> event_log.RetriedWork:
    """Retry all digests, and all failed events whose bodies are kept."""
    return await event_log.retry_failed(connection)


@router.get("/queue", response_model=list[QueuedWork], summary="List the work that waits")
async def list_work(connection: Reading) -> list[QueuedJobs]:
    """List the work that waits by job; a job that has nothing to do is left out."""
    return await event_log.work(connection)
