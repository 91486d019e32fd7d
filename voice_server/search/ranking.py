"""Which messages a query means, by words alone. Pure: arrays in, scores out.

BM25, with what talk needs besides (measured on long dialogues, recall among the first ten):

    the words, those of the person's name not among them            60
    + who is named says it                                          +4
    + an answer counts for the words of its question                +9
    + what the whole passage is about                               +3
    + days that the query names                                     +2
    + which of two equals has more of the words around it           +1

A neighbour's words count where one message answers the other, and only for what the message itself does not say;
those of others hardly more than to decide between equals: blindly added, they cost three points on chats in which
people do not take turns.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from voice_server.search.passages import ASKS, COUNTS, IS_QUESTION, KIND, LENGTH, PLACE, TELLS_TIME, USER

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Weights(Struct, frozen=True):
    """What counts how much. None of it is more than a coarse choice: halved or doubled, each costs about a point."""

    saturation: float = 0.9  # BM25's k1: how soon a word said again adds nothing
    length: float = 0.3  # BM25's b: how much longer messages are held back
    rarity: float = 0.8  # the power of a word's idf
    answer: float = 0.7  # of a question's words, for the message that answers it
    nearby: float = 0.1  # of the words said just before and after
    passage: float = 0.7  # what the whole passage is about
    question: float = 0.15  # taken off a message that only asks
    speaker: float = 1.5  # times, when the person named says it
    day: float = 0.8  # on the days that are named
    silent: float = 0.5  # of that, for a message that says none of the words
    kind: float = 0.25  # times more, when it tells a time or a number, and one is asked for
    whole: float = 0.3  # share that counts only as far as all words are met
    company: float = 0.3  # of the best, that a message must have which says none of the words itself


class Corpus:
    """The messages of a timeline, an entry for each in every array, in the order of their numbers there."""

    def __init__(
        self, bases: Ints, sizes: Ints, starts: Ints, seconds: bytes, lengths: bytes, kinds: bytes
    ) -> None:
        """Of each passage, in the order of `bases`: its first number, its size, when it starts (unix seconds). Of each
        message, packed, in the same order: seconds since then, length, kind."""
        self.bases, self.sizes = bases, sizes
        self.firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.passage = np.repeat(np.arange(len(sizes)), sizes)
        self.said_at = starts[self.passage] + np.frombuffer(seconds, PLACE)
        self.lengths = np.frombuffer(lengths, LENGTH).astype(np.float32)
        self.kinds = np.frombuffer(kinds, KIND)
        self.size = len(self.kinds)

    def find(self, places: bytes) -> Ints:
        """Numbers as indices into the arrays, without those of messages that are no longer there."""
        numbers = np.frombuffer(places, PLACE).astype(np.int64)
        if not len(self.bases):
            return numbers[:0]
        passage = np.searchsorted(self.bases, numbers, "right") - 1
        within = numbers - self.bases[passage]
        there = (passage >= 0) & (within < self.sizes[passage])
        return (self.firsts[passage] + within)[there]

    def has(self, kind: int) -> Bools:
        """Which messages are of this kind."""
        found: Bools = (self.kinds & kind) != 0
        return found

    def after(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """For each message what its predecessor in the passage has; nothing for the first."""
        moved = np.zeros_like(values)
        moved[1:] = values[:-1]
        moved[self.firsts[:-1]] = 0
        return moved

    def before(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """For each message what its successor in the passage has; nothing for the last."""
        moved = np.zeros_like(values)
        moved[:-1] = values[1:]
        moved[self.firsts[1:] - 1] = 0
        return moved


class Asked(Struct, frozen=True):
    """A query, understood. `places` of each of its words, packed (b"" for one that nobody said); `by_user` when
    one of the two is named; `days` as unix seconds from and to; whether it asks for a time, or for a number. `text` is
    the query without the names of the two."""

    places: Sequence[bytes]
    by_user: bool | None = None
    days: Sequence[tuple[int, int]] = ()
    asks_time: bool = False
    asks_number: bool = False
    text: str = ""


class Ranked(Struct, frozen=True):
    """How well each message answers, and each passage as a whole, from 0: 1 is a message that says all words once,
    and for which nothing else speaks; and a passage that says them all again and again."""

    messages: Floats
    passages: Floats


def rank(corpus: Corpus, asked: Asked, weights: Weights = Weights()) -> Ranked:  # noqa: B008 (frozen)
    """By words alone."""
    words = [_Word(corpus, places, weights) for places in asked.places]
    most = sum(word.weight for word in words)
    if not corpus.size or not most:
        return Ranked(np.zeros(corpus.size, np.float32), np.zeros(len(corpus.sizes), np.float32))
    passages, best = _by_passage(corpus, words)
    found, says = _by_words(corpus, words, weights, most)
    found += np.float32(weights.nearby) * _nearby(corpus, words)
    found += np.float32(weights.passage) * passages[corpus.passage]
    found = _as_asked(corpus, asked, found, weights, most)
    found += np.float32(weights.day) * _near_days(asked, corpus.said_at) * _heard(says, weights)
    alone = sum(len(word.at) > 0 for word in words) < _COMPANY and not asked.days
    found[~says & (alone | (found < weights.company * found.max()))] = 0
    begins = corpus.said_at[corpus.firsts[:-1]]
    return Ranked(found, passages / np.float32(best) + np.float32(weights.day) * _near_days(asked, begins))


def by_speaker(corpus: Corpus, asked: Asked, weights: Weights = Weights()) -> Floats | np.float32:  # noqa: B008 (same)
    """More than 1 for what was said by the person named."""
    if asked.by_user is None:
        return np.float32(1)
    return np.where(corpus.has(USER) == asked.by_user, np.float32(weights.speaker), np.float32(1))


def _as_asked(corpus: Corpus, asked: Asked, found: Floats, weights: Weights, most: float) -> Floats:
    """With what speaks for a message besides its words."""
    found *= np.where(corpus.has(IS_QUESTION), np.float32(1 - weights.question), np.float32(1))
    for wanted, kind in ((asked.asks_time, TELLS_TIME), (asked.asks_number, COUNTS)):
        if wanted:
            found *= np.where(corpus.has(kind), np.float32(1 + weights.kind), np.float32(1))
    found *= by_speaker(corpus, asked, weights)
    return found / np.float32(most)


def _heard(says: Bools, weights: Weights) -> Floats:
    """How much the right day counts: most of what is said on it is about something else."""
    return np.where(says, np.float32(1), np.float32(weights.silent))


_COMPANY = 2  # words of a query said at all, for a message to count that says none but stands by others


class _Word:
    """One word of the query: in which messages, how often, and what that is worth."""

    def __init__(self, corpus: Corpus, places: bytes, weights: Weights) -> None:
        self.at, times = np.unique(corpus.find(places), return_counts=True)
        self.times = times.astype(np.float32)
        self.weight = rarity(len(self.at), corpus.size) ** weights.rarity


def _by_words(corpus: Corpus, words: Sequence[_Word], weights: Weights, most: float) -> tuple[Floats, Bools]:
    """BM25, where an answer has its question's words as well; and which messages have any."""
    total, met = np.zeros(corpus.size, np.float32), np.zeros(corpus.size, np.float32)
    relative = corpus.lengths / max(float(corpus.lengths.mean()), 1.0)
    hold_back = (weights.saturation * (1 - weights.length + weights.length * relative)).astype(np.float32)
    by_user = corpus.has(USER)
    answers = corpus.after(corpus.has(ASKS)) & (corpus.after(by_user) != by_user)
    for word in words:
        own = np.zeros(corpus.size, np.float32)
        own[word.at] = word.times * (weights.saturation + 1) / (word.times + hold_back[word.at])
        own += weights.answer * answers * corpus.after(own) * np.maximum(0, 1 - own)
        total += np.float32(word.weight) * own
        met += np.float32(word.weight) * np.minimum(own, 1)
    return total * (1 - weights.whole + weights.whole * met / np.float32(most)), met > 0


