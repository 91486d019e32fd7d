"""One durable thing known, and the claims it stands on.

    a digest's claims, all conversations, in the order they took place ─┐
    what was added or edited by hand or by a tool ──────────────────────┴→ digest.facts.reconcile → facts

Facts can always be made again from the claims: a conversation that comes late, is understood anew or is moved
to another user leaves them as if all had come in order.
"""

from datetime import date
from typing import Literal

from msgspec import Struct

About = Literal["user", "relationship", "agent"]
Origin = Literal["digest", "api", "tool", "excerpt"]


class Source(Struct, frozen=True):
    """The messages of one conversation on which something rests. `conversation_id` is ours."""

    conversation_id: int
    positions: tuple[int, ...] = ()


class Provenance(Struct, frozen=True):
    """Where the words of a fact came from before a person edited them: of several edits, before the first.
    `sources` are the messages it rested on; those of an excerpt's own conversation come first."""

    origin: Origin
    said_on: date
    last_said_on: date
    said_in: str = ""
    sources: tuple[Source, ...] = ()


class Claim(Struct, frozen=True):
    """What one conversation says that is worth knowing later. `text` is a quotation (`domain.quote`), or a
    model's sentence with absolute dates. `topic` names what has only one value at a time (`home`, `name of
    the dog`). Days are in the user's time zone; `certainty` and `salience` go from 0 to 1. `supersedes` is
    the text of a fact. `flagged` reads like an instruction: people see it, the agent never. `changes`: what
    said the same before no longer holds."""

    about: About
    text: str
    said_on: date
    positions: tuple[int, ...] = ()
    topic: str = ""
    certainty: float = 1.0
    salience: float = 0.5
    valid_from: date | None = None
    due: date | None = None
    supersedes: str = ""
    flagged: bool = False
    changes: bool = False


class Fact(Struct, frozen=True):
    """One thing known. `key` names it within its user and agent, whatever row it is in. `times` counts the
    conversations that said it, `last_said_on` is the day of the latest, `valid_to` the day it was superseded.
    By hand: `pinned` is among the first told and never superseded, `excluded` never told."""

    id: int
    about: About
    text: str
    key: str
    said_on: date
    last_said_on: date
    topic: str = ""
    certainty: float = 1.0
    salience: float = 0.5
    times: int = 1
    valid_from: date | None = None
    valid_to: date | None = None
    due: date | None = None
    origin: Origin = "digest"
    pinned: bool = False
    excluded: bool = False
    flagged: bool = False
    superseded_by: int | None = None
    stems: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


class WithheldFact(Struct, frozen=True):
    """A fact that is never told: a person `excluded` it, or it is flagged. What is told of the messages in
    `sources` tells no excluded fact either."""

    id: int
    text: str
    excluded: bool
    sources: tuple[Source, ...] = ()


class SupersededFact(Struct, frozen=True):
    """A fact in whose place another stands: `by` is its text, `instead` what it rests on."""

    text: str
    sources: tuple[Source, ...] = ()
    topic: str = ""
    by: str = ""
    by_topic: str = ""
    instead: tuple[Source, ...] = ()

    @property
    def outdated(self) -> frozenset[tuple[int, int]]:
        """The conversation and position of each message that says it, where only another says what holds."""
        holding = {one.conversation_id for one in self.instead}
        return frozenset(
            (one.conversation_id, position)
            for one in self.sources
            for position in one.positions
            if one.conversation_id not in holding
        )
