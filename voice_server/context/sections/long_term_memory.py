"""`[LONG-TERM MEMORY]`: the facts worth telling, then earlier conversations
(docs/explanation/prompt-stack.md, facts worth telling).

    pinned by hand → commitments with a near date, the nearest first → the rest by weight
    → earlier conversations, newest first: of each its summary or its best quotes, then what else was said

Facts outrank chat. Nothing is told here that [LAST TIME], [TODAY SO FAR] or [OPEN THREADS] tell. Facts all
fade alike, so their order does not change with the clock: only dates make a prompt stale.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import chain

from voice_server.context.layout import formatting
from voice_server.context.layout.budget import Content, Item, Section, sentences
from voice_server.context.layout.prompt_input import PromptInput, is_dated, once, telling, values
from voice_server.context.screening.hygiene import neutralise
from voice_server.context.sections import last_time, open_threads, spoken, today_so_far
from voice_server.context.sections.quotes import beneath, in_prose, in_words, is_name
from voice_server.context.sections.spoken import Line, joined
from voice_server.domain.agent import Limits
from voice_server.domain.digest import Speaker
from voice_server.domain.fact import Fact, Source
from voice_server.domain.memory import RememberedConversation
from voice_server.domain.quote import is_quote

NAME = "long_term_memory"
_NEAR = timedelta(days=14)
_HALF_LIFE = 365.0  # days
_WORTH_TELLING = 0.3  # importance from which a fact is told beyond the first few
_TOPICAL = 0.25  # at most, for being about what is on now; more would put small talk before what matters
_TELLING_LETTERS = 4
_TELLING = re.compile(rf"[^\W\d_]{{{_TELLING_LETTERS},}}|\d+")  # words that say something
_SIGNS = " .!?…,\"'”’»)"  # with which a clause ends
_FEWEST = 4
_FADES_DAYS = 3  # after which what only held for its day is told no more
_FIRST_QUOTES = 6  # of each conversation, before the rest of any
_GROUPS = {"user": "user_facts", "relationship": "episodes", "agent": "agent_events"}


def section(given: PromptInput) -> Section:
    facts, left_out = _chosen(given)

    def render(_variant: int, content: Content) -> str:
        if not content:
            return ""
        groups = {
            group: values([item for item in content.items if item.group == group])
            for group in _GROUPS.values()
        }
        return given.templates.render(NAME, {**groups, "earlier": _by_day(content.items)})

    items = (*facts, *_earlier(given, {item.text for item in facts}))
    return Section(NAME, render, (Content(items=items),), given.budget(NAME), left_out=left_out)


def _by_day(items: Sequence[Item]) -> list[dict[str, object]]:
    said = sorted((item for item in items if item.group not in _GROUPS.values()), key=lambda item: item.label)
    days = sorted({item.group for item in said}, reverse=True)
    return [_told_of(date.fromisoformat(day), [item for item in said if item.group == day]) for day in days]


def _told_of(day: date, said: Sequence[Item]) -> dict[str, object]:
    return {"date": formatting.short_date(day), "lines": joined(_line(item, day) for item in said)}


def _line(item: Item, day: date) -> Line:
    """Read the label of a quote, which says where it was said: `_place`."""
    talk, position, _ = item.label.rsplit(":", 2) if item.label else ("", "0", "")
    return Line(beneath(item.text, day), talk, int(position))


def changes_at(given: PromptInput) -> Iterator[datetime | None]:
    for fact in given.memory.facts:
        if fact.due:  # few have a date, and there are many
            yield given.begins(fact.due, after=-_NEAR.days)
            yield given.begins(fact.due, after=1)
        if fact.valid_from or fact.valid_to:
            yield given.begins(fact.valid_from)
            yield given.begins(fact.valid_to)
    # What [TODAY SO FAR] and [YESTERDAY] leave out from then on is told here.
    for day in today_so_far.told_on(given):
        yield given.begins(day, after=2)
    for conversation in given.memory.latest:
        if any(one.passing for one in conversation.key_moments):
            yield given.begins(_said_on(conversation, given), after=_FADES_DAYS + 1)


def _chosen(given: PromptInput) -> tuple[tuple[Item, ...], tuple[tuple[Item, str], ...]]:
    elsewhere, limits = _told_elsewhere(given), given.templates.agent.limits
    is_open = open_threads.repeats(given)
    known, is_said = set(elsewhere), _said_in(elsewhere)
    told: list[Item] = []
    left_out = list(_untellable(given))
    for fact, is_worth_it in _ranked(given):
        item = _item(fact, given)
        if not item.text:
            continue
        if item.text in known or is_open(fact.text) or is_said(item.text):
            left_out.append((item, "said already"))
        elif reason := _reason_against(len(told), limits, is_worth_it=is_worth_it):
            left_out.append((item, reason))
        else:
            told.append(item)
            known.add(item.text)
    return tuple(told), tuple(left_out)


def _untellable(given: PromptInput) -> Iterator[tuple[Item, str]]:
    return ((_item(fact, given), reason) for fact, reason in _judged(given) if reason)


def _reason_against(told: int, limits: Limits, *, is_worth_it: bool) -> str:
    if told >= limits.facts_max:
        return f"limits: {limits.facts_max} facts"
    if told >= limits.facts_min and not is_worth_it:
        return f"limits: beyond {limits.facts_min}, only what is worth telling"
    return ""


def _said_in(spoken: frozenset[str]) -> Callable[[str], bool]:
    """Return a check whether one sentence has all telling words of a fact's first clause; what follows a
    semicolon only adds to it."""
    all_of_them = "\n".join(spoken).lower()
    words_spoken = list[frozenset[str]]()

    def is_said(text: str) -> bool:
        clause = text.partition(";")[0].lower()
        last = clause.rstrip(_SIGNS).rpartition(" ")[2]
        tells = last.isdecimal() or (last.isalpha() and len(last) >= _TELLING_LETTERS)
        if tells and last not in all_of_them:
            return False  # most facts, for a fraction of what all their words cost
        if not words_spoken:
            words_spoken.extend(map(_words, spoken))
        words = _words(clause)
        return len(words) >= _FEWEST and any(words <= sentence for sentence in words_spoken)

    return is_said


def _words(text: str) -> frozenset[str]:
    return frozenset(_TELLING.findall(text.lower()))


@once
def _told_elsewhere(given: PromptInput) -> frozenset[str]:
    told: set[str] = set()
    if open_threads.NAME in given.order:
        told |= {item.text for item in open_threads.section(given).variants[0].items}
    if last_time.NAME in given.order:
        content = last_time.section(given).variants[0]
        told |= {sentence.strip() for sentence in sentences(content.prose)}
        told |= {item.text for item in content.items}
    if today_so_far.NAME in given.order:
        told |= {*today_so_far.quotes(given)}
    return frozenset(told)


def _earlier(given: PromptInput, facts: set[str]) -> tuple[Item, ...]:
    told = _told_elsewhere(given) | facts
    elsewhere = today_so_far.summed_up(given) if today_so_far.NAME in given.order else frozenset[int]()
    first, rest = list[Item](), list[Item]()
    for one in given.memory.latest:
        items = [
            item for item in _lines(one, given, summary=one.id not in elsewhere) if item.text not in told
        ]
        best = 1 if items and items[0].source.startswith("conversations/") else _FIRST_QUOTES
        first += items[:best]
        rest += items[best:]
    return telling((*first, *rest))


def _lines(conversation: RememberedConversation, given: PromptInput, *, summary: bool) -> Iterator[Item]:
    day, last = _said_on(conversation, given).isoformat(), last_time.conversation(given)
    is_told = last is not None and last.id == conversation.id and last_time.NAME in given.order
    if summary and not is_told and not conversation.is_quoted and not conversation.goes_on:
        yield Item(
            in_prose(conversation.summary, [conversation.id], given),
            f"conversations/{conversation.id}",
            _place(conversation, 0),
            day,
        )
    fading = (given.today - _said_on(conversation, given)).days > _FADES_DAYS
    is_open = open_threads.repeats(given)
    moments = list(enumerate(conversation.key_moments))
    for place, moment in sorted(moments, key=lambda one: (-one[1].weight, one[0])):
        fades = fading and moment.passing
        if moment.said_by and not (fades or is_name(moment.text, given.memory) or is_open(moment.text)):
            source = f"messages/{conversation.id}:{moment.position}"
            said = _place(conversation, moment.position, place)
            yield Item(in_words(moment, conversation.id, given), source, said, day)


def _place(conversation: RememberedConversation, position: int, place: int = 0) -> str:
    """Make a key that sorts the lines of a day in the order said, whatever order they came in."""
    return f"{conversation.started_at.isoformat()}:{position:06}:{place:04}"


def _place_of(fact: Fact, given: PromptInput) -> str:
    """Where a conversation's quotes are not known, its facts are numbered in the order said."""
    known = _latest(given)
    return max(
        (_place_in(source, fact, known.get(source.conversation_id)) for source in fact.sources), default=""
    )


