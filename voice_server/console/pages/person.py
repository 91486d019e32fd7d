"""Who is this, and what do we know?"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.api.http import paging
from voice_server.console import connections, portions, view
from voice_server.domain.addresses.address import address_of
from voice_server.store import latest_changes
from voice_server.store.conversations import conversation_views
from voice_server.store.knowledge import day_segments, facts, thoughts, threads
from voice_server.store.people import talk_counts, user_profiles, users
from voice_server.store.prompts import prompt_history

_SHOWN, _DAYS, _PROMPTS = 50, 31, 10
_COUNTED = 5000
_GIST = 160  # characters of what was said in a conversation
_TALK, _PERSON = 550, 560  # bytes of a conversation and of a person in a list, beside their words


async def everybody(request: Request) -> Response:
    wanted = request.query_params.get("find", "").strip()
    found: Sequence[user_profiles.Profile] = ()
    async with connections.connection(request) as connection:
        if wanted:
            address = address_of(wanted, connections.dependencies(request).region)
            found = await user_profiles.find(connection, wanted, address, limit=_SHOWN + 1)
            if len(found) == 1:
                return RedirectResponse(f"/console/people/{found[0].id}", 303)
            page = paging.page(found[:_SHOWN], _SHOWN, lambda row: row.id)
        else:
            after = paging.after(request.query_params.get("cursor"), str) or ""
            rows = await user_profiles.page(connection, after=after, limit=_SHOWN + 1)
            fitting = portions.fitting(map(_size, rows[:_SHOWN]))
            page = paging.page(rows, fitting, lambda row: row.id)
        counts = await talk_counts.of(connection, [one.id for one in page["items"]])
    return await view.page(
        "people.html",
        people=page["items"],
        counts=counts,
        most=talk_counts.MOST_COUNTED,
        following=page["next"],
        wanted=wanted,
        has_more=len(found) > _SHOWN,
    )


async def show(request: Request) -> Response:
    now = connections.dependencies(request).now()
    async with connections.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        seen = await latest_changes.fingerprint(connection, user_id)
        person = await user_profiles.get(connection, user_id)
        timezone = await users.timezone(connection, user_id, at=now) or "UTC"
        days = await day_segments.page(connection, user_id, None, limit=_DAYS + 1)
        counts = await _counts(connection, user_id, now)
        prompts = await prompt_history.page(connection, user_id, None, limit=_PROMPTS)
        talks = await conversation_views.page(connection, user_id, None, limit=_SHOWN + 1)
        agents = await users.agents_of(connection, user_id)
    shown = talks[: portions.fitting(map(talk_size, talks[:_SHOWN]))]
    return await view.page(
        "person.html",
        seen=seen,
        person=person,
        timezone=timezone,
        days=days[:_DAYS],
        has_more_days=len(days) > _DAYS,
        counts=counts,
        prompts=prompts,
        conversations=shown,
        has_more=len(talks) > len(shown),
        agents=agents,
    )


def talk_size(row: conversation_views.Row) -> int:
    return _TALK + portions.weight(row.summary[:_GIST])


def _size(person: user_profiles.Profile) -> int:
    return _PERSON + portions.weight(person.name or "", *(one.address for one in person.addresses))


async def _counts(connection: AsyncConnection, user_id: str, now: datetime) -> Mapping[str, int]:
    return {
        "facts": await facts.count(connection, user_id, current_on=now.date(), most=_COUNTED),
        "threads": await threads.count_open(connection, user_id, most=_COUNTED),
        "thoughts": await thoughts.count(connection, user_id, carried_at=now, most=_COUNTED),
    }
