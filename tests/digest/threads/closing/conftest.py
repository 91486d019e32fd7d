"""What a later call, on Tuesday 17 November 2026, closes of known threads."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, Speaker, ThreadKind

Closed = Callable[..., tuple[int, ...]]


@pytest.fixture
def closed(call: Callable[[str], list[Message]]) -> Closed:
    """The ids of those of the known threads that a written-down call closes."""
    berlin = ZoneInfo("Europe/Berlin")
    return lambda text, *known, language="en", is_call=True: (
        thread_changes(call(text), language, berlin, open_before=known, is_call=is_call).closes
    )


@pytest.fixture
def is_over(closed: Closed) -> Callable[..., bool]:
    """Whether the call closes the one thread, by default a promise of the user's, in those words."""

    def is_closed(
        language: str, thread: str, lines: str, kind: ThreadKind = "promise", said_by: Speaker = "user"
    ) -> bool:
        known = EarlierThread(1, kind, said_by, f'"{thread}"', around=thread)
        return closed(lines, known, language=language) == (1,)

    return is_closed
