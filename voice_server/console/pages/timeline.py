"""What was said on a day, on any channel, and its summary."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import dropwhile, groupby, takewhile
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.api.http import paging
from voice_server.console import connections, portions, view
from voice_server.console.pages import composer
from voice_server.console.pages.conversation import message_size
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
_TALK = re.compile(r"c([0-9]{1,18})")  # the same: the day of a conversation
_FURTHEST = 3660  # days that are listed at all
_SHOWN = 100  # messages on a page
_LISTED = 31  # days beside it; the others have a page
_DAYS, _DAY = 200, 180  # on a page of days, and the bytes of one
_SUMMARIES = 18_000  # bytes of the summaries on a page; the others are on the pages of their agents
_SUMMARY, _LINK = 1000, 160  # bytes of one beside its text, and of a link to it
_HEADING = 500  # bytes of a conversation beside what was said
_INSTANT = timedelta(microseconds=1)

Entry = SaidMessage | Row  # what was said, or a conversation in which nothing was


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
    """Show a day: the one named, today, or that of a conversation, as far as there is room around it."""
    dependencies = connections.dependencies(request)
    agent_id = request.query_params.get("agent") or None
    before = paging.after(request.query_params.get("cursor"), SaidPlace)
    async with connections.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        seen = await latest_changes.fingerprint(connection, user_id)
        person = await user_profiles.get(connection, user_id)
        now = await dependencies.now_for(connection, user_id, agent_id or "")
        talk = await _talk(connection, user_id, request.path_params["which"])
        on = await _day_of(connection, talk, now) if talk else _day(request.path_params["which"], now.date())
        days = await day_segments.counted(connection, user_id, agent_id, limit=_LISTED)
        around = await day_segments.around(connection, user_id, agent_id, on)
        day = await _whole(connection, user_id, agent_id, on, now)
        talks = await conversation_views.under_way_between(
            connection, user_id, agent_id, day.begins_at, day.ends_at
        )
        writing = await composer.gather(request, connection, user_id) if on == now.date() else None
        room = _room(day, writing)
        if talk:
            before = await _end_of_part(connection, talks, talk, day, room // 2)
        said = await conversation_views.last_said_between(
            connection, [one.id for one in talks], day.begins_at, day.ends_at, before=before, limit=_SHOWN + 1
        )
        agents = await users.agents_of(connection, user_id)
        replaced = await earlier_summaries.of_days(connection, [one.id for one in day.segments])
    entries = _entries(said, _silent(talks, said, day, before))
    summed, elsewhere = _summed(day)
    shown = entries[-_fitting(entries, room) :] if entries else []
    stretches = _stretches(talks, shown, day)
    folded = list(takewhile(lambda one: one.told, stretches))
    return await view.page(
        "timeline.html",
        seen=seen,
        person=person,
        day=day,
        timezone=day.zone.key,
        days=days,
        around=around,
        today=now.date(),
        folded=folded,
        unfolds=talk is not None and any(one.conversation.id == talk.id for one in folded),
        firsts={one.conversation.id: one for one in reversed(stretches)},
        stretches=list(dropwhile(lambda one: one.told, stretches)),
        earlier=paging.page(entries[::-1], len(shown), _place)["next"],
        is_latest=before is None,
        agents=agents,
        summed=summed,
        elsewhere=[one.agent_id for one in elsewhere],
        replaced={day_id: len(there) for day_id, there in replaced.items()},
        agent_id=agent_id or "",
        writing=writing,
    )


async def all_days(request: Request) -> Response:
    agent_id = request.query_params.get("agent") or None
    async with connections.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        person = await user_profiles.get(connection, user_id)
        days = await day_segments.counted(connection, user_id, agent_id, limit=_FURTHEST)
    at = portions.place(request.query_params.get("start"))
    listed = portions.portion(days, lambda _: _DAY, at, most=_DAYS)
    return await view.page("days.html", person=person, agent_id=agent_id or "", listed=listed)


async def earlier_versions(request: Request) -> Response:
    """Show what the summaries of a day were before."""
    agent_id = request.query_params.get("agent") or None
    async with connections.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        person = await user_profiles.get(connection, user_id)
        now = await connections.dependencies(request).now_for(connection, user_id, agent_id or "")
        on = _day(request.path_params["which"], now.date())
        day = await _whole(connection, user_id, agent_id, on, now)
        replaced = await earlier_summaries.of_days(connection, [one.id for one in day.segments])
    told = [(one, earlier) for one in day.segments for earlier in replaced.get(one.id, ())]
    at = portions.place(request.query_params.get("start"))
    return await view.page(
        "summaries.html",
        person=person,
        day=on,
        timezone=day.zone.key,
        agent_id=agent_id or "",
        listed=portions.portion(told, lambda one: 2 * portions.weight(one[1].summary), at),
    )


async def renew(request: Request) -> Response:
    agent_id = request.query_params.get("agent") or None
    async with connections.transaction(request) as connection:
        await users.stay(connection)
        whose = await users.require(connection, request.path_params["user_id"])
        await users.lock(connection, whose)
        now = await connections.dependencies(request).now_for(connection, whose, agent_id or "")
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


async def _talk(connection: AsyncConnection, user_id: str, which: str) -> Row | None:
    """Return the conversation that stands in place of a date. Raises NotFound where it is not theirs."""
    if not (named := _TALK.fullmatch(which)):
        return None
    for talk in await conversation_views.of_ids(connection, [int(named[1])]):
        if talk.user_id == user_id:
            return talk
    raise NotFound("This conversation is no longer kept, or is somebody else's.")


async def _day_of(connection: AsyncConnection, talk: Row, now: datetime) -> date:
    began_on = talk.started_at.astimezone(UTC).date()
    known = await day_segments.day_of(connection, str(talk.user_id), talk.agent_id, talk.id, began_on)
    return known or talk.started_at.astimezone(now.tzinfo).date()


async def _end_of_part(
    connection: AsyncConnection, talks: Sequence[Row], talk: Row, day: Day, room: int
) -> SaidPlace | None:
    """Return where a part of a day ends in which a conversation begins, with so many bytes behind that; None
    where that is the latest part."""
    ids, most = [one.id for one in talks], _SHOWN // 2
    following = await conversation_views.first_said_between(
        connection, ids, talk.started_at, day.ends_at, limit=most + 1
    )
    number = portions.fitting(map(_size, following[:most], (None, *following)), room)
    return _place(following[number]) if number < len(following) else None


def _summed(day: Day) -> tuple[Sequence[day_segments.Row], Sequence[day_segments.Row]]:
    """Return the segments whose summaries a page has room for, and the others."""
    number = portions.fitting(map(_summary_size, day.segments), _SUMMARIES)
    return day.segments[:number], day.segments[number:]


def _room(day: Day, writing: composer.Composer | None) -> int:
    """Return what is left for what was said, in bytes."""
    summed, elsewhere = _summed(day)
    beside = sum(map(_summary_size, summed)) + sum(_LINK + portions.weight(one.agent_id) for one in elsewhere)
    return portions.ROOM - beside - (composer.size(writing) if writing else 0)


def _silent(
    talks: Iterable[Row], said: Iterable[SaidMessage], day: Day, before: SaidPlace | None
) -> list[Row]:
    """Return the day's conversations in which nothing was said."""
    spoken = {one.conversation_id for one in said}
    silent = [one for one in talks if one.outcome != "talked" and one.id not in spoken]
    here = [one for one in silent if one.started_at.astimezone(day.zone).date() == day.day]
    return [one for one in here if before is None or _place(one) < before]


