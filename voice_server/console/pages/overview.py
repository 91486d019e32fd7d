"""Is it working, and who was there?"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError
from starlette.requests import Request
from starlette.responses import Response

from voice_server.api.http import paging
from voice_server.cache import prompt_cache
from voice_server.console import connections, portions, view
from voice_server.console.pages.person import talk_size
from voice_server.operations import statistics
from voice_server.queue import queue
from voice_server.queue.names import DIGEST_CONVERSATIONS, INGEST, REBUILD
from voice_server.store import latest_changes
from voice_server.store.conversations import conversation_views
from voice_server.store.conversations.conversation_views import ConversationFilter, Row
from voice_server.store.lifecycle import webhook_events
from voice_server.store.people import user_profiles
from voice_server.store.statistics import BegunTalk
from voice_server.templates.library import TemplateLibrary

_SHOWN = 50
_PATIENCE = 1.0  # seconds for Redis to answer
# What makes a call's prompt, and the seconds that it waits at most where workers work: other jobs may wait.
_AT_ONCE, _TOO_LONG = (INGEST, DIGEST_CONVERSATIONS, REBUILD), 60
_HIGH, _WIDE = 32, 10  # of the bars that tell how much began in an hour, and of one of them


class HourBar(Struct, frozen=True):
    """What began in an hour. `calls` are the lower part of the bar."""

    at: datetime
    calls: int
    chats: int
    x: int
    y: float
    height: float
    calls_y: float
    calls_height: float


async def show(request: Request) -> Response:
    now = connections.dependencies(request).now()
    tokens_per_day = connections.dependencies(request).tokens_per_day
    cursor = paging.after(request.query_params.get("cursor"), conversation_views.Place)
    async with connections.connection(request) as connection:
        seen = await latest_changes.fingerprint(connection)
        told = await statistics.gather(connection, now, tokens_per_day)
        waiting = await queue.oldest(connection)
        last = await webhook_events.last_received(connection)
        rows = await conversation_views.of_everybody(
            connection, ConversationFilter(), before=cursor, limit=_SHOWN + 1
        )
        people = await user_profiles.named(connection, [one.user_id for one in rows if one.user_id])
    troubles = [
        *await _silent(connections.dependencies(request).redis),
        *_late(waiting),
        *_unreadable(connections.dependencies(request).templates),
    ]
    page = paging.page(rows, portions.fitting(map(talk_size, rows[:_SHOWN])), _place)
    return await view.page(
        "overview.html",
        seen=seen,
        told=told,
        troubles=troubles,
        put_aside=sum(one.number for one in told.work.put_aside),
        tokens=told.model.days[-1].tokens,
        bars=bars(told.hours),
        last=last,
        ago=now - last if last else timedelta(),
        conversations=page["items"],
        following=page["next"],
        people=people,
    )


async def _silent(redis: Redis) -> list[str]:
    try:
        async with asyncio.timeout(_PATIENCE):
            await prompt_cache.ping(redis)
    except (TimeoutError, RedisError, OSError):
        return ["Redis does not answer; calls are told from Postgres."]
    return []


def _late(waiting: Mapping[str, float]) -> list[str]:
    seconds = max(waiting.get(name, 0) for name in _AT_ONCE)
    return [f"A call has waited for {seconds:.0f} s: is a worker running?"] if seconds > _TOO_LONG else []


def _unreadable(templates: TemplateLibrary) -> list[str]:
    wrong = ", ".join(sorted(templates.errors))
    return [f"Templates cannot be used: {wrong}. The page of the agents says where."] if wrong else []


def bars(hours: Sequence[BegunTalk]) -> list[HourBar]:
    """Draw on one scale, the current hour last."""
    scale = _HIGH / (max((one.calls + one.chats for one in hours), default=0) or 1)
    return [_bar(one, place * _WIDE, scale) for place, one in enumerate(hours)]


def _bar(hour: BegunTalk, x: int, scale: float) -> HourBar:
    height, calls = round((hour.calls + hour.chats) * scale, 1), round(hour.calls * scale, 1)
    return HourBar(hour.at, hour.calls, hour.chats, x, _HIGH - height, height, _HIGH - calls, calls)


def _place(row: Row) -> conversation_views.Place:
    return conversation_views.Place(row.started_at, row.id)
