"""Days that a digest tells, held against what was said of days, in seven languages.

A model works out which day “el viernes” is; to see that it agrees is easier: it is a Friday, and near. So
nothing is resolved here but what `dates` is sure of.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache

from msgspec import Struct

from voice_server.digest.dates.dates import possible_days
from voice_server.digest.grounding.numerals import said_numbers
from voice_server.digest.grounding.transcript import Line
from voice_server.digest.grounding.vocabulary import Vocabulary, plain, vocabularies, vocabulary
from voice_server.digest.language.languages import is_english

_ISO = re.compile(r"(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?![\d-])")
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2((?:19|20)?\d\d)(?!\d|[./-]\d)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ADDED = re.compile(r" \((?:[\w ]+ )?(?:19|20)\d\d\)")
_WEEK, _MONTH = 7, 30
_SLACK = {1: 0, _WEEK: 3, _MONTH: 16}  # days by which one may be off who says so many days, weeks, months
_BEFORE_UNIT = 2  # words before "weeks" among which is how many
_NEAR_MONTHS = 2
_ABBREVIATION = 3  # letters of a month that is another word as well: "set", "dec"
_HORIZON = timedelta(days=366)  # of days in languages that are not read
_SHORT_MONTHS = frozenset({"may", "mai", "mei"})
_UNSURE_MONTHS = frozenset({"may", "march", "mei"})  # other words as well, but behind one of these
_OF_A_MONTH = re.compile(r"\b(?:in|since|until|till|by|of|next|last|from)\s+$")
_LONG_AGO = 366  # days; a day further away has its year said

_Span = tuple[date, date]


class DayMention(Struct, frozen=True):
    """A day named by its date: where it stands in the folded text, and the days it can be."""

    start: int
    end: int
    days: tuple[date, ...]
    is_month: bool = False


class _LineDays(Struct, frozen=True):
    on: date
    dates: tuple[date, ...]
    spans: tuple[_Span, ...]
    weekdays: frozenset[int]
    shifts: frozenset[int]
    months: frozenset[int]
    numbers: frozenset[int]
    years: frozenset[int]
    lengths: frozenset[int]
    distances: frozenset[tuple[int, int]]
    looks_ahead: bool
    is_day_before: bool

    @property
    def is_silent(self) -> bool:
        return not (self.spans or self.weekdays or self.shifts or self.months or self.lengths)

    def agrees(self, day: date) -> bool:
        """Tell whether the line may speak of this day, or was said on it."""
        away = (day - self.on).days
        return (
            away == 0
            or away in self.shifts
            or any(first <= day <= last for first, last in self.spans)
            or self._is_its_weekday(day, away)
            or self._is_so_far(away)
            or self._is_its_number(day, away)
        )

    def speaks_of_month(self, day: date) -> bool:
        """Tell whether the line may speak of the month that begins on a day."""
        end = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        return day.month in self.months or any(first <= end and last >= day for first, last in self.spans)

    def _is_its_weekday(self, day: date, away: int) -> bool:
        dated = any(one.weekday() == day.weekday() for one in self.dates)
        reach = 2 * _WEEK if self.looks_ahead else _WEEK
        return day.weekday() in self.weekdays and not dated and -_WEEK <= away <= reach

    def _is_so_far(self, away: int) -> bool:
        """“In three weeks”, “hace dos meses”."""
        if self.looks_ahead and _WEEK in self.lengths and 0 < away < 2 * _WEEK and not self.weekdays:
            return True
        if self.months or self.dates:
            return False
        return any(abs(abs(away) - number * length) <= _SLACK[length] for number, length in self.distances)

    def _is_its_number(self, day: date, away: int) -> bool:
        year_said = not self.years.isdisjoint((day.year, day.year % 100))
        if day.day not in self.numbers or (abs(away) > _LONG_AGO and not year_said):
            return False
        return day.month in self.months if self.months else abs(away) <= _NEAR_MONTHS * _MONTH + 1


class DayEvidence(Struct, frozen=True):
    lines: tuple[_LineDays, ...]
    language: str

    @property
    def is_silent(self) -> bool:
        return all(line.is_silent for line in self.lines)

    def agrees(self, day: date) -> bool:
        if vocabulary(self.language) is None and self.language:
            return any(abs(day - line.on) <= _HORIZON for line in self.lines)
        if any(line.agrees(day) for line in self.lines):
            return True
        if day == date.max or not any(line.is_day_before for line in self.lines):
            return False
        return any(line.agrees(day + timedelta(days=1)) for line in self.lines)

    def dated(self, weekday: int) -> date | None:
        """Return the one date that the lines give for a weekday; None for none, or several."""
        found = {day for line in self.lines for day in line.dates if day.weekday() == weekday}
        return found.pop() if len(found) == 1 else None

    def unsaid(self, text: str, days: Sequence[DayMention]) -> str:
        """Return the first day of a folded text that does not follow from the lines, or ""."""
        for day in days:
            if not self._follows(day):
                return text[day.start : day.end]
        bare = without(text, days)
        for known in filter(None, [vocabulary(self.language)]):
            for word in self._unsaid_words(bare, days, known):
                return word
        return ""

    def _follows(self, told: DayMention) -> bool:
        if told.is_month:
            return any(line.speaks_of_month(day) for line in self.lines for day in told.days)
        return any(self.agrees(day) for day in told.days)

    def _unsaid_words(self, text: str, days: Sequence[DayMention], known: Vocabulary) -> Iterator[str]:
        told = {day.weekday() for one in days for day in one.days if not one.is_month}
        for word, weekday in _words(_weekdays(known.language), text, known.weekdays):
            is_ordinal = word.isalpha() and any(map(word.startswith, known.ordinals))  # "a segunda consulta"
            said = weekday in told or any(_has_weekday(line, weekday) for line in self.lines)
            if not said and not is_ordinal:
                yield word
        months = {day.month for one in days for day in one.days}
        for match in _months(known.language).finditer(text):
            month = known.months[match[1]]
            sure = match[1] not in _UNSURE_MONTHS or _OF_A_MONTH.search(text, 0, match.start())
            if sure and month not in months and not any(_has_month(line, month) for line in self.lines):
                yield match[1]
        for phrase, shift in _shifts(text, known):
            if not any(
                shift in line.shifts or line.agrees(line.on + timedelta(days=shift)) for line in self.lines
            ):
                yield phrase


def days_said(lines: Sequence[Line], language: str) -> DayEvidence:
    return DayEvidence(tuple(_said(line, language) for line in lines), language)


def told_days(text: str, on: date, language: str) -> list[DayMention]:
    """Find the days that a folded text names by their dates; `on` is when it was said."""
    found = [*_numeric_days(text)]
    for known in vocabularies(language):
        found += _written_days(text, on, known)
    found += _added_days(text, on)
    found.sort(key=lambda day: (day.start, -day.end))
    kept: list[DayMention] = []
    for day in found:
        if day.days and (not kept or day.start >= kept[-1].end):
            kept.append(day)
    return kept


def is_weekday(word: str, known: Vocabulary) -> bool:
    """Tell whether a folded word is a weekday: “maandagavond” is one, too."""
    return _weekdays(known.language).fullmatch(word) is not None


def weekdays_of(text: str, known: Vocabulary) -> set[int]:
    return {day for _, day in _words(_weekdays(known.language), text, known.weekdays)}


def without(text: str, days: Sequence[DayMention]) -> str:
    """Put blanks for dates: all else keeps its place."""
    for day in days:
        text = text[: day.start] + " " * (day.end - day.start) + text[day.end :]
    return text


def undated(text: str, language: str) -> str:
    """Put “on 18 November 2026” for “tomorrow (18 November 2026)”: what lasts is read on other days."""
    known, folded = vocabulary(language), plain(text)
    if known is None or len(folded) != len(text):
        return text
    pieces, done = [], 0
    for match in _dated(known.language).finditer(folded):
        pieces += [
            text[done : match.start()],
            f"{known.on_day} {text[match.start('date') : match.end('date')]}",
        ]
        done = match.end()
    return "".join([*pieces, text[done:]])


def _said(line: Line, language: str) -> _LineDays:
    text, added = plain(_ADDED.sub("", line.text)), " ".join(_ADDED.findall(line.text))
    on, days = line.said_on, told_days(text, line.said_on, language)
    spans = [(day, day) for one in days if not one.is_month for day in one.days]
    spans += possible_days(added, line.said_on)  # what we put beside the words is English in every language
    if is_english(
        language
    ):  # of other languages the weekdays, months and numbers below say what may be meant
        spans += possible_days(line.text, on)
    bare = without(text, days)
    spans += [(date(int(year), 1, 1), date(int(year), 12, 31)) for year in _YEAR.findall(bare)]
    known = vocabularies(language)
    words = set(re.findall(r"\w+", bare))
    numbers = said_numbers([bare], language).readings
    return _LineDays(
        on=on,
        dates=tuple(day for one in days if not one.is_month for day in one.days),
        spans=tuple(spans),
        weekdays=frozenset(
            day for one in known for _, day in _words(_weekdays(one.language), text, one.weekdays)
        ),
        shifts=frozenset(shift for one in known for _, shift in _shifts(bare, one)),
        months=frozenset(
            month for one in known for _, month in _words(_months(one.language), text, one.months)
        ),
        numbers=frozenset(int(number) for number in numbers if len(number) <= 2),  # noqa: PLR2004 (of a day)
        years=frozenset(int(number) for number in numbers if len(number) in (2, 4)),
        lengths=frozenset(size for one in known for word, size in one.spans.items() if word in words),
        distances=frozenset(pair for one in known for pair in _distances(bare, one)),
        looks_ahead=any(not one.following.isdisjoint(words) for one in known),
        is_day_before=any(phrase in bare for one in known for phrase in one.lists["eve"]),
    )


def _distances(text: str, known: Vocabulary) -> Iterator[tuple[int, int]]:
    """“Three weeks”, “zwei ganze Tage”."""
    words = re.findall(r"\w+", text)
    for at, word in enumerate(words):
        if word in known.spans:
            before = said_numbers([" ".join(words[max(at - _BEFORE_UNIT, 0) : at])], known.language).readings
            yield from ((int(number), known.spans[word]) for number in before if len(number) <= 2)  # noqa: PLR2004 (of a day)


def _has_weekday(line: _LineDays, weekday: int) -> bool:
    shifted = {(line.on + timedelta(days=shift)).weekday() for shift in line.shifts}
    in_spans = {first.weekday() for first, last in line.spans if first <= last < first + timedelta(days=2)}
    return weekday in line.weekdays | shifted | in_spans


def _has_month(line: _LineDays, month: int) -> bool:
    return month in line.months or any(first.month == month for first, _ in line.spans) or bool(line.lengths)


def _words(pattern: re.Pattern[str], text: str, table: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    for match in pattern.finditer(text):
        yield match[1], table[match[1]]


def _shifts(text: str, known: Vocabulary) -> Iterator[tuple[str, int]]:
    for match in _relative(known.language).finditer(text):
        yield match[0], known.shifts[match[0]]


def _numeric_days(text: str) -> Iterator[DayMention]:
    for match in _ISO.finditer(text):
        yield DayMention(match.start(), match.end(), _existing((int(match[1]), int(match[2]), int(match[3]))))
    for match in _NUMERIC.finditer(text):
        year = int(match[4]) + (2000 if len(match[4]) < 4 else 0)  # noqa: PLR2004 (digits of a year)
        one, other = int(match[1]), int(match[3])
        yield DayMention(match.start(), match.end(), _existing((year, other, one), (year, one, other)))


def _written_days(text: str, on: date, known: Vocabulary) -> Iterator[DayMention]:
    for match in _written(known.language).finditer(text):
        month = known.months[match["month"] or match["month_first"] or match["month_alone"]]
        year = match["year"] or match["year_behind"] or match["year_alone"]
        years = [int(year)] if year else [on.year - 1, on.year, on.year + 1]
        number = match["day"] or match["day_behind"]
        if number is None:
            yield DayMention(match.start(), match.end(), _existing((years[0], month, 1)), is_month=True)
        else:
            days = _existing(*((year, month, int(number)) for year in years))
            yield DayMention(match.start(), match.end(), days)


def _added_days(text: str, on: date) -> Iterator[DayMention]:
    """Find those in parentheses: they are English in every language."""
    for known in vocabularies("en"):
        for added in _ADDED.finditer(text):
            for day in _written_days(added[0], on, known):
                at = added.start()
                yield DayMention(at + day.start, at + day.end, day.days, is_month=day.is_month)


def _existing(*days: tuple[int, int, int]) -> tuple[date, ...]:
    found: list[date] = []
    for day in days:
        try:
            found.append(date(*day))
        except ValueError:
            continue
    return tuple(dict.fromkeys(found))


@cache
def _written(language: str) -> re.Pattern[str]:
    """“3. Mai 2026”, “3 de mayo”, “May 3rd, 2026”, “May 2026”."""
    [known] = vocabularies(language)
    months = _any(known.months)
    of = r"(?:(?:of\s+|de\s+|del\s+|di\s+|d'))?"
    year = r"(?:,?\s+(?:de\s+|del\s+)?(?P<year>(?:19|20)\d\d)(?!\d))"
    return re.compile(
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|º|°|er|e|a|o)?\s+{of}(?P<month>{months})\b\.?{year}?"
        rf"|\b(?P<month_first>{months})\b\.?\s+(?:the\s+)?(?P<day_behind>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
        rf"{year.replace('year', 'year_behind')}?"
        rf"|\b(?P<month_alone>{months})\b\.?{year.replace('year', 'year_alone')}"
    )


@cache
def _weekdays(language: str) -> re.Pattern[str]:
    """Match “Montagabend” and “lundis”, too."""
    [known] = vocabularies(language)
    part = "(?:vor|nach)?mittags?|abends?|nachts?|morgens?|fruh|avond|ochtend|middag"
    return re.compile(rf"\b({_any(known.weekdays)})(?:s|{part})?\b")


@cache
def _months(language: str) -> re.Pattern[str]:
    [known] = vocabularies(language)
    return re.compile(
        rf"\b({_any(word for word in known.months if len(word) > _ABBREVIATION or word in _SHORT_MONTHS)})\b"
    )


@cache
def _relative(language: str) -> re.Pattern[str]:
    [known] = vocabularies(language)
    return re.compile(rf"\b(?:{_any(known.shifts)})\b")


@cache
def _dated(language: str) -> re.Pattern[str]:
    return re.compile(rf"{_relative(language).pattern} \((?P<date>[\w .'-]*\b(?:19|20)\d\d)\)")


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
