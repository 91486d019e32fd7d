"""Requests for digests, by whatever changes what is to be understood, in its own transaction.

What is due is kept with each conversation (`store.knowledge.due_digests`). The job, one for each user and
agent, finds it: ten calls of one user that arrive at once are digested in one pass. What may wait has a job
of its own, which yields.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.domain.days import Trigger
from voice_server.queue import queue
from voice_server.queue.names import DIGEST_CONVERSATIONS, DIGEST_CONVERSATIONS_LATER, timeline_key
from voice_server.store.knowledge import due_digests
from voice_server.store.knowledge.due_digests import Hurry

_KINDS: Mapping[Hurry, str] = {"due": DIGEST_CONVERSATIONS, "later": DIGEST_CONVERSATIONS_LATER}
KINDS = tuple(_KINDS.values())
_BATCH = 500


async def request(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str, trigger: Trigger
) -> None:
    """Ask for a conversation's digest. `trigger` says why its day is summed up."""
    await queue.request(connection, *await wanted(connection, conversation_id, user_id, agent_id, trigger))


async def wanted(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str, trigger: Trigger
) -> list[queue.Request]:
    """Return the requests, to be made after that for the index. Empty where nothing was said."""
    hurry = await due_digests.ask(connection, conversation_id)
    return [] if hurry is None else [_wanted(user_id, agent_id, hurry, trigger)]


async def request_later_ones(connection: AsyncConnection, user_id: str, started_at: datetime) -> None:
    """Ask for later calls again: how common a word is in earlier calls weighs their words."""
    for agent_id in await due_digests.ask_after(connection, user_id, started_at):
        await _request(connection, user_id, agent_id, "later", "edit")


async def request_earlier_ones(
    connection: AsyncConnection, user_id: str, started_at: datetime | None = None
) -> None:
    """Ask for earlier calls again (None: for all): what is to be forgotten of them has changed."""
    for agent_id in await due_digests.ask_before(connection, user_id, started_at):
        await _request(connection, user_id, agent_id, "later", "edit")


async def request_again(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str
) -> None:
    await due_digests.ask_again(connection, conversation_id)
    await _request(connection, user_id, agent_id, "later", "edit")


async def request_latest(connection: AsyncConnection, user_id: str) -> None:
    """Ask for the latest calls again, which are told in detail, when the earlier ones have changed."""
    for agent_id in await due_digests.ask_latest(connection, user_id):
        await _request(connection, user_id, agent_id, "later", "edit")


async def slow_down(connection: AsyncConnection, user_id: str, agent_id: str, most: int) -> None:
    """Let all but the latest `most` digests wait: nobody starves for one user's burst."""
    if await due_digests.slow_down(connection, user_id, agent_id, most):
        await _request(connection, user_id, agent_id, "later", "conversation")


async def request_failed(connection: AsyncConnection) -> int:
    put_aside = await due_digests.ask_failed(connection)
    for user_id, agent_id in sorted(set(put_aside)):
        await _request(connection, user_id, agent_id, "later", "conversation")
    return len(put_aside)


async def wake(engine: AsyncEngine, *, later: int | None = None) -> None:
    """Ask for what is due and has no job, and for as many `later` ones (None: all)."""
    while await _wake(engine, "due", _BATCH) == _BATCH:
        pass
    if later is not None:
        await _wake(engine, "later", later)
        return
    while await _wake(engine, "later", _BATCH) == _BATCH:
        pass


async def _wake(engine: AsyncEngine, hurry: Hurry, most: int) -> int:
    """Ask for each in its own transaction, so that nobody waits who asks in another order."""
    if not most:
        return 0
    async with engine.connect() as connection:
        found = await due_digests.unasked(connection, hurry, _KINDS[hurry], most)
    for user_id, agent_id in found:
        async with engine.begin() as connection:
            await _request(connection, user_id, agent_id, hurry, "conversation")
    return len(found)


async def _request(
    connection: AsyncConnection, user_id: str, agent_id: str, hurry: Hurry, trigger: Trigger
) -> None:
    await queue.request(connection, _wanted(user_id, agent_id, hurry, trigger))


def _wanted(user_id: str, agent_id: str, hurry: Hurry, trigger: Trigger) -> queue.Request:
    priority = queue.BEGUN if hurry == "due" else queue.BACKGROUND
    return queue.Request(_KINDS[hurry], timeline_key(user_id, agent_id), trigger, priority)
