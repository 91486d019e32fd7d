"""What was said of a day before: kept while the day grows, and gone with all that is withdrawn of it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from api.conftest import Host, refused
from api.routes.conversations.test_chats import silence, tell
from conftest import House
from pretend.elevenlabs import AGENT, GRACE
from pretend.model import PretendModel, about, finds, well

from voice_server.settings import Settings

HOUR = 3600
BOILER = ("agent: Hello!", "user: My boiler broke last night.", "agent: Priya repairs it on Monday.")
CAKE = ("user: I decided to bake a plum cake for Maria.",)
PLANTS = ("user: I moved to Lisbon and planted three fig trees.",)
DAY = "2026-11-17"


async def call(host: Host, name: str, *said: str, caller: str | None = None) -> str:
    host.house.clock.now += HOUR
    return await host.call(name, *said, **({"caller": caller} if caller else {}))


async def grown(host: Host) -> str:
    """Ada, of whose day there is one earlier summary."""
    await host.call("conv_1", *BOILER)
    return await call(host, "conv_2", *CAKE)


def summaries(host: Host, user: str, day: str = DAY) -> list[Any]:
    return list(host.get(f"/users/{user}/days/{day}/summaries", agent_id=AGENT))


def number(host: Host, user: str) -> int:
    """Of earlier ones."""
    return sum(not one["present"] for one in summaries(host, user))


async def kept(host: Host) -> list[Any]:
    return [text for (text,) in await host.house.query("select summary from earlier_day_summaries")]


def conversation(host: Host, name: str) -> int:
    found = host.get("/conversations")["items"]
    return next(int(one["id"]) for one in found if one["platform_id"] == name)


# -- what is kept


async def test_a_day_that_grows_has_what_was_said_of_it_before(host: Host) -> None:
    ada = await host.call("conv_1", *BOILER)
    [first] = summaries(host, ada)
    assert (first["present"], first["source"], first["messages"]) == (True, "extractive", 3)

    await call(host, "conv_2", *CAKE)
    present, before = summaries(host, ada)

    assert "plum cake" in present["summary"]
    assert before == {**first, "present": False}
    assert (present["messages"], present["present"]) == (4, True)


async def test_no_more_than_five_of_a_day_are_kept_the_latest_first(host: Host) -> None:
    await host.call("conv_0", *BOILER)
    for place in range(1, 8):
        ada = await call(host, f"conv_{place}", f"user: My neighbour number {place} bought a boat.")

    found = summaries(host, ada)

    assert [one["messages"] for one in found] == [10, 9, 8, 7, 6, 5]
    assert len(await kept(host)) == 5


async def test_what_a_model_said_is_kept_when_the_day_is_summed_up_anew(
    open_house: Callable[[Settings], House], settings: Settings, model: PretendModel
) -> None:
    def says(summary: str) -> None:
        model.otherwise = about("You sum up one day", well({"summary": summary}), well(finds()))

    given = {"llm_model": "openai-chat:pretend", "llm_base_url": model.url, "llm_api_key": "key"}
    host = Host(open_house(settings.model_copy(update=given)))
    says("The boiler broke.")
    ada = await host.call("conv_1", *BOILER)
    says("Priya repairs the boiler.")

    host.send("POST", f"/users/{ada}/days/{DAY}/summary")
    await host.house.work()

    told = [(one["source"], one["summary"].splitlines()[1]) for one in summaries(host, ada)]
    assert told[0] == ("model", "Priya repairs the boiler.")
    assert ("model", "The boiler broke.") in told[1:]


async def test_a_text_that_stays_is_not_kept_twice(host: Host) -> None:
    ada = await grown(host)

    host.send("POST", f"/users/{ada}/days/{DAY}/summary")
    await host.house.work()

    assert number(host, ada) == 1


async def test_they_are_exported(host: Host) -> None:
    ada = await grown(host)

    lines = host.send("GET", f"/users/{ada}/export").text.splitlines()
    [day] = [one for one in map(json.loads, lines) if one["type"] == "day"]

    [earlier] = day["earlier"]
    assert "boiler" in earlier["summary"]
    assert "plum cake" not in earlier["summary"]


async def test_a_day_without_talk_has_none(host: Host) -> None:
    ada = await host.call("conv_1", *BOILER)

    refused(host.send("GET", f"/users/{ada}/days/2026-11-16/summaries"), 404)
    refused(host.send("GET", f"/users/{ada}/days/yesterday/summaries"), 422)


# -- what goes


@pytest.mark.parametrize("name", ["conv_1", "conv_2"])
async def test_they_go_with_any_conversation_of_the_day_that_is_erased(host: Host, name: str) -> None:
    ada = await grown(host)

    host.send("DELETE", f"/conversations/{conversation(host, name)}")
    assert await kept(host) == [], "at once"
    await host.house.work()

    assert number(host, ada) == 0
    assert await kept(host) == []


async def test_those_of_other_days_stay(host: Host) -> None:
    ada = await grown(host)
    host.house.clock.now += 24 * HOUR
    await host.call("conv_3", *PLANTS)
    await call(host, "conv_4", "user: My neighbour bought a boat.")
    assert len(await kept(host)) == 2

    host.send("DELETE", f"/conversations/{conversation(host, 'conv_4')}")
    await host.house.work()

    assert number(host, ada) == 1
    assert len(summaries(host, ada, "2026-11-18")) == 1


async def test_they_go_with_the_user(host: Host) -> None:
    ada = await grown(host)

    host.send("DELETE", f"/users/{ada}")

    assert await kept(host) == []


async def test_they_go_when_what_was_said_is_told_otherwise(host: Host) -> None:
    ada = await grown(host)
    text = "update messages set content = 'Nothing.' where content like '%boiler%'"
    await host.house.query(text)
    await host.house.query("update conversations set event_timestamp = 5 where platform_id = 'conv_1'")

    await call(host, "conv_3", *PLANTS)

    assert number(host, ada) == 0
    assert await kept(host) == []


async def test_they_go_when_a_call_turns_out_to_be_somebody_elses(host: Host) -> None:
    ada = await grown(host)
    grace = host.user(name="Grace Hopper")

    host.ok(host.send("PUT", "/calls/conv_2/caller", json={"user_id": grace, "anywhere": True}))
    assert await kept(host) == [], "at once"
    await host.house.work()

    assert number(host, ada) == 0
    assert await kept(host) == []


async def test_they_go_when_a_thread_of_the_day_is_excluded_or_closed_by_hand(host: Host) -> None:
    await host.call("conv_1", "user: Hello, it's me.", "agent: I'll send you the recipe tomorrow.")
    ada = await call(host, "conv_2", *CAKE)
    assert number(host, ada) == 1
    [thread] = [one for one in host.get(f"/users/{ada}/threads")["items"] if "recipe" in one["text"]]

    host.ok(host.send("PATCH", f"/threads/{thread['id']}", json={"status": "closed"}))
    await host.house.work()

    assert await kept(host) == []
    host.ok(host.send("PATCH", f"/threads/{thread['id']}", json={"status": "excluded"}))
    await host.house.work()
    assert await kept(host) == []


@pytest.mark.parametrize(
    "wish",
    [
        "user: Please forget what I said about my boiler.",
        "user: Please forget what I just said.",
    ],
)
async def test_they_go_when_something_is_to_be_forgotten(host: Host, wish: str) -> None:
    await grown(host)

    ada = await call(host, "conv_3", *PLANTS, wish)
    await call(host, "conv_4", "user: My neighbour bought a boat.")

    assert not [text for text in await kept(host) if "fig" in text]
    if "boiler" in wish:
        assert await kept(host) == []
        assert number(host, ada) == 0


async def test_they_go_when_something_is_to_be_forgotten_in_a_chat(host: Host) -> None:
    ada = await grown(host)

    tell(host, ada, "user: Please forget what I said about my boiler.", "agent: I will.", chat="trip")
    assert await kept(host) == [], "at once"
    await silence(host, 120)
    await call(host, "conv_3", *PLANTS)

    assert await kept(host) == []


async def test_they_go_when_a_secret_is_found_late(host: Host) -> None:
    ada = await host.call("conv_1", *BOILER)
    host.house.clock.now += HOUR
    paying = ("user: I would like to pay for the tour now.", "agent: What does it say on the front, please?")
    tell(host, ada, *paying, "user: It is 4111 1111", chat="trip")
    await silence(host, 120)
    await call(host, "conv_2", *CAKE)
    assert any("4111" in text for text in await kept(host))

    tell(host, ada, "user: 1111 1111", "agent: Thank you.", chat="trip")

    assert await kept(host) == []
    await silence(host, 120)
    assert not any("4111" in text for text in await kept(host))


async def test_they_go_when_two_are_merged_and_when_they_are_parted(host: Host) -> None:
    ada = await grown(host)
    grace = await call(host, "conv_3", *BOILER, caller=GRACE)
    await call(host, "conv_4", *PLANTS, caller=GRACE)
    assert len(await kept(host)) == 2

    merge = host.ok(host.send("POST", "/merges", json={"from_user": grace, "into_user": ada}))
    assert await kept(host) == [], "at once"
    await host.house.work()
    await call(host, "conv_5", "user: My neighbour bought a boat.")
    assert number(host, ada), "it grew by what the other one said"

    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))
    assert await kept(host) == []
    await host.house.work()
    assert await kept(host) == []
