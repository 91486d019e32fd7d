"""Which way the clause around a day looks.

“we met on Friday”                              past
“I'll be there on Friday”                       future
“she said the thing on Friday”, “on Fridays”    nobody knows
"""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from voice_server.digest.dates.date_language import DateLanguage, Direction

Way = Literal["past", "future", ""]
_SENTENCE_END = re.compile(
    r"(?<!\d)(?<!\bdr)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bst)(?<!\bsr)(?<!\bsra)(?<!\bprof)(?<!\bhr)(?<!\bca)\.(?!\d)|[!?…\n]"
)
_SPOKEN = re.compile(r"\w+")
_REACH = 300  # characters to either side: a long text takes time as it is long
_REMEMBERED = 512  # places: a sentence is asked from many sides which days it names


class Place(Struct, frozen=True):
    """Where a text names a day. `lead` is the kind of word that leads to it, up to `lead_end`: “since”,
    “target” (“for Friday”), “until”, “on”."""

    text: str
    start: int
    end: int
    lead: str
    lead_end: int


class _Clause(Struct, frozen=True):
    before: str
    lead: str  # the words that lead to the day
    clock: str  # the time of day that follows
    after: str

    @property
    def text(self) -> str:
        return f"{self.before}{self.lead} · {self.clock} {self.after}"

    @property
    def is_bare(self) -> bool:
        return not self.before.strip() and not self.after.strip(" .")


@lru_cache(maxsize=_REMEMBERED)
def direction_of(place: Place, words: DateLanguage) -> Way:
    cues, clause = words.direction, _clause(place, words)
    text = clause.text
    if cues.doubt.are_in(text):
        return ""
    is_past, is_future = _is_past(clause, words), _is_future(text, cues)
    if place.lead == "since" or cues.since.are_in(clause.before):
        return "" if (is_future or clause.is_bare) and words.file.since_may_be_from else "past"
    if place.lead == "target":
        return "" if cues.state.are_in(text) else "future"
    if clause.clock and cues.arranged.are_in(text):
        return "" if cues.state.are_in(text) else "future"
    return _told(place, clause, cues, is_past=is_past, is_future=is_future)


def clause_around(place: Place, words: DateLanguage) -> str:
    """Return the clause that a day stands in, with “·” for the day."""
    return _clause(place, words).text


def _told(place: Place, clause: _Clause, cues: Direction, *, is_past: bool, is_future: bool) -> Way:
    if place.lead == "until":
        return "" if is_past else "future"
    if cues.appointment.are_in(clause.text):
        return "" if is_past else "future"
    if is_past == is_future:
        return ""
    return "past" if is_past else "future"


def _is_past(clause: _Clause, words: DateLanguage) -> bool:
    """Tell whether the verb of the day is: not that of what is said before it without a mark (“it was a
    mistake I refund you in December”), nor one with its own day (“I went yesterday Thursday she plays”)."""
    cues = words.direction
    if not looks_back(clause.text, cues):
        return False
    subjects = [match.start() for match in cues.subject.finditer(clause.before)]
    told = (
        start
        for start in reversed(subjects)
        if _is_told_before(clause.before[:start], cues, has_subject=start > subjects[0])
    )
    own = max(next(told, 0), _end_of_another_day(clause.before, words))
    return looks_back(clause.text[own:], cues)


def _end_of_another_day(before: str, words: DateLanguage) -> int:
    """Return where a verb of the past ends that has a day of its own, 0 for none: “we went yesterday”, “wir
    haben gestern eingekauft”, not “today I'm fine I fell”."""
    cues, day = words.direction, max((found.end() for found in words.near_days(before)), default=0)
    ends = (day, *(word.end() for word in _SPOKEN.finditer(before, day))) if day else ()
    told = next((one for one in ends if looks_back(before[:one], cues)), 0)
    return 0 if looks_back(before[day:told], cues) else told


def _is_told_before(text: str, cues: Direction, *, has_subject: bool) -> bool:
    """Tell whether there is a verb of the past: as the last word it may be the next subject's (“then was I
    …”), unless it has its own (“das hab ich vergessen ich …”)."""
    told, _, _ = text.rstrip().rpartition(" ")
    return looks_back(text if has_subject else told, cues)


def looks_back(text: str, cues: Direction) -> bool:
    """Tell whether a text in small letters has a verb of the past."""
    return cues.past.are_in(cues.not_past.sub("·", text))


def _is_future(text: str, cues: Direction) -> bool:
    return cues.future.are_in(cues.not_future.sub("·", text))


@lru_cache(maxsize=_REMEMBERED)
def _clause(place: Place, words: DateLanguage) -> _Clause:
    """“In March, …” belongs to what it leads into; “…, in March” to what stands before, when a word leads to
    it."""
    start, end = _sentence(place)
    clock = words.clock.match(place.text, place.end, end)
    told_to = clock.end() if clock else place.end
    ends = [match.span() for match in words.direction.clause_end.finditer(place.text, start, end)]
    begins = [start, *(e for _, e in ends if e <= place.start)]
    stops = [*(s for s, _ in ends if s >= told_to), end]

    lead = place.text[place.start : place.lead_end]

    def clause(begin: int, stop: int) -> _Clause:
        before, after = place.text[begin : place.start], place.text[told_to:stop]
        return _Clause(before, lead, clock[0] if clock else "", after)

    own = clause(begins[-1], stops[0])
    if not own.is_bare:
        return own
    if len(begins) == 1:
        return clause(start, (*stops, end)[1])
    may_go_on = place.lead == "since" and words.file.since_may_be_from  # “Vale, desde diciembre.”
    return clause(begins[-2], stops[0]) if place.lead and not may_go_on else own


def _sentence(place: Place) -> tuple[int, int]:
    first, last = max(0, place.start - _REACH), min(len(place.text), place.end + _REACH)
    before = [match.end() for match in _SENTENCE_END.finditer(place.text, first, place.start)]
    after = _SENTENCE_END.search(place.text, place.end, last)
    return (before[-1] if before else first), (after.start() if after else last)
