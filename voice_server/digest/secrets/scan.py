"""A turn, read for secrets: words with meanings, rows of digits, typed or spoken."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from voice_server.digest.secrets.lexicon import Kind, Lexicon, Meaning
from voice_server.digest.secrets.text import FoldedText, Token, fold, tokens

NOTHING = Meaning()  # of a word that the data files do not have
_SOFT = frozenset("-.,/:;·…()'\"、，。・")  # may stand between the digits of one number
HARD = frozenset(".!?;。！？\n")  # what ends a sentence
_CURRENCIES = frozenset("$€£¥₹")
_LOOKED_AT = 40  # units: what is further away says nothing of a number
_FILLERS = 3  # words and marks between two digits of one number
_LEAST = 3  # number words of what is worth reading: no secret is shorter
_PART = 1  # the same, and digits, of an answer, which may be a part of one
_ENTERED = 3  # units from "I type" to what is typed
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d(?:[\s.,/·_-]{0,3}\d){2}|(?<![a-z])[a-z]{2}\s?\d\d\s?[a-z0-9]{4}")
_WORDS = re.compile(r"[\u3007\u3040-\u30ff\u3400-\u9fff]|[a-z]{1,4}'(?=[a-z]{2})|[a-z]+|[^\W\d_]+")
_MARKS = {
    "[card number]": "card number",
    "[card code]": "card code",
    "[pin]": "PIN",
    "[iban]": "IBAN",
    "[password]": "password",
    "[code]": "code",
}

# What is no secret by its shape: dates, times, amounts, numbers with a country code.
_SHAPES = re.compile(
    r"(?<![\w.])(?:"
    r"\d{4}-\d\d?-\d\d?(?:t\d\d:\d\d[\d:.]*z?)?"
    r"|\d\d?[./-]\d\d?[./-](?:\d{4}|\d\d)(?![\d]|[./-]\d)"
    r"|\d\d?\.\d\d?\.(?!\d)"
    r"|\d\d?(?:[:h]|\ ?uhr\ ?)\d\d(?::\d\d)?(?![\d:])"
    r"|(?:0[1-9]|1[0-2])/\d\d(?:\d\d)?(?![\d/])"
    r"|\d{1,3}(?:[.,]\d{3})+(?:[.,]\d\d?)?(?![\d.,])"
    r"|\d{1,9}[.,]\d\d(?=\ ?(?:[€$£¥%]|eur|usd|gbp|dollar|pound|pfund|francs?|reais|yuan))"
    r")"
    r"|\+\ ?\d[\d\ ()./-]{5,18}\d"
    r"|[$€£¥]\ ?\d[\d.,]{0,15}"
    r"|(?<!\d)\d[\d.,]{0,15}\ ?(?:[$€£¥%]|元|円|年|月|日|点|分|時|人|個|岁|歳)"
)


class Unit(NamedTuple):
    text: str
    start: int
    end: int
    meaning: Meaning
    is_number: bool = False
    mark: Kind | None = None
    has_shape: bool = False

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.mark is not None

    @property
    def is_counting(self) -> bool:
        """Whether it is a number, or says one: “41”, “four”, “double”."""
        return self.is_number or bool(self.meaning.numbers or self.meaning.repeats)

    @property
    def leads(self) -> bool:
        """Whether it leads to what was announced: “it's”, “sure”."""
        return self.has("link") or self.has("fill")

    @property
    def links(self) -> bool:
        """Whether it says what something is, “it's”, and not also where it goes: “la”."""
        return self.has("link") and not self.has("toward")

    def has(self, tag: str) -> bool:
        return tag in self.meaning.tags


class Group(NamedTuple):
    """Digits said in one breath; `first` and `last` are units."""

    digits: str
    first: int
    last: int


class Run(Struct, frozen=True):
    """A row of digits: groups with nothing of their own between them."""

    groups: tuple[Group, ...]

    @property
    def first(self) -> int:
        return self.groups[0].first

    @property
    def last(self) -> int:
        return self.groups[-1].last

    @property
    def digits(self) -> str:
        return "".join(group.digits for group in self.groups)


class Scan(Struct, frozen=True):
    folded: FoldedText
    units: tuple[Unit, ...] = ()
    runs: tuple[Run, ...] = ()

    def words_between(self, first: int, last: int) -> list[Unit]:
        """Return the words before unit `last`, from `first` on; of many, the nearest."""
        return [unit for unit in self.units[max(first, last - _LOOKED_AT, 0) : last] if unit.is_word]

    def words_after(self, last: int) -> int:
        """Count the words behind a unit; of many, not all."""
        return sum(unit.is_word for unit in self.units[last + 1 : last + 1 + _LOOKED_AT])


def scan(text: str, words: Lexicon, *, answers: bool = False) -> Scan:
    """Read a turn; it has no units where nothing hints at a secret. `answers`: it may be part of a requested
    secret."""
    folded = fold(text)
    return read(folded, words) if _is_worth_reading(folded.text, words, answers=answers) else Scan(folded)


def read(folded: FoldedText, words: Lexicon) -> Scan:
    """Read a turn whatever is in it."""
    units = tuple(_units(folded.text, tokens(folded.text), words))
    return Scan(folded, units, tuple(_runs(units)))


def _is_worth_reading(folded: str, words: Lexicon, *, answers: bool) -> bool:
    if (answers and len(_DIGIT.findall(folded)) >= _PART) or _DIGITS.search(folded):
        return True
    said = _WORDS.findall(folded)
    if not words.anchors.isdisjoint(said) or (answers and not words.staying.isdisjoint(said)):
        return True
    return sum(word in words.numbers for word in said) >= (_PART if answers else _LEAST)


