"""A wish to forget that is known by the agent's answer: “Oh, wipe that out.” – “It's gone, I won't keep it.”

People wish it in more ways than any file has; an agent agrees in few.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from voice_server.digest.privacy import forget_patterns
from voice_server.digest.privacy.forget_patterns import Granted, Wish
from voice_server.digest.privacy.plain_text import folded
from voice_server.runtime.once import once

_SENTENCE = re.compile(r"[^.!?;…]+[.!?;…]*")
_TELLING = 4  # letters of a word that says something
_VERB = 1  # words that say something, of a sentence that only says “wipe that out, please”
_ANSWER = 300  # characters of the agent's answer that are looked at
_CLAUSE = r"(?:^|[.!?,;:…–—]\s*)"


def granted(asked: str, answer: str) -> Wish | None:
    """Return the wish of a user's turn to which the agent agrees; None where the turn hints at none."""
    said = folded(answer[:_ANSWER].replace("’", "'"))
    return next((wish for one in _grants() if one.is_in(said) and (wish := one.wish(asked, said))), None)


def prepare() -> None:
    for grant in _grants():
        _ = grant.surely, grant.perhaps, grant.pointing


class Grant:
    """How an agent agrees in one language."""

    def __init__(self, language: forget_patterns.Language, data: Granted) -> None:
        self.data = data
        self._language = language

    def is_in(self, answer: str) -> bool:
        return self.surely.search(answer) is not None or self.perhaps.search(answer) is not None

    def wish(self, asked: str, answer: str) -> Wish | None:
        """Return the last sentence that points to what was said and says little else: “Blot it out.” Where
        the agent surely means that, one with a hint may say more."""
        is_sure = self.surely.search(answer) is not None
        pointing = [one for one in _SENTENCE.finditer(asked) if self._points(one[0])]
        meant = [one for one in pointing if (is_sure and self._hints(one[0])) or self._is_mere(one[0])]
        if not meant or not (is_sure or any(self._hints(one[0]) for one in meant)):
            return None
        return Wish("before", meant[-1].start(), meant[-1].end(), "", self._language.tag)

    def _points(self, sentence: str) -> bool:
        return self.pointing.search(folded(sentence)) is not None and not sentence.rstrip().endswith("?")

    def _hints(self, sentence: str) -> bool:
        return self._language.hints_at(folded(sentence))

    def _is_mere(self, sentence: str) -> bool:
        """“Take that out”, not “take the onions off that”."""
        said = self._language.naming(self._language.plain(sentence).text)
        telling = [one for one in said if len(one) >= _TELLING and not self.pointing.fullmatch(one)]
        return len(telling) <= _VERB

    @cached_property
    def surely(self) -> re.Pattern[str]:
        return self._clause_of(self.data.surely)

    @cached_property
    def perhaps(self) -> re.Pattern[str]:
        return self._clause_of(self.data.perhaps)

    @cached_property
    def pointing(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{forget_patterns.folded_pattern(self.data.pointing)})\b")

    def _clause_of(self, patterns: tuple[str, ...]) -> re.Pattern[str]:
        leads, said = map(forget_patterns.folded_pattern, (self.data.leads, "|".join(patterns)))
        return re.compile(rf"{_CLAUSE}(?:(?:{leads})[ ])?(?:{said})(?=\s*(?:$|[.!?,;:…–—]))")


@once
def _grants() -> tuple[Grant, ...]:
    return tuple(_all_grants())


def _all_grants() -> Iterator[Grant]:
    for language in forget_patterns.languages():
        if language.file.granted is not None:
            yield Grant(language, language.file.granted)
