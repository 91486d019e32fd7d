"""ElevenLabs' JSON, read leniently: the platform moves. Unknown fields, event types and enum values pass,
missing ones get a default, and a wrong one must not fail the call."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

LATEST = 4_102_444_800  # the year 2100, unix seconds: what comes later is nonsense
_ID_LENGTH = 128  # no id of the platform is longer; what is, is junk
_DIGITS = re.compile(r"[0-9]{1,15}")
_LARGEST = 2**53


def text(value: Any) -> str:
    """Read a string; a number counts as written. Drop surrogates and NUL, which cannot be stored."""
    if isinstance(value, str):
        storable = value if value.isascii() else value.encode("utf-8", "ignore").decode()
        return storable.replace("\0", "").strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def identifier(value: Any) -> str:
    """Read an id, empty when it is too long to be one."""
    written = text(value)
    return written if len(written) <= _ID_LENGTH else ""


def whole(value: Any) -> int:
    """Read a whole number, also from a string of digits; anything else is 0."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return int(value)
    return 0


def moment(seconds: float) -> datetime:
    """Return unix seconds as UTC; nonsense is the beginning of time rather than an error."""
    try:
        return datetime.fromtimestamp(min(max(0.0, seconds), LATEST), UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def mappings(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
