"""What a regular expression cannot do without. To look for it first takes a fraction of what the expression
takes to find nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

# One of these texts is in whatever the expression finds.
Needed = tuple[str, ...]

# How `re` reads an expression: it has no public name. What is not known of it here saves nothing, and costs
# nothing else.
_parser: Any = import_module("re._parser")
_SHORTEST, _MOST = 3, 40  # bytes of a text that is worth looking for; texts
_UNSPOKEN = frozenset("_`{}[]<>|\\=#")  # one of these is worth it alone: talk has none


class SearchedPattern:
    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    @cached_property
    def needs(self) -> tuple[Needed, ...]:
        """One text of each entry is in every match; the shortest entry first. Empty where either case of a
        letter matches. Lazy: to read all expressions takes as long as to compile them."""
        parts = _parser.parse(self.pattern.pattern, self.pattern.flags)
        if parts.state.flags & re.IGNORECASE:
            return ()
        worth = {one for one in _of_all(parts) if _is_worth(one)}
        return tuple(sorted(worth, key=lambda one: (len(one), one)))

    def is_in(self, text: str) -> bool:
        return _has(text, self.needs) and self.pattern.search(text) is not None


def _has(text: str, needs: Iterable[Needed]) -> bool:
    for texts in needs:  # no generators: they would be half of what it costs
        for one in texts:
            if one in text:
                break
        else:
            return False
    return True


def _is_worth(texts: Needed) -> bool:
    return len(texts) <= _MOST and all(map(_is_rare, texts))


def _is_rare(text: str) -> bool:
    return len(text.encode()) >= _SHORTEST or not _UNSPOKEN.isdisjoint(text)


def _of_all(parts: Iterable[tuple[Any, Any]]) -> Iterator[Needed]:
    row = ""
    for kind, given in parts:
        if str(kind) == "LITERAL":
            row += chr(given)
            continue
        if row:
            yield (row,)
        row = ""
        yield from _of(str(kind), given)
    if row:
        yield (row,)


def _of(kind: str, given: Any) -> Iterator[Needed]:
    match kind:
        case "SUBPATTERN" if not given[1]:  # no flags of its own
            yield from _of_all(given[3])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT" if given[0]:  # once at least
            yield from _of_all(given[2])
        case "ATOMIC_GROUP":
            yield from _of_all(given)
        case "BRANCH":
            yield from _of_either([list(_of_all(branch)) for branch in given[1]])


def _of_either(branches: Sequence[Sequence[Needed]]) -> Iterator[Needed]:
    if all(branches):
        longest = (max(branch, key=lambda one: min(map(len, one))) for branch in branches)
        yield tuple(dict.fromkeys(text for texts in longest for text in texts))
