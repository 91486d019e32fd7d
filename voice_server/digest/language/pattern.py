"""Patterns of language data, compiled by PCRE2.

`re` takes twenty times as long, seconds in each process. In a text that repeats itself without end PCRE2 is a
hundred times as fast.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import Any, cast

import pcre2
from pcre2 import _cy

NEVER = r"(?!)"
REFUSES = (pcre2.PatternError, UnicodeEncodeError)  # beyond its size
_GIVES_UP = (pcre2.LibraryError, UnicodeEncodeError)  # beyond its stack, or at half a surrogate pair
_ANYWHERE, _AT_START = 0, int(_cy.MatchOption.ANCHORED)
_WHOLE = int(_cy.MatchOption.ANCHORED | _cy.MatchOption.ENDANCHORED)
_END = sys.maxsize
_CONTEXT = _cy.create_match_context()


def compiled(source: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Compile what `re` and PCRE2 read alike, none but IGNORECASE of the flags. Where PCRE2 gives up, `re`
    looks."""
    try:
        return cast("re.Pattern[str]", Pattern(source, flags))
    except REFUSES:
        return re.compile(source, flags)


class Match(pcre2.Match):  # type: ignore[misc]  # the package ships no types
    """What a pattern found. The package reads the names of all groups for each that it is asked for."""

    __slots__ = ()

    def __getitem__(self, group: int | str) -> Any:
        return _cy.match_substring_bynumber(self._pcre2_match_data, self.string, self.re.number_of(group))

    def span(self, group: int | str = 0) -> Any:
        number = self.re.number_of(group) if group else 0
        return _cy.match_substring_span_bynumber(self._pcre2_match_data, self.string, number)


class Pattern:
    """A pattern that PCRE2 compiles; may raise `REFUSES`."""

    def __init__(self, source: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._source = source
        self._flags = flags
        self._compiled = {_ANYWHERE: self._compile(_ANYWHERE)}
        self._codes: dict[int, Any] = {}

    def search(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        try:
            return self._found(text, start, end, _ANYWHERE)
        except _GIVES_UP:
            return self._exact.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        try:
            return self._found(text, start, end, _AT_START)
        except _GIVES_UP:
            return self._exact.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        try:
            return self._found(text, start, end, _WHOLE)
        except _GIVES_UP:
            return self._exact.fullmatch(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = _END) -> Iterator[re.Match[str]]:
        try:  # all before the first is handed out: PCRE2 may give up in between
            there = self._found(text, start, end, _ANYWHERE)
            return iter(self._all(text, start, end) if there else ())
        except _GIVES_UP:
            return self._exact.finditer(text, start, end)

    def sub(self, replaced: Callable[[re.Match[str]], str] | str, text: str) -> str:
        """Replace each match. A text stands for itself: `re` and PCRE2 name groups in it each their own way.
        Raise ValueError for one with a backslash, which would name one to `re`."""
        if isinstance(replaced, str) and "\\" in replaced:
            raise ValueError(f"{replaced!r} names a group: replace by a function of the match")
        by = (lambda _found: replaced) if isinstance(replaced, str) else replaced
        try:
            there = self._found(text, 0, _END, _ANYWHERE)
            return "".join(_replaced(self._all(text, 0, _END), by, text)) if there else text
        except _GIVES_UP:
            return self._exact.sub(by, text)

    def _found(self, text: str, start: int, end: int, how: int) -> re.Match[str] | None:
        """Ask PCRE2 itself: most find nothing, for which its package takes five times as long."""
        if start or end < _END:
            start, end = min(start, len(text)), min(end, len(text))
        else:  # most look through all: without `min` they take a fifth less
            end = len(text)
        code = self._codes.get(how) or self._code(how)
        found, place, options = _cy.match(code, text, end, start, _CONTEXT)
        if found is None:
            return None
        return cast("re.Match[str]", Match(found, self, text, start, end, place, options))

    def _all(self, text: str, start: int, end: int) -> list[re.Match[str]]:
        start, end = min(start, len(text)), min(end, len(text))
        there = _cy.match_generator(self._code(_ANYWHERE), text, end, start, _CONTEXT)
        found = [Match(one, self, text, start, end, place, options) for one, place, options in there]
        return cast("list[re.Match[str]]", found)

    def _code(self, how: int) -> Any:
        """Machine code from the first search on: 20 MB for all languages. Each way to look has its own: told
        the way only when it looks, PCRE2 leaves the machine code aside and takes five times as long."""
        if how not in self._codes:
            code = self._compiled.pop(how, None) or self._compile(how)
            with suppress(pcre2.LibraryError):  # the machine lets nobody make machine code
                _cy.jit_compile(code)
            self._codes[how] = code
        return self._codes[how]

    def _compile(self, how: int) -> Any:
        return _cy.compile(self._source, how | (pcre2.IGNORECASE if self._flags & re.IGNORECASE else 0))

    @cached_property
    def groups(self) -> int:
        return int(_cy.pattern_capture_count(self._code(_ANYWHERE)))

    @cached_property
    def groupindex(self) -> Mapping[str, int]:
        return MappingProxyType(_cy.pattern_name_dict(self._code(_ANYWHERE)))

    def number_of(self, group: int | str) -> int:
        """Return the number of a group. Raise IndexError where there is none, as `re` does."""
        number = self.groupindex.get(group, -1) if isinstance(group, str) else group
        if not 0 <= number <= self.groups:
            raise IndexError("no such group")
        return number

    @cached_property
    def _exact(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)


def _replaced(found: Iterable[re.Match[str]], by: Callable[[re.Match[str]], str], text: str) -> Iterator[str]:
    done = 0
    for match in found:
        start, end = match.span()
        yield text[done:start]
        yield by(match)
        done = end
    yield text[done:]
