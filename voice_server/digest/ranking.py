"""Which sentences of a conversation tell most: weights, centroid, and a choice without repetition.

The recipe: half the sum of TF-IDF weights, half the likeness to the whole conversation (its centroid), times
what kind of sentence it is; then maximal marginal relevance, so that the second choice says something new.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from voice_server.digest.sentences import Sentence
from voice_server.digest.stems import content_stems

Weights = dict[str, float]

_QUESTION = 0.25
_ABOUT_ONESELF, _ABOUT_OTHERS = 1.35, 0.75
_REACTION = 0.5
_DATED = 1.25
_NOVELTY = 0.5
_OVERFULL = 1.1  # the last sentence may reach this far over the limit
_WORTH_SAYING = 0.12  # of the best score: below it a short call would be padded with small talk
_LARGEST_SHARE = 0.7  # of the words that one speaker may fill while the other has something to say

_SELF = re.compile(r"\b(?:I|we|my|our)\b", re.IGNORECASE)
_REACTING = re.compile(
    r"""(?:hey|hi|wow|thanks|thank|yeah|cool|awesome|great|that's|that\ is|sounds|bye|take\ care|congrat|yep|sure
    |absolutely|definitely|totally|glad|good|nice|you're|i'm\ (?:so\ )?(?:glad|happy|sorry)|i\ (?:see|agree|bet))\b""",
    re.IGNORECASE | re.VERBOSE,
)
_TIME = re.compile(
    r"""\b(?:yesterday|today|tonight|tomorrow|last|next|weeks?|months?|years?|weekend|\d{4}|(?:mon|tues|wednes|thurs
    |fri|satur|sun)day)\b""",
    re.IGNORECASE | re.VERBOSE,
)


class Ranked(Struct, frozen=True):
    """The sentences of a conversation with their TF-IDF weights, unit vectors and scores (0 to 1)."""

    sentences: tuple[Sentence, ...]
    weights: tuple[Weights, ...]
    vectors: tuple[Weights, ...]
    scores: tuple[float, ...]


def rank(
    sentences: Sequence[Sentence], *, english: bool, document_frequencies: Mapping[str, int], documents: int
) -> Ranked:
    """Score every sentence; `document_frequencies` counts the user's other conversations that hold a stem."""
    weights = tuple(
        _weights(content_stems(s.text, english=english), document_frequencies, documents) for s in sentences
    )
    vectors = tuple(map(_unit, weights))
    centre = _unit(_sum(vectors))
    likeness = _scaled([_dot(v, centre) for v in vectors])
    fullness = _scaled([sum(w.values()) for w in weights])
    kinds = [_kind(s) if english else _question(s) for s in sentences]
    scores = [(a + b) / 2 * kind for a, b, kind in zip(likeness, fullness, kinds, strict=True)]
    return Ranked(tuple(sentences), weights, vectors, tuple(_scaled(scores)))


def keywords(ranked: Ranked, count: int) -> tuple[str, ...]:
    """The most telling stems of the whole conversation, best first."""
    total = _sum(ranked.weights)
    return tuple(sorted(total, key=lambda stem: (-total[stem], stem))[:count])


def choose(ranked: Ranked, lengths: Sequence[int], words: int) -> list[int]:
    """Indexes of the sentences that fill `words`, in the order chosen; `lengths` is in words, as told."""
    left = {i for i, score in enumerate(ranked.scores) if score >= _WORTH_SAYING}
    repeated = [0.0] * len(ranked.sentences)
    chosen: list[int] = []
    filled: Counter[str] = Counter()
    while left and filled.total() < words:
        best = _next(ranked, left, repeated, filled, words)
        left.discard(best)
        if filled.total() + lengths[best] > words * _OVERFULL:
            continue
        chosen.append(best)
        filled[ranked.sentences[best].said_by] += lengths[best]
        for other in left:
            repeated[other] = max(repeated[other], _dot(ranked.vectors[other], ranked.vectors[best]))
    return chosen


def _next(ranked: Ranked, left: set[int], repeated: list[float], filled: Counter[str], words: int) -> int:
    allowed = [i for i in left if filled[ranked.sentences[i].said_by] < words * _LARGEST_SHARE] or left
    return max(allowed, key=lambda i: ((1 - _NOVELTY) * ranked.scores[i] - _NOVELTY * repeated[i], -i))


def _weights(stems: Sequence[str], frequencies: Mapping[str, int], documents: int) -> Weights:
    counts = Counter(stems)
    total = max(documents, 2)
    return {
        stem: n * math.log(1 + total / (1 + max(0, frequencies.get(stem, 0)))) for stem, n in counts.items()
    }


def _kind(sentence: Sentence) -> float:
    text = sentence.text
    factor = _ABOUT_ONESELF if _SELF.search(text) else _ABOUT_OTHERS
    factor *= _REACTION if _REACTING.match(text) else 1
    factor *= _DATED if _TIME.search(text) else 1
    return factor * _question(sentence)


def _question(sentence: Sentence) -> float:
    return _QUESTION if sentence.mood == "question" else 1


def _sum(vectors: Sequence[Weights]) -> Weights:
    total: Weights = {}
    for vector in vectors:
        for stem, weight in vector.items():
            total[stem] = total.get(stem, 0) + weight
    return total


def _unit(vector: Weights) -> Weights:
    length = math.sqrt(sum(w * w for w in vector.values()))
    return {stem: w / length for stem, w in vector.items()} if length else {}


def _dot(a: Weights, b: Weights) -> float:
    return sum(w * b[stem] for stem, w in a.items() if stem in b)


def _scaled(values: Sequence[float]) -> list[float]:
    largest = max(values, default=0)
    return [v / largest for v in values] if largest > 0 else list(values)
