"""The forms in which a text names days, as patterns: “7 May 2023”, “am 7. Mai”, “la semana pasada”,
“2023年5月7日”.

Groups name what is found. English patterns are tried on the text as it is. The other languages share one set,
filled from their words and tried on the folded text. Patterns are compiled when a text first has a word of
theirs (about 5 ms a language).
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from voice_server.digest.language.calendar_names import fold
from voice_server.search.dates.calendar_words import ENGLISH, LANGUAGES, Words, anchors


class Form(Struct, frozen=True):
    """A pattern; a text that has none of its `anchors` (folded words) does not match, when it has any."""

    kind: str
    pattern: re.Pattern[str]
    anchors: frozenset[str]


@cache
def in_language(language: str) -> tuple[Form, ...]:
    """Return the forms that say most first."""
    if language == "en":
        # ASCII: else "s" is met by "\u017f" too
        return tuple(_compiled(_english(), re.IGNORECASE | re.ASCII))
    return tuple(_compiled(_other(LANGUAGES[language])))


@cache
def in_digits(*, day_first: bool) -> tuple[Form, ...]:
    """Return dates without a word. `day_first`: 7/5/2023 is certainly in May."""
    kind = "day first" if day_first else "either first"
    return tuple(_compiled((*_DIGITS, (kind, _NUMBERS, ())), re.ASCII))


@cache
def years() -> tuple[Form, ...]:
    return tuple(_compiled((("year", rf"\b{_YEAR}\b", ()),), re.ASCII))


_Source = tuple[str, str, Iterable[str]]


def _compiled(sources: Iterable[_Source], flags: int = 0) -> Iterator[Form]:
    for kind, pattern, words in sources:
        yield Form(kind, re.compile(pattern, flags), frozenset(words))


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_EAST_YEAR = r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?[年년]\s?"
# Not behind a year that is written otherwise ("去年", "平成30年", "昨年の"), nor a third Monday
# ("第3月曜日").
_EAST_ALONE = r"(?<![\d年년の第])(?<![年년]\s)"
_EAST_MONTH = r"(?P<month>1[0-2]|0?[1-9])\s?[月월]"
_EAST_DAY = r"\s?(?P<day>[0-3]?\d)\s?[日号號일]"
_DIGITS: tuple[_Source, ...] = (
    ("day", rf"\b{_YEAR}-(?P<month>[01]\d)-(?P<day>[0-3]\d)\b", ()),
    ("day", rf"(?:{_EAST_YEAR}|{_EAST_ALONE}){_EAST_MONTH}{_EAST_DAY}", "月월"),
    ("month", rf"(?:{_EAST_YEAR}|{_EAST_ALONE}){_EAST_MONTH}(?![间間曜]|\s?\d)", "月월"),
)
_NUMBERS = rf"(?<![\d./-])(?P<one>[0-3]?\d)(?P<mark>[./-])(?P<other>[0-3]?\d)(?P=mark){_YEAR}(?![\d/-]|\.\d)"


def _english() -> Iterator[_Source]:
    full, short = _alternatives(ENGLISH.months), _alternatives(ENGLISH.short)
    month = rf"(?P<month>(?:{full})\b|(?:{short})\b\.?)"
    day = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?!:)"
    of_year = rf"(?:,?\s+(?:of\s+)?{_YEAR}\b)?"
    # "May" and "March" are words too, and so is "Mar." in a name: by itself a month follows what leads to a
    # time.
    leads = (
        r"\b(?:in|of|since|during|until|till|by|before|after|from|(?P<last>last|past)|this|early|late|mid)"
        r"[\s-]+(?:the\s+)?"
    )
    counts = "|".join(sorted(ENGLISH.counts, key=len, reverse=True))
    count = rf"(?P<count>\d{{1,3}}|{counts})"
    months = anchors(ENGLISH.months) | anchors(ENGLISH.short)
    yield "day", rf"\b(?<!:){day}(?:\s+of)?\s+{month}{of_year}", months
    yield "day", rf"\b{month}\s+(?:the\s+)?{day}{of_year}", months
    yield "month", rf"{leads}{month}(?!\s+\d\d?\b){of_year}", months
    yield "month", rf"(?<!\d\s)(?<!\d\w\w\s)\b(?P<month>{full}),?\s+{_YEAR}\b", months
    yield "weekday", rf"\b(?P<weekday>{_alternatives(ENGLISH.weekdays)})\b", anchors(ENGLISH.weekdays)
    yield (
        "days",
        r"\b(?P<days>the day before yesterday|(?<!before )yesterday|today|tonight|this morning|last night)\b",
        anchors(ENGLISH.days),
    )
    yield (
        "period",
        r"\b(?:last|past|(?P<this>this)) (?P<unit>week|weekend|month|year)\b",
        anchors(ENGLISH.units),
    )
    yield "past days", rf"\b(?:last|past) {count} days\b", ("days",)
    yield "ago", rf"\b{count} (?P<unit>day|week|month|year)s? ago\b", ("ago",)
    yield (
        "season",
        rf"\b(?:in|of|during|(?P<last>last)|this)\s+(?:the\s+)?(?P<season>{_alternatives(ENGLISH.seasons)})\b{of_year}",
        anchors(ENGLISH.seasons),
    )


_OF = "(?:(?:de|del|di|do|du|van|des jahres)\\s+)?"
_OF_YEAR = rf"(?:,?\s+{_OF}{_YEAR}\b)?"
_AFTER_DAY = rf"(?:(?:\.|er|e|o|°)\s*|\s+){_OF}"
# After a day that was not to be read with it ("31 de febrero de 2023") a month is not read either.
_NO_DAY = r"(?<!\d\s)(?<!\d\.\s)(?<!\d\sde\s)(?<!\d\sdi\s)"
# Many a month or season is another word as well: something must show that a time is meant.
_FRAMED = "(?(lead)|(?(last)|(?(after)|(?(year)|(?!)))))"


def _other(words: Words) -> Iterator[_Source]:
    yield from _dates(words)
    yield from _weekdays(words)
    yield "days", rf"\b(?P<days>{_alternatives(words.days)})\b", anchors(words.days)
    yield from _periods(words)
    yield from _counted(words)
    season = rf"\b(?P<season>{_alternatives(words.seasons)})\b"
    yield (
        "season",
        f"{_before(words, fold(words.leads))}{season}{_after(words)}{_OF_YEAR}{_FRAMED}",
        anchors(words.seasons),
    )


def _dates(words: Words) -> Iterator[_Source]:
    full, short, dotted = _alternatives(words.months), _short(words), _short_with_dot(words)
    lead = rf"(?P<lead>{_on(words)})[\s'-]+"
    day = rf"(?<![\w:.,/-])(?P<day>[0-3]?\d|{fold(words.first)}){_AFTER_DAY}"
    months = anchors(words.months) | anchors(words.short)
    yield "day", rf"\b(?:{lead})?{day}(?P<month>(?:{full}|{short})\b\.?|{dotted}){_OF_YEAR}", months
    month = rf"\b{_NO_DAY}(?P<month>(?:{full})\b|(?:{short})\.|{dotted})"
    yield "month", f"{_before(words, fold(words.leads))}{month}{_after(words)}{_OF_YEAR}{_FRAMED}", months
    if words.day_dot_month:
        yield "day", rf"\b{lead}(?P<day>[0-3]?\d)\.\s?(?P<month>[01]?\d)\.(?!\d)", ()


def _weekdays(words: Words) -> Iterator[_Source]:
    names = _alternatives(words.weekdays.keys() - words.closing)
    before = rf"\b(?:(?P<habit>{fold(words.habits)})[\s'-]+)?{_before(words, _on(words))}"
    month = rf"(?:{_alternatives(words.months)}|{_short(words)})\b"
    date = rf",?\s+(?:(?:{_on(words)})\s+)?[0-3]?\d(?:[./]\d|{_AFTER_DAY}{month})"
    found = anchors(words.weekdays)
    yield "weekday", rf"{before}\b(?P<weekday>{names})\b{_after(words)}(?!{date})", found
    if words.closing:
        yield "weekday", rf"\b(?P<weekday>{_alternatives(words.closing)})(?=\s*(?:[^\w\s]|$))", found


def _periods(words: Words) -> Iterator[_Source]:
    units = {spelling: unit for spelling, unit in words.units.items() if unit != "day"}
    unit, last = rf"(?P<unit>{_alternatives(units)})", rf"(?P<last>{fold(words.last)})"
    yield "period", rf"\b{unit}\s+{last}\b", anchors(units)
    yield "period", rf"\b(?:{last}|(?P<this>{fold(words.this)}))[\s']+{unit}\b", anchors(units)


def _counted(words: Words) -> Iterator[_Source]:
    count, lasts = rf"(?P<count>\d{{1,3}}|{_alternatives(words.counts)})", fold(words.lasts)
    days = [spelling for spelling, unit in words.plurals.items() if unit == "day"]
    yield "past days", rf"\b(?:{lasts})\s+{count}\s+(?:{_alternatives(days)})\b", days
    yield "past days", rf"\b{count}\s+(?:{lasts})\s+(?:{_alternatives(days)})\b", days
    units = {one: unit for one, unit in {**words.units, **words.plurals}.items() if unit != "weekend"}
    some = rf"{count}\s+(?P<unit>{_alternatives(units)})"
    if words.before_ago:
        yield "ago", rf"\b(?:{fold(words.before_ago)})\s+{some}\b", anchors(units)
    if words.after_ago:
        yield "ago", rf"\b{some}\s+(?:{fold(words.after_ago)})\b", anchors(units)


def _before(words: Words, leads: str) -> str:
    return rf"\b(?:(?:(?P<last>{fold(words.last)})|(?P<lead>{leads}))[\s'-]+)?"


def _on(words: Words) -> str:
    return fold("|".join(filter(None, (words.leads, words.on))))


def _after(words: Words) -> str:
    return rf"(?:\s+(?P<after>{fold(words.last)})\b)?"


def _short(words: Words) -> str:
    return _alternatives(name for name in words.short if not name.endswith("."))


def _short_with_dot(words: Words) -> str:
    return _alternatives(name for name in words.short if name.endswith(".")) or "(?!)"


def _alternatives(entries: Iterable[str]) -> str:
    longest_first = sorted(entries, key=lambda entry: (-len(entry), entry))
    return "|".join(re.escape(entry).replace(r"\ ", r"[\s-]+") for entry in longest_first)
