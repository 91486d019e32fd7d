"""Relationship: how a user and an agent stand with each other."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field, with_config
from typing_extensions import TypedDict

from voice_server.api.http import etag, problem, rebuilding
from voice_server.api.http.dependencies import OfLockedUser, OfUser, Reading, TheDependencies, Writing
from voice_server.api.http.etag import Seen
from voice_server.api.http.fields import STRICT, OfAgent, Prose, RequestBody, Share, Word
from voice_server.domain.relationship import Metrics
from voice_server.store.knowledge import relationships
from voice_server.store.knowledge.relationships import Row

router = APIRouter(tags=["relationship"])


class Closeness(BaseModel):
    """Four measures of closeness, each from 0 to 1."""

    intimacy: float
    passion: float
    trust: float
    secureness: float


class State(BaseModel):
    """What the agent is told."""

    chapter: str
    score: float
    metrics: Closeness
    engagement: str
    emotional_state: str
    conflict_state: str
    backstory: str


class ClosenessGain(BaseModel):
    """What conversations added since it was set by hand."""

    score: float
    intimacy: float
    passion: float
    trust: float
    secureness: float
    emotional_state: str
    conflict_state: str


class Relationship(BaseModel):
    """How a user and an agent stand, and where that comes from."""

    user_id: str
    agent_id: str
    state: State
    set_by_hand: State
    gained: ClosenessGain
    set_at: datetime | None = Field(description="Conversations that begin later add to it")
    updated_at: datetime | None
    version: int = Field(description="0: nothing was ever set or gained")


class NewMeasures(RequestBody):
    """All four measures."""

    intimacy: Share
    passion: Share
    trust: Share
    secureness: Share


@with_config(STRICT)
class RelationshipChange(TypedDict, total=False):
    """What to set; what is left out stays."""

    chapter: Word
    score: Share
    metrics: NewMeasures
    engagement: Word
    emotional_state: Word
    conflict_state: Word
    backstory: Prose


@router.get(
    "/users/{user_id}/relationship", response_model=Relationship, summary="Get the relationship with an agent"
)
async def get_relationship(
    connection: Reading, user_id: OfUser, agent_id: OfAgent, response: Response
) -> Row:
    """Return the relationship, an empty one before there is any."""
    row = await relationships.get(connection, user_id, agent_id)
    etag.tag(response, row.version)
    return row


@router.put(
    "/users/{user_id}/relationship",
    response_model=Relationship,
    responses=problem.documented(412),
    summary="Set the relationship with an agent",
)
async def set_relationship(
    connection: Writing,
    dependencies: TheDependencies,
    user_id: OfLockedUser,
    agent_id: OfAgent,
    given: RelationshipChange,
    seen: Seen,
    response: Response,
) -> Row:
    """Set what is given. A score, a metric or a state starts all of them anew: what conversations added is
    kept in them, and only later conversations add to them."""
    changes: dict[str, Any] = {**given}
    if "metrics" in given:
        changes["metrics"] = Metrics(**given["metrics"].model_dump())
    row = await relationships.set_by_hand(
        connection, user_id, agent_id, seen, at=dependencies.now(), **changes
    )
    await rebuilding.after(connection, row, response)
    return row
