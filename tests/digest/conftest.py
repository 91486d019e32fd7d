"""Small calls, written as people read them: "u:" is the caller, "a:" the agent, "t:" a tool's result."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.extractive import digest
from voice_server.domain.conversation import Message, Role
from voice_server.domain.digest import Digest

TUESDAY_MORNING = datetime(2026, 11, 17, 9, tzinfo=UTC)
_ROLES: dict[str, Role] = {"u": "user", "a": "agent", "t": "tool_result"}


@pytest.fixture
def call() -> Callable[[str], list[Message]]:
    """The messages of a written-down call on Tuesday 17 November 2026."""
    return _call


@pytest.fixture
def understood() -> Callable[[str], Digest]:
    """The digest of such a call, in English, for a caller in Berlin."""
    return lambda text: digest(_call(text), timezone=ZoneInfo("Europe/Berlin"), language="en")


def _call(text: str) -> list[Message]:
    lines = [line.strip().partition(": ") for line in text.strip().splitlines()]
    return [
        Message(i, _ROLES[who], content, TUESDAY_MORNING + timedelta(seconds=5 * i))
        for i, (who, _, content) in enumerate(lines)
    ]
