"""What reads like an instruction to a model. The phrases are data, a file for each language, with examples.

    words        parts that patterns of the file share: `(?&own)` stands for `own`
    expression   hints: every match has one of them; patterns: of text in lower case, with ’ for each
                 apostrophe; examples: texts that it finds; counterexamples: talk that nothing here finds

Phrases are in the forms that are no everyday talk: one ignores an invoice, what was said about Tuesday, even
a previous message; instructions, prompts and rules of one's own only a model has. Nobody is protected by them
alone.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Literal

from msgspec import Struct

from voice_server.runtime.once import once

Kind = Literal["instruction_phrases", "markup_phrases", "order_phrases"]  # the folders
_START = 4  # characters of a hint
_SHARED = re.compile(r"\(\?&(\w+)\)")


class Expression(Struct, frozen=True):
    """One way to instruct a model."""

    name: str
    hints: Sequence[str]
    patterns: Sequence[re.Pattern[str]]
    examples: Sequence[str]
    counterexamples: Sequence[str]

    def is_in(self, text: str) -> bool:
        """Whether a `spelled` text has it. Apart, patterns are a multiple faster on long texts than as
        one."""
        return any(pattern.search(text) for pattern in self.patterns)


class _Index(Struct, frozen=True):
    """Expressions by their hints: a hint of four characters or more by the first four, a shorter one in ASCII
    or beyond. Each with its place."""

    expressions: Sequence[Expression]
    by_start: Mapping[str, Sequence[tuple[str, int]]]
    short: Sequence[tuple[str, int]]
    short_abroad: Sequence[tuple[str, int]]

    def hinted(self, text: str) -> Iterator[Expression]:
        """The expressions that a text may have. Most talk hints at few of them: asking each takes ten times
        as long."""
        starts = {text[i : i + _START] for i in range(len(text) - _START + 1)}
        hints = [one for start in self.by_start.keys() & starts for one in self.by_start[start]]
        hints += self.short if text.isascii() else (*self.short, *self.short_abroad)
        return (self.expressions[place] for place in {place for hint, place in hints if hint in text})


def spelled(text: str) -> str:
    """A text as the expressions want it."""
    return text.lower().replace("'", "’").replace("ʼ", "’").replace("‘", "’")


def is_instruction(text: str) -> bool:
    """Whether a `spelled` text reads like an instruction to a model."""
    return _is_any(("instruction_phrases",), text)


def is_suspicious(text: str) -> bool:
    """Whether it does, or imitates the markup of prompts: roles, calls of tools, templates."""
    return _is_any(("instruction_phrases", "markup_phrases"), text)


def is_order(text: str) -> bool:
    """Whether a `spelled` note says what to do, or what somebody may have, rather than how somebody lives."""
    return _is_any(("order_phrases",), text)


def _is_any(kinds: tuple[Kind, ...], text: str) -> bool:
    return any(expression.is_in(text) for expression in _index(kinds).hinted(text))


@once
def expressions(kind: Kind) -> tuple[Expression, ...]:
    """All of a kind. Read and compiled when first asked for."""
    data = sorted(files(__package__).joinpath(kind).iterdir(), key=lambda file: file.name)
    return tuple(
        one
        for file in data
        if file.name.endswith(".toml")
        for one in _read(tomllib.loads(file.read_text("utf-8")))
    )


@once
def _index(kinds: tuple[Kind, ...]) -> _Index:
    there = [one for kind in kinds for one in expressions(kind)]
    hints = [(hint, place) for place, one in enumerate(there) for hint in one.hints]
    by_start: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for hint, place in hints:
        if len(hint) >= _START:
            by_start[hint[:_START]].append((hint, place))
    short = [one for one in hints if len(one[0]) < _START]
    abroad = [one for one in short if not one[0].isascii()]
    return _Index(there, by_start, [one for one in short if one not in abroad], abroad)


def _read(data: Mapping[str, Any]) -> Iterator[Expression]:
    shared: Mapping[str, str] = data.get("words", {})
    for one in data["expression"]:
        patterns = [
            _SHARED.sub(lambda word: f"(?:{shared[word[1]]})", pattern) for pattern in one["patterns"]
        ]
        yield Expression(
            one["name"],
            tuple(spelled(hint) for hint in one["hints"]),
            tuple(map(re.compile, patterns)),
            tuple(one["examples"]),
            tuple(one["counterexamples"]),
        )
