"""A wish to forget in plain words, in whatever order: a sentence that has a word for what was said, one for
keeping or dropping it, and nothing else that tells anything."""

import re
from collections.abc import Callable

from msgspec import Struct

from voice_server.digest.language.pattern import NEVER, compiled
from voice_server.digest.language.stems import words
from voice_server.digest.language.word_lists import word_set
from voice_server.digest.privacy.plain_text import apart, folded, folded_pattern

_LONGEST = 18  # words of such a sentence
_TOPIC = 3  # words that name what is meant, of what was told before


class PlainPhrases(Struct, frozen=True, forbid_unknown_fields=True):
    """Regular expressions: `points` to what was said, `keeps`, `drops` what was said, `discards` things as
    well, somebody's `mind`, somebody `learns`. Lists of words: `denied`, `nobody`, `around` these, `others`
    who keep or drop something themselves. `soft` is how one wishes, `hates` that it is not so."""

    points: str
    keeps: str
    drops: str
    discards: str
    mind: str
    learns: str
    soft: str
    hates: str
    denied: str
    nobody: str
    around: str
    others: str
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]


class PlainWish:
    """How it is wished in one language. `around` are words of the language that tell nothing."""

    def __init__(self, data: PlainPhrases, around: frozenset[str]) -> None:
        self._points, self._keeps, self._drops = map(_compiled, (data.points, data.keeps, data.drops))
        self._discards, self._mind = _compiled(data.discards), _compiled(data.mind)
        self._learns = _compiled(data.learns)
        self._soft, self._hates = _compiled(data.soft), _compiled(data.hates)
        deeds = (data.mind, data.keeps, data.drops, data.discards, data.learns)
        self._deeds = _compiled("|".join(deeds))
        self._denied, self._nobody = _words(data.denied), _words(data.nobody)
        self._others = _words(data.others)
        self._around = _words(data.around) | around | self._denied | self._nobody

    def is_in(self, sentence: str, names_told: Callable[[], bool]) -> bool:
        """Tell whether it is all that a sentence says. `names_told`: it names what was told before."""
        said = words(folded(apart(sentence)))
        if len(said) > _LONGEST:
            return False
        whole = " ".join(said)
        liked = self._hates.sub(" ", whole)
        text = self._soft.sub(" ", liked)
        left = self._deeds.sub(" ", text).split()
        if not self._others.isdisjoint(left):
            return False
        telling = [word for word in left if word not in self._around and not self._points.fullmatch(word)]
        if len(telling) > _TOPIC:
            return False
        is_named = names_told()
        if telling and not is_named:
            return False
        return self._wishes(text, names_told=is_named, softened=text != liked, is_denied=liked != whole)

    def _wishes(self, text: str, *, names_told: bool, softened: bool, is_denied: bool) -> bool:
        said = set(text.split())
        if softened and not self._nobody.isdisjoint(said):
            return self._learns.search(text) is not None
        if not (names_told or any(map(self._points.fullmatch, said))):
            return False
        drops = self._drops.search(text) is not None
        if is_denied or not self._denied.isdisjoint(said):
            return not drops and any(one.search(text) for one in (self._keeps, self._mind))
        return names_told and (drops or self._discards.search(text) is not None)


def _compiled(pattern: str) -> re.Pattern[str]:
    return compiled(rf"(?<!\S)(?:{folded_pattern(pattern) or NEVER})(?!\S)")


def _words(listed: str) -> frozenset[str]:
    return frozenset(map(folded, word_set(listed)))
