"""Stored events, on the command line."""

from msgspec.structs import asdict

from voice_server.operations import event_log
from voice_server.operations.event_log import EventRow
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.store.lifecycle import webhook_events


class EventDetails(EventRow, frozen=True):
    platform: str
    kind: str


async def listing(settings: Settings, *, limit: int) -> list[EventRow]:
    async with session.at_work(settings.database_url) as connection:
        return [event_log.row(one) for one in await webhook_events.latest(connection, limit=limit)]


async def failures(settings: Settings, *, limit: int) -> list[EventRow]:
    async with session.at_work(settings.database_url) as connection:
        return await event_log.failures(connection, limit)


async def shown(settings: Settings, event_id: int) -> tuple[EventDetails, str]:
    """Return the event and its body, in lines if JSON, empty when no longer kept. Raises NotFound."""
    async with session.at_work(settings.database_url) as connection:
        event, body = await webhook_events.get(connection, event_id)
    details = EventDetails(**asdict(event_log.row(event)), platform=event.platform, kind=event.kind)
    return details, event_log.readable(body)


async def replay(settings: Settings, event_id: int) -> bool:
    """Ingest an event again; False when it or its body is no longer there."""
    async with session.at_work(settings.database_url) as connection:
        return await event_log.replay(connection, event_id)


async def replay_failed(settings: Settings) -> str:
    async with session.at_work(settings.database_url) as connection:
        again = await event_log.retry_failed(connection)
    return f"{again.events} events and {again.digests} digests are queued again"
