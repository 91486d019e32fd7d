"""For whom, when and by whose templates a prompt is built; and what all its sections say alike."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import wraps
from typing import Any, Protocol, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct, field

from voice_server.context.layout import formatting
from voice_server.context.layout.budget import BUDGETS, Content, Count, Item, Section
from voice_server.domain.agent import Agent, Budget
from voice_server.domain.memory import Memory

_T = TypeVar("_T")

_FORESEEN = 20 * 365  # days: nothing further off makes a prompt go stale
_YEAR = re.compile(r"(?:19|20)(?<!\d\d\d)\d\d(?!\d)")  # begins with what is rare: a third of the time


class Templates(Protocol):
    @property
    def agent(self) -> Agent:
        """Whose they are."""

    def render(self, section: str, values: Mapping[str, Any]) -> str:
        """Return the section's text, without surrounding blank lines; "" for nothing."""


class PromptInput(Struct, frozen=True):
    """Everything a section is made of. `now` is in the user's own zone; `known` is False for a caller without
    memory; `order` names the sections between persona and style; `limit` is in tokens, of the whole prompt;
    `count` counts those of a text.
    """

    memory: Memory
    templates: Templates
    now: datetime
    zone: ZoneInfo
    order: tuple[str, ...]
    limit: int
    count: Count
    known: bool = True
    made: dict[Callable[["PromptInput"], Any], Any] = field(default_factory=dict)

    @property
    def today(self) -> date:
        return self.now.date()

    def budget(self, section: str) -> Budget:
        return self.templates.agent.budgets.get(section, BUDGETS[section])

    def local_day(self, moment: datetime) -> date:
        return moment.astimezone(self.zone).date()

    def begins(self, day: date | None, after: int = 0) -> datetime | None:
        """Return when a day, or that many days `after` it, begins for the user; None for no day and for a day
        that nobody will live to see."""
        if day is None or abs((day - self.today).days) > _FORESEEN:
            return None
        return formatting.midnight_after(day + timedelta(days=after - 1), self.zone)


def once(make: Callable[[PromptInput], _T]) -> Callable[[PromptInput], _T]:
    """Run `make` once for a prompt: what one section tells, others ask too."""

    @wraps(make)
    def made(given: PromptInput) -> _T:
        known = given.made
        if make not in known:
            known[make] = make(given)
        there: _T = known[make]
        return there

    return made


def fixed(name: str, templates: Templates) -> Section:
    """Return a section that says the same to everyone and is never cut."""
    return Section(name, lambda _variant, _content: templates.render(name, {}), (Content(),))


def lines(name: str, templates: Templates) -> Callable[[int, Content], str]:
    def render(_variant: int, content: Content) -> str:
        return templates.render(name, {"items": values(content.items)}) if content else ""

    return render


def telling(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(item for item in items if item.text)


def values(items: Sequence[Item]) -> list[dict[str, str]]:
    return [{"label": item.label, "text": item.text} for item in items]


def is_dated(text: str) -> bool:
    return _YEAR.search(text) is not None
