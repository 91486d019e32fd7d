"""What is to be forgotten by its name is told by no agent, also when nothing else is said in the call."""

import pytest
from conftest import House
from pretend.agent import Agent
from pretend.elevenlabs import ADA

TOLD = ("agent: Where shall we send it?", "user: To 77 Marsh Lane, Hull, please.", "agent: It is on its way.")
MORE = ("agent: How is the garden?", "user: My tomatoes are ripe on the balcony.", "agent: How nice.")
WISH = ("agent: Hello?", "user: Please forget the Marsh Lane address.", "agent: Done.")
TALK = ("user: I grow basil as well.", "agent: How nice, basil.")


@pytest.mark.parametrize("more", [(), TALK], ids=["the wish alone", "with other talk"])
async def test_no_agent_tells_what_is_to_be_forgotten(house: House, more: tuple[str, ...]) -> None:
    agent = Agent(house)
    await agent.talked("conv_1", *TOLD)
    await agent.talked("conv_2", *MORE)
    await agent.talked("conv_3", *TOLD, agent="agent_other")
    assert "Marsh" in house.platform.told(ADA)
    assert "Marsh" in house.platform.told(ADA, agent="agent_other")

    await agent.talked("conv_4", *WISH, *more)

    assert "Marsh" not in house.platform.told(ADA)
    assert "Marsh" not in house.platform.told(ADA, agent="agent_other")
    assert "tomatoes" in house.platform.told(ADA)
    heading = house.platform.told(ADA).partition("[LAST TIME]")[2].partition("[/LAST TIME]")[0]
    assert ("tomatoes" in heading) is not bool(more)
