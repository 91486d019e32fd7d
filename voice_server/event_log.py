"""Stored events, for the person who looks after them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.jobs import queue
from voice_server.jobs.ingest import INGEST
from voice_server.settings import Settings
from voice_server.store import session, webhook_events


async def listing(settings: Settings, *, failed: bool, limit: int) -> list[str]:
    """The newest events, a line each."""
    async with _transaction(settings) as connection:
        events = await webhook_events.latest(connection, status="failed" if failed else None, limit=limit)
    return [
        f"{event.id:>8}  {event.received_at:%Y-%m-%d %H:%M:%S}  {event.status:<8}  {event.type or '?'}"
        f"  {event.conversation_id or '-'}  {event.reason}"
        for event in events
    ]


async def replay(settings: Settings, event_id: int) -> bool:
    """Ingest an event again; whether there is such an event, and its body is still kept."""
    async with _transaction(settings) as connection:
        found = await webhook_events.reopen(connection, event_id)
        if found:
            await queue.enqueue(connection, INGEST, {"event_id": event_id})
    return found


@asynccontextmanager
async def _transaction(settings: Settings) -> AsyncIterator[AsyncConnection]:
    engine = session.connect(settings.database_url, 2)
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()
