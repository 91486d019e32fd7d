"""A conversation with one user, and its messages."""

import re
from datetime import datetime
from typing import Literal

from msgspec import Struct

Channel = Literal["voice", "text", "continuous"]
Role = Literal["user", "agent", "tool_call", "tool_result"]
CONTINUOUS = "continuous"  # the chat that each user has with each agent, without an id of anybody's
_MESSAGE_ID = re.compile(r"([0-9]{1,18}):([0-9]{1,9})")  # as far as Postgres counts


class ChatMessage(Struct, frozen=True):
    """A message as it is told. `said_at` (UTC) is None for now."""

    role: Role
    content: str
    said_at: datetime | None = None
    tool_name: str | None = None


class Message(Struct, frozen=True):
    """A message at a `position` of its conversation (0-based, no gaps). `said_at` is UTC. The `content` of a
    tool message is its arguments or result."""

    position: int
    role: Role
    content: str
    said_at: datetime
    tool_name: str | None = None


class Turn(Message, frozen=True, kw_only=True):
    """A message of a chat, at a `place` in it (0-based, with gaps where something was erased). Its `position`
    is in the sitting `conversation_id` (ours)."""

    conversation_id: int
    place: int

    @property
    def id(self) -> str:
        return message_id(self.conversation_id, self.position)


class Conversation(Struct, frozen=True):
    """One ended call or chat, as its platform reported it. `id` is the platform's, `started_at` UTC,
    `duration` in seconds, `language` BCP 47; "" means that the platform does not say. `declined`: the user
    does not want it remembered."""

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
    caller_name: str = ""


def message_id(conversation_id: int, position: int) -> str:
    """Name a message for the outside: `12:3` is the fourth of conversation 12 (ours, not the platform's)."""
    return f"{conversation_id}:{position}"


def parse_message_id(text: str) -> tuple[int, int] | None:
    named = _MESSAGE_ID.fullmatch(text)
    return (int(named[1]), int(named[2])) if named else None


def chat_named(named: str, user_id: str, agent_id: str) -> str:
    return continuous_id(user_id, agent_id) if named == CONTINUOUS else named


def continuous_id(user_id: str, agent_id: str) -> str:
    return f"{CONTINUOUS}:{user_id}:{agent_id}"
