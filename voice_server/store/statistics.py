"""How much there was. Each statement reads by an index, and no more rows than a bound."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

MOST_PROMPTS = 100_000  # counted of one day
MOST_TIMED = 500  # calls of one day of which it is looked up when their prompt was built
MOST_REASONED = 1000  # of what was put aside, the newest of each kind


class BegunTalk(Struct, frozen=True):
    """Conversations that began in the hour from `at` (UTC) on."""

    at: datetime
    calls: int
    chats: int


class PromptDelay(Struct, frozen=True):
    """Seconds from a call's event to the prompt built next, of so many calls; None without any."""

    calls: int
    p50: float | None
    p95: float | None


class PutAsideCount(Struct, frozen=True):
    """Work put aside for one reason; `type` is an event's, or `digest`."""

    type: str
    reason: str
    number: int


async def begun(connection: AsyncConnection, since: datetime) -> Sequence[BegunTalk]:
    """Count by hour, without empty hours."""
    return [BegunTalk(*row) for row in await connection.execute(_BEGUN, {"since": since})]


async def prompts_built(connection: AsyncConnection, since: datetime) -> int:
    number: int = (await connection.execute(_PROMPTS, {"since": since})).scalar_one()
    return number


async def prompt_delay(connection: AsyncConnection, since: datetime) -> PromptDelay:
    """Measure the latest MOST_TIMED calls in which somebody known talked."""
    row = (await connection.execute(_DELAY, {"since": since, "most": MOST_TIMED})).one()
    return PromptDelay(*row)


async def put_aside(connection: AsyncConnection) -> list[PutAsideCount]:
    """Count events and digests. The queue knows of jobs."""
    rows = await connection.execute(_PUT_ASIDE, {"most": MOST_REASONED})
    return [PutAsideCount(*row) for row in rows]


_BEGUN = sa.text("""
select date_trunc('hour', started_at, 'UTC'), count(*) filter (where channel = 'voice'),
    count(*) filter (where channel <> 'voice')
from conversations where started_at >= :since group by 1 order by 1
""")
# Prompts have their ids in the order in which they were built, to within the time a transaction takes.
# Behind which those of a day are: no further back than as many as are counted.
_BEFORE = f"""coalesce((
    select id from (
        select id, created_at from generated_prompts order by id desc limit {MOST_PROMPTS}
    ) newest where created_at < :since order by id desc limit 1
), (select max(id) - {MOST_PROMPTS} from generated_prompts), 0)"""  # noqa: S608 (the number is ours)
_PROMPTS = sa.text(f"select count(*) from generated_prompts where id > {_BEFORE}")  # noqa: S608 (our own words)
_DELAY = sa.text(f"""
with before as materialized (select {_BEFORE} as id), calls as materialized (
    select c.user_id, c.agent_id, (select received_at from webhook_events where id = c.event_id) as heard_at
    from conversations c
    where started_at >= :since and channel = 'voice' and outcome = 'talked' and user_id is not null
    order by started_at desc, id desc limit :most
)
select count(waited), percentile_cont(0.5) within group (order by waited),
    percentile_cont(0.95) within group (order by waited)
from calls
cross join lateral (
    select cast(extract(epoch from min(p.created_at) - heard_at) as float8) from generated_prompts p
    where p.user_id = calls.user_id and p.id > (select id from before) and p.agent_id = calls.agent_id
        and p.created_at >= heard_at
) built (waited)
""")  # noqa: S608 (our own words)
# The statuses are written out: only so the indexes of what is unfinished answer it.
_PUT_ASIDE = sa.text("""
select type, reason, count(*) from (
    (select type, reason from webhook_events where status = 'failed' order by id desc limit :most)
    union all
    (select 'digest', digest_error from conversations
        where digest_state = 'failed' and outcome = 'talked' and user_id is not null
        order by id desc limit :most)
) failed group by 1, 2
""")
