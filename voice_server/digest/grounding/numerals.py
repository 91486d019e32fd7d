"""The numbers of a text, typed or spoken: “72”, “zweiundsiebzig”, “two oh five fifty five”.

Spoken numbers run together, and who writes them down cuts them differently: so of what was said every reading
counts (205, 55, 20555), and of what a digest tells each number by itself.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.grounding.vocabulary import Vocabulary, plain, vocabularies

_THOUSANDS = re.compile(r"(?<=\d)[,.\u202f\u00a0 ’'](?=\d{3}(?!\d))")
_TOKEN = re.compile(r"\d{1,30}|[^\W\d_]+|[,;.!?](?=\s)")
_ORDINAL = re.compile(r"st(?:e[nmrs]?)?$")  # "fünfundsiebzigsten"
_CLOCK = r"\s?(?::\d\d|h\b|h\d\d|uhr|heures?|horas?|ore\b|uur|\.\d\d\b)"
_LONGEST_PHRASE = 3  # words: "quatre vingt dix"
_LONGEST_RUN = 40  # numbers that are read together
_PARTS = 5  # of a number that was said in parts
_LONG = 4  # digits of a number that is found wherever it was cut
_COMPOUND = 6  # letters of the shortest word that has several numbers in it
_TEN, _TWENTY, _HUNDRED, _THOUSAND = 10, 20, 100, 1000
_SCALES = {"00": _HUNDRED, "000": _THOUSAND}
_HALF_DAY = 12
_PAUSES = tuple(",;.!?")
_ENDING = 3  # letters, at most, that follow an ordinal's stem, and one


class SpokenNumbers(Struct, frozen=True):
    """Every reading, and the rows of digits they stand in."""

    readings: frozenset[str]
    rows: tuple[str, ...]

    def lacking(self, text: str, vocabulary: Vocabulary | None) -> str:
        """Return the first number of a folded text that was not said, in digits, or ""."""
        for number in told_numbers(text, vocabulary):
            if not self._has(number) and not self._has_hour(number, text, vocabulary):
                return number
        return ""

    def _has(self, number: str) -> bool:
        bare = _bare(number)
        return bare in self.readings or (len(number) >= _LONG and any(number in row for row in self.rows))

    def _has_hour(self, number: str, text: str, vocabulary: Vocabulary | None) -> bool:
        """“At four” is 16:00, too."""
        hour = int(number) - _HALF_DAY
        if not (0 < hour <= _HALF_DAY and str(hour) in self.readings):
            return False
        at = "|".join(vocabulary.lists["clock"]) if vocabulary else ""
        return bool(re.search(rf"{number}{_CLOCK}" + (rf"|\b(?:{at})\s{number}\b" if at else ""), text))


class _Number(Struct, frozen=True):
    values: tuple[str, ...]
    is_word: bool = True
    is_vague: bool = False  # may well be no number: "one", "second"
    is_loose: bool = False  # is no part of another: "half"
    follows: str = ""  # a comma or joint before it
    is_within: bool = False  # stands within a word, behind others: the fifty of "zweihundertfünfzig"


class _Group(Struct):
    """A number of several: `base` stands, `tail` is what comes next, below `room`."""

    base: int
    tail: int
    room: int
    is_vague: bool = False
    digits: str = ""  # as they were typed, while nothing is added
    cut: int = 0  # hundreds behind which another number may begin: "two hundred eight years"

    @property
    def value(self) -> str:
        return self.digits or str(self.base + self.tail)

    @property
    def parts(self) -> tuple[str, ...]:
        return (str(self.cut), str(self.base + self.tail - self.cut)) if self.cut else ()

    def takes(self, value: str) -> bool:
        """Add a number if the two are one, and tell whether they were."""
        if value in _SCALES:
            return self._scaled(value)
        number = int(value)
        if not 0 < number < self.room:
            return False
        self.digits, self.is_vague = "", False
        if self.room <= _TWENTY:
            self.tail, self.room = self.tail + number, 0
        else:
            self.base, self.tail, self.room = self.base + self.tail, number, _room(number)
        return True

    def _scaled(self, value: str) -> bool:
        scale = _SCALES[value]
        self.cut = 0
        if not 0 < self.tail < scale and not (scale == _THOUSAND and self.base < scale):
            return False
        if scale == _THOUSAND:
            self.base, self.tail = (self.base + self.tail) * scale, 0
        else:
            self.base, self.tail = self.base + self.tail * scale, 0
        self.room, self.digits, self.is_vague = scale, "", False
        return True


def said_numbers(texts: Sequence[str], language: str) -> SpokenNumbers:
    """Return the numbers in a language; in all that are read when it is not known."""
    readings, rows = set[str](), list[str]()
    for text in map(plain, texts):
        for vocabulary in vocabularies(language) or (None,):
            found = list(_readings(text, vocabulary))
            readings |= _with_hours_before({one for reading, _ in found for one in reading})
            rows += [row for _, row in found]
    return SpokenNumbers(frozenset(readings), tuple(dict.fromkeys(rows)))


def _with_hours_before(readings: set[str]) -> set[str]:
    """“Halb neun” is 8:30, a quarter to nine 8:45."""
    if readings.isdisjoint(("30", "45")):
        return readings
    hours = {one for one in readings if len(one) < 3 and 1 < int(one) <= _HALF_DAY}  # noqa: PLR2004 (two digits)
    return readings | {str(int(hour) - 1) for hour in hours}


def told_numbers(text: str, vocabulary: Vocabulary | None) -> list[str]:
    """Return the numbers of a folded text as digits, without words like “one” that are seldom numbers."""
    groups = (group for run in _runs(text, vocabulary) for group in _groups(run))
    return [group.value for group in groups if not group.is_vague and group.value.strip("0")]


def other_place(text: str, texts: Sequence[str], vocabulary: Vocabulary) -> str:
    """Return the ordinal of a folded text that these have otherwise, before the same word: “second floor”
    is no “third floor”."""
    told, said = _places(text, vocabulary), [pair for one in texts for pair in _places(one, vocabulary)]
    for value, word in told:
        others = {other for other, behind in said if behind == word}
        if others and value not in others:
            return word
    return ""


def _places(text: str, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    words = _TOKEN.findall(text)
    return [
        (value, behind)
        for word, behind in pairwise(words)
        for value in {one.values[0] for one in _ordinal(word, vocabulary)}
        if len(behind) >= _LONG and behind.isalpha() and word not in vocabulary.weekdays
    ]


def _readings(text: str, vocabulary: Vocabulary | None) -> Iterator[tuple[set[str], str]]:
    for run in _runs(text, vocabulary):
        singles = [one.values[0] for one in run]
        put_together = _groups(run)
        groups = [group.value for group in put_together]
        joined = any(one.follows for one in run)  # "sixty and one of" is 60, too
        found = {value for one in run if one.is_loose or joined for value in one.values}
        found |= {part for group in put_together for part in group.parts}
        found |= {
            "".join(groups[start : start + size])
            for start in range(len(groups))
            for size in range(1, _PARTS + 1)
        }
        yield {_bare(value) for value in found}, "".join(singles)
        if groups != singles:
            yield set(), "".join(groups)


def _runs(text: str, vocabulary: Vocabulary | None) -> Iterator[list[_Number]]:
    words = _TOKEN.findall(_THOUSANDS.sub("", text))
    run: list[_Number] = []
    between = ""
    at = 0
    while at < len(words):
        found, size = _number(words, at, vocabulary)
        is_loose = any(one.is_loose for one in (*run[-1:], *found))
        if run and found and len(run) < _LONGEST_RUN and not is_loose:
            run += [replace(found[0], follows=between), *found[1:]]
            between = ""
        elif run and not found and (words[at] in _PAUSES or (vocabulary and words[at] in vocabulary.glue)):
            between = between if between in _PAUSES else words[at]  # "treinta y cinco", "five, seven"
        else:
            if run:
                yield run
            run, between = list(found), ""
        at += size
    if run:
        yield run


def _number(words: Sequence[str], at: int, vocabulary: Vocabulary | None) -> tuple[Sequence[_Number], int]:
    """Return the numbers at a word, and how many words they take."""
    word = words[at]
    if word[0].isdigit():
        return (_Number((word,), is_word=False),), 1
    if vocabulary is None:
        return (), 1
    for size in range(_LONGEST_PHRASE if word in vocabulary.leads else 1, 0, -1):
        phrase = " ".join(words[at : at + size])
        if phrase in vocabulary.numbers:
            return (_of(phrase, vocabulary),), size
    times, following = vocabulary.repeats.get(word), words[at + 1] if at + 1 < len(words) else ""
    if times and following in vocabulary.numbers:
        return (_Number((vocabulary.numbers[following][0] * times,)),), 2
    return (_ordinal(word, vocabulary) or tuple(_compound(_ORDINAL.sub("", word), vocabulary))), 1


def _of(phrase: str, vocabulary: Vocabulary) -> _Number:
    values = vocabulary.numbers[phrase]
    is_vague = values in (("0",), ("1",)) or phrase in vocabulary.uncounted
    return _Number(values, is_vague=is_vague, is_loose=phrase in vocabulary.loose)


def _ordinal(word: str, vocabulary: Vocabulary) -> tuple[_Number, ...]:
    """“Dritten”, “tercera”: it counts as said, and is never told as a number."""
    for end in range(len(word), max(len(word) - _ENDING, 2), -1):
        if value := vocabulary.ordinals.get(word[:end]):
            return (_Number((value,), is_vague=True),)
    return ()


def _compound(word: str, vocabulary: Vocabulary) -> Iterator[_Number]:
    """Yield the numbers in one word: “zweihundertfünfzig” has 2, 100 and 50."""
    if (
        vocabulary.compound == ("-",)
        or len(word) < _COMPOUND
        or not _whole(vocabulary.language).fullmatch(word)
    ):
        return
    is_within = False
    for part in _part(vocabulary.language).findall(word):
        if part in vocabulary.numbers:
            yield replace(_of(part, vocabulary), is_within=is_within)
            is_within = True


@cache
def _part(language: str) -> re.Pattern[str]:
    [known] = vocabularies(language)
    words = sorted({*known.numbers, *known.compound}, key=len, reverse=True)
    return re.compile("|".join(word for word in words if " " not in word))


@cache
def _whole(language: str) -> re.Pattern[str]:
    return re.compile(f"(?:{_part(language).pattern})+")


def _groups(run: Sequence[_Number]) -> list["_Group"]:
    """“Seventy” “two” is 72."""
    found: list[_Group] = []
    for one in run:
        value = one.values[0]
        before = found[-1].base + found[-1].tail if found else 0
        if one.follows in _PAUSES or not (found and one.is_word and found[-1].takes(value)):
            found.append(_group(value, one))
        elif _may_be_cut(before, one):
            found[-1].cut = before
    return found


def _may_be_cut(before: int, one: _Number) -> bool:
    """“Two hundred eight years” may be two numbers."""
    is_small = one.values[0] not in _SCALES and int(one.values[0]) < _TWENTY
    return (
        _HUNDRED <= before < _THOUSAND
        and before % _HUNDRED == 0
        and is_small
        and not (one.follows or one.is_within)
    )


def _group(value: str, one: _Number) -> "_Group":
    if one.is_word and value in _SCALES:
        return _Group(_SCALES[value], 0, _SCALES[value])
    number = int(value)
    room = _room(number) if one.is_word else 0
    return _Group(0, number, room, one.is_vague, "" if one.is_word else value)


def _room(number: int) -> int:
    if number in (60, 80):
        return _TWENTY  # "soixante-douze"
    if _TWENTY <= number < _HUNDRED and number % _TEN == 0:
        return _TEN
    return _HUNDRED if number >= _HUNDRED and number % _HUNDRED == 0 else 0


def _bare(number: str) -> str:
    return number.lstrip("0") or "0"
