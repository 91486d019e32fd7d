"""How a language speaks of days: the patterns of `date_phrases/*.toml`, compiled when a text has a word of
theirs. A file added there adds a language; `date_phrases/en.toml` says how to write one."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Literal

from msgspec import Struct, convert

from voice_server.digest.language.calendar_names import calendar, fold, rows
from voice_server.digest.language.pattern import compiled
from voice_server.runtime.once import once

Kind = Literal[
    "day", "weekday", "coming weekday", "weekday to come", "past weekday", "next weekday", "last weekday",
    "weekday in week", "weekday beyond", "weekday in weeks", "weekday and number", "date", "date span",
    "numeric date", "number", "number span", "span from month", "number of a month", "month", "next month",
    "last month", "unit", "away", "weekend", "end", "never",
]  # fmt: skip
Tense = Literal["any", "helps", "needed", "not past", "unsure"]
Unit = Literal["day", "week", "month", "year"]

_FOLDER = "date_phrases"
_MACRO = re.compile(r"\{([a-z_]+)\}")
_TOKEN = re.compile(r"[^\W\d_]+|\d")
_DAY_DIGITS = re.compile(r"(?<![\d:.])\d{1,2}(?![\d:])")
_NEVER = r"(?!)"
_DIGIT_HINTS = frozenset("0123456789")
_DIGITS = r"(?<![\d.,:/€$£])(?:[12]\d|3[01]|0?[1-9])(?!\d|[.,:/]\d)"
_PLAIN_WORD = re.compile(r"[\w']+")
_CUE_WORD = re.compile(r"[\w']+")
_CODES, _PAD = 0xE000, "\uf8ff"  # private characters: what stands for a name, and what fills its place
_EARLY = 12  # words of smaller numbers may be hours, lines, ranks
_NUMBER_MACROS = {"two": 2, "eight": 8, "fourteen": 14, "fifteen": 15}
_DEEPEST = 5  # phrases within phrases
_BY_MACRO = ("{weekday}", "{month}", "{unit}")  # a text without a word of theirs has no match
_TENSES: Mapping[Kind, Tense] = {
    "weekday": "needed",
    "date": "needed",
    "date span": "needed",
    "numeric date": "needed",
    "number": "needed",
    "number span": "needed",
    "month": "needed",
    "weekday and number": "helps",
    "weekend": "helps",
    "end": "not past",
}


class Expression(Struct, frozen=True, forbid_unknown_fields=True):
    """An example is a text, the day or `first/last` days meant, and when it was said, where that is not the
    file's day."""

    kind: Kind
    patterns: tuple[str, ...]
    examples: tuple[tuple[str, ...], ...] = ()
    counterexamples: tuple[str, ...] = ()
    shift: int = 0
    tense: Tense | None = None
    hints: tuple[str, ...] = ()

    @property
    def asks(self) -> Tense:
        """What the clause must tell about past and future for the day to be certain."""
        return self.tense or _TENSES.get(self.kind, "any")


class DirectionFile(Struct, frozen=True, forbid_unknown_fields=True):
    past: tuple[str, ...]
    future: tuple[str, ...]
    state: tuple[str, ...]
    doubt: tuple[str, ...]
    arranged: tuple[str, ...]
    appointments: tuple[str, ...]
    since: tuple[str, ...]
    conjunctions: tuple[str, ...]
    not_past: tuple[str, ...] = ()
    not_future: tuple[str, ...] = ()
    subjects: str = _NEVER


