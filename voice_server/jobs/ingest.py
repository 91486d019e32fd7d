"""Ingest: from a stored event to a conversation of a known user. Idempotent, in any order.

gather: the event, who was bound to the call at pre-call · decide: what it is, whose it is · apply: one
transaction
"""

import asyncio
import logging
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.digest.analysis import report
from voice_server.digest.analysis.roots import telltale
from voice_server.digest.language.languages import spoken_language
from voice_server.digest.privacy import consent
from voice_server.digest.rules.echoes import without_memory
from voice_server.domain.addresses.address import Address
from voice_server.domain.conversation import Conversation
from voice_server.domain.event import EndedCall, FailedCall
from voice_server.errors import ParseError
from voice_server.jobs import late_notes
from voice_server.operations import learning, settle_notes
from voice_server.platforms import registry
from voice_server.platforms.platform import Platform
from voice_server.queue import queue
from voice_server.queue.names import INGEST, ingest_key
from voice_server.store import session
from voice_server.store.conversations import conversations
from voice_server.store.conversations.conversations import Outcome
from voice_server.store.knowledge import notes
from voice_server.store.lifecycle import erasures, webhook_events
from voice_server.store.people import agents, identifications, users
from voice_server.templates.library import TemplateLibrary

log = logging.getLogger(__name__)

_BATCH = 1000
_FORGOTTEN = timedelta(seconds=30)  # after which an event is looked after: its job may not have begun before


class Rules(Struct, frozen=True):
    """What ingest goes by. `min_call_seconds`: a shorter call is not digested; `redact_transcripts`: what is
    stored has no secrets either."""

    region: str = "US"
    min_call_seconds: int = 5
    register_agents: bool = True
    redact_transcripts: bool = True


class _ParsedEvent(Struct, frozen=True):
    """`body` is without secrets, None when it had none or keeps them; `verbatim` are messages, by position,
    that transcripts keep as said."""

    event: EndedCall | FailedCall | None
    body: bytes | None = None
    verbatim: dict[int, str] = {}


async def wake(engine: AsyncEngine) -> int:
    """Have events ingested that have no outcome and no job; return how many had no job."""
    last, woken, found = 0, 0, [0]
    while found:
        async with engine.begin() as connection:
            found = await webhook_events.received(connection, _FORGOTTEN, last, _BATCH)
            jobless = await queue.jobless(connection, [ingest_key(one) for one in found])
            for event_id in (one for one in found if ingest_key(one) in jobless):
                await queue.revive(connection, INGEST, {"event_id": event_id}, key=ingest_key(event_id))
        last, woken = max(found, default=0), woken + len(jobless)
    return woken


