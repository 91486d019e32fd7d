"""Whether the process was told to stop: who streams without an end asks, and ends."""

from collections.abc import Callable


class Shutdown:
    """Nobody has told it until somebody says who knows."""

    def __init__(self) -> None:
        self._is_asked: Callable[[], bool] = lambda: False

    def told_by(self, is_asked: Callable[[], bool]) -> None:
        self._is_asked = is_asked

    @property
    def is_asked(self) -> bool:
        return self._is_asked()
