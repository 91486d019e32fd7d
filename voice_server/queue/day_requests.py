"""Days, asked for: whatever changes what was said on a day asks for the days of that user and agent to be
made anew.

Asked for before the rebuild of the prompt, by everybody who asks for both: no deadlock.
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.days import Trigger
from voice_server.queue import queue
from voice_server.queue.names import DAY_SUMMARIES
from voice_server.store.conversations import chat_summaries
from voice_server.store.knowledge import day_segments, earlier_summaries
from voice_server.store.people import agents, users


async def request(connection: AsyncConnection, user_id: str, agent_id: str, trigger: Trigger) -> None:
    """In the transaction that makes it necessary. Which days changed, the job finds out. For a
    conversation that goes on, `domain.days.due` says when."""
    await queue.request(connection, wanted(user_id, agent_id, trigger))


def wanted(user_id: str, agent_id: str, trigger: Trigger) -> queue.Request:
    """The same, for who asks for more than one thing: this before the prompt."""
    priority = queue.BACKGROUND if trigger == "night" else queue.BEGUN
    return queue.Request(DAY_SUMMARIES, f"{user_id}|{agent_id}", trigger, priority)


async def supersede(connection: AsyncConnection, user_ids: Sequence[str]) -> None:
    """Until the transaction ends, nobody makes days of these users, and what was read for that is never
    made into one. Ask for new ones afterwards. Comes before anything is withdrawn."""
    known = await agents.ids(connection)
    await queue.supersede(
        connection, DAY_SUMMARIES, [f"{user}|{agent}" for user in user_ids for agent in known]
    )


async def forget_earlier(connection: AsyncConnection, user_id: str) -> None:
    """Something is to be forgotten: what was said before of any day of a user may tell of it. Before their
    prompts are asked for."""
    await supersede(connection, [user_id])
    await earlier_summaries.forget(connection, [user_id])
    for agent_id in await users.agents_of(connection, user_id):  # in the order of their keys: no deadlock
        await request(connection, user_id, agent_id, "edit")


async def withdraw(connection: AsyncConnection, user_id: str, agent_id: str, conversation_id: int) -> None:
    """What was said in a conversation is told no more, or not of this user: the days that told it are made
    anew, and what sums up its chat goes."""
    await chat_summaries.remove_of(connection, conversation_id)
    await queue.supersede(connection, DAY_SUMMARIES, [f"{user_id}|{agent_id}"])
    await day_segments.withdraw(connection, user_id, conversation_id)
    await request(connection, user_id, agent_id, "edit")
