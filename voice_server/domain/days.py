"""Days: how a timeline is cut into them, and the summary of one.

A session is talk without a pause. It belongs to the day on which it began, on the user's calendar at that
time:

    23:40 ── 00:10 ── 00:50 │ pause │ 08:30 ── 09:00        Tuesday's segment │ Wednesday's
      all of it is Tuesday's        Wednesday's begins

A session that goes on until noon belongs to the new day from then on: no day lasts for ever, and to know
whose a message is, one has to look back a few days at most. Sessions that began on one day are one segment.
Days never go backwards: who flies west over the date line stays in the day they were in until the next one
begins.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Literal

from msgspec import Struct

PAUSE_HOURS = 3.0
# Further back than a session before noon, and than time zones are apart: nothing older decides about a
# message.
LOOK_BACK = timedelta(days=4)

Trigger = Literal["conversation", "messages", "tokens", "silence", "night", "edit"]
DaySource = Literal["extractive", "model", ""]

_NOON = 12
_DAY = timedelta(days=1)
_NEW_MESSAGES = 10
_TOKEN_PRESSURE = 0.8  # of what a message history may have
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class TalkSpan(Struct, frozen=True):
    """Something said, and when (UTC): a message, which begins and ends at once, or a whole conversation.
    `zone` is the user's at that time."""

    begins: datetime
    ends: datetime
    zone: tzinfo


class DaySummary(Struct, frozen=True):
    """What a day was about, in sections: sentences or items."""

    summary: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()

    @property
    def markdown(self) -> str:
        """The sections under their headings, in this order; one with nothing to say leaves no trace. A
        summary in one piece is a paragraph, everything else a list."""
        parts = [_section(title, getattr(self, name)) for name, title in TITLES.items()]
        return "\n\n".join(part for part in parts if part)


TITLES: Mapping[str, str] = {
    "summary": "Summary",
    "goals": "Goals",
    "decisions": "Decisions",
    "open_loops": "Open loops",
    "next_steps": "Next steps",
}


def days_of(talk: Sequence[TalkSpan], pause: timedelta) -> list[date]:
    """The day of each, in the order given. It depends on what was said and when, and on nothing else."""
    found = [date.min] * len(talk)
    began = day = date.min
    ended = _LONG_AGO
    for index in sorted(range(len(talk)), key=lambda index: _place(talk[index])):
        one = talk[index]
        local = one.begins.astimezone(one.zone)
        began = began if _goes_on(began, one.begins - ended, local, pause) else local.date()
        day, ended = max(day, began), max(ended, one.ends)
        found[index] = day
    return found


def runs_until(day: date, ended: datetime, zone: tzinfo, pause: timedelta) -> datetime | None:
    """When the day's last session is over (UTC), if it ran past midnight: until then that day is still today.
    None for a session that did not. `ended` is when it was last heard of."""
    local = ended.astimezone(zone)
    if local.date() <= day:
        return None
    noon = datetime(local.year, local.month, local.day, _NOON, tzinfo=zone).astimezone(UTC)
    return min(ended + pause, noon) if local.hour < _NOON else None


def is_over(day: date, ended: datetime, zone: tzinfo, pause: timedelta, *, now: datetime) -> bool:
    """Whether nothing said from now on belongs to this day, which was last heard of when it `ended`."""
    return now.astimezone(zone).date() > day and now - ended >= pause


def due(new_messages: int, tokens: int, room: int) -> Trigger | None:
    """Whether the day of a conversation that goes on is to be summed up now: after so many messages that
    its summary does not know, or when these fill most of the `room`, in tokens, that a message history
    has."""
    if new_messages >= _NEW_MESSAGES:
        return "messages"
    return "tokens" if new_messages and tokens >= room * _TOKEN_PRESSURE else None


def summary_section(markdown: str) -> str:
    """What a day's Markdown says under `## Summary`, as prose."""
    _, _, rest = f"\n{markdown}".partition(f"\n## {TITLES['summary']}\n")
    lines = rest.partition("\n## ")[0].splitlines()
    return " ".join(line.removeprefix("- ").strip() for line in lines if line.strip())


def _goes_on(began: date, silence: timedelta, local: datetime, pause: timedelta) -> bool:
    """Whether something belongs to the session before it, which began on that day."""
    return silence < pause and local.hour < _NOON and local.date() - began <= _DAY


def _place(one: TalkSpan) -> tuple[datetime, datetime, datetime]:
    """Of what was said at one moment, the earlier by its own clock comes first: the order does not hang on
    who asks."""
    return one.begins, one.begins.astimezone(one.zone).replace(tzinfo=None), one.ends


def _section(title: str, told: Sequence[str]) -> str:
    if not told:
        return ""
    is_prose = title == TITLES["summary"] and len(told) == 1
    body = told[0].lstrip("# ") if is_prose else "\n".join(f"- {one}" for one in told)
    return f"## {title}\n{body}"
