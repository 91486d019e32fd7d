"""A caller asks for something to be forgotten that an earlier call told."""

from conftest import House
from pretend.elevenlabs import ADA, ended_call

THERAPIST = "user: My therapist is Doctor Vance."


async def calls(house: House, *said: str) -> str:
    for number, line in enumerate(said):
        ended = house.clock() - 3600 * (len(said) - number)
        house.platform.post_call(ended_call(f"conv_{number}", ("agent: Hello!", line), ended=ended))
        await house.work()
    return house.platform.told(ADA)


async def test_what_an_earlier_call_told_is_told_no_more(house: House) -> None:
    told = await calls(house, THERAPIST, "user: Please forget what I said about my therapist.")

    assert "Vance" not in told


async def test_what_is_told_again_after_that_is_told(house: House) -> None:
    told = await calls(
        house,
        THERAPIST,
        "user: Please forget what I said about my therapist.",
        "user: My new therapist is Doctor Moreau, on Fridays.",
    )

    assert "Vance" not in told
    assert "Moreau" in told
