"""Look something up in what is known of a user: facts that share words with a query.

There are few enough of them to be read whole: so they are searched as talk is, in any language and script.
"""

import asyncio
from collections.abc import Sequence
from datetime import date
from math import fsum

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.privacy.forgotten import Hidden
from voice_server.search.found import SCORE_DIGITS, FactHit, Timeline
from voice_server.search.lexemes import Word, language_of, lexemes, words
from voice_server.search.ranking import rarity
from voice_server.store import facts as store
from voice_server.store import forgotten
from voice_server.store.facts import Held

_INLINE = 200  # facts that are read in about a millisecond: no thread is worth it


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
    hidden = Hidden(await forgotten.topics(connection, timeline.user_id), timeline.timezone)
    held, language = await store.held(connection, timeline.user_id, timeline.agent_id, today)
    if len(held) <= _INLINE:
        hits = _scored(held, hidden, text, language)
    else:
        hits = await asyncio.to_thread(_scored, held, hidden, text, language)
    hits.sort(key=lambda hit: (-hit.score, -hit.said_on.toordinal(), -hit.fact_id))
    return [hit for hit in hits if round(hit.score, SCORE_DIGITS) >= (min_score or 0)][:limit]


def _scored(there: Sequence[Held], hidden: Hidden, text: str, language: str) -> list[FactHit]:
    """Each shared word by how rare it is among the facts. What the model writes may be in English whatever the
    user speaks."""
    held = [fact for fact in there if not hidden.on(fact.last_said_on, fact.text)]
    languages = sorted({"en", language_of([], language, "")})
    asked = words(text, languages)
    shared = {fact.id: _shared(asked, fact.text, languages) for fact in held}
    counts = {word: sum(word in has for has in shared.values()) for word in asked}
    worth = {word: rarity(count, len(held)) for word, count in counts.items() if count}
    most = fsum(worth.values())  # not sum: of equals one would be ahead by the order of its words
    return [
        FactHit(
            fact.id,
            fact.about,
            fact.text,
            fact.last_said_on,
            fact.origin,
            fsum(worth[word] for word in shared[fact.id]) / most,
        )
        for fact in held
        if shared[fact.id]
    ]


def _shared(asked: Sequence[Word], text: str, languages: Sequence[str]) -> list[Word]:
    has = {one for language in languages for one in lexemes(text, language)}
    return [word for word in asked if has.intersection(word.lexemes)]
