"""From noisy slices to figures that hold: interleaved rounds, ratios inside each, medians with an interval.

A neighbour's burst of work hits every server of a round alike and cancels out in the ratio; it never hits
the same server in every round, because the order is drawn anew each time.
"""

import random
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import TypeVar

from msgspec import Struct

_Slice = TypeVar("_Slice")
_RESAMPLES = 2000
_WARM_UP = 5


class Figure(Struct, frozen=True):
    """A median with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


def interleaved(
    names: Sequence[str], measure: Callable[[str], _Slice], rounds: int
) -> list[dict[str, _Slice]]:
    """One slice of everything per round, in random order."""
    return [{name: measure(name) for name in random.sample(names, len(names))} for _ in range(rounds)]


def figure(samples: Iterable[float]) -> Figure:
    """The median of the samples, and how far it may be off."""
    found = list(samples)
    again = sorted(median(random.choices(found, k=len(found))) for _ in range(_RESAMPLES))  # noqa: S311 (no secret)
    return Figure(median(found), again[round(0.025 * _RESAMPLES)], again[round(0.975 * _RESAMPLES) - 1])


def ratio(
    rounds: Iterable[Mapping[str, _Slice]], of: str, to: str, number: Callable[[_Slice], float]
) -> Figure:
    """How many times `to`'s number `of`'s is, by round."""
    return figure(number(one[of]) / number(one[to]) for one in rounds)


async def milliseconds(work: Callable[[], Awaitable[None]], rounds: int) -> list[float]:
    """What each time took; the first few warm up."""
    spent = []
    for _ in range(rounds + _WARM_UP):
        started = time.perf_counter()
        await work()
        spent.append(1000 * (time.perf_counter() - started))
    return spent[_WARM_UP:]


def title(name: str, about: str) -> None:
    print(f"\n{name}: {about}", flush=True)


def row(what: str, found: Figure | float, unit: str = "", *, least: float = 0, most: float = 0) -> None:
    """One figure, with its goal beside it when it has one."""
    value, spread = (found.value, _spread(found)) if isinstance(found, Figure) else (found, "")
    goal = f"goal >= {least:g}" if least else f"goal <= {most:g}" if most else ""
    met = "" if not goal else "met" if (value >= least if least else value <= most) else "MISSED"
    print(f"  {what:<52}{_digits(value):>10} {unit:<6}{spread:<18}{goal:<14}{met}".rstrip(), flush=True)


def _spread(found: Figure) -> str:
    return f"[{_digits(found.low)}, {_digits(found.high)}]"


def _digits(value: float) -> str:
    """Three or four digits that mean something."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
