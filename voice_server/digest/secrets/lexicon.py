"""The words of secrets, a file per language: spoken numbers, what announces a secret or a number that
stays."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Literal, NamedTuple, cast

from msgspec import Struct, convert

from voice_server.digest.language.language_files import languages_in
from voice_server.digest.secrets.compounds import Compounds, CompoundsFile, digits_of
from voice_server.digest.secrets.text import Token, fold, tokens
from voice_server.runtime.once import once

Kind = Literal["card number", "card code", "PIN", "IBAN", "password", "code"]
KINDS: tuple[Kind, ...] = ("card number", "card code", "PIN", "IBAN", "password", "code")
_FOLDER = resources.files(__package__) / "phrases"
LANGUAGES = languages_in(_FOLDER)
_LONG = 4  # letters of a word that is seldom one of "the", "my", "los"
_TAGS = (
    "soft",
    "of",
    "where",
    "contracted",
    "entered",
    "remains",
    "everyday",
    "points",
    "fill",
    "link",
    "toward",
    "before",
    "after",
    "stay",
    "ask",
    "stop",
    "no_value",
    "denied",
    "spell",
    "sign",
    "altered",
    "answers",
    "offered",
    "renewed",
    "corrects",
    "as_in",
    "back",
    "figure",
    "name",
)


class Meaning(Struct):
    """What a phrase may mean. `numbers` and `repeats` are by language; `hints` is less sure than `announces`;
    `tags` are the data files' lists that have it."""

    numbers: dict[str, str] = {}
    repeats: dict[str, int] = {}
    announces: Kind | None = None
    hints: Kind | None = None
    tags: frozenset[str] = frozenset()

    @property
    def is_firm(self) -> bool:
        """Whether it says what a number is, whatever stands around."""
        return (self.announces is not None or "stay" in self.tags) and "soft" not in self.tags


class _Node(Struct):
    following: dict[str, "_Node"] = {}
    meaning: Meaning | None = None


class Match(NamedTuple):
    """The longest phrase at a place; `size` is in tokens."""

    meaning: Meaning
    size: int


class Lexicon(Struct):
    """The phrases of all languages: speakers borrow words. Every phrase that announces a secret has a word of
    `anchors`; every phrase for a number that stays, of `staying`."""

    root: _Node
    anchors: frozenset[str]
    staying: frozenset[str]
    numbers: frozenset[str]
    compounds: Mapping[str, Compounds]

    def match(self, said: Sequence[Token], at: int) -> Match | None:
        """Return the longest phrase at a token, unless it is soft and another begins within it (“el código”
        in “el código postal”)."""
        found = self._longest(said, at, len(said))
        while found and "soft" in found.meaning.tags and (cut := self._cut(said, at, found.size)):
            found = self._longest(said, at, at + cut)
        return found or self._compound(said[at].text)

    def _compound(self, word: str) -> Match | None:
        numbers = digits_of(word, self.compounds)
        return Match(Meaning(numbers), 1) if numbers else None

    def _cut(self, said: Sequence[Token], at: int, size: int) -> int:
        for begin in range(1, size):
            other = self._longest(said, at + begin, len(said))
            if other and begin + other.size > size and other.meaning.is_firm:
                return begin
        return 0

    def _longest(self, said: Sequence[Token], at: int, end: int) -> Match | None:
        """Hyphens within a phrase do not matter."""
        node, place, found = self.root, at, None
        while place < end:
            text = said[place].text
            following = node.following.get(text)
            if following is None:
                if text != "-" or node is self.root:
                    break
                place += 1
                continue
            node, place = following, place + 1
            if node.meaning is not None:
                found = Match(node.meaning, place - at)
        return found


@once
def lexicon() -> Lexicon:
    root = _Node()
    announcing, staying, numbers = list[tuple[str, ...]](), list[tuple[str, ...]](), set[str]()
    for language in LANGUAGES:
        for phrase, change in _entries(language, read(language)):
            said = _words(phrase)
            _add(root, said, change)
            if "announces" in change or "hints" in change:
                announcing.append(said)
            elif change.get("tag") == "stay":
                staying.append(said)
            elif "number" in change:
                numbers.add(said[0])
    return Lexicon(root, _anchors(announcing), _anchors(staying), frozenset(numbers), _compounds())


def _compounds() -> dict[str, Compounds]:
    files = {language: read(language) for language in LANGUAGES}
    return {
        language: Compounds(convert(data["compounds"], CompoundsFile), [*numbers(data)])
        for language, data in files.items()
        if "compounds" in data
    }


def _anchors(phrases: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """“code” stands for “my code” and “code on the back”; long words come sooner."""
    often = Counter(word for said in phrases for word in set(said))
    return frozenset(max(said, key=lambda word: (len(word) >= _LONG, often[word])) for said in phrases)


@once
def read(language: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


@once
def pattern(name: str) -> re.Pattern[str]:
    """Find, in folded text, any of the phrases that the files list under a name."""
    said = {fold(phrase).text for language in LANGUAGES for phrase in read(language).get(name, ())}
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(said, key=len, reverse=True)))})(?!\w)")


def _words(phrase: str) -> tuple[str, ...]:
    return tuple(one.text for one in tokens(fold(phrase).text) if one.text != "-")


def _entries(language: str, data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for value, phrases in numbers(data):
        for phrase in phrases:
            yield phrase, {"number": (language, value)}
    for times, phrases in data.get("repeat", {}).items():
        for phrase in phrases:
            yield phrase, {"repeat": (language, int(times))}
    for how in ("announces", "hints"):
        for kind, phrases in data.get(how, {}).items():
            for phrase in phrases:
                yield phrase, {how: kind}
    for tag in _TAGS:
        for phrase in data.get(tag, ()):
            yield phrase, {"tag": tag}


def numbers(data: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield spoken numbers, also those made of two: “vierundzwanzig” by “{unit}und{tens}”."""
    spoken: Mapping[str, Sequence[str]] = data.get("numbers", {})
    yield from spoken.items()
    pattern = data.get("joined", "")
    tens = {value: words for value, words in spoken.items() if _is_tens(value)}
    units = {**spoken, **data.get("joined_units", {})}
    for value, words in tens.items() if pattern else ():
        for unit in "123456789":
            made = [pattern.format(unit=one, tens=ten) for one in units[unit] for ten in words]
            yield f"{value[0]}{unit}", made


def _is_tens(value: str) -> bool:
    return len(value) == len("20") and value[1] == "0" and value[0] > "1"


def _add(root: _Node, said: Sequence[str], change: Mapping[str, Any]) -> None:
    node = root
    for word in said:
        node = node.following.setdefault(word, _Node())
    node.meaning = meaning = node.meaning or Meaning()
    if "number" in change:
        language, value = change["number"]
        meaning.numbers[language] = value
    elif "repeat" in change:
        language, times = change["repeat"]
        meaning.repeats[language] = times
    elif "announces" in change:
        meaning.announces = cast("Kind", change["announces"])
    elif "hints" in change:
        meaning.hints = cast("Kind", change["hints"])
    else:
        meaning.tags |= {change["tag"]}
