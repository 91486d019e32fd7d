"""What a person excludes is told by no section of the prompt, until the exclusion is lifted."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from conftest import API_TOKEN, House
from pretend import model as pretend
from pretend.agent import Agent
from pretend.elevenlabs import ADA, AGENT, ended_call
from pretend.model import PretendModel
from pretend.trouble import until

from voice_server.commands.simulation import dialogue
from voice_server.settings import Settings

DAY = 86400
KNEE = "hurt my left knee"
FLIGHT = "flying to Lisbon"


async def play_week(house: House) -> None:
    """Five calls of a week, the last of them yesterday."""
    for number, call in enumerate(dialogue.samples()["week"].calls):
        said = [f"{turn.role}: {turn.text}" for turn in call.turns]
        ended = house.clock() - DAY * call.days_ago + 60 * number
        house.platform.post_call(ended_call(f"conv_{number}", said, ended=ended))
        await house.work()


def request(house: House, method: str, path: str, **more: Any) -> Any:
    headers = {"authorization": f"Bearer {API_TOKEN}"}
    answer = house.client.request(method, f"/api{path}", headers=headers, **more)
    assert answer.is_success, answer.text
    return answer.json()


def user(house: House) -> str:
    return str(request(house, "GET", "/users", params={"address": ADA})["items"][0]["id"])


def known(house: House) -> list[Any]:
    return list(request(house, "GET", f"/users/{user(house)}/facts")["items"])


def fact_that_says(house: House, words: str) -> Any:
    return next(one for one in known(house) if words in one["text"])


async def exclude(house: House, fact: Any, *, excluded: bool = True) -> str:
    """The prompt of the next call."""
    request(house, "PATCH", f"/facts/{fact['id']}", json={"excluded": excluded})
    await house.work()
    return house.platform.told(ADA)


def left_out(house: House) -> dict[str, str]:
    """What the newest prompt leaves out, each with its rule."""
    newest = request(house, "GET", f"/users/{user(house)}/prompts")["items"][0]
    path = f"/users/{user(house)}/prompts/{newest['version']}"
    snapshot = request(house, "GET", path, params={"agent_id": AGENT})["snapshot"]
    return {one["item"]: one["rule"] for one in snapshot["dropped"]}


@pytest.mark.parametrize("words", [KNEE, "Ibuprofen", "Harbour Street", "wheelchair", FLIGHT])
async def test_no_section_tells_what_a_person_excluded(house: House, words: str) -> None:
    await play_week(house)
    before = house.platform.told(ADA)
    fact = fact_that_says(house, words)

    told = await exclude(house, fact)

    assert words in before
    assert words not in told
    assert left_out(house)[f"facts/{fact['id']}"] == "excluded"
    assert await exclude(house, fact, excluded=False) == before


async def test_all_else_is_told_as_before(house: House) -> None:
    await play_week(house)

    told = await exclude(house, fact_that_says(house, KNEE))

    for words in ("Nadia Brandt", "Ibuprofen", "Harbour Street", "wheelchair", FLIGHT):
        assert words in told


async def test_said_again_in_another_call_it_is_not_told_either(house: House) -> None:
    await play_week(house)
    await exclude(house, fact_that_says(house, KNEE))
    said = (
        "agent: Hello!",
        "user: I fell off my bike and hurt my left knee.",
        "user: I keep bees in Deptford.",
    )
    house.platform.post_call(ended_call("conv_again", said, ended=house.clock()))
    await house.work()

    told = house.platform.told(ADA)

    assert KNEE not in told
    assert "Deptford" in told


async def test_what_was_said_can_still_be_looked_up(house: House) -> None:
    await play_week(house)
    await exclude(house, fact_that_says(house, KNEE))
    agent = Agent(house)
    agent.begin("conv_next")

    said = agent.use("conversation.search", "conv_next", query="bike knee")
    known = agent.use("memory.search", "conv_next", query="bike knee")

    assert KNEE in str(said)
    assert KNEE not in str(known)


async def test_a_model_that_finds_it_later_in_other_words_does_not_bring_it_back(
    open_house: Callable[[Settings], House], settings: Settings, model: PretendModel
) -> None:
    """It is excluded while the model reads the call."""
    house = open_house(
        settings.model_copy(update={"llm_model": "openai-chat:pretend", "llm_base_url": model.url})
    )
    model.meanwhile = lambda: asyncio.run(exclude_knee(house))
    retold = "The caller hurt the left knee."
    cats = "The caller has two cats."
    found = pretend.finds(
        f"{retold} {cats}",
        facts=[
            {"about": "user", "text": retold, "messages": [1]},
            {"about": "user", "text": cats, "messages": [2]},
        ],
        language="en",
    )
    model.then(pretend.well(found))
    said = ("agent: Hello!", "user: I fell off my bike and hurt my left knee.", "user: I have two cats.")

    house.platform.post_call(ended_call("conv_1", said, ended=house.clock()))
    await house.work()

    assert [one["text"] for one in known(house)] == [fact_that_says(house, KNEE)["text"], cats]
    told = house.platform.told(ADA)
    assert "two cats" in told
    assert "knee" not in told


RETOLD = "The caller prefers to pay by card, and they live in Bristol."


async def retell(house: House) -> None:
    """What is known is as a release before left it, and is to be digested anew."""
    claim = "json_build_array(claims->0 || jsonb_build_object('text', $1::text))"
    await house.query(f"update digests set claims = {claim}", RETOLD)  # noqa: S608 (our own)
    await house.query("delete from facts where text not like '%card%'")
    await house.query("update facts set text = $1", RETOLD)
    await house.query("update conversations set digest_state = 'later'")


async def test_what_an_older_release_had_retold_is_not_brought_back_in_the_words_it_was_said_in(
    house: House,
) -> None:
    said = (
        "agent: Hello!",
        "user: I prefer to pay by card, and I live in Bristol.",
        "user: I have two cats.",
    )
    house.platform.post_call(ended_call("conv_1", said, ended=house.clock()))
    await house.work()
    await retell(house)
    await exclude(house, fact_that_says(house, RETOLD))

    await house.worker.upkeep.wake()
    await house.work()

    told = house.platform.told(ADA)
    agent = Agent(house)
    agent.begin("conv_next")
    found = str(agent.use("memory.search", "conv_next", query="card Bristol cats"))
    assert [one["text"] for one in known(house)] == [RETOLD, '"I have two cats."']
    for words in ("Bristol", "card"):
        assert words not in told
        assert words not in found
    assert "two cats" in told
    assert "two cats" in found


async def exclude_knee(house: House) -> None:
    await until(lambda: KNEE in house.platform.told(ADA))
    request(house, "PATCH", f"/facts/{fact_that_says(house, KNEE)['id']}", json={"excluded": True})
