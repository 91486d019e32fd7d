"""Statements of the user's that follow a pattern: that something is a goal, that something is settled."""

import re
from collections.abc import Callable

from msgspec import Struct

from voice_server.digest.sentences import Sentence
from voice_server.digest.stems import word_count

_MOST_WORDS = 35


class Cue(Struct, frozen=True):
    """How a statement of one kind reads: it has a match of `says`, at least so many words, and no match of `unless`;
    nor is it `undone` by how its clauses are put."""

    says: re.Pattern[str]
    unless: re.Pattern[str]
    undone: Callable[[str], bool]
    fewest_words: int

    def is_given(self, sentence: Sentence) -> bool:
        """Whether the user says such a thing."""
        if sentence.said_by != "user" or sentence.mood != "statement":
            return False
        text = sentence.text
        if not self.fewest_words <= word_count(text) <= _MOST_WORDS or not self.says.search(text):
            return False
        return not self.unless.search(text) and not self.undone(text)
