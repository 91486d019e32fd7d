"""The search index, asked for: whatever changes what can be found asks for it in its own transaction."""

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import queue
from voice_server.queue.names import INDEX
from voice_server.store.search import search_index


async def request(connection: AsyncConnection, user_id: str, agent_id: str) -> None:
    """Ask for a user's talk with an agent to be indexed, in the transaction that changes it."""
    await queue.request(connection, wanted(user_id, agent_id))


def wanted(user_id: str, agent_id: str) -> queue.Request:
    """The same, for who asks for more than one thing."""
    return queue.Request(INDEX, f"{user_id}|{agent_id}")


async def request_all(connection: AsyncConnection, *user_ids: str) -> None:
    """The same for all agents of some users."""
    for user_id in sorted(set(user_ids)):
        known = await search_index.agents_of(connection, user_id)
        await queue.request(connection, *(wanted(user_id, agent_id) for agent_id in known))


async def supersede(connection: AsyncConnection, *user_ids: str) -> None:
    """Until the transaction ends, nothing of these users is indexed, and what was read for that is never
    added. For who deletes what was said: `request_all` afterwards."""
    known = [
        f"{user_id}|{agent}"
        for user_id in user_ids
        for agent in await search_index.agents_of(connection, user_id)
    ]
    await queue.supersede(connection, INDEX, known)
