"""A conversation in windows, to be embedded as one text each: context that single messages lack. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from voice_server.context.layout.budget import Count
from voice_server.domain.conversation import Message

_LEAST, _MOST = 400, 800  # tokens of a window
_OVERLAP = 100  # tokens, at most, that a window shares with the one before


class Window(Struct, frozen=True):
    first_position: int
    last_position: int
    text: str


class _SizedMessage(Struct, frozen=True):
    position: int
    text: str
    tokens: int


def windows(messages: Sequence[Message], count: Count) -> list[Window]:
    """Cut messages into windows of 400 to 800 tokens; neighbours share up to 100. A single message may be
    longer; a window is shorter beside such a message, or when it is all of a short conversation. What is said
    later changes only the last window."""
    sized = [_SizedMessage(one.position, _line(one), count(_line(one)) + 1) for one in messages]
    spans: list[tuple[int, int]] = []
    start = end = 0
    while end < len(sized):
        end = _end(sized, start)
        spans.append((start, end))
        start = _next(sized, start, end)
    return [_window(sized[start:end]) for start, end in _last_filled(sized, spans)]


def _line(message: Message) -> str:
    return f"{message.role}: {' '.join(message.content.split())}"


def _end(sized: Sequence[_SizedMessage], start: int) -> int:
    end, total = start, 0
    while end < len(sized) and (end == start or total + sized[end].tokens <= _MOST):
        total += sized[end].tokens
        end += 1
    return end


def _next(sized: Sequence[_SizedMessage], start: int, end: int) -> int:
    """Begin the next window some messages back, if the one after `end` has room beside them."""
    begin, shared = end, 0
    room = min(_OVERLAP, _MOST - sized[end].tokens) if end < len(sized) else 0
    while begin > start + 1 and shared + sized[begin - 1].tokens <= room:
        begin -= 1
        shared += sized[begin].tokens
    return begin


def _last_filled(sized: Sequence[_SizedMessage], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Begin the last window earlier when little is left for it."""
    if len(spans) > 1:
        start, end = spans[-1]
        total = sum(one.tokens for one in sized[start:end])
        while total < _LEAST and start > spans[-2][0] + 1 and total + sized[start - 1].tokens <= _MOST:
            start -= 1
            total += sized[start].tokens
        spans[-1] = (start, end)
    return spans


def _window(part: Sequence[_SizedMessage]) -> Window:
    return Window(part[0].position, part[-1].position, "\n".join(one.text for one in part))
