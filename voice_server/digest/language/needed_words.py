"""The words that a text must hold for patterns to match it.

Hundreds of patterns say one thing, and a hundred groups of them are looked for in each sentence, most of
which holds none. Its words, looked up once for all groups, leave a tenth of the searches. Nothing is missed:
a group is left out where a text lacks what each of its patterns needs, and a pattern that holds what is not
read here needs nothing.

A letter is one of a to z, and a word is letters with none beside them. All else are signs, whatever PCRE2
takes for a part of a word. Texts are folded already: case counts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from operator import or_
from string import ascii_lowercase

from msgspec import Struct
from msgspec.structs import replace

Need = frozenset[str]  # words, beginnings of words and signs: a text holds one of them

_WHOLE = "."  # behind a word that is all of one, not its beginning
_LONGEST = 7  # letters of a beginning: more tell no more
_WORDS_KEPT = 5000  # with what they meet: 0.6 MB for each language
_ASKED = 2  # needs of each pattern, its rarest
_EVERYWHERE = frozenset(" -',")  # signs that tell nothing
_WORD = re.compile("[a-z]+")
_HEX = re.compile(r"\\x([0-9a-f]{2})")
_TOKEN = re.compile(
    r"([a-z]+(?![*+?{])|\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\((?:\?P<\w+>|\?<?.)?|.)"
    r"((?:[*+?]|\{\d+(?:,\d*)?\})?)[+?]?",
    re.DOTALL,
)
_PERHAPS_LETTERS = re.compile(r"^\^|(?<!\\)[a-z]|\\[^\WsdW]|.-.", re.DOTALL)
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_UNREAD = tuple("*+?{[\\(")


class UnreadError(ValueError):
    """A pattern holds what is not read here."""


class Part(Struct, frozen=True):
    """A part of a pattern: letters, one of some signs, one of some sequences, or what needs nothing; and what
    may be: that it begins and ends with a letter, matches nothing, or matches more than once."""

    letters: str = ""
    signs: Need = frozenset()
    choices: tuple["Parts", ...] = ()
    begins: bool = False
    ends: bool = False
    is_edge: bool = False  # of a word
    may_lack: bool = False
    repeats: bool = False


Parts = tuple[Part, ...]
_NOTHING = Part(may_lack=True)
_EDGE = Part(may_lack=True, is_edge=True)
_NO_LETTER = Part()
_PERHAPS_A_LETTER = Part(begins=True, ends=True)
_KNOWN = {
    **dict.fromkeys([".", r"\w", r"\S"], _PERHAPS_A_LETTER),
    **dict.fromkeys([r"\W", r"\s", r"\d"], _NO_LETTER),
    **dict.fromkeys(["^", "$"], _NOTHING),
    r"\b": _EDGE,
}


class NeededWords:
    """What the patterns of some groups need, told of a text for all of them at once."""

    def __init__(self, groups: Mapping[str, Iterable[str]]) -> None:
        ways = [(group, needs) for group in groups for one in groups[group] for needs in needs_of(one)]
        self._count = len(ways)
        self._group_of = [group for group, _ in ways]
        self._ways_of = dict.fromkeys(groups, 0)  # as bits
        self._met_by_all = 0  # needs, as bits: the first of each way, and behind them the second
        self._met_by: dict[str, int] = {}
        for number, (group, needs) in enumerate(ways):
            self._ways_of[group] |= 1 << number
            self._add(needs, 1 << number)
        self._signs = self._met_by.keys() - set(ascii_lowercase)
        self._of_word = lru_cache(_WORDS_KEPT)(self._met_by_word)

    def _add(self, needs: Sequence[Need], bit: int) -> None:
        for place in range(_ASKED):
            if place >= len(needs):
                self._met_by_all |= bit << place * self._count
            else:
                for key in needs[place]:
                    self._met_by[key] = self._met_by.get(key, 0) | bit << place * self._count

    def groups(self, text: str) -> frozenset[str]:
        """Return the groups of which a text may hold a pattern."""
        met = self._met_by_all
        for word in _WORD.findall(text):
            met |= self._of_word(word)
        for sign in self._signs.intersection(text):
            met |= self._met_by[sign]
        return frozenset(self._groups_of(met & met >> self._count))

    def _groups_of(self, ways: int) -> Iterator[str]:
        while ways:
            group = self._group_of[ways.bit_length() - 1]
            ways &= ~self._ways_of[group]
            yield group

    def _met_by_word(self, word: str) -> int:
        beginnings = (word[:length] for length in range(1, min(len(word), _LONGEST) + 1))
        return reduce(or_, (self._met_by.get(key, 0) for key in (word + _WHOLE, *beginnings)))


# What a pattern needs.


def needs_of(pattern: str) -> list[list[Need]]:
    """Return the rarest needs of each way to match a pattern that begins and ends where words do."""
    try:
        ways, _ = _ways(_tokens(pattern))
    except UnreadError:
        return [[]]
    while len(ways) == 1 == len(ways[0]) and _is_choice(ways[0][0]):
        ways = ways[0][0].choices
    return [sorted(dict.fromkeys(_needs(way)), key=_often)[:_ASKED] for way in ways]


def _is_choice(part: Part) -> bool:
    return part.choices != () and not part.may_lack and not part.repeats


def _often(need: Need) -> float:
    """Guess how often a text meets a need: the shorter its words, the oftener."""
    return sum(2.0 ** -len(key) for key in need)


def _needs(way: Parts, *, behind: bool = False, ahead: bool = False) -> Iterator[Need]:
    """Yield the needs of a sequence; whether a letter may stand right behind or ahead of it."""
    parts = _spelled_out(way)
    for place, part in enumerate(parts):
        if not part.may_lack and (part.letters or part.signs or part.choices):
            yield from _needs_of_part(
                part,
                behind=(part.repeats and part.ends) or _ends(parts[:place], outside=behind),
                ahead=(part.repeats and part.begins) or _begins(parts[place + 1 :], outside=ahead),
            )


def _needs_of_part(part: Part, *, behind: bool, ahead: bool) -> Iterator[Need]:
    if part.letters and not behind:
        yield frozenset({part.letters[:_LONGEST] if ahead else part.letters + _WHOLE})
    elif part.signs:
        yield part.signs
    elif part.choices:
        each = [[*_needs(way, behind=behind, ahead=ahead)] for way in part.choices]
        if len(each) == 1:
            yield from each[0]
        elif all(each):
            yield frozenset().union(*(min(needs, key=_often) for needs in each))


def _spelled_out(way: Parts) -> Parts:
    """Put in both ways what may be left out before letters: “don[' ]?t” is “don't” or “dont”."""
    for place, part in enumerate(way[:-1]):
        rest = way[place + 1]
        if part.may_lack and _is_run(rest) and not (held := _held(part)).may_lack:
            first = way[place - 1 : place] if place and _is_run(way[place - 1]) else ()
            without = _run("".join(run.letters for run in (*first, rest)))
            both = _choice(((*first, held, rest), (without,)))
            return _spelled_out((*way[: place - len(first)], both, *way[place + 2 :]))
    return way


def _begins(parts: Parts, *, outside: bool) -> bool:
    for part in parts:
        if part.begins or part.is_edge or not part.may_lack:
            return part.begins
    return outside


def _ends(parts: Parts, *, outside: bool) -> bool:
    for part in reversed(parts):
        if part.ends or part.is_edge or not part.may_lack:
            return part.ends
    return outside


def _run(letters: str) -> Part:
    return Part(letters=letters, begins=True, ends=True)


def _is_run(part: Part) -> bool:
    return part.letters != "" and not part.may_lack and not part.repeats


def _choice(choices: tuple[Parts, ...]) -> Part:
    return Part(
        choices=choices,
        begins=any(_begins(way, outside=False) for way in choices),
        ends=any(_ends(way, outside=False) for way in choices),
        may_lack=any(all(part.may_lack for part in way) for way in choices),
    )


def _held(part: Part) -> Part:
    """Return as one that may not be left out what may be, and stands once."""
    if part is _NOTHING or part is _EDGE or part.repeats:
        return part
    return _choice(part.choices) if part.choices else replace(part, may_lack=False)


# What a pattern says.


def _tokens(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield brackets, letters, signs and classes of them, each with how often it may stand."""
    return iter(_TOKEN.findall(_HEX.sub(lambda found: re.escape(chr(int(found[1], 16))), pattern)))


def _ways(tokens: Iterator[tuple[str, str]]) -> tuple[tuple[Parts, ...], str]:
    """Read as far as the bracket that closes, and return how often it may stand."""
    ways: list[list[Part]] = [[]]
    for atom, times in tokens:
        if atom == ")":
            return tuple(map(tuple, ways)), times
        if atom == "|":
            ways.append([])
        elif atom.startswith("("):
            ways[-1].append(_read_group(atom, tokens))
        else:
            ways[-1].append(_read(atom, times))
    return tuple(map(tuple, ways)), ""


def _read_group(opens: str, tokens: Iterator[tuple[str, str]]) -> Part:
    choices, times = _ways(tokens)
    if opens in _LOOKS and not times:
        return _NOTHING
    if opens in ("(", "(?:") or opens.startswith("(?P<"):
        return _standing(_choice(choices), times)
    raise UnreadError(opens)


@cache
def _read(atom: str, times: str) -> Part:
    """Read letters, a sign or a class of them. Cached: all patterns hold the same."""
    known = _KNOWN.get(atom)
    if known is not None:
        return _standing(known, times)
    if atom.startswith("["):
        perhaps = _PERHAPS_LETTERS.search(atom[1:-1]) is not None
        return _standing(
            Part(signs=_signs("" if perhaps or "\\" in atom else atom[1:-1]), begins=perhaps, ends=perhaps),
            times,
        )
    said = atom.removeprefix("\\")
    if atom in _UNREAD or (said != atom and said.isalnum()):
        raise UnreadError(atom)
    return _standing(_run(said) if _WORD.fullmatch(said) else Part(signs=_signs(said)), times)


def _standing(part: Part, times: str) -> Part:
    if not times:
        return part
    if part is _NOTHING or part is _EDGE:
        raise UnreadError(times)
    return replace(part, may_lack=part.may_lack or times.startswith(("?", "*", "{0")), repeats=times != "?")


def _signs(signs: str) -> Need:
    return Need() if _EVERYWHERE & set(signs) else Need(signs)
