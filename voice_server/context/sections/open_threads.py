"""`[OPEN THREADS]`: unresolved topics; those with a date coming up first, stale ones last. What was due is
told as past for some days; what has no date fades. What was said of a thread since is told beside it."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, time, timedelta
from functools import cache
from itertools import islice

from msgspec.structs import replace

from voice_server.context.layout import formatting
from voice_server.context.layout.budget import Content, Item, Section
from voice_server.context.layout.prompt_input import PromptInput, lines, once
from voice_server.context.screening.hygiene import neutralise
from voice_server.context.sections import spoken
from voice_server.context.sections.quotes import bare, beneath, has_date_beside
from voice_server.domain.conversation import message_id
from voice_server.domain.digest import checksum
from voice_server.domain.memory import KnownFollowUp, KnownThread
from voice_server.domain.quote import answer, is_quote

NAME = "open_threads"
_FRESH = timedelta(days=7)
_OVER = timedelta(days=3)
_OWED = timedelta(days=7)
_FADED = timedelta(days=60)
_FADING = ("promise", "request", "question")
_OWING = ("promise", "request")
_QUESTION_END = '?" – "'
_SENTENCE = 5  # words of an answer that says enough by itself
_SHORT_QUESTION = 10  # words, which say hardly anything that the answer does not
_CHARACTERS = 2  # of a token, at least, in the languages that most people speak
_USUAL_CHARACTERS = 3  # of a token, about
_FRAME = 48  # characters of a line around its words: kind, days, who speaks
_KINDS = ("promise", "request", "question", "plan", "topic")


@once
def section(given: PromptInput) -> Section:
    items, limit = tuple(_told(given)), given.templates.agent.limits.open_threads
    beyond = tuple((item, f"limits: {limit} open threads") for item in items[limit:])
    render = lines(NAME, given.templates)
    return Section(NAME, render, (Content(items=items[:limit]),), given.budget(NAME), left_out=beyond)


@once
def repeats(given: PromptInput) -> Callable[[str], bool]:
    """Return a check whether a quote's very words are told here, with the day that it names: no other section
    repeats them. Of a short question and its answer, a whole answer is enough: “And Judith's train gets in at
    ten to nine, is that too late?” says more than it asks."""
    if NAME not in given.order:
        return lambda _quote: False
    threads = list(_surely_told(given))
    due = [f" {bare(thread.text)} " for thread in threads if thread.due]
    undated = [f" {bare(thread.text)} " for thread in threads if not thread.due]

    @cache
    def is_told(quote: str) -> bool:
        if not is_quote(quote):
            return False
        told = due if has_date_beside(quote) else (*due, *undated)
        looked_for = [bare(quote)]
        question, is_answered, _ = quote.partition(_QUESTION_END)
        answered = bare(answer(quote)) if is_answered else ""
        if answered.count(" ") >= _SENTENCE - 1 and len(question.split()) <= _SHORT_QUESTION:
            looked_for.append(answered)
        return any(f" {words} " in thread for thread in told for words in looked_for)

    return is_told


def _surely_told(given: PromptInput) -> Iterator[KnownThread]:
    """Yield the threads that fit into the section's cap, however many tokens their words take."""
    room = given.budget(NAME).cap * _CHARACTERS
    limit = given.templates.agent.limits.open_threads
    for item, thread in islice(_told(given).items(), limit):
        room -= len(item.text) + len(item.label)
        if room < 0:
            return
        yield thread


def changes_at(given: PromptInput) -> Iterator[datetime | None]:
    for thread in given.memory.open_threads:
        yield _touched(thread, given) + _FRESH
        yield given.begins(thread.due, after=1)
        yield given.begins(thread.due, after=_told_for(thread, given).days + 1)
        if thread.follow_up and thread.follow_up.is_owed:
            yield given.begins(thread.follow_up.said_on, after=_OWED.days + 1)
        yield _touched(thread, given) + _FADED if _fades(thread) else None


@once
def _told(given: PromptInput) -> dict[Item, KnownThread]:
    threads = given.memory.open_threads
    current = [one for one in threads if not (_is_long_over(one, given) or _has_faded(one, given))]
    first: dict[str, tuple[Item, KnownThread]] = {}
    ranked = sorted(current, key=lambda thread: _rank(thread, given))
    for thread in _with_room_for_follow_ups(ranked, given):
        item = _item(thread, given)
        first.setdefault(item.text, (item, thread))
    return {item: thread for text, (item, thread) in first.items() if text}


