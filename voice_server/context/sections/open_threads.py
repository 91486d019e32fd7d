"""`[OPEN THREADS]`: unresolved topics; those with a date coming up first, stale ones last."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from voice_server.context import words
from voice_server.context.budget import Content, Item, Section
from voice_server.context.hygiene import neutralise
from voice_server.context.occasion import Occasion, lines, telling
from voice_server.domain.memory import KnownThread

NAME = "open_threads"
_FRESH = timedelta(days=7)
_OVER = timedelta(days=14)
_KINDS = ("promise", "request", "question", "plan", "topic")


def section(occasion: Occasion) -> Section:
    """Those with the first claim, as many as the agent is told."""
    items, limit = _items(occasion), occasion.templates.agent.limits.open_threads
    beyond = tuple((item, f"limits: {limit} open threads") for item in items[limit:])
    render = lines(NAME, occasion.templates)
    return Section(NAME, render, (Content(items=items[:limit]),), occasion.budget(NAME), left_out=beyond)


def changes_at(occasion: Occasion) -> Iterator[datetime | None]:
    """The instants at which the order of the threads changes by itself, with the clock alone."""
    for thread in occasion.memory.open_threads:
        yield _touched(thread, occasion) + _FRESH
        yield occasion.begins(thread.due, after=1)
        yield occasion.begins(thread.due, after=_OVER.days + 1)


def _items(occasion: Occasion) -> tuple[Item, ...]:
    """All that could be told, in order, none twice."""
    current = [thread for thread in occasion.memory.open_threads if not _is_long_over(thread, occasion)]
    ranked = sorted(current, key=lambda thread: _rank(thread, occasion))
    first: dict[str, Item] = {}
    for item in map(_item, ranked):
        first.setdefault(item.text, item)
    return telling(first.values())


def _is_long_over(thread: KnownThread, occasion: Occasion) -> bool:
    """What was due weeks ago is no longer open; how it went may still be asked for some days."""
    return thread.due is not None and occasion.today - thread.due > _OVER


def _rank(thread: KnownThread, occasion: Occasion) -> tuple[bool, bool, bool, int, int, float, int]:
    upcoming = thread.due is not None and thread.due >= occasion.today
    stale = not upcoming and occasion.now - _touched(thread, occasion) >= _FRESH
    due = thread.due.toordinal() if upcoming and thread.due else 0
    kind = 0 if upcoming else _KINDS.index(thread.kind)
    touched = _touched(thread, occasion).timestamp()
    return (not thread.pinned, stale, not upcoming, due, kind, -touched, -thread.id)


def _touched(thread: KnownThread, occasion: Occasion) -> datetime:
    said = datetime(thread.said_on.year, thread.said_on.month, thread.said_on.day, tzinfo=occasion.zone)
    return thread.touched_at or said


def _item(thread: KnownThread) -> Item:
    said = words.short_date(thread.said_on)
    label = f"{thread.kind}, {said}" + (f", due {words.short_date(thread.due)}" if thread.due else "")
    return Item(neutralise(thread.text), f"open_threads/{thread.id}", label)
