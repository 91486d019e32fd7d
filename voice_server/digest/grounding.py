"""What a model says it found, held against what was said: only what the transcript bears out stays.

Pure. A model may lie, or obey what a caller dictated to it. So of every item

- the messages it names were in the transcript, and what the caller wants private is not among them;
- the names and numbers were said in these messages, and the days follow from them;
- a fact about the user rests on something the user said;
- text that reads like an instruction, or rests on such, is flagged (facts) or dropped (everything else).
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, timedelta
from typing import TypeVar

from msgspec import Struct

from voice_server.context.hygiene import is_suspicious, neutralise
from voice_server.digest.dates import (
    SpokenDate,
    possible_days,
    spoken_dates,
    upcoming,
    with_dates,
    without_dates,
    written,
)
from voice_server.digest.findings import Closeness, Findings, FoundFact, FoundThought, Moment, OpenedThread
from voice_server.digest.languages import is_english, spoken_language
from voice_server.digest.names import Said, said
from voice_server.digest.sentences import split
from voice_server.digest.transcript import Line, Window
from voice_server.domain.digest import KeyMoment, OpenThread
from voice_server.domain.fact import Claim
from voice_server.domain.relationship import RelationshipDelta
from voice_server.domain.thought import NewThought

_MOST_MOMENTS, _MOST_THREADS, _MOST_CLAIMS, _MOST_THOUGHTS = 6, 8, 20, 3
_SUMMARY_SENTENCES, _SUMMARY_LENGTH = 3, 700
_TEXT_LENGTH, _TOPIC_LENGTH, _STATE_LENGTH = 300, 60, 80
_MOST_SOURCES = 12  # messages that one item names
_DELTA = 0.1
_DAYS = (1, 60)  # for which a thought is carried
_HORIZON = timedelta(days=366)  # of days that we cannot resolve ourselves
_MEASURES = ("score", "intimacy", "passion", "trust", "secureness")
_ISO = re.compile(r"(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

_AnyItem = TypeVar("_AnyItem", Moment, OpenedThread, FoundFact, FoundThought)
_Span = tuple[date, date]


class Known(Struct, frozen=True):
    """What the model was given beside the transcript: open threads and facts, their texts by label."""

    threads: Mapping[str, str] = {}
    facts: Mapping[str, str] = {}


class Grounded(Struct, frozen=True):
    """What stays. `closed` are labels of known threads, `private` positions never to be shown again."""

    summary: str = ""
    key_moments: tuple[KeyMoment, ...] = ()
    opened: tuple[OpenThread, ...] = ()
    closed: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    thoughts: tuple[NewThought, ...] = ()
    relationship: RelationshipDelta = RelationshipDelta()
    private: frozenset[int] = frozenset()
    language: str = ""


def ground(found: Findings, window: Window, known: Known, *, language: str = "") -> Grounded:
    """What of a model's findings the lines it was shown bear out. `language` is what was spoken, "" when we
    cannot tell. Never raises on any findings."""
    private = frozenset(found.private) & {line.position for line in window}
    shown = {line.position: line for line in window if line.position not in private}
    return _Judge(shown, language).judged(found, known, private)


def borne_out(texts: Sequence[str], lines: Window, *, language: str = "") -> list[str]:
    """Those of a model's texts that these lines bear out, as they are kept; none that reads like an instruction."""
    if not lines:
        return []
    judge = _Judge({line.position: line for line in lines}, language)
    there = said((line.text for line in lines), language)
    held = (judge.told(_short(_clean(text), _TEXT_LENGTH), lines, there) for text in texts)
    return [text for text in held if text and not is_suspicious(text)]


