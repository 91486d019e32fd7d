"""The sections of a voice prompt: what each says, chosen from a memory (CONTEXT_STACK: what goes in)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from msgspec import Struct

from voice_server.context import slots, words
from voice_server.context.budget import ELLIPSIS, Content, Item, Section, sentences
from voice_server.context.hygiene import neutralise
from voice_server.domain.memory import KnownThread, Memory, Remembered

THREADS_SHOWN = 5
THREAD_FRESH = timedelta(days=7)
THREAD_OVER = timedelta(days=14)
_KINDS = ("promise", "request", "question", "plan", "topic")
_YESTERDAY = "yesterday"
_CHANNELS = {"voice": "phone", "text": "text", "continuous": "text"}


class Templates(Protocol):
    """The compiled templates of one agent."""

    def render(self, section: str, values: Mapping[str, Any]) -> str:
        """The section's text, without surrounding blank lines; "" for nothing."""


class Moment(Struct, frozen=True):
    """When a prompt is built, for whom: `now` in the user's own zone."""

    now: datetime
    zone: ZoneInfo

    @property
    def today(self) -> date:
        """The user's local day."""
        return self.now.date()


def persona(templates: Templates) -> Section:
    """Who the agent is; never cut."""
    return _fixed("persona", templates)


def response_style(templates: Templates) -> Section:
    """How to talk, and that memory is not instruction; never cut."""
    return _fixed("response_style", templates)


def situation(memory: Memory, moment: Moment, templates: Templates, *, known: bool) -> Section:
    """The local time, when the last contact was, a redial: filled when served."""
    last = memory.last_contact

    def render(redial: int, _content: Content) -> str:
        return templates.render(
            "situation",
            {
                "time": slots.TIME,
                "date": slots.DATE,
                "part_of_day": slots.PART_OF_DAY,
                "since_last": slots.SINCE_LAST if last else "",
                "last_date": words.long_date(last.astimezone(moment.zone).date()) if last else "",
                "conversations": memory.conversations,
                "known": known,
                "redial": bool(redial),
            },
        )

    return Section("situation", render, (Content(), Content()))


def last_time(memory: Memory, moment: Moment, templates: Templates) -> Section:
    """The latest ended conversation."""
    latest = memory.latest[0] if memory.latest else None

    def render(_variant: int, content: Content) -> str:
        if latest is None or not content:
            return ""
        noted = [item.text for item in content.items]
        return templates.render(
            "last_time", {**_heading(latest, moment), "summary": content.prose, "noted": noted}
        )

    return Section("last_time", render, (_last_time_content(latest),), target=150, cap=250)


def day(memory: Memory, moment: Moment, templates: Templates) -> tuple[Section, list[int]]:
    """`[TODAY SO FAR]` and `[YESTERDAY]` as they will be true: one variant until midnight, one until
    the next, nothing from then on. Returns the instants (unix seconds) until which each holds."""
    today, yesterday = moment.today, moment.today - timedelta(days=1)
    served_on = [(today, yesterday), (today + timedelta(days=1), today)]
    variants = [_day_content(memory, moment, *days) for days in served_on]

    def render(variant: int, content: Content) -> str:
        cut = len(content.items) < len(section.variants[variant].items)
        return _render_day(content, served_on[variant][1], templates, cut=cut) if content else ""

    untils = [int(words.midnight_after(day, moment.zone).timestamp()) for day, _ in served_on]
    section = Section("today_so_far", render, (*variants, Content()), target=300, cap=500)
    return section, [*untils, slots.FOREVER]


def open_threads(memory: Memory, moment: Moment, templates: Templates) -> Section:
    """At most five unresolved topics: those with a date coming up first, stale ones last."""
    current = [thread for thread in memory.open_threads if not _is_long_over(thread, moment)]
    ranked = _once(sorted(current, key=lambda thread: _thread_rank(thread, moment)))
    items = _telling(_thread_item(thread) for thread in ranked)[:THREADS_SHOWN]
    return Section("open_threads", _lines("open_threads", templates), (Content(items=items),), 250, 400)


def threads_change_at(memory: Memory, moment: Moment) -> datetime | None:
    """The next instant at which the order of the threads changes by itself, with the clock alone."""
    instants = [
        instant
        for thread in memory.open_threads
        for instant in (_touched(thread, moment) + THREAD_FRESH, _day_over(thread, moment))
        if instant is not None and instant > moment.now
    ]
    return min(instants, default=None)


def _fixed(name: str, templates: Templates) -> Section:
    return Section(name, lambda _variant, _content: templates.render(name, {}), (Content(),))


def _lines(name: str, templates: Templates) -> Callable[[int, Content], str]:
    def render(_variant: int, content: Content) -> str:
        return templates.render(name, {"items": _values(content.items)}) if content else ""

    return render


def _telling(items: Iterable[Item]) -> tuple[Item, ...]:
    """Without those of which nothing was left to say."""
    return tuple(item for item in items if item.text)


def _values(items: Sequence[Item]) -> list[dict[str, str]]:
    return [{"label": item.label, "text": item.text} for item in items]


