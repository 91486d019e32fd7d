"""Stored events, for the person who looks after them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

import msgspec
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.jobs import digest_requests, queue
from voice_server.jobs.ingest_names import INGEST, INGEST_LATER, job_key
from voice_server.jobs.queue import FailedJob
from voice_server.settings import Settings
from voice_server.store import due_digests, session, webhook_events
from voice_server.store.due_digests import Failure
from voice_server.store.webhook_events import StoredEvent


class Listed(Struct, frozen=True):
    """An event, or what was put aside of it: a digest, a job. `event` is its number, which `replay` takes."""

    event: int | None
    at: datetime
    status: str
    what: str
    which: str
    reason: str


class Shown(Struct, frozen=True):
    """An event, apart from what came in."""

    event: int
    platform: str
    kind: str
    type: str
    conversation: str
    status: str
    reason: str
    received_at: datetime


async def listing(settings: Settings, *, limit: int) -> list[Listed]:
    """The newest events."""
    async with _transaction(settings) as connection:
        return [_event(one) for one in await webhook_events.latest(connection, status=None, limit=limit)]


async def failures(settings: Settings, *, limit: int) -> list[Listed]:
    """What was put aside, with its reason: events, then digests, then jobs; the newest first. Events and
    digests wait for `replay`; the work of jobs is tried anew by itself."""
    async with _transaction(settings) as connection:
        events = await webhook_events.latest(connection, status="failed", limit=limit)
        put_aside = await due_digests.failures(connection, limit)
        jobs = await queue.failures(connection, limit)
    return [*map(_event, events), *map(_digest, put_aside), *map(_job, jobs)]


async def shown(settings: Settings, event_id: int) -> tuple[Shown, str]:
    """An event, and what came in, in lines where it is JSON; "" when that is no longer kept. Raises
    NotFound."""
    async with _transaction(settings) as connection:
        one, body = await webhook_events.get(connection, event_id)
    named = Shown(
        one.id,
        one.platform,
        one.kind,
        one.type,
        one.conversation_id,
        one.status,
        one.reason,
        one.received_at,
    )
    return named, _readable(body)


def _readable(body: bytes) -> str:
    try:
        return msgspec.json.format(body, indent=2).decode()
    except (msgspec.DecodeError, UnicodeDecodeError):
        return body.decode(errors="backslashreplace")


def _event(event: StoredEvent) -> Listed:
    return Listed(event.id, event.received_at, event.status, event.type, event.conversation_id, event.reason)


def _digest(failure: Failure) -> Listed:
    return Listed(
        failure.event_id, failure.failed_at, "failed", "digest", failure.platform_id, failure.reason
    )


def _job(job: FailedJob) -> Listed:
    return Listed(None, job.failed_at, "failed", f"job {job.name}", job.payload, job.reason)


async def replay(settings: Settings, event_id: int) -> bool:
    """Ingest an event again; whether there is such an event, and its body is still kept."""
    async with _transaction(settings) as connection:
        found = await webhook_events.reopen(connection, event_id)
        if found:
            await queue.revive(connection, INGEST, {"event_id": event_id}, key=job_key(event_id))
    return found


async def replay_failed(settings: Settings) -> str:
    """Ingest all failed events again whose bodies are kept, and digest what was put aside; what was done, in
    words."""
    async with _transaction(settings) as connection:
        events = await webhook_events.reopen_failed(connection)
        for event_id in events:
            await queue.revive(connection, INGEST_LATER, {"event_id": event_id}, key=job_key(event_id))
        put_aside = await digest_requests.request_failed(connection)
    return f"{len(events)} events and {put_aside} digests are queued again"


@asynccontextmanager
async def _transaction(settings: Settings) -> AsyncIterator[AsyncConnection]:
    engine = session.connect(settings.database_url, 2)
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()
