"""Days that people speak of, in seven languages: "tomorrow", "am Freitag", "el 3 de mayo", "il y a trois
jours".

Everything is resolved against the local day on which it was said, and only what is certain: a day that could
be another one, or of another year, is not found. What looks ahead and what looks back shows in the clause it
stands in. The languages are data: see `date_language`.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from voice_server.digest.dates.date_direction import Place, Way, clause_around, direction_of
from voice_server.digest.dates.date_language import DateLanguage, Expression, Tense, date_language, tokens
from voice_server.digest.dates.date_readings import DateParts, Reading, readings, written
from voice_server.digest.language.calendar_names import fold, small

__all__ = [
    "NamedDay", "SpokenDate", "in_full", "is_over", "named_days", "named_weeks", "names_a_day",
    "possible_days", "spoken_dates", "undated", "upcoming", "with_dates", "without_dates", "written",
]  # fmt: skip

_ADDED = re.compile(r" \((?:[\w ]+ )?(?:19|20)\d\d\)")
_LAST_WORD = re.compile(r"[\w']+(?=\s*$)")
_DETERMINERS = frozenset("the a an my our your his her their this that these those each every".split())
_PREPOSITIONS = frozenset(
    "on by for until till before from since in of at after during over around to between than about".split()
)
_PREPOSITION_OF = re.compile(r"(?:on|by|for|until|till|before|from|to|since)\s+", re.IGNORECASE)
_PART_OF_DAY = re.compile(r"\b(?:morning|afternoon|evening|night)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\s+(?:morning|afternoon|evening|night)\b")
_REMEMBERED = 512  # texts: a sentence is asked from many sides which days it names
_REACH = 300  # characters to either side in which a birthday is spoken of
_YEARLY = frozenset(("date", "date span", "numeric date", "number", "number span", "month"))
_NUMBERED = frozenset(("number", "number span"))
_OF_UNITS = frozenset(("unit", "away"))
_OF_SOME_WEEK = frozenset(("weekday", "next weekday"))
_SAY_WHICH = frozenset(
    ("day", "weekday in week", "coming weekday", "weekday and number", "date", "numeric date", "number")
)
_WITH_WEEKDAY = frozenset(("weekday and number", "date"))
_LONGEST_CORRECTION = 60  # characters between a day and the one that takes its place


class SpokenDate(Struct, frozen=True):
    """`start` and `end` are offsets into the text; `first` and `last` the days meant (the same for one
    day); `written` is the absolute date to put beside it, "" when the words are absolute already."""

    start: int
    end: int
    first: date
    last: date
    written: str


class NamedDay(Struct, frozen=True):
    """A day to come that was named before so that it can be no other: "Thursday the 26th". `near`: just now,
    so that "Thursday" is that one; else it may be."""

    day: date
    near: bool = True


@lru_cache(maxsize=_REMEMBERED)
def spoken_dates(
    text: str,
    said: date,
    language: str = "en",
    week: date | None = None,
    days: tuple[NamedDay, ...] = (),
) -> tuple[SpokenDate, ...]:
    """The days surely named, in order and not overlapping; `said` is when, `language` a BCP 47 tag, `week`
    the Monday of a coming week that was spoken of before: "Thursday" may be that week's, too. `days` are
    those that were named before, the latest last: "Thursday" may be "Thursday the 26th". A day that is taken
    back ("on Monday, no, on Tuesday") is none."""
    found, known = list[SpokenDate](), list(days)
    mentions = _mentions(text, language)
    followed = pairwise((*mentions, None))
    before: _Mention | None = None
    for (mention, there), (_, after) in zip(_with_weeks(mentions, said, week), followed, strict=True):
        meant = mention.certain(said, there, known, before)
        withdrawn = mention.is_withdrawn(after)
        before = (before or mention) if withdrawn else None
        if meant and not withdrawn:
            found.append(SpokenDate(mention.start, mention.end, meant.first, meant.last, meant.written))
        if (named := mention.named(said)) and not withdrawn:
            known.append(NamedDay(named))
    return tuple(found)


def named_days(text: str, said: date, language: str = "en") -> list[date]:
    """The days to come that a text names so that they can be no others: “Thursday the 26th”."""
    return [day for mention in _mentions(text, language) if (day := mention.named(said))]


def possible_days(
    text: str, said: date, language: str = "en", week: date | None = None
) -> list[tuple[date, date]]:
    """The first and last days of all that a text may mean, certain or not: "next Friday" is two of them."""
    mentions = _with_weeks(_mentions(text, language), said, week)
    return [(one.first, one.last) for mention, there in mentions for one in mention.readings(said, there)]


def named_weeks(text: str, said: date, language: str = "en") -> list[date]:
    """The Mondays of the weeks a text names: of "this week", "next week", "in two weeks"."""
    return [week for mention in _mentions(text, language) if (week := mention.week(said))]


def _with_weeks(
    mentions: "Sequence[_Mention]", said: date, week: date | None
) -> "Iterator[tuple[_Mention, date | None]]":
    """Each with the coming week that is spoken of there."""
    for mention in mentions:
        yield mention, week
        named = mention.week(said)
        week = (named if named > said else None) if named else week


def names_a_day(text: str, language: str = "en") -> bool:
    """Whether a text says when, even if it is not certain which day that was."""
    return bool(_mentions(text, language))


def with_dates(
    text: str,
    said: date,
    language: str = "en",
    week: date | None = None,
    days: tuple[NamedDay, ...] = (),
    *,
    today: bool = True,
) -> str:
    """“Tomorrow (18 November 2026)”; behind "today" only if `today`, for where the day itself stands
    beside it."""
    pieces, done, added = [], 0, set[str]()
    for day in spoken_dates(text, said, language, week, days):
        is_told = today or not day.first == day.last == said
        if is_told and day.written and day.written not in added:
            pieces += [text[done : day.end], f" ({day.written})"]
            done = day.end
            added.add(day.written)
    return "".join([*pieces, text[done:]])


def in_full(text: str, said: date) -> str:
    """“I leave tomorrow” is “I leave on 18 November 2026”. Where that would not surely be grammar, the
    date stands behind: “my last week (week of 9 November 2026)”."""
    pieces, done = [], 0
    for day in spoken_dates(text, said):
        if day.written:
            pieces += [text[done : day.start], _in_full(text, day)]
            done = day.end
    full = "".join([*pieces, text[done:]])
    return full[:1].upper() + full[1:]


def _in_full(text: str, day: SpokenDate) -> str:
    words = text[day.start : day.end]
    before, after = _LAST_WORD.search(text[: day.start]), text[day.end :]
    previous = before[0].lower() if before else ""
    if after.startswith("'"):
        return day.written
    if previous in _DETERMINERS or _GOES_ON.match(after):
        return f"{words} ({day.written})"
    preposition, part = _PREPOSITION_OF.match(words), _PART_OF_DAY.search(words)
    if preposition or previous in _PREPOSITIONS:
        start = preposition[0] if preposition else ""
    elif day.written.startswith(("by ", "around ")):
        start = ""
    else:
        start = (
            "on "
            if day.first == day.last or " to " in day.written
            else "in the "
            if day.written.startswith("week")
            else "in "
        )
    return f"{start}the {part[0].lower()} of {day.written}" if part else f"{start}{day.written}"


def undated(text: str) -> str:
    """The text without the dates that `with_dates` put into it."""
    return _ADDED.sub("", text)


def without_dates(text: str, said: date, language: str = "en") -> str:
    """The text without the days it surely names."""
    pieces, done = [], 0
    for day in spoken_dates(text, said, language):
        pieces.append(text[done : day.start])
        done = day.end
    return "".join([*pieces, text[done:]])


def upcoming(
    text: str,
    said: date,
    language: str = "en",
    week: date | None = None,
    days: tuple[NamedDay, ...] = (),
) -> date | None:
    """The first day named that is not over yet: where a span is meant, its first day still to come."""
    named = spoken_dates(text, said, language, week, days)
    ahead = [max(day.first, said) for day in named if day.last >= said]
    return ahead[0] if ahead else None


def is_over(text: str, said: date, language: str = "en") -> bool:
    """Whether a day named in the text lies before the day on which it was said."""
    return any(day.last < said for day in spoken_dates(text, said, language))


class _Mention(Struct, frozen=True):
    """A place of a text that names a day. `text` is in small letters, with its accents."""

    text: str
    match: re.Match[str]
    expression: Expression
    words: DateLanguage

    @property
    def start(self) -> int:
        return self.match.start()

    @property
    def end(self) -> int:
        return self.match.end()

    def week(self, said: date) -> date | None:
        """The Monday of the week it names: "next week", "in two weeks"."""
        if self.expression.kind not in _OF_UNITS or self._parts.unit != "week":
            return None
        return next((one.first - timedelta(days=one.first.weekday()) for one in self.readings(said)), None)

    def named(self, said: date) -> date | None:
        """The day to come that it names so that it can be no other."""
        if self.expression.kind not in _SAY_WHICH:
            return None
        found = self.readings(said)
        if not (self.expression.kind in _WITH_WEEKDAY and self._parts.weekday is not None):
            sure = self.certain(said)
            found = [sure] if sure else []
        ahead = [one.first for one in found if one.first == one.last >= said]
        return ahead[0] if len(ahead) == 1 else None

    def is_withdrawn(self, after: "_Mention | None") -> bool:
        """Whether another day takes its place: “on Monday, no, on Tuesday”."""
        if after is None or after.start - self.end > _LONGEST_CORRECTION or after.match[0] == self.match[0]:
            return False
        return self.words.takes_back.search(self.text, self.end, after.start) is not None

    def readings(self, said: date, week: date | None = None) -> list[Reading]:
        """All that it may mean; where a coming week is spoken of, also that week's weekday."""
        if self._has_no_year and self.words.birthday.search(self.text, *self._around):
            return []
        if self.expression.kind in _NUMBERED and self.words.counted.search(self._clause):
            return []
        found = readings(self.expression.kind, self._parts, said)
        if week and self.expression.kind in _OF_SOME_WEEK and self._parts.weekday is not None:
            day = week + timedelta(days=self._parts.weekday)
            found = list(dict.fromkeys((*found, Reading(day, day, written(day)))))
        return found

    def certain(
        self,
        said: date,
        week: date | None = None,
        days: Sequence[NamedDay] = (),
        instead_of: "_Mention | None" = None,
    ) -> Reading | None:
        """The one day it surely means; one that stands in the place of another looks to where that did."""
        found = self._as_named(self.readings(said, week), said, days)
        if not found or not found[0].written:  # nothing to be told, or absolute
            return found[0] if found else None
        tense = self._tense
        if self.expression.kind in _NUMBERED and self.words.chosen.search(self._clause):
            return None
        way = direction_of(self._place, self.words) if tense != "any" else ""
        if not way and instead_of is not None:
            way = direction_of(instead_of._place, self.words)  # noqa: SLF001 (of the same class)
        meant = [one for one in found if _agrees(one, said, tense, way)]
        return meant[0] if len(meant) == 1 else None

    def _as_named(self, found: list[Reading], said: date, days: Sequence[NamedDay]) -> list[Reading]:
        """The readings of a bare weekday, where that of a day to come is the one named before."""
        if self.expression.kind != "weekday":
            return found
        weekday = self._parts.weekday
        of_it = [one for one in days if one.day.weekday() == weekday and one.day >= said]
        if not of_it:
            return found
        named, near = of_it[-1].day, of_it[-1].near
        rest = [one for one in found if one.last < said or not near]
        return list(dict.fromkeys((*rest, Reading(named, named, written(named)))))

    @property
    def _parts(self) -> DateParts:
        return _parts(self.match, self.expression, self.words)

    @property
    def _around(self) -> tuple[int, int]:
        return max(0, self.start - _REACH), self.end + _REACH

    @property
    def _clause(self) -> str:
        return clause_around(self._place, self.words)

    @property
    def _has_no_year(self) -> bool:
        return self.expression.kind in _YEARLY and not self._group("year")

    @property
    def _tense(self) -> Tense:
        has_year = self._group("next_year") or self._group("last_year")
        return "any" if has_year else self.expression.asks

    @property
    def _place(self) -> Place:
        names = ("since", "target", "until", "on")
        lead = next((name for name in names if self._group(name)), "")
        return Place(self.text, self.start, self.end, lead, self.match.end(lead) if lead else self.start)

    def _group(self, name: str) -> str:
        return _group(self.match, name)


