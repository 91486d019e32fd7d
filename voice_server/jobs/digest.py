"""Digest: from a conversation's messages to its summary, key moments and open threads.

Understanding happens with no transaction open. Here the transcript alone is understood, without a
model, and the prompt rebuilt at once; where there is a model, its digest (`jobs.understand`) replaces this
one later through the same `digests.save`, and is not replaced by this one again unless what it was made
from changes. A chat that goes on is understood so far without the model, which has its say when it has ended.
"""

import asyncio
import hashlib
from collections import Counter
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context.hygiene import neutralise
from voice_server.digest import consent, extractive
from voice_server.domain.day import Trigger
from voice_server.domain.digest import Digest
from voice_server.jobs import days, queue, rebuild
from voice_server.jobs.ingest import digest_later_ones, take_back_notes
from voice_server.store import conversations, digests, prompts, users
from voice_server.store.conversations import ToDigest
from voice_server.templates import TemplateLibrary

_DIGESTED = 1500  # messages, the latest: hours of talk; choosing among more takes longer than it is worth
UNDERSTAND = "understand"
USER, AGENT = "The caller", "you"  # how a digest speaks of the two: it is read by the agent


class DigestJob:
    """The digest job."""

    def __init__(
        self,
        engine: AsyncEngine,
        templates: TemplateLibrary,
        default_timezone: str,
        *,
        has_model: bool = False,
    ) -> None:
        self._engine = engine
        self._templates = templates
        self._default_timezone = default_timezone
        self._has_model = has_model

    async def run(self, payload: queue.Payload) -> None:
        """Digest the conversation with the id in the payload, then ask for a rebuild of its prompt. A `trigger` in
        the payload says why its day is summed up (`domain.day.Trigger`): else because the conversation ended.

        When what it was made from changed meanwhile, it is made again: the last word is always that
        of all that is known, in whichever order it came.
        """
        conversation_id: int = payload["conversation_id"]
        trigger: Trigger = payload.get("trigger", "conversation")
        async with self._engine.connect() as connection:
            basis = await gather(connection, conversation_id)
        while basis is not None:
            # in a thread: an hour's call takes a tenth of a second, and heartbeats must go on
            digest = await asyncio.to_thread(self.understand, basis)
            async with self._engine.begin() as connection:
                await users.lock(connection, basis.conversation.user_id)
                used, basis = basis, await gather(connection, conversation_id)
                if basis == used:
                    await self._apply(connection, conversation_id, used, digest, trigger)
                    return

    async def _apply(
        self,
        connection: AsyncConnection,
        conversation_id: int,
        basis: "Basis",
        digest: Digest,
        trigger: Trigger,
    ) -> None:
        conversation = basis.conversation
        if not basis.has_speech:
            await take_back_notes(connection, conversation_id, conversation.user_id, conversation)
        elif await digests.is_by_model(connection, conversation_id, basis.name):
            await reweigh(connection, conversation_id, conversation, digest)
        else:
            awaits = self._has_model and not conversation.goes_on
            await apply(connection, conversation_id, basis, digest, awaits_model=awaits, trigger=trigger)

    def timezone(self, basis: "Basis") -> ZoneInfo:
        """The caller's at the time of the conversation, or the agent's, or the server's."""
        agent = self._templates.agent(basis.conversation.agent_id).agent
        return ZoneInfo(basis.timezone or agent.timezone or self._default_timezone)

    def understand(self, basis: "Basis") -> Digest:
        """The digest without a model."""
        conversation = basis.conversation
        return extractive.digest(
            conversation.messages[-_DIGESTED:],
            user=USER,
            agent=AGENT,
            timezone=self.timezone(basis),
            platform_summary=neutralise(conversation.platform_summary),
            language=conversation.language,
            document_frequencies=Counter(stem for stems in basis.earlier for stem in stems),
            documents=len(basis.earlier) + 1,
            served=basis.served,
        )


class Basis(Struct, frozen=True):
    """What a digest is made from: the conversation without what is to be forgotten, the caller's time zone then,
    the stems of earlier ones, the prompt the agent had."""

    conversation: ToDigest
    timezone: str
    earlier: list[list[str]]
    served: str

    @property
    def has_speech(self) -> bool:
        """Whether anything is left that the user said and may be remembered."""
        return any(message.role == "user" for message in self.conversation.messages)

    @property
    def name(self) -> str:
        """Names what was said, when and where: a model's digest is worth making again when that changes, and not
        when the prompt of the call is no longer kept."""
        said = msgspec.json.encode((self.timezone, self.conversation.language, self.conversation.messages))
        return hashlib.blake2b(said, digest_size=16).hexdigest()


async def gather(connection: AsyncConnection, conversation_id: int) -> Basis | None:
    """What a conversation's digest is made from; None when it is gone or has none."""
    conversation = await conversations.to_digest(connection, conversation_id)
    if conversation is None:
        return None
    user_id, started_at = conversation.user_id, conversation.started_at
    return Basis(
        replace(conversation, messages=consent.kept(conversation.messages)),
        await users.timezone(connection, user_id, at=started_at),
        await digests.stems_before(connection, user_id, started_at),
        await prompts.served_in(connection, conversation_id),
    )


async def apply(
    connection: AsyncConnection,
    conversation_id: int,
    basis: Basis,
    digest: Digest,
    *,
    awaits_model: bool = False,
    trigger: Trigger = "conversation",
) -> None:
    """Keep a digest, in a transaction that has locked its user, and ask for what it makes necessary: its
    day, the prompt and, where a model's digest is wanted, that."""
    conversation = basis.conversation
    user_id, agent_id = conversation.user_id, conversation.agent_id
    before = await digests.stems_of(connection, conversation_id)
    await digests.save(
        connection, conversation_id, user_id, agent_id, digest, basis=basis.name, awaits_model=awaits_model
    )
    await days.request(connection, user_id, agent_id, trigger)
    await rebuild.request(connection, user_id, agent_id)
    if awaits_model:
        await ask_model(connection, conversation_id)
    if before != list(digest.stems):
        await digest_later_ones(connection, user_id, conversation.started_at)


async def ask_model(connection: AsyncConnection, conversation_id: int) -> None:
    """Enqueue the model's digest of a conversation, once."""
    payload = {"conversation_id": conversation_id}
    await queue.enqueue(connection, UNDERSTAND, payload, key=f"{UNDERSTAND}:{conversation_id}")


async def reweigh(
    connection: AsyncConnection, conversation_id: int, conversation: ToDigest, digest: Digest
) -> None:
    """The model's digest stays; what earlier calls were about changes only which words tell this one apart."""
    before = await digests.stems_of(connection, conversation_id)
    await digests.reweigh(connection, conversation_id, digest.keywords, digest.stems)
    await days.request(connection, conversation.user_id, conversation.agent_id, "edit")
    if before != list(digest.stems):
        await digest_later_ones(connection, conversation.user_id, conversation.started_at)
