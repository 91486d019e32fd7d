"""The hours in which work that nobody waits for may take its time."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

_WRITTEN = re.compile(r"([01]?\d|2[0-3])-([01]?\d|2[0-4])")


class QuietHours(Struct, frozen=True):
    """From the hour `first` to the hour `last`, which may be the next morning's."""

    first: int
    last: int
    timezone: ZoneInfo

    def hold(self, now: datetime) -> bool:
        hour = now.astimezone(self.timezone).hour
        if self.first < self.last:
            return self.first <= hour < self.last
        return hour >= self.first or hour < self.last


def quiet_hours(written: str, timezone: str) -> QuietHours | None:
    """Read `22-6`; nothing of an empty text. Raise ValueError for anything else."""
    if not written:
        return None
    found = _WRITTEN.fullmatch(written.replace(" ", ""))
    if found is None or found[1] == found[2]:
        raise ValueError(f"{written!r} is not two hours of the day, as 22-6")
    return QuietHours(int(found[1]), int(found[2]), ZoneInfo(timezone))
