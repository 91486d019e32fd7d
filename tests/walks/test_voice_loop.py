"""The main job, end to end: a call goes in, the next call of the same caller knows about it."""

from conftest import House
from pretend.elevenlabs import ADA, GRACE, NOBODY_KNOWS, ended_call, payload


async def test_a_call_is_remembered_at_the_next_call(house: House) -> None:
    house.platform.pre_call(ADA, conversation="conv_1")
    house.platform.post_call(
        ended_call("conv_1", summary="Ada asked for the plum cake recipe.", ended=house.clock())
    )
    await house.work()

    told = house.platform.told(ADA)

    assert (
        "[LAST TIME]\nTuesday 17 November 2026 (phone, 1 minute): Ada asked for the plum cake recipe." in told
    )


async def test_the_captured_call_is_remembered_under_the_number_it_came_from(house: House) -> None:
    house.platform.post_call(payload("post_call_transcription"))
    await house.work()

    told = house.platform.told("+15550100142", agent="agent_7101k5zvyjhmfg983brhmhkd98n6")

    assert "Maya asked to move her Friday consult with Dr. Søren Müller." in told


async def test_one_callers_memory_is_never_told_to_another(house: House) -> None:
    house.platform.post_call(ended_call("conv_1", summary="Ada has a secret.", ended=house.clock()))
    await house.work()

    assert "secret" not in house.platform.told(GRACE)
    assert "secret" not in house.platform.told(NOBODY_KNOWS)
