"""What stands in a chat's history for the messages that it has no room for."""

from typing import Literal

from msgspec import Struct

LONGEST = 400  # tokens
# Who made it: a model; nobody, from the digests of the sittings; a person.
Source = Literal["model", "digests", "person"]


class ChatSummary(Struct, frozen=True):
    """A `text` for the messages before the place `until`. With `condenses`, somebody asked for it, and they
    are no longer told word for word; otherwise they are while there is room."""

    text: str
    until: int
    condenses: bool = False

    def is_told(self, *, sums_up: bool) -> bool:
        return self.condenses or sums_up
