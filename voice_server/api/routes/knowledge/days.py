"""Days: what was said on each, and its summary."""

import re
from datetime import date, datetime
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Path
from msgspec.structs import asdict
from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.api.http import paging, problem
from voice_server.api.http.dependencies import OfLockedUser, OfUser, Reading, Writing
from voice_server.api.http.fields import OfAnyAgent
from voice_server.api.http.paging import Page
from voice_server.domain.bounds import FIRST_DAY, LARGEST, LAST_DAY
from voice_server.domain.conversation import Role
from voice_server.domain.days import DaySource
from voice_server.errors import Conflict, NotFound
from voice_server.queue import day_requests
from voice_server.store.conversations import conversation_views
from voice_server.store.conversations.conversation_views import SaidMessage
from voice_server.store.knowledge import day_segments, earlier_summaries
from voice_server.store.knowledge.day_segments import Row
from voice_server.store.knowledge.earlier_summaries import EarlierSummary

router = APIRouter(tags=["days"])


_WHICH = r"^([0-9]{1,19}|[0-9]{4}-[0-9]{2}-[0-9]{2})$"


def _read(which: str) -> int | date:
    """Accept only these two spellings: a moment is no day, and a number with a sign no id."""
    if not re.fullmatch(_WHICH, which):
        raise ValueError("write an id, or a date as 2026-11-17")
    if "-" in which:
        day = date.fromisoformat(which)
        if not FIRST_DAY <= day <= LAST_DAY:
            raise ValueError(f"the day must be from {FIRST_DAY} to {LAST_DAY}")
        return day
    if not 1 <= int(which) <= LARGEST:
        raise ValueError(f"an id is from 1 to {LARGEST}")
    return int(which)


_Which = Annotated[
    int | date,
    BeforeValidator(_read),
    WithJsonSchema({"type": "string", "pattern": _WHICH}),
    Path(description="Its id, or the day on the user's calendar, as `2026-11-17`"),
]


class _Place(NamedTuple):
    day: date
    id: int


class DaySegment(BaseModel):
    """All talk of a user with an agent on one day. A session that runs past midnight belongs to the day on
    which it began."""

    id: int
    user_id: str
    agent_id: str
    day: date = Field(description="On the user's calendar")
    timezone: str = Field(description="IANA name of the time zone they were in")
    starts_at: datetime = Field(description="When the first message was said")
    ends_at: datetime = Field(description="When the last message was said")
    messages: int
    summary: str = Field(
        description="Markdown: Summary, Goals, Decisions, Open loops, Next steps, those that have something "
        "to say; empty for a moment while it is made anew"
    )
    source: DaySource = Field(description="Whether a model made the summary; empty while there is none")
    sources: list[int] = Field(description="Ids of its conversations")
    finalised: bool = Field(description="The day is over, and its last summary made")
    updated_at: datetime


class DaysMessage(BaseModel):
    """An utterance, tool call or tool result."""

    conversation_id: int
    position: int
    role: Role
    content: str
    said_at: datetime
    tool_name: str | None


class SummaryOfDay(BaseModel):
    """A summary of a day: the present one, or an earlier one."""

    summary: str = Field(description="Markdown")
    source: DaySource = Field(description="Whether a model made it")
    messages: int = Field(description="How many messages the day had")
    made_at: datetime
    present: bool = Field(description="Whether it is the one that stands")


@router.get("/users/{user_id}/days", response_model=Page[DaySegment], summary="List days")
async def list_days(
    connection: Reading,
    user_id: OfUser,
    agent_id: OfAnyAgent = None,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List the days on which something was said, newest first."""
    before = paging.after(cursor, _Place)
    rows = await day_segments.page(connection, user_id, agent_id, before=before, limit=limit + 1)
    return paging.page(rows, limit, lambda row: _Place(row.day, row.id))


@router.get(
    "/users/{user_id}/days/{which}",
    response_model=DaySegment,
    responses=problem.documented(409),
    summary="Get a day",
)
async def get_day(connection: Reading, user_id: OfUser, which: _Which, agent_id: OfAnyAgent = None) -> Row:
    """Return a day with one agent. 409 when several agents talked on that date: name one."""
    return await _day(connection, user_id, which, agent_id)


@router.get(
    "/users/{user_id}/days/{which}/messages",
    response_model=list[DaysMessage],
    responses=problem.documented(409),
    summary="List what was said on a day",
)
async def list_days_messages(
    connection: Reading, user_id: OfUser, which: _Which, agent_id: OfAnyAgent = None
) -> list[SaidMessage]:
    """List the messages of all the day's calls and chats, in order. A message of a chat appears after a
    minute. What the user asked not to have remembered is included, as in a transcript. 409 as for the day."""
    day = await _day(connection, user_id, which, agent_id)
    return await conversation_views.said_between(connection, day.sources, day.starts_at, day.ends_at)


@router.get(
    "/users/{user_id}/days/{which}/summaries",
    responses=problem.documented(409),
    summary="List the summaries of a day",
)
async def list_summaries(
    connection: Reading, user_id: OfUser, which: _Which, agent_id: OfAnyAgent = None
) -> list[SummaryOfDay]:
    """List the present summary, then the latest five that it replaced while the day grew or was summed up
    anew on request. All go when something of the day is withdrawn; none is kept for a user who asked for
    something to be forgotten. 409 as for the day."""
    day = await _day(connection, user_id, which, agent_id)
    earlier = (await earlier_summaries.of_days(connection, [day.id])).get(day.id, [])
    present = EarlierSummary(day.summary, day.source, day.messages, day.updated_at)
    told = [SummaryOfDay(**asdict(one), present=one is present) for one in (present, *earlier)]
    return [one for one in told if one.summary]


@router.post(
    "/users/{user_id}/days/{which}/summary",
    status_code=202,
    response_model=DaySegment,
    responses=problem.documented(409),
    summary="Sum up a day anew",
)
async def renew_summary(
    connection: Writing, user_id: OfLockedUser, which: _Which, agent_id: OfAnyAgent = None
) -> Row:
    """Sum up the day anew in a moment, by the model where there is one. Until then the present summary stays.
    409 as for the day."""
    day = await _day(connection, user_id, which, agent_id)
    await day_segments.renew(connection, day.id)
    await day_requests.request(connection, day.user_id, day.agent_id, "edit")
    return day


async def _day(connection: AsyncConnection, user_id: str, which: int | date, agent_id: str | None) -> Row:
    if isinstance(which, int):
        return await day_segments.get(connection, user_id, agent_id, which)
    found = await day_segments.on(connection, user_id, agent_id, which)
    if not found:
        raise NotFound(f"Nothing was said with user {user_id} on {which}.")
    if len(found) > 1:
        agents = ", ".join(row.agent_id for row in found)
        raise Conflict(f"There was talk with several agents on {which}: add ?agent_id= with one of {agents}.")
    return found[0]
