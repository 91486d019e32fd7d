"""Meaning beside words: the nearest messages to a query's vector."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.search import ranking
from voice_server.search.corpus import SearchedTimeline
from voice_server.search.embedding.query_vectors import QueryVectors
from voice_server.search.passages import PLACE
from voice_server.search.ranking import Floats, Ints, Scores
from voice_server.search.types import Timeline
from voice_server.store.search import nearest
from voice_server.store.search.nearest import Neighbour, Space

_NEAREST = 100  # messages whose similarity counts: twice as many find no more
_FILTERED = 4  # times as many where results are filtered
_LEAST = 0.3  # similarity of a message that says none of the words: below it, anything is like anything
_OF_TURN = 0.4  # of how much nearer another message of its turn is: alone, one of a burst says little
_WINDOWS = 20
_OF_WINDOWS = 0.3  # of the share: what many messages are about, one vector tells worse than all their words


class Semantics(Struct, frozen=True):
    """Vectors of queries, and how much (0 to 1) meaning counts beside words."""

    vectors: QueryVectors
    share: float


async def with_meaning(
    connection: AsyncConnection,
    timeline: Timeline,
    talk: SearchedTimeline,
    by_words: Scores,
    semantics: Semantics,
    *,
    filtered: bool,
) -> Scores:
    """Mix meaning into words; words alone count where no vector comes in time. Where the words of the query
    are hardly said, meaning decides. With `filtered` more of the nearest are looked at, because filters may
    let few through."""
    vector = await semantics.vectors.of(talk.asked.text)
    if vector is None:
        return by_words
    space = Space(timeline.user_id, timeline.agent_id, semantics.vectors.model, len(vector))
    limit = _NEAREST * _FILTERED if filtered else _NEAREST
    messages = await nearest.messages(connection, space, vector, limit)
    windows = await nearest.windows(connection, space, vector, _WINDOWS)
    return Scores(
        _mixed(_of_messages(talk, messages, by_words.messages), by_words.messages, semantics.share),
        _mixed(_of_passages(talk, windows), by_words.passages, semantics.share * _OF_WINDOWS),
    )


def _mixed(by_meaning: Floats, by_words: Floats, share: float) -> Floats:
    return np.float32(share) * by_meaning + np.float32(1 - share) * by_words


def _of_messages(talk: SearchedTimeline, near: Sequence[Neighbour], by_words: Floats) -> Floats:
    """Take messages beyond the nearest as no nearer than these; without any of the words they are not what
    was meant."""
    at = _indices(talk, near)
    values = np.array([max(one.similarity, 0) for one in near], np.float32)[at >= 0]
    similar = np.where(by_words > 0, values.min(initial=1) if len(values) else 0, 0).astype(np.float32)
    similar[at[at >= 0]] = values
    if len(values):
        similar = talk.corpus.turns.lifted(similar, _OF_TURN)
    similar[(by_words <= 0) & (similar < _LEAST)] = 0
    return similar * ranking.by_speaker(talk.corpus, talk.asked)


def _of_passages(talk: SearchedTimeline, near: Sequence[Neighbour]) -> Floats:
    similar = np.zeros(len(talk.corpus.sizes), np.float32)
    for at, one in zip(_indices(talk, near), near, strict=True):
        if at >= 0:
            passage = talk.corpus.passage[at]
            similar[passage] = max(similar[passage], one.similarity)
    return similar


def _indices(talk: SearchedTimeline, near: Sequence[Neighbour]) -> Ints:
    passages: dict[int, list[int]] = {}
    for number, conversation in enumerate(talk.packed.conversation_ids):
        passages.setdefault(conversation, []).append(number)
    positions = np.frombuffer(talk.packed.positions, PLACE)
    found = np.full(len(near), -1, np.int64)
    for which, one in enumerate(near):
        for passage in passages.get(one.conversation_id, ()):
            first, last = talk.corpus.firsts[passage], talk.corpus.firsts[passage + 1]
            at = first + int(np.searchsorted(positions[first:last], one.position))
            if at < last and positions[at] == one.position:
                found[which] = at
    return found
