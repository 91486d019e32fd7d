"""What the agent was told, why, and what was left out."""

from collections import Counter
from difflib import SequenceMatcher
from typing import Any

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from voice_server.api.routes.prompts import preview
from voice_server.console import reading, view
from voice_server.errors import NotFound
from voice_server.store.people import user_profiles, users
from voice_server.store.prompts import prompt_history, prompt_sources
from voice_server.store.prompts.prompt_history import PromptRecord

NOW = "now"  # in place of a version
_LISTED = 30
_WIDTH = 240  # of the longest bar


class Bar(Struct, frozen=True):
    """A section as a bar, on one scale for the whole prompt. `hollow` is what was left out, as far as there
    is room."""

    name: str
    tokens: int
    target: int
    cap: int
    told: int
    left_out: int
    shares: str
    tokens_left_out: int
    filled: float
    hollow: float
    target_at: float
    cap_at: float
    sources: list[str]
    text: str


async def of_user(request: Request) -> Response:
    version, agent_id = request.path_params["version"], request.query_params.get("agent", "")
    async with reading.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        if version == NOW:
            record = await preview(connection, reading.dependencies(request), user_id, agent_id)
        else:
            record = await prompt_history.get(connection, user_id, agent_id, version)
        return await shown(request, connection, record, user_id)


async def of_conversation(request: Request) -> Response:
    async with reading.connection(request) as connection:
        id_ = request.path_params["conversation_id"]
        record = await prompt_history.of_conversation(connection, id_)
        return await shown(request, connection, record, record.user_id)


async def shown(
    request: Request, connection: AsyncConnection, record: PromptRecord, user_id: str | None
) -> Response:
    person = await user_profiles.get(connection, user_id) if user_id else None
    timezone = await users.timezone(connection, user_id, at=record.created_at) if user_id else ""
    listed = await _listed(connection, record, user_id)
    compared = request.query_params.get("since", "")
    earlier = await _earlier(connection, record, user_id, compared)
    dropped = record.snapshot.get("dropped", [])
    named = [*(one["item"] for one in dropped), *_sources(record)]
    texts = await prompt_sources.texts(connection, user_id, named) if user_id else {}
    return await view.page(
        "prompt.html",
        record=record,
        person=person,
        timezone=timezone or "UTC",
        bars=bars(record),
        dropped=dropped,
        texts=texts,
        summary=next((one for one in listed if one.version == record.version), None),
        others=[one for one in listed if one.version != record.version],
        since=compared,
        difference=_difference(earlier, record) if earlier else [],
    )


def bars(record: PromptRecord) -> list[Bar]:
    sections: list[dict[str, Any]] = record.snapshot.get("sections", [])
    most = max((max(one["tokens"], one.get("cap", 0)) for one in sections), default=0) or 1
    left_out = Counter[str]()
    for one in record.snapshot.get("dropped", []):
        left_out[one["section"]] += one["tokens"]
    return [_bar(one, left_out[one["name"]], _WIDTH / most, record.prompt) for one in sections]


def _bar(section: dict[str, Any], left_out: int, scale: float, prompt: str) -> Bar:
    target, cap, begins = section.get("target", 0), section.get("cap", 0), section.get("begins")
    filled = round(section["tokens"] * scale, 1)
    return Bar(
        section["name"],
        section["tokens"],
        target,
        cap,
        section["items_kept"],
        section["items_dropped"],
        section.get("shares", ""),
        left_out,
        filled,
        round(min(left_out * scale, _WIDTH - filled), 1),
        round(target * scale, 1),
        round(cap * scale, 1),
        section.get("sources", []),
        prompt[begins : section["ends"]] if begins is not None else "",
    )


def _sources(record: PromptRecord) -> list[str]:
    return [one for section in record.snapshot.get("sections", []) for one in section.get("sources", [])]


async def _listed(
    connection: AsyncConnection, record: PromptRecord, user_id: str | None
) -> list[prompt_history.Summary]:
    if user_id is None:
        return []
    return await prompt_history.page(connection, user_id, record.agent_id, limit=_LISTED)


async def _earlier(
    connection: AsyncConnection, record: PromptRecord, user_id: str | None, version: str
) -> PromptRecord | None:
    if not version or user_id is None:
        return None
    try:
        return await prompt_history.get(connection, user_id, record.agent_id, version)
    except NotFound:
        return None


def _difference(earlier: PromptRecord, later: PromptRecord) -> list[tuple[str, str]]:
    """Mark lines as `came` or `went`."""
    before, after = earlier.prompt.splitlines(), later.prompt.splitlines()
    told: list[tuple[str, str]] = []
    for what, first, last, begins, ends in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            told += (("", line) for line in after[begins:ends])
        else:
            told += (("went", line) for line in before[first:last])
            told += (("came", line) for line in after[begins:ends])
    return told
