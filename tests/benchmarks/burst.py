"""Burst: while one user delivers many calls at once, how long do the calls of others take to reach their
prompts?

Three runs on a house of its own each: nobody bursts, 80 calls of one user within 0.2 s, 150 of one user
newest first.
"""

import asyncio
import json
import random
import time
from collections.abc import Sequence

import asyncpg
import httpx2
from benchmarks import freshness, people
from benchmarks.figures import row, title
from benchmarks.house import POST_CALL, SECRET, House, opened
from benchmarks.people import AGENT, People
from msgspec import Struct
from pretend.elevenlabs import ended_call
from redis.asyncio import Redis

from voice_server.webhooks.signature import sign

_BUSY = "+14155559999"
_HOURS = 5  # between two calls of the busy user
_SETTLING = 120.0  # seconds until all of a burst is understood, at most
_WORDS = (
    "plum garden semolina knee lisbon daughter birthday invoice piano lesson train ticket doctor pharmacy "
    "bicycle kitchen window landlord holiday suitcase choir concert neighbour ladder paint recipe flour "
    "passport"
).split()


class Burst(Struct, frozen=True):
    """How many calls of one user arrive within so many seconds, and in which order."""

    name: str
    calls: int
    seconds: float
    newest_first: bool = False


_BURSTS = (
    Burst("nobody bursts", 0, 0.0),
    Burst("80 calls of one user in 0.2 s", 80, 0.2),
    Burst("150 calls of one user, newest first", 150, 3.0, newest_first=True),
)


def run(*, quick: bool) -> None:
    for burst in _BURSTS:
        with opened() as house:
            _run(house, burst, seconds=8 if quick else 30)


def _run(house: House, burst: Burst, seconds: int) -> None:
    others = People(1, freshness.RATE * seconds)
    asyncio.run(people.make(house.database_url, others))
    with house.web() as web, house.worker(measured=False):
        waited, settled, written = asyncio.run(_measure(house, web.port, others, burst))
    title("burst", f"{burst.name}; {len(waited)} calls of others at {freshness.RATE}/s")
    row("others: webhook answered → prompt in Redis, p50", freshness.percentile(waited, 0.50), "s")
    row("others: the same, p95", freshness.percentile(waited, 0.95), "s", most=2)
    if burst.calls:
        row("until all calls of the burst are understood", settled, "s")
        row("digests written for each call of the burst", written / burst.calls, "", most=2)


async def _measure(house: House, port: int, others: People, burst: Burst) -> tuple[list[float], float, float]:
    """What others waited for (seconds, ascending), when the burst was understood, digests written for it."""
    redis = Redis.from_url(house.redis_url)
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        bursting = asyncio.create_task(_burst(client, burst))
        waited = await freshness.calls(redis, client, others)
        settled = await _settled(house.database_url, burst, await bursting)
    written = await _written(house.database_url) - len(waited)
    await redis.aclose()
    return sorted(waited), settled, written


async def _burst(client: httpx2.AsyncClient, burst: Burst) -> float:
    """Deliver the calls, a few seconds after the others have begun; when that began."""
    await asyncio.sleep(4)
    started = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for body in _events(burst):
            group.create_task(_post(client, body))
            await asyncio.sleep(burst.seconds / burst.calls)
    return started


async def _post(client: httpx2.AsyncClient, body: bytes) -> None:
    headers = {"elevenlabs-signature": sign(body, SECRET, int(time.time()))}
    (await client.post(POST_CALL, content=body, headers=headers)).raise_for_status()


def _events(burst: Burst) -> Sequence[bytes]:
    """Ordinary calls, each about something of its own, the last of which has just ended."""
    now, chance = time.time(), random.Random(7)  # noqa: S311 (no secret)
    ages = [hours * _HOURS * 3600.0 for hours in range(burst.calls)]
    if not burst.newest_first:
        chance.shuffle(ages)
    return [_event(now - age, number, chance) for number, age in enumerate(ages)]


def _event(ended: float, number: int, chance: random.Random) -> bytes:
    said = [
        line
        for _ in range(10)
        for first, second, third in [chance.sample(_WORDS, 3)]
        for line in (
            f"agent: How did it go with the {first}, and what about the {second}?",
            f"user: The {first} is fine, but I have to look after the {third} on Thursday with my sister.",
        )
    ]
    event = ended_call(f"conv_burst_{number}", said, ended=ended, caller=_BUSY, agent=AGENT, duration=200)
    return json.dumps(event).encode()


async def _settled(database_url: str, burst: Burst, started: float) -> float:
    """Seconds from the burst's beginning until every call of it has a digest and nothing is left to do."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        while time.monotonic() - started < _SETTLING:
            if await connection.fetchval(_LEFT, burst.calls) == 0:
                break
            await asyncio.sleep(0.1)
    finally:
        await connection.close()
    return time.monotonic() - started


_LEFT = """
select $1 - (select count(*) from digests d join conversations c on c.id = d.conversation_id
             where c.platform_id like 'conv\\_burst\\_%')
    + (select count(*) from pgqueuer where status in ('queued', 'picked'))
"""


async def _written(database_url: str) -> int:
    """How often a digest was written since the past of the others was made."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        await asyncio.sleep(2)  # until Postgres has counted what was done last
        past = "select count(*) from conversations where platform_id like 'conv\\_past\\_%'"
        counted = "select n_tup_ins + n_tup_upd from pg_stat_user_tables where relname = 'digests'"
        return int(await connection.fetchval(counted)) - int(await connection.fetchval(past))
    finally:
        await connection.close()