class Ingest:
    def __init__(self, engine: AsyncEngine, redis: Redis, templates: TemplateLibrary, rules: Rules) -> None:
        self._engine = engine
        self._reading = session.single_statements(engine)
        self._redis = redis
        self._templates = templates
        self._rules = rules

    async def run(self, payload: queue.Payload) -> None:
        """Ingest an event. What cannot be understood is marked failed."""
        event_id: int = payload["event_id"]
        async with self._reading.connect() as connection:
            stored = await webhook_events.unfinished(connection, event_id)
        if stored is None:
            return
        try:
            platform = registry.of(stored.platform)
            # in a thread: megabytes take their time, and heartbeats must go on
            told = await asyncio.to_thread(read, platform, stored.body, self._rules)
            await self._apply(platform, event_id, told)
        except ParseError as error:
            log.warning("event %s cannot be ingested: %s", event_id, error)
            await self.give_up(payload, str(error))

    async def give_up(self, payload: queue.Payload, reason: str) -> None:
        """Mark an event failed; `voice-server replay` tries it again."""
        event_id: int = payload["event_id"]
        async with self._engine.begin() as connection:
            await users.stay(connection)
            if not await erasures.reaches(connection, event_id):
                await webhook_events.finish(connection, event_id, "failed", reason)

    async def _apply(self, platform: Platform, event_id: int, told: "_ParsedEvent") -> None:
        event = told.event
        bound = await self._bound(event.conversation.id) if isinstance(event, EndedCall) else None
        async with self._engine.begin() as connection:
            await users.stay(connection)
            if await _is_erased(connection, event_id, event):
                return
            if event is None:
                note = "nothing is done with this type of event"
                await webhook_events.finish(connection, event_id, "ignored", note, told.body)
                return
            await self._require_agent(connection, platform, event)
            if isinstance(event, FailedCall):
                failed = platform.failed_conversation(event)
                await self._save_failed(connection, event_id, event, failed, told.body)
            else:
                await self._save_ended(connection, event_id, event, bound, told)

    async def _bound(self, conversation_id: str) -> Address | None:
        """Return None without Redis: we go by what the event says."""
        try:
            bound = await prompt_cache.binding(self._redis, conversation_id)
        except (RedisError, OSError) as error:
            log.warning("no binding for %s: Redis: %s", conversation_id, error)
            return None
        return bound.address if bound else None

    async def _require_agent(
        self, connection: AsyncConnection, platform: Platform, event: EndedCall | FailedCall
    ) -> None:
        agent_id = event.conversation.agent_id if isinstance(event, EndedCall) else event.agent_id
        if self._rules.register_agents or agent_id in self._templates.agent_ids:
            await agents.register(connection, agent_id, platform.name)
        elif not await agents.is_registered(connection, agent_id):
            raise ParseError(
                f"agent {agent_id} is not registered and REGISTER_AGENTS is off: "
                "give it a folder of templates, then replay the event"
            )

    async def _save_ended(
        self,
        connection: AsyncConnection,
        event_id: int,
        call: EndedCall,
        bound: Address | None,
        told: "_ParsedEvent",
    ) -> None:
        ours = await _own_number(connection, event_id, call)
        known_as = caller_addresses(call, bound, ours)
        user_id = await _whose(connection, call, known_as)
        named = call.conversation.platform, call.conversation.id
        await notes.hold(connection, *named)
        before = await conversations.owner(connection, *named)
        owners = await users.owners(connection, known_as)
        if await _was_told(connection, call, user_id, users.first_owner(owners, known_as)):
            call = replace(call, conversation=without_memory(call.conversation, call.served))
            told = _ParsedEvent(call, body=b"")
        noted_for = await notes.owners(connection, *named)
        await users.lock(connection, user_id, before, *noted_for)
        conversation = call.conversation
        outcome = outcome_of(conversation, self._rules.min_call_seconds)
        conversation_id = await conversations.save(
            connection,
            conversation,
            user_id=user_id,
            outcome=outcome,
            event_id=event_id,
            event_timestamp=call.sent_at,
            timezone=call.timezone,
            known_as=known_as[0] if known_as else call.user_id,
            verbatim=told.verbatim,
        )
        await _finish(connection, event_id, told.body, saved=conversation_id is not None)
        if conversation_id is not None:
            changed = await settle_notes.settle(connection, conversation, user_id) if noted_for else []
            if before not in (None, user_id):
                await learning.unlearn(connection, conversation_id, str(before), conversation)
            if user_id:
                await learning.learn(connection, conversation_id, user_id, conversation, outcome)
                await late_notes.request(connection, conversation)
            await settle_notes.tell(connection, changed)
        if known_as and users.is_shared(owners, known_as[0]):
            await self._forget_mark(conversation, known_as[0])

    async def _save_failed(
        self,
        connection: AsyncConnection,
        event_id: int,
        call: FailedCall,
        conversation: Conversation,
        body: bytes | None,
    ) -> None:
        """Note an outbound call nobody answered, for those we know: no digest, no new user."""
        user_id = await users.find(connection, [call.address]) if call.address else None
        saved = await conversations.save(
            connection,
            conversation,
            user_id=user_id,
            outcome="failed",
            event_id=event_id,
            event_timestamp=call.sent_at,
        )
        note = f"the call failed: {call.reason}"
        await _finish(connection, event_id, body, saved=saved is not None, note=note)
        if call.address:
            await self._forget_mark(conversation, call.address)

    async def _forget_mark(self, conversation: Conversation, address: Address) -> None:
        """Have the next call be no redial: there was no call, or the line is shared, and its callers are not
        told what others said."""
        try:
            await prompt_cache.forget_mark(self._redis, conversation.agent_id, address, conversation.id)
        except (RedisError, OSError) as error:
            log.warning("the redial mark of %s stays: Redis: %s", conversation.id, error)


