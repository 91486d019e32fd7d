"""What whoever runs the server sees at a glance: how much there was of late, what the model took, what
waits."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import queue
from voice_server.store import model_usage, statistics
from voice_server.store.model_usage import DayUsage
from voice_server.store.statistics import BegunTalk, PromptDelay, PutAsideCount

_HOURS, _DAYS = 24, 30
_MOST_REASONS = 20
_LONGEST_REASON = 300  # characters


class TodaysCounts(Struct, frozen=True):
    """Since midnight (UTC)."""

    calls: int
    chats: int
    prompts: int
    to_prompt: PromptDelay


class ModelDays(Struct, frozen=True):
    """Days in UTC, today last. `tokens_per_day` is None without a limit."""

    days: Sequence[DayUsage]
    tokens_per_day: int | None


class WaitingWork(Struct, frozen=True):
    waiting: int
    oldest_seconds: float
    put_aside: Sequence[PutAsideCount]


class Statistics(Struct, frozen=True):
    """As of `at` (UTC). `hours` are the last 24 by the clock, the current one last."""

    at: datetime
    hours: Sequence[BegunTalk]
    today: TodaysCounts
    model: ModelDays
    work: WaitingWork


async def gather(connection: AsyncConnection, now: datetime, tokens_per_day: int) -> Statistics:
    """Gather the statistics as of `now` (UTC). `tokens_per_day` is 0 without a limit."""
    hours = await _hours(connection, now)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    since = [one for one in hours if one.at >= midnight]
    today = TodaysCounts(
        sum(one.calls for one in since),
        sum(one.chats for one in since),
        await statistics.prompts_built(connection, midnight),
        await statistics.prompt_delay(connection, midnight),
    )
    days = await model_usage.days(connection, now.date(), _DAYS)
    return Statistics(now, hours, today, ModelDays(days, tokens_per_day or None), await _work(connection))


async def _hours(connection: AsyncConnection, now: datetime) -> list[BegunTalk]:
    current = now.replace(minute=0, second=0, microsecond=0)
    hours = [current - timedelta(hours=back) for back in reversed(range(_HOURS))]
    begun = {one.at: one for one in await statistics.begun(connection, hours[0])}
    return [begun.get(at, BegunTalk(at, 0, 0)) for at in hours]


async def _work(connection: AsyncConnection) -> WaitingWork:
    counts = await queue.counts(connection)
    oldest = await queue.oldest(connection)
    waiting = sum(number for (_, status), number in counts.items() if status == "queued")
    return WaitingWork(waiting, max(oldest.values(), default=0.0), await _put_aside(connection))


async def _put_aside(connection: AsyncConnection) -> list[PutAsideCount]:
    reasons = Counter[tuple[str, str]]()
    for one in await statistics.put_aside(connection):
        reasons[one.type, one.reason[:_LONGEST_REASON]] += one.number
    for job in await queue.failures(connection, statistics.MOST_REASONED):
        reasons[f"job {job.name}", job.reason[:_LONGEST_REASON]] += 1
    return [PutAsideCount(*which, number) for which, number in reasons.most_common(_MOST_REASONS)]
