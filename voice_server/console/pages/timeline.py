"""What was said on a day, on any channel, and its summary."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from itertools import dropwhile, groupby, takewhile
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.api.http import paging
from voice_server.console import reading, view
from voice_server.console.pages import composer
from voice_server.domain.bounds import FIRST_DAY, LAST_DAY
from voice_server.errors import NotFound
from voice_server.queue import day_requests
from voice_server.runtime.timezones import zone
from voice_server.store import latest_changes
from voice_server.store.conversations import conversation_views
from voice_server.store.conversations.conversation_views import Row, SaidMessage, SaidPlace
from voice_server.store.knowledge import day_segments, earlier_summaries
from voice_server.store.people import user_profiles, users

TODAY = "today"  # in place of a date
_FURTHEST = 3660  # days of the selector
_SHOWN = 150  # messages on a page
_INSTANT = timedelta(microseconds=1)


class Stretch(Struct, frozen=True):
    """Messages of one conversation in a row; `told` when a day's summary covers them."""

    conversation: Row
    messages: list[SaidMessage]
    told: bool

    @property
    def begins_at(self) -> datetime:
        return self.messages[0].said_at if self.messages else self.conversation.started_at

    @property
    def ends_at(self) -> datetime:
        return self.messages[-1].said_at if self.messages else self.conversation.ended_at

    @property
    def number(self) -> int:
        return len(self.messages)


class Day(Struct, frozen=True):
    """A person's day. A session that runs on past midnight belongs to the day on which it began: `of_before`
    are the segments of the day before."""

    day: date
    zone: ZoneInfo
    segments: Sequence[day_segments.Row]
    of_before: Sequence[day_segments.Row]

    @property
    def begins_at(self) -> datetime:
        return datetime.combine(self.day, time(), self.zone)

    @property
    def ends_at(self) -> datetime:
        midnight = datetime.combine(self.day + timedelta(days=1), time(), self.zone) - _INSTANT
        return max([midnight, *(one.ends_at for one in self.segments)])

    def has(self, message: SaidMessage) -> bool:
        if self.tells(message):
            return True
        local = message.said_at.astimezone(self.zone).date()
        return local == self.day and not _covered(message, self.of_before)

    def tells(self, message: SaidMessage) -> bool:
        return _covered(message, self.segments)


async def pick(request: Request) -> Response:
    user_id, day = request.path_params["user_id"], request.query_params.get("day") or TODAY
    agent = request.query_params.get("agent", "")
    return RedirectResponse(view.timeline_path(user_id, day, agent), 303)


async def show(request: Request) -> Response:
    dependencies = reading.dependencies(request)
    agent_id = request.query_params.get("agent") or None
    before = paging.after(request.query_params.get("cursor"), SaidPlace)
    async with reading.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        seen = await latest_changes.fingerprint(connection, user_id)
        person = await user_profiles.get(connection, user_id)
        now = await dependencies.now_for(connection, user_id, agent_id or "")
        days = _dates(await day_segments.page(connection, user_id, agent_id, limit=_FURTHEST))
        on = _day(request.path_params["which"], now.date())
        day = await _whole(connection, user_id, agent_id, on, now)
        talks = await conversation_views.under_way_between(
            connection, user_id, agent_id, day.begins_at, day.ends_at
        )
        said = await conversation_views.last_said_between(
            connection,
            [one.id for one in talks],
            day.begins_at,
            day.ends_at,
            before=before,
            limit=_SHOWN + 1,
        )
        writing = await composer.gather(request, connection, user_id) if on == now.date() else None
        agents = await users.agents_of(connection, user_id)
        summaries = await earlier_summaries.of_days(connection, [one.id for one in day.segments])
    earlier = len(said) > _SHOWN
    shown = [one for one in said[-_SHOWN:] if day.has(one)]
    stretches = _stretches(talks, shown, day, with_silent=not (earlier or before))
    return await view.page(
        "timeline.html",
        seen=seen,
        person=person,
        day=day,
        timezone=day.zone.key,
        days=days,
        before=max((one for one in days if one < on), default=None),
        after=min((one for one in days if one > on), default=None),
        today=now.date(),
        folded=list(takewhile(lambda one: one.told, stretches)),
        stretches=list(dropwhile(lambda one: one.told, stretches)),
        earlier=paging.page(said[::-1], _SHOWN, _place)["next"],
        is_latest=before is None,
        agents=agents,
        summaries=summaries,
        agent_id=agent_id or "",
        writing=writing,
    )


async def renew(request: Request) -> Response:
    agent_id = request.query_params.get("agent") or None
    async with reading.transaction(request) as connection:
        await users.stay(connection)
        whose = await users.require(connection, request.path_params["user_id"])
        await users.lock(connection, whose)
        now = await reading.dependencies(request).now_for(connection, whose, agent_id or "")
        on = _day(request.path_params["which"], now.date())
        found = await day_segments.on(connection, whose, agent_id, on)
        for one in found:
            await day_segments.renew(connection, one.id)
            await day_requests.request(connection, one.user_id, one.agent_id, "edit")
    return RedirectResponse(view.timeline_path(whose, on, agent_id or ""), 303)


async def _whole(
    connection: AsyncConnection, user_id: str, agent_id: str | None, on: date, now: datetime
) -> Day:
    segments = await day_segments.on(connection, user_id, agent_id, on)
    of_before = await day_segments.on(connection, user_id, agent_id, on - timedelta(days=1))
    named = segments[0].timezone if segments else str(now.tzinfo)
    return Day(on, zone(named) or ZoneInfo("UTC"), segments, of_before)


def _stretches(
    talks: Iterable[Row], said: Iterable[SaidMessage], day: Day, *, with_silent: bool
) -> list[Stretch]:
    """Order by beginning; include conversations in which nothing was said."""
    by_id = {one.id: one for one in talks}
    runs = groupby(said, lambda one: (one.conversation_id, day.tells(one)))
    stretches = [Stretch(by_id[id_], list(messages), told) for (id_, told), messages in runs]
    if with_silent:
        spoken = {one.conversation.id for one in stretches}
        silent = [one for one in by_id.values() if one.outcome != "talked" and one.id not in spoken]
        here = [one for one in silent if one.started_at.astimezone(day.zone).date() == day.day]
        stretches += [Stretch(one, [], told=False) for one in here]
    return sorted(stretches, key=lambda one: one.begins_at)


def _covered(message: SaidMessage, segments: Iterable[day_segments.Row]) -> bool:
    return any(
        message.conversation_id in one.sources and one.starts_at <= message.said_at <= one.ends_at
        for one in segments
    )


def _dates(segments: Iterable[day_segments.Row]) -> dict[date, int]:
    """Count the messages of each day, latest day first."""
    counted: dict[date, int] = {}
    for one in segments:
        counted[one.day] = counted.get(one.day, 0) + one.messages
    return counted


def _place(message: SaidMessage) -> SaidPlace:
    return SaidPlace(message.said_at, message.conversation_id, message.position)


def _day(which: str, today: date) -> date:
    if which == TODAY:
        return today
    try:
        day = date.fromisoformat(which)
    except ValueError:
        raise NotFound(f"{which} is no day: write it as 2026-11-17.") from None
    if not FIRST_DAY < day < LAST_DAY:
        raise NotFound(f"{which} is too far away.")
    return day
