"""Messages read to be made a fact: a user's own, without secrets, and only what may be remembered."""

import asyncio

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.language.languages import spoken_language
from voice_server.digest.language.sentences import spoken
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.digest.privacy.remembered import remembered
from voice_server.digest.secrets.messages import redacted_messages
from voice_server.domain.conversation import Message, message_id
from voice_server.domain.fact import Source
from voice_server.errors import Conflict, NotFound
from voice_server.store.conversations import conversations
from voice_server.store.conversations.conversations import DigestibleConversation
from voice_server.store.knowledge import forgotten


class Excerpt(Struct, frozen=True):
    """Messages in the order said. `language` is "" when it is not known."""

    source: Source
    said: tuple[Message, ...]
    language: str


async def read(connection: AsyncConnection, user_id: str, agent_id: str, source: Source) -> Excerpt:
    """Read messages, after `users.lock`. Raises NotFound, also for talk of another user or agent; Conflict
    for what the user wants forgotten."""
    talk = await conversations.to_digest(connection, source.conversation_id)
    if talk is None or (talk.user_id, talk.agent_id) != (user_id, agent_id):
        raise NotFound(
            f"User {user_id} has no conversation {source.conversation_id} with agent {agent_id} in which "
            "something was said."
        )
    there = {one.position for one in talk.messages}
    if missing := sorted(set(source.positions) - there):
        raise NotFound(f"There is no message {message_id(source.conversation_id, missing[0])}.")
    hidden = ForgetFilter(await forgotten.topics(connection, user_id))
    # in a thread: hours of talk take their time
    return await asyncio.to_thread(_excerpt, talk, source, hidden)


def _excerpt(talk: DigestibleConversation, source: Source, hidden: ForgetFilter) -> Excerpt:
    kept = {
        one.position for one in remembered(talk.messages, talk.collected, hidden, of=source.conversation_id)
    }
    if untold := sorted(set(source.positions) - kept):
        named = message_id(source.conversation_id, untold[0])
        raise Conflict(f"Message {named} is not to be remembered: the user asked for it to be forgotten.")
    texts = redacted_messages(talk.messages)
    said = [
        replace(one, content=text)
        for one, text in zip(talk.messages, texts, strict=True)
        if one.position in source.positions
    ]
    language = spoken_language([one.content for one in spoken(talk.messages)], talk.language)
    return Excerpt(source, tuple(said), language)
