"""Freshness: from the webhook's answer to the new prompt in Redis, web process and worker real.

Redis itself says when a prompt is put (keyspace notifications), so nothing polls.
"""

import asyncio
import json
import random
import time
from collections.abc import Set as AbstractSet

import httpx2
from benchmarks import people
from benchmarks.figures import row, title
from benchmarks.house import POST_CALL, SECRET, House
from benchmarks.people import AGENT, People
from pretend.elevenlabs import ended_call
from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from voice_server.context.layout import slots
from voice_server.webhooks.signature import sign

RATE = 5  # calls a second
_SAID = (
    "agent: Hello! How is the garden?",
    "user: The plums are ripe and I want to bake the cake for my mother on Saturday.",
    "agent: I'll send you the recipe with the semolina tomorrow.",
    "user: Thank you. Can you remind me to buy flour on Friday?",
    "agent: Of course. How is your knee?",
    "user: It still hurts, and I am seeing Dr. Meyer on Thursday. I am a bit afraid of it.",
)
_PATIENCE = 90.0  # seconds


def run(house: House, *, quick: bool) -> None:
    callers = People(1, RATE * (5 if quick else 30))
    asyncio.run(people.make(house.database_url, callers))
    with house.web() as web, house.worker(measured=False):
        waited = sorted(asyncio.run(_measure(house, web.port, callers)))
    title("freshness", f"webhook answered → new prompt in Redis, {len(waited)} calls at {RATE}/s")
    row("p50", percentile(waited, 0.50), "s")
    row("p95", percentile(waited, 0.95), "s", most=1)
    row("slowest", waited[-1], "s")


async def _measure(house: House, port: int, callers: People) -> list[float]:
    redis = Redis.from_url(house.redis_url)
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        waited = await calls(redis, client, callers)
    await redis.aclose()
    return waited


async def calls(redis: Redis, client: httpx2.AsyncClient, callers: People) -> list[float]:
    """Report one call of each; the seconds until each one's prompt knew of it."""
    await redis.config_set("notify-keyspace-events", "K$")
    async with redis.pubsub() as told:
        await told.psubscribe("__keyspace@0__:voice:prompt:*")
        await asyncio.sleep(2)  # the worker has started and found nothing left to do
        put = asyncio.create_task(_times_put(told, set(callers.phone_numbers)))
        answered = await _report(client, callers)
        times = await asyncio.wait_for(put, _PATIENCE)
    await _check(redis, callers)
    return [times[number] - answered[number] for number in callers.phone_numbers]


async def _report(client: httpx2.AsyncClient, callers: People) -> dict[str, float]:
    """Post each caller's event when its call has ended; when each was answered."""
    answered: dict[str, float] = {}

    async def report(number: str) -> None:
        event = ended_call(f"conv_{number}", _SAID, ended=time.time(), caller=number, agent=AGENT)
        body = json.dumps(event).encode()
        headers = {"elevenlabs-signature": sign(body, SECRET, int(time.time()))}
        (await client.post(POST_CALL, content=body, headers=headers)).raise_for_status()
        answered[number] = time.monotonic()

    async with asyncio.TaskGroup() as group:
        for number in callers.phone_numbers:
            group.create_task(report(number))
            await asyncio.sleep(random.expovariate(RATE))
    return answered


async def _times_put(told: PubSub, numbers: AbstractSet[str]) -> dict[str, float]:
    times: dict[str, float] = {}
    async for message in told.listen():
        if message["type"] == "pmessage":
            number = message["channel"].decode().rpartition("tel:")[2]
            times |= {number: time.monotonic()} if number in numbers else {}
        if len(times) == len(numbers):
            break
    return times


async def _check(redis: Redis, callers: People) -> None:
    """Every prompt put is one that knows of the call."""
    for number in callers.phone_numbers:
        cached = slots.unpack(await people.entry_of(redis, number))
        assert cached is not None
        assert f"conv_{number}" in cached.recent_calls


def percentile(ascending: list[float], part: float) -> float:
    """The value below which this part of them is."""
    return ascending[min(len(ascending) - 1, round(part * len(ascending)))]
