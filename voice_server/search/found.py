"""What is asked of the search, and what it finds."""

from datetime import date, datetime
from typing import Literal

from msgspec import Struct

from voice_server.domain.conversation import Role
from voice_server.domain.fact import About, Origin


class Timeline(Struct, frozen=True):
    """Whose talk is searched: all of one user's with one agent. `timezone` is the user's, an IANA name; `names` are
    the user's and the agent's, "" for one that is not known."""

    user_id: str
    agent_id: str
    timezone: str
    names: tuple[str, str] = ("", "")


class Query(Struct, frozen=True):
    """What is looked for. `day` is a calendar day in the user's time zone, `recency_days` how many days back, today
    included; `min_score` from 0 to 1. None: no such filter. `limit` is of all results together."""

    text: str
    limit: int = 6
    day: date | None = None
    recency_days: int | None = None
    min_score: float | None = None


class Hit(Struct, frozen=True):
    """One thing found: a message, or the summary of a day. `day` is the user's; `score` from 0 to 1.

    `snippet` is the message, or the best sentences of the summary. A message has `message_id` (`MessageId`), `role`
    and `said_at` (UTC); a summary has none of the three. `day_segment_id` is None for a message that is in no
    segment yet. `covered_by_summary`: the day's summary, also found, tells the message already.
    """

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
