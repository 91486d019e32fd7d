"""Requests for the search index, by whatever changes what can be found, in its own transaction."""

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import queue
from voice_server.queue.names import INDEX, timeline_key
from voice_server.store.search import search_index


async def request(connection: AsyncConnection, user_id: str, agent_id: str) -> None:
    await queue.request(connection, wanted(user_id, agent_id))


def wanted(user_id: str, agent_id: str) -> queue.Request:
    return queue.Request(INDEX, timeline_key(user_id, agent_id))


async def request_all(connection: AsyncConnection, *user_ids: str) -> None:
    for user_id in sorted(set(user_ids)):
        known = await search_index.agents_of(connection, user_id)
        await queue.request(connection, *(wanted(user_id, agent_id) for agent_id in known))


async def supersede(connection: AsyncConnection, *user_ids: str) -> None:
    """Supersede the index of these users (see `queue.supersede`) before what was said is deleted.
    `request_all` afterwards."""
    known = [
        timeline_key(user_id, agent)
        for user_id in user_ids
        for agent in await search_index.agents_of(connection, user_id)
    ]
    await queue.supersede(connection, INDEX, known)
