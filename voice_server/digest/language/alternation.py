"""Long alternations: the hundreds of ways to say one thing.

PCRE2 compiles them: `re` takes ten times as long, seconds in each process. In a text that repeats itself
without end PCRE2 is a hundred times as fast.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, cast

import pcre2

NEVER = r"(?!)"
_ANY = "{}"
_WORDS = r"(?<!\w)(?:{})(?!\w)"


class Alternation:
    """Patterns as if joined by `|`, in the syntax that `re` and PCRE2 share; none may match an empty text.
    Matches are as those of `re`."""

    def __init__(self, patterns: Sequence[str], *, words: bool = False) -> None:
        """`words`: a match begins and ends where words do. To look so once, before all patterns, is three
        times as fast as in each."""
        self._parts = tuple(_parts(patterns, _WORDS if words else _ANY))
        self._alone = self._parts[0] if len(self._parts) == 1 else None

    def search(self, text: str, place: int = 0) -> re.Match[str] | None:
        """Return the first match; of two that begin together, the earlier pattern's."""
        if self._alone is not None:
            return self._alone.search(text, place)
        found = (match for part in self._parts if (match := part.search(text, place)))
        return min(found, key=lambda match: match.start(), default=None)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        place = 0
        while match := self.search(text, place):
            yield match
            place = match.end()


class _Part:
    """A pattern. `re` looks where PCRE2 gives up: beyond its size, its stack, or at half a surrogate pair."""

    def __init__(self, pattern: str, compiled: Any) -> None:
        self._pattern = pattern
        self._compiled = compiled

    def search(self, text: str, place: int) -> re.Match[str] | None:
        try:
            return self._fast.search(text, place)
        except (pcre2.LibraryError, UnicodeEncodeError):
            return self._exact.search(text, place)

    @cached_property
    def _fast(self) -> re.Pattern[str]:
        """Machine code from the first search on: 20 MB for all languages."""
        if self._compiled is None:
            return self._exact
        with suppress(pcre2.LibraryError):  # the machine lets nobody make machine code
            self._compiled.jit_compile()
        return cast("re.Pattern[str]", self._compiled)

    @cached_property
    def _exact(self) -> re.Pattern[str]:
        return re.compile(self._pattern)


def _parts(patterns: Sequence[str], frame: str) -> Iterator[_Part]:
    """Yield as few as PCRE2 has room for, in order."""
    pattern = frame.format("|".join(f"(?:{one})" for one in patterns) or NEVER)
    compiled = _compiled(pattern)
    if compiled is not None or len(patterns) == 1:
        yield _Part(pattern, compiled)
    else:
        middle = len(patterns) // 2
        yield from _parts(patterns[:middle], frame)
        yield from _parts(patterns[middle:], frame)


def _compiled(pattern: str) -> Any:
    try:
        return pcre2.compile(pattern, jit=False)
    except (pcre2.PatternError, UnicodeEncodeError):
        return None
