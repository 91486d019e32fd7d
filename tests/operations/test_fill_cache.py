"""Filling the cache: what Redis lacks comes back from the durable copies, and nothing that is erased or
replaced."""

from collections.abc import Awaitable, Callable

import pytest
from conftest import House
from pretend.elevenlabs import ADA, AGENT, ended_call
from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.cache import prompt_cache
from voice_server.cache.prompt_cache import Reservation
from voice_server.domain.addresses.address import Address
from voice_server.jobs.rebuild import RebuiltPrompt
from voice_server.operations import fill_cache
from voice_server.operations.fill_cache import Caller
from voice_server.operations.people import erasing
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import Target

CALLER = (AGENT, Address(f"tel:{ADA}"))
LATER = "Ada moved to Bath."


class Known:
    """Ada, who has a durable copy and no entry."""

    def __init__(self, house: House, user_id: str) -> None:
        self.house = house
        self.engine, self.redis = house.worker.engine, house.worker.redis
        self.user_id = user_id

    async def fill(self) -> int:
        return await fill_cache.fill(self.engine, self.redis, [CALLER])

    async def is_cached(self) -> bool:
        return await prompt_cache.get(self.redis, *CALLER) is not None

    async def erase(self, connection: AsyncConnection) -> None:
        await erasing.user(connection, self.redis, self.user_id, region="US")

    async def rebuild(self) -> list[RebuiltPrompt]:
        """Her next prompt, which is not kept yet."""
        await self.house.query("update digests set summary = $1, source = 'platform'", LATER)
        async with self.engine.begin() as connection:
            target = Target(self.user_id, AGENT)
            return list(
                (await self.house.worker.rebuild.build(connection, [target], trigger="test")).values()
            )


@pytest.fixture
async def ada(house: House) -> Known:
    """Ada called once, and Redis has evicted her entry."""
    house.platform.post_call(ended_call("conv_1", ended=house.clock()))
    await house.work()
    [(user_id,)] = await house.query("select user_id from cached_voice_prompts")
    await prompt_cache.remove(house.worker.redis, [AGENT], [CALLER[1]])
    return Known(house, str(user_id))


async def test_what_is_missing_is_put_back(ada: Known) -> None:
    assert (await ada.fill(), await ada.is_cached()) == (1, True)


async def test_an_entry_that_is_there_stays(ada: Known) -> None:
    await prompt_cache.put(ada.redis, [(*CALLER, b"newer")])

    assert await ada.fill() == 0
    assert await prompt_cache.get(ada.redis, *CALLER) == b"newer"


async def test_who_is_not_known_leaves_nothing_behind(ada: Known) -> None:
    await fill_cache.fill(ada.engine, ada.redis, [(AGENT, Address("tel:+14155550199"))])

    assert await ada.house.keys("voice:prompt:*") == []


async def test_nobody_who_is_erased_after_the_copy_was_read_comes_back(ada: Known) -> None:
    reserved = await prompt_cache.reserve(ada.redis, [CALLER])
    async with ada.engine.begin() as connection:
        [copy] = await prompts.copies_for(connection, [CALLER])
    async with ada.engine.begin() as connection:
        await ada.erase(connection)

    put = await prompt_cache.put_reserved(ada.redis, reserved, {CALLER: copy.entry})

    assert (put, await ada.house.keys("voice:prompt:*")) == (0, [])


async def test_nobody_who_is_just_being_erased_comes_back(ada: Known) -> None:
    """Redis has forgotten them, and the transaction has not committed."""
    async with ada.engine.begin() as connection:
        await ada.erase(connection)
        put = await ada.fill()

    assert (put, await ada.house.keys("voice:prompt:*")) == (0, [])


async def test_no_older_prompt_comes_over_one_that_was_built_meanwhile(ada: Known) -> None:
    reserved = await prompt_cache.reserve(ada.redis, [CALLER])
    async with ada.engine.begin() as connection:
        [copy] = await prompts.copies_for(connection, [CALLER])
    rebuilt = await ada.rebuild()
    async with ada.engine.begin() as connection:
        await prompts.copies_for(connection, [CALLER])
        await ada.house.worker.rebuild.apply(connection, rebuilt)

    put = await prompt_cache.put_reserved(ada.redis, reserved, {CALLER: copy.entry})

    assert put == 0
    assert await prompt_cache.get(ada.redis, *CALLER) == rebuilt[0].built.entry


