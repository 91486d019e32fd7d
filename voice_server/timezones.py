"""Which names are time zones: IANA's, as far as this machine knows them."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def zone(name: str) -> ZoneInfo | None:
    """The time zone, or None for a name that is none: a path, a folder, a word."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
