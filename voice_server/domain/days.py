"""Days: how a timeline is cut into them, and the summary of one.

A session is talk without a pause. It belongs to the day on which it began, on the user's calendar at that
time:

    23:40 ── 00:10 ── 00:50 │ pause │ 08:30 ── 09:00        Tuesday's segment │ Wednesday's
      all of it is Tuesday's        Wednesday's begins

From noon on, a session that goes on belongs to the new day: no day lasts for ever, and a few days back decide
whose a message is. Sessions that began on one day are one segment. Days never go backwards: who flies west
over the date line stays in their day until the next begins.
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
    """A message, which begins and ends at once, or a whole conversation (UTC). `zone` is the user's at that
    time."""

    begins: datetime
    ends: datetime
    zone: tzinfo


class DaySummary(Struct, frozen=True):
    summary: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()

    @property
    def markdown(self) -> str:
        """Sections with nothing to say leave no trace. A summary in one piece is a paragraph, everything else
        a list."""
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
    """Return the day of each, in the order given. No clock is read."""
    found = [date.min] * len(talk)
    began = day = date.min
    ended = _LONG_AGO
    here = [one.begins.astimezone(one.zone) for one in talk]
    for index in sorted(range(len(talk)), key=lambda index: _place(talk[index], here[index])):
        one, local = talk[index], here[index]
        began = began if _goes_on(began, one.begins - ended, local, pause) else local.date()
        day, ended = max(day, began), max(ended, one.ends)
        found[index] = day
    return found


def runs_until(day: date, ended: datetime, zone: tzinfo, pause: timedelta) -> datetime | None:
    """Return until when (UTC) a session past midnight keeps this day today; else None. `ended` is when it was
    last heard of."""
    local = ended.astimezone(zone)
    if local.date() <= day:
        return None
    noon = datetime(local.year, local.month, local.day, _NOON, tzinfo=zone).astimezone(UTC)
    return min(ended + pause, noon) if local.hour < _NOON else None


def is_over(day: date, ended: datetime, zone: tzinfo, pause: timedelta, *, now: datetime) -> bool:
    """Tell whether nothing said from now on belongs to this day, last heard of when it `ended`."""
    return now.astimezone(zone).date() > day and now - ended >= pause


def due(new_messages: int, tokens: int, room: int) -> Trigger | None:
    """Return why to sum up a day of a conversation that goes on now; `room` is in tokens, of a message
    history."""
    if new_messages >= _NEW_MESSAGES:
        return "messages"
    return "tokens" if new_messages and tokens >= room * _TOKEN_PRESSURE else None


def summary_section(markdown: str) -> str:
    """Return what stands under `## Summary`, as prose."""
    _, _, rest = f"\n{markdown}".partition(f"\n## {TITLES['summary']}\n")
    lines = rest.partition("\n## ")[0].splitlines()
    return " ".join(line.removeprefix("- ").strip() for line in lines if line.strip())


def _goes_on(began: date, silence: timedelta, local: datetime, pause: timedelta) -> bool:
    return silence < pause and local.hour < _NOON and local.date() - began <= _DAY


def _place(one: TalkSpan, local: datetime) -> tuple[datetime, datetime, datetime]:
    """At one moment the earlier local time comes first: the order must not depend on who asks."""
    return one.begins, local.replace(tzinfo=None), one.ends


def _section(title: str, told: Sequence[str]) -> str:
    if not told:
        return ""
    is_prose = title == TITLES["summary"] and len(told) == 1
    body = told[0].lstrip("# ") if is_prose else "\n".join(f"- {one}" for one in told)
    return f"## {title}\n{body}"
