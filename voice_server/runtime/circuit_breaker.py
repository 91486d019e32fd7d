"""A circuit breaker: what fails again and again is left alone for a while."""

from collections.abc import Callable


class CircuitBreaker:
    """A circuit that opens for `pause` seconds after so many failures in a row, and for twice as long after
    each more, up to `longest`. `clock` gives unix seconds."""

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
        return self._clock() < self._rests_until

    def worked(self) -> None:
        self._in_a_row = 0
        self._rests_until = 0.0

    def failed(self) -> None:
        """Count a failure, unless the circuit is open: what was under way then met the same trouble."""
        if self.is_open:
            return
        self._in_a_row += 1
        above = self._in_a_row - self._failures
        if above >= 0:
            self._rests_until = self._clock() + min(self._longest, self._pause * 2.0 ** min(above, 30))
