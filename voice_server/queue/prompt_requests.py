"""Requests for prompts, by whatever changes what an agent is to be told, in its own transaction, after the
days."""

from collections.abc import Sequence
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import queue
from voice_server.queue.names import REBUILD, timeline_key
from voice_server.store.people import users

Trigger = Literal["event", "api", "tool", "upkeep"]


async def exclusively(connection: AsyncConnection, user_id: str, agent_id: str) -> None:
    await queue.exclusively(connection, REBUILD, timeline_key(user_id, agent_id))


async def request(
    connection: AsyncConnection, user_id: str, agent_id: str, *, trigger: Trigger = "event"
) -> None:
    """Ask for a rebuild. The snapshot will name the `trigger`."""
    await queue.request(connection, wanted(user_id, agent_id, trigger=trigger))


def wanted(user_id: str, agent_id: str, *, trigger: Trigger = "event") -> queue.Request:
    priority = queue.BACKGROUND if trigger == "upkeep" else queue.BEGUN
    return queue.Request(REBUILD, timeline_key(user_id, agent_id), trigger, priority)


async def waiting(connection: AsyncConnection, most: int) -> int:
    """Count the rebuilds that the upkeep asked for and that wait, up to `most`."""
    return await queue.waiting(connection, REBUILD, queue.BACKGROUND, most)


async def request_all(connection: AsyncConnection, user_id: str, *, trigger: Trigger = "event") -> None:
    """Ask for a user's prompts with every agent, in the order of their keys: no deadlock."""
    known = await users.agents_of(connection, user_id)
    await queue.request(connection, *(wanted(user_id, agent_id, trigger=trigger) for agent_id in known))


async def supersede(connection: AsyncConnection, user_ids: Sequence[str], agent_ids: Sequence[str]) -> None:
    keys = [timeline_key(user, agent) for user in user_ids for agent in agent_ids]
    await queue.supersede(connection, REBUILD, keys)
