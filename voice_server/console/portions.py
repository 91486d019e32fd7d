"""Long lists in portions, so that no page is larger than 60 KB: as many items as there is room for."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from markupsafe import escape
from msgspec import Struct

T = TypeVar("T")

ROOM = 38_000  # bytes of what a page lists, beside its frame
MOST = 50  # items of a portion
_LONGEST = 4000  # characters of one text


class Portion(Struct, Generic[T], frozen=True):
    """Part of a list. `before` and `behind` are the places at which its neighbours begin."""

    items: Sequence[T]
    start: int
    before: int | None
    behind: int | None
    of_all: int


def place(named: str | None) -> int:
    """Read the place of an item out of an address: 0 where it names none."""
    return int(named) if named and re.fullmatch(r"[0-9]{1,9}", named) else 0


def weight(*texts: str) -> int:
    """Count the bytes of texts as a page has them."""
    return sum(len(escape(text).encode()) for text in texts)


def is_long(text: str) -> bool:
    return len(text) > _LONGEST


def shortened(text: str) -> str:
    return f"{text[:_LONGEST]}…" if is_long(text) else text


def fitting(sizes: Iterable[int], room: int = ROOM) -> int:
    """Count the first items that fit, of which the first always does."""
    number = 0
    for size in sizes:
        room -= size
        if room < 0 and number:
            break
        number += 1
    return number


def portion(
    items: Sequence[T], size: Callable[[T], int], at: int, *, room: int = ROOM, most: int = MOST
) -> Portion[T]:
    """Return the portion that has the item at this place. They are cut from the first item on, so that what
    comes later moves none of them."""
    before, start = None, 0
    while True:
        end = start + fitting(map(size, items[start : start + most]), room)
        if at < end or end >= len(items):
            break
        before, start = start, end
    behind = end if end < len(items) else None
    return Portion(items[start:end], start, before, behind, len(items))
