"""Which open thread a platform's model means by what it says was settled. It has not seen the threads, and
words the matter anew (“Posting the swatches”), in any language. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from voice_server.digest.analysis.evidence import words_of
from voice_server.digest.analysis.report import ClosedMatter
from voice_server.digest.grounding.vocabulary import Vocabulary, vocabularies
from voice_server.digest.language.languages import primary_tag
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import FUNCTION_WORDS
from voice_server.digest.threads.phrases import folded, phrases_of
from voice_server.runtime.once import once

_ROOT = 5  # letters: pregnant, pregnancy; schwanger, Schwangerschaft
_ENDING = 3  # letters in which two forms of a word differ
_SHORTEST = 3  # letters of a word that tells something
_HALF = 0.5  # of the words of what was settled that a thread has, or of a thread's that come up again
_FEWEST = 2  # words that are half
_MOST = 12  # matters that one call settles
_TIMES = ("clock", "hours")
_ROLES = ("caller", "agent", "agent_object", "reported")


class _Matter(NamedTuple):
    """The words of a text that tell what it is about. `is_timed`: it names a day or an hour besides."""

    words: frozenset[str]
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
        self._alike = _within_compounds if any(one.inverted for one in words) else _begin_alike
        self._times = frozenset(chain.from_iterable(_times(one) for one in words)) | _listed(words, _TIMES)
        self._phrases = phrases_of(language)

    def settled(
        self, closed: Sequence[ClosedMatter], threads: Mapping[int, str], opened: Sequence[str]
    ) -> list[int]:
        about = {id_: self._read(text) for id_, text in threads.items()}
        series = {id_ for id_, text in threads.items() if self._recurs(text)}
        new = [self._read(text).words for text in opened]
        return sorted(
            {id_ for one in closed[:_MOST] if (id_ := self._meant(one, about, series, new)) is not None}
        )

    def _meant(
        self,
        closed: ClosedMatter,
        about: Mapping[int, _Matter],
        series: set[int],
        new: Sequence[frozenset[str]],
    ) -> int | None:
        """One day of a series settles nothing."""
        named, quoted = self._read(closed.text), self._read(closed.quoted).words
        fitting = {
            id_: fits
            for id_, thread in about.items()
            if not (id_ in series and named.is_timed)
            and (
                fits := _fits(
                    _Shares(self._alike), named.words, quoted, thread.words, _besides(id_, about), new
                )
            )
        }
        return max(fitting, key=lambda id_: fitting[id_], default=None)

    def _recurs(self, text: str) -> bool:
        return self._phrases is not None and self._phrases.is_recurring(folded(text))

    def _read(self, text: str) -> _Matter:
        words = words_of(text) - self._idle
        times = {word for word in words if word in self._times or word.isdigit()}
        telling = (word for word in words - times if len(word) >= _SHORTEST or not word.isascii())
        return _Matter(frozenset(telling), bool(times))


@once
def _reading(language: str) -> _Reading:
    return _Reading(language)


def _besides(id_: int, about: Mapping[int, _Matter]) -> list[frozenset[str]]:
    return [thread.words for of, thread in about.items() if of != id_]


class _Shares(NamedTuple):
    alike: Callable[[str, str], bool]

    def __call__(self, some: frozenset[str], others: frozenset[str]) -> frozenset[str]:
        """Return those of some words that are of one matter with one of the others."""
        return frozenset(word for word in some if any(self.alike(word, other) for other in others))


def _fits(
    shares: _Shares,
    named: frozenset[str],
    quoted: frozenset[str],
    thread: frozenset[str],
    others: Sequence[frozenset[str]],
    new: Sequence[frozenset[str]],
) -> tuple[int, float] | None:
    """Return how well a thread fits what was settled; None where another may be meant. Words that other
    threads have, too, count for little. `new` are the words of what the conversation opens."""
    shared = shares(named, thread)
    own = shared - frozenset().union(*(shares(shared, other) for other in others))
    again = shares(thread, named | quoted)
    fits = (
        bool(own) and shared == named,
        bool(shares(own, quoted)) and len(shared) >= _HALF * len(named),
        len(own) >= _FEWEST and len(shared) >= _HALF * len(named),
        len(again) >= max(_FEWEST, _HALF * len(thread)),
        not others and (bool(shared) or not named),  # “what I asked you for” has no words of its own
        any(shares(own, one) for one in new),  # it is told anew, as it is now
    )
    return (len(own), len(again) / max(1, len(thread))) if any(fits) else None


def _begin_alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) < _ROOT:
        return short == long
    return long.startswith(short[: max(_ROOT, len(short) - _ENDING)])


def _within_compounds(one: str, other: str) -> bool:
    """“Lieferung” and “geliefert”, “deur” and “voordeur” are of one matter."""
    short, long = sorted((one, other), key=len)
    if len(short) < _ROOT:
        return short == long or (len(short) == _ROOT - 1 and long.endswith(short))
    return short[:_ROOT] in long or long[:_ROOT] in short


def _listed(words: Iterable[Vocabulary], kinds: Iterable[str]) -> frozenset[str]:
    phrases = (phrase for one in words for kind in kinds for phrase in one.lists[kind])
    return frozenset(word for phrase in phrases for word in phrase.split())


def _times(words: Vocabulary) -> Iterable[str]:
    named = (words.numbers, words.ordinals, words.months, words.weekdays, words.shifts, words.spans)
    return (part for names in named for phrase in names for part in phrase.split())