@once
def _latest(given: PromptInput) -> Mapping[int, RememberedConversation]:
    return {one.id: one for one in given.memory.latest}


def _place_in(source: Source, fact: Fact, conversation: RememberedConversation | None) -> str:
    position = min(source.positions, default=0)
    if conversation is None:
        return f"{source.conversation_id:012}:{position:06}:{fact.id:012}"
    said = (place for place, moment in enumerate(conversation.key_moments) if moment.text == fact.text)
    return _place(conversation, position, next(said, 0))


def _said_on(conversation: RememberedConversation, given: PromptInput) -> date:
    return given.local_day(conversation.started_at)


def _ranked(given: PromptInput) -> list[tuple[Fact, bool]]:
    """Return the facts that may be told, each with whether it is worth more than its room."""
    facts = [fact for fact, reason in _judged(given) if not reason]
    relevance = _relevance(facts, frozenset(given.memory.topical_stems))
    weighed = [(fact, _importance(fact, relevant)) for fact, relevant in zip(facts, relevance, strict=True)]
    ranked = sorted(weighed, key=lambda one: _rank(one[0], one[1], given))
    return [
        (fact, fact.pinned or _is_near(fact, given) or importance >= _WORTH_TELLING)
        for fact, importance in ranked
    ]


@once
def _judged(given: PromptInput) -> list[tuple[Fact, str]]:
    """Return all facts, each with why it may never be told, or ""."""
    return [(fact, _why_never(fact, given)) for fact in given.memory.facts]


