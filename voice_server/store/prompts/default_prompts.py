"""Default prompts, kept so that it can be shown what any call began with."""

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.tables import conversations, default_prompts

SHARED = ""  # in place of an agent's id: of all agents without templates of their own

_KEEP = sa.text("""
insert into default_prompts (agent_id, version, prompt, context_snapshot)
values (:agent_id, :version, :prompt, cast(:snapshot as jsonb))
on conflict (version, agent_id) do update set current_at = now()
""")


class DefaultPrompt(Struct, frozen=True):
    """A default prompt to keep, with its snapshot as JSON."""

    version: str
    prompt: str
    snapshot: str


async def keep(connection: AsyncConnection, rendered: Mapping[tuple[str, str], DefaultPrompt]) -> None:
    """Keep the prompts that have become the default ones, by agent id or SHARED and version."""
    rows = [
        {"agent_id": agent_id, "version": one.version, "prompt": one.prompt, "snapshot": one.snapshot}
        for (agent_id, _), one in sorted(rendered.items())
    ]
    await connection.execute(_KEEP, rows)


async def forget_old(connection: AsyncConnection, before: datetime, after: int, limit: int) -> list[int]:
    """Forget prompts with an id above `after`; return their ids. Of each agent the newest stays, which is
    served now, and any served in a conversation since `before`."""
    made, newer, call = default_prompts.c, default_prompts.alias().c, conversations.c
    is_newest = ~sa.exists().where(newer.agent_id == made.agent_id, newer.current_at > made.current_at)
    served = sa.exists().where(call.prompt_version == made.version, call.started_at >= before)
    old = (
        sa.select(made.id)
        .where(made.id > after, made.current_at < before, ~is_newest, ~served)
        .order_by(made.id)
        .limit(limit)
    )
    statement = sa.delete(default_prompts).where(made.id.in_(old)).returning(made.id)
    return list((await connection.execute(statement)).scalars())
