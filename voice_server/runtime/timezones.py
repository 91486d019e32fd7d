"""IANA's time zones, as far as this machine knows them."""

import re
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# Files beside the zones that are none: each machine's own time, and two that say so.
_NO_ZONE = re.compile(r"(?:(?:posix|right)/)?(?:posixrules|localtime|Factory)")


def zone(name: str) -> ZoneInfo | None:
    """Return the time zone, or None for another name: a path, a folder, a word, the machine's own time."""
    if _NO_ZONE.fullmatch(name):
        return None
    try:
        return _loaded(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


# The library keeps eight; a number of North America asks for forty. What cannot be read is asked for again.
_loaded = lru_cache(maxsize=1024)(ZoneInfo)
