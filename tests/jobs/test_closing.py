"""A later call closes what an earlier one left open, in whichever order the two arrive."""

from datetime import UTC, datetime

import pytest
from conftest import API_TOKEN, House
from pretend.elevenlabs import ADA, Event, ended_call

SAID = '"My parcel with the lamp has not come." – "Leave it with me, I\'ll chase the driver."'
PROMISED = ("user: My parcel with the lamp has not come.", "agent: Leave it with me, I'll chase the driver.")
ARRIVED = ("agent: Hello, how are you?", "user: Just to say the parcel came this morning, thanks a lot.")
API = {"authorization": f"Bearer {API_TOKEN}"}
MISSING = ("agent: Hello, how are you?", "user: That parcel of mine has not come, it is a mystery.")
STATUSES = "select text, status from open_threads order by id"


def call(conversation: str, at: str, *said: str) -> Event:
    """A call that began at this moment (UTC)."""
    began = datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp()
    return ended_call(conversation, said, ended=began + 60, duration=60)


async def hear(house: House, *events: Event) -> None:
    for event in events:
        house.clock.now = max(house.clock.now, float(event["event_timestamp"]))
        house.platform.post_call(event)
        await house.work()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["in order", "the later one first"])
async def test_a_later_call_closes_a_promise(house: House, order: tuple[int, ...]) -> None:
    calls = call("conv_1", "2026-11-17T09:00", *PROMISED), call("conv_2", "2026-11-19T09:00", *ARRIVED)

    await hear(house, *(calls[i] for i in order))

    assert await house.query(STATUSES) == [(SAID, "closed")]
    assert "[OPEN THREADS]" not in house.platform.told(ADA)


async def test_what_nobody_came_back_to_stays_open(house: House) -> None:
    small_talk = "agent: Hello, how are you?", "user: Fine, the weather is lovely here in the mountains."

    await hear(
        house, call("conv_1", "2026-11-17T09:00", *PROMISED), call("conv_2", "2026-11-18T09:00", *small_talk)
    )

    assert await house.query(STATUSES) == [(SAID, "open")]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["in order", "the later one first"])
async def test_what_a_later_call_says_of_it_is_told_beside_it(house: House, order: tuple[int, ...]) -> None:
    calls = call("conv_1", "2026-11-17T09:00", *PROMISED), call("conv_2", "2026-11-19T09:00", *MISSING)

    await hear(house, *(calls[i] for i in order))

    assert 'Later, 19 Nov 2026: Caller: "That parcel of mine has not come, it is a mystery."' in (
        house.platform.told(ADA)
    )


async def test_what_was_said_of_it_before_somebody_worded_it_anew_is_told_there_no_more(house: House) -> None:
    await hear(
        house, call("conv_1", "2026-11-17T09:00", *PROMISED), call("conv_2", "2026-11-19T09:00", *MISSING)
    )
    [(id_,)] = await house.query("select id from open_threads")

    response = house.client.patch(
        f"/api/threads/{id_}", json={"text": "The lamp is to be sent anew."}, headers=API
    )
    await house.work()

    assert response.status_code == 200, response.text
    told = house.platform.told(ADA)
    assert "The lamp is to be sent anew." in told
    assert "Later, " not in told


async def test_a_pinned_thread_keeps_what_was_said_of_it(house: House) -> None:
    await hear(
        house, call("conv_1", "2026-11-17T09:00", *PROMISED), call("conv_2", "2026-11-19T09:00", *MISSING)
    )
    [(id_,)] = await house.query("select id from open_threads")

    response = house.client.patch(f"/api/threads/{id_}", json={"pinned": True}, headers=API)
    await house.work()

    assert response.is_success, response.text
    assert "Later, 19 Nov 2026: " in house.platform.told(ADA)


async def test_an_erased_call_is_told_beside_no_thread(house: House) -> None:
    await hear(
        house, call("conv_1", "2026-11-17T09:00", *PROMISED), call("conv_2", "2026-11-19T09:00", *MISSING)
    )
    [(id_,)] = await house.query("select id from conversations order by id desc limit 1")

    response = house.client.delete(f"/api/conversations/{id_}", headers=API)
    await house.work()

    assert response.is_success, response.text
    told = house.platform.told(ADA)
    assert "chase the driver" in told
    assert "mystery" not in told
