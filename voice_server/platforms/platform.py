"""What a platform is to everything else: its JSON, made into our nouns and back. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from voice_server.digest.analysis.items import Item
from voice_server.domain.agent import Agent
from voice_server.domain.conversation import Conversation
from voice_server.domain.event import EndedCall, Envelope, FailedCall, Parties, PreCall
from voice_server.domain.tool import ToolDescription


class Reply(Protocol):
    def __call__(
        self,
        agent: Agent,
        *,
        prompt: str,
        memory: str,
        version: str,
        user_id: str,
        known: bool,
        conversations: int,
        name: str = "",
    ) -> bytes:
        """Write the answer. `name` is the caller's, empty when not known."""


class AnalysisSettings(Protocol):
    def __call__(self, items: Sequence[Item], *, llm: str = "", summary_language: str = "") -> dict[str, Any]:
        """Write the settings. An empty `llm` or `summary_language` is the platform's own."""


class Platform(Struct, frozen=True):
    """A useless value counts as missing; only what is no event at all raises ParseError."""

    #: As rows, routes and events name it.
    name: str
    #: The header in which a post-call event is signed.
    signature_header: bytes
    #: The user id told of a caller who hides.
    anonymous: str
    #: A pre-call's body; None when it is none.
    parse_pre_call: Callable[[bytes], PreCall | None]
    reply: Reply
    #: What an answer to a pre-call tells the agent.
    told: Callable[[Mapping[str, Any]], str]
    #: The outside of an event, whatever it is.
    read_envelope: Callable[[bytes], Envelope]
    #: An event, with numbers read as in a region; None for one of which nothing is made.
    parse_post_call: Callable[[bytes, str], EndedCall | FailedCall | None]
    #: Whose an event seems to be, with numbers read as in a region.
    parties: Callable[[bytes, str], Parties]
    #: An event without the secrets said in it: the same object when there are none.
    without_secrets: Callable[[bytes], bytes]
    #: A failed call as a conversation in which nothing was said.
    failed_conversation: Callable[[FailedCall], Conversation]
    #: Our tools as the platform wants them, for its URL of us and the id of its secret.
    tool_configurations: Callable[[Sequence[ToolDescription], str, str], list[dict[str, Any]]]
    analysis_settings: AnalysisSettings
