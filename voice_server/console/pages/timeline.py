"""What was said on a day, on any channel, and what it was summed up to."""

from datetime import date
from itertools import groupby

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from voice_server.console import reading, view
from voice_server.errors import NotFound
from voice_server.store.conversations import conversation_views
from voice_server.store.conversations.conversation_views import Row, SaidMessage
from voice_server.store.knowledge import day_segments
from voice_server.store.people import user_profiles, users

_FURTHEST = 3660  # days of the selector


class Stretch(Struct, frozen=True):
    """Messages of one conversation, one after the other."""

    conversation: Row
    messages: list[SaidMessage]


async def show(request: Request) -> Response:
    agent_id = request.query_params.get("agent") or None
    async with reading.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        person = await user_profiles.get(connection, user_id)
        on = _day(request.path_params["which"])
        found = await day_segments.on(connection, user_id, agent_id, on)
        if not found:
            raise NotFound(f"Nothing was said on {on}.")
        day, others = found[0], found[1:]
        days = await day_segments.page(connection, user_id, day.agent_id, limit=_FURTHEST)
        said = await conversation_views.said_between(connection, day.sources, day.starts_at, day.ends_at)
        talks = {one.id: one for one in await conversation_views.of_ids(connection, day.sources)}
    stretches = [
        Stretch(talks[id_], list(messages))
        for id_, messages in groupby(said, lambda one: one.conversation_id)
    ]
    dates = [one.day for one in days]
    return view.page(
        "timeline.html",
        person=person,
        day=day,
        others=others,
        days=days,
        before=max((one for one in dates if one < day.day), default=None),
        after=min((one for one in dates if one > day.day), default=None),
        stretches=stretches,
    )


def _day(which: str) -> date:
    try:
        return date.fromisoformat(which)
    except ValueError:
        raise NotFound(f"{which} is no day: write it as 2026-11-17.") from None
