"""Bounds how many answers a process makes at once."""

import contextlib
from collections.abc import Iterator


class Room:
    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0

    @property
    def is_there(self) -> bool:
        return self._taken < self._most

    def take(self) -> None:
        self._taken += 1

    def leave(self) -> None:
        self._taken -= 1

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        self.take()
        try:
            yield
        finally:
            self.leave()