def read(platform: Platform, body: bytes, rules: Rules) -> _ParsedEvent:
    """Read an event without secrets, and without what a platform made of what is withheld. Raises
    ParseError."""
    without = platform.without_secrets(body)
    event = platform.parse_post_call(without, rules.region)
    if isinstance(event, EndedCall):
        event = replace(event, conversation=_respected(event.conversation))
    if without is body:
        return _ParsedEvent(event)
    if rules.redact_transcripts or not isinstance(event, EndedCall):
        return _ParsedEvent(event, without if rules.redact_transcripts else None)
    return _ParsedEvent(event, verbatim=_verbatim(event, platform.parse_post_call(body, rules.region)))


def _respected(conversation: Conversation) -> Conversation:
    """Keep what the platform understood of the rest where it says which messages are private. Where the
    server hears a wish, too, only what is held against the talk afterwards stays."""
    messages = conversation.messages
    private = report.private(conversation.collected, messages)
    if conversation.declined or not private:
        return consent.respected(conversation)
    secret = consent.withheld(messages, private)
    kept = [one for one in messages if one.position not in secret]
    told = telltale(
        (one.content for one in messages if one.position in secret),
        (one.content for one in kept),
        spoken_language([one.content for one in messages], conversation.language),
    )
    noted = consent.without_flags(conversation).collected
    if consent.withheld(messages):
        noted = report.grounded_items(noted, name=not consent.asks_for_name(messages))
    return replace(conversation, summary="", collected=report.untold(noted, told, kept))


def _verbatim(event: EndedCall, raw: EndedCall | FailedCall | None) -> dict[int, str]:
    if not isinstance(raw, EndedCall):
        return {}
    said = {(one.position, one.role): one.content for one in raw.conversation.messages}
    messages = event.conversation.messages
    pairs = ((one, said.get((one.position, one.role), one.content)) for one in messages)
    return {one.position: words for one, words in pairs if one.content != words}


async def _is_erased(
    connection: AsyncConnection, event_id: int, event: EndedCall | FailedCall | None
) -> bool:
    if not isinstance(event, EndedCall):
        return await erasures.reaches(connection, event_id)
    version = event.conversation.prompt_version
    return await erasures.reaches(connection, event_id, event.user_id, version)


async def _was_told(
    connection: AsyncConnection, call: EndedCall, user_id: str | None, owner: str | None
) -> bool:
    """Tell whether the call was told what is erased since, as whoever's it turns out to be or was taken
    for."""
    concerned = {user_id, call.user_id, owner} - {None, ""}
    said = call.conversation
    whose = sorted(one for one in concerned if one)
    return await erasures.was_told(connection, whose, said.agent_id, said.started_at)


async def _whose(connection: AsyncConnection, call: EndedCall, known_as: list[Address]) -> str | None:
    """Return None for a caller who hid, and on a shared line before somebody said who."""
    said = call.conversation
    identified = await identifications.of(connection, said.platform, said.id)
    return identified or await users.resolve(connection, call.user_id, known_as, at=said.started_at)


async def _finish(
    connection: AsyncConnection, event_id: int, body: bytes | None, *, saved: bool, note: str = ""
) -> None:
    if saved:
        await webhook_events.finish(connection, event_id, "ingested", note, body)
    else:
        note = "a later event of this call is known"
        await webhook_events.finish(connection, event_id, "ignored", note, body)


async def _own_number(connection: AsyncConnection, event_id: int, call: EndedCall) -> Address | None:
    """Learn the agent's own number. None: the event names none, or a user's."""
    if call.own_number is None:
        return None
    if await agents.learn_number(connection, call.conversation.agent_id, call.own_number):
        return call.own_number
    log.warning("event %s: what it calls the agent's own number is a user's, and stays it", event_id)
    return None


def caller_addresses(call: EndedCall, bound: Address | None, ours: Address | None) -> list[Address]:
    """Return addresses, the most certain first: bound at pre-call, then what the event says. On outbound
    calls the “caller” of the pre-call is us (docs/explanation/elevenlabs-contract.md, outbound calls): to
    take our own number for the user's would make one user of everybody we call."""
    candidates = call.addresses if call.outbound else (bound, *call.addresses)
    return list(dict.fromkeys(one for one in candidates if one is not None and one != ours))


def outcome_of(conversation: Conversation, min_call_seconds: int) -> Outcome:
    """Return what became of a call. Worth a digest is only what the user said and may be remembered."""
    if conversation.declined:
        return "declined"
    if conversation.voicemail:
        return "voicemail"
    if not any(message.role == "user" for message in conversation.messages):
        return "silent"
    if conversation.channel == "voice" and conversation.duration < min_call_seconds:
        return "short"
    return "talked"
