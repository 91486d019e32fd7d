"""`[TODAY SO FAR]` and `[YESTERDAY]`, as they will be true: a prompt cached before midnight is right after it."""

from collections.abc import Sequence
from datetime import date, timedelta

from voice_server.context import slots, words
from voice_server.context.budget import ELLIPSIS, Content, Item, Section, sentences
from voice_server.context.hygiene import neutralise
from voice_server.context.occasion import Occasion, telling, values
from voice_server.context.sections import last_time
from voice_server.domain.memory import Remembered

NAME = "today_so_far"
_YESTERDAY = "yesterday"


def section(occasion: Occasion) -> Section:
    """One variant until midnight, one until the next, nothing from then on."""
    today, yesterday = occasion.today, occasion.today - timedelta(days=1)
    served_on = [(today, yesterday), (today + timedelta(days=1), today)]
    variants = (*(_content(occasion, *days) for days in served_on), Content())

    def render(variant: int, content: Content) -> str:
        cut = len(content.items) < len(variants[variant].items)
        return _render(content, served_on[variant][1], occasion, cut=cut) if content else ""

    untils = [int(words.midnight_after(day, occasion.zone).timestamp()) for day, _ in served_on]
    return Section(NAME, render, variants, occasion.budget(NAME), until=(*untils, slots.FOREVER))


def _content(occasion: Occasion, today: date, yesterday: date) -> Content:
    """Today's summary and key moments, newest moments first in priority; last the sentences of yesterday's summary."""
    now, before = _on(occasion, today), _on(occasion, yesterday)
    moments = sorted(
        ((said.said_at, said.position, one.id, said.text) for one in now for said in one.key_moments),
        reverse=True,
    )
    items = telling(
        Item(neutralise(text), f"messages/{id_}:{position}", words.time_of_day(at.astimezone(occasion.zone)))
        for at, position, id_, text in moments
    )
    prose = _summary(occasion, now, quiet=bool(items))
    earlier = sentences(_summary(occasion, before, quiet=False))
    rest = telling(Item(sentence, _sources(before), _YESTERDAY) for sentence in earlier)
    return Content(prose, (*items, *rest), _sources(now))


def _summary(occasion: Occasion, day: Sequence[Remembered], *, quiet: bool) -> str:
    """What was said that day, apart from the conversation that [LAST TIME] tells: nothing is said twice.
    When nothing else is to be said, just when they took place, or nothing if `quiet`."""
    told = occasion.memory.latest[0].id if day and last_time.NAME in occasion.order else None
    said = [(one, neutralise(one.summary)) for one in day if one.id != told]
    summaries = [
        f"{last_time.heading(one, occasion)['time']} {summary}" if len(day) > 1 else summary
        for one, summary in said
        if summary
    ]
    if summaries or quiet or not day:
        return " ".join(summaries)
    times = [
        f"at {at['time']} ({at['channel']}, {at['duration']})"
        for at in (last_time.heading(one, occasion) for one in day)
    ]
    return (
        f"One conversation {times[0]}." if len(day) == 1 else f"{len(day)} conversations: {', '.join(times)}."
    )


def _render(content: Content, yesterday_was: date, occasion: Occasion, *, cut: bool) -> str:
    moments = [item for item in content.items if item.label != _YESTERDAY]
    yesterday = "".join(item.text for item in content.items if item.label == _YESTERDAY)
    return occasion.templates.render(
        NAME,
        {
            "summary": content.prose,
            "key_moments": values(moments[::-1]),
            "yesterday_date": words.long_date(yesterday_was),
            "yesterday_summary": f"{yesterday}{ELLIPSIS}" if yesterday and cut else yesterday,
        },
    )


def _on(occasion: Occasion, day: date) -> list[Remembered]:
    """That local day's conversations, in the order they took place."""
    there = [one for one in occasion.memory.latest if occasion.local_day(one.started_at) == day]
    return sorted(there, key=lambda one: (one.started_at, one.id))


def _sources(conversations: Sequence[Remembered]) -> str:
    return " ".join(f"conversations/{one.id}" for one in conversations)
