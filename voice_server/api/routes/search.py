"""The search of the agent's tools, for people: with what each result was found by."""

import asyncio
from datetime import date, datetime
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, HTTPException, Query
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.api.http import fields
from voice_server.api.http.dependencies import Dependencies, OfUser, Reading, TheDependencies
from voice_server.api.http.fields import Day, OfAgent, Share
from voice_server.domain.conversation import Role
from voice_server.domain.fact import About, Origin
from voice_server.search import fact_lookup, lookup, types
from voice_server.search.lexemes import lexemes, words
from voice_server.search.types import Timeline
from voice_server.store.people import agents, names, users

router = APIRouter(tags=["search"])

_LONGEST = 400  # characters of a query

Text = Annotated[
    str,
    Query(min_length=1, max_length=_LONGEST, pattern=r"\S", description="The words that matter"),
    fields.Storable,
]
Most = Annotated[int, Query(ge=1, le=50, description="Results at most")]
Worth = Annotated[Share | None, Query(description="Only results that score this or better")]


class FoundTalk(BaseModel):
    """A message, or the summary of a day."""

    kind: str = Field(description="`message` or `summary`")
    day: date = Field(description="On the user's calendar")
    day_segment_id: int | None
    message_id: str | None = Field(description="Conversation and position, as `12:3`; null for a summary")
    role: Role | None
    said_at: datetime | None
    text: str = Field(description="The message, or the best sentences of the summary")
    score: float
    covered_by_summary: bool = Field(
        description="The summary of its day, also found, tells it already: it counts 0.85 of its worth"
    )
    words: list[str] = Field(
        description="The words of the query that stand in it; none: it was found by meaning, by who said it "
        "or when, or beside what has them"
    )


class FoundFact(BaseModel):
    """A fact that is told now."""

    id: int
    about: About
    text: str
    said_on: date
    origin: Origin
    score: float
    words: list[str] = Field(description="The words of the query that stand in it")


class _Days(NamedTuple):
    """The days that are searched; None for no bound."""

    day: date | None
    since: date | None
    until: date | None


def _days(
    day: Annotated[Day | None, Query(description="Only this day, on the user's calendar")] = None,
    since: Annotated[Day | None, Query(description="Only from this day on")] = None,
    until: Annotated[Day | None, Query(description="Only up to this day, it included")] = None,
) -> _Days:
    if since and until and until < since:
        raise HTTPException(422, f"query.until: {until} is before since, {since}")
    return _Days(day, since, until)


async def _timeline(
    connection: AsyncConnection, dependencies: Dependencies, user_id: str, agent_id: str
) -> Timeline:
    await agents.require(connection, agent_id)
    agent = dependencies.templates.agent(agent_id).agent
    own = await users.timezone(connection, user_id, at=dependencies.now())
    called = await names.of(connection, user_id)
    zone = own or agent.timezone or dependencies.timezone
    return Timeline(user_id, agent_id, zone, (called.name, agent.agent_name))


OfDays = Annotated[_Days, Depends(_days)]


@router.get("/users/{user_id}/search", summary="Search what was said")
async def search_talk(
    connection: Reading,
    dependencies: TheDependencies,
    user_id: OfUser,
    agent_id: OfAgent,
    query: Text,
    days: OfDays,
    limit: Most = 20,
    min_score: Worth = None,
) -> list[FoundTalk]:
    """Find what the agent's `conversation.search` finds: summaries of days first, best first. A call is
    indexed some tenths of a second after it ended."""
    return await found_talk(
        connection,
        dependencies,
        user_id,
        agent_id,
        types.Query(query, limit, days.day, None, min_score, days.since, days.until),
    )


@router.get("/users/{user_id}/fact-search", summary="Search what is known")
async def search_facts(
    connection: Reading,
    dependencies: TheDependencies,
    user_id: OfUser,
    agent_id: OfAgent,
    query: Text,
    limit: Most = 20,
    min_score: Worth = None,
) -> list[FoundFact]:
    """Find what the agent's `memory.search` finds, best first."""
    return await found_facts(
        connection, dependencies, user_id, agent_id, types.Query(query, limit, min_score=min_score)
    )


async def found_talk(
    connection: AsyncConnection, dependencies: Dependencies, user_id: str, agent_id: str, asked: types.Query
) -> list[FoundTalk]:
    """Find summaries of days first, best first. Raises NotFound for an agent nobody knows."""
    timeline = await _timeline(connection, dependencies, user_id, agent_id)
    hits = await lookup.messages_and_days(
        connection, timeline, asked, now=dependencies.now(), semantics=dependencies.semantics
    )
    stand = await asyncio.to_thread(_standing, asked.text, [hit.snippet for hit in hits])
    return [
        FoundTalk(
            kind=hit.kind,
            day=hit.day,
            day_segment_id=hit.day_segment_id,
            message_id=hit.message_id,
            role=hit.role,
            said_at=hit.said_at,
            text=hit.snippet,
            score=hit.score,
            covered_by_summary=hit.covered_by_summary,
            words=said,
        )
        for hit, said in zip(hits, stand, strict=True)
    ]


async def found_facts(
    connection: AsyncConnection, dependencies: Dependencies, user_id: str, agent_id: str, asked: types.Query
) -> list[FoundFact]:
    """Find facts, best first. Raises NotFound for an agent nobody knows."""
    timeline = await _timeline(connection, dependencies, user_id, agent_id)
    today = dependencies.now().astimezone(ZoneInfo(timeline.timezone)).date()
    hits = await fact_lookup.find(
        connection, timeline, asked.text, limit=asked.limit, min_score=asked.min_score, today=today
    )
    stand = await asyncio.to_thread(_standing, asked.text, [hit.text for hit in hits])
    return [
        FoundFact(
            id=hit.fact_id,
            about=hit.about,
            text=hit.text,
            said_on=hit.said_on,
            origin=hit.origin,
            score=hit.score,
            words=said,
        )
        for hit, said in zip(hits, stand, strict=True)
    ]


def _standing(query: str, texts: list[str]) -> list[list[str]]:
    """Return for each text the query's words that stand in it, in whichever form."""
    languages = ("en", "")
    asked = words(query, languages)
    said = [frozenset(one for language in languages for one in lexemes(text, language)) for text in texts]
    return [[word.written for word in asked if not there.isdisjoint(word.lexemes)] for there in said]
