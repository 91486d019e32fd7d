"""What reads like an instruction to a model. The phrases are data, a file for each language, with examples.

    words        parts that patterns of the file share: `(?&own)` stands for `own`
    expression   hints: every match has one of them, at the beginning of a word where it begins with a blank;
                 patterns: of text in lower case, with ’ for each apostrophe; examples: texts that it finds;
                 counterexamples: talk that nothing here finds

No phrase is everyday talk: people ignore an invoice, or a previous message, but only a model has
instructions, prompts and rules of its own. Phrases alone protect nobody.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from voice_server.context.screening.literals import SearchedPattern
from voice_server.runtime.once import once

Kind = Literal["instruction_phrases", "markup_phrases", "order_phrases"]  # the folders
_WORDS = 10_000  # of which it is known what they may be a hint of
_START = 3  # letters of a word by which it is looked for in others
_SHARED = re.compile(r"\(\?&(\w+)\)")


class Expression(Struct, frozen=True):
    name: str
    hints: Sequence[str]
    patterns: Sequence[SearchedPattern]
    examples: Sequence[str]
    counterexamples: Sequence[str]

    def is_in(self, text: str) -> bool:
        """Search a `spelled` text. Apart, patterns are a multiple faster on long texts than as one."""
        return any(pattern.is_in(text) for pattern in self.patterns)


class _Hint(NamedTuple):
    text: str
    word: str  # the longest of its words, or parts of words
    begins: bool  # a word
    place: int  # of its expression

    def is_part_of(self, word: str) -> bool:
        if self.begins:
            return re.search(rf"\b{re.escape(self.word)}", word) is not None
        return self.word in word


class _Index:
    """Hints by the hash of a word. Words come again and again, but are not kept: what is said may be
    erased."""

    def __init__(self, expressions: Sequence[Expression], most: int) -> None:
        self._expressions = expressions
        self._starting: dict[str, list[_Hint]] = {}  # by the first letters of their words
        for place, one in enumerate(expressions):
            for text in one.hints:
                hint = _Hint(text.lstrip(), max(text.split(), key=len), text.startswith(" "), place)
                self._starting.setdefault(hint.word[:_START], []).append(hint)
        self._sizes = sorted({len(start) for start in self._starting})
        self._most = most
        self._known: dict[int, Sequence[_Hint]] = {}

    def hinted(self, text: str) -> Iterator[Expression]:
        """Yield the expressions that a text may have. Most talk hints at few: asking each takes ten times as
        long."""
        known, places = self._known, set[int]()
        for word in set(text.split()):  # no calls and generators: they would be half of what it costs
            hints = known.get(hash(word))
            for hint in self._learned(word) if hints is None else hints:
                if hint.text in text:
                    places.add(hint.place)
        return (self._expressions[place] for place in places)

    def _learned(self, word: str) -> Sequence[_Hint]:
        starts = {word[place : place + size] for size in self._sizes for place in range(len(word))}
        hints = (hint for start in starts for hint in self._starting.get(start, ()))
        if len(self._known) >= self._most:
            self._known.clear()
        found = self._known[hash(word)] = tuple(hint for hint in hints if hint.is_part_of(word))
        return found


def spelled(text: str) -> str:
    return text.lower().replace("'", "’").replace("ʼ", "’").replace("‘", "’")


def is_instruction(text: str) -> bool:
    """Search a `spelled` text."""
    return _is_any(("instruction_phrases",), text)


def is_suspicious(text: str) -> bool:
    """Search a `spelled` text also for the markup of prompts: roles, calls of tools, templates."""
    return _is_any(("instruction_phrases", "markup_phrases"), text)


def is_order(text: str) -> bool:
    """Search a `spelled` note."""
    return _is_any(("order_phrases",), text)


def _is_any(kinds: tuple[Kind, ...], text: str) -> bool:
    return any(expression.is_in(text) for expression in _index(kinds).hinted(text))


@once
def expressions(kind: Kind) -> tuple[Expression, ...]:
    data = sorted(files(__package__).joinpath(kind).iterdir(), key=lambda file: file.name)
    return tuple(
        one
        for file in data
        if file.name.endswith(".toml")
        for one in _read(tomllib.loads(file.read_text("utf-8")))
    )


@once
def _index(kinds: tuple[Kind, ...]) -> _Index:
    return _Index([one for kind in kinds for one in expressions(kind)], _WORDS)


def _read(data: Mapping[str, Any]) -> Iterator[Expression]:
    shared: Mapping[str, str] = data.get("words", {})
    for one in data["expression"]:
        patterns = [
            _SHARED.sub(lambda word: f"(?:{shared[word[1]]})", pattern) for pattern in one["patterns"]
        ]
        yield Expression(
            one["name"],
            tuple(spelled(hint) for hint in one["hints"]),
            tuple(SearchedPattern(re.compile(pattern)) for pattern in patterns),
            tuple(one["examples"]),
            tuple(one["counterexamples"]),
        )