def _why_never(fact: Fact, given: PromptInput) -> str:
    """Superseded facts are told until the day on which the other takes over."""
    if fact.excluded or fact.flagged:
        return "excluded" if fact.excluded else "flagged"
    if is_quote(fact.text) and is_name(fact.text, given.memory):
        return "the caller's name"
    holds = fact.superseded_by is None if fact.valid_to is None else fact.valid_to > given.today
    return "" if holds else "superseded"


def _relevance(facts: Sequence[Fact], topical: frozenset[str]) -> list[float]:
    """Words that many facts have say little."""
    spoken = [frozenset(fact.stems) for fact in facts]
    frequencies = Counter(chain.from_iterable(spoken))
    weights = {stem: math.log(1 + len(facts) / times) for stem, times in frequencies.items()}

    def weight(stems: frozenset[str]) -> float:
        return math.fsum(map(weights.__getitem__, stems))  # exact, so that the order of a set does not matter

    shared = [(stems & topical, stems) for stems in spoken]
    return [weight(topics) / weight(stems) if topics else 0.0 for topics, stems in shared]


def _importance(fact: Fact, relevance: float) -> float:
    return fact.salience * fact.certainty + _TOPICAL * relevance + 0.1 * math.log2(max(1, fact.times))


def _rank(fact: Fact, importance: float, given: PromptInput) -> tuple[bool, bool, int, float, int]:
    near = _is_near(fact, given)
    due = fact.due.toordinal() if near and fact.due else 0
    weight = math.log2(importance + 0.01) + fact.last_said_on.toordinal() / _HALF_LIFE
    return (not fact.pinned, not near, due, -round(weight, 6), -fact.id)


def _is_near(fact: Fact, given: PromptInput) -> bool:
    return fact.due is not None and timedelta() <= fact.due - given.today <= _NEAR


def _item(fact: Fact, given: PromptInput) -> Item:
    text = neutralise(fact.text)
    speaker: Speaker = "agent" if fact.about == "agent" else "user"
    heard_in = (source.conversation_id for source in fact.sources)
    told = spoken.told(text, speaker, spoken.user_name(heard_in, given))
    if is_quote(text):
        return Item(told, f"facts/{fact.id}", _place_of(fact, given), fact.last_said_on.isoformat())
    label = ", ".join(filter(None, (_validity(fact, text, given), _due(fact, given))))
    return Item(told, f"facts/{fact.id}", label, _GROUPS[fact.about])


def _validity(fact: Fact, text: str, given: PromptInput) -> str:
    if fact.valid_from or fact.valid_to:
        return ", ".join(_bounds(fact, given))
    if is_dated(text):
        return ""
    return (
        f"said {formatting.short_date(fact.last_said_on)}"
        if fact.about == "user"
        else formatting.short_date(fact.said_on)
    )


def _bounds(fact: Fact, given: PromptInput) -> Iterator[str]:
    if fact.valid_from:
        began = "since" if fact.valid_from <= given.today else "from"
        yield f"{began} {formatting.month(fact.valid_from)}"
    if fact.valid_to:
        yield f"until {formatting.month(fact.valid_to)}"


def _due(fact: Fact, given: PromptInput) -> str:
    return f"due {formatting.short_date(fact.due)}" if fact.due and fact.due >= given.today else ""
