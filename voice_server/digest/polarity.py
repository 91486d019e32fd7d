"""Polarity: whether a text says the opposite of what was said, in the same words. English, pure.

    "The caller hates coffee."     −  liking coffee ┐ opposed, unless
    "I love coffee."               +  liking coffee ┘ it was said both ways

Each clause is the set of its content words and a sign, turned by every negation and by every word of the short list
of opposites. A clause of the text is held against those clauses that have all its words and few others: only such
contradict it beyond doubt. What is put in other words is not judged, nor is what was only asked.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from voice_server.digest.stems import content_stems

# Of each, what stands for it, and whether it turns the sign.
_LIKING = dict.fromkeys(
    "like likes liked love loves loved enjoy enjoys enjoyed adore adores adored".split(), "like"
)
_DISLIKING = dict.fromkeys(
    "hate hates hated dislike dislikes disliked detest detests loathe loathes despise despises".split(),
    "like",
)
_UNABLE = dict.fromkeys("unable incapable".split(), "")
_STOPPED = dict.fromkeys("stop stops stopped quit quits".split(), "")
_OPPOSITES = _DISLIKING | _UNABLE | _STOPPED
_NEGATION = re.compile(
    r"(?:not|never|no|nor|neither|nobody|nothing|none|without|cannot|[a-z]+n't)", re.IGNORECASE
)
_NOT_MEANT = re.compile(
    r"\bnot (?:only|just)\b|\bwhy (?:not|don't)\b|\bno (?:problem|worries|doubt)\b"
    r"|\b(?:can't|cannot|couldn't|don't|do not|didn't|won't|never) (?:wait|believe|forget|know|mind|worry|remember)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[.!;:,…]+|(?<=\?)|\b(?:and|or|but|so|if|when|that|who|which|since|until|though|although|because|while|whereas"
    r"|however)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+", re.IGNORECASE)
_SAID_OF_BOTH = frozenset(
    {"caller", "user", "agent", "abl"}
)  # how a digest speaks of the two; "able" is "can"
_OTHER_WORDS = 2  # that a clause may have beside those it is held against

_Clause = tuple[frozenset[str], bool]


def is_opposed(text: str, said: Iterable[str]) -> bool:
    """Whether a clause of `text` says the opposite of what was said, and nobody said it as it stands there."""
    there, clauses = [clause for one in said for clause in _clauses(one)], _clauses(text)
    judged = [
        clause for clause in clauses if len(clauses) == 1 or len(clause[0]) > 1
    ]  # a lone word is a fragment
    return any(_is_opposed(clause, there) for clause in judged)


def _is_opposed(clause: _Clause, there: Iterable[_Clause]) -> bool:
    stems, sign = clause
    alike = ((words, other) for words, other in there if stems <= words)
    return {other for words, other in alike if len(words - stems) <= _OTHER_WORDS} == {not sign}


@lru_cache(maxsize=4096)  # a line is held against every item that names it
def _clauses(text: str) -> tuple[_Clause, ...]:
    plain = _NOT_MEANT.sub(" ", text.replace("’", "'"))
    parts = [part for part in _CLAUSE.split(plain) if not part.endswith("?")]
    return tuple(clause for clause in map(_clause, parts) if clause[0])


def _clause(text: str) -> _Clause:
    words = [word.lower() for word in _WORD.findall(text)]
    turns = sum(word in _OPPOSITES or _NEGATION.fullmatch(word) is not None for word in words)
    return frozenset(content_stems(" ".join(_plain(words)))) - _SAID_OF_BOTH, turns % 2 == 0


def _plain(words: Iterable[str]) -> Iterator[str]:
    """Without what turns the sign; opposites in one word for both."""
    for word in words:
        if not _NEGATION.fullmatch(word):
            yield _OPPOSITES.get(word, _LIKING.get(word, word))
