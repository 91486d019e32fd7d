"""Numbers that a language writes in one word: “tausendneunhundertvierundachtzig”, “millenovecento”."""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from voice_server.digest.secrets.text import fold

_FEWEST_LETTERS = 8  # of a word with hundreds or thousands in it
_HUNDRED, _THOUSAND = 100, 1000


class CompoundsFile(Struct, frozen=True, forbid_unknown_fields=True):
    hundreds: tuple[str, ...]
    thousands: tuple[str, ...]
    joints: tuple[str, ...] = ()


class Compounds:
    """The number words of a language that stand in others; below a hundred the lexicon knows them whole."""

    def __init__(self, file: CompoundsFile, spoken: Sequence[tuple[str, Sequence[str]]]) -> None:
        self._values: dict[str, int] = {}
        for value, words in spoken:
            if int(value) < _HUNDRED and set(value) != {"0"}:
                self._values |= {fold(word).text: int(value) for word in words}
        self._hundreds, self._thousands, joints = (
            frozenset(fold(word).text for word in words)
            for words in (file.hundreds, file.thousands, file.joints)
        )
        parts = sorted({*self._values, *self._hundreds, *self._thousands, *joints}, key=len, reverse=True)
        self._part = re.compile("|".join(map(re.escape, parts)))
        self._whole = re.compile(rf"(?:{self._part.pattern})+")

    def digits(self, word: str) -> str | None:
        """Return the digits of a folded word; None where it is no such number."""
        if len(word) < _FEWEST_LETTERS or not self._whole.fullmatch(word):
            return None
        parts = self._part.findall(word)
        if self._hundreds.isdisjoint(parts) and self._thousands.isdisjoint(parts):
            return None
        return str(sum(self._groups(parts)))

    def _groups(self, parts: Sequence[str]) -> Iterator[int]:
        """Yield what stands before a thousand, and what behind it."""
        group = 0
        for part in parts:
            if part in self._hundreds:
                group = max(group, 1) * _HUNDRED
            elif part in self._thousands:
                yield max(group, 1) * _THOUSAND
                group = 0
            else:
                group += self._values.get(part, 0)
        yield group


def digits_of(word: str, compounds: Mapping[str, Compounds]) -> dict[str, str]:
    """Return what a word means as a number, by language."""
    found = ((language, one.digits(word)) for language, one in compounds.items())
    return {language: digits for language, digits in found if digits is not None}
