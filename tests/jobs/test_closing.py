"""A later call closes what an earlier one left open, in whichever order the two arrive."""

from datetime import UTC, datetime

import pytest
from conftest import House
from pretend.elevenlabs import ADA, Event, ended_call

SAID = '"My parcel with the lamp has not come." – "Leave it with me, I\'ll chase the driver."'
PROMISED = ("user: My parcel with the lamp has not come.", "agent: Leave it with me, I'll chase the driver.")
ARRIVED = ("agent: Hello, how are you?", "user: Just to say the parcel came this morning, thanks a lot.")
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
