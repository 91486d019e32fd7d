"""Small calls for the tests, written as people read them: "u:" is the caller, "a:" the agent, "t:" a tool."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from voice_server.digest.extractive import digest
from voice_server.domain.conversation import Message, Role
from voice_server.domain.digest import Digest, OpenThread

TUESDAY_MORNING = datetime(2026, 11, 17, 9, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
_ROLES: dict[str, Role] = {"u": "user", "a": "agent", "t": "tool_result"}


def call(text: str, at: datetime = TUESDAY_MORNING) -> list[Message]:
    lines = [line.strip().partition(": ") for line in text.strip().splitlines()]
    return [
        Message(i, _ROLES[who], content, at + timedelta(seconds=5 * i)) for i, (who, _, content) in enumerate(lines)
    ]


def understood(text: str, at: datetime = TUESDAY_MORNING) -> Digest:
    return digest(call(text, at), user="The caller", agent="you", timezone=BERLIN, language="en")


def threads(text: str, at: datetime = TUESDAY_MORNING) -> tuple[OpenThread, ...]:
    return understood(text, at).open_threads