def _units(folded: str, said: Sequence[Token], words: Lexicon) -> Iterator[Unit]:
    shapes = [match.span() for match in _SHAPES.finditer(folded)]
    at, shape = 0, 0
    while at < len(said):
        token = said[at]
        while shape < len(shapes) and shapes[shape][1] <= token.start:
            shape += 1
        if shape < len(shapes) and token.start >= shapes[shape][0]:
            yield Unit(token.text, token.start, token.end, NOTHING, has_shape=True)
            at += 1
        elif token.is_number or token.is_mark:
            mark = _MARKS.get(token.text)
            yield Unit(token.text, token.start, token.end, NOTHING, token.is_number, mark)  # type: ignore[arg-type]  # the marks are of kinds
            at += 1
        else:
            found = words.match(said, at)
            size = found.size if found else 1
            end = said[at + size - 1].end
            yield Unit(folded[token.start : end], token.start, end, found.meaning if found else NOTHING)
            at += size


def _runs(units: Sequence[Unit]) -> Iterator[Run]:
    at = 0
    while at < len(units):
        unit = units[at]
        if unit.is_counting:
            reading = _Reading(units, at)
            if reading.groups:
                yield Run(tuple(reading.groups))
            at = max(reading.end, at + 1)
        else:
            at += 1


class _Reading:
    """A row of digits in one language, with little between."""

    def __init__(self, units: Sequence[Unit], at: int) -> None:
        self.groups: list[Group] = []
        self.end = at
        self._languages: frozenset[str] | None = None
        self._said: list[tuple[int, int, Mapping[str, str] | str, int]] = []
        self._read(units, at)

    def _read(self, units: Sequence[Unit], at: int) -> None:
        between, repeat, begin = 0, 1, None
        while at < len(units) and between <= _FILLERS:
            unit = units[at]
            if self._is_article(units, at):
                break
            if unit.is_number or (
                unit.meaning.numbers and not unit.has_shape and self._speaks(unit.meaning.numbers)
            ):
                value = unit.text if unit.is_number else unit.meaning.numbers
                self._said.append((at if begin is None else begin, at, value, repeat))
                between, repeat, begin = 0, 1, None
                self.end = at + 1
            elif unit.meaning.repeats and not unit.has_shape:
                repeat, begin = next(iter(unit.meaning.repeats.values())), at
            elif self._said and not unit.has_shape and (unit.has("fill") or unit.text in _SOFT):
                between += 1
            else:
                break
            at += 1
        self.groups = list(self._joined(units))

    def _is_article(self, units: Sequence[Unit], at: int) -> bool:
        """“Sou do 704. O portão …”: a sentence begins with it, and a word follows."""
        is_letter = len(units[at].text) == 1 and units[at].text.isalpha()
        follows_digits = bool(self._said) and isinstance(self._said[-1][2], str)
        if not (is_letter and follows_digits and units[at - 1].text in (*HARD, ",")):
            return False
        return any(one.is_word and not one.is_counting for one in units[at + 1 : at + 2])

    def _speaks(self, numbers: Mapping[str, str]) -> bool:
        """Narrow the languages to those of all numbers so far."""
        common = frozenset(numbers) if self._languages is None else self._languages & frozenset(numbers)
        if common:
            self._languages = common
        return bool(common)

    def _joined(self, units: Sequence[Unit]) -> Iterator[Group]:
        """Join “forty” and “one” to 41."""
        language = min(self._languages or ("",))
        before: Group | None = None
        for first, last, value, repeat in self._said:
            digits = value if isinstance(value, str) else value[language]
            group = Group(digits * repeat, first, last)
            if before and not isinstance(value, str) and _adds_to(before, group, units):
                before = Group(
                    before.digits[0] + digits if len(digits) == 1 else _sum(before, group), before.first, last
                )
                continue
            if before:
                yield before
            before = group
        if before:
            yield before


def _adds_to(tens: Group, group: Group, units: Sequence[Unit]) -> bool:
    """“Forty” and “one” are 41, “soixante” and “douze” 72."""
    spoken = not units[tens.last].is_number and tens.first == tens.last
    between = units[tens.last + 1 : group.first]
    close = all(unit.text in ("-", "y", "e", "et", "en", "und") for unit in between) and len(between) <= 1
    if (
        not spoken
        or not close
        or len(tens.digits) != len("40")
        or tens.digits[1] != "0"
        or tens.digits < "20"
    ):
        return False
    return group.digits != "0" and (
        len(group.digits) == 1 or (tens.digits in ("60", "80") and group.digits < "20")
    )


def _sum(tens: Group, group: Group) -> str:
    return str(int(tens.digits) + int(group.digits))


def is_entered(one: Scan, run: Run) -> bool:
    """Tell whether somebody types or uses digits: “I turn it off with 5803”."""
    before = [unit for unit in one.units[max(run.first - _ENTERED, 0) : run.first] if unit.is_word]
    return any(unit.has("entered") for unit in before)


def is_counted(units: Sequence[Unit], run: Run) -> bool:
    """Tell whether a short number counts something, by the words around: euros, “since”, “room”. A comma
    keeps the one before away: “let me turn it over, 6 3 7”."""
    after = next((unit for unit in units[run.last + 1 : run.last + 2]), None)
    if after and (after.has("after") or after.text in _CURRENCIES or after.text == "%" or after.has_shape):
        return True
    near = [unit for unit in units[max(run.first - 3, 0) : run.first] if not unit.has("fill")]
    before = near[-1:] if [unit.text for unit in near[-1:]] != [","] else []
    return any(
        (unit.has("before") and not unit.has("link")) or unit.text in _CURRENCIES or unit.has_shape
        for unit in before
    )
