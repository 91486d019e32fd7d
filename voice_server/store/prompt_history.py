"""Prompts that were built, to be looked at: which there are, what one says and why, what changed between two."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.errors import NotFound
from voice_server.store.tables import cached_voice_prompts, conversations, generated_prompts


class Summary(Struct, frozen=True):
    """One prompt built. `cached` when it is the one a call would get now; `served` counts the conversations
    that are known to have begun with it."""

    id: int
    agent_id: str
    version: str
    created_at: datetime
    tokens: int | None
    cached: bool
    served: int


class Built(Struct, frozen=True):
    """One prompt built, whole: its text, and the snapshot of what went in and what was left out."""

    id: int
    user_id: str
    agent_id: str
    version: str
    created_at: datetime
    prompt: str
    snapshot: dict[str, Any]


_made, _cached, _call = generated_prompts.c, cached_voice_prompts.c, conversations.c
_IS_CACHED = sa.exists().where(
    _cached.user_id == _made.user_id, _cached.agent_id == _made.agent_id, _cached.version == _made.version
)
_SERVED = (
    sa.select(sa.func.count())
    .where(
        _call.user_id == _made.user_id,
        _call.agent_id == _made.agent_id,
        _call.prompt_version == _made.version,
    )
    .correlate(generated_prompts)
    .scalar_subquery()
)
_SUMMARIES = sa.select(
    _made.id,
    _made.agent_id,
    _made.version,
    _made.created_at,
    _made.context_snapshot["tokens"].as_integer(),
    _IS_CACHED,
    _SERVED,
)


async def page(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str | None,
    *,
    before: int | None = None,
    limit: int = 50,
) -> list[Summary]:
    """The prompts of a user, newest first, those with a smaller id than `before`."""
    statement = _SUMMARIES.where(_made.user_id == user_id).order_by(_made.id.desc()).limit(limit)
    if agent_id is not None:
        statement = statement.where(_made.agent_id == agent_id)
    if before is not None:
        statement = statement.where(_made.id < before)
    return [Summary(*row) for row in await connection.execute(statement)]


async def get(connection: AsyncConnection, user_id: str, agent_id: str, version: str) -> Built:
    """One prompt. Raises NotFound: it was never built, or is no longer kept."""
    columns = [_made[name] for name in Built.__struct_fields__ if name != "snapshot"]
    statement: sa.Select[Any] = sa.select(*columns, _made.context_snapshot).where(
        _made.user_id == user_id, _made.agent_id == agent_id, _made.version == version
    )
    row = (await connection.execute(statement)).first()
    if row is None:
        raise NotFound(
            f"There is no prompt {version} of user {user_id} with agent {agent_id}; old ones are kept for "
            "PROMPTS_KEPT_DAYS."
        )
    return Built(*row)
