"""What stands in a chat's history for the messages that it has no room for."""

from typing import Literal

from msgspec import Struct

LONGEST = 400  # tokens
# Who made it: a model; nobody, from the digests of the sittings; a person.
Source = Literal["model", "digests", "person"]


class ChatSummary(Struct, frozen=True):
    """A `text` for the messages before the place `until`. `condenses`: it was asked for, and these are told
    word for word no more; else they are for as long as there is room."""

    text: str
    until: int
    condenses: bool = False

    def is_told(self, *, sums_up: bool) -> bool:
        """Whether the history has it: one that was asked for, or any where chats are summed up."""
        return self.condenses or sums_up