async def test_a_prompt_that_is_just_being_replaced_is_not_put(ada: Known) -> None:
    rebuilt = await ada.rebuild()

    async with ada.engine.begin() as connection:
        await prompts.copies_for(connection, [CALLER])
        await ada.house.worker.rebuild.apply(connection, rebuilt)
        await ada.redis.flushdb()
        put = await ada.fill()

    assert (put, await ada.is_cached()) == (0, False)


async def test_a_replacement_that_was_taken_back_keeps_nothing_out(ada: Known) -> None:
    """Postgres leaves its trace in the row."""
    async with ada.engine.connect() as connection:
        await prompts.forget_copies(connection, [ada.user_id])
        await connection.rollback()

    assert (await ada.fill(), await ada.is_cached()) == (1, True)


async def test_filling_writes_nothing_into_the_rows(ada: Known) -> None:
    rebuilt = await ada.rebuild()
    async with ada.engine.begin() as connection:
        await prompts.copies_for(connection, [])
        await ada.house.worker.rebuild.apply(connection, rebuilt)
    await ada.redis.flushdb()
    trace = "select xmax::text from cached_voice_prompts"
    before = await ada.house.query(trace)

    put = await ada.fill()

    assert (put, await ada.house.query(trace)) == (1, before)


# -- a refill of all


@pytest.fixture
async def three(ada: Known, monkeypatch: pytest.MonkeyPatch) -> House:
    """Ada and two others called, of whom 112 did last and 111 first; Redis was emptied. A page is of one of
    them."""
    for number, hours in (("+14155550111", -2), ("+14155550112", 2)):
        ended = ada.house.clock() + hours * 3600
        ada.house.platform.post_call(ended_call(f"conv_{number}", caller=number, ended=ended))
    await ada.house.work()
    await ada.redis.flushdb()
    monkeypatch.setattr(fill_cache, "_BATCH", 1)
    return ada.house


class Pages:
    """Pages of a refill, after so many of which something happens to Redis, or to the worker."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.filled: list[str] = []
        self.happens: dict[int, Callable[[], Awaitable[object]]] = {}
        self._put = prompt_cache.put_reserved
        monkeypatch.setattr(prompt_cache, "put_reserved", self._put_reserved)

    async def _put_reserved(self, redis: Redis, reserved: Reservation, entries: dict[Caller, bytes]) -> int:
        put = await self._put(redis, reserved, entries)
        self.filled += [address for _, address in reserved.callers]
        if happens := self.happens.pop(len(self.filled), None):
            await happens()
        return put


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> Pages:
    return Pages(monkeypatch)


LAST_FIRST = ["tel:+14155550112", f"tel:{ADA}", "tel:+14155550111"]


async def test_those_who_talked_last_are_filled_first(three: House, pages: Pages) -> None:
    await three.worker.upkeep.refill()

    assert pages.filled == LAST_FIRST
    assert await prompt_cache.is_filled(three.worker.redis)


async def test_what_a_release_before_built_is_filled_in_the_order_of_its_building(
    three: House, pages: Pages
) -> None:
    await three.query(
        "update cached_voice_prompts set talked_at = null, built_at = to_timestamp(right(a.address, 3)::int) "
        "from addresses a where a.user_id = cached_voice_prompts.user_id"
    )

    await three.worker.upkeep.refill()

    assert pages.filled == ["tel:+14155550112", "tel:+14155550111", f"tel:{ADA}"]


async def test_a_refill_that_was_broken_off_goes_on_where_it_was(three: House, pages: Pages) -> None:
    async def break_off() -> None:
        raise ConnectionError

    pages.happens[2] = break_off
    with pytest.raises(ConnectionError):
        await three.worker.upkeep.refill()
    await prompt_cache.remove(three.worker.redis, [AGENT], [Address(LAST_FIRST[0])])

    await three.worker.upkeep.refill()

    assert pages.filled == LAST_FIRST


async def test_a_refill_during_which_redis_is_emptied_begins_anew(three: House, pages: Pages) -> None:
    pages.happens[2] = three.worker.redis.flushdb

    await three.worker.upkeep.refill()

    assert pages.filled == [*LAST_FIRST[:2], *LAST_FIRST]


async def test_one_worker_at_a_time_refills(three: House, pages: Pages) -> None:
    pages.happens[1] = three.worker.upkeep.refill

    await three.worker.upkeep.refill()

    assert pages.filled == LAST_FIRST
