"""What was said, made a fact by hand: quoted, pinned, and gone with its conversation."""

from collections.abc import Callable
from typing import Any

import pytest
from api.conftest import Host, refused
from api.routes.conversations.test_chats import silence, tell
from conftest import House
from pretend.elevenlabs import ADA, AGENT, GRACE

from voice_server.settings import Settings

HOUR, DAY = 3600, 86_400
SAID = (
    "agent: Hello! Do you have any allergies?",
    "user: Penicillin.",
    "agent: I will note that.",
    "user: And my sister Maria visits tomorrow.",
    "user: She likes plums.",
)


def conversation(host: Host, name: str = "conv_1") -> int:
    found = host.get("/conversations")["items"]
    return next(int(one["id"]) for one in found if one["platform_id"] == name)


def promote(host: Host, user: str, *positions: int, name: str = "conv_1", **more: Any) -> Any:
    ids = [f"{conversation(host, name)}:{one}" for one in positions]
    given = {"agent_id": AGENT, "message_ids": ids, **more}
    return host.send("POST", f"/users/{user}/facts", json=given)


def promoted(host: Host, user: str, *positions: int, **more: Any) -> Any:
    return host.ok(promote(host, user, *positions, **more))


def excerpts(host: Host, user: str) -> list[str]:
    found = host.get(f"/users/{user}/facts", limit=200)["items"]
    return [one["text"] for one in found if one["origin"] == "excerpt"]


async def understood_again(host: Host) -> None:
    await host.house.query("update conversations set digest_state = 'failed'")
    host.ok(host.send("POST", "/failures/retry"))
    await host.house.work()


# -- what it is


@pytest.mark.parametrize(
    ("positions", "text", "about"),
    [
        ((4,), '"She likes plums."', "user"),
        ((1, 0), '"Hello! Do you have any allergies?" – "Penicillin."', "user"),
        ((2,), '"I will note that."', "agent"),
        ((3,), '"And my sister Maria visits tomorrow (18 November 2026)."', "user"),
        ((4, 3), '"And my sister Maria visits tomorrow (18 November 2026). She likes plums."', "user"),
        ((1, 4), '"Penicillin. … She likes plums."', "user"),
        ((1, 2), '"Penicillin." – "I will note that."', "agent"),
    ],
)
async def test_what_was_said_is_quoted_as_a_digest_does(
    host: Host, positions: tuple[int, ...], text: str, about: str
) -> None:
    ada = await host.call("conv_1", *SAID)
    host.house.clock.now += 3 * DAY

    fact = promoted(host, ada, *positions)

    assert (fact["text"], fact["about"], fact["origin"], fact["pinned"]) == (text, about, "excerpt", True)
    assert (fact["said_on"], fact["last_said_on"], fact["times"]) == ("2026-11-17", "2026-11-17", 1)
    own = [one for one in fact["sources"] if one["conversation_id"] == conversation(host)]
    assert [one["positions"] for one in own] == [sorted(positions)]


async def test_it_is_told_and_found(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)

    fact = promoted(host, ada, 4, topic="plums", salience=0.9)
    for number in (2, 3):
        host.house.clock.now += 30 * DAY
        await host.call(f"conv_{number}", "user: I would like to hear about the boats in the harbour.")

    preview = host.get(f"/users/{ada}/prompt-preview", agent_id=AGENT)

    assert '"She likes plums."' in preview["prompt"]
    assert f"facts/{fact['id']}" in str(preview["snapshot"])
    assert (fact["topic"], fact["salience"]) == ("plums", 0.9)
    found = host.get(f"/users/{ada}/fact-search", agent_id=AGENT, query="plums")
    assert [one["origin"] for one in found if one["id"] == fact["id"]] == ["excerpt"]


