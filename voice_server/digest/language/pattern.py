"""Patterns of language data, compiled by PCRE2.

`re` takes twenty times as long, seconds in each process. In a text that repeats itself without end PCRE2 is a
hundred times as fast.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, cast

import pcre2

NEVER = r"(?!)"
_GIVES_UP = (pcre2.LibraryError, UnicodeEncodeError)  # beyond its stack, or at half a surrogate pair
_REFUSES = (pcre2.PatternError, UnicodeEncodeError)  # beyond its size


def compiled(source: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Compile what `re` and PCRE2 read alike, none but IGNORECASE of the flags. Where PCRE2 gives up, `re`
    looks."""
    return cast("re.Pattern[str]", Pattern(source, flags))


class Pattern:
    def __init__(self, source: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._source = source
        self._flags = flags
        self._compiled = _compiled(source, flags)

    @property
    def is_of_pcre2(self) -> bool:
        return self._compiled is not None

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        try:
            return self._fast.search(text, start, end)
        except _GIVES_UP:
            return self._exact.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        try:
            return self._fast.match(text, start, end)
        except _GIVES_UP:
            return self._exact.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        try:
            return self._fast.fullmatch(text, start, end)
        except _GIVES_UP:
            return self._exact.fullmatch(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        try:  # all before the first is handed out: PCRE2 may give up in between
            return iter(list(self._fast.finditer(text, start, end)))
        except _GIVES_UP:
            return self._exact.finditer(text, start, end)

    def sub(self, replaced: Callable[[re.Match[str]], str] | str, text: str) -> str:
        """Replace each match. A text stands for itself: `re` and PCRE2 name groups in it each their own way.
        Raise ValueError for one with a backslash, which would name one to `re`."""
        if isinstance(replaced, str) and "\\" in replaced:
            raise ValueError(f"{replaced!r} names a group: replace by a function of the match")
        by = (lambda _found: replaced) if isinstance(replaced, str) else replaced
        try:
            return self._fast.sub(by, text)
        except _GIVES_UP:
            return self._exact.sub(by, text)

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
        return re.compile(self._source, self._flags)


def _compiled(source: str, flags: re.RegexFlag) -> Any:
    try:
        return pcre2.compile(source, pcre2.IGNORECASE if flags & re.IGNORECASE else 0, jit=False)
    except _REFUSES:
        return None
