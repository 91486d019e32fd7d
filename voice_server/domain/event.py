"""What a platform tells us, in our own words: who is calling, and what an ended call was."""

from typing import Literal

from msgspec import Struct

from voice_server.domain.addresses.address import Address
from voice_server.domain.conversation import Conversation

EventKind = Literal["conversation", "failure", "audio", "unknown"]


class PreCall(Struct, frozen=True):
    """A call about to start. `caller` and `called` are as the platform writes them; `messaging` is no phone
    call, and its ids need not be phone numbers."""

    agent_id: str = ""
    caller: str = ""
    called: str = ""
    conversation_id: str = ""
    messaging: bool = False


class Envelope(Struct, frozen=True):
    """Enough of a post-call event to store it and know it again. `key` is the same for every delivery.
    `timestamp` (the platform's) and `ended_at` (the call's) are unix seconds, 0 when absent. `caller` is who
    seems to have called, as the platform writes it. `user_id` and `prompt_version` are what came back of the
    pre-call's answer."""

    platform: str
    kind: EventKind
    type: str
    key: str
    conversation_id: str = ""
    agent_id: str = ""
    timestamp: int = 0
    ended_at: int = 0
    caller: str = ""
    user_id: str = ""
    prompt_version: str = ""


class EndedCall(Struct, frozen=True):
    """An ended call, and who it may have been with. `user_id` is the one that the pre-call gave out.
    `addresses` are the caller's, most certain first; empty when the caller hid. `own_number` is the agent's.
    `sent_at` is the event's, unix seconds. `served` is the memory or prompt that the call began with, as far
    as the event repeats it."""

    conversation: Conversation
    sent_at: int = 0
    user_id: str = ""
    addresses: tuple[Address, ...] = ()
    own_number: Address | None = None
    outbound: bool = False
    timezone: str = ""
    served: str = ""


class Parties(Struct, frozen=True):
    """Who an event seems to be of. `user_id` is the one that we gave out, "" when none came back."""

    user_id: str = ""
    addresses: tuple[Address, ...] = ()


class FailedCall(Struct, frozen=True):
    """An outbound call that never became a conversation. `sent_at` is as in EndedCall."""

    conversation_id: str
    agent_id: str
    reason: str
    sent_at: int = 0
    address: Address | None = None
