"""Day segments: a user's timeline with an agent, cut into days, and each summed up.

gather: the conversations, and what the segments were made from · decide, from the first change on: which
message belongs to which day (`domain.days`), what each day was about (`digest.day_summary`) · apply

Marks tell what did not change, and that is not read: so anybody may ask for the job at any time. It also
finalises days that are over in the user's own time zone, which `wake` looks for. A model's summary
(`jobs.summarise_day`) replaces this summary later.
"""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.digest import day_summary
from voice_server.digest.day_summary import DaysTalk
from voice_server.digest.privacy import consent
from voice_server.domain import days
from voice_server.domain.conversation import Message
from voice_server.domain.days import TalkSpan
from voice_server.queue import prompt_requests, queue
from voice_server.queue.day_requests import request
from voice_server.queue.names import SUMMARISE_DAY, timeline_of
from voice_server.runtime.timezones import zone
from voice_server.store.knowledge import day_segments
from voice_server.store.knowledge.day_segments import Content, Conversation, NewSegment, StoredSegment, Thread
from voice_server.store.people import users
from voice_server.templates.library import TemplateLibrary

_BATCH = 500
_LONG_AGO = datetime(1, 1, 10, tzinfo=UTC)


class DayMessage(Struct, frozen=True):
    conversation_id: int
    message: Message


class _Timeline(Struct, frozen=True):
    """`known` is what the segments were made from. From `since`, the first change, days are made anew."""

    zones: Mapping[int, ZoneInfo]
    marks: Mapping[int, str]
    known: Sequence[StoredSegment]
    contents: Sequence[Content]
    since: datetime | None


class _Days(Struct, frozen=True):
    made: Sequence[NewSegment] = ()
    gone: Sequence[int] = ()
    forgets_model: bool = False


