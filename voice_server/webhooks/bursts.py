"""Who delivers much at once to this process."""


class Bursts:
    """Counts the deliveries of each source for `seconds` from its first, then begins anew. Memory is bounded
    by what comes within that time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[str, tuple[float, int]] = {}

    def counts(self, source: str, now: float) -> int:
        """Count a delivery, and return how many there are by now."""
        self._forget(now)
        since, count = self._since.get(source, (now, 0))
        self._since[source] = since, count + 1
        return count + 1

    def _forget(self, now: float) -> None:
        """Rely on the order of first deliveries: sources whose time is over come first."""
        while self._since:
            source = next(iter(self._since))
            if 0 <= now - self._since[source][0] < self._seconds:
                return
            del self._since[source]
