"""Which open thread a platform's model means by what it says was settled. It has not seen the threads, and
words the matter anew (“Posting the swatches”), in any language. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from voice_server.digest.analysis.evidence import words_of
from voice_server.digest.analysis.report import ClosedMatter
from voice_server.digest.analysis.roots import ROOT
from voice_server.digest.grounding.vocabulary import Vocabulary, vocabularies
from voice_server.digest.language.languages import primary_tag
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import FUNCTION_WORDS
from voice_server.digest.threads.speech.phrases import phrases_of
from voice_server.runtime.once import once

_ENDING = 3  # letters in which two forms of a word differ
_SHORTEST = 3  # letters of a word that tells something
_HALF = 0.5  # of the words of what was settled that a thread has, or of a thread's that come up again
_FEWEST = 2  # words that are half
_MOST = 12  # matters that one call settles
_TIMES = ("clock", "hours")
_ROLES = ("caller", "agent", "agent_object", "reported")


_Words = frozenset[str]


class _Matter(NamedTuple):
    """The words of a text that tell what it is about. `is_timed`: it names a day or an hour besides."""

    words: _Words
    is_timed: bool


def settled(
    closed: Iterable[ClosedMatter], threads: Mapping[int, str], opened: Sequence[str], language: str
) -> list[int]:
    """Return the ids of the threads, by the texts that they had, that the closed matters mean. `opened` are
    the texts of what the conversation opens: it may take a thread's place."""
    return _reading(primary_tag(language)).settled([*closed], threads, opened) if threads else []


class _Reading:
    def __init__(self, language: str) -> None:
        words = vocabularies(language)
        joining = words_of(" ".join(manner(language).function_words))
        self._idle = FUNCTION_WORDS | joining | _listed(words, _ROLES)
        self._alike = _within_compounds if any(one.has_compounds for one in words) else _begin_alike
        self._times = frozenset(chain.from_iterable(_times(one) for one in words)) | _listed(words, _TIMES)
        self._phrases = phrases_of(language)

    def settled(
        self, closed: Sequence[ClosedMatter], threads: Mapping[int, str], opened: Sequence[str]
    ) -> list[int]:
        about = {id_: self._read(text).words for id_, text in threads.items()}
        series = {id_ for id_, text in threads.items() if self._recurs(text)}
        new = [self._read(text).words for text in opened]
        meant = (self._meant(one, about, series, new) for one in closed[:_MOST])
        return sorted({id_ for id_ in meant if id_ is not None})

    def _meant(
        self, closed: ClosedMatter, about: Mapping[int, _Words], series: set[int], new: Sequence[_Words]
    ) -> int | None:
        """One day of a series settles nothing."""
        named, quoted = self._read(closed.text), self._read(closed.quoted).words
        best, thread_meant = (0, 0.0), None
        for id_, thread in about.items():
            others = [words for other, words in about.items() if other != id_]
            fits = self._fits(named.words, quoted, thread, others, new)
            if fits > best and not (id_ in series and named.is_timed):
                best, thread_meant = fits, id_
        return thread_meant

    def _fits(
        self, named: _Words, quoted: _Words, thread: _Words, others: Sequence[_Words], new: Sequence[_Words]
    ) -> tuple[int, float]:
        """Return how well a thread fits what was settled; zeros where another may be meant. Words that other
        threads have, too, count for little. `new` are the words of what the conversation opens."""
        shared = self._shared(named, thread)
        own = shared - self._shared(shared, frozenset().union(*others))
        again = self._shared(thread, named | quoted)
        fits = (
            bool(own) and shared == named,
            bool(self._shared(own, quoted)) and len(shared) >= _HALF * len(named),
            len(own) >= _FEWEST and len(shared) >= _HALF * len(named),
            len(again) >= max(_FEWEST, _HALF * len(thread)),
            not others and (bool(shared) or not named),  # “what I asked you for” has no words of its own
            any(self._shared(own, one) for one in new),  # it is told anew, as it is now
        )
        return (1 + len(own), len(again) / max(1, len(thread))) if any(fits) else (0, 0.0)

    def _shared(self, some: _Words, others: _Words) -> _Words:
        """Return those of some words that are of one matter with one of the others."""
        return frozenset(word for word in some if any(self._alike(word, other) for other in others))

    def _recurs(self, text: str) -> bool:
        return self._phrases is not None and self._phrases.is_recurring(self._phrases.plain(text))

    def _read(self, text: str) -> _Matter:
        words = words_of(text) - self._idle
        times = {word for word in words if word in self._times or word.isdigit()}
        telling = (word for word in words - times if len(word) >= _SHORTEST or not word.isascii())
        return _Matter(frozenset(telling), bool(times))


@once
def _reading(language: str) -> _Reading:
    return _Reading(language)


def _begin_alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) < ROOT:
        return short == long
    return long.startswith(short[: max(ROOT, len(short) - _ENDING)])


def _within_compounds(one: str, other: str) -> bool:
    """“Lieferung” and “geliefert”, “deur” and “voordeur” are of one matter."""
    short, long = sorted((one, other), key=len)
    if len(short) < ROOT:
        return short == long or (len(short) == ROOT - 1 and long.endswith(short))
    return short[:ROOT] in long or long[:ROOT] in short


def _listed(words: Iterable[Vocabulary], kinds: Iterable[str]) -> frozenset[str]:
    return words_of(" ".join(phrase for one in words for kind in kinds for phrase in one.lists[kind]))


def _times(words: Vocabulary) -> Iterable[str]:
    named = (words.numbers, words.ordinals, words.months, words.weekdays, words.shifts, words.spans)
    return (part for names in named for phrase in names for part in phrase.split())