def _heading(conversation: Remembered, moment: Moment) -> dict[str, str]:
    started = conversation.started_at.astimezone(moment.zone)
    return {
        "date": words.long_date(started.date()),
        "time": words.time_of_day(started),
        "channel": _CHANNELS[conversation.channel],
        "duration": words.duration(conversation.duration),
    }


def _last_time_content(latest: Remembered | None) -> Content:
    if latest is None:
        return Content()
    source = f"conversations/{latest.id}"
    noted = _telling(Item(neutralise(text), source) for text in latest.noted)
    return Content(neutralise(latest.summary), noted, source)


def _day_content(memory: Memory, moment: Moment, today: date, yesterday: date) -> Content:
    """Today's summary and key moments, newest moments first in priority; last the sentences of yesterday's summary."""
    now, before = _on(memory, moment, today), _on(memory, moment, yesterday)
    moments = sorted(
        ((said.said_at, said.position, one.id, said.text) for one in now for said in one.key_moments),
        reverse=True,
    )
    items = _telling(
        Item(neutralise(text), f"messages/{id_}:{position}", words.time_of_day(at.astimezone(moment.zone)))
        for at, position, id_, text in moments
    )
    prose = _day_summary(memory, moment, now, quiet=bool(items))
    earlier = sentences(_day_summary(memory, moment, before, quiet=False))
    rest = _telling(Item(sentence, _sources(before), _YESTERDAY) for sentence in earlier)
    return Content(prose, (*items, *rest), _sources(now))


def _day_summary(memory: Memory, moment: Moment, day: Sequence[Remembered], *, quiet: bool) -> str:
    """What was said that day, apart from the conversation that [LAST TIME] tells: nothing is said twice.
    When nothing else is to be said, just when they took place, or nothing if `quiet`."""
    told = memory.latest[0].id if memory.latest else None
    said = [(one, neutralise(one.summary)) for one in day if one.id != told]
    summaries = [
        f"{_heading(one, moment)['time']} {summary}" if len(day) > 1 else summary
        for one, summary in said
        if summary
    ]
    if summaries or quiet or not day:
        return " ".join(summaries)
    times = [
        f"at {at['time']} ({at['channel']}, {at['duration']})"
        for at in (_heading(one, moment) for one in day)
    ]
    return (
        f"One conversation {times[0]}." if len(day) == 1 else f"{len(day)} conversations: {', '.join(times)}."
    )


def _render_day(content: Content, yesterday_was: date, templates: Templates, *, cut: bool) -> str:
    moments = [item for item in content.items if item.label != _YESTERDAY]
    yesterday = "".join(item.text for item in content.items if item.label == _YESTERDAY)
    return templates.render(
        "today_so_far",
        {
            "summary": content.prose,
            "key_moments": _values(moments[::-1]),
            "yesterday_date": words.long_date(yesterday_was),
            "yesterday_summary": f"{yesterday}{ELLIPSIS}" if yesterday and cut else yesterday,
        },
    )


def _on(memory: Memory, moment: Moment, day: date) -> list[Remembered]:
    """That local day's conversations, in the order they took place."""
    there = [one for one in memory.latest if one.started_at.astimezone(moment.zone).date() == day]
    return sorted(there, key=lambda one: (one.started_at, one.id))


def _sources(conversations: Sequence[Remembered]) -> str:
    return " ".join(f"conversations/{one.id}" for one in conversations)


def _is_long_over(thread: KnownThread, moment: Moment) -> bool:
    """What was due weeks ago is no longer open; how it went may still be asked for some days."""
    return thread.due is not None and moment.today - thread.due > THREAD_OVER


def _once(threads: Sequence[KnownThread]) -> list[KnownThread]:
    """Without those that say the same as one before."""
    first: dict[str, KnownThread] = {}
    for thread in threads:
        first.setdefault(thread.text, thread)
    return list(first.values())


def _thread_rank(thread: KnownThread, moment: Moment) -> tuple[bool, bool, int, int, float, int]:
    upcoming = thread.due is not None and thread.due >= moment.today
    stale = not upcoming and moment.now - _touched(thread, moment) >= THREAD_FRESH
    due = thread.due.toordinal() if upcoming and thread.due else 0
    kind = 0 if upcoming else _KINDS.index(thread.kind)
    return (stale, not upcoming, due, kind, -_touched(thread, moment).timestamp(), -thread.id)


def _touched(thread: KnownThread, moment: Moment) -> datetime:
    said = datetime(thread.said_on.year, thread.said_on.month, thread.said_on.day, tzinfo=moment.zone)
    return thread.touched_at or said


def _day_over(thread: KnownThread, moment: Moment) -> datetime | None:
    return words.midnight_after(thread.due, moment.zone) if thread.due else None


def _thread_item(thread: KnownThread) -> Item:
    said = words.short_date(thread.said_on)
    label = f"{thread.kind}, {said}" + (f", due {words.short_date(thread.due)}" if thread.due else "")
    return Item(neutralise(thread.text), f"open_threads/{thread.id}", label)