class DaySegments:
    """`clock` gives unix seconds."""

    def __init__(
        self,
        engine: AsyncEngine,
        templates: TemplateLibrary,
        clock: Callable[[], float],
        *,
        default_timezone: str,
        pause: timedelta,
        has_model: bool = False,
    ) -> None:
        self._engine = engine
        self._templates = templates
        self._clock = clock
        self._default_timezone = default_timezone
        self._pause = pause
        self._has_model = has_model

    async def prepare(self, connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        decided = {key: await self._decide(connection, *timeline_of(key)) for key in keys}

        async def apply(connection: AsyncConnection, due: Sequence[str]) -> None:
            for key in sorted(due):
                await self._apply(connection, *timeline_of(key), decided[key])

        return apply

    async def wake(self) -> None:
        """Ask for the last summary of the days that are over."""
        quiet_since, last, count = self._now() - self._pause, 0, _BATCH
        while count == _BATCH:
            async with self._engine.begin() as connection:
                rows = await day_segments.unfinished(connection, quiet_since, last, _BATCH)
                over = [row for row in rows if self._is_over(row.day, row.ends_at, row.timezone)]
                for user_id, agent_id in sorted({(row.user_id, row.agent_id) for row in over}):
                    await request(connection, user_id, agent_id, "night")
            last, count = max((row.id for row in rows), default=last), len(rows)

    async def _decide(self, connection: AsyncConnection, user_id: str, agent_id: str) -> _Days:
        timeline = await self._gather(connection, user_id, agent_id)
        if timeline.since is None:
            return _Days()
        return await asyncio.to_thread(self._make, timeline)  # of many days it takes a while

    async def _gather(self, connection: AsyncConnection, user_id: str, agent_id: str) -> _Timeline:
        known = await day_segments.known(connection, user_id, agent_id)
        own, there = await day_segments.conversations(connection, user_id, agent_id)
        number = await users.zone_of_numbers(connection, user_id, at=there[-1].started_at) if there else ""
        zones = self._zones(there, own, number or self._usual_timezone(agent_id))
        marks = {one.id: self._fingerprint(one, zones[one.id]) for one in there if one.is_told}
        since = _first_change(there, marks, known)
        over = [
            one.starts_at
            for one in known
            if not one.finalised and self._is_over(one.day, one.ends_at, one.timezone)
        ]
        since = min([*over, *([since] if since else [])], default=None)
        wanted = [
            one.id for one in there if since and one.is_told and one.ended_at >= _back(since, days.LOOK_BACK)
        ]
        return _Timeline(zones, marks, known, await day_segments.contents(connection, wanted), since)

    def _zones(self, there: Sequence[Conversation], own: str, usual: str) -> dict[int, ZoneInfo]:
        zones, last = {}, ""
        for one in there:
            last = one.timezone or last
            zones[one.id] = zone(own or last) or ZoneInfo(usual)
        return zones

    def _usual_timezone(self, agent_id: str) -> str:
        return self._templates.agent(agent_id).agent.timezone or self._default_timezone

    def _fingerprint(self, conversation: Conversation, where: ZoneInfo) -> str:
        return _name(conversation.mark, where.key, self._pause.total_seconds())

    def _make(self, timeline: _Timeline) -> _Days:
        """Look back some days, to cut there."""
        since = timeline.since or _LONG_AGO
        talked = {one.id: consent.kept(one.messages) for one in timeline.contents}
        spoken = {id_: said for id_, said in talked.items() if any(one.role == "user" for one in said)}
        cut = self._cut(timeline, spoken, _back(since, days.LOOK_BACK))
        changed = {day: said for day, said in cut.items() if said[-1].message.said_at >= since}
        made = [self._segment(timeline, spoken, day, said) for day, said in changed.items()]
        stale = [one for one in timeline.known if one.ends_at >= since]
        kept = {one.day: one.basis for one in made}
        return _Days(
            made,
            [one.id for one in stale if one.day not in kept],
            any(one.source == "model" and kept.get(one.day) != one.basis for one in stale),
        )

    def _cut(
        self, timeline: _Timeline, spoken: Mapping[int, Sequence[Message]], since: datetime
    ) -> dict[date, list[DayMessage]]:
        said = [
            DayMessage(id_, one)
            for id_, messages in spoken.items()
            for one in messages
            if one.said_at >= since
        ]
        said.sort(key=lambda one: (one.message.said_at, one.conversation_id, one.message.position))
        talk = [
            TalkSpan(s.message.said_at, s.message.said_at, timeline.zones[s.conversation_id]) for s in said
        ]
        found: defaultdict[date, list[DayMessage]] = defaultdict(list)
        for one, day in zip(said, days.days_of(talk, self._pause), strict=True):
            found[day].append(one)
        return found

    def _segment(
        self,
        timeline: _Timeline,
        spoken: Mapping[int, Sequence[Message]],
        day: date,
        said: Sequence[DayMessage],
    ) -> NewSegment:
        sources = sorted({one.conversation_id for one in said})
        where = timeline.zones[said[-1].conversation_id]
        contents = [one for one in timeline.contents if one.id in sources]
        talks = talks_of(contents, said, timeline.zones, spoken)
        summary = day_summary.summarise(list(talks.values()))
        told, number = told_of(talks)
        ends_at = said[-1].message.said_at
        return NewSegment(
            day=day,
            timezone=where.key,
            starts_at=said[0].message.said_at,
            ends_at=ends_at,
            messages=len(said),
            summary=summary.markdown,
            sources=sources,
            marks=[timeline.marks[id_] for id_ in sources],
            basis=basis_of(day, talks) if talks else "",
            finalised=self._is_over(day, ends_at, where.key),
            told=told,
            told_messages=number,
            grown_from=_grown_from([one for one in timeline.known if one.day == day], talks),
        )

    async def _apply(self, connection: AsyncConnection, user_id: str, agent_id: str, decided: _Days) -> None:
        if decided.gone:
            await day_segments.remove(connection, decided.gone)
        for made in decided.made:
            asks = self._has_model and made.basis != ""
            id_ = await day_segments.save(connection, user_id, agent_id, made, awaits_model=asks)
            if id_ is not None:
                await ask_model(connection, id_, made.basis)
        if decided.forgets_model:  # else the prompt tells nothing of it
            await prompt_requests.request(connection, user_id, agent_id)

    def _is_over(self, day: date, ended: datetime, where: str) -> bool:
        return days.is_over(day, ended, zone(where) or ZoneInfo("UTC"), self._pause, now=self._now())

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


async def ask_model(connection: AsyncConnection, id_: int, basis: str) -> None:
    await queue.enqueue(connection, SUMMARISE_DAY, {"segment_id": id_}, key=f"{SUMMARISE_DAY}:{id_}:{basis}")


def said_between(
    spoken: Mapping[int, Sequence[Message]], first: datetime, last: datetime | None = None
) -> list[DayMessage]:
    """Return what was said, in order; both ends are included."""
    said = [
        DayMessage(id_, one)
        for id_, messages in spoken.items()
        for one in messages
        if first <= one.said_at and (last is None or one.said_at <= last)
    ]
    return sorted(said, key=lambda one: (one.message.said_at, one.conversation_id, one.message.position))


def talks_of(
    contents: Sequence[Content],
    said: Sequence[DayMessage],
    zones: Mapping[int, ZoneInfo],
    spoken: Mapping[int, Sequence[Message]],
) -> dict[int, DaysTalk]:
    """Return talks by conversation, in the order of what was `said` that day, without talks that tell
    nothing. `spoken` is all of each that may be remembered."""
    by_id: defaultdict[int, list[Message]] = defaultdict(list)
    for one in said:
        by_id[one.conversation_id].append(one.message)
    there = {one.id: one for one in contents}
    talks = {id_: _talk(there[id_], zones[id_], said, spoken[id_], by_id) for id_, said in by_id.items()}
    return {id_: talk for id_, talk in talks.items() if talk.messages}


def _talk(
    content: Content,
    where: ZoneInfo,
    messages: Sequence[Message],
    spoken: Sequence[Message],
    day: Mapping[int, object],
) -> DaysTalk:
    whole = len(messages) == len(spoken)
    positions = {one.position for one in messages}
    here = [one for one in content.threads if whole or positions.intersection(one.positions)]
    excluded = positions & _of(one for one in here if one.status == "excluded")
    return DaysTalk(
        messages=tuple(one for one in spoken if one.position in positions - excluded),
        zone=where,
        language=content.language,
        whole=whole,
        digested=content.digested,
        cut=bool(excluded),
        goes_on=content.goes_on,
        summary="" if excluded else content.summary,
        threads=tuple(
            day_summary.Thread(one.kind, one.text)
            for one in here
            if one.is_told and one.closed_by not in day and (whole or one.by_hand)
        ),
        known=_of(here if whole else ()),
        by_hand=_of(one for one in here if one.by_hand),
    )


def _of(threads: Iterable[Thread]) -> frozenset[int]:
    return frozenset(position for one in threads for position in one.positions)


def basis_of(day: date, talks: Mapping[int, DaysTalk]) -> str:
    """Name what may be told of the day and what a person said of it: when the name changes, a model's summary
    is worth making again."""
    said = [(at, role, content) for at, _, _, role, content in _said(talks)]
    return _name(day, said, _by_hand(talks))


def told_of(talks: Mapping[int, DaysTalk], most: int | None = None) -> tuple[str, int]:
    """Name what may be told of a day, or of its first messages, as `basis_of` does; return the number of
    messages, too."""
    said = _said(talks)[:most]
    return _name(said, _by_hand(talks)), len(said)


def _grown_from(before: Sequence[StoredSegment], talks: Mapping[int, DaysTalk]) -> str | None:
    for one in before:
        is_in_it = one.told != "" and told_of(talks, one.told_messages)[0] == one.told
        return one.told if is_in_it else ""
    return None


def _said(talks: Mapping[int, DaysTalk]) -> list[tuple[datetime, int, int, str, str]]:
    return sorted(
        (one.said_at, id_, one.position, one.role, one.content)
        for id_, talk in talks.items()
        for one in talk.messages
    )


def _by_hand(talks: Mapping[int, DaysTalk]) -> list[tuple[day_summary.Thread, ...]]:
    return [talk.threads for talk in talks.values() if talk.by_hand or talk.cut]


def _first_change(
    there: Sequence[Conversation], marks: Mapping[int, str], known: Sequence[StoredSegment]
) -> datetime | None:
    """Return when the first conversation began that is new, gone, or another than a segment was made from."""
    told: defaultdict[int, set[str]] = defaultdict(set)
    for one in known:
        for id_, mark in zip(one.sources, one.marks or [""] * len(one.sources), strict=True):
            told[id_].add(mark)
    changed = {id_ for id_ in {*told, *marks} if told[id_] != {marks.get(id_)}}
    began = [one.started_at for one in there if one.id in changed]
    return min([*began, *(one.starts_at for one in known if changed & {*one.sources})], default=None)


def _back(moment: datetime, by: timedelta) -> datetime:
    return moment - by if moment - _LONG_AGO > by else _LONG_AGO


def _name(*what: object) -> str:
    return hashlib.blake2b(msgspec.json.encode(what), digest_size=16).hexdigest()
