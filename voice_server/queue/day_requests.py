"""Requests for days, by whatever changes what was said on a day. Ask for the days before the prompt: no
deadlock."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.days import Trigger
from voice_server.queue import queue
from voice_server.queue.names import DAY_SUMMARIES, timeline_key
from voice_server.store.conversations import chat_summaries
from voice_server.store.knowledge import day_segments, earlier_summaries
from voice_server.store.people import agents, users


async def request(connection: AsyncConnection, user_id: str, agent_id: str, trigger: Trigger) -> None:
    """Ask for days in the transaction that makes it necessary; the job finds out which changed. While a
    conversation goes on, `domain.days.due` says when to ask."""
    await queue.request(connection, wanted(user_id, agent_id, trigger))


def wanted(user_id: str, agent_id: str, trigger: Trigger) -> queue.Request:
    priority = queue.BACKGROUND if trigger == "night" else queue.BEGUN
    return queue.Request(DAY_SUMMARIES, timeline_key(user_id, agent_id), trigger, priority)


async def supersede(connection: AsyncConnection, user_ids: Sequence[str]) -> None:
    """Supersede the days of these users (see `queue.supersede`) before anything is withdrawn."""
    known = await agents.ids(connection)
    await queue.supersede(
        connection, DAY_SUMMARIES, [timeline_key(user, agent) for user in user_ids for agent in known]
    )


async def forget_earlier(connection: AsyncConnection, user_id: str) -> None:
    """Forget the earlier summaries of a user, which may tell what is to be forgotten, and ask for days. Call
    it before asking for prompts."""
    await supersede(connection, [user_id])
    await earlier_summaries.forget(connection, [user_id])
    for agent_id in await users.agents_of(connection, user_id):  # in the order of their keys: no deadlock
        await request(connection, user_id, agent_id, "edit")


async def withdraw(connection: AsyncConnection, user_id: str, agent_id: str, conversation_id: int) -> None:
    """Take a conversation out of days and chat summaries: it is told no more, or not of this user."""
    await chat_summaries.remove_of(connection, conversation_id)
    await queue.supersede(connection, DAY_SUMMARIES, [timeline_key(user_id, agent_id)])
    await day_segments.withdraw(connection, user_id, conversation_id)
    await request(connection, user_id, agent_id, "edit")
