"""`[OPEN THREADS]`: unresolved topics; those with a date coming up first, stale ones last. What was due is
told as past for some days, and what has no date fades."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from voice_server.context.layout import formatting
from voice_server.context.layout.budget import Content, Item, Section
from voice_server.context.layout.prompt_input import PromptInput, lines, once
from voice_server.context.screening.hygiene import neutralise
from voice_server.context.sections import spoken
from voice_server.context.sections.quotes import bare, has_date_beside
from voice_server.domain.memory import KnownThread
from voice_server.domain.quote import is_quote

NAME = "open_threads"
_FRESH = timedelta(days=7)
_OVER = timedelta(days=3)
_FADED = timedelta(days=60)
_FADING = ("promise", "request", "question")
_CHARACTERS = 2  # of a token, at least, in the languages that most people speak
_KINDS = ("promise", "request", "question", "plan", "topic")


@once
def section(occasion: PromptInput) -> Section:
    """Those with the first claim, as many as the agent is told."""
    items, limit = tuple(_told(occasion)), occasion.templates.agent.limits.open_threads
    beyond = tuple((item, f"limits: {limit} open threads") for item in items[limit:])
    render = lines(NAME, occasion.templates)
    return Section(NAME, render, (Content(items=items[:limit]),), occasion.budget(NAME), left_out=beyond)


@once
def repeats(occasion: PromptInput) -> Callable[[str], bool]:
    """Whether the very words of a quote are told here, with the day that it names: no other section repeats
    them."""
    if NAME not in occasion.order:
        return lambda _quote: False
    threads = list(_surely_told(occasion))
    due = [f" {bare(thread.text)} " for thread in threads if thread.due]
    undated = [f" {bare(thread.text)} " for thread in threads if not thread.due]

    def is_told(quote: str) -> bool:
        words = f" {bare(quote)} "
        told = due if has_date_beside(quote) else (*due, *undated)
        return is_quote(quote) and any(words in thread for thread in told)

    return is_told


def _surely_told(occasion: PromptInput) -> Iterator[KnownThread]:
    """The threads that fit into the section's cap, however many tokens their words take."""
    room = occasion.budget(NAME).cap * _CHARACTERS
    limit = occasion.templates.agent.limits.open_threads
    for item, thread in islice(_told(occasion).items(), limit):
        room -= len(item.text) + len(item.label)
        if room < 0:
            return
        yield thread


def changes_at(occasion: PromptInput) -> Iterator[datetime | None]:
    """The instants at which the order of the threads changes by itself, with the clock alone."""
    for thread in occasion.memory.open_threads:
        yield _touched(thread, occasion) + _FRESH
        yield occasion.begins(thread.due, after=1)
        yield occasion.begins(thread.due, after=_OVER.days + 1)
        yield _touched(thread, occasion) + _FADED if _fades(thread) else None


@once
def _told(occasion: PromptInput) -> dict[Item, KnownThread]:
    """All that could be told, in order, none twice."""
    threads = occasion.memory.open_threads
    current = [one for one in threads if not (_is_long_over(one, occasion) or _has_faded(one, occasion))]
    first: dict[str, tuple[Item, KnownThread]] = {}
    for thread in sorted(current, key=lambda thread: _rank(thread, occasion)):
        item = _item(thread, occasion)
        first.setdefault(item.text, (item, thread))
    return {item: thread for text, (item, thread) in first.items() if text}


def _is_long_over(thread: KnownThread, occasion: PromptInput) -> bool:
    """What was due is no longer open; how it went may still be asked for some days."""
    return thread.due is not None and occasion.today - thread.due > _OVER


def _has_faded(thread: KnownThread, occasion: PromptInput) -> bool:
    return _fades(thread) and occasion.now - _touched(thread, occasion) >= _FADED


def _fades(thread: KnownThread) -> bool:
    """Whether nobody will come back to it some day: it has no day of its own, and nobody pinned it."""
    return thread.due is None and thread.kind in _FADING and not thread.pinned


def _rank(thread: KnownThread, occasion: PromptInput) -> tuple[bool, bool, bool, int, int, float, int]:
    upcoming = thread.due is not None and thread.due >= occasion.today
    stale = not upcoming and occasion.now - _touched(thread, occasion) >= _FRESH
    due = thread.due.toordinal() if upcoming and thread.due else 0
    kind = 0 if upcoming else _KINDS.index(thread.kind)
    touched = _touched(thread, occasion).timestamp()
    return (not thread.pinned, stale, not upcoming, due, kind, -touched, -thread.id)


def _touched(thread: KnownThread, occasion: PromptInput) -> datetime:
    said = datetime(thread.said_on.year, thread.said_on.month, thread.said_on.day, tzinfo=occasion.zone)
    return thread.touched_at or said


def _item(thread: KnownThread, occasion: PromptInput) -> Item:
    text = spoken.told(neutralise(thread.text), thread.said_by, _user_name(occasion))
    label = ", ".join([thread.kind, formatting.short_date(thread.said_on), *_due(thread, occasion)])
    return Item(text, f"open_threads/{thread.id}", label)


def _user_name(occasion: PromptInput) -> str:
    return neutralise(occasion.memory.called)


def _due(thread: KnownThread, occasion: PromptInput) -> Iterator[str]:
    """When it is due, unless its words say the date, or the span of days, themselves; when it was, in any
    case."""
    if thread.due is None:
        return
    day = formatting.short_date(thread.due)
    if thread.due < occasion.today:
        yield f"was due {day}"
    elif not _says_when(thread, (day, formatting.full_date(thread.due))):
        yield f"due {day}"


def _says_when(thread: KnownThread, dates: tuple[str, ...]) -> bool:
    beside = is_quote(thread.text) and has_date_beside(thread.text)
    return beside or any(date in thread.text for date in dates)
