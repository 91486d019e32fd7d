"""What is asked of the search, and what it finds."""

from datetime import date, datetime
from typing import Literal

from msgspec import Struct

from voice_server.domain.conversation import Role
from voice_server.domain.fact import About, Origin

SCORE_DIGITS = 2  # of a score, as it is told


class Timeline(Struct, frozen=True):
    """All talk of one user with one agent. `timezone` is the user's, an IANA name; `names` are the user's and
    the agent's, "" for unknown."""

    user_id: str
    agent_id: str
    timezone: str
    names: tuple[str, str] = ("", "")


class Query(Struct, frozen=True):
    """What is searched. Days are the user's; `recency_days` counts today, `since` and `until` are included;
    `min_score` is from 0 to 1; `before` (UTC) keeps out the question that is being answered. None means no
    such filter; all that are given hold. `limit` is of all results together."""

    text: str
    limit: int = 6
    day: date | None = None
    recency_days: int | None = None
    min_score: float | None = None
    since: date | None = None
    until: date | None = None
    before: datetime | None = None

    @property
    def is_of_some_days(self) -> bool:
        return any(one is not None for one in (self.day, self.recency_days, self.since, self.until))

    def is_of(self, day: date) -> bool:
        return (
            self.day in (None, day)
            and (self.since is None or self.since <= day)
            and (self.until is None or day <= self.until)
        )


class Hit(Struct, frozen=True):
    """A message, or the summary of a day. `day` is the user's; `score` from 0 to 1; `snippet` is the message,
    or the best sentences of the summary, which has no `message_id`, `role` and `said_at` (UTC).
    `covered_by_summary`: the day's summary, also found, tells the message already."""

    kind: Literal["summary", "message"]
    day: date
    day_segment_id: int | None
    snippet: str
    score: float
    message_id: str | None = None
    role: Role | None = None
    said_at: datetime | None = None
    covered_by_summary: bool = False


class FactHit(Struct, frozen=True):
    """One fact found; `score` from 0 to 1."""

    fact_id: int
    about: About
    text: str
    said_on: date
    origin: Origin
    score: float
