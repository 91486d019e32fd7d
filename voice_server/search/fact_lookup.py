"""Look something up in what is known of a user: facts that share words with a query."""

from datetime import date
from math import fsum

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.stems import content_stems
from voice_server.search.found import FactHit, Timeline
from voice_server.store import facts as store
from voice_server.store.facts import Sharing


async def facts(
    connection: AsyncConnection,
    timeline: Timeline,
    text: str,
    *,
    limit: int,
    min_score: float | None,
    today: date,
) -> list[FactHit]:
    """Facts that hold today and share words with the text, best first; of equals the one said last. A score of 1
    says that a fact has all words that any fact has."""
    stems = {*content_stems(text), *content_stems(text, english=False)}
    sharing = await store.sharing(connection, timeline.user_id, timeline.agent_id, sorted(stems), today)
    hits = _scored(sharing, stems)
    hits.sort(key=lambda hit: (-hit.score, -hit.said_on.toordinal(), -hit.fact_id))
    return [hit for hit in hits if hit.score >= (min_score or 0)][:limit]


def _scored(sharing: Sharing, asked: set[str]) -> list[FactHit]:
    """Each shared word by how rare it is among the facts."""
    shared = {fact.id: asked.intersection(fact.stems) for fact in sharing.facts}
    counts = {stem: sum(stem in words for words in shared.values()) for stem in asked}
    worth = {stem: _rarity(count, sharing.count) for stem, count in counts.items() if count}
    most = fsum(worth.values())  # not sum: of equals one would be ahead by the order of its words
    return [
        FactHit(
            fact.id,
            fact.about,
            fact.text,
            fact.last_said_on,
            fact.origin,
            fsum(worth[stem] for stem in shared[fact.id]) / most,
        )
        for fact in sharing.facts
    ]


def _rarity(having: int, of: int) -> float:
    return float(np.log1p((of - having + 0.5) / (having + 0.5)))
