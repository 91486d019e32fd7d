"""What was understood from one conversation."""

from datetime import date, datetime
from typing import Literal
from zlib import crc32

from msgspec import Struct

from voice_server.domain.fact import Claim
from voice_server.domain.person import CallerName
from voice_server.domain.quote import answer
from voice_server.domain.relationship import RelationshipDelta
from voice_server.domain.thought import NewThought

ThreadKind = Literal["promise", "request", "question", "plan", "topic"]
Speaker = Literal["user", "agent"]
Source = Literal["platform", "extractive", "model"]


class KeyMoment(Struct, frozen=True):
    """A quotation (`domain.quote`) of `said_by`, or a model's sentence. `weight` (0 to 1) is its worth for
    its room. `passing` only held for that day; `leans` is not understood without what was said just before.
    `also` are the positions of other messages that hold words of it."""

    said_at: datetime
    text: str
    position: int
    said_by: Speaker | Literal[""] = ""
    weight: float = 0.5
    passing: bool = False
    leans: bool = False
    also: tuple[int, ...] = ()


class OpenThread(Struct, frozen=True):
    """An unresolved topic. `due` is a day in the user's time zone, resolved from what was said."""

    kind: ThreadKind
    said_by: Speaker
    text: str
    said_on: date
    positions: tuple[int, ...]
    due: date | None = None


class EarlierThread(Struct, frozen=True):
    """A thread that was open when a conversation began; `around` is what was said where it was opened, on the
    user's day `said_on`."""

    id: int
    kind: ThreadKind
    said_by: Speaker
    text: str
    due: date | None = None
    around: str = ""
    said_on: date | None = None


class FollowUp(Struct, frozen=True):
    """What a conversation says of an earlier `thread` (its id) that it leaves open: a quotation of `said_by`,
    on the user's day `said_on`, at a position, `also` at others. `wording` is the `checksum` of the thread's
    text then: of other words nothing was said. `is_owed`: the user says that what was promised is still to
    come."""

    thread: int
    position: int
    said_by: Speaker
    said_on: date
    text: str
    wording: int = 0
    also: tuple[int, ...] = ()
    is_owed: bool = False

    @property
    def positions(self) -> tuple[int, ...]:
        """Those it rests on: its own, and of an answer the two before it, among which its question is."""
        own = range(self.position - 2 * (answer(self.text) != self.text), self.position + 1)
        return (*own, *self.also)


def checksum(text: str) -> int:
    return crc32(text.encode(errors="replace"))


class ModelUse(Struct, frozen=True):
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


class Digest(Struct, frozen=True):
    """What was understood from one conversation, and what it adds to the long-term memory.

    `closes` are ids of earlier conversations' threads that this one resolved. `keywords` are stems, the most
    telling first, never shown. `stems` are all of them, in alphabetical order: how common each is weighs the
    words of later conversations. `forgets` are topics that the caller wants forgotten, as hashes of stems:
    what was said of them elsewhere, until each was wished for (`forgets_at`, UTC), is no longer told.
    `metadata` is what the platform collected for the host application."""

    summary: str
    source: Source
    key_moments: tuple[KeyMoment, ...] = ()
    open_threads: tuple[OpenThread, ...] = ()
    keywords: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    language: str = ""
    closes: tuple[int, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    claims: tuple[Claim, ...] = ()
    thoughts: tuple[NewThought, ...] = ()
    relationship: RelationshipDelta = RelationshipDelta()
    use: ModelUse = ModelUse()
    caller_name: CallerName | None = None
    agent_name: str = ""
    forgets: tuple[tuple[str, ...], ...] = ()
    forgets_at: tuple[datetime, ...] = ()
    metadata: dict[str, str | int | float | bool] = {}
