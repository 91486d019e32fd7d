"""A conversation with one user, and the messages it is made of."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

Channel = Literal["voice", "text", "continuous"]
Role = Literal["user", "agent", "tool_call", "tool_result"]


class Message(Struct, frozen=True):
    """One utterance, tool call or tool result.

    `position` orders the messages of a conversation and names one of them (0-based, no gaps).
    `said_at` is UTC. For a tool message `content` is its arguments or result and `tool_name` says whose.
    """

    position: int
    role: Role
    content: str
    said_at: datetime
    tool_name: str | None = None


class Conversation(Struct, frozen=True):
    """One ended call or chat, as its platform reported it.

    `id` is the platform's own, unique per platform. `started_at` is UTC, `duration` in seconds.
    `summary` and `language` (BCP 47 or "") are what the platform understood, when it says. `declined`: the
    user does not want it remembered.
    """

    id: str
    platform: str
    agent_id: str
    channel: Channel
    started_at: datetime
    duration: int
    messages: tuple[Message, ...] = ()
    summary: str = ""
    language: str = ""
    prompt_version: str = ""
    voicemail: bool = False
    declined: bool = False
    collected: dict[str, str | int | float | bool] = {}
