"""Where a reader is right that something was said, and wrong in how it words it, people's own words stay: the
quote that rests on the same messages. So nothing is lost, and nothing told that was not said."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TypeVar

from msgspec.structs import replace

from voice_server.domain.digest import OpenThread
from voice_server.domain.fact import Claim

_Quoted = TypeVar("_Quoted", OpenThread, Claim)


def in_own_words(
    quoted: Iterable[_Quoted], kept: Iterable[_Quoted], not_kept: Iterable[int]
) -> list[_Quoted]:
    """Return what is quoted of the messages on which rests what was `not_kept`, but of none of those on which
    rests what was."""
    wanted, told = frozenset(not_kept), frozenset(position for one in kept for position in one.positions)
    return [one for one in quoted if not wanted.isdisjoint(one.positions) and told.isdisjoint(one.positions)]


def with_days(kept: Iterable[OpenThread], quoted: Sequence[OpenThread]) -> list[OpenThread]:
    """Return the kept threads, one that names no day of its own with the day that the talk named: that of all
    threads quoted of the same messages."""
    return [one if one.due else replace(one, due=_day(one, quoted)) for one in kept]


def _day(kept: OpenThread, quoted: Sequence[OpenThread]) -> date | None:
    days = {one.due for one in quoted if not set(one.positions).isdisjoint(kept.positions)}
    return days.pop() if len(days) == 1 else None