def _entries(said: Iterable[SaidMessage], silent: Iterable[Row]) -> list[Entry]:
    return sorted([*said, *silent], key=_place)


def _fitting(entries: Sequence[Entry], room: int) -> int:
    """Count the last entries that there is room for."""
    latest = entries[: -_SHOWN - 1 : -1]
    return portions.fitting(map(_size, latest, (None, *latest)), room)


def _summary_size(segment: day_segments.Row) -> int:
    return _SUMMARY + portions.weight(segment.summary)


def _size(entry: Entry, following: Entry | None) -> int:
    if isinstance(entry, Row):
        return _HEADING
    is_same = isinstance(following, SaidMessage) and following.conversation_id == entry.conversation_id
    return message_size(entry) + (0 if is_same else _HEADING)


def _stretches(talks: Iterable[Row], entries: Iterable[Entry], day: Day) -> list[Stretch]:
    """Order by beginning."""
    by_id = {one.id: one for one in talks}
    said = [one for one in entries if isinstance(one, SaidMessage) and day.has(one)]
    runs = groupby(said, lambda one: (one.conversation_id, day.tells(one)))
    stretches = [Stretch(by_id[id_], list(messages), told) for (id_, told), messages in runs]
    stretches += [Stretch(one, [], told=False) for one in entries if isinstance(one, Row)]
    return sorted(stretches, key=lambda one: one.begins_at)


def _covered(message: SaidMessage, segments: Iterable[day_segments.Row]) -> bool:
    return any(
        message.conversation_id in one.sources and one.starts_at <= message.said_at <= one.ends_at
        for one in segments
    )


def _place(entry: Entry) -> SaidPlace:
    if isinstance(entry, Row):
        return SaidPlace(entry.started_at, entry.id, 0)
    return SaidPlace(entry.said_at, entry.conversation_id, entry.position)


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
