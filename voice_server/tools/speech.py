"""What a tool says: sentences the agent can say when there is nothing to tell, and text made harmless and
short."""

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
    """A day as one says it: `Tuesday 17 November 2026`."""
    return long_date(day)


def told(text: str, longest: int | None = None) -> str:
    """Something said, on one line, unable to act as an instruction; cut at a word when longer than `longest`.
    Of a long text no more than that is looked at: half a millisecond per 1,000 characters."""
    beginning = text if longest is None else text[: longest + _BEYOND]
    if is_suspicious(beginning):
        return _LEFT_OUT
    plain = neutralise(beginning)
    if longest is None:
        return plain
    return shortened(plain if beginning == text else f"{plain}…", longest)


def said_by(role: Role | None, text: str) -> str:
    """Something said, with who said it, as the agent reads it: `Caller: …`, `You: …`."""
    speaker = _SPEAKER.get(role or "")
    return f"{speaker}: {text}" if speaker else text


def shortened(text: str, longest: int) -> str:
    """The beginning of a text, at most `longest` characters with the mark that says so."""
    if len(text) <= longest:
        return text
    head = text[: max(longest - 1, 0)]
    word = head.rpartition(" ")[0]
    return f"{word if len(word) > longest // 2 else head}…"


def first_that_fit(
    items: Sequence[_T], shape: Callable[[Sequence[_T]], Answer], fits: Callable[[Answer], bool]
) -> Answer:
    """The answer with as many of the items, from the first on, as fit: fewer rather than broken ones."""
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
