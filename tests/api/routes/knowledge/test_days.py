"""Days over the API: newest first, by id or by date, and never somebody else's."""

import re

import pytest
from api.conftest import Host, refused
from pretend.elevenlabs import AGENT, GRACE

DAY = 86_400
SAID = ("user: I decided to bake a plum cake for Maria.", "agent: I'll send you the recipe tomorrow.")


async def three_days(host: Host) -> str:
    """Ada talks on three days, on the last one with two agents; her user id."""
    for number in range(3):
        user_id = await host.call(f"conv_{number}", *SAID)
        host.house.clock.now += DAY
    host.house.clock.now -= DAY
    await host.call("conv_wren", "user: The badger dug out my apple trees.", agent="agent_wren")
    return user_id


async def test_days_are_listed_newest_first_page_by_page(host: Host) -> None:
    user_id = await three_days(host)

    first = host.get(f"/users/{user_id}/days", limit=3)
    rest = host.get(f"/users/{user_id}/days", limit=3, cursor=first["next"])

    found = [one["day"] for page in (first, rest) for one in page["items"]]
    assert found == ["2026-11-19", "2026-11-19", "2026-11-18", "2026-11-17"]
    assert rest["next"] is None


async def test_days_are_listed_of_one_agent(host: Host) -> None:
    user_id = await three_days(host)

    [one] = host.get(f"/users/{user_id}/days", agent_id="agent_wren")["items"]

    assert one["agent_id"] == "agent_wren"
    assert "badger" in one["summary"]


async def test_a_day_is_found_by_its_id_and_by_its_date(host: Host) -> None:
    user_id = await three_days(host)
    first = host.get(f"/users/{user_id}/days")["items"][-1]

    assert host.get(f"/users/{user_id}/days/{first['id']}") == first
    assert host.get(f"/users/{user_id}/days/2026-11-17") == first
    unsure = {"id": 0, "sources": [], "starts_at": "", "ends_at": "", "updated_at": "", "summary": ""}
    assert first | unsure == {
        "id": 0, "user_id": user_id, "agent_id": AGENT, "day": "2026-11-17", "timezone": "UTC",
        "starts_at": "", "ends_at": "", "messages": 2, "summary": "", "source": "extractive", "sources": [],
        "finalised": True, "updated_at": "",
    }  # fmt: skip
    assert first["summary"].startswith('## Summary\nCaller: "I decided to bake a plum cake for Maria."')


async def test_of_a_date_with_several_agents_one_is_to_be_named(host: Host) -> None:
    user_id = await three_days(host)
    there = f"/users/{user_id}/days/2026-11-19"

    assert "agent_robin, agent_wren" in refused(host.send("GET", there), 409)
    assert host.get(there, agent_id="agent_wren")["agent_id"] == "agent_wren"


@pytest.mark.parametrize("which", ["999", "2026-11-16"])
async def test_a_day_on_which_nothing_was_said_is_not_found(host: Host, which: str) -> None:
    user_id = await host.call("conv_1", *SAID)

    refused(host.send("GET", f"/users/{user_id}/days/{which}"), 404)


@pytest.mark.parametrize(
    "which",
    [
        "0", "-1", "+5", "1.0", "1_0", "%201", "9" * 19, "9" * 30, "yesterday", "2026-02-30", "0001-01-01",
        "2026-11-17T00:00:00", "2026-W47-2", "٥",
    ],
)  # fmt: skip
async def test_what_is_no_day_is_refused(host: Host, which: str) -> None:
    user_id = await host.call("conv_1", *SAID)

    assert "path.which" in refused(host.send("GET", f"/users/{user_id}/days/{which}"), 422)


@pytest.mark.parametrize("which", ["+5", "2026-11-17T00:00:00"])
async def test_who_writes_a_day_another_way_is_told_how_it_is_written(host: Host, which: str) -> None:
    user_id = await host.call("conv_1", *SAID)

    told = refused(host.send("GET", f"/users/{user_id}/days/{which}"), 422)

    assert told == "path.which: write an id, or a date as 2026-11-17"


async def test_how_a_day_is_written_is_in_the_document(host: Host) -> None:
    document = host.house.client.get("/openapi.json").json()

    asked = document["paths"]["/users/{user_id}/days/{which}"]["get"]["parameters"]
    [pattern] = [one["schema"]["pattern"] for one in asked if one["name"] == "which"]
    assert re.fullmatch(pattern, "2026-11-17")
    assert not re.fullmatch(pattern, "+5")


async def test_nobody_finds_a_day_of_somebody_else(host: Host) -> None:
    ada = await host.call("conv_1", *SAID)
    grace = await host.call("conv_2", *SAID, caller=GRACE)
    [hers] = host.get(f"/users/{ada}/days")["items"]

    refused(host.send("GET", f"/users/{grace}/days/{hers['id']}"), 404)
    assert [one["id"] for one in host.get(f"/users/{grace}/days")["items"]] != [hers["id"]]
