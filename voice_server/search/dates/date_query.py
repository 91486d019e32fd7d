"""The days that a query speaks of: “last March”, “am Dienstag”, “hace dos semanas”, “2023年5月7日”.

What is looked for was said, so the days are past ones: “in March” is the latest March that has begun.

A query is read in the language that it looks to be in, else in those of the talk; then others count only by
what is no word and no name elsewhere: “le 7 mars”, and not “7 mars”. English and East Asian days (east_asian)
are always read; a query in any other language is searched by its words alone.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from functools import cache

from msgspec import Struct

from voice_server.digest.language.calendar_names import fold
from voice_server.search.dates import east_asian
from voice_server.search.dates.calendar_words import ENGLISH, LANGUAGES, Words
from voice_server.search.dates.date_forms import Form, in_digits, in_language, years
from voice_server.search.dates.date_range import (
    Span,
    about_weeks_before,
    days_before,
    months,
    months_before,
    on,
    week_before,
    weekday_before,
    weekend_before,
    years_before,
)
from voice_server.search.dates.east_asian import Place


def spans(text: str, today: date, languages: Collection[str] = ()) -> list[Span]:
    """Return the days as meant on the day `today`. `languages` are those of the talk (BCP 47, "" for
    unknown)."""
    found: list[Span] = []
    taken: list[Place] = []
    for place, span in _named_in(unicodedata.normalize("NFC", text), today, languages):
        if not _overlaps(place, taken):
            found.append(span)
            taken.append(place)
    return found


def _named_in(text: str, today: date, languages: Collection[str]) -> Iterator[tuple[Place, Span]]:
    yield from east_asian.named(fold(text), today)
    for reading in _readings(text, languages):
        for match in reading.form.pattern.finditer(reading.text):
            span = _read(reading, _named(match), today)
            if span is not None:
                yield match.span(), span


def _overlaps(place: Place, taken: Sequence[Place]) -> bool:
    """Tell whether its place was read already: in “the 3rd of June” there is no “of June” as well."""
    return any(place[0] < end and begin < place[1] for begin, end in taken)


class _Reading(Struct, frozen=True):
    text: str
    form: Form
    words: Words
    is_careful: bool = False  # takes only what is no word and no name in another language


def _readings(text: str, languages: Collection[str]) -> Iterator[_Reading]:
    """Yield the forms to look for, those that decide first."""
    folded = fold(text)
    written = _written(folded)
    shown = _shown(written)
    sure = _sure(shown, {language.partition("-")[0].lower() for language in languages})
    if has_digits := _DIGIT.search(folded) is not None:
        day_first = bool(sure) and sure <= set(_OTHERS)
        yield from _with_words(written, folded, ENGLISH, in_digits(day_first=day_first))
    for language in sorted(_OTHERS, key=lambda one: one not in sure):
        if language in sure or ("en" not in shown and not _anchors(language).isdisjoint(written)):
            forms, words = in_language(language), LANGUAGES[language]
            yield from _with_words(written, folded, words, forms, is_careful=language not in sure)
    english = written if text.isascii() else _written(text)
    if not _anchors("en").isdisjoint(english):
        yield from _with_words(english, text, ENGLISH, in_language("en"))
    if has_digits:
        yield from _with_words(written, text, ENGLISH, years())


def _with_words(
    written: frozenset[str], text: str, words: Words, forms: Sequence[Form], *, is_careful: bool = False
) -> Iterator[_Reading]:
    """Look for words first: that is far cheaper than for forms."""
    return (
        _Reading(text, form, words, is_careful)
        for form in forms
        if not form.anchors or not form.anchors.isdisjoint(written)
    )


@cache
def _anchors(language: str) -> frozenset[str]:
    return LANGUAGES[language].anchors


def _written(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _LETTERS.findall(text))


_OTHERS = [language for language in LANGUAGES if language != "en"]
_LETTERS = re.compile("[A-Za-z]+|[月월]")
_DIGIT = re.compile(r"\d", re.ASCII)


def _shown(written: frozenset[str]) -> Mapping[str, int]:
    seen = {language: len(written & words.typical) for language, words in LANGUAGES.items()}
    most = max(seen.values())
    best = {language: count for language, count in seen.items() if count == most > 0}
    return {} if "en" in best and len(best) > 1 else best


def _sure(shown: Mapping[str, int], of_talk: set[str]) -> set[str]:
    if both := shown.keys() & of_talk:
        return both
    if "en" in shown or any(count >= _ENOUGH for count in shown.values()):
        return set(shown)
    return of_talk | shown.keys() if of_talk - {"en"} else of_talk


_ENOUGH = 2  # words: one may stand in several languages


def _named(match: re.Match[str]) -> dict[str, str]:
    return {name: _GAPS.sub(" ", value.lower()) for name, value in match.groupdict().items() if value}


_GAPS = re.compile(r"[\s-]+")


def _read(reading: _Reading, named: Mapping[str, str], today: date) -> Span | None:
    if reading.is_careful and not _is_clear(named, reading.words):
        return None
    try:
        return _READERS[reading.form.kind](named, today, reading.words)
    except (ValueError, OverflowError):  # before the year 1, or after 9999
        return None


def _is_clear(named: Mapping[str, str], words: Words) -> bool:
    """Tell whether this is no word and no name in another language, or what stands beside it tells."""
    word = next((named[one] for one in ("month", "weekday", "days", "season") if one in named), "")
    is_short = word in words.short or word.rstrip(".") in words.short
    if _is_last(named) or (not is_short and {"day", "year"} <= named.keys()):
        return True
    return not (is_short or word in words.shy) or named.get("lead", "a") not in _ELSEWHERE


# Leads that are words in English, or parts of names, as well.
_ELSEWHERE = frozenset("a ad al begin da de del den di do fin half in no tot van".split())


def midnight(day: date, zone: tzinfo | None) -> int:
    """Return when a day begins there, in unix seconds."""
    return int(datetime.combine(day, time(), zone).timestamp())


_BETWEEN_LEAP_DAYS = 8  # years, at most
_SEASONS = ((3, 5), (6, 8), (9, 11), (12, 2))  # months, spring first


def _day_of_month(named: Mapping[str, str], today: date, words: Words) -> Span | None:
    month = words.month(named["month"])
    day = int(named["day"]) if named["day"].isdecimal() else 1
    if "year" in named:
        return on(int(named["year"]), month, day)
    return next(
        (
            span
            for year in range(today.year, today.year - _BETWEEN_LEAP_DAYS - 1, -1)
            if (span := on(year, month, day)) and span.first <= today
        ),
        None,
    )


def _month(named: Mapping[str, str], today: date, words: Words) -> Span:
    month = words.month(named["month"])
    if "year" in named:
        return months(int(named["year"]), month, month)
    is_before = month < today.month or (month == today.month and not _is_last(named))
    return months(today.year - (not is_before), month, month)


def _weekday(named: Mapping[str, str], today: date, words: Words) -> Span | None:
    if "habit" in named and not _is_last(named):
        return None
    return weekday_before(today, words.weekdays[named["weekday"]])


def _yesterday(named: Mapping[str, str], today: date, words: Words) -> Span:
    return days_before(today, words.days[named["days"]])


def _period(named: Mapping[str, str], today: date, words: Words) -> Span:
    before, unit = 0 if "this" in named else 1, words.units[named["unit"]]
    if unit == "week":
        return week_before(today, before)
    if unit == "weekend":
        return weekend_before(today, before)
    if unit == "month":
        return months_before(today, before)
    return months(today.year - before, 1, 12)


def _ago(named: Mapping[str, str], today: date, words: Words) -> Span:
    count, unit = _count(named, words), words.units.get(named["unit"]) or words.plurals[named["unit"]]
    if unit == "month":
        return months_before(today, count)
    if unit == "year":
        return years_before(today, count)
    if unit == "week":
        return about_weeks_before(today, count)
    return days_before(today, count)


def _season(named: Mapping[str, str], today: date, words: Words) -> Span | None:
    """Return the latest that has begun; “last” means the latest that is over."""
    begins, ends = _SEASONS[words.seasons[named["season"]]]
    years = [int(named["year"])] if "year" in named else [today.year, today.year - 1, today.year - 2]
    over = _is_last(named)
    found = (Span(date(year, begins, 1), months(year + (ends < begins), ends, ends).last) for year in years)
    return next((one for one in found if "year" in named or (one.last if over else one.first) <= today), None)


def _past_days(named: Mapping[str, str], today: date, words: Words) -> Span:
    return Span(days_before(today, _count(named, words)).first, today)


def _count(named: Mapping[str, str], words: Words) -> int:
    written = named["count"]
    return int(written) if written.isdecimal() else words.counts[written]


def _year(named: Mapping[str, str], _today: date, _words: Words) -> Span:
    return months(int(named["year"]), 1, 12)


def _day_first(named: Mapping[str, str], _today: date, _words: Words) -> Span | None:
    one, other = int(named["one"]), int(named["other"])
    day, month = (other, one) if other > _MONTHS else (one, other)
    return on(int(named["year"]), month, day)


def _either_first(named: Mapping[str, str], today: date, words: Words) -> Span | None:
    """With slashes some write the day first, some the month: the numbers must show which."""
    one, other = int(named["one"]), int(named["other"])
    shows = named["mark"] == "." or one > _MONTHS or other > _MONTHS or one == other
    return _day_first(named, today, words) if shows else None


_MONTHS = 12
_Reader = Callable[[Mapping[str, str], date, Words], Span | None]
_READERS: Mapping[str, _Reader] = {
    "day": _day_of_month,
    "month": _month,
    "weekday": _weekday,
    "days": _yesterday,
    "period": _period,
    "past days": _past_days,
    "ago": _ago,
    "season": _season,
    "year": _year,
    "day first": _day_first,
    "either first": _either_first,
}


def _is_last(named: Mapping[str, str]) -> bool:
    return "last" in named or "after" in named
