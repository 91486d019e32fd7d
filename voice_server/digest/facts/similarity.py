"""When two sentences say the same: by their stems, never across a number, a name or a “not”.

    The caller lives in Lisbon.    She is living in Lisbon now.     the same
    She has two dogs.              She has three dogs.              not: a number
    Her son lives in Porto.        Her son lives in Lisbon.         not: a name
    He likes coffee, not tea.      He likes tea, not coffee.        not: what is negated

Precision before recall: taken for the same, something true would be lost; told twice, it costs a line.
"""

import re
from functools import lru_cache
from hashlib import blake2b
from math import ceil

from msgspec import Struct

from voice_server.digest.language.stems import content_stems
from voice_server.digest.language.word_lists import word_set
from voice_server.domain.quote import is_quote

_ALIKE = 0.8  # of the stems of both: one word more or less in five, one exchanged in ten
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_NEGATION = word_set("""
    not no never neither nor without cannot nobody nothing none nicht kein keine keinen keiner nie niemals pas
    jamais nunca jamás não niet geen nooit inte aldrig не нет""")
_NUMBERS = dict(
    zip(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen twenty""".split(),
        map(str, range(21)),
        strict=True,
    )
) | {"once": "1", "twice": "2", "first": "1", "second": "2", "third": "3"}
_SILENT = word_set("caller user agent got")  # as whom a digest speaks of the two; "has got" is "has"
_YOU = word_set("you your i my")  # first in a sentence: it is the agent's doing; not where the user is quoted
# Function words on which it depends what is said: before or after lunch, from or to Rome.
_TURNING = word_set("before after above below under over up down off out from until against more few only")


class Form(Struct, frozen=True, gc=False):
    """What a sentence says, comparable. `exact` has to be equal, in the order said: numbers, names, negation,
    and function words that turn the sense. None of `names`, stems with a capital, may be exchanged."""

    stems: frozenset[str]
    exact: tuple[str, ...]
    names: frozenset[str]

    def key(self, kind: str) -> str:
        """Return a short name for the form, the same on every machine."""
        spelled = "|".join((kind, " ".join(self.exact), " ".join(sorted(self.stems))))
        return blake2b(spelled.encode(), digest_size=15).hexdigest()


class _Word(Struct, frozen=True):
    stem: str
    exact: str
    negates: bool


@lru_cache(maxsize=5_000)
def form(text: str) -> Form:
    """Read a sentence in any language. Cached: all claims of a user are compared after each conversation."""
    stems, exact, names = set[str](), list[str](), set[str]()
    negated, own_words = False, is_quote(text)
    for position, spelled in enumerate(_WORD.findall(text)):
        word = _word(spelled.lower().replace("’", "'"))
        if word.exact and (word.exact not in _YOU or not (position or own_words)):
            exact.append(word.exact)
        negated = negated or word.negates
        if not word.stem:
            continue
        stems.add(word.stem)
        if spelled[0].isupper():
            names.add(word.stem)
        if negated or (position and spelled[0].isupper()):
            exact.append(f"¬{word.stem}" if negated else word.stem)
        negated = False
    if negated:
        exact.append("¬")
    return Form(frozenset(stems), tuple(exact) if stems else (*exact, text.casefold()), frozenset(names))


def is_same(one: Form, other: Form) -> bool:
    if one.exact != other.exact:
        return False
    if one.stems == other.stems:
        return True
    either, exchanged = one.stems | other.stems, one.stems ^ other.stems
    return len(either) - len(exchanged) >= _ALIKE * len(either) and exchanged.isdisjoint(
        one.names | other.names
    )


def shared_by_all_alike(stems: list[str]) -> list[str]:
    """Return the stems to look up: two forms that are the same share one, when the stems of both are sorted
    alike."""
    return stems[: len(stems) - ceil(_ALIKE * len(stems)) + 1]


@lru_cache(maxsize=20_000)
def _word(lower: str) -> _Word:
    """Remember words: people repeat themselves, and stemming is slow."""
    exact = _NUMBERS.get(lower, lower if lower[0].isdigit() or lower in _TURNING | _YOU else "")
    negates = lower in _NEGATION or lower.endswith("n't")
    counts = not (exact or negates or lower in _SILENT)
    return _Word(next(iter(content_stems(lower)), "") if counts else "", exact, negates)
