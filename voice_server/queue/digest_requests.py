"""Digests, asked for: whatever changes what is to be understood of a conversation asks for it in its own
transaction.

What is due is kept with each conversation (`store.knowledge.due_digests`). The job, one for each user and
agent, finds it: ten calls of one user that arrive at once are digested in one pass. What may wait has a job
of its own, which yields.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.domain.days import Trigger
from voice_server.queue import queue
from voice_server.queue.names import DIGEST_CONVERSATIONS, DIGEST_CONVERSATIONS_LATER
from voice_server.store.knowledge import due_digests
from voice_server.store.knowledge.due_digests import Hurry

_KINDS: Mapping[Hurry, str] = {"due": DIGEST_CONVERSATIONS, "later": DIGEST_CONVERSATIONS_LATER}
KINDS = tuple(_KINDS.values())
_BATCH = 500


async def request(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str, trigger: Trigger
) -> None:
    """Ask for a conversation of this user and agent to be digested, and its day summed up for this reason."""
    await queue.request(connection, *await wanted(connection, conversation_id, user_id, agent_id, trigger))


async def wanted(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str, trigger: Trigger
) -> list[queue.Request]:
    """The same, for who asks for more than one thing: this after the index. Nothing, where nothing was
    said."""
    hurry = await due_digests.ask(connection, conversation_id)
    return [] if hurry is None else [_wanted(user_id, agent_id, hurry, trigger)]


async def request_later_ones(connection: AsyncConnection, user_id: str, started_at: datetime) -> None:
    """How common a word is in earlier calls weighs the words of later ones: those are digested again."""
    for agent_id in await due_digests.ask_after(connection, user_id, started_at):
        await _request(connection, user_id, agent_id, "later", "edit")


async def request_again(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str
) -> None:
    """The same of one conversation that is digested."""
    await due_digests.ask_again(connection, conversation_id)
    await _request(connection, user_id, agent_id, "later", "edit")


async def request_latest(connection: AsyncConnection, user_id: str) -> None:
    """The same, when the earlier calls are others now: the latest are what is told in detail."""
    for agent_id in await due_digests.ask_latest(connection, user_id):
        await _request(connection, user_id, agent_id, "later", "edit")


async def slow_down(connection: AsyncConnection, user_id: str, agent_id: str, most: int) -> None:
    """Where more than so many are due of one user, let all but the latest wait: nobody starves for one's
    burst."""
    if await due_digests.slow_down(connection, user_id, agent_id, most):
        await _request(connection, user_id, agent_id, "later", "conversation")


async def request_failed(connection: AsyncConnection) -> int:
    """Ask for all digests that were put aside; how many."""
    put_aside = await due_digests.ask_failed(connection)
    for user_id, agent_id in sorted(set(put_aside)):
        await _request(connection, user_id, agent_id, "later", "conversation")
    return len(put_aside)


async def wake(engine: AsyncEngine) -> None:
    """Ask for what is due and nobody asks for, whatever became of its job. Each in a transaction of its own:
    nobody who asks for the same in another order waits for it."""
    while True:
        async with engine.connect() as connection:
            found = await due_digests.unasked(connection, _KINDS, _BATCH)
        for user_id, agent_id, hurry in found:
            async with engine.begin() as connection:
                await _request(connection, user_id, agent_id, hurry, "conversation")
        if len(found) < _BATCH:
            return


async def _request(
    connection: AsyncConnection, user_id: str, agent_id: str, hurry: Hurry, trigger: Trigger
) -> None:
    await queue.request(connection, _wanted(user_id, agent_id, hurry, trigger))


def _wanted(user_id: str, agent_id: str, hurry: Hurry, trigger: Trigger) -> queue.Request:
    priority = queue.BEGUN if hurry == "due" else queue.BACKGROUND
    return queue.Request(_KINDS[hurry], f"{user_id}|{agent_id}", trigger, priority)