async def test_what_a_search_finds_can_be_promoted(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    [hit] = host.get(f"/users/{ada}/search", agent_id=AGENT, query="plums", limit=1)

    given = {"agent_id": AGENT, "message_ids": [hit["message_id"]]}
    fact = host.ok(host.send("POST", f"/users/{ada}/facts", json=given))

    assert fact["text"] == '"She likes plums."'


async def test_the_same_is_no_second_fact(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    first = promoted(host, ada, 4)

    assert f"Fact {first['id']} is" in refused(promote(host, ada, 4), 409)
    assert promote(host, ada, 3, 4).status_code == 201


async def test_it_has_no_secrets(open_house: Callable[[Settings], House], settings: Settings) -> None:
    host = Host(open_house(settings.model_copy(update={"redact_transcripts": False})))
    ada = await host.call("conv_1", "agent: What is your PIN?", "user: It is 4711.", "user: My cat is Tom.")

    fact = promoted(host, ada, 1)

    assert "4711" not in fact["text"]
    assert fact["text"].startswith('"It is [')


async def test_it_stays_when_its_conversation_is_understood_again(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    before = promoted(host, ada, 4)

    await host.call("conv_2", "user: I have a cat.")
    await understood_again(host)

    after = host.get(f"/facts/{before['id']}")
    assert (after["text"], after["pinned"], after["version"]) == (before["text"], True, before["version"])
    assert conversation(host) in [one["conversation_id"] for one in after["sources"]]


# -- what is refused


async def test_messages_that_are_not_there_or_another_ones_are_not_found(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    grace = await host.call("conv_2", *SAID, caller=GRACE)
    await host.call("conv_3", *SAID, agent="agent_wren")

    refused(promote(host, ada, 5), 404)
    refused(promote(host, ada, 4, name="conv_2"), 404)
    refused(promote(host, ada, 4, name="conv_3"), 404)
    refused(promote(host, grace, 4), 404)
    gone = {"agent_id": AGENT, "message_ids": ["999999:1"]}
    refused(host.send("POST", f"/users/{ada}/facts", json=gone), 404)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "either"),
        ({"text": "Ada has a cat.", "message_ids": ["1:1"]}, "either"),
        ({"message_ids": []}, "message_ids"),
        ({"message_ids": ["1:1", "1:2", "1:3", "1:4", "1:5", "1:6"]}, "message_ids"),
        ({"message_ids": ["1:1", "2:1"]}, "one conversation"),
        ({"message_ids": ["1"]}, "message_ids"),
        ({"message_ids": ["1:-1"]}, "message_ids"),
        ({"message_ids": ["1:1"], "about": "agent"}, "about"),
        ({"message_ids": ["1:1"], "pinned": False}, "pinned"),
    ],
)
async def test_what_names_no_messages_is_refused(host: Host, given: dict[str, object], why: str) -> None:
    ada = host.user(name="Ada Byron")

    response = host.send("POST", f"/users/{ada}/facts", json={"agent_id": AGENT, **given})

    assert why in refused(response, 422)


async def test_what_is_no_statement_of_one_of_them_is_refused(host: Host) -> None:
    ada = await host.call("conv_1", *SAID, "user: " + "My cat likes plums. " * 60)

    assert "the other answers" in refused(promote(host, ada, 1, 2, 3), 422)
    assert "longer than 1000" in refused(promote(host, ada, 5), 422)
    await host.house.query("update messages set role = 'tool_call', tool_name = 'x' where position = 2")
    assert "says something" in refused(promote(host, ada, 2), 422)


async def test_what_is_to_be_forgotten_is_refused(host: Host) -> None:
    ada = await host.call("conv_1", *SAID, "user: My boiler broke.", "user: Please forget what I just said.")
    assert "not to be remembered" in refused(promote(host, ada, 5), 409)

    await host.call("conv_2", "user: Please forget what I said about the plums.")
    assert "not to be remembered" in refused(promote(host, ada, 4), 409)
    assert promote(host, ada, 3).status_code == 201


# -- when it goes


async def test_it_goes_with_its_conversation_and_what_a_person_made_of_it_too(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    await host.call("conv_2", "user: I have a cat.")
    first, second = promoted(host, ada, 4), promoted(host, ada, 1)
    host.ok(host.send("PATCH", f"/facts/{first['id']}", json={"text": "Maria likes plums."}))
    assert "Maria likes plums." in str(host.get(f"/users/{ada}/facts"))

    host.send("DELETE", f"/conversations/{conversation(host)}")

    told = str(host.get(f"/users/{ada}/facts"))
    assert "plums" not in told
    assert "Penicillin" not in told
    refused(host.send("GET", f"/facts/{second['id']}"), 404)
    await host.house.work()
    assert "plums" not in host.house.platform.told(ADA)


async def test_it_goes_when_the_call_turns_out_to_be_somebody_elses(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    grace = host.user(name="Grace Hopper")
    fact = promoted(host, ada, 4)
    host.ok(host.send("PATCH", f"/facts/{fact['id']}", json={"text": "Maria likes plums."}))

    host.ok(host.send("PUT", "/calls/conv_1/caller", json={"user_id": grace, "anywhere": True}))
    await host.house.work()

    assert "plums" not in str(host.get(f"/users/{ada}/facts"))
    assert excerpts(host, grace) == []


async def test_it_goes_when_what_it_says_is_asked_to_be_forgotten_later_in_the_chat(host: Host) -> None:
    ada = await host.call("conv_0", "user: I have a cat.")
    tell(host, ada, "user: My boiler broke.", chat="trip")
    await silence(host, 120)
    promoted(host, ada, 0, name="trip:0")
    assert excerpts(host, ada) == ['"My boiler broke."']

    tell(host, ada, "user: Please forget what I just said.", chat="trip")
    await silence(host, 120)

    assert excerpts(host, ada) == []


async def test_it_is_told_no_more_when_it_is_to_be_forgotten_by_its_name(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    promoted(host, ada, 4)
    host.house.clock.now += HOUR

    await host.call("conv_2", "user: Please forget what I said about the plums.")

    assert "She likes plums" not in host.house.platform.told(ADA)


async def test_it_goes_when_its_message_says_something_else_since(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    promoted(host, ada, 4)
    promoted(host, ada, 1)

    await host.house.query("update messages set content = 'She likes figs.' where position = 4")
    await understood_again(host)

    assert excerpts(host, ada) == ['"Penicillin."']


async def test_it_goes_when_a_secret_is_found_in_it_late(host: Host) -> None:
    ada = await host.call("conv_0", "user: I have a cat.")
    paying = ("user: I would like to pay for the tour now.", "agent: What does it say on the front, please?")
    tell(host, ada, *paying, "user: It is 4111 1111", chat="trip")
    await silence(host, 120)
    promoted(host, ada, 2, name="trip:0")
    assert "4111" in str(excerpts(host, ada))

    tell(host, ada, "user: 1111 1111", "agent: Thank you.", chat="trip")

    assert excerpts(host, ada) == []


@pytest.mark.parametrize("after", [True, False])
async def test_it_goes_where_its_conversation_goes_when_two_are_parted(host: Host, *, after: bool) -> None:
    ada = await host.call("conv_1", "user: I have a cat.")
    grace = await host.call("conv_2", *SAID, caller=GRACE)
    if not after:
        promoted(host, grace, 4, name="conv_2")
    merge = host.ok(host.send("POST", "/merges", json={"from_user": grace, "into_user": ada}))
    await host.house.work()
    if after:
        promoted(host, ada, 4, name="conv_2")
    assert excerpts(host, ada) == ['"She likes plums."']

    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))
    await host.house.work()

    assert excerpts(host, ada) == []
    assert excerpts(host, grace) == ['"She likes plums."']
