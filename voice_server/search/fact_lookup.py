"""Look up facts that share words with a query. They are few enough to be read whole, so they are searched as
talk is, in any language and script."""

import asyncio
from collections.abc import Sequence
from datetime import date
from math import fsum

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.search.lexemes import Word, language_of, lexemes, words
from voice_server.search.names import Names, bearers, speaker
from voice_server.search.question import mentions_of, roles
from voice_server.search.ranking import rarity
from voice_server.search.types import SCORE_DIGITS, FactHit, Timeline
from voice_server.store.knowledge import facts, forgotten
from voice_server.store.knowledge.facts import CurrentFact

# Facts that are read in about a millisecond: no thread is worth it, unless some are to be forgotten.
_INLINE = 200
_OTHERS = 0.6  # of its worth keeps what is not said by, or known of, whom the query names


async def find(
    connection: AsyncConnection,
    timeline: Timeline,
    text: str,
    *,
    limit: int,
    min_score: float | None,
    today: date,
) -> list[FactHit]:
    """Return facts that hold today, best first, of equals the latest said. A fact with all words that any
    fact has scores 1."""
    hidden = ForgetFilter(await forgotten.topics(connection, timeline.user_id), timeline.timezone)
    held, language = await facts.held(connection, timeline.user_id, timeline.agent_id, today)
    if len(held) <= _INLINE and not hidden:
        hits = scored(held, hidden, text, language, timeline.names)
    else:
        hits = await asyncio.to_thread(scored, held, hidden, text, language, timeline.names)
    return [hit for hit in hits if round(hit.score, SCORE_DIGITS) >= (min_score or 0)][:limit]


def scored(
    there: Sequence[CurrentFact], hidden: ForgetFilter, text: str, language: str, names: Names = ("", "")
) -> list[FactHit]:
    """Return facts best first; rare words count more. `names` (the user's, the agent's) say whose facts are
    meant, and count as words only where no fact has any other. Models may write facts in English, whatever
    the user speaks."""
    held = [fact for fact in there if not hidden.on(fact.last_said_on, fact.text)]
    languages = sorted({"en", language_of([], language, "")})
    asked = words(text, languages)
    named = {word: bearers(word, text, names) for word in asked}
    telling = [word for word in asked if not named[word]]
    whose = speaker(text, [*mentions_of(text, named), *roles(text)])
    shares = _shares(telling, held, languages) or _shares(asked, held, languages)
    found = [
        (fact, _worth(fact, shares.get(fact.id, 0.0), of_user=whose, asks=bool(telling))) for fact in held
    ]
    hits = [
        FactHit(fact.id, fact.about, fact.text, fact.last_said_on, fact.origin, worth)
        for fact, worth in found
        if worth
    ]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.said_on.toordinal(), -hit.fact_id))


def _worth(fact: CurrentFact, share: float, *, of_user: bool | None, asks: bool) -> float:
    """Count less what is somebody else's; a query for nothing but a person means all of theirs."""
    if of_user is None:
        return share
    if fact.about != ("user" if of_user else "agent"):
        return share * _OTHERS
    return share if asks else 1.0


def _shares(asked: Sequence[Word], held: Sequence[CurrentFact], languages: Sequence[str]) -> dict[int, float]:
    shared = {fact.id: _shared(asked, fact.text, languages) for fact in held}
    counts = {word: sum(word in has for has in shared.values()) for word in asked}
    worth = {word: rarity(count, len(held)) for word, count in counts.items() if count}
    most = fsum(worth.values())  # not sum: of equals one would be ahead by the order of its words
    return {id_: fsum(worth[word] for word in has) / most for id_, has in shared.items() if has}


def _shared(asked: Sequence[Word], text: str, languages: Sequence[str]) -> list[Word]:
    has = {one for language in languages for one in lexemes(text, language)}
    return [word for word in asked if has.intersection(word.lexemes)]
