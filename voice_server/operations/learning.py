"""What a conversation teaches us, once it is known whose it was; and taking that back."""

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.conversation import Conversation
from voice_server.queue import day_requests, digest_requests, index_requests, prompt_requests, queue
from voice_server.store.conversations.conversations import DigestibleConversation, StoredConversation
from voice_server.store.knowledge import digests, facts, thoughts
from voice_server.store.people import names


async def learn(
    connection: AsyncConnection,
    id_: int,
    user_id: str,
    conversation: Conversation | StoredConversation,
    outcome: str,
) -> None:
    """Ask for what was said to be understood; where nothing was said, forget what was understood before."""
    agent_id = conversation.agent_id
    if outcome == "talked":
        await _set_used(connection, id_, user_id, conversation)
        digest = await digest_requests.wanted(connection, id_, user_id, agent_id, "conversation")
        await queue.request(connection, index_requests.wanted(user_id, agent_id), *digest)
    else:
        await index_requests.request(connection, user_id, agent_id)
        await unlearn(connection, id_, user_id, conversation)


async def unlearn(
    connection: AsyncConnection,
    id_: int,
    user_id: str,
    conversation: Conversation | StoredConversation | DigestibleConversation,
) -> None:
    """Take back what an earlier event made us believe: nothing was said, or it was somebody else's call."""
    await day_requests.withdraw(connection, user_id, conversation.agent_id, id_)
    await _set_used(connection, id_, user_id, conversation)
    before = await names.of(connection, user_id)
    if await digests.remove(connection, id_):
        await digest_requests.request_later_ones(connection, user_id, conversation.started_at)
    if await facts.take_back(connection, id_, user_id):
        await facts.refresh(connection, user_id, conversation.agent_id)
    await prompt_requests.request(connection, user_id, conversation.agent_id)
    await names.refresh(connection, user_id)
    if before != await names.of(connection, user_id):
        await prompt_requests.request_all(connection, user_id)
    await index_requests.request(connection, user_id, conversation.agent_id)


async def _set_used(
    connection: AsyncConnection,
    id_: int,
    user_id: str,
    conversation: Conversation | StoredConversation | DigestibleConversation,
) -> None:
    """Ask for other users' prompts, too: the call was taken for theirs when it began."""
    for other in sorted(await thoughts.set_used(connection, id_) - {user_id}):
        await prompt_requests.request(connection, other, conversation.agent_id)
