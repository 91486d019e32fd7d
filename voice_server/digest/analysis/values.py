"""The values of data-collection items, one thing a line, however a model wrote its list. Pure.

The caller lives in Hamburg | I live in Hamburg now | home
"""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from voice_server.digest.analysis import wording

Value = str | int | float | bool

_LONGEST = 8_000  # characters that are read of a value
_MOST_LINES = 40
_LONGEST_LINE = 600
_BULLET = re.compile(r"^(?:[-*•–—]|\d{1,2}[.)])\s+")
_BREAK = re.compile(r"[\r\n\u2028]+|\\n")


class Line(Struct, frozen=True):
    """One thing reported, the words it rests on, and what stands behind."""

    text: str
    quoted: str = ""
    more: str = ""


def lines(value: Value | None) -> list[Line]:
    """Return the lines of our item; none of a value that is missing, no text, or says that there is
    nothing."""
    return [_line(text) for text in rows(value)] if isinstance(value, str) else []


def rows(value: str) -> list[str]:
    """Return each line of a value, `text | words | more`, once."""
    return _apart(value, _whole)


def entries(value: str) -> list[str]:
    """Return each text that an operator's value lists, by lines or as JSON in the string, once."""
    return _apart(value, _first)


def label(item: str) -> str:
    """Write `party_size` as “party size”."""
    return item.removesuffix("_json").replace("_", " ")


def spoken(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "; ".join(_json(value, _first)) if isinstance(value, str) and _is_json(value) else str(value)


def _apart(value: str, entry: "_Entry") -> list[str]:
    found = _json(value, entry) if _is_json(value.lstrip()) else _BREAK.split(value[:_LONGEST])
    texts = (_BULLET.sub("", text.strip())[:_LONGEST_LINE] for text in found)
    return list(dict.fromkeys(text for text in texts if not wording.says_nothing(text)))[:_MOST_LINES]


def _line(text: str) -> Line:
    parts = [part.strip() for part in text.strip("|").split("|")]
    text, quoted, more = [*parts, "", ""][:3]
    return Line(text, quoted, "" if wording.says_nothing(more) else more)


_Entry = Callable[[dict[str, Any]], str]


def _is_json(value: str) -> bool:
    return value[:1] in ("[", "{")


def _json(text: str, entry: _Entry) -> list[str]:
    """Models write lists as JSON, since a platform's values are no lists."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return [text]
    listed = value if isinstance(value, list) else [value]
    return [entry(one) if isinstance(one, dict) else str(one) for one in listed]


def _whole(entry: dict[str, Any]) -> str:
    return " | ".join(map(str, entry.values()))


def _first(entry: dict[str, Any]) -> str:
    return str(next(iter(entry.values()), ""))
