"""What a tool notes mid-call is theirs whose call it is, whenever that is known."""

import asyncio
from typing import Any

import pytest
from conftest import House
from pretend.agent import MINUTE, Agent
from pretend.elevenlabs import ADA, GRACE, ended_call

NUTS = "The caller is allergic to nuts."
TALK = ("agent: Hello!", "user: I am allergic to nuts.")
WHOSE = "select user_id, said_in from facts where origin = 'tool' and superseded_by is null order by id"


@pytest.fixture
async def known(house: House) -> Agent:
    """Ada and Grace have called before; Ada's phone is on the line."""
    agent = Agent(house)
    agent.report("conv_1", "agent: Hello!", "user: I need the recipe for the plum cake.")
    await agent.talked("conv_g", "agent: Hello!", "user: I grow roses.", caller=GRACE)
    agent.begin("conv_2")
    return agent


async def ended(agent: Agent, conversation: str = "conv_2", *said: str, **more: Any) -> None:
    """A call is over."""
    declined = more.pop("declined", False)
    agent.house.clock.now += MINUTE
    event = ended_call(conversation, said or TALK, ended=agent.house.clock(), **more)
    if declined:
        about = event["data"]["conversation_initiation_client_data"]
        about["dynamic_variables"]["memory_consent"] = "declined"
    agent.house.platform.post_call(event)
    await agent.house.work()


def named(agent: Agent, address: str, conversation: str = "conv_2") -> None:
    """The host application says who is on the line."""
    who = {"user_id": agent.user(address), "anywhere": True}
    agent.host("PUT", f"/calls/{conversation}/caller", json=who)


async def test_who_is_named_while_the_call_goes_on_has_what_was_noted_before(known: Agent) -> None:
    known.use("memory.add", "conv_2", text=NUTS)
    await known.house.work()
    named(known, GRACE)
    await known.house.work()

    assert await known.house.query(WHOSE) == [(known.user(GRACE), "conv_2")]
    assert "nuts" not in known.house.platform.told(ADA)
    assert NUTS in known.house.platform.told(GRACE)


async def test_who_is_named_after_the_call_has_what_was_noted_in_it(known: Agent) -> None:
    known.use("memory.add", "conv_2", text=NUTS)
    await ended(known)
    named(known, GRACE)
    await known.house.work()

    assert await known.house.query(WHOSE) == [(known.user(GRACE), "conv_2")]
    assert "nuts" not in known.house.platform.told(ADA)


async def test_whom_the_event_names_has_what_was_noted(known: Agent) -> None:
    known.use("memory.add", "conv_2", text=NUTS)
    await known.house.work()
    await ended(known, user_id=known.user(GRACE))

    assert await known.house.query(WHOSE) == [(known.user(GRACE), "conv_2")]
    assert "nuts" not in known.house.platform.told(ADA)
    assert "nuts" in known.house.platform.told(GRACE)


async def test_of_a_call_that_ends_as_nobodys_nobody_has_it(known: Agent) -> None:
    known.use("memory.add", "conv_2", text=NUTS)
    known.host("PUT", f"/shared-lines/{ADA}", json={"members": [known.user()]})
    await ended(known)

    assert await known.house.query(WHOSE) == []


@pytest.mark.parametrize("over", [True, False])
async def test_when_a_merge_is_undone_it_goes_back_with_its_call(known: Agent, *, over: bool) -> None:
    ada, grace = known.user(ADA), known.user(GRACE)
    merge = known.host("POST", "/merges", json={"from_user": grace, "into_user": ada})
    await known.house.work()
    known.begin("conv_3", caller=GRACE)
    known.use("memory.add", "conv_3", text=NUTS)
    if over:
        await ended(known, "conv_3", caller=GRACE)
    known.host("POST", f"/merges/{merge['id']}/undo")
    await known.house.work()
    if not over:
        await ended(known, "conv_3", caller=GRACE)

    assert await known.house.query(WHOSE) == [(grace, "conv_3")]
    assert "nuts" not in known.house.platform.told(ADA)