def _agrees(reading: Reading, said: date, tense: Tense, way: Way) -> bool:
    """Whether the clause looks to where the reading lies, as far as that matters."""
    if tense in {"any", "unsure"}:
        return tense == "any"
    if way == "past":
        return tense != "not past" and reading.first <= said
    return reading.last >= said if way == "future" else tense != "needed"


@lru_cache(maxsize=_REMEMBERED)
def _mentions(text: str, language: str) -> tuple[_Mention, ...]:
    words = date_language(language)
    return tuple(_mentioned(text, words)) if words else ()


def _mentioned(text: str, words: DateLanguage) -> Iterator[_Mention]:
    """The places that name a day, in order; of those that overlap the first, and of these the longest."""
    folded = fold(text)
    said = tokens(folded)
    if words.hints.isdisjoint(said):
        return
    low, done = small(text), 0
    found = sorted(
        _matches(words.encoded(folded), said, words), key=lambda one: (one[0].start(), -one[0].end())
    )
    for match, expression in found:
        if match.start() >= done:
            done = match.end()  # "Sunday the 5th" that is no Sunday is not some other Sunday either
            yield _Mention(low, match, expression, words)


def _matches(
    encoded: str, said: frozenset[str], words: DateLanguage
) -> Iterator[tuple[re.Match[str], Expression]]:
    for compiled in words.expressions:
        if not compiled.anchors.isdisjoint(said):
            for pattern in compiled.patterns:
                for match in pattern.finditer(encoded):
                    yield match, compiled.expression


def _parts(match: re.Match[str], expression: Expression, words: DateLanguage) -> DateParts:
    weekday, month, day = (_group(match, name) for name in ("weekday", "month", "day"))
    first, first_month = (_group(match, name) for name in ("first", "first_month"))
    number, unit, year = (_group(match, name) for name in ("number", "unit", "year"))
    years = 1 if _group(match, "next_year") else -1 if _group(match, "last_year") else None
    return DateParts(
        weekday=words.weekday(weekday) if weekday else None,
        month=words.month(month) if month else int(_group(match, "month_number") or 0),
        day=words.day(day) if day else 0,
        first=words.day(first) if first else 0,
        first_month=words.month(first_month) if first_month else 0,
        number=words.number(number) if number else 1,
        unit=words.unit(unit) if unit else "day",
        year=int(year) if year else None,
        year_shift=years,
        shift=expression.shift,
        sundays=words.file.weeks_begin_on_sunday_too,
    )


def _group(match: re.Match[str], name: str) -> str:
    return (match[name] or "") if name in match.re.groupindex else ""
