"""Which messages a query means, by words alone. Pure: arrays in, scores out.

BM25, with what talk needs besides. Recall among the first ten, on long dialogues as they were written, as a
recogniser hands them over, and as people text:

                                                               written  spoken  texted
    all                                                           79.7    78.9    70.8
    - what the whole passage is about                             -3.8    -5.3    -4.7
    - who is named says it                                        -2.0    -3.3    -3.3
    - days that the query names                                   -2.0    -1.9    -1.2
    - an answer has the words of its question                     -1.3    -1.0    -0.3
    - the words of the turns before and after                     -0.4    -1.5    -0.1
    - little said has little of what is not its own               -0.1    +0.2    -1.7
    - a message has words of its turn                              0.0     0.0    -1.2

Messages of a person in a row are one turn. A neighbour's words count where one turn answers the other, and
only for what the message itself does not say. Other neighbours' words only decide between equals: blindly
added, they cost three points on chats in which people do not take turns.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from voice_server.search.passages import ASKS, COUNTS, IS_QUESTION, KIND, LENGTH, PLACE, TELLS_TIME, USER

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Weights(Struct, frozen=True):
    """What counts how much, coarsely: halved or doubled, most cost less than a point, `passage`, `answer` and
    `company` up to two and a half, `rarity` three. Numbers beside weights are recall among the first ten,
    written / spoken / texted."""

    saturation: float = 0.9  # BM25's k1: how soon a word said again adds nothing
    length: float = 0.3  # BM25's b: how much longer messages are held back
    rarity: float = 0.8  # the power of a word's idf
    turn: float = 0.3  # of the words of the rest of a turn; 0: texted -1.2, others the same; 0.6: texted -0.4
    answer: float = 0.7  # of a question's words, for the turn that answers it
    unasked: float = 0.5  # the same, where nobody writes question marks; 0: spoken -1.0, others the same
    hush: float = 8.0  # messages without a question mark from which it is rather so than not; 4 or 16: +-0.3
    nearby: float = 0.15  # of the words of the turns before and after
    passage: float = 0.7  # what the whole passage is about
    little: float = (
        1.0  # words of a message that is so short that it gets half of what it does not say itself
    )
    question: float = 0.15  # taken off a message that only asks
    speaker: float = 1.5  # times, when the person named says it
    day: float = 0.8  # on the days that are named
    silent: float = 0.5  # of that, for a message that says none of the words
    kind: float = 0.25  # times more, when it tells a time or a number, and one is asked for
    whole: float = 0.3  # share that counts only as far as all words are met
    company: float = 0.4  # of the best, that a message must have which says none of the words itself


class Corpus:
    """The messages of a timeline, an entry for each in every array, in the order of their numbers there."""

    def __init__(
        self, bases: Ints, sizes: Ints, starts: Ints, seconds: bytes, lengths: bytes, kinds: bytes
    ) -> None:
        """Take first number, size and start (unix seconds) of each passage, in the order of `bases`; and
        packed, in the same order, seconds since then, length and kind of each message."""
        self.bases, self.sizes = bases, sizes
        self.firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.passage = np.repeat(np.arange(len(sizes)), sizes)
        self.said_at = starts[self.passage] + np.frombuffer(seconds, PLACE)
        self.lengths = np.frombuffer(lengths, LENGTH).astype(np.float32)
        self.kinds = np.frombuffer(kinds, KIND)
        self.size = len(self.kinds)

    @cached_property
    def turns(self) -> "Turns":
        """Only for a corpus that has messages."""
        return Turns(self)

    def find(self, places: bytes) -> Ints:
        """Turn numbers into indices of the arrays, without messages that are no longer there."""
        numbers = np.frombuffer(places, PLACE).astype(np.int64)
        if not len(self.bases):
            return numbers[:0]
        passage = np.searchsorted(self.bases, numbers, "right") - 1
        within = numbers - self.bases[passage]
        there = (passage >= 0) & (within < self.sizes[passage])
        return (self.firsts[passage] + within)[there]

    def has(self, kind: int) -> Bools:
        found: Bools = (self.kinds & kind) != 0
        return found


class Turns:
    """What each of the two says before the other one does: a message, or a burst of several. Every array has
    an entry for each turn; `of` has the turn of each message."""

    def __init__(self, corpus: Corpus) -> None:
        begins = _begin(corpus)
        self.of = np.cumsum(begins) - 1
        self.firsts = np.flatnonzero(begins)
        self.count = len(self.firsts)
        self.sizes = np.empty_like(self.firsts)
        self.sizes[:-1], self.sizes[-1] = self.firsts[1:] - self.firsts[:-1], corpus.size - self.firsts[-1]
        self.passage = corpus.passage[self.firsts]
        self.lengths = corpus.lengths
        if self.count < corpus.size:
            self.lengths = np.add.reduceat(corpus.lengths, self.firsts)
        self.asks = np.zeros(self.count, bool)
        self.asks[self.of[np.flatnonzero(corpus.has(ASKS))]] = True
        self._begin_passage = self.of[corpus.firsts[:-1]]
        self._by_user = corpus.has(USER)[self.firsts]

    def lifted(self, values: Floats, share: float) -> Floats:
        """Add to the value of each message a share of what the best of its turn has more."""
        best: Floats = np.maximum.reduceat(values, self.firsts)[self.of]
        return values + np.float32(share) * (best - values)

    def answered(self) -> Bools:
        """Return which turns the other person's follow in the same passage."""
        found = np.zeros(self.count, bool)
        found[:-1] = self._by_user[1:] != self._by_user[:-1]
        found[self._begin_passage[1:] - 1] = False
        return found

    def after(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Move values to the next turn; the first of a passage gets nothing."""
        moved = np.zeros_like(values)
        moved[1:] = values[:-1]
        moved[self._begin_passage] = 0
        return moved

    def before(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Move values to the turn before; the last of a passage gets nothing."""
        moved = np.zeros_like(values)
        moved[:-1] = values[1:]
        moved[self._begin_passage[1:] - 1] = 0
        moved[-1] = 0
        return moved

    def messages(self, turns: Ints) -> tuple[Ints, Ints]:
        """Return the messages of some turns; and of each the place of its turn among these."""
        sizes = self.sizes[turns]
        which = np.repeat(np.arange(len(turns)), sizes)
        before = np.cumsum(sizes) - sizes
        return self.firsts[turns][which] + np.arange(len(which)) - before[which], which


def _begin(corpus: Corpus) -> Bools:
    by_user, begins = corpus.has(USER), np.ones(corpus.size, bool)
    begins[1:] = (by_user[1:] != by_user[:-1]) | (np.diff(corpus.said_at) > _BURST)
    begins[corpus.firsts[:-1]] = True
    return begins


_BURST = 300  # seconds between two messages of one turn at most: who writes on later begins anew


class RankingQuery(Struct, frozen=True):
    """A query with packed `places` of each word. `by_user` is set when one of the two is named; `days` are
    unix seconds from and to; `text` is without the names of the two."""

    places: Sequence[bytes]
    by_user: bool | None = None
    days: Sequence[tuple[int, int]] = ()
    asks_time: bool = False
    asks_number: bool = False
    text: str = ""


class Scores(Struct, frozen=True):
    """Values from 0. A message of 1 says all words once, and nothing else speaks for it; a passage of 1 says
    them all again and again."""

    messages: Floats
    passages: Floats


def rank(corpus: Corpus, asked: RankingQuery, weights: Weights = Weights()) -> Scores:
    words = [_Word(corpus, places, weights) for places in asked.places] if corpus.size else []
    most = float(sum(word.weight for word in words))
    if not most:
        return Scores(np.zeros(corpus.size, np.float32), np.zeros(len(corpus.sizes), np.float32))
    turns = corpus.turns
    passages, best = _by_passage(corpus, words)
    by_words = _WordScores(corpus, turns, weights)
    for word in words:
        by_words.add(word)
    says = by_words.says
    found = by_words.total * (1 - weights.whole + weights.whole * by_words.met / np.float32(most))
    around = np.float32(weights.nearby) * _nearby(turns, words)[turns.of]
    around += np.float32(weights.passage) * passages[corpus.passage]
    found += _heft(corpus, weights) * around
    found = _as_asked(corpus, asked, found, weights, most)
    found += np.float32(weights.day) * _near_days(asked, corpus.said_at) * _heard(says, weights)
    alone = sum(len(word.at) > 0 for word in words) < _COMPANY and not asked.days
    found[~says & (alone | (found < weights.company * found.max()))] = 0
    begins = corpus.said_at[corpus.firsts[:-1]]
    return Scores(found, passages / np.float32(best) + np.float32(weights.day) * _near_days(asked, begins))


def by_speaker(corpus: Corpus, asked: RankingQuery, weights: Weights = Weights()) -> Floats | np.float32:
    """Return factors, more than 1 for what the person named said."""
    if asked.by_user is None:
        return np.float32(1)
    return np.where(corpus.has(USER) == asked.by_user, np.float32(weights.speaker), np.float32(1))


def _as_asked(corpus: Corpus, asked: RankingQuery, found: Floats, weights: Weights, most: float) -> Floats:
    found *= np.where(corpus.has(IS_QUESTION), np.float32(1 - weights.question), np.float32(1))
    for wanted, kind in ((asked.asks_time, TELLS_TIME), (asked.asks_number, COUNTS)):
        if wanted:
            found *= np.where(corpus.has(kind), np.float32(1 + weights.kind), np.float32(1))
    found *= by_speaker(corpus, asked, weights)
    return found / np.float32(most)


def _heard(says: Bools, weights: Weights) -> Floats:
    """Count the right day less where no word is said: most of what is said on it is about something else."""
    return np.where(says, np.float32(1), np.float32(weights.silent))


_COMPANY = 2  # words of a query said at all, for a message to count that says none but stands by others


class _Word:
    def __init__(self, corpus: Corpus, places: bytes, weights: Weights) -> None:
        self.at, times = np.unique(corpus.find(places), return_counts=True)
        self.times = times.astype(np.float32)
        self.weight = np.float32(rarity(len(self.at), corpus.size) ** weights.rarity)

    def by_turn(self, turns: Turns) -> tuple[Ints, Floats]:
        of = turns.of[self.at]
        if len(of) and len(new := np.flatnonzero(of[1:] != of[:-1]) + 1) + 1 < len(of):
            new = np.concatenate([[0], new])
            return of[new], np.add.reduceat(self.times, new)
        return of, self.times  # of each turn one message at most


class _WordScores:
    """What each message is worth by the words it has: BM25, a word at a time. An answer has its question's
    words as well, and a message some of its turn's."""

    def __init__(self, corpus: Corpus, turns: Turns, weights: Weights) -> None:
        self.total = np.zeros(corpus.size, np.float32)
        self.met = np.zeros(corpus.size, np.float32)  # the same, each word at most once
        self.says = np.zeros(corpus.size, bool)  # a word of its own, or of its question
        self._turns, self._weights = turns, weights
        self._hold_back = _hold_back(corpus.lengths, weights)
        self._turns_hold_back = _hold_back(turns.lengths, weights)
        self._heft, self._answers = _heft(corpus, weights), _answers(corpus, turns, weights)
        self._own = np.zeros(corpus.size, np.float32)  # of the word at hand

    def add(self, word: _Word) -> None:
        """Count one more word, only where it counts: arrays as long as the corpus are what costs."""
        own = _saturated(word.times, self._hold_back[word.at], self._weights)
        self._count(word, word.at, own)
        self._own[word.at] = own
        self.says[word.at] = True
        turns, times = word.by_turn(self._turns)
        heard = _saturated(times, self._turns_hold_back[turns], self._weights)
        answered = self._answers[turns] > 0
        self._count_answers(word, turns[answered], heard[answered])
        several = self._turns.sizes[turns] > 1
        self._count_siblings(word, turns[several], heard[several])
        self._own[word.at] = 0

    def _count_answers(self, word: _Word, turns: Ints, heard: Floats) -> None:
        at, which = self._turns.messages(turns + 1)
        share = (self._answers[turns] * heard)[which] * self._heft[at]
        self._count(word, at, share * np.maximum(0, 1 - self._own[at]))
        self.says[at] = True

    def _count_siblings(self, word: _Word, turns: Ints, heard: Floats) -> None:
        at, which = self._turns.messages(turns)
        missing = np.maximum(0, heard[which] - self._own[at])
        self._count(word, at, np.float32(self._weights.turn) * self._heft[at] * missing)

    def _count(self, word: _Word, at: Ints, worth: Floats) -> None:
        self.total[at] += word.weight * worth
        self.met[at] += word.weight * np.clip(worth, 0, 1 - np.minimum(self._own[at], 1))


def _hold_back(lengths: Floats, weights: Weights) -> Floats:
    relative = lengths / max(float(lengths.mean()), 1.0)
    return (weights.saturation * (1 - weights.length + weights.length * relative)).astype(np.float32)


def _saturated(times: Floats, hold_back: Floats, weights: Weights) -> Floats:
    return times * np.float32(weights.saturation + 1) / (times + hold_back)


def _heft(corpus: Corpus, weights: Weights) -> Floats:
    """“Wow!” between two turns about boats tells nothing of them."""
    return (corpus.lengths + np.float32(0.5)) / (corpus.lengths + np.float32(0.5 + weights.little))


def _answers(corpus: Corpus, turns: Turns, weights: Weights) -> Floats:
    """Return the share of each turn's words that its answer gets."""
    shares = _unasked(corpus, turns, weights)[turns.passage]
    shares[turns.asks] = weights.answer
    shares[~turns.answered()] = 0
    return shares


def _unasked(corpus: Corpus, turns: Turns, weights: Weights) -> Floats:
    """Return such a share for turns without a question mark: the longer a passage has none, the likelier that
    people in a hurry, or a recogniser, write none."""
    shares = (weights.unasked * corpus.sizes / (corpus.sizes + weights.hush)).astype(np.float32)
    shares[turns.passage[turns.asks]] = 0
    return shares


def _nearby(turns: Turns, words: Sequence[_Word]) -> Floats:
    said = np.zeros(turns.count, np.float32)
    for word in words:
        said[turns.of[word.at]] += word.weight
    around = np.zeros(turns.count, np.float32)
    for step in (turns.after, turns.before):
        moved = said
        for share in _SHARES:
            moved = step(moved)
            around += np.float32(share) * moved
    return around


_SHARES = (0.5, 0.25)  # of the next turn, and of the one after it


def _by_passage(corpus: Corpus, words: Sequence[_Word]) -> tuple[Floats, float]:
    """Return the worth of each passage, and the most that a passage could have."""
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


def _near_days(asked: RankingQuery, said_at: Ints) -> Floats:
    """Return 1 on the days asked for, less the farther from them: people speak of a day on the days after
    it."""
    near = np.zeros(len(said_at), np.float32)
    for since, until in asked.days:
        before, after = np.maximum(since - said_at, 0), np.maximum(said_at - until, 0)
        near = np.maximum(near, np.exp(-(2 * before + after) / _WEEK))
    return near.astype(np.float32)


_WEEK = 7 * 86_400


def rarity(having: int, of: int) -> float:
    """Return the inverse document frequency of BM25; a word that nobody says counts as if one message said
    it."""
    having = max(having, 1)
    return float(np.log1p((of - having + 0.5) / (having + 0.5)))