class _Judge:
    """Holds findings against the lines of one window."""

    def __init__(self, lines: Mapping[int, Line], language: str) -> None:
        self._lines = lines
        self._language = language
        self._english = is_english(language)

    def judged(self, found: Findings, known: Known, private: frozenset[int]) -> Grounded:
        """What stays of the findings."""
        return Grounded(
            summary=self._summary(found.summary),
            key_moments=tuple(self._moments(found.key_moments))[:_MOST_MOMENTS],
            opened=tuple(self._threads(found.opened))[:_MOST_THREADS],
            closed=tuple(
                dict.fromkeys(label for label in map(_label, found.closed) if label in known.threads)
            ),
            claims=tuple(self._claims(found.facts, known))[:_MOST_CLAIMS],
            thoughts=tuple(self._thoughts(found.thoughts))[:_MOST_THOUGHTS],
            relationship=self._delta(found.relationship),
            private=private,
            language=spoken_language((), _short(found.language, _TOPIC_LENGTH)) or self._language,
        )

    def _summary(self, text: str) -> str:
        """Its sentences that hold, three at most."""
        lines = list(self._lines.values())
        if not lines:
            return ""
        there = self._said(lines)
        sentences = [self.told(sentence, lines, there) for sentence in split(_clean(text))]
        return _short(
            " ".join([s for s in sentences if s and not is_suspicious(s)][:_SUMMARY_SENTENCES]),
            _SUMMARY_LENGTH,
        )

    def _moments(self, found: Sequence[Moment]) -> Iterator[KeyMoment]:
        for _, lines, text in self._harmless(found):
            yield KeyMoment(lines[0].said_at.astimezone(UTC), text, lines[0].position)

    def _threads(self, found: Sequence[OpenedThread]) -> Iterator[OpenThread]:
        for thread, lines, text in self._harmless(found):
            due = self._ahead(thread.due, lines) or upcoming(text, lines[0].said_on)
            yield OpenThread(thread.kind, lines[0].said_by, text, lines[0].said_on, _positions(lines), due)

    def _thoughts(self, found: Sequence[FoundThought]) -> Iterator[NewThought]:
        for thought, lines, text in self._harmless(found):
            yield NewThought(text, _positions(lines), min(max(thought.days, _DAYS[0]), _DAYS[1]))

    def _claims(self, found: Sequence[FoundFact], known: Known) -> Iterator[Claim]:
        for fact, lines, text in self._grounded(found):
            if fact.about == "user" and all(line.said_by != "user" for line in lines):
                continue
            yield Claim(
                about=fact.about,
                text=text,
                said_on=lines[0].said_on,
                positions=_positions(lines),
                topic=self._topic(fact.topic),
                certainty=_within(fact.certainty, 0, 1),
                salience=_within(fact.salience, 0, 1),
                valid_from=self._day(fact.valid_from, lines),
                due=self._ahead(fact.due, lines),
                supersedes=known.facts.get(_label(fact.supersedes), ""),
                flagged=_reads_like_instruction(text, lines),
            )

    def _harmless(self, found: Sequence[_AnyItem]) -> Iterator[tuple[_AnyItem, list[Line], str]]:
        for item, lines, text in self._grounded(found):
            if not _reads_like_instruction(text, lines):
                yield item, lines, text

    def _grounded(self, found: Sequence[_AnyItem]) -> Iterator[tuple[_AnyItem, list[Line], str]]:
        """The items that hold, with the lines they rest on and their text as it is kept."""
        for item in found:
            lines = self._named(item.messages)
            text = _short(_clean(item.text), _TEXT_LENGTH)
            if lines and (told := self.told(text, lines, self._said(lines))):
                yield item, lines, told

    def _named(self, positions: Sequence[int]) -> list[Line]:
        """The lines an item names; none when it names one that is not there."""
        wanted = sorted(set(positions))
        there = [self._lines[position] for position in wanted if position in self._lines]
        return there[:_MOST_SOURCES] if len(there) == len(wanted) else []

    def told(self, text: str, lines: Sequence[Line], there: Said) -> str:
        """A text with its days in full, or "" when it says what the lines do not, `there` being what they say."""
        on = lines[0].said_on
        dated = self._in_full(text, on)
        plain = _ISO.sub(" ", without_dates(dated, on))
        days = [*spoken_dates(dated, on), *_iso_days(dated)]
        holds = all(self._follows(day.first, day.last, lines) for day in days)
        return dated if holds and there.bears_out(plain) else ""

    def _in_full(self, text: str, on: date) -> str:
        """In English "2026-11-18" is written out, and a relative day gets its date when it has none."""
        if not self._english:
            return text
        written_out = _ISO.sub(lambda day: written(d) if (d := _parsed(day.group())) else day.group(), text)
        has_date = any(not day.written for day in spoken_dates(written_out, on))
        return written_out if has_date else with_dates(written_out, on)

    def _said(self, lines: Sequence[Line]) -> Said:
        return said((line.text for line in lines), self._language)

    def _follows(self, first: date, last: date, lines: Sequence[Line]) -> bool:
        """Whether a day is one on which the lines were said, or of which they speak. Outside English we do not
        understand how days are spoken of: there every day within a year is believed."""
        if any(first <= end and last >= start for line in lines for start, end in _spans(line)):
            return True
        return not self._english and any(abs(first - line.said_on) <= _HORIZON for line in lines)

    def _day(self, text: str, lines: Sequence[Line]) -> date | None:
        day = _parsed(text)
        return day if day and self._follows(day, day, lines) else None

    def _ahead(self, text: str, lines: Sequence[Line]) -> date | None:
        day = self._day(text, lines)
        return day if day and day >= lines[0].said_on else None

    def _topic(self, text: str) -> str:
        topic = _short(_clean(text), _TOPIC_LENGTH).casefold()
        return "" if is_suspicious(topic) else topic

    def _delta(self, found: Closeness) -> RelationshipDelta:
        values = {name: _within(getattr(found, name), -_DELTA, _DELTA) for name in _MEASURES}
        return RelationshipDelta(
            **values,
            emotional_state=self._state(found.emotional_state),
            conflict_state=self._state(found.conflict_state),
        )

    def _state(self, text: str) -> str:
        """A few words that name nobody who was not named."""
        state = _short(_clean(text), _STATE_LENGTH)
        said_at_all = self._said(list(self._lines.values()))
        return (
            state if not is_suspicious(state) and said_at_all.bears_out(state[:1].lower() + state[1:]) else ""
        )


def _reads_like_instruction(text: str, lines: Sequence[Line]) -> bool:
    return is_suspicious(text) or any(line.suspicious for line in lines)


def _spans(line: Line) -> Iterator[_Span]:
    """The days a line speaks of, its own among them; a bare year is all of its days."""
    yield line.said_on, line.said_on
    yield from possible_days(line.text, line.said_on)
    for year in _YEAR.findall(without_dates(line.text, line.said_on)):
        yield date(int(year), 1, 1), date(int(year), 12, 31)


def _iso_days(text: str) -> list[SpokenDate]:
    found = ((match, _parsed(match.group())) for match in _ISO.finditer(text))
    return [SpokenDate(match.start(), match.end(), day, day, "") for match, day in found if day]


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
    """Fit to be stored and shown. What is far longer than anything kept is not looked at whole."""
    return neutralise(text[: 4 * _SUMMARY_LENGTH])


def _short(text: str, length: int) -> str:
    """Cut at a word's end and marked, when it is longer."""
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high) if math.isfinite(value) else 0.0
