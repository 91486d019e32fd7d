"""What a model says it found, held against what was said: only what the transcript bears out stays.

Pure. A model may lie, or obey what a caller dictated to it. So of every item

- the messages it names were shown, and are not what the caller wants private;
- the names and numbers were said in these messages, or are those of the two who talk or of what was known;
  the days follow from these messages;
- what it tells of one person was not another's doing, nor said of another;
- what it tells as so was neither denied, nor left open, nor put together out of words that nobody said;
- a fact about the user rests on something the user said or took in;
- text that reads like an instruction, or rests on such, is flagged (facts) or dropped (everything else).

An item that does not hold falls alone; `GroundedFindings.left_out` says for which word.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date
from typing import TypeVar

from msgspec import Struct

from voice_server.context.screening.hygiene import is_suspicious, neutralise
from voice_server.digest.dates.dates import upcoming, with_dates, written
from voice_server.digest.grounding.chosen_times import unsettled
from voice_server.digest.grounding.day_evidence import DayEvidence, days_said, told_days, undated, without
from voice_server.digest.grounding.done import undone
from voice_server.digest.grounding.entities import EntityEvidence, said, words_of
from voice_server.digest.grounding.findings import (
    Closeness,
    Findings,
    FoundFact,
    FoundThought,
    Moment,
    OpenedThread,
)
from voice_server.digest.grounding.persons import Cast
from voice_server.digest.grounding.stance import opposed, stands, taken_back
from voice_server.digest.grounding.subjects import Parties, parties, subject, swapped_roles
from voice_server.digest.grounding.support import is_bare, unheard
from voice_server.digest.grounding.transcript import Line, Window, leaving_out
from voice_server.digest.grounding.vocabulary import plain, vocabulary
from voice_server.digest.language.languages import is_english, spoken_language
from voice_server.digest.language.sentences import split
from voice_server.domain.digest import KeyMoment, OpenThread, Speaker
from voice_server.domain.fact import Claim
from voice_server.domain.relationship import RelationshipDelta
from voice_server.domain.thought import NewThought

_MOST_MOMENTS, _MOST_THREADS, _MOST_CLAIMS, _MOST_THOUGHTS = 6, 8, 20, 3
_SUMMARY_SENTENCES, _SUMMARY_LENGTH = 3, 700
_TEXT_LENGTH, _TOPIC_LENGTH, _STATE_LENGTH = 300, 60, 80
_MOST_SOURCES = 12  # messages that one item names
_DELTA = 0.1
_DAYS = (1, 60)  # for which a thought is carried
_ANSWER = 5  # words of an answer that says nothing without its question
_ACKNOWLEDGEMENT = 4  # words of an agent's "Done, forgotten."
_NAME_LENGTH = 60
_WORD = re.compile(r"[^\W\d_]+")
_ORDINAL = re.compile(r"\b\d{1,2}\.$")
_ISO = re.compile(r"(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])")

_HARMFUL = "it reads like an instruction"

_AnyItem = TypeVar("_AnyItem", Moment, OpenedThread, FoundFact, FoundThought)
Place = tuple[str, int]  # of an item: its kind, and its number among these, from 1


class PriorKnowledge(Struct, frozen=True):
    """What the model was given beside the transcript, by label."""

    threads: Mapping[str, str] = {}
    facts: Mapping[str, str] = {}
    topics: Mapping[str, str] = {}
    caller: str = ""
    agent: str = ""


class Rejection(Struct, frozen=True):
    """An item that was not borne out; `number` is its place among its kind, from 1. `positions` are of the
    messages on which it rests; none of what reads like an instruction."""

    kind: str
    number: int
    reason: str
    positions: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind} {self.number} ({self.reason})"


class Statement(Struct, frozen=True):
    """An item of which only the wording is in question: its names, numbers and days were said. `instead` is
    the label of the known thread or fact whose place it takes."""

    place: Place
    text: str
    positions: tuple[int, ...] = ()
    instead: str = ""


class Review(Struct, frozen=True):
    """What somebody finds who reads statements beside the talk: which were said, and why others were not. Of
    the `untrue` ones, not even the words on which they rest say so."""

    upheld: frozenset[Place] = frozenset()
    refused: Mapping[Place, str] = {}
    untrue: frozenset[Place] = frozenset()


NO_REVIEW = Review()


class GroundedFindings(Struct, frozen=True):
    """`closed` are labels of known threads; `replaces` has the label for each of `opened` ("" for none);
    `private` are positions never to be shown again; `statements` is what a review is asked about."""

    summary: str = ""
    key_moments: tuple[KeyMoment, ...] = ()
    opened: tuple[OpenThread, ...] = ()
    closed: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    thoughts: tuple[NewThought, ...] = ()
    relationship: RelationshipDelta = RelationshipDelta()
    private: frozenset[int] = frozenset()
    language: str = ""
    caller_name: str = ""
    replaces: tuple[str, ...] = ()
    left_out: tuple[Rejection, ...] = ()
    statements: tuple[Statement, ...] = ()

    def not_kept(self, kind: str) -> frozenset[int]:
        """Return the positions on which rests what was left out of a kind."""
        return frozenset(position for one in self.left_out if one.kind == kind for position in one.positions)

    @property
    def is_empty(self) -> bool:
        found = (
            self.summary,
            self.key_moments,
            self.opened,
            self.closed,
            self.claims,
            self.thoughts,
            self.private,
        )
        return not any(found)


def ground(
    found: Findings,
    window: Window,
    known: PriorKnowledge,
    *,
    language: str = "",
    review: Review = NO_REVIEW,
) -> GroundedFindings:
    """Return what of a model's findings the lines it was shown bear out. `language` is what was spoken, ""
    when we cannot tell. The review, of the statements of the same findings, has the last word on these. Never
    raise on any findings."""
    private = _withheld(frozenset(found.private), window)
    shown = {line.position: line for line in leaving_out(window, private)}
    spoken = language or spoken_language((), _short(found.language, _TOPIC_LENGTH))
    judge = _Judge(shown, spoken, known, found.caller_name, review, hides=bool(private))
    return judge.judged(found, private)


def borne_out(texts: Sequence[str], lines: Window, *, language: str = "") -> list[str]:
    """Return the texts that these lines bear out, as they are kept; none that reads like an instruction."""
    if not lines:
        return []
    judge = _Judge({line.position: line for line in lines}, language, PriorKnowledge())
    there = judge.evidence(lines)
    held = (judge.told(_short(_clean(text), _TEXT_LENGTH), there) for text in texts)
    return [one.text for one in held if one.text and not one.reason and not is_suspicious(one.text)]


class _Evidence(Struct, frozen=True):
    lines: tuple[Line, ...]
    heard: tuple[Line, ...]
    words: EntityEvidence
    days: DayEvidence

    @property
    def on(self) -> date:
        return self.lines[0].said_on


class _CheckedText(Struct, frozen=True):
    """A text with its days in full, and why it is not borne out, "" if it is. `is_of_wording`: the reason is
    one of how it is worded, and not a name, number or day."""

    text: str
    reason: str = ""
    is_of_wording: bool = False


class _Judge:
    def __init__(
        self,
        lines: Mapping[int, Line],
        language: str,
        known: PriorKnowledge,
        caller: str = "",
        review: Review = NO_REVIEW,
        *,
        hides: bool = False,
    ) -> None:
        self._lines = lines
        self._language = language
        self._english = is_english(language)
        self._known = known
        self._caller = self._name(caller)
        self._names = (
            known.caller,
            known.agent,
            self._caller,
            *known.threads.values(),
            *known.facts.values(),
        )
        self._parties = self._called()
        self._elsewhere = words_of(line.text for line in lines.values())
        self._stands = stands(tuple(lines.values()), language)
        self._all_words = frozenset(one.word for said in self._stands.values() for one in said)
        self._cast = Cast(tuple(lines.values()), language, self._parties)
        self._review = review
        self._hides = hides
        self._left_out: list[Rejection] = []
        self._statements: list[Statement] = []
        self._all_days: DayEvidence | None = None

    def judged(self, found: Findings, private: frozenset[int]) -> GroundedFindings:
        opened = tuple(self._threads(found.opened))[:_MOST_THREADS]
        closed = (label for label in map(_label, found.closed) if label in self._known.threads)
        return GroundedFindings(
            summary=self._summary(found.summary),
            key_moments=tuple(self._moments(found.key_moments))[:_MOST_MOMENTS],
            opened=tuple(thread for thread, _ in opened),
            closed=tuple(dict.fromkeys(closed)),
            claims=tuple(self._claims(found.facts))[:_MOST_CLAIMS],
            thoughts=tuple(self._thoughts(found.thoughts))[:_MOST_THOUGHTS],
            relationship=self._delta(found.relationship),
            private=private,
            language=spoken_language((), _short(found.language, _TOPIC_LENGTH)) or self._language,
            caller_name=self._caller,
            replaces=tuple(label for _, label in opened),
            left_out=tuple(self._left_out),
            statements=tuple(self._statements),
        )

    def _called(self) -> Parties:
        return parties(self._language, self._caller or self._known.caller)

    def _name(self, text: str) -> str:
        """Drop a title that nobody said."""
        name = _short(_clean(text), _NAME_LENGTH)
        lines = list(self._lines.values())
        if not lines or is_suspicious(name):
            return ""
        there = said((line.text for line in lines), self._language, (self._known.caller,))
        return there.name_in(name)

    def _summary(self, text: str) -> str:
        lines = list(self._lines.values())
        if not lines:
            return ""
        there = self.evidence(lines)
        kept: list[str] = []
        for number, sentence in enumerate(_sentences(_clean(text)), 1):
            told = self.told(sentence, there, of_somebody=True)
            if is_suspicious(told.text):
                self._leave_out("sentence", number, _HARMFUL)
            elif reason := self._reviewed(("sentence", number), told):
                self._leave_out("sentence", number, reason)
            else:
                kept.append(told.text)
        return _short(" ".join(kept[:_SUMMARY_SENTENCES]), _SUMMARY_LENGTH)

    def _moments(self, found: Sequence[Moment]) -> Iterator[KeyMoment]:
        for _, lines, text in self._harmless("moment", found):
            yield KeyMoment(lines[0].said_at.astimezone(UTC), text, lines[0].position)

    def _threads(self, found: Sequence[OpenedThread]) -> Iterator[tuple[OpenThread, str]]:
        for thread, lines, text in self._harmless("thread", found):
            due = self._ahead(thread.due, lines) or self._upcoming(text, lines)
            said_by = self._said_by(thread, lines, text)
            opened = OpenThread(thread.kind, said_by, text, lines[0].said_on, _positions(lines), due)
            replaced = _label(thread.replaces)
            yield opened, replaced if replaced in self._known.threads else ""

    def _said_by(self, thread: OpenedThread, lines: Sequence[Line], text: str) -> Speaker:
        """Who makes a promise says it, also where the other asked for it first."""
        who = subject(text, self._language, self._parties) if thread.kind == "promise" else None
        return who if who and any(line.said_by == who for line in lines) else lines[0].said_by

    def _thoughts(self, found: Sequence[FoundThought]) -> Iterator[NewThought]:
        for thought, lines, text in self._harmless("thought", found):
            yield NewThought(text, _positions(lines), min(max(thought.days, _DAYS[0]), _DAYS[1]))

    def _claims(self, found: Sequence[FoundFact]) -> Iterator[Claim]:
        for number, fact, lines, text in self._grounded("fact", found):
            if fact.about == "user" and all(line.said_by != "user" for line in lines):
                self._leave_out("fact", number, "the caller said nothing of it")
                continue
            yield Claim(
                about=fact.about,
                text=undated(text, self._language),
                said_on=lines[0].said_on,
                positions=_positions(lines),
                topic=self._topic(fact.topic),
                certainty=_within(fact.certainty, 0.0, 1.0),
                salience=_within(fact.salience, 0.0, 1.0),
                valid_from=self._day(fact.valid_from, lines),
                due=self._day(fact.due, lines),
                supersedes=self._known.facts.get(_label(fact.supersedes), ""),
                flagged=_reads_like_instruction(text, lines),
            )

    def _harmless(self, kind: str, found: Sequence[_AnyItem]) -> Iterator[tuple[_AnyItem, list[Line], str]]:
        for number, item, lines, text in self._grounded(kind, found):
            if _reads_like_instruction(text, lines):
                self._leave_out(kind, number, _HARMFUL)
            else:
                yield item, lines, text

    def _grounded(
        self, kind: str, found: Sequence[_AnyItem]
    ) -> Iterator[tuple[int, _AnyItem, list[Line], str]]:
        for number, item in enumerate(found, 1):
            lines = self._named(item.messages)
            text = _short(_clean(item.text), _TEXT_LENGTH)
            if not lines or not text:
                self._leave_out(kind, number, "it names no message that was shown")
                continue
            replaced = self._replaced(item)
            there = self.evidence(lines, replaced)
            of_somebody = not isinstance(item, FoundThought)
            if isinstance(item, OpenedThread) and replaced:  # that says who promised
                of_somebody = False
            of_promise = isinstance(item, OpenedThread) and item.kind == "promise"
            of_state = isinstance(item, FoundFact)
            told = self.told(
                text,
                there,
                of_somebody=of_somebody,
                of_state=of_state,
                of_promise=of_promise,
                of_past=isinstance(item, Moment),
                of_plan=isinstance(item, OpenedThread),
                is_advice=isinstance(item, FoundThought),
            )
            passed_over = "" if told.reason else self._passed_over(item, told.text, there)
            if passed_over:
                told = _CheckedText(told.text, passed_over, is_of_wording=True)
            place = kind, number
            if reason := self._reviewed(place, told, lines, instead=_instead(item) if replaced else ""):
                # Of what is passed over or untrue, the quotes of its messages are not kept either.
                is_passed_over = passed_over or place in self._review.untrue
                is_quoted = not is_passed_over and not _reads_like_instruction(text, lines)
                self._leave_out(kind, number, reason, _positions(lines) if is_quoted else ())
            else:
                yield number, item, lines, told.text

    def _reviewed(
        self, place: Place, told: _CheckedText, lines: Sequence[Line] = (), *, instead: str = ""
    ) -> str:
        """Return why an item falls, "" if it stays. A thought says nothing that could have been said; a
        sentence of the summary may tell what is private, as it names no messages."""
        is_hard = told.reason and not told.is_of_wording
        is_hidden = place[0] == "thought" or (place[0] == "sentence" and self._hides)
        if is_hard or is_hidden or _reads_like_instruction(told.text, lines):
            return told.reason
        self._statements.append(Statement(place, told.text, _positions(lines), instead))
        if place in self._review.upheld:
            return ""
        return self._review.refused.get(place, told.reason)

    def _leave_out(self, kind: str, number: int, reason: str, positions: tuple[int, ...] = ()) -> None:
        self._left_out.append(Rejection(kind, number, reason, positions))

    def _replaced(self, item: Moment | OpenedThread | FoundFact | FoundThought) -> str:
        """Return what an item replaces: its words need not be said again."""
        known = self._known.threads if isinstance(item, OpenedThread) else self._known.facts
        return known.get(_instead(item), "")

    def _named(self, positions: Sequence[int]) -> list[Line]:
        wanted = sorted(set(positions))
        there = [self._lines[position] for position in wanted if position in self._lines]
        return there[:_MOST_SOURCES] if len(there) == len(wanted) else []

    def evidence(self, lines: Sequence[Line], replaced: str = "") -> _Evidence:
        """Gather what lines say, an answer with its question."""
        heard = self._with_questions(lines)
        texts = [line.text for line in heard]
        words = said([*texts, replaced] if replaced else texts, self._language, self._names, self._elsewhere)
        return _Evidence(tuple(lines), tuple(heard), words, self._days_said(heard))

    def _days_said(self, heard: Sequence[Line]) -> DayEvidence:
        """Take those of the conversation where the lines have none (“until then”)."""
        days = days_said(heard, self._language)
        if not days.is_silent:
            return days
        if self._all_days is None:
            self._all_days = days_said(tuple(self._lines.values()), self._language)
        return self._all_days

    def _with_questions(self, lines: Sequence[Line]) -> list[Line]:
        heard = {line.position: line for line in lines}
        for line in lines:
            before = self._lines.get(line.position - 1)
            if before and before.said_by != line.said_by and _belong_together(before, line):
                heard.setdefault(before.position, before)
        return list(heard.values())

    def told(
        self,
        text: str,
        there: _Evidence,
        *,
        of_somebody: bool = False,
        of_state: bool = False,
        of_promise: bool = False,
        of_past: bool = False,
        of_plan: bool = False,
        is_advice: bool = False,
    ) -> _CheckedText:
        """Tell whether a text is borne out. `of_somebody`: it tells what one of the two did; `of_state`: what
        somebody is or has; `of_past`: what they said or did; `of_plan`: what is to come; `is_advice`: it may
        begin with a request."""
        dated = self._in_full(text, there)
        folded = plain(dated)
        days = told_days(folded, there.on, self._language)
        if word := there.days.unsaid(folded, days):
            return _CheckedText(dated, f"the day {word!r} does not follow")
        named = without(dated, days) if len(dated) == len(folded) else dated
        if word := there.words.lacking(
            _as_advice(named, self._language) if is_advice else named,
            self._besides_names(without(folded, days)),
        ):
            return _CheckedText(dated, f"{word!r} was not said")
        if word := taken_back(without(folded, days), there.heard, self._language):
            return _CheckedText(dated, f"{word!r} was taken back", is_of_wording=True)
        if of_somebody and (verb := self._swapped_roles(dated, there, of_promise=of_promise)):
            return _CheckedText(dated, f"{verb!r} was the other's doing", is_of_wording=True)
        if of_somebody and (
            reason := self._otherwise(dated, there, of_state=of_state, of_past=of_past, of_plan=of_plan)
        ):
            return _CheckedText(dated, reason, is_of_wording=True)
        return _CheckedText(dated)

    def _besides_names(self, folded: str) -> str:
        """“Loredana Quaranta” is no forty."""
        names = self._parties.names
        return _WORD.sub(lambda word: "" if word[0] in names else word[0], folded)

    def _passed_over(self, item: object, text: str, there: _Evidence) -> str:
        if not isinstance(item, FoundThought) and undone(text, there.heard, self._language):
            return "it was not said to be done"
        if not isinstance(item, OpenedThread):
            return ""
        lines = tuple(self._lines.values())
        return (
            "the talk settles on another time" if unsettled(text, there.heard, lines, self._language) else ""
        )

    def _swapped_roles(self, text: str, there: _Evidence, *, of_promise: bool) -> str:
        return swapped_roles(text, there.lines, self._language, self._parties, of_promise=of_promise)

    def _otherwise(self, text: str, there: _Evidence, *, of_state: bool, of_past: bool, of_plan: bool) -> str:
        named = frozenset(line.position for line in there.lines)
        names = self._parties.names
        if word := opposed(text, there.heard, self._stands, self._language, names, named, of_plan=of_plan):
            return f"{word!r} was denied, or left open"
        if word := self._cast.mistaken(text, there.heard, of_state=of_state, of_past=of_past, named=named):
            return f"{word!r} was said of another"
        said = (one.word for line in there.heard for one in self._stands.get(line.position, ()))
        if word := unheard(
            text, said, self._all_words, self._language, self._parties.names, of_state=of_state
        ):
            return f"{word!r} and more was not said"
        persons, is_alone = self._cast.told_of(text)
        names = persons | self._parties.names
        if of_state and is_alone and (word := is_bare(text, self._all_words, self._language, names)):
            return f"{word!r} was not said"
        return ""

    def _in_full(self, text: str, there: _Evidence) -> str:
        """Write “2026-11-18” out, and a date behind a relative day that has none."""
        if not self._english:
            return text
        written_out = _ISO.sub(lambda day: written(d) if (d := _parsed(day.group())) else day.group(), text)
        if told_days(plain(written_out), there.on, self._language):
            return written_out
        dated = with_dates(written_out, there.on)
        added = told_days(plain(dated), there.on, self._language)
        return dated if all(there.days.agrees(day) for one in added for day in one.days) else written_out

    def _day(self, text: str, lines: Sequence[Line]) -> date | None:
        day = _parsed(text)
        return day if day and self._days_said(self._with_questions(lines)).agrees(day) else None

    def _ahead(self, text: str, lines: Sequence[Line]) -> date | None:
        day = self._day(text, lines)
        return day if day and day >= lines[0].said_on else None

    def _upcoming(self, text: str, lines: Sequence[Line]) -> date | None:
        on = lines[0].said_on
        days = told_days(plain(text), on, self._language)
        ahead = [
            day for one in days if len(one.days) == 1 and not one.is_month for day in one.days if day >= on
        ]
        if days:
            return min(ahead, default=None)
        return upcoming(text, on, self._language) if self._language else None

    def _topic(self, text: str) -> str:
        topic = _short(_clean(text), _TOPIC_LENGTH).casefold()
        return "" if is_suspicious(topic) else topic

    def _delta(self, found: Closeness) -> RelationshipDelta:
        return RelationshipDelta(
            score=_within(found.score, -_DELTA, _DELTA),
            emotional_state=self._state(found.emotional_state),
            conflict_state=self._state(found.conflict_state),
        )

    def _state(self, text: str) -> str:
        state = _short(_clean(text), _STATE_LENGTH)
        said_at_all = said((line.text for line in self._lines.values()), self._language, self._names)
        names_nobody = said_at_all.bears_out(state[:1].lower() + state[1:])
        return state if names_nobody and not is_suspicious(state) else ""


def _sentences(text: str) -> list[str]:
    """“Am 24. November” is one."""
    found: list[str] = []
    for part in split(text):
        if found and _ORDINAL.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def _as_advice(text: str, language: str) -> str:
    """“Frag Lena”: its first word is no name."""
    first, known = _WORD.match(text), vocabulary(language)
    begins = first is not None and known is not None and known.has("advice", plain(first[0]))
    return text[:1].lower() + text[1:] if begins else text


def _withheld(private: frozenset[int], window: Window) -> frozenset[int]:
    """Hide the agent's “Done, forgotten.”, too."""
    found = private & {line.position for line in window}
    answers = (line for line in window if line.position - 1 in found and line.said_by == "agent")
    return found | {
        line.position
        for line in answers
        if len(line.text.split()) <= _ACKNOWLEDGEMENT and "?" not in line.text
    }


def _belong_together(before: Line, line: Line) -> bool:
    return before.text.rstrip().endswith(("?", "？")) or len(line.text.split()) <= _ANSWER


def _reads_like_instruction(text: str, lines: Sequence[Line]) -> bool:
    return is_suspicious(text) or any(line.suspicious for line in lines)


def _parsed(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip()) if _ISO.fullmatch(text.strip()) else None
    except ValueError:
        return None


def _positions(lines: Sequence[Line]) -> tuple[int, ...]:
    return tuple(line.position for line in lines)


def _label(text: str) -> str:
    return text.strip(" []()#.").upper()[:_TOPIC_LENGTH]


def _clean(text: str) -> str:
    """Do not look at all of what is far longer than anything kept."""
    return neutralise(text[: 4 * _SUMMARY_LENGTH])


def _short(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high) if math.isfinite(value) else 0.0


def _instead(item: Moment | OpenedThread | FoundFact | FoundThought) -> str:
    """Return the label of what an item says that it takes the place of."""
    if isinstance(item, OpenedThread):
        return _label(item.replaces)
    return _label(item.supersedes) if isinstance(item, FoundFact) else ""
