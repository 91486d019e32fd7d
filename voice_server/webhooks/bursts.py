"""Bursts: who delivers much at once, as one process sees it."""


class Bursts:
    """Counts what each source delivers within some seconds of its first; then it begins anew. Memory is
    bounded by what comes within that time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[str, tuple[float, int]] = {}

    def counts(self, source: str, now: float) -> int:
        """Count one delivery of a source at this moment (seconds); how many there are by now."""
        self._forget(now)
        since, count = self._since.get(source, (now, 0))
        self._since[source] = since, count + 1
        return count + 1

    def _forget(self, now: float) -> None:
        """Sources are in the order of their first delivery: those whose time is over come first."""
        while self._since:
            source = next(iter(self._since))
            if 0 <= now - self._since[source][0] < self._seconds:
                return
            del self._since[source]
