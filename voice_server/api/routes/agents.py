"""Agents: those that called or were made known."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from voice_server.api.http import paging
from voice_server.api.http.dependencies import Reading, Writing
from voice_server.api.http.fields import AgentId
from voice_server.api.http.paging import Page
from voice_server.platforms import registry
from voice_server.store.people import agents
from voice_server.store.people.agents import RegisteredAgent

router = APIRouter(tags=["agents"])


class Agent(BaseModel):
    """A configured agent of a platform."""

    id: str
    platform: str
    numbers: list[str] = Field(description="Its own phone numbers, learned from its calls")
    created_at: datetime


@router.get("/agents", response_model=Page[Agent], summary="List agents")
async def list_agents(
    connection: Reading, limit: paging.Limit = 50, cursor: paging.Cursor = None
) -> dict[str, Any]:
    """List all agents in the order of their ids."""
    after = paging.after(cursor, str) or ""
    return paging.page(
        await agents.page(connection, after=after, limit=limit + 1), limit, lambda agent: agent.id
    )


@router.put("/agents/{agent_id}", response_model=Agent, summary="Make an agent known")
async def put_agent(connection: Writing, agent_id: AgentId) -> RegisteredAgent:
    """Make an agent known before its first call, so that it can have facts and threads. Nothing happens when
    it is known already."""
    await agents.register(connection, agent_id, registry.DEFAULT.name)
    return await agents.require(connection, agent_id)
