"""Whether the process was told to stop: a stream without an end asks, and ends."""

from collections.abc import Callable


class Shutdown:
    def __init__(self) -> None:
        self._is_asked: Callable[[], bool] = lambda: False

    def told_by(self, is_asked: Callable[[], bool]) -> None:
        self._is_asked = is_asked

    @property
    def is_asked(self) -> bool:
        return self._is_asked()
