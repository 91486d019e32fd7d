"""Digest: from a conversation's messages to its summary, key moments and open threads.

Understanding happens with no transaction open. Here the transcript alone is understood, without a
model; a digest made by a model replaces this one through the same `digests.save`.
"""

import asyncio
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.context.hygiene import neutralise
from voice_server.digest import extractive
from voice_server.domain.digest import Digest
from voice_server.jobs import queue, rebuild
from voice_server.store import conversations, digests, users
from voice_server.store.conversations import ToDigest
from voice_server.templates import TemplateLibrary

USER, AGENT = "The caller", "you"  # how a digest speaks of the two: it is read by the agent


class DigestJob:
    """The digest job."""

    def __init__(self, engine: AsyncEngine, templates: TemplateLibrary, default_timezone: str) -> None:
        self._engine = engine
        self._templates = templates
        self._default_timezone = default_timezone

    async def run(self, payload: queue.Payload) -> None:
        """Digest the conversation with the id in the payload, then ask for a rebuild of its prompt."""
        conversation_id: int = payload["conversation_id"]
        async with self._engine.connect() as connection:
            conversation = await conversations.to_digest(connection, conversation_id)
            if conversation is None:
                return
            frequencies, documents = await digests.document_frequencies(
                connection, conversation.user_id, besides=conversation_id
            )
            timezone = await users.timezone(connection, conversation.user_id)
        # in a thread: an hour's call takes a tenth of a second, and heartbeats must go on
        digest = await asyncio.to_thread(self._understand, conversation, timezone, frequencies, documents)
        async with self._engine.begin() as connection:
            await digests.save(
                connection, conversation_id, conversation.user_id, conversation.agent_id, digest
            )
            await rebuild.request(connection, conversation.user_id, conversation.agent_id)

    def _understand(
        self, conversation: ToDigest, timezone: str, frequencies: dict[str, int], documents: int
    ) -> Digest:
        agent = self._templates.agent(conversation.agent_id).agent
        return extractive.digest(
            conversation.messages,
            user=USER,
            agent=AGENT,
            timezone=ZoneInfo(timezone or agent.timezone or self._default_timezone),
            platform_summary=neutralise(conversation.platform_summary),
            language=conversation.language,
            document_frequencies=frequencies,
            documents=documents + 1,
        )
