"""A cache that is too small: it is filled as far as it goes, once, and says how large it should be."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import sqlalchemy as sa
from conftest import House
from pretend.elevenlabs import ADA, AGENT, ended_call
from redis.asyncio import Redis

from voice_server.cache import prompt_cache
from voice_server.cache.prompt_cache import MemoryUse
from voice_server.domain.addresses.address import Address
from voice_server.operations import cache_size
from voice_server.settings import Settings

MB = 1 << 20
PLUMS = "Ada asked for the plum cake recipe."
OpenHouse = Callable[[Settings], House]


@pytest.mark.parametrize(
    ("before", "now", "full"),
    [
        (MemoryUse(0, 0, 0), MemoryUse(900 * MB, 0, 0), False),
        (MemoryUse(0, 100 * MB, 0), MemoryUse(80 * MB, 100 * MB, 0), False),
        (MemoryUse(0, 100 * MB, 0), MemoryUse(91 * MB, 100 * MB, 0), True),
        (MemoryUse(0, 100 * MB, 7), MemoryUse(80 * MB, 100 * MB, 7), False),
        (MemoryUse(0, 100 * MB, 7), MemoryUse(80 * MB, 100 * MB, 8), True),
    ],
)
def test_a_cache_is_full_when_it_is_about_to_evict_or_has(
    before: MemoryUse,
    now: MemoryUse,
    *,
    full: bool,
) -> None:
    assert cache_size.is_full(before, now) == full


@pytest.mark.parametrize("limit", [0, 64 * MB])
def test_nothing_is_told_of_a_cache_that_is_large_enough(limit: int) -> None:
    assert cache_size.shortage_of(limit, copies=3000, size=45 * MB) == ""


def test_a_cache_that_is_too_small_is_told_how_large_it_should_be() -> None:
    told = cache_size.shortage_of(256 * MB, copies=200_000, size=3000 * MB)

    assert told.startswith("too small: 256 MB, of 3819 MB that the prompts of all callers take")


async def test_what_prompts_are_said_to_take_is_what_they_take(settings: Settings) -> None:
    redis, size = Redis.from_url(settings.redis_url), 15_500
    people = [Address(f"tel:+1415555{number:04}") for number in range(100)]
    before = (await prompt_cache.memory_use(redis)).used

    await prompt_cache.put(redis, [(AGENT, one, bytes(size)) for one in people])

    taken = (await prompt_cache.memory_use(redis)).used - before
    waste, each = cache_size.OVERHEAD
    assert taken <= len(people) * (waste * size + each) <= 1.5 * taken
    await redis.aclose()


@pytest.fixture
async def small(open_house: OpenHouse, fragile: Settings) -> AsyncIterator[House]:
    """A house that knows Ada, and whose Valkey has less memory than it uses already."""
    house = open_house(fragile)
    house.platform.post_call(ended_call("conv_1", summary=PLUMS, ended=house.clock()))
    await house.work()
    await house.worker.upkeep.refill()
    given = await house.worker.redis.config_get("maxmemory")
    await house.worker.redis.config_set("maxmemory", 100_000)
    yield house
    await house.worker.redis.config_set("maxmemory", given["maxmemory"] or 0)


async def test_the_mark_that_all_is_filled_is_never_evicted(small: House) -> None:
    assert await small.keys("*") == [prompt_cache.FILLED]


async def test_what_has_no_room_is_told_from_postgres(small: House) -> None:
    assert PLUMS in small.platform.told(ADA)


async def test_readiness_says_that_the_cache_is_too_small(small: House) -> None:
    response = small.client.get("/readyz")

    assert response.status_code == 200
    assert response.json()["cache"].startswith("too small: ")


async def test_the_worker_says_at_its_start_that_the_cache_is_too_small(
    small: House, caplog: pytest.LogCaptureFixture
) -> None:
    await small.worker.upkeep.measure()

    assert "the cache is too small" in caplog.text


async def test_a_refill_ends_where_there_is_no_room(small: House) -> None:
    await small.worker.redis.config_set(
        "maxmemory", (await prompt_cache.memory_use(small.worker.redis)).used + 50_000
    )
    await small.worker.redis.delete(prompt_cache.FILLED)

    await small.worker.upkeep.refill()

    assert await small.keys("*") == [prompt_cache.FILLED]
    assert await prompt_cache.is_filled(small.worker.redis)


async def test_who_waited_too_long_for_the_sum_does_not_ask_for_it_at_each_look(small: House) -> None:
    size = cache_size.CacheSize(small.worker.engine, small.worker.redis)

    async with small.worker.engine.begin() as connection:
        await connection.execute(sa.text("lock table cached_voice_prompts"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(size.shortage(), 0.2)

    assert await size.shortage() == ""
