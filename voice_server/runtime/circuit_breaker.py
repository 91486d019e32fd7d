"""A circuit: what fails again and again is left alone for a while."""

from collections.abc import Callable


class CircuitBreaker:
    """Opens after so many failures in a row, for a pause in seconds; every failure after that opens it for
    twice as long, up to the longest. `clock` gives unix seconds."""

    def __init__(
        self, clock: Callable[[], float], *, failures: int = 5, pause: float = 60.0, longest: float = 3600.0
    ) -> None:
        self._clock = clock
        self._failures = failures
        self._pause = pause
        self._longest = longest
        self._in_a_row = 0
        self._rests_until = 0.0

    @property
    def is_open(self) -> bool:
        """Whether to leave it alone now."""
        return self._clock() < self._rests_until

    def worked(self) -> None:
        self._in_a_row = 0
        self._rests_until = 0.0

    def failed(self) -> None:
        """It failed once more. What was under way when it opened does not count: that is the same trouble."""
        if self.is_open:
            return
        self._in_a_row += 1
        above = self._in_a_row - self._failures
        if above >= 0:
            self._rests_until = self._clock() + min(self._longest, self._pause * 2.0 ** min(above, 30))
