"""The values of data-collection items, taken apart: one thing a line, however a model wrote its list. Pure.

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
    """One thing reported: what it says, the words of a message that it rests on, and what stands behind
    them."""

    text: str
    quoted: str = ""
    more: str = ""


def lines(value: Value | None) -> list[Line]:
    """The lines of an item of ours; none of a value that is missing, no text, or says that there is
    nothing."""
    return [_line(text) for text in rows(value)] if isinstance(value, str) else []


def rows(value: str) -> list[str]:
    """The lines of a value as they are written, `text | words | more`, each once."""
    return _apart(value, _whole)


def entries(value: str) -> list[str]:
    """The texts that an operator's value lists: its lines, or the entries of JSON inside the string; each
    once."""
    return _apart(value, _first)


def label(item: str) -> str:
    """An item's id as one would say it: `party_size` is "party size"."""
    return item.removesuffix("_json").replace("_", " ")


def spoken(value: Value) -> str:
    """A value as one would say it."""
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
    """What a list lists that a model wrote as JSON (a platform's values are no lists); else the text."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return [text]
    listed = value if isinstance(value, list) else [value]
    return [entry(one) if isinstance(one, dict) else str(one) for one in listed]


def _whole(entry: dict[str, Any]) -> str:
    """`{"fact": "only mornings", "words": "no evenings"}` says `only mornings | no evenings`."""
    return " | ".join(map(str, entry.values()))


def _first(entry: dict[str, Any]) -> str:
    """`{"fact": "only mornings", "kind": "preference"}` says `only mornings`."""
    return str(next(iter(entry.values()), ""))
