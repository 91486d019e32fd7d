"""What a written-down call leaves open."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import OpenThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def opened(call: Call) -> Callable[..., tuple[OpenThread, ...]]:
    """The threads of a written-down call on Tuesday 17 November 2026."""
    return lambda text, language="en": thread_changes(call(text), language, BERLIN).opened
