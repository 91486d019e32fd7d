"""What a tool says: sentences for when there is nothing to tell, and text made harmless and short."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TypeVar

from voice_server.context.layout.formatting import long_date
from voice_server.context.screening.hygiene import is_suspicious, neutralise
from voice_server.domain.conversation import Role
from voice_server.tools.tool import Answer

NOTHING_FOUND = "I find nothing about that in what we talked about before."
NOBODY = "I have no notes that belong to this conversation, so I cannot look that up."
NOBODY_YET = "I cannot note that by itself yet; what we say in this call is remembered after it."
LATE = "Looking that up takes too long just now; let us go on without it."
FAILED = "I cannot look that up just now; let us go on without it."
NOT_NOTED = "I cannot note that just now; I will keep it in mind for this conversation."
ENOUGH = "I have looked up enough in this conversation; I go on with what I know."
NOTED_ENOUGH = "I have noted enough in this conversation; what matters is in my notes."
MISUNDERSTOOD = "I asked my notes the wrong way; a moment, please."

_LEFT_OUT = "(left out)"
_BEYOND = 500  # characters after a cut that are looked at, too: what begins before it may end there
_SPEAKER = {"user": "Caller", "agent": "You"}
_T = TypeVar("_T")


def day_label(day: date) -> str:
    """Write a day as people say it: `Tuesday 17 November 2026`."""
    return long_date(day)


def told(text: str, longest: int | None = None) -> str:
    """Put a text on one line that cannot act as an instruction, cut at a word when longer than `longest`.
    Only that much is looked at: half a millisecond per 1,000 characters."""
    beginning = text if longest is None else text[: longest + _BEYOND]
    if is_suspicious(beginning):
        return _LEFT_OUT
    plain = neutralise(beginning)
    if longest is None:
        return plain
    return shortened(plain if beginning == text else f"{plain}…", longest)


def said_by(role: Role | None, text: str) -> str:
    speaker = _SPEAKER.get(role or "")
    return f"{speaker}: {text}" if speaker else text


def shortened(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    head = text[: max(longest - 1, 0)]
    word = head.rpartition(" ")[0]
    return f"{word if len(word) > longest // 2 else head}…"


def results_that_fit(results: Sequence[Answer], fits: Callable[[Answer], bool]) -> Answer:
    return first_that_fit(results, lambda some: {"results": some}, fits)


def first_that_fit(
    items: Sequence[_T], shape: Callable[[Sequence[_T]], Answer], fits: Callable[[Answer], bool]
) -> Answer:
    """Tell as many of the first items as fit: fewer rather than broken ones."""
    low, high = 0, len(items)
    if fits(shape(items)):
        return shape(items)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(shape(items[:middle])):
            low = middle
        else:
            high = middle - 1
    return shape(items[:low])
