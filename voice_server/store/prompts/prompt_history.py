"""Prompts that were built, to be looked at: which there are, what one says and why."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.errors import NotFound
from voice_server.store.prompts.default_prompts import SHARED
from voice_server.store.tables import cached_voice_prompts, conversations, default_prompts, generated_prompts


class Summary(Struct, frozen=True):
    """A prompt that was built. `cached`: a call would get it now. `served` counts conversations known to have
    begun with it."""

    id: int
    agent_id: str
    version: str
    created_at: datetime
    tokens: int | None
    cached: bool
    served: int


class PromptRecord(Struct, frozen=True):
    """A prompt with its snapshot. `user_id` is None for a default prompt."""

    user_id: str | None
    agent_id: str
    version: str
    created_at: datetime
    prompt: str
    snapshot: dict[str, Any]


_made, _cached, _call = generated_prompts.c, cached_voice_prompts.c, conversations.c
_default = default_prompts.c
_own = generated_prompts.alias().c
_IS_CACHED = sa.exists().where(
    _cached.user_id == _made.user_id, _cached.agent_id == _made.agent_id, _cached.version == _made.version
)
# Two users may have prompts of the same words: a call began with its own user's, where there is one.
_IS_OTHERS = sa.exists().where(
    _own.user_id == _call.user_id, _own.agent_id == _call.agent_id, _own.version == _call.prompt_version
)
_SERVED = (
    sa.select(sa.func.count())
    .where(
        _call.agent_id == _made.agent_id,
        _call.prompt_version == _made.version,
        (_call.user_id == _made.user_id) | ~_IS_OTHERS,
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
    statement = _SUMMARIES.where(_made.user_id == user_id).order_by(_made.id.desc()).limit(limit)
    if agent_id is not None:
        statement = statement.where(_made.agent_id == agent_id)
    if before is not None:
        statement = statement.where(_made.id < before)
    return [Summary(*row) for row in await connection.execute(statement)]


async def get(connection: AsyncConnection, user_id: str, agent_id: str, version: str) -> PromptRecord:
    """Return the user's own prompt, or one that a conversation of theirs began with. Raises NotFound, also
    when it is no longer kept."""
    own: sa.Select[Any] = sa.select(*_of(generated_prompts)).where(
        _made.user_id == user_id, _made.agent_id == agent_id, _made.version == version
    )
    named = (_call.user_id == user_id, _call.agent_id == agent_id, _call.prompt_version == version)
    began = sa.select(_call.id).where(*named).limit(1).scalar_subquery()
    for statement in (own, served(began)):
        if row := (await connection.execute(statement)).first():
            return PromptRecord(*row)
    raise NotFound(
        f"There is no prompt {version} of user {user_id} with agent {agent_id}; old ones are kept for "
        "PROMPTS_KEPT_DAYS."
    )


async def of_conversation(connection: AsyncConnection, id_: int) -> PromptRecord:
    """Return the prompt a conversation began with. Raises NotFound: nobody said which it was, or it is no
    longer kept."""
    row = (await connection.execute(served(sa.literal(id_)))).first()
    if row is None:
        raise NotFound(
            f"The prompt that conversation {id_} began with is not known; old ones are kept for "
            "PROMPTS_KEPT_DAYS."
        )
    return PromptRecord(*row)


async def of_strangers(connection: AsyncConnection, agent_id: str) -> PromptRecord:
    """Return the default prompt of now. Raises NotFound before it is kept: a moment after the start."""
    latest = (
        sa.select(*_of(default_prompts))
        .where(_default.agent_id.in_([agent_id, SHARED]))
        .order_by((_default.agent_id == agent_id).desc(), _default.current_at.desc())
        .limit(1)
    )
    row = (await connection.execute(latest)).first()
    if row is None:
        raise NotFound("It is not kept yet. Load the page again in a minute.")
    return PromptRecord(*row)


def served(conversation_id: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """Select the prompt that a conversation began with, in the columns of `PromptRecord`. It is found by its
    version, whoever it was built for: a call may turn out to have been another user's."""
    is_theirs = _made.user_id.is_not_distinct_from(_call.user_id)
    built = sa.select(*_of(generated_prompts), sa.case((is_theirs, 0), else_=1).label("place"), _made.id)
    heard = sa.select(*_of(default_prompts), sa.literal(2).label("place"), _default.id)
    told = sa.union_all(
        built.join(
            conversations, (_made.agent_id == _call.agent_id) & (_made.version == _call.prompt_version)
        ).where(_call.id == conversation_id),
        heard.join(
            conversations,
            _default.agent_id.in_([_call.agent_id, SHARED]) & (_default.version == _call.prompt_version),
        ).where(_call.id == conversation_id),
    ).subquery()
    fields = [told.c[name] for name in PromptRecord.__struct_fields__]
    return sa.select(*fields).order_by(told.c.place, told.c.id).limit(1)


def _of(table: sa.Table) -> list[sa.ColumnElement[Any]]:
    whose = table.c.user_id if "user_id" in table.c else sa.null()
    named = (whose.label("user_id"), table.c.agent_id, table.c.version, table.c.created_at, table.c.prompt)
    return [*named, table.c.context_snapshot.label("snapshot")]
