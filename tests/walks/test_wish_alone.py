"""What is to be forgotten by its name is told by no agent, also when nothing else is said in the call."""

from typing import Any

import pytest
from conftest import API_TOKEN, House
from pretend.agent import Agent
from pretend.elevenlabs import ADA, ended_call

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


async def test_no_look_up_tells_it_and_erasing_the_wish_brings_nothing_back(house: House) -> None:
    agent = Agent(house)
    await agent.talked("conv_1", *TOLD, *TALK)
    found = look_up(agent, "conversation.search", query="Marsh Lane")["results"]
    said = next(one["message_id"] for one in found if "message_id" in one and "Marsh" in one["snippet"])
    day = next(one["day_segment_id"] for one in found)
    assert "Marsh" in look_ups(agent, said, day)

    await agent.talked("conv_2", *WISH)
    wish = agent.host("GET", f"/users/{agent.user()}/conversations")["items"][0]["id"]
    told_then = look_ups(agent, said, day)
    house.client.delete(f"/api/conversations/{wish}", headers={"authorization": f"Bearer {API_TOKEN}"})
    await house.work()

    assert "Marsh" not in told_then
    assert "Marsh" not in look_ups(agent, said, day)
    assert "Marsh" not in house.platform.told(ADA)


async def test_what_is_withheld_tells_in_which_language_the_rest_is(house: House) -> None:
    agent = Agent(house)
    said = (
        "user: Hi, this is Tom Baker.",
        "agent: hello Tom",
        "user: My PIN is 4711, don't write this down.",
    )
    event = ended_call("conv_1", (*said, "agent: Of course."), ended=house.clock())
    del event["data"]["metadata"]["main_language"]
    house.platform.post_call(event)
    await house.work()

    user = agent.host("GET", f"/users/{agent.user()}")
    assert user["name"] == "Tom Baker"
    [[language, kept]] = await house.query("select language, to_jsonb(digests)::text from digests")
    assert language == "en"
    assert "write" not in kept
    assert "PIN" not in house.platform.told(ADA)


def look_up(agent: Agent, name: str, **given: Any) -> Any:
    agent.house.clock.now += 1
    return agent.use(name, agent.begin(f"conv_{agent.house.clock.now:.0f}"), **given)


def look_ups(agent: Agent, said: str, day: int) -> str:
    """All that the tools tell, if not of what is to be forgotten, then of what was said beside it."""
    read_on = look_up(
        agent, "conversation.get", day_segment_id=day, from_message_id=said.partition(":")[0] + ":0"
    )
    assert "It is on its way" in str(read_on)
    return str([
        look_up(agent, "conversation.search", query="Marsh Lane"),
        look_up(agent, "memory.search", query="Marsh Lane"),
        look_up(agent, "conversation.get", message_id=said),
        look_up(agent, "conversation.get", day_segment_id=day),
        read_on,
    ])  # fmt: skip
