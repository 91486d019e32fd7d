"""What was noted mid-call goes where the call goes; what the user did not say, or wants forgotten, is not
told.

In a transaction that holds the conversation (`store.knowledge.notes.hold`, or `users.move`) and has locked
all who have notes of it, or get them.
"""

import asyncio
from collections.abc import Iterable
from datetime import date

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.context.screening.hygiene import is_suspicious
from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Conversation
from voice_server.queue import prompt_requests
from voice_server.store.conversations.conversations import DigestibleConversation
from voice_server.store.knowledge import facts, notes
from voice_server.store.knowledge.notes import Note, Whose
from voice_server.tools import memory_add, note_claim, note_verification


async def follow(
    connection: AsyncConnection, platform: str, platform_id: str, owner: str | None
) -> list[Whose]:
    """Give the notes to this user, or to nobody; return whose prompts are to be made anew."""
    return await _refreshed(connection, await notes.follow(connection, platform, platform_id, owner))


async def settle(connection: AsyncConnection, said: Conversation, owner: str | None) -> list[Whose]:
    """Do what `follow` does, then hide what the user did not say from all but people, and take back what they
    want forgotten."""
    followed = await notes.follow(connection, said.platform, said.id, owner)
    return await _refreshed(connection, [*followed, *await _judge(connection, said)])


async def tell(connection: AsyncConnection, changed: Iterable[Whose]) -> None:
    """Ask for the prompts: after whatever asks for days."""
    for user_id, agent_id in changed:
        await prompt_requests.request(connection, user_id, agent_id)


async def _judge(connection: AsyncConnection, said: Conversation) -> list[Whose]:
    there = await notes.of(connection, said.platform, said.id)
    if not there:
        return []
    verdicts = await asyncio.to_thread(_verdicts, there, said)  # hours of talk take their time
    shown = {one for one in there if verdicts[one] == "said" and not is_suspicious(one.text)}
    hidden = [one.id for one in there if one not in shown and not one.flagged]
    return [
        *await notes.remove(connection, [one.id for one in there if verdicts[one] == "withheld"]),
        *await notes.flag(connection, hidden, flagged=True),
        *await notes.flag(connection, [one.id for one in shown if one.flagged], flagged=False),
    ]


class CallEvidence(Struct, frozen=True):
    """What a note is held against: whether the user said anything that may be remembered, what the tool was
    given where they asked that it should not be, and what they said."""

    anything: bool
    handed: tuple[str, ...]
    told: note_verification.TranscriptEvidence

    def verdict(self, text: str, said_on: date) -> note_verification.Verdict:
        if not self.anything or note_claim.is_worded(text, said_on, self.handed):
            return "withheld"
        return self.told.verdict(text)


def listen(said: Conversation | DigestibleConversation) -> CallEvidence:
    """Gather the evidence of a conversation. In a thread: hours of talk take a tenth of a second."""
    secret = consent.withheld(said.messages)
    handed = memory_add.added_in(one for one in said.messages if one.position in secret)
    anything = any(one.role == "user" and one.position not in secret for one in said.messages)
    return CallEvidence(anything, tuple(handed), note_verification.listen(said.messages, said.language))


def _verdicts(there: Iterable[Note], said: Conversation) -> dict[Note, note_verification.Verdict]:
    listened = listen(said)
    return {one: listened.verdict(one.text, one.said_on) for one in there}


async def _refreshed(connection: AsyncConnection, changed: Iterable[Whose]) -> list[Whose]:
    whose = sorted(set(changed))
    for user_id, agent_id in whose:
        await facts.refresh(connection, user_id, agent_id)
    return whose
