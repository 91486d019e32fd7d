"""What the rows say that a prompt rests on, or left out: by their names, as the record has them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.conversation import parse_message_id
from voice_server.store.tables import (
    conversations,
    day_segments,
    digests,
    facts,
    messages,
    open_threads,
    thoughts,
)

# What of a user's rows is told, by the table they are named after (`facts/12`): the id, and the text.
_TOLD: Mapping[str, tuple["sa.Column[int]", "sa.Column[str]"]] = {
    "facts": (facts.c.id, facts.c.text),
    "open_threads": (open_threads.c.id, open_threads.c.text),
    "thoughts": (thoughts.c.id, thoughts.c.text),
    "day_segments": (day_segments.c.id, day_segments.c.summary),
    "conversations": (digests.c.conversation_id, digests.c.summary),
}
_MESSAGES = "messages"
_FACTS_TOLD_NOW = sa.text("""
select distinct cast(split_part(name, '/', 2) as bigint)
from cached_voice_prompts c
join generated_prompts g on g.user_id = c.user_id and g.agent_id = c.agent_id and g.version = c.version
cross join jsonb_path_query(g.context_snapshot, '$.sections[*].sources[*]') as source
cross join string_to_table(source #>> '{}', ' ') as name
where c.user_id = :user and name like 'facts/%'
""")


async def texts(connection: AsyncConnection, user_id: str, names: Iterable[str]) -> dict[str, str]:
    """Return what is still there of this user's rows. A name may be several, with spaces between them."""
    asked = defaultdict[str, set[str]](set)
    for name in {one for several in names for one in several.split()}:
        table, _, row = name.partition("/")
        asked[table].add(row)
    found = await _messages(connection, user_id, asked[_MESSAGES])
    for table, (id_, text) in _TOLD.items():
        ids = [int(one) for one in asked[table] if one.isdigit()]
        if ids:
            theirs = id_.table.c.user_id == user_id
            rows = await connection.execute(sa.select(id_, text).where(id_.in_(ids), theirs))
            found |= {f"{table}/{row}": told for row, told in rows}
    return found


async def facts_told_now(connection: AsyncConnection, user_id: str) -> set[int]:
    """Return the ids of the facts that stand in this user's cached prompts, with whichever agent."""
    return set((await connection.execute(_FACTS_TOLD_NOW, {"user": user_id})).scalars())


async def _messages(connection: AsyncConnection, user_id: str, names: Iterable[str]) -> dict[str, str]:
    places = [place for name in names if (place := parse_message_id(name))]
    if not places:
        return {}
    said = messages.c
    statement = (
        sa.select(said.conversation_id, said.position, said.content)
        .join(conversations, conversations.c.id == said.conversation_id)
        .where(sa.tuple_(said.conversation_id, said.position).in_(places), conversations.c.user_id == user_id)
    )
    rows = await connection.execute(statement)
    return {f"{_MESSAGES}/{id_}:{position}": content for id_, position, content in rows}
