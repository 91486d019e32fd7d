"""What holds no more is told by no agent, and what holds instead is."""

import pytest
from conftest import House
from pretend.agent import Agent
from pretend.elevenlabs import ADA

HOME = ("agent: What's your address?", "user: 12 Mill Lane.", "user: I keep bees on the roof.")
MOVED = ("user: We have a new address.", "agent: Which one?", "user: 40 Harbour Street.")


async def test_an_address_that_was_moved_from_is_not_told_and_the_rest_of_its_call_is(house: House) -> None:
    agent = Agent(house)
    await agent.talked("conv_1", *HOME)
    assert "Mill Lane" in house.platform.told(ADA)

    await agent.talked("conv_2", *MOVED)

    told = house.platform.told(ADA)
    assert "Mill Lane" not in told
    assert "Harbour Street" in told
    assert "bees" in told


@pytest.mark.parametrize("later", ["What's the address again?", "Is it still the same address?"])
async def test_an_address_that_is_only_asked_for_stays(house: House, later: str) -> None:
    agent = Agent(house)
    await agent.talked("conv_1", *HOME)

    await agent.talked("conv_2", f"agent: {later}", "user: Yes, it's the same.", "user: The bees are fine.")

    assert "Mill Lane" in house.platform.told(ADA)


@pytest.mark.parametrize(
    ("asked", "read_back", "changed"),
    [
        ("And a number?", "07700 900 123, thanks.", "My number's changed, it's 07700 900 456."),
        ("Can I take a number?", "07700 900 123, got it.", "I've got a new number, 07700 900 456."),
    ],
)
async def test_a_number_that_changed_is_not_told_though_the_agent_read_it_back(
    house: House, asked: str, read_back: str, changed: str
) -> None:
    agent = Agent(house)
    await agent.talked("conv_1", f"agent: {asked}", "user: 07700 900 123", f"agent: {read_back}")
    assert "900 123" in house.platform.told(ADA)

    await agent.talked("conv_2", f"user: {changed}", "agent: 07700 900 456.")

    assert "900 123" not in house.platform.told(ADA)
    assert "900 456" in house.platform.told(ADA)
