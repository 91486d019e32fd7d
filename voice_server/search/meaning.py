"""Meaning beside words: the nearest messages to a query's vector."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.search import ranking
from voice_server.search.embedding_query import QueryVectors
from voice_server.search.found import Timeline
from voice_server.search.passages import PLACE
from voice_server.search.ranking import Floats, Ints
from voice_server.search.talk import Talk
from voice_server.store import vectors

_NEAREST = 100  # messages whose similarity counts: twice as many find no more


class Semantics(Struct, frozen=True):
    """Search by meaning beside words: vectors of queries, and how much (0 to 1) they count."""

    vectors: QueryVectors
    share: float


async def with_meaning(
    connection: AsyncConnection, timeline: Timeline, talk: Talk, by_words: Floats, semantics: Semantics
) -> Floats:
    """Words and meaning together; words alone where there is no vector in time. Where the words of the query are
    hardly said at all, what they count is next to nothing, and meaning decides."""
    vector = await semantics.vectors.of(talk.asked.text)
    if vector is None:
        return by_words
    near = await vectors.nearest(
        connection, timeline.user_id, timeline.agent_id, semantics.vectors.model, vector, _NEAREST
    )
    similar = np.zeros(talk.corpus.size, np.float32)
    at = _indices(talk, [(one.conversation_id, one.position) for one in near])
    there = at >= 0
    values = np.array([one.similarity for one in near], np.float32)[there]
    similar[:] = (
        max(float(values.min(initial=1)), 0) if len(values) else 0
    )  # of the others it is less than that
    similar[at[there]] = np.maximum(values, 0)
    similar *= ranking.by_speaker(talk.corpus, talk.asked)
    return np.float32(semantics.share) * similar + np.float32(1 - semantics.share) * by_words


def _indices(talk: Talk, named: Sequence[tuple[int, int]]) -> Ints:
    """Where messages, named by conversation and position, are in the corpus; -1 for one that is not."""
    passages: dict[int, list[int]] = {}
    for number, conversation in enumerate(talk.packed.conversation_ids):
        passages.setdefault(conversation, []).append(number)
    positions = np.frombuffer(talk.packed.positions, PLACE)
    found = np.full(len(named), -1, np.int64)
    for which, (conversation, position) in enumerate(named):
        for passage in passages.get(conversation, ()):
            first, last = talk.corpus.firsts[passage], talk.corpus.firsts[passage + 1]
            at = first + int(np.searchsorted(positions[first:last], position))
            if at < last and positions[at] == position:
                found[which] = at
    return found
