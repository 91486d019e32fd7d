"""A conversation as a model reads it: numbered lines on the user's local days, without tools, what the user
wants kept private, and `echoes` of the prompt."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, tzinfo

from msgspec import Struct
from msgspec.structs import replace

from voice_server.context.layout.budget import Count
from voice_server.context.screening.hygiene import is_suspicious, neutralise
from voice_server.digest.dates.date_context import contexts_at
from voice_server.digest.dates.dates import DateContext, with_dates
from voice_server.digest.language.sentences import spoken
from voice_server.digest.rules.echoes import without_echoes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Speaker

_NAMES: dict[Speaker, str] = {"user": "caller", "agent": "agent"}
_TAGS = str.maketrans("<>", "‹›")
_OVERLAP_LINES, _OVERLAP_SHARE = 6, 4  # lines of a window that the next one has too; at most a quarter of it

Window = tuple["Line", ...]


class Line(Struct, frozen=True):
    """One turn. `said_at` is in the user's time zone; `text` has an absolute date behind every relative one;
    `suspicious`: the message as it was reads like an instruction."""

    position: int
    said_by: Speaker
    said_at: datetime
    text: str
    suspicious: bool = False

    @property
    def said_on(self) -> date:
        return self.said_at.date()

    @property
    def written(self) -> str:
        return f"[{self.position}] {self.said_at:%H:%M} {_NAMES[self.said_by]}: {self.text}"


def lines(messages: Sequence[Message], timezone: tzinfo, *, language: str, served: str = "") -> Window:
    """Read the turns of a conversation; `served` is the prompt the agent had."""
    said = without_echoes(spoken(messages), served)
    contexts = contexts_at(said, timezone, language)
    return tuple(_line(one, timezone, language, contexts[one.position]) for one in said)


def untagged(text: str) -> str:
    """Write other people's text on one line: nothing in it opens or closes the transcript."""
    return neutralise(text).translate(_TAGS)


def written(window: Window) -> str:
    """Write the lines under the days on which they were said."""
    told: list[str] = []
    day = None
    for line in window:
        if line.said_on != day:
            day = line.said_on
            told.append(f"{day:%A} {day.isoformat()}")
        told.append(line.written)
    return "\n".join(told)


def leaving_out(window: Window, positions: Collection[int]) -> Window:
    """Leave out messages, as those that are private."""
    return tuple(line for line in window if line.position not in positions)


def windows(said: Window, count: Count, *, tokens: int, most: int) -> list[Window]:
    """Cut into windows of at most so many tokens, each beginning with the last lines of the one before; of
    more than `most` keep the latest. A line longer than a window is cut."""
    sized = [_cut(line, count, tokens) for line in said]
    found: list[Window] = []
    start = end = 0
    while end < len(sized):
        end = _end(sized, start, tokens)
        found.append(tuple(line for line, _ in sized[start:end]))
        start = _overlap(sized, start, end, tokens)
    return found[-most:]


def _line(message: Message, timezone: tzinfo, language: str, before: DateContext) -> Line:
    local = message.said_at.astimezone(timezone)
    text = untagged(message.content)
    said_by: Speaker = "user" if message.role == "user" else "agent"
    dated = with_dates(text, local.date(), language, before)
    return Line(message.position, said_by, local, dated, is_suspicious(message.content))


def _cut(line: Line, count: Count, tokens: int) -> tuple[Line, int]:
    size = count(line.written) + 1
    while size > tokens and len(line.text) > 1:
        line = replace(line, text=line.text[: len(line.text) * tokens // (size + 1)].rstrip() + "…")
        size = count(line.written) + 1
    return line, size


def _end(sized: Sequence[tuple[Line, int]], start: int, tokens: int) -> int:
    end, total = start, 0
    while end < len(sized) and (end == start or total + sized[end][1] <= tokens):
        total += sized[end][1]
        end += 1
    return end


def _overlap(sized: Sequence[tuple[Line, int]], start: int, end: int, tokens: int) -> int:
    """Leave room for the line after `end`."""
    begin, total = end, sized[end][1] if end < len(sized) else 0
    room = min(tokens, total + tokens // _OVERLAP_SHARE)
    while begin > max(start + 1, end - _OVERLAP_LINES) and total + sized[begin - 1][1] <= room:
        begin -= 1
        total += sized[begin][1]
    return begin