async def test_an_edit_goes_with_what_it_edits(known: Agent) -> None:
    known.use("memory.add", "conv_2", text=NUTS)
    [note] = [one for one in known.host("GET", f"/users/{known.user()}/facts")["items"] if one["said_in"]]
    known.host("PATCH", f"/facts/{note['id']}", json={"text": "The caller is allergic to peanuts."})
    await ended(known, user_id=known.user(GRACE))

    told = "select user_id from facts where text like '%peanuts%' and superseded_by is null"
    assert await known.house.query(told) == [(known.user(GRACE),)]
    assert "nuts" not in known.house.platform.told(ADA)


async def test_noted_in_two_calls_it_stays_when_the_first_is_somebody_elses(known: Agent) -> None:
    known.use("memory.add", "conv_2", text=NUTS)
    await ended(known)
    known.begin("conv_3")
    known.use("memory.add", "conv_3", text=NUTS)
    await ended(known, "conv_3")
    named(known, GRACE)
    await known.house.work()

    assert await known.house.query(WHOSE) == [(known.user(GRACE), "conv_2"), (known.user(ADA), "conv_3")]


async def test_what_both_noted_is_told_once(known: Agent) -> None:
    known.begin("conv_3", caller=GRACE)
    for conversation in ("conv_2", "conv_3"):
        known.use("memory.add", conversation, text=NUTS)
    named(known, GRACE)
    await known.house.work()

    assert known.house.platform.told(GRACE).count("nuts") == 1


async def test_after_a_call_that_may_not_be_remembered_nothing_is_noted_of_it(known: Agent) -> None:
    await ended(known, declined=True)

    assert known.use("memory.add", "conv_2", text=NUTS)["say"].startswith("Not noted: ")
    assert await known.house.query(WHOSE) == []


async def test_after_a_call_what_was_off_the_record_in_it_is_not_noted(known: Agent) -> None:
    secret = "user: This is off the record: I am allergic to nuts."
    await ended(known, "conv_2", "agent: Hello!", secret, "agent: I see.", "user: What time is it?")

    assert known.use("memory.add", "conv_2", text=NUTS)["added"] is False
    assert await known.house.query(WHOSE) == []


async def test_after_a_call_what_was_said_in_it_is_noted_for_whose_it_is(known: Agent) -> None:
    await ended(known, user_id=known.user(GRACE))

    assert known.use("memory.add", "conv_2", text=NUTS) == {"added": True}
    assert await known.house.query(WHOSE) == [(known.user(GRACE), "conv_2")]


async def test_when_a_merge_is_undone_it_stays_with_a_call_that_stays(known: Agent) -> None:
    ada, grace = known.user(ADA), known.user(GRACE)
    known.begin("conv_3", caller=GRACE)
    known.use("memory.add", "conv_3", text=NUTS)
    await ended(known, "conv_3", caller=GRACE)
    merge = known.host("POST", "/merges", json={"from_user": grace, "into_user": ada})
    named(known, ADA, "conv_3")
    known.host("POST", f"/merges/{merge['id']}/undo")
    await known.house.work()

    assert await known.house.query(WHOSE) == [(ada, "conv_3")]
    assert "nuts" not in known.house.platform.told(GRACE)


async def test_noted_over_and_over_while_calls_end_everything_is_kept(known: Agent) -> None:
    for number in range(4):
        known.begin(f"conv_a{number}")

    async def noted(number: int) -> list[Any]:
        texts = [f"Ada likes the colour {colour}{number}." for colour in ("red", "blue", "green")]
        return [
            await asyncio.to_thread(known.use, "memory.add", f"conv_a{number}", text=one) for one in texts
        ]

    for number in range(4):
        said = ("agent: Hello!", f"user: I like red{number}, blue{number} and green{number}.")
        known.house.platform.post_call(ended_call(f"conv_a{number}", said, ended=known.house.clock()))
    answers, _ = await asyncio.gather(asyncio.gather(*map(noted, range(4))), known.house.work())

    added = [one for answer in answers for one in answer if one["added"]]
    assert added
    assert len(await known.house.query(WHOSE)) >= len(added)
