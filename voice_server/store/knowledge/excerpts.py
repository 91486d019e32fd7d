"""Excerpts: facts in the very words of messages, made by hand. They go with their conversation, and when a
message of theirs says something else, or may not be remembered any more. What a person made of them since
goes, too."""

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.fact import Source
from voice_server.store.session import Statement

Whose = tuple[str, str]  # a user and an agent, whose facts are to be refreshed


async def key(connection: AsyncConnection, source: Source) -> str:
    """Name the fact that an excerpt is, by what its messages say now."""
    asked = {"conversation": source.conversation_id, "positions": list(source.positions)}
    named: str = (await connection.execute(_KEY, asked)).scalar_one()
    return named


async def remove(connection: AsyncConnection, conversation_id: int) -> list[Whose]:
    """Remove the excerpts of a conversation. After `users.lock`; `facts.refresh` afterwards."""
    return await _remove(connection, _REMOVE, {"conversation": conversation_id})


async def keep_said(
    connection: AsyncConnection, conversation_id: int, positions: Iterable[int]
) -> list[Whose]:
    """Keep only excerpts that rest on these messages alone, and on what they said then."""
    asked = {"conversation": conversation_id, "kept": list(positions)}
    return await _remove(connection, _REMOVE_UNSAID, asked)


async def _remove(connection: AsyncConnection, statement: Statement, asked: dict[str, object]) -> list[Whose]:
    return sorted({(user_id, agent_id) for user_id, agent_id in await statement.rows(connection, asked)})


_NAMED = """'excerpt:' || {conversation} || ':' || array_to_string({positions}, ',') || ':' || coalesce((
    select md5(string_agg(m.content, chr(10) order by m.position)) from messages m
    where m.conversation_id = {conversation} and m.position = any({positions})
), '')"""
_KEY = sa.text(
    "select "
    + _NAMED.format(conversation="cast(:conversation as bigint)", positions="cast(:positions as integer[])")
)
# An edit is a row of its own that names the words it replaced.
_REMOVING = """
with recursive gone as (
    select id, text, superseded_by, user_id, agent_id from facts f
    where f.conversation_id = :conversation {unless}
    union
    select f.id, f.text, f.superseded_by, f.user_id, f.agent_id
    from gone join facts f on f.id = gone.superseded_by
    where f.user_id = gone.user_id and f.origin = 'api' and f.supersedes = gone.text
)
delete from facts f using gone where f.id = gone.id returning f.user_id, f.agent_id
"""
_REMOVE = Statement(_REMOVING.format(unless=""))
_REMOVE_UNSAID = Statement(
    _REMOVING.format(
        unless="and not (f.positions <@ cast(:kept as integer[]) and f.key = "
        + _NAMED.format(conversation="f.conversation_id", positions="f.positions")
        + ")"
    )
)
