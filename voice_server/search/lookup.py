"""Look something up in a user's talk with an agent.

    query ─→ its words (question) ─→ where they were said (search index) ─→ ranking ─┐
                 └→ its vector, in time or not at all ─→ the nearest messages ───────┴→ best messages
                                                                                       └→ the days they are of

Nothing here reads more than one timeline: results are the same however many other users there are.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.domain.conversation import message_id
from voice_server.search import days, ranking
from voice_server.search.corpus import SearchedTimeline, gather, within
from voice_server.search.days import FoundDay
from voice_server.search.hybrid import Semantics, with_meaning
from voice_server.search.ranking import Floats, Ints, Scores
from voice_server.search.score import lessened, score
from voice_server.search.types import SCORE_DIGITS, Hit, Query, Timeline
from voice_server.store.knowledge import forgotten
from voice_server.store.search import search_index
from voice_server.store.search.search_index import FoundMessage

COVERED = 0.85  # of its worth keeps a message that what is shown of its day's summary tells already

_HIDING = 4  # as many candidates, where some of them may not be told
_INLINE = 8_000  # messages that are ranked in about a millisecond: no thread is worth it
_TOLD = 0.75  # of a message's words stand in what tells it


async def messages_and_days(
    connection: AsyncConnection,
    timeline: Timeline,
    query: Query,
    *,
    now: datetime,
    semantics: Semantics | None = None,
) -> list[Hit]:
    """Return summaries of days first, then messages, each best first; of equals the newer. `now` is UTC."""
    talk = await gather(connection, timeline, query, now)
    if talk is None:
        return []
    through = await within(connection, timeline, query, talk.corpus, now)
    ranked = await _rank(talk)
    if semantics is not None:
        ranked = await with_meaning(
            connection, timeline, talk, ranked, semantics, filtered=query.is_of_some_days
        )
    values = ranked.messages
    hidden = ForgetFilter(await forgotten.topics(connection, timeline.user_id), timeline.timezone)
    count = (_HIDING if hidden else 1) * 2 * query.limit
    best = _best(np.where(through, values, 0), talk.corpus.said_at, count)
    named = [(talk.name(at), float(values[at])) for at in best]
    of_days = days.candidates(talk, ranked.passages, through)
    found = await search_index.messages(
        connection,
        timeline.user_id,
        timeline.agent_id,
        [name for name, _ in named],
        [name for name, _ in of_days],
    )
    told = await asyncio.to_thread(_told, found, hidden) if hidden else found
    summaries = days.shown(of_days, told, query, talk)
    return _merged(query, summaries, _hits(named, told, query, timeline), talk)


async def _rank(talk: SearchedTimeline) -> Scores:
    if talk.corpus.size <= _INLINE:
        return ranking.rank(talk.corpus, talk.asked)
    return await asyncio.to_thread(ranking.rank, talk.corpus, talk.asked)


def _best(values: Floats, said_at: Ints, count: int) -> list[int]:
    candidates = np.nonzero(values > 0)[0]
    if len(candidates) > count:
        worth = values[candidates]
        candidates = candidates[worth >= np.partition(worth, -count)[-count]]
    order = np.lexsort((-candidates, -said_at[candidates], -values[candidates]))
    return [int(one) for one in candidates[order][:count]]


def _told(
    found: Mapping[tuple[int, int], FoundMessage], hidden: ForgetFilter
) -> dict[tuple[int, int], FoundMessage]:
    return {
        name: replace(one, summary="") if one.day and hidden.on(one.day, one.summary) else one
        for name, one in found.items()
        if not hidden.at(one.said_at, one.content, of=name[0])
    }


def _hits(
    named: Sequence[tuple[tuple[int, int], float]],
    found: Mapping[tuple[int, int], FoundMessage],
    query: Query,
    timeline: Timeline,
) -> list[Hit]:
    zone = ZoneInfo(timeline.timezone)
    hits = [_hit(found[name], score(value), zone) for name, value in named if name in found]
    return [hit for hit in hits if query.is_of(hit.day)]


def _hit(message: FoundMessage, worth: float, zone: ZoneInfo) -> Hit:
    return Hit(
        "message",
        message.day or message.said_at.astimezone(zone).date(),
        message.day_segment_id,
        message.content,
        worth,
        message_id(message.conversation_id, message.position),
        message.role,
        message.said_at,
    )


def _merged(
    query: Query, summaries: Sequence[FoundDay], messages: Sequence[Hit], talk: SearchedTimeline
) -> list[Hit]:
    """Put summaries first; a message that a summary shown tells already counts less."""
    by_day = {day.hit.day_segment_id: day for day in summaries}
    told = [
        _covered(hit, by_day[hit.day_segment_id], talk) if hit.day_segment_id in by_day else hit
        for hit in messages
    ]
    told.sort(key=lambda hit: -hit.score)  # stable: of equals the newer stays first
    found = [*(day.hit for day in summaries), *told]
    # as it is told: who asks for 0.30 and more has seen a 0.30
    return [hit for hit in found if round(hit.score, SCORE_DIGITS) >= (query.min_score or 0)][: query.limit]


def _covered(hit: Hit, day: FoundDay, talk: SearchedTimeline) -> Hit:
    """Lessen a message if the summary shown says most of it, and all that was asked for."""
    words = talk.words(hit.snippet)
    untold = words - day.words
    if not words or len(untold) > (1 - _TOLD) * len(words) or untold & talk.question.lexemes:
        return hit
    # Of its worth, not of its score: there it puts the best, which a summary quotes first, behind most
    # others.
    return replace(hit, score=lessened(hit.score, COVERED), covered_by_summary=True)
