"""What two texts in any language have in common, where a model words it anew: how their words begin. Pure."""

from collections.abc import Iterable

from voice_server.digest.analysis.evidence import words_of
from voice_server.digest.language.languages import primary_tag
from voice_server.digest.language.manner import LANGUAGES, common_words
from voice_server.digest.language.stems import FUNCTION_WORDS

ROOT = 5  # letters: pregnant, pregnancy; schwanger, Schwangerschaft
_SHORTEST = 3  # of a word with meaning; a number has it with one digit
_TALK = frozenset("calle agent user".split())  # of whom everything is said


def roots(*texts: str) -> frozenset[str]:
    """Return how the words of content begin; of a script without spaces, its characters."""
    return frozenset(word[:ROOT] for text in texts for word in words_of(text) if _counts(word)) - _TALK


def telltale(private: Iterable[str], kept: Iterable[str], language: str) -> frozenset[str]:
    """Return what only private messages have: whoever uses one of these roots may tell what is private. Words
    that hardly a sentence of the language is without tell nothing."""
    tag = primary_tag(language)
    idle = words_of(" ".join(common_words(tag))) if tag in LANGUAGES else frozenset[str]()
    telling = frozenset[str]().union(*(words_of(text) for text in private)) - idle
    return roots(*telling) - roots(*kept)


def _counts(word: str) -> bool:
    has_meaning = len(word) >= _SHORTEST and word not in FUNCTION_WORDS
    return has_meaning or word.isdigit() or not word.isascii()
