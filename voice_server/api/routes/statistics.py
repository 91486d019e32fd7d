"""Statistics for whoever runs the server."""

from datetime import date, datetime

from fastapi import APIRouter
from pydantic import BaseModel, Field

from voice_server.api.http.dependencies import Reading, TheDependencies
from voice_server.operations import statistics

router = APIRouter(tags=["statistics"])


class HourOfTalk(BaseModel):
    """What began in one hour."""

    at: datetime = Field(description="When the hour begins")
    calls: int
    chats: int = Field(description="Sittings of chats")


class TimeToPrompt(BaseModel):
    """From a call's event to the prompt that was built next, in seconds."""

    calls: int = Field(description="Of how many calls: the latest 500 of the day at most")
    p50: float | None
    p95: float | None


class TodaySoFar(BaseModel):
    """Since midnight, UTC."""

    calls: int
    chats: int
    prompts: int = Field(description="Prompts built and kept; 100000 where it is that or more")
    to_prompt: TimeToPrompt


class DayOfTokens(BaseModel):
    """What the model took on one day."""

    day: date
    calls: int = Field(description="How often the model was asked")
    tokens_in: int
    tokens_out: int


class ModelTokens(BaseModel):
    """What the model took, day by day (UTC)."""

    days: list[DayOfTokens] = Field(description="The last 30, today last")
    tokens_per_day: int | None = Field(description="`LLM_TOKENS_PER_DAY`; null without a limit")


class PutAsideReason(BaseModel):
    """Work that was put aside for one reason."""

    type: str = Field(description="Of an event its own; `digest`; `job …`")
    reason: str
    number: int = Field(description="Of the newest 1000 events, digests and jobs that were put aside")


class OpenWork(BaseModel):
    """The work of workers."""

    waiting: int = Field(description="Jobs that wait")
    oldest_seconds: float = Field(description="For how long the oldest has waited")
    put_aside: list[PutAsideReason] = Field(description="The 20 most frequent first")


class Statistics(BaseModel):
    """How much there was, and what waits."""

    at: datetime
    hours: list[HourOfTalk] = Field(description="The last 24 by the clock, the current one last")
    today: TodaySoFar
    model: ModelTokens
    work: OpenWork


@router.get("/statistics", response_model=Statistics, summary="Get statistics")
async def get_statistics(connection: Reading, dependencies: TheDependencies) -> statistics.Statistics:
    """Count conversations by the hour, today's prompts and how soon they were built, what the model took, the
    work that waits, and what was put aside and why. Hours and days are UTC's."""
    return await statistics.gather(connection, dependencies.now(), dependencies.tokens_per_day)
