"""The work that waits, what was put aside, and what the platform sent."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.api.http import paging
from voice_server.console import reading, view
from voice_server.errors import NotFound
from voice_server.operations import event_log
from voice_server.store import model_usage
from voice_server.store.lifecycle import webhook_events

_SHOWN, _DAYS = 50, 7


async def show(request: Request) -> Response:
    dependencies = reading.dependencies(request)
    before = paging.after(request.query_params.get("cursor"), int)
    async with reading.connection(request) as connection:
        jobs = await event_log.work(connection)
        failures = await event_log.failures(connection, _SHOWN)
        rows = await webhook_events.latest(connection, before=before, limit=_SHOWN + 1)
        usage = await model_usage.days(connection, dependencies.now().date(), _DAYS)
    page = paging.page(rows, _SHOWN, lambda row: row.id)
    return await view.page(
        "events.html",
        jobs=jobs,
        failures=failures,
        events=page["items"],
        following=page["next"],
        usage=usage[::-1],
        tokens_per_day=dependencies.tokens_per_day,
        chats=dependencies.turns.has_model,
        by_meaning=dependencies.semantics is not None,
    )


async def retry(request: Request) -> Response:
    async with reading.transaction(request) as connection:
        await event_log.retry_failed(connection)
    return RedirectResponse("/console/events", 303)


async def whole(request: Request) -> Response:
    async with reading.connection(request) as connection:
        found, body = await webhook_events.get(connection, request.path_params["event_id"])
    return await view.page("event.html", event=found, body=event_log.readable(body))


async def replay(request: Request) -> Response:
    event_id = request.path_params["event_id"]
    async with reading.transaction(request) as connection:
        if not await event_log.replay(connection, event_id):
            raise NotFound(f"There is no event {event_id}, or its body is no longer kept.")
    return RedirectResponse(f"/console/events/{event_id}", 303)
