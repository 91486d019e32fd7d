"""Timekeeping: what a worker counted of its work goes to Postgres, where the web processes find it."""

from collections.abc import Callable, Mapping

from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.runtime.histogram import Bucket, Histogram
from voice_server.store import timings
from voice_server.store.timings import Key

_Counted = dict[Key, list[Bucket]]


class Timekeeping:
    """The timekeeping of one worker. `histograms` are all it has, by what they measure."""

    def __init__(self, engine: AsyncEngine, histograms: Callable[[], Mapping[Key, Histogram]]) -> None:
        self._engine = engine
        self._histograms = histograms
        self._told: _Counted = {}

    async def tell(self) -> None:
        """Add what was counted since the last time. What Postgres does not take is told the next time."""
        counted = {key: list(histogram) for key, histogram in self._histograms().items()}
        more = {
            key: _since(self._told.get(key), buckets)
            for key, buckets in counted.items()
            if buckets != self._told.get(key) and any(bucket.times for bucket in buckets)
        }
        if not more:
            return
        async with self._engine.begin() as connection:
            await timings.add(connection, more)
        self._told = counted


def _since(before: list[Bucket] | None, now: list[Bucket]) -> list[Bucket]:
    if before is None:
        return now
    return [
        Bucket(one.at_most, one.times - told.times, one.seconds - told.seconds)
        for told, one in zip(before, now, strict=True)
    ]
