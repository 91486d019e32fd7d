"""A timeline, as it is searched for one query."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.search import question
from voice_server.search.dates.date_query import midnight
from voice_server.search.lexemes import lexemes
from voice_server.search.passages import PLACE
from voice_server.search.question import Question
from voice_server.search.ranking import Bools, Corpus, RankingQuery
from voice_server.search.types import Query, Timeline
from voice_server.store.knowledge import day_segments
from voice_server.store.search import search_index
from voice_server.store.search.search_index import PackedTimeline

_TRIES = 3  # while all is indexed anew in between
_LONGEST_AGO = 36_500  # days; before that there is no time zone to speak of


class SearchedTimeline(Struct, frozen=True):
    packed: PackedTimeline
    corpus: Corpus
    question: Question
    asked: RankingQuery

    def name(self, at: int) -> tuple[int, int]:
        """Return conversation and position of the message with this index in the corpus."""
        position = np.frombuffer(self.packed.positions, PLACE, 1, at * PLACE.itemsize)[0]
        return self.packed.conversation_ids[self.corpus.passage[at]], int(position)

    def words(self, text: str) -> frozenset[str]:
        return frozenset(one for language in self.packed.languages for one in lexemes(text, language))


async def gather(
    connection: AsyncConnection, timeline: Timeline, query: Query, now: datetime
) -> SearchedTimeline | None:
    """Return None when there is nothing to search, or all is indexed anew each time. `now` is when the query
    is asked."""
    for _ in range(_TRIES):
        packed = await search_index.passages(connection, timeline.user_id, timeline.agent_id)
        if packed is None:
            return None
        asked = question.parse(query.text, packed.languages)
        places = await search_index.places(connection, packed, asked.wanted)
        if places is not None:
            corpus = _corpus(packed)
            zone = ZoneInfo(timeline.timezone)
            understood = question.ask(asked, corpus, places, now, zone, names=timeline.names)
            return SearchedTimeline(packed, corpus, asked, understood)
    return None


def _corpus(packed: PackedTimeline) -> Corpus:
    return Corpus(
        np.array(packed.bases, np.int64),
        np.array(packed.sizes, np.int64),
        np.array(packed.starts, np.int64),
        packed.seconds,
        packed.lengths,
        packed.kinds,
    )


async def within(
    connection: AsyncConnection, timeline: Timeline, query: Query, corpus: Corpus, now: datetime
) -> Bools:
    """Return which messages the filters let through."""
    through = np.ones(corpus.size, bool)
    zone = ZoneInfo(timeline.timezone)
    if query.recency_days is not None:
        today = now.astimezone(zone).date()
        first = today - timedelta(days=min(query.recency_days - 1, _LONGEST_AGO))
        through &= corpus.said_at >= midnight(first, zone)
    if query.since is not None:
        through &= corpus.said_at >= midnight(query.since, zone)
    if query.before is not None:
        through &= corpus.said_at < int(query.before.timestamp())
    if query.until is not None:
        spans = await _day(connection, timeline, query.until, zone)
        through &= corpus.said_at <= max(until for _, until in spans)
    if query.day is not None:
        spans = await _day(connection, timeline, query.day, zone)
        on_it = [(corpus.said_at >= since) & (corpus.said_at <= until) for since, until in spans]
        through &= np.logical_or.reduce(on_it)
    return through


async def _day(
    connection: AsyncConnection, timeline: Timeline, day: date, zone: ZoneInfo
) -> list[tuple[int, int]]:
    """Return from and to in seconds, by the calendar and by the day's segment, so that talk past midnight is
    found on the day it began. What belongs to another day's segment is dropped when shown."""
    segments = await day_segments.on(connection, timeline.user_id, timeline.agent_id, day)
    spans = [(int(one.starts_at.timestamp()), int(one.ends_at.timestamp())) for one in segments]
    return [(midnight(day, zone), midnight(day + timedelta(days=1), zone) - 1), *spans]
