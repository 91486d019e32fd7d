"""Digest: from a conversation's messages to its summary, key moments and open threads.

Understanding happens with no transaction open. Here the transcript alone is understood, without a
model; a digest made by a model replaces this one through the same `digests.save`.
"""

import asyncio
from collections import Counter
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context.hygiene import neutralise
from voice_server.digest import extractive
from voice_server.domain.digest import Digest
from voice_server.jobs import queue, rebuild
from voice_server.jobs.ingest import digest_later_ones
from voice_server.store import conversations, digests, users
from voice_server.store.conversations import ToDigest
from voice_server.templates import TemplateLibrary

_DIGESTED = 1500  # messages, the latest: hours of talk; choosing among more takes longer than it is worth
USER, AGENT = "The caller", "you"  # how a digest speaks of the two: it is read by the agent


class DigestJob:
    """The digest job."""

    def __init__(self, engine: AsyncEngine, templates: TemplateLibrary, default_timezone: str) -> None:
        self._engine = engine
        self._templates = templates
        self._default_timezone = default_timezone

    async def run(self, payload: queue.Payload) -> None:
        """Digest the conversation with the id in the payload, then ask for a rebuild of its prompt.

        When what it was made from changed meanwhile, it is made again: the last word is always that
        of all that is known, in whichever order it came.
        """
        conversation_id: int = payload["conversation_id"]
        async with self._engine.connect() as connection:
            basis = await _gather(connection, conversation_id)
        while basis is not None:
            # in a thread: an hour's call takes a tenth of a second, and heartbeats must go on
            digest = await asyncio.to_thread(self._understand, basis)
            async with self._engine.begin() as connection:
                await users.lock(connection, basis.conversation.user_id)
                used, basis = basis, await _gather(connection, conversation_id)
                if basis == used:
                    await _apply(connection, conversation_id, used.conversation, digest)
                    return

    def _understand(self, basis: "_Basis") -> Digest:
        conversation = basis.conversation
        agent = self._templates.agent(conversation.agent_id).agent
        return extractive.digest(
            conversation.messages[-_DIGESTED:],
            user=USER,
            agent=AGENT,
            timezone=ZoneInfo(basis.timezone or agent.timezone or self._default_timezone),
            platform_summary=neutralise(conversation.platform_summary),
            language=conversation.language,
            document_frequencies=Counter(stem for stems in basis.earlier for stem in stems),
            documents=len(basis.earlier) + 1,
        )


class _Basis(Struct, frozen=True):
    """What a digest is made from: the conversation, the caller's time zone then, the stems of earlier ones."""

    conversation: ToDigest
    timezone: str
    earlier: list[list[str]]


async def _gather(connection: AsyncConnection, conversation_id: int) -> _Basis | None:
    conversation = await conversations.to_digest(connection, conversation_id)
    if conversation is None:
        return None
    user_id, started_at = conversation.user_id, conversation.started_at
    return _Basis(
        conversation,
        await users.timezone(connection, user_id, at=started_at),
        await digests.stems_before(connection, user_id, started_at),
    )


async def _apply(
    connection: AsyncConnection, conversation_id: int, conversation: ToDigest, digest: Digest
) -> None:
    before = await digests.stems_of(connection, conversation_id)
    await digests.save(connection, conversation_id, conversation.user_id, conversation.agent_id, digest)
    await rebuild.request(connection, conversation.user_id, conversation.agent_id)
    if before != list(digest.stems):
        await digest_later_ones(connection, conversation.user_id, conversation.started_at)
