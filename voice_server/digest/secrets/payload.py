"""Secrets in data of tools and platforms. A name (`cvv`) announces what stands under it, as a word does in
talk."""

import functools
import json
import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

from voice_server.digest.secrets.announcements.announcement import STAYS, Announced
from voice_server.digest.secrets.findings import KnownSecret
from voice_server.digest.secrets.redaction import announced_by, redacted

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
# Names of what must not change, whatever digits it has: who is on the line, what is meant, when.
_LEFT = re.compile(
    r"(?i)^system__|(?:^|_)(?:id|ids|uuid|guid|sid|url|uri|e164|timestamp|unix|ts|ms|secs|latency|version|hash)$|_at$"
    r"|(?:^|_)(?:phone|mobile|caller|called|callee|tel|msisdn|whatsapp|sms)(?:_|$)"
)
_NAMELESS = frozenset({"value", "new_value", "old_value", "text", "content", "result", "answer", "input"})
_NAMES_KEPT = 2000  # a platform has a few hundred
_NAMES = ("name", "variable_name", "data_collection_id", "field", "key", "label")
# How what stands under a name would be said.
_LEAD: Mapping[Announced, str] = {
    "card number": "The card number is: ",
    "card code": "The CVV is: ",
    "PIN": "The PIN is: ",
    "IBAN": "The IBAN is: ",
    "password": "The password is: ",
    "code": "The verification code is: ",
}
_DEEPEST = 100  # levels of data within data; what is deeper is dropped: nobody reads it


def hidden(value: Any, known: Sequence[KnownSecret] = (), name: str = "", depth: int = 0) -> Any:
    """Mask secrets in JSON data. `known` are those of its conversation, `name` is the key above. Data without
    secrets is the same object."""
    if isinstance(value, bool) or _is_left(name):
        return value
    if isinstance(value, dict | list):
        return _inside(value, known, name, depth + 1) if depth < _DEEPEST else None
    if isinstance(value, str):
        return payload(value, known, name, depth)
    return _number(value, known, name) if isinstance(value, int | float) else value


def _inside(value: dict[str, Any] | list[Any], known: Sequence[KnownSecret], name: str, depth: int) -> Any:
    after: Any
    if isinstance(value, dict):
        after = {key: hidden(one, known, _named(value, str(key), name), depth) for key, one in value.items()}
        return value if all(one is value[key] for key, one in after.items()) else after
    after = [hidden(one, known, name, depth) for one in value]
    return value if all(map(operator.is_, value, after)) else after


def _named(there: Mapping[str, Any], key: str, name: str) -> str:
    """“value” says nothing; what is beside or above may."""
    if key not in _NAMELESS:
        return key
    beside = (there.get(field) for field in _NAMES)
    return next((one for one in beside if isinstance(one, str)), name)


def payload(text: str, known: Sequence[KnownSecret] = (), name: str = "", depth: int = 0) -> str:
    """Mask secrets in a tool's arguments or answer: JSON, or text."""
    inner = _decoded(text)
    if inner is None:
        return _text(text, known, name)
    without = hidden(inner, known, name, depth + 1)
    return text if without is inner else json.dumps(without, ensure_ascii=False)


def _decoded(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _text(text: str, known: Sequence[KnownSecret], name: str) -> str:
    """Read the name first, as words that announce the text."""
    kind = _announced(name) if name else None
    if kind is None or kind == STAYS:
        return redacted(text, known, stays=kind == STAYS)
    return redacted(f"{_LEAD[kind]}{text}", known).removeprefix(_LEAD[kind])


def _number(value: float, known: Sequence[KnownSecret], name: str) -> Any:
    written = str(value)
    without = _text(written, known, name)
    return value if without == written else without


@functools.lru_cache(maxsize=_NAMES_KEPT)
def _announced(name: str) -> Announced | None:
    return announced_by(" ".join(_WORDS.findall(name)))


@functools.lru_cache(maxsize=_NAMES_KEPT)
def _is_left(name: str) -> bool:
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").replace(" ", "_")
    return _LEFT.search(snake) is not None
