"""How long, and how many, connections may keep the server waiting.

    not a whole request in time ─┐
    an answer nobody takes ──────┼→ cut off
    more connections than fit ───┘

One timer looks at all connections, so a request that comes at once pays for none. Each protocol knows whose
turn it is (`webhooks.uvicorn_protocol`).
"""

import asyncio
import heapq
import time
from collections.abc import Callable, Collection
from typing import Protocol

_STEADY = 32_768  # bytes a second, of a body that may take longer
_LOOKS = 4  # within one timeout
_LONGEST_PAUSE = 1.0  # seconds between two looks
_ROOM = 10  # of so many connections one goes, when there are too many
Standing = tuple[int, float]  # who goes first when there are too many: the least


class Connection(Protocol):
    def cut_if_overdue(self, now: float) -> None:
        """Cut it if its peer keeps us waiting for too long."""

    def standing(self) -> Standing | None:
        """Return its place, the least goes first; None while its peer waits for us."""

    def cut(self) -> None:
        """End it."""


class Connections:
    """The rules for all connections of a process. `timeout` is in seconds, as `clock` gives them."""

    def __init__(
        self, timeout: float = 10.0, limit: int = 800, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.timeout = timeout
        self.quota = int(timeout * _STEADY)  # bytes within one timeout, of a body that may take longer
        self.clock = clock
        self._limit = limit
        self._pause = min(_LONGEST_PAUSE, timeout / _LOOKS)
        self._looking = False

    def joined(self, there: Collection[Connection], loop: asyncio.AbstractEventLoop) -> None:
        if len(there) > self._limit:
            self._make_room(there)
        if not self._looking:
            self._looking = True
            loop.call_later(self._pause, self._look, there, loop)

    def _look(self, there: Collection[Connection], loop: asyncio.AbstractEventLoop) -> None:
        now = self.clock()
        for connection in tuple(there):
            connection.cut_if_overdue(now)
        self._looking = bool(there)
        if self._looking:
            loop.call_later(self._pause, self._look, there, loop)

    def _make_room(self, there: Collection[Connection]) -> None:
        """Free a tenth at once: finding out who goes costs a look at all connections."""
        standings = ((connection.standing(), connection) for connection in there)
        waiting = [(standing, connection) for standing, connection in standings if standing is not None]
        for _, connection in heapq.nsmallest(max(1, self._limit // _ROOM), waiting, key=_place):
            connection.cut()


def _place(candidate: tuple[Standing, Connection]) -> Standing:
    return candidate[0]
