"""Something the agent carries until it expires or is used (its inner life)."""

from datetime import datetime

from msgspec import Struct


class NewThought(Struct, frozen=True):
    text: str
    positions: tuple[int, ...] = ()
    days: int = 14


class Thought(Struct, frozen=True):
    """A thought not used yet. Times are UTC. Pinned by hand, it comes first."""

    id: int
    text: str
    created_at: datetime
    expires_at: datetime
    pinned: bool = False
