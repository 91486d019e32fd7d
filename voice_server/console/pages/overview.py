"""Is it working, and who was there?"""

from datetime import timedelta

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from voice_server.api.http import paging
from voice_server.console import reading, view
from voice_server.queue import queue
from voice_server.store import model_usage
from voice_server.store.conversations import conversation_views
from voice_server.store.conversations.conversation_views import ConversationFilter, Row
from voice_server.store.knowledge import due_digests
from voice_server.store.lifecycle import webhook_events
from voice_server.store.people import user_profiles

_SHOWN = 50


class Health(Struct, frozen=True):
    """Events, digests and jobs that were put aside, jobs that wait, and for how many seconds the oldest
    has."""

    events: int
    digests: int
    jobs: int
    waiting: int
    oldest: float

    @property
    def is_well(self) -> bool:
        return not (self.events or self.digests or self.jobs)


async def show(request: Request) -> Response:
    now = reading.dependencies(request).now()
    cursor = paging.after(request.query_params.get("cursor"), conversation_views.Place)
    async with reading.connection(request) as connection:
        health = await _health(connection)
        last = await webhook_events.last_received(connection)
        usage = await model_usage.on(connection, now.date())
        rows = await conversation_views.of_everybody(
            connection, ConversationFilter(), before=cursor, limit=_SHOWN + 1
        )
        people = await user_profiles.named(connection, [one.user_id for one in rows if one.user_id])
    page = paging.page(rows, _SHOWN, _place)
    return view.page(
        "overview.html",
        health=health,
        last=last,
        ago=now - last if last else timedelta(),
        usage=usage,
        conversations=page["items"],
        following=page["next"],
        people=people,
    )


async def _health(connection: AsyncConnection) -> Health:
    events = await webhook_events.counts(connection, ["failed"])
    digests = await due_digests.counts(connection)
    jobs = await queue.counts(connection)
    failed = sum(number for (_, status), number in jobs.items() if status == "failed")
    waiting = sum(number for (_, status), number in jobs.items() if status == "queued")
    oldest = max((await queue.oldest(connection)).values(), default=0.0)
    return Health(events["failed"], digests["failed"], failed, waiting, oldest)


def _place(row: Row) -> conversation_views.Place:
    return conversation_views.Place(row.started_at, row.id)