class DateFile(Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    said: str
    numbers: str
    day_words: str
    units: dict[Unit, str]
    leads: dict[Literal["since", "target", "until", "on"], str]
    birthdays: tuple[str, ...]
    clock: str
    direction: DirectionFile
    expressions: tuple[Expression, ...]
    weeks_begin_on_sunday_too: bool = False
    since_may_be_from: bool = False
    weekday_tails: str = ""
    weekday_guard: str = ""
    shy_months: str = ""
    weekdays_too: dict[str, int] = {}
    day_suffix: str = ""
    cardinals: str = ""
    which_is: str = _NEVER
    counted: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    takes_back: tuple[str, ...] = ()
    feasts: tuple[str, ...] = ()
    feast_joints: str = ""
    turn_of_year: tuple[str, ...] = ()
    other_week: tuple[str, ...] = ()
    to: str = _NEVER
    moves: tuple[str, ...] = ()
    definite: str = ""
    this: str = _NEVER
    year_of: str = ""
    next_year: str = _NEVER
    last_year: str = _NEVER
    phrases: dict[str, str] = {}


class CompiledExpression:
    """An expression, compiled when one of its `anchors` is in a text."""

    def __init__(self, expression: Expression, anchors: frozenset[str], sources: Sequence[str]) -> None:
        self.expression = expression
        self.anchors = anchors
        self._sources = sources

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """For a folded text."""
        return tuple(compiled(source) for source in self._sources)


class Cues:
    """Words and patterns of a clause. Words are looked up: one pattern of all takes ten times as long."""

    def __init__(self, entries: Sequence[str]) -> None:
        self._words = frozenset(entry for entry in entries if _PLAIN_WORD.fullmatch(entry))
        self._pattern = _any([entry for entry in entries if entry not in self._words])

    def are_in(self, text: str) -> bool:
        """Tell whether a text in small letters has one."""
        words = _CUE_WORD.findall(text)
        behind_elision = (word.partition("'")[2] for word in words if word[1:2] == "'")
        if not self._words.isdisjoint(words) or not self._words.isdisjoint(behind_elision):
            return True
        return self._pattern.search(text) is not None


class Direction:
    def __init__(self, file: DirectionFile) -> None:
        self.past = Cues(file.past)
        self.future = Cues(file.future)
        self.state = Cues(file.state)
        self.doubt = Cues(file.doubt)
        self.arranged = Cues(file.arranged)
        self.appointment = Cues(file.appointments)
        self.since = Cues(file.since)
        self.not_past = _any(file.not_past)
        self.not_future = _any(file.not_future)
        self.subject = compiled(_with_gaps(_word(file.subjects)))
        self.clause_end = compiled(rf"[,:](?!\d)|[;—–()\"“”„«»]|\s-\s|{_word(_or(file.conjunctions))}")


class DateLanguage:
    def __init__(self, code: str, file: DateFile) -> None:
        self.file = file
        names = calendar(code)
        self.months = {
            name: number
            for name, number in {**rows(names.short_months, 1), **rows(names.months, 1)}.items()
            if not name.endswith(".")
        }
        self.weekdays = {**rows(names.weekdays), **file.weekdays_too}
        self.numbers = rows(file.numbers, 1)
        self.day_words = rows(file.day_words, 1)
        self._late_days = [name for name, number in self.day_words.items() if number > _EARLY]
        self.units = {name: unit for unit, names in file.units.items() for name in rows(names)}
        self.cardinals = rows(file.cardinals, 1)
        self._numbers_of_days = {**self.cardinals, **self.day_words}
        encoded = dict.fromkeys((*self.weekdays, *self.months, *self.day_words, *self.cardinals))
        self._codes = {name: chr(_CODES + place) for place, name in enumerate(encoded)}
        self._names = {code: name for name, code in self._codes.items()}
        days = _DIGIT_HINTS | frozenset(_longest(word) for word in (*self.day_words, *self.cardinals))
        self._anchors = {
            "{weekday}": self._weekday_anchors(),
            "{month}": frozenset(self.months),
            "{sure_month}": frozenset(self.months),
            "{unit}": frozenset(self.units),
            "{day}": days,
            "{counted_day}": days,
            "{ordinal}": days,
            "{late_day}": frozenset(map(_longest, self._late_days)),
            "{first}": days,
            "{digits}": _DIGIT_HINTS,
        }

    @cached_property
    def expressions(self) -> tuple[CompiledExpression, ...]:
        return tuple(
            CompiledExpression(one, self._anchors_of(one), [self._source(p) for p in one.patterns])
            for one in self.file.expressions
        )

    def near_days(self, text: str) -> Iterator[re.Match[str]]:
        """Find today and the days before it: “this morning”, “yesterday”."""
        encoded = self.encoded(fold(text))
        for pattern in self._near_day_patterns:
            yield from pattern.finditer(encoded)

    @cached_property
    def _near_day_patterns(self) -> Sequence[re.Pattern[str]]:
        near = (one for one in self.expressions if one.expression.kind == "day" and one.expression.shift <= 0)
        return [pattern for one in near for pattern in one.patterns]

    @cached_property
    def hints(self) -> frozenset[str]:
        """A folded text without any of these words names no day."""
        return frozenset().union(*(one.anchors for one in self.expressions if one.expression.kind != "never"))

    def encoded(self, folded: str) -> str:
        """Put one padded character for each name: patterns that name all take ten times as long."""
        return self._encoded_names.sub(lambda name: self._code(name[0]), folded)

    @cached_property
    def _encoded_names(self) -> re.Pattern[str]:
        tails = self.file.weekday_tails or _NEVER
        return compiled(
            rf"(?<![^\W\d_])(?:{_names(self._codes)})(?!\w)|(?<!\w)(?:{_names(self.weekdays)})(?=(?:{tails})(?!\w))"
        )

    def _code(self, name: str) -> str:
        return self._codes[_spaced(name)] + _PAD * (len(name) - 1)

    def _coded(self, table: Iterable[str]) -> str:
        codes = "".join(self._codes[name] for name in table if name in self._codes)
        others = _names(name for name in table if name not in self._codes)
        coded = rf"[{codes}]{_PAD}{{0,30}}+" if codes else _NEVER
        return f"{coded}|{others}" if others else coded

    def _worded(self, number: int) -> str:
        named = {**self.numbers, **self._numbers_of_days}
        return "|".join((self._coded(name for name in named if named[name] == number), str(number)))

    def _name(self, written: str) -> str:
        return self._names.get(written[0]) or _spaced(written)

    @cached_property
    def direction(self) -> Direction:
        return Direction(self.file.direction)

    @cached_property
    def birthday(self) -> re.Pattern[str]:
        """What has a day in every year."""
        return _any(self.file.birthdays)

    @cached_property
    def counted(self) -> re.Pattern[str]:
        """Things whose numbers are no days: floors, streets, ranks."""
        return _any(self.file.counted)

    @cached_property
    def chosen(self) -> re.Pattern[str]:
        """“I'll take the third” may be any thing with a number."""
        return _any(self.file.chosen)

    @cached_property
    def number_before(self) -> re.Pattern[str]:
        suffix = self.file.day_suffix or _NEVER
        return compiled(rf"(?<!\d)(\d{{1,2}})(?:{suffix})?,? (?:{self.file.which_is}) $")

    @cached_property
    def this(self) -> re.Pattern[str]:
        return compiled(_with_gaps(_word(self.file.this)))

    @cached_property
    def takes_back(self) -> re.Pattern[str]:
        return _any(self.file.takes_back)

    @cached_property
    def feasts(self) -> re.Pattern[str]:
        return _any(self.file.feasts)

    @cached_property
    def other_week(self) -> re.Pattern[str]:
        """What makes the week of weekdays named with it, or behind it, unknown: “the week after, Tuesday”."""
        return _any(self.file.other_week)

    @cached_property
    def turn_of_year(self) -> re.Pattern[str]:
        """What is spoken of as the last days of a December."""
        return _any(self.file.turn_of_year)

    @cached_property
    def joins_a_span(self) -> re.Pattern[str]:
        """What stands between the two days, a mark before it or none, up to the second."""
        return compiled(rf",?\s+(?:{self.file.to})\s+$")

    @cached_property
    def moves(self) -> re.Pattern[str]:
        """Verbs of putting a day in another's place."""
        return _any(self.file.moves)

    @cached_property
    def feast_joints(self) -> frozenset[str]:
        return frozenset(self.file.feast_joints.split())

    @cached_property
    def clock(self) -> re.Pattern[str]:
        return compiled(self._expanded(self.file.clock))

    @cached_property
    def sure_months(self) -> Mapping[str, int]:
        """Months whose folded names are no other words."""
        shy = self.file.shy_months.split()
        return {name: number for name, number in self.months.items() if name not in shy}

    def month(self, written: str) -> int:
        return self.months[self._name(written)]

    def weekday(self, written: str) -> int:
        return self.weekdays[self._name(written)]

    def day(self, written: str) -> int:
        digits = re.match(r"\d+", written)
        return int(digits[0]) if digits else self._numbers_of_days[self._name(written)]

    def days(self, folded: str) -> frozenset[int]:
        """Return the numbers of a text that may be of days: of “vinte e um” also the parts."""
        said = f" {' '.join(_TOKEN.findall(folded))} "
        in_words = (number for name, number in self._numbers_of_days.items() if f" {name} " in said)
        return frozenset((*day_digits(folded), *in_words))

    def number(self, written: str) -> int:
        return int(written) if written.isdecimal() else self.numbers[self._name(written)]

    def unit(self, written: str) -> Unit:
        return self.units[_spaced(written)]

    def _weekday_anchors(self) -> frozenset[str]:
        tails = ("", *filter(None, self.file.weekday_tails.split("|")))
        names = {_longest(name) for name in self.weekdays}
        return frozenset(name + tail for name in names for tail in tails)

    def _anchors_of(self, expression: Expression) -> frozenset[str]:
        if expression.hints:
            return frozenset(fold(hint) for hint in expression.hints)
        expanded = [self._with_phrases(pattern) for pattern in expression.patterns]
        wanted = [_first_macro(pattern, self._anchors) for pattern in expanded]
        return frozenset().union(*(self._anchors[macro] for macro in wanted))

    def _source(self, pattern: str) -> str:
        return rf"(?<![\w-])(?:{self._expanded(pattern)})(?![\w-])"

    def _with_phrases(self, pattern: str) -> str:
        for _ in range(_DEEPEST):
            pattern = _MACRO.sub(lambda macro: self.file.phrases.get(macro[1], macro[0]), pattern)
        return pattern

    def _expanded(self, pattern: str) -> str:
        filled = _MACRO.sub(lambda macro: self._macros[macro[1]], self._with_phrases(pattern))
        return _with_gaps(fold_pattern(filled))

    @cached_property
    def _macros(self) -> Mapping[str, str]:
        file = self.file
        leads = [rf"(?P<{name}>{words})" for name, words in file.leads.items()]
        tails = rf"(?:{file.weekday_tails})?" if file.weekday_tails else ""
        year = r"(?P<year>(?:19|20)\d\d)"
        suffix = rf"(?:{file.day_suffix})?" if file.day_suffix else ""
        return {
            "lead": rf"(?:(?:{'|'.join(leads)}) )",
            "weekday": rf"(?P<weekday>{self._coded(self.weekdays)}){tails}{file.weekday_guard}",
            "any_weekday": rf"(?:{self._coded(self.weekdays)}){tails}",
            "month": rf"(?P<month>{self._coded(self.months)})(?:\.(?=\s?\d))?",
            "sure_month": rf"(?P<month>{self._coded(self.sure_months)})(?:\.(?=\s?\d))?",
            "first_month": rf"(?P<first_month>{self._coded(self.months)})(?:\.(?=\s?\d))?",
            "any_month": rf"(?:{self._coded(self.months)})",
            "day": rf"(?P<day>{_DIGITS}{suffix}|{self._coded(self.day_words)})",
            "counted_day": rf"(?P<day>{_DIGITS}{suffix}|{self._coded([*self.day_words, *self.cardinals])})",
            "first": rf"(?P<first>{_DIGITS}{suffix}|{self._coded(self.day_words)})",
            "digits": rf"(?P<day>{_DIGITS}){suffix}",
            "late_day": rf"(?P<day>{self._coded(self._late_days)})",
            "ordinal": rf"(?P<day>{_DIGITS}(?:{file.day_suffix})|{self._coded(self.day_words)})",
            "any_ordinal": rf"(?:{_DIGITS}(?:{file.day_suffix})|{self._coded(self.day_words)})",
            "number": rf"(?P<number>{self._coded(self.numbers)}|\d{{1,3}})",
            **{name: rf"(?:{self._worded(number)})" for name, number in _NUMBER_MACROS.items()},
            "any_number": rf"(?:{self._coded(self.numbers)}|\d{{1,3}})",
            "unit": rf"(?P<unit>{_names(self.units)})",
            "year": rf"(?:,?{_optional(file.year_of)} {year}\b"
            rf"|,?(?: (?P<next_year>{file.next_year})| (?P<last_year>{file.last_year})))?",
        }


def date_language(language: str) -> DateLanguage | None:
    """Return a language by BCP 47 tag, None for one that we do not read. Raise ConfigurationError for one
    that has phrases here and no names of months."""
    return _read(language.partition("-")[0].partition("_")[0].strip().lower())


@once
def languages() -> Sequence[str]:
    names = (file.name for file in files(__package__).joinpath(_FOLDER).iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def day_digits(text: str) -> Iterable[int]:
    """Return the numbers in digits that may be of days, not “10:30”."""
    return map(int, _DAY_DIGITS.findall(text))


def tokens(folded: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(folded))


def fold_pattern(pattern: str) -> str:
    """Take the accents off a pattern. Its capitals are no letters of a language: they stay."""
    return "".join(one if one.isascii() else fold(one) for one in pattern)


@once
def _read(code: str) -> DateLanguage | None:
    if code not in languages():
        return None
    text = files(__package__).joinpath(_FOLDER, f"{code}.toml").read_text("utf-8")
    return DateLanguage(code, convert(tomllib.loads(text), DateFile))


def _first_macro(pattern: str, known: Iterable[str]) -> str:
    return next((macro for macro in (*_BY_MACRO, *known) if macro in pattern), "{digits}")


def _names(table: Iterable[str]) -> str:
    longest_first = sorted(table, key=lambda name: (-len(name), name))
    return "|".join(re.escape(name).replace(r"\ ", r"[\s-]") for name in longest_first)


def _spaced(written: str) -> str:
    return re.sub(r"[\s-]+", " ", written)


def _longest(name: str) -> str:
    words: list[str] = _TOKEN.findall(name)
    return max(words, key=len)


def _with_gaps(pattern: str) -> str:
    return pattern.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}")


def _optional(pattern: str) -> str:
    return f"(?: (?:{pattern}))?" if pattern else ""


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return compiled(_with_gaps(_word(_or(patterns))))


def _or(patterns: Sequence[str]) -> str:
    return "|".join(patterns) or _NEVER


def _word(pattern: str) -> str:
    return rf"(?<!\w)(?:{pattern})(?!\w)"
