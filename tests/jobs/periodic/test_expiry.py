"""Expiry: threads nobody came back to are no longer told; pinned and coming ones stay."""

from collections.abc import Callable

import pytest
from conftest import House
from pretend.elevenlabs import ADA, GRACE, ended_call

from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]
DAY = 86_400
PROMISE = ("agent: I'll send you the plum cake recipe tomorrow.", "user: Thank you, I like plum cake a lot.")
PLAN = ("agent: Hello!", "user: I'm flying to Lisbon on 20 January to see my sister Maria.")
STATUSES = "select kind, status from open_threads order by id"


async def a_call(house: House, said: tuple[str, ...], caller: str = ADA) -> None:
    house.platform.post_call(ended_call(f"conv_{caller}_{said[0]}", said, ended=house.clock(), caller=caller))
    await house.work()


async def test_a_thread_nobody_came_back_to_expires_and_is_told_no_more(house: House) -> None:
    await a_call(house, PROMISE)
    assert "recipe" in house.platform.told(ADA).partition("[OPEN THREADS]")[2]

    house.clock.now += 62 * DAY
    await house.worker.expiry.expire()
    await house.work()

    assert await house.query(STATUSES) == [("promise", "expired")]
    assert "[OPEN THREADS]" not in house.platform.told(ADA)


async def test_before_its_time_it_stays(house: House) -> None:
    await a_call(house, PROMISE)

    house.clock.now += 61 * DAY  # it was due on the day after
    await house.worker.expiry.expire()

    assert await house.query(STATUSES) == [("promise", "open")]


async def test_what_is_still_to_come_stays_however_old(house: House) -> None:
    await a_call(house, PLAN)

    house.clock.now += 63 * DAY
    await house.worker.expiry.expire()

    assert await house.query(STATUSES) == [("plan", "open")]


async def test_a_pinned_thread_stays(house: House) -> None:
    await a_call(house, PROMISE)
    await house.query("update open_threads set pinned = true")

    house.clock.now += 400 * DAY
    await house.worker.expiry.expire()

    assert await house.query(STATUSES) == [("promise", "open")]


async def test_an_expired_thread_stays_so_when_its_conversation_is_understood_anew(house: House) -> None:
    await a_call(house, PROMISE)
    house.clock.now += 62 * DAY
    await house.worker.expiry.expire()

    retold = ended_call(
        f"conv_{ADA}_{PROMISE[0]}", PROMISE, ended=house.clock() - 62 * DAY, summary="A call."
    )
    house.platform.post_call(retold | {"event_timestamp": int(house.clock())})
    await house.work()

    assert await house.query("select summary from digests") == [("A call.",)]
    assert await house.query(STATUSES) == [("promise", "expired")]


async def test_zero_days_are_for_ever(open_house: OpenHouse, settings: Settings) -> None:
    house = open_house(settings.model_copy(update={"promises_open_days": 0}))
    await a_call(house, PROMISE)

    house.clock.now += 4000 * DAY
    await house.worker.expiry.expire()

    assert await house.query(STATUSES) == [("promise", "open")]


async def test_only_those_whose_threads_expired_get_a_new_prompt(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voice_server.jobs.periodic.expiry._BATCH", 1)
    for caller, said in ((ADA, PROMISE), (GRACE, PROMISE), ("+14155550102", PLAN)):
        await a_call(house, said, caller)
    requested = "select sum(requested)::int from pending_work where kind = 'rebuild'"
    [(before,)] = await house.query(requested)

    house.clock.now += 62 * DAY
    await house.worker.expiry.expire()
    await house.worker.expiry.expire()

    assert await house.query(requested) == [(before + 2,)]
