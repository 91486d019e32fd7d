"""Agents: those that called or were made known, and how they are set up."""

from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter
from msgspec.structs import asdict
from pydantic import BaseModel, Field

from voice_server.api.http import paging
from voice_server.api.http.dependencies import Dependencies, Reading, TheDependencies, Writing
from voice_server.api.http.fields import AgentId
from voice_server.api.http.paging import Page
from voice_server.api.routes.prompts import Prompt
from voice_server.context import section_budgets
from voice_server.domain.agent import Delivery, VariableValue
from voice_server.errors import NotFound
from voice_server.platforms import registry
from voice_server.store.people import agents
from voice_server.store.people.agents import RegisteredAgent
from voice_server.store.prompts import prompt_history

router = APIRouter(tags=["agents"])


class AgentLimits(BaseModel):
    """The most that is told of each, and what tools may do in one conversation."""

    open_threads: int
    thoughts: int
    facts_min: int = Field(description="Beyond so many, only facts worth telling")
    facts_max: int
    turns: int = Field(description="Of a chat's message history")
    lookups: int
    additions: int


class ChatHistory(BaseModel):
    """The most of a chat that is told as message history."""

    messages: int
    tokens: int
    tool_output_chars: int
    strategy: Literal["truncate", "summarize"]


class AgentSettings(BaseModel):
    """How an agent is set up: its `agent.toml`, and where that says nothing, the default one and the server's
    settings."""

    agent_name: str = Field(description="What it calls itself; empty: it is learned from calls")
    delivery: Delivery
    timezone: str
    token_limit: int
    tools: bool = Field(description="It is told when to use the tools")
    limits: AgentLimits
    history: ChatHistory
    variables: dict[str, VariableValue]
    collected: dict[str, str] = Field(description="What becomes of the items of the platform's analysis")


class SectionBudget(BaseModel):
    """What a section may take, in tokens."""

    name: str
    target: int = Field(description="What it gives way to when the whole prompt is too large")
    cap: int = Field(description="What it never exceeds")
    shares: str = Field(description="The section whose budget it is, too; else empty")
    is_own: bool = Field(description="Set by the agent, not by default")


class Agent(BaseModel):
    """A configured agent of a platform."""

    id: str
    platform: str
    numbers: list[str] = Field(description="Its own phone numbers, learned from its calls")
    created_at: datetime
    templates: str = Field(description="The folder of its templates")
    templates_version: str = Field(description="Another with each edit")
    template_errors: list[str] = Field(
        description="Mistakes in its templates and the default ones, each with its file and, where it is "
        "known, the line: the last good ones are served, or others instead"
    )
    settings: AgentSettings
    sections: list[SectionBudget] = Field(description="In the order in which they are told")


class AgentWithPrompt(Agent):
    """An agent with what it tells callers whom nobody knows."""

    default_prompt: Prompt | None = Field(description="null until it is kept, a moment after the start")


@router.get("/agents", response_model=Page[Agent], summary="List agents")
async def list_agents(
    connection: Reading, dependencies: TheDependencies, limit: paging.Limit = 50, cursor: paging.Cursor = None
) -> dict[str, Any]:
    """List all agents in the order of their ids, each with how it is set up and what is wrong with its
    templates."""
    after = paging.after(cursor, str) or ""
    known = await agents.page(connection, after=after, limit=limit + 1)
    listed = paging.page(known, limit, lambda agent: agent.id)
    return {**listed, "items": [_set_up(dependencies, one) for one in listed["items"]]}


@router.get("/agents/{agent_id}", response_model=AgentWithPrompt, summary="Get an agent")
async def get_agent(connection: Reading, dependencies: TheDependencies, agent_id: AgentId) -> dict[str, Any]:
    """Return how an agent is set up, what is wrong with its templates, and its default prompt."""
    known = await agents.require(connection, agent_id)
    try:
        prompt = await prompt_history.of_strangers(connection, known.id)
    except NotFound:
        prompt = None
    return {**_set_up(dependencies, known), "default_prompt": prompt}


@router.put("/agents/{agent_id}", response_model=Agent, summary="Make an agent known")
async def put_agent(connection: Writing, dependencies: TheDependencies, agent_id: AgentId) -> dict[str, Any]:
    """Make an agent known before its first call, so that it can have facts and threads. Nothing happens when
    it is known already."""
    await agents.register(connection, agent_id, registry.DEFAULT.name)
    return _set_up(dependencies, await agents.require(connection, agent_id))


def _set_up(dependencies: Dependencies, known: RegisteredAgent) -> dict[str, Any]:
    templates, rules = dependencies.templates.agent(known.id), dependencies.contexts.rules
    agent = templates.agent
    settings = {
        **asdict(agent),
        "timezone": agent.timezone or rules.timezone,
        "token_limit": agent.token_limit or rules.limit,
        "history": rules.history.of(agent),
    }
    return {
        **asdict(known),
        "templates": agent.name,
        "templates_version": templates.version,
        "template_errors": dependencies.templates.errors_of(known.id),
        "settings": settings,
        "sections": section_budgets.budgets(agent),
    }