def _with_room_for_follow_ups(ranked: Sequence[KnownThread], given: PromptInput) -> Iterator[KnownThread]:
    """Keep the follow-ups for which the section's target has room beside the threads: rather one of these
    less than a thread, or than what other sections tell."""
    told = ranked[: given.templates.agent.limits.open_threads]
    room = given.budget(NAME).target * _USUAL_CHARACTERS - sum(len(one.text) + _FRAME for one in told)
    for thread in ranked:
        said = thread.follow_up
        if said is not None and said.wording == checksum(thread.text) and len(said.text) + _FRAME <= room:
            room -= len(said.text) + _FRAME
            yield thread
        else:
            yield replace(thread, follow_up=None) if said else thread


def _is_long_over(thread: KnownThread, given: PromptInput) -> bool:
    """Tell whether it is too late to ask how it went, or longer for what the user still waited for when it
    was due: “The invoice hasn't come yet.”"""
    if thread.due is None or given.today - thread.due <= _told_for(thread, given):
        return False
    said = thread.follow_up
    return not (said and said.is_owed and given.today - said.said_on <= _OWED)


def _told_for(thread: KnownThread, given: PromptInput) -> timedelta:
    """Return how long it is told when its day is over: one asks for some days how something went, and for a
    week what became of a promise, if there was no conversation since to say so."""
    last = given.memory.last_contact
    was_said = last is not None and thread.due is not None and given.local_day(last) > thread.due
    return _OVER if was_said or thread.kind not in _OWING else _OWED


def _has_faded(thread: KnownThread, given: PromptInput) -> bool:
    return _fades(thread) and given.now - _touched(thread, given) >= _FADED


def _fades(thread: KnownThread) -> bool:
    return thread.due is None and thread.kind in _FADING and not thread.pinned


def _rank(thread: KnownThread, given: PromptInput) -> tuple[bool, bool, bool, int, int, float, bool, int]:
    """Of one conversation, what had a day comes before “I'll put it in”."""
    upcoming = thread.due is not None and thread.due >= given.today
    stale = not upcoming and given.now - _touched(thread, given) >= _FRESH
    due = thread.due.toordinal() if upcoming and thread.due else 0
    kind = 0 if upcoming else _KINDS.index(thread.kind)
    touched = _touched(thread, given).timestamp()
    return (not thread.pinned, stale, not upcoming, due, kind, -touched, thread.due is None, -thread.id)


def _touched(thread: KnownThread, given: PromptInput) -> datetime:
    """Count what was said of it since, too."""
    touched = thread.touched_at or datetime.combine(thread.said_on, time(), given.zone)
    said = thread.follow_up
    return max(touched, datetime.combine(said.said_on, time(), given.zone)) if said else touched


def _item(thread: KnownThread, given: PromptInput) -> Item:
    text = " ".join([_said(thread, given), *_said_since(thread.follow_up, given)])
    label = ", ".join([thread.kind, formatting.short_date(thread.said_on), *_due(thread, given)])
    said = thread.follow_up
    since = (f"messages/{message_id(said.conversation_id, said.position)}",) if said else ()
    return Item(text, " ".join([f"open_threads/{thread.id}", *since]), label)


def _said_since(follow_up: KnownFollowUp | None, given: PromptInput) -> Iterator[str]:
    if follow_up is not None:
        said = beneath(_said(follow_up, given), follow_up.said_on)
        yield f"Later, {formatting.short_date(follow_up.said_on)}: {said}"


def _said(one: KnownThread | KnownFollowUp, given: PromptInput) -> str:
    return spoken.told(neutralise(one.text), one.said_by, spoken.user_name([one.conversation_id], given))


def _due(thread: KnownThread, given: PromptInput) -> Iterator[str]:
    """Leave out a date that its words say themselves, unless it is past."""
    if thread.due is None:
        return
    day = formatting.short_date(thread.due)
    if thread.due < given.today:
        yield f"was due {day}"
    elif not _says_when(thread, (day, formatting.full_date(thread.due))):
        yield f"due {day}"


def _says_when(thread: KnownThread, dates: tuple[str, ...]) -> bool:
    beside = is_quote(thread.text) and has_date_beside(thread.text)
    return beside or any(date in thread.text for date in dates)
