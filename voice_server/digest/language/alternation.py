"""Long alternations: the hundreds of ways in which people say one thing, looked for in what somebody said.

PCRE2 compiles them: `re` takes ten times as long for it, seconds in each process. And in a text that repeats
itself without end it is a hundred times as fast.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, cast

import pcre2

NEVER = r"(?!)"


class Alternation:
    """Some patterns as one, as if they were joined by `|`, in the syntax that `re` and PCRE2 share. None of
    them may match an empty text. What it finds answers as the matches of `re` do."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._parts = tuple(_parts(patterns))

    def search(self, text: str, place: int = 0) -> re.Match[str] | None:
        """The first match from a place on; of two that begin together, that of the earlier pattern."""
        if len(self._parts) == 1:
            return self._parts[0].search(text, place)
        found = (match for part in self._parts if (match := part.search(text, place)))
        return min(found, key=lambda match: match.start(), default=None)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        place = 0
        while match := self.search(text, place):
            yield match
            place = match.end()


class _Part:
    """A pattern. Where PCRE2 gives up, `re` looks: for a pattern beyond its size, a text that needs more of
    the stack than it has, a half of a surrogate pair."""

    def __init__(self, pattern: str, compiled: Any) -> None:
        self._pattern = pattern
        self._compiled = compiled

    def search(self, text: str, place: int) -> re.Match[str] | None:
        try:
            return cast("re.Match[str] | None", self._fast.search(text, place))
        except (pcre2.LibraryError, UnicodeEncodeError):
            return self._exact.search(text, place)

    @cached_property
    def _fast(self) -> Any:
        """In machine code, from the first search on: for all languages that is 20 MB."""
        if self._compiled is None:
            return self._exact
        with suppress(pcre2.LibraryError):  # the machine lets nobody make machine code
            self._compiled.jit_compile()
        return self._compiled

    @cached_property
    def _exact(self) -> re.Pattern[str]:
        return re.compile(self._pattern)


def _parts(patterns: Sequence[str]) -> Iterator[_Part]:
    """As few parts as PCRE2 has room for, in the order of the patterns."""
    pattern = "|".join(f"(?:{one})" for one in patterns) or NEVER
    compiled = _compiled(pattern)
    if compiled is not None or len(patterns) == 1:
        yield _Part(pattern, compiled)
    else:
        middle = len(patterns) // 2
        yield from _parts(patterns[:middle])
        yield from _parts(patterns[middle:])


def _compiled(pattern: str) -> Any:
    """None when that is beyond PCRE2."""
    try:
        return pcre2.compile(pattern, jit=False)
    except (pcre2.PatternError, UnicodeEncodeError):
        return None
