"""Prompts: what each says and why, what it left out, and what changed between two."""

import difflib
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.api.http import fields, paging
from voice_server.api.http.dependencies import Dependencies, OfUser, Reading, TheDependencies
from voice_server.api.http.fields import OfAgent, OfAnyAgent, RowId
from voice_server.api.http.paging import Page
from voice_server.errors import NotFound
from voice_server.jobs.rebuild import Rebuild
from voice_server.store.people import agents
from voice_server.store.prompts import prompt_history
from voice_server.store.prompts.prompt_history import PromptRecord
from voice_server.store.prompts.prompts import Target

router = APIRouter(tags=["prompts"])

_Version = Annotated[str, Field(min_length=1, max_length=64), fields.Storable]


class PromptSummary(BaseModel):
    """A prompt in a list."""

    agent_id: str
    version: str = Field(description="Its name: the platform sends it back as `prompt_version`")
    created_at: datetime
    tokens: int | None
    cached: bool = Field(description="It is the one that a call would get now")
    served: int = Field(description="Conversations known to have begun with it")


class Prompt(BaseModel):
    """A whole prompt."""

    user_id: str | None = Field(
        description="For whom it was built; null for the one that callers hear whom nobody knows"
    )
    agent_id: str = Field(
        description="Empty for the one of callers nobody knows, where agents have no templates of their own"
    )
    version: str
    created_at: datetime
    prompt: str = Field(description="What the model read")
    snapshot: dict[str, Any] = Field(
        description="What went in and what was left out: for each section its tokens, items kept and dropped "
        "and `sources`, the rows it came from (`facts/12` is at /api/facts/12); in `dropped`, each item left "
        "out with the rule that did it"
    )


class SectionChange(BaseModel):
    """What changed in one section."""

    name: str
    tokens_before: int
    tokens_after: int
    came: list[str] = Field(description="Sources that only the later prompt rests on")
    went: list[str] = Field(description="Sources that only the earlier prompt rests on")
    left_out_before: int
    left_out_after: int


class Difference(BaseModel):
    """What changed from one prompt to another."""

    agent_id: str
    before: str
    after: str
    text: str = Field(description="A unified diff of what the model reads; empty when that is the same")
    sections: list[SectionChange] = Field(description="The sections that are not the same")


@router.get("/users/{user_id}/prompts", response_model=Page[PromptSummary], summary="List prompts")
async def list_prompts(
    connection: Reading,
    user_id: OfUser,
    agent_id: OfAnyAgent = None,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List the prompts built for a user, newest first."""
    before = paging.after(cursor, int)
    rows = await prompt_history.page(connection, user_id, agent_id, before=before, limit=limit + 1)
    return paging.page(rows, limit, lambda row: row.id)


@router.get(
    "/users/{user_id}/prompt-preview", response_model=Prompt, summary="Build a prompt without keeping it"
)
async def preview_prompt(
    connection: Reading, dependencies: TheDependencies, user_id: OfUser, agent_id: OfAgent
) -> PromptRecord:
    """Build a prompt from the present templates and memory. The cached prompt stays as it is."""
    return await preview(connection, dependencies, user_id, agent_id)


async def preview(
    connection: AsyncConnection, dependencies: Dependencies, user_id: str, agent_id: str
) -> PromptRecord:
    """Build a prompt without keeping it. Raises NotFound for a user or an agent nobody knows."""
    await agents.require(connection, agent_id)
    target = Target(user_id, agent_id)
    rebuilt = await _rebuild(dependencies).build(connection, [target], trigger="preview")
    if target not in rebuilt:
        raise NotFound(f"There is no user {user_id}.")
    built = rebuilt[target].built
    snapshot = msgspec.json.decode(built.snapshot)
    return PromptRecord(user_id, agent_id, built.version, built.built_at, built.prompt, snapshot)


def _rebuild(dependencies: Dependencies) -> Rebuild:
    rules = dependencies.contexts.rules
    return Rebuild(
        dependencies.redis,
        dependencies.templates,
        dependencies.count,
        dependencies.clock,
        limit=rules.limit,
        default_timezone=rules.timezone,
        day_pause=rules.day_pause,
    )


@router.get("/users/{user_id}/prompt-difference", summary="Compare two prompts")
async def compare_prompts(
    connection: Reading,
    user_id: OfUser,
    agent_id: OfAgent,
    before: Annotated[_Version, Query(description="The version of the earlier one")],
    after: Annotated[_Version, Query(description="The version of the later one")],
) -> Difference:
    """Compare two prompts as text, and section by section."""
    earlier = await prompt_history.get(connection, user_id, agent_id, before)
    later = await prompt_history.get(connection, user_id, agent_id, after)
    return Difference(
        agent_id=agent_id,
        before=before,
        after=after,
        text=_text(earlier, later),
        sections=_sections(earlier, later),
    )


@router.get("/users/{user_id}/prompts/{version}", response_model=Prompt, summary="Get a prompt")
async def get_prompt(
    connection: Reading, user_id: OfUser, agent_id: OfAgent, version: Annotated[_Version, Path()]
) -> PromptRecord:
    """Return a prompt as it was built, with its snapshot: why it says this, and what was left out. It may be
    the user's own, or one that a conversation of theirs began with."""
    return await prompt_history.get(connection, user_id, agent_id, version)


@router.get(
    "/conversations/{conversation_id}/prompt",
    response_model=Prompt,
    summary="Get the prompt of a conversation",
)
async def get_prompt_of_conversation(connection: Reading, conversation_id: RowId) -> PromptRecord:
    """Return the prompt that the conversation began with, whoever it was built for: the caller may have been
    unknown then, or taken for another. 404 when the platform did not name it, or when it is no longer
    kept."""
    return await prompt_history.of_conversation(connection, conversation_id)


def _text(earlier: PromptRecord, later: PromptRecord) -> str:
    lines = difflib.unified_diff(
        earlier.prompt.splitlines(), later.prompt.splitlines(), earlier.version, later.version, lineterm=""
    )
    return "\n".join(lines)


def _sections(earlier: PromptRecord, later: PromptRecord) -> list[SectionChange]:
    """Follow the order of the later prompt; sections of the earlier one alone come last."""
    before, after = _by_name(earlier), _by_name(later)
    names = [*after, *(name for name in before if name not in after)]
    changes = (_change(name, before.get(name, {}), after.get(name, {})) for name in names)
    return [one for one in changes if _is_one(one)]


def _by_name(built: PromptRecord) -> dict[str, dict[str, Any]]:
    return {section["name"]: section for section in built.snapshot.get("sections", [])}


def _change(name: str, before: dict[str, Any], after: dict[str, Any]) -> SectionChange:
    return SectionChange(
        name=name,
        tokens_before=before.get("tokens", 0),
        tokens_after=after.get("tokens", 0),
        came=_without(after.get("sources", ()), before.get("sources", ())),
        went=_without(before.get("sources", ()), after.get("sources", ())),
        left_out_before=before.get("items_dropped", 0),
        left_out_after=after.get("items_dropped", 0),
    )


def _without(these: Iterable[str], those: Iterable[str]) -> list[str]:
    known = set(those)
    return [one for one in these if one not in known]


def _is_one(change: SectionChange) -> bool:
    counts = (change.tokens_before, change.left_out_before) != (change.tokens_after, change.left_out_after)
    return bool(change.came or change.went or counts)
