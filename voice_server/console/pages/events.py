"""The work that waits, what was put aside, and what the platform sent."""

from collections.abc import Iterable

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.api.http import paging
from voice_server.console import connections, portions, view
from voice_server.errors import NotFound
from voice_server.operations import event_log
from voice_server.store import model_usage
from voice_server.store.conversations import conversation_views
from voice_server.store.knowledge import due_digests
from voice_server.store.lifecycle import webhook_events

_SHOWN, _DAYS = 50, 7
_ROOM, _ROW = 24_000, 480  # bytes of either list, and of a row beside its words


async def show(request: Request) -> Response:
    dependencies = connections.dependencies(request)
    before = paging.after(request.query_params.get("cursor"), int)
    async with connections.connection(request) as connection:
        jobs = await event_log.work(connection)
        failures = await event_log.failures(connection, _SHOWN)
        retriable = await event_log.retriable(connection)
        rows = await webhook_events.latest(connection, before=before, limit=_SHOWN + 1)
        talks = await conversation_views.of_events(connection, _ids(rows, failures))
        digests = await _put_aside(connection)
        usage = await model_usage.days(connection, dependencies.now().date(), _DAYS)
    listed = portions.portion(failures, _size, portions.place(request.query_params.get("start")), room=_ROOM)
    page = paging.page(rows, portions.fitting(map(_size, rows[:_SHOWN]), _ROOM), lambda row: row.id)
    return await view.page(
        "events.html",
        jobs=jobs,
        failures=listed,
        retriable=retriable,
        talks=talks,
        digests=digests,
        events=page["items"],
        following=page["next"],
        usage=usage[::-1],
        tokens_per_day=dependencies.tokens_per_day,
        chats=dependencies.turns.has_model,
        by_meaning=dependencies.semantics is not None,
    )


def _ids(rows: Iterable[webhook_events.StoredEvent], failures: Iterable[event_log.EventRow]) -> set[int]:
    return {one.id for one in rows} | {one.event for one in failures if one.event is not None}


async def _put_aside(connection: AsyncConnection) -> dict[str, conversation_views.Row]:
    """Return, by the platform's ids, the conversations whose digests were put aside: no event told of a
    chat."""
    failures = await due_digests.failures(connection, _SHOWN)
    talks = await conversation_views.of_ids(connection, [one.conversation_id for one in failures])
    return {one.platform_id: one for one in talks}


def _size(row: webhook_events.StoredEvent | event_log.EventRow) -> int:
    return _ROW + portions.weight(row.type, row.reason)


async def ask(request: Request) -> Response:
    """Say how much would be tried again, and ask whether it is meant."""
    async with connections.connection(request) as connection:
        retriable = await event_log.retriable(connection)
    return await view.page("retry.html", retriable=retriable)


async def retry(request: Request) -> Response:
    async with connections.transaction(request) as connection:
        await event_log.retry_failed(connection)
    return RedirectResponse("/console/events", 303)


async def whole(request: Request) -> Response:
    async with connections.connection(request) as connection:
        found, body = await webhook_events.get(connection, request.path_params["event_id"])
        talks = await conversation_views.of_events(connection, [found.id])
    readable = event_log.readable(body)
    if request.query_params.get("as") == "text":
        return view.plain(readable)
    is_whole = portions.weight(readable) <= portions.ROOM
    talk = talks.get(found.id)
    return await view.page("event.html", event=found, talk=talk, body=readable, is_whole=is_whole)


async def replay(request: Request) -> Response:
    event_id = request.path_params["event_id"]
    async with connections.transaction(request) as connection:
        if not await event_log.replay(connection, event_id):
            raise NotFound(f"There is no event {event_id}, or its body is no longer kept.")
    return RedirectResponse(f"/console/events/{event_id}", 303)
