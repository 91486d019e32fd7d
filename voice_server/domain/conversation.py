"""A conversation with one user, and the messages it is made of."""

import re
from datetime import datetime
from typing import Literal

from msgspec import Struct

Channel = Literal["voice", "text", "continuous"]
Role = Literal["user", "agent", "tool_call", "tool_result"]
CONTINUOUS = "continuous"  # the chat that each user has with each agent, without an id of anybody's
_MESSAGE_ID = re.compile(r"([0-9]{1,18}):([0-9]{1,9})")  # as far as Postgres counts


class Message(Struct, frozen=True):
    """`position` orders the messages of a conversation and names one of them (0-based, no gaps). `said_at`
    is UTC. For a tool message `content` is its arguments or result and `tool_name` says whose."""

    position: int
    role: Role
    content: str
    said_at: datetime
    tool_name: str | None = None


class Turn(Message, frozen=True, kw_only=True):
    """A message of a chat, at the `place` in it (0-based, with gaps where something was erased). The
    conversation, by our id, is the sitting in which it has its `position`."""

    conversation_id: int
    place: int

    @property
    def id(self) -> str:
        return message_id(self.conversation_id, self.position)


class Conversation(Struct, frozen=True):
    """One ended call or chat, as its platform reported it. `id` is the platform's; `started_at` is UTC,
    `duration` in seconds. `summary`, `language` (BCP 47) and `caller_name` are "" where the platform does
    not say. `declined`: the user does not want it remembered."""

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
    """How a message is named outside: `12:3` is the fourth message of conversation 12 (ours, not the
    platform's)."""
    return f"{conversation_id}:{position}"


def parse_message_id(text: str) -> tuple[int, int] | None:
    """Conversation and position of a `message_id`; None when it is none."""
    named = _MESSAGE_ID.fullmatch(text)
    return (int(named[1]), int(named[2])) if named else None


def chat_named(named: str, user_id: str, agent_id: str) -> str:
    """The id of a chat as a user names it to an agent: that of their continuous one, or its own."""
    return continuous_id(user_id, agent_id) if named == CONTINUOUS else named


def continuous_id(user_id: str, agent_id: str) -> str:
    return f"{CONTINUOUS}:{user_id}:{agent_id}"
