"""What each item that a platform collects is for: our own, the operator's by `[collected]`, all others."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct

from voice_server.digest.analysis import wording

Purpose = Literal[
    "name",
    "facts",
    "threads",
    "closed",
    "private",
    "language",
    "mood",
    "fact",
    "thread",
    "metadata",
    "note",
    "ignore",
]

#: Our own items, by id.
OURS: Mapping[str, Purpose] = {
    "caller_name": "name",
    "memory_facts": "facts",
    "memory_open_threads": "threads",
    "memory_closed": "closed",
    "memory_private": "private",
    "caller_language": "language",
    "caller_mood": "mood",
}
PRIVATE, CLOSED = "memory_private", "memory_closed"
_WRITTEN = re.compile(r"(name|fact|thread|metadata|note|ignore)(?:\s*:\s*(\S(?:.*\S)?))?")
_DETAIL = {"name": 0, "fact": 60, "thread": 20, "metadata": 60, "note": 0, "ignore": 0}  # characters at most
_REQUIRED = ("thread", "metadata")


class Use(Struct, frozen=True):
    """`of` is a fact's topic ("": none), a thread's kind, or a key of the metadata."""

    purpose: Purpose
    of: str = ""


def use(item: str, mapped: Mapping[str, str]) -> Use:
    """Return what an item is for. `mapped` is the agent's `[collected]`, checked when it was loaded."""
    if item in mapped:
        return parse(mapped[item])
    if item in OURS:
        return Use(OURS[item])
    return Use("name" if wording.is_name(item) else "note")


@lru_cache(maxsize=2000)  # what is written in the agents' files: every prompt asks
def parse(written: str) -> Use:
    """Read an entry of `[collected]`: name, fact, fact:<topic>, thread:<kind>, metadata:<key>, note or
    ignore. Raise ValueError that says what is wrong."""
    match = _WRITTEN.fullmatch(written.strip())
    if match is None:
        raise ValueError(
            f"{written!r} is none of name, fact, fact:<topic>, thread:<kind>, metadata:<key>, note, ignore"
        )
    purpose, of = match[1], match[2] or ""
    if bool(of) > bool(_DETAIL[purpose]) or len(of) > _DETAIL[purpose]:
        raise ValueError(f"{written!r}: {purpose} takes {_taken(purpose)} behind it")
    if purpose in _REQUIRED and not of:
        raise ValueError(f"{written!r} lacks its {'kind' if purpose == 'thread' else 'key'}: {purpose}:…")
    if purpose == "thread" and of not in wording.KINDS:
        raise ValueError(f"{written!r}: a thread is one of {', '.join(wording.KINDS)}")
    return Use(_purpose(purpose), of)


def problem(mapped: Mapping[str, str]) -> str:
    """Tell what is wrong with `[collected]`, or return ""."""
    for item, written in mapped.items():
        if item == PRIVATE:
            return f"[collected] {item}: what callers want forgotten is always withheld"
        try:
            parse(written)
        except ValueError as error:
            return f"[collected] {item}: {error}"
    return ""


def is_noted(item: str, mapped: Mapping[str, str]) -> bool:
    """Tell whether it is told with the last conversation, as the platform noted it."""
    return use(item, mapped).purpose == "note"


def _taken(purpose: str) -> str:
    most = _DETAIL[purpose]
    return f"at most {most} characters" if most else "nothing"


def _purpose(name: str) -> Purpose:
    known: tuple[Purpose, ...] = get_args(Purpose)
    return next(one for one in known if one == name)
