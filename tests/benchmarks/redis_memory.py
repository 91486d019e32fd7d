"""Memory: what one cached user costs in Redis, binding and redial mark included."""

import asyncio
from statistics import fmean

from benchmarks import people
from benchmarks.figures import row, title
from benchmarks.house import House
from benchmarks.people import AGENT, People
from redis.asyncio import Redis

from voice_server.domain.addresses.address import Address
from voice_server.worker import Worker

_USERS = 200


def run(house: House, *, quick: bool) -> None:  # noqa: ARG001 (every benchmark is called alike)
    title("memory", "Redis bytes per cached user")
    asyncio.run(_measure(house))


async def _measure(house: House) -> None:
    cast = People(1, _USERS)
    await people.make(house.database_url, cast)
    for templates, what in (("long", "demanding"), ("default", "default")):
        worker = Worker(house.settings(templates))
        await people.cache_prompts(worker, cast)
        entries = [await people.entry_of(worker.redis, number) for number in cast.phone_numbers]
        used = [await _usage(worker.redis, f"voice:prompt:{AGENT}:tel:{n}") for n in cast.phone_numbers]
        row(f"{what} templates: the entry", fmean(map(len, entries)), "B")
        row(f"{what} templates: MEMORY USAGE of its key", fmean(used), "B")
        await worker.close()
    await _print_marks(house, cast.phone_numbers[0])


async def _print_marks(house: House, number: str) -> None:
    """What one call leaves besides: it expires."""
    redis, address, call = Redis.from_url(house.redis_url), Address(f"tel:{number}"), "conv_" + "0" * 26
    await redis.set(f"voice:call:{call}", address, ex=172_800)
    await redis.set(f"voice:mark:{AGENT}:{address}", call, ex=7200)
    row("per call, for two days: the binding", await _usage(redis, f"voice:call:{call}"), "B")
    row("per user, for two hours: the mark", await _usage(redis, f"voice:mark:{AGENT}:{address}"), "B")
    await redis.aclose()


async def _usage(redis: Redis, key: str) -> int:
    return int(await redis.memory_usage(key, samples=0) or 0)
