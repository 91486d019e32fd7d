"""Note later: what `memory.add` could not note in a call, once it is known whose call it was.

On a first call nobody is known until its event is in; else the tool was late, or Postgres or Redis were down.
The platform's transcript has the tool's calls. The rules are those of a call that goes on.

gather: the transcript, what was noted of it · decide: which calls left no note and may · apply: notes like
any
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.domain.conversation import Conversation
from voice_server.domain.fact import Claim
from voice_server.operations import settle_notes
from voice_server.queue import note_requests, prompt_requests
from voice_server.store.conversations import conversations
from voice_server.store.conversations.conversations import DigestibleConversation
from voice_server.store.knowledge import facts, notes
from voice_server.store.knowledge.notes import Note
from voice_server.store.people import users
from voice_server.templates.library import TemplateLibrary
from voice_server.tools import memory_add, note_claim
from voice_server.tools.memory_add import AddArguments


async def request(connection: AsyncConnection, said: Conversation) -> None:
    if any(memory_add.is_call(one) for one in said.messages):
        await note_requests.request(connection, said.platform, said.id)


class LateNotes:
    """`clock` gives unix seconds."""

    def __init__(
        self,
        engine: AsyncEngine,
        templates: TemplateLibrary,
        clock: Callable[[], float],
        default_timezone: str,
    ) -> None:
        self._engine = engine
        self._templates = templates
        self._clock = clock
        self._default_timezone = default_timezone

    async def run(self, key: str, _trigger: str) -> None:
        """Make notes for whose conversation it is by now. Nothing of what is nobody's, or may not be
        remembered; nothing twice."""
        platform, _, platform_id = key.partition("|")
        async with self._engine.begin() as connection:
            await users.stay(connection)
            await notes.hold(connection, platform, platform_id)
            said = await _said(connection, platform, platform_id)
            if said is not None:
                await users.lock(connection, said.user_id)
                there = await notes.made(connection, platform, platform_id)
                await self._note(connection, said, platform_id, there)

    async def _note(
        self,
        connection: AsyncConnection,
        said: DigestibleConversation,
        platform_id: str,
        there: Sequence[Note],
    ) -> None:
        agent = self._templates.agent(said.agent_id).agent
        own = await users.timezone(connection, said.user_id, at=said.started_at)
        timezone = ZoneInfo(own or agent.timezone or self._default_timezone)
        now = datetime.fromtimestamp(self._clock(), UTC)
        # in a thread: hours of talk take their time
        missing = await asyncio.to_thread(_missing, said, there, timezone, now, agent.limits.additions)
        for one in missing:
            await facts.note(
                connection, said.user_id, said.agent_id, one.claim, at=one.at, said_in=platform_id
            )
        if missing:
            await prompt_requests.request(connection, said.user_id, said.agent_id)


class _MissingNote(Struct, frozen=True):
    at: datetime
    claim: Claim


async def _said(
    connection: AsyncConnection, platform: str, platform_id: str
) -> DigestibleConversation | None:
    known = await conversations.find(connection, platform, platform_id)
    return await conversations.to_digest(connection, known.id) if known else None


def _missing(
    said: DigestibleConversation, there: Sequence[Note], timezone: ZoneInfo, now: datetime, most: int
) -> list[_MissingNote]:
    """Return what makes at most `most` notes in all: more was too much while the call went on, too."""
    asked = dict[str, tuple[AddArguments, datetime]]()
    for one, at in memory_add.asked_in(said.messages):
        asked.setdefault(one.text, (one, min(max(at, said.started_at), now)))
    left = [
        _MissingNote(at, note_claim.claim(one.text, one.kind, at.astimezone(timezone).date()))
        for one, at in list(asked.values())[:most]
        if not any(note_claim.is_worded(made.text, made.said_on, [one.text]) for made in there)
    ]
    return _judged(left, said)[: max(most - len(there), 0)]


def _judged(left: Sequence[_MissingNote], said: DigestibleConversation) -> list[_MissingNote]:
    """Leave out what the user wants forgotten; what they did not say is for people alone."""
    if not left:
        return []
    listened = settle_notes.listen(said)
    verdicts = [(one, listened.verdict(one.claim.text, one.claim.said_on)) for one in left]
    return [
        replace(one, claim=replace(one.claim, flagged=verdict == "unsaid"))
        for one, verdict in verdicts
        if verdict != "withheld"
    ]