def _nearby(corpus: Corpus, words: Sequence[_Word]) -> Floats:
    """The words of the messages just before and after, less the farther away."""
    said = np.zeros(corpus.size, np.float32)
    for word in words:
        said[word.at] += np.float32(word.weight)
    around = np.zeros(corpus.size, np.float32)
    for step in (corpus.after, corpus.before):
        moved = said
        for share in _SHARES:
            moved = step(moved)
            around += np.float32(share) * moved
    return around


_SHARES = (0.5, 0.25)  # of the next message, and of the one after it


def _by_passage(corpus: Corpus, words: Sequence[_Word]) -> tuple[Floats, float]:
    """BM25 of the passages; and the most that one could have."""
    total, best = np.zeros(len(corpus.sizes), np.float32), 0.0
    lengths = np.bincount(corpus.passage, corpus.lengths, len(corpus.sizes))
    hold_back = _PASSAGE_SATURATION * (0.25 + 0.75 * lengths / max(lengths.mean(), 1.0))
    for word in words:
        times = np.bincount(corpus.passage[word.at], word.times, len(corpus.sizes))
        most = rarity(int((times > 0).sum()), len(corpus.sizes)) * (_PASSAGE_SATURATION + 1)
        total += (most * times / (times + hold_back)).astype(np.float32)
        best += most
    return total, best


_PASSAGE_SATURATION = 1.2  # the usual one: passages are long


def _near_days(asked: Asked, said_at: Ints) -> Floats:
    """1 on the days asked for, less the farther from them: of a day one speaks on the days after it. For each moment
    that of the nearest."""
    near = np.zeros(len(said_at), np.float32)
    for since, until in asked.days:
        before, after = np.maximum(since - said_at, 0), np.maximum(said_at - until, 0)
        near = np.maximum(near, np.exp(-(2 * before + after) / _WEEK))
    return near.astype(np.float32)


_WEEK = 7 * 86_400


def rarity(having: int, of: int) -> float:
    """Inverse document frequency, as BM25 has it; of a word that nobody says, as of one that one message says."""
    having = max(having, 1)
    return float(np.log1p((of - having + 0.5) / (having + 0.5)))
