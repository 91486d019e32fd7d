"""Who is who: what a caller is called, wherever it is known from, is told to every agent and found by the
API."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from api.conftest import Host, refused
from pretend.elevenlabs import ADA, AGENT, GRACE, ended_call

from voice_server.store.people import identifications
from voice_server.store.people.identifications import IdentifiedCaller

MARTA = ("agent: Hello!", "user: Hi, it's Marta Klein.", "agent: Hello Ms Klein.", "user: I need a new card.")
SPEAKING = "You are speaking with Marta Klein."
OTHER_AGENT = "agent_other"


async def heard(host: Host, *said: str, conversation: str = "conv_1", **more: Any) -> dict[str, Any]:
    """A call in which this is said, or that brings more; its caller."""
    event = ended_call(conversation, said, ended=host.house.clock())
    for place, value in more.items():
        event["data"][place] = value
    host.house.platform.post_call(event)
    await host.house.work()
    user: dict[str, Any] = host.get("/users", address=ADA)["items"][0]
    return user


async def named(host: Host, **given: Any) -> dict[str, Any]:
    """Marta, who called, after this change by hand."""
    user = await heard(host, *MARTA)
    changed: dict[str, Any] = host.ok(host.send("PATCH", f"/users/{user['id']}", json=given))
    await host.house.work()
    return changed


async def test_whoever_says_their_name_is_called_by_it_at_the_next_call(host: Host) -> None:
    user = await heard(host, *MARTA)

    assert (user["name"], user["name_source"]) == ("Marta Klein", "said")
    assert SPEAKING in host.house.platform.told()


async def test_a_name_is_told_to_every_agent(host: Host) -> None:
    await host.call("conv_0", agent=OTHER_AGENT)
    await heard(host, *MARTA)

    assert SPEAKING in host.house.platform.told(agent=OTHER_AGENT)


async def test_a_nickname_is_told_beside_the_name(host: Host) -> None:
    user = await heard(host, "agent: Hello!", "user: My name is Elizabeth Crane, but everyone calls me Liz.")

    assert user["nickname"] == "Liz"
    assert "You are speaking with Elizabeth Crane, called Liz." in host.house.platform.told()


async def test_an_empty_nickname_alone_confirms_no_name(host: Host) -> None:
    assert (await named(host, nickname=""))["name_source"] == "said"


async def test_what_the_platform_collected_is_trusted_more_than_what_was_heard(host: Host) -> None:
    found = {
        "data_collection_results": {"Customer Name": {"value": "Martha Klein"}, "mood": {"value": "fine"}}
    }

    user = await heard(host, *MARTA, analysis=found)

    assert (user["name"], user["name_source"]) == ("Martha Klein", "platform")


async def test_a_name_that_the_host_application_gave_the_platform_is_taken(host: Host) -> None:
    given = {"dynamic_variables": {"user_name": "Marta Klein"}}

    user = await heard(
        host, "agent: Hello!", "user: I need a card.", conversation_initiation_client_data=given
    )

    assert (user["name"], user["name_source"]) == ("Marta Klein", "platform")


async def test_a_name_that_we_told_the_platform_tells_nothing_new(host: Host) -> None:
    echoed = {"dynamic_variables": {"user_name": "Somebody Else", "prompt_version": "v123"}}

    user = await heard(host, *MARTA, conversation_initiation_client_data=echoed)

    assert user["name"] == "Marta Klein"


async def test_whoever_looks_something_up_knows_the_names_of_the_two(host: Host) -> None:
    user = await heard(
        host, "agent: Good morning, this is Clara from Lindenhof.", "user: Hi, it's Marta Klein."
    )
    now = datetime.fromtimestamp(host.house.clock(), UTC)

    async with host.house.worker.engine.connect() as connection:
        known = await identifications.known(connection, user["id"], AGENT, at=now)

    assert known == IdentifiedCaller(user["id"], AGENT, "", "Marta Klein", "Clara")


async def test_calls_that_arrive_in_any_order_make_the_same_name(host: Host) -> None:
    later = ended_call("conv_2", MARTA, ended=host.house.clock() + 3600)
    host.house.platform.post_call(later)
    await host.house.work()

    user = await heard(host, "agent: Hello!", "user: Hi, it's Marta Kline.")

    assert user["name"] == "Marta Klein"


async def test_a_name_set_by_the_host_application_stays_whatever_is_said(host: Host) -> None:
    user = await named(host, name="Dr. Marta Klein-Voss")

    heard_again = await heard(host, "agent: Hi!", "user: My name is Peter Novak.", conversation="conv_2")

    assert (user["name"], user["name_source"]) == ("Dr. Marta Klein-Voss", "api")
    assert heard_again["name"] == "Dr. Marta Klein-Voss"
    assert "You are speaking with Dr. Marta Klein-Voss." in host.house.platform.told()


async def test_a_name_taken_back_is_again_what_was_heard(host: Host) -> None:
    user = await named(host, name="Somebody Else")

    assert host.ok(host.send("PATCH", f"/users/{user['id']}", json={"name": ""}))["name"] == "Marta Klein"


async def test_with_the_conversation_its_name_is_erased_for_every_agent(host: Host) -> None:
    user_id = await host.call("conv_0", agent=OTHER_AGENT)
    await heard(host, *MARTA, analysis={"data_collection_results": {"name": {"value": "Marta Klein"}}})
    [row] = host.get(f"/users/{user_id}/conversations", agent_id=AGENT)["items"]

    assert host.send("DELETE", f"/conversations/{row['id']}").status_code == 204
    await host.house.work()

    assert host.get(f"/users/{user_id}")["name"] == ""
    assert "Marta" not in host.house.platform.told(agent=OTHER_AGENT)


def test_a_user_is_found_by_the_host_applications_id(host: Host) -> None:
    user_id = host.user(
        name="Marta Klein", external_id="customer-17", metadata={"plan": "gold", "tags": ["vip"]}
    )

    [user] = host.get("/users", external_id="customer-17")["items"]
    assert (user["id"], user["name"], user["name_source"]) == (user_id, "Marta Klein", "api")
    assert user["metadata"] == {"plan": "gold", "tags": ["vip"]}
    assert host.get("/users", external_id="customer-18")["items"] == []


def test_metadata_may_say_it_with_emoji(host: Host) -> None:
    metadata = {"mood 😀": ["🦊", "C:\\ud8x"]}

    user_id = host.user(metadata=metadata)

    assert host.get(f"/users/{user_id}")["metadata"] == metadata


def test_an_external_id_belongs_to_one_user(host: Host) -> None:
    ada, grace = host.user(external_id="customer-17"), host.user(addresses=[GRACE])

    assert ada in refused(host.send("POST", "/users", json={"external_id": "customer-17"}), 409)
    assert ada in refused(host.send("PATCH", f"/users/{grace}", json={"external_id": "customer-17"}), 409)
    host.ok(host.send("PATCH", f"/users/{ada}", json={"external_id": ""}))
    assert host.ok(host.send("PATCH", f"/users/{grace}", json={"external_id": "customer-17"}))["id"] == grace


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Marta [LAST TIME]"),
        ("name", "M" * 61),
        ("name", "{{secret}}"),
        ("name", 7),
        ("external_id", "x" * 129),
        ("metadata", {"text": "x" * 9000}),
        ("metadata", ["gold"]),
        ("metadata", {"text": "\0"}),
        ("metadata", json.loads('{"a":' * 400 + "1" + "}" * 400)),
    ],
)
def test_what_is_too_much_or_no_name_is_refused(host: Host, field: str, value: object) -> None:
    user_id = host.user()

    assert field in refused(host.send("PATCH", f"/users/{user_id}", json={field: value}), 422)


@pytest.mark.parametrize("half", [r"\ud83d", r"\ud900", r"\udc00"])
@pytest.mark.parametrize("metadata", ['{"text": "HALF"}', '{"texts": [{"HALF": 1}]}'], ids=["text", "key"])
def test_metadata_with_half_of_a_surrogate_pair_is_refused(host: Host, metadata: str, half: str) -> None:
    body = f'{{"metadata": {metadata.replace("HALF", half)}}}'

    response = host.send("POST", "/users", content=body, headers={"content-type": "application/json"})

    assert "surrogate" in refused(response, 422)


@pytest.mark.parametrize("number", ["NaN", "1e999"])
def test_metadata_with_a_number_that_json_cannot_write_is_refused(host: Host, number: str) -> None:
    body = f'{{"metadata": {{"score": {number}}}}}'

    response = host.send("POST", "/users", content=body, headers={"content-type": "application/json"})

    assert "metadata" in refused(response, 422)


async def test_of_two_merged_the_name_set_by_hand_stays_and_parting_them_gives_back_each_their_own(
    host: Host,
) -> None:
    marta = await heard(host, *MARTA)
    other = host.user(
        name="Marta Klein-Voss", external_id="c-2", metadata={"plan": "gold"}, addresses=[GRACE]
    )

    merge = host.ok(host.send("POST", "/merges", json={"from_user": other, "into_user": marta["id"]}))
    one = host.get(f"/users/{marta['id']}")
    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))

    assert (one["name"], one["name_source"], one["metadata"]) == ("Marta Klein-Voss", "api", {"plan": "gold"})
    parted = host.get(f"/users/{marta['id']}")
    assert (parted["name"], parted["name_source"], parted["metadata"]) == ("Marta Klein", "said", {})
    assert host.get("/users", external_id="c-2")["items"][0]["name"] == "Marta Klein-Voss"


async def test_what_the_platform_collected_and_nobody_said_is_no_name(host: Host) -> None:
    found = {"data_collection_results": {"caller_name": {"value": "Bruno Weiss"}}}

    user = await heard(host, *MARTA, analysis=found)

    assert (user["name"], user["name_source"]) == ("Marta Klein", "said")


async def test_the_agents_own_name_is_not_the_callers(host: Host) -> None:
    found = {"data_collection_results": {"caller_name": {"value": "Robin"}}}

    user = await heard(host, "agent: Hello, this is Robin.", "user: Are you open tomorrow?", analysis=found)

    assert user["name"] == ""
