"""Stored events and what was put aside, for the person who looks after them."""

from datetime import datetime

import msgspec
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import digest_requests, queue
from voice_server.queue.names import INGEST, INGEST_LATER, ingest_key
from voice_server.queue.queue import FailedJob
from voice_server.store.knowledge import due_digests
from voice_server.store.knowledge.due_digests import Failure
from voice_server.store.lifecycle import webhook_events
from voice_server.store.lifecycle.webhook_events import StoredEvent


class EventRow(Struct, frozen=True):
    """An event, or a digest or job that was put aside. `event` is what `replay` takes, `conversation` the
    platform's id."""

    event: int | None
    at: datetime
    status: str
    type: str
    conversation: str
    reason: str


class RetriedWork(Struct, frozen=True):
    events: int
    digests: int


class QueuedJobs(Struct, frozen=True):
    job: str
    queued: int
    picked: int
    failed: int
    oldest_seconds: float


async def work(connection: AsyncConnection) -> list[QueuedJobs]:
    counts = await queue.counts(connection)
    oldest = await queue.oldest(connection)
    return [
        QueuedJobs(
            name,
            counts.get((name, "queued"), 0),
            counts.get((name, "picked"), 0),
            counts.get((name, "failed"), 0),
            oldest.get(name, 0.0),
        )
        for name in sorted({name for name, _ in counts})
    ]


async def failures(connection: AsyncConnection, limit: int) -> list[EventRow]:
    """Return events, digests, then jobs. Events and digests wait for a replay; the work of jobs is tried anew
    by itself."""
    events = await webhook_events.latest(connection, status="failed", limit=limit)
    put_aside = await due_digests.failures(connection, limit)
    jobs = await queue.failures(connection, limit)
    return [*map(row, events), *map(_digest, put_aside), *map(_job, jobs)]


async def replay(connection: AsyncConnection, event_id: int) -> bool:
    """Ingest an event again. False: there is no such event, or its body is no longer kept."""
    found = await webhook_events.reopen(connection, event_id)
    if found:
        await queue.revive(connection, INGEST, {"event_id": event_id}, key=ingest_key(event_id))
    return found


async def retriable(connection: AsyncConnection) -> RetriedWork:
    """Count what `retry_failed` would try again."""
    digests = await due_digests.counts(connection)
    return RetriedWork(await webhook_events.count_failed(connection), digests["failed"])


async def retry_failed(connection: AsyncConnection) -> RetriedWork:
    """Ingest failed events again whose bodies are kept, and digest what was put aside."""
    events = await webhook_events.reopen_failed(connection)
    for event_id in events:
        await queue.revive(connection, INGEST_LATER, {"event_id": event_id}, key=ingest_key(event_id))
    return RetriedWork(len(events), await digest_requests.request_failed(connection))


def readable(body: bytes) -> str:
    try:
        return msgspec.json.format(body, indent=2).decode()
    except (msgspec.DecodeError, UnicodeDecodeError):
        return body.decode(errors="backslashreplace")


def row(event: StoredEvent) -> EventRow:
    return EventRow(
        event.id, event.received_at, event.status, event.type, event.conversation_id, event.reason
    )


def _digest(failure: Failure) -> EventRow:
    return EventRow(
        failure.event_id, failure.failed_at, "failed", "digest", failure.platform_id, failure.reason
    )


def _job(job: FailedJob) -> EventRow:
    return EventRow(None, job.failed_at, "failed", f"job {job.name}", "", f"{job.payload}: {job.reason}")
