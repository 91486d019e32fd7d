"""Shared lines, who was on the line, and two users who are one person, over the API."""

from api.conftest import Host, refused
from pretend.elevenlabs import ADA, AGENT, GRACE

SISTER = "user: My sister Maria moves to Lisbon tomorrow, I'll send her the plum cake recipe."
LINE = f"tel:{ADA}"


async def test_over_a_shared_line_nobodys_memory_is_told(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    other = host.user()

    line = host.ok(host.send("PUT", f"/shared-lines/{ADA}", json={"members": [other]}))

    assert line == {"address": LINE, "user_id": None, "shared": True, "members": sorted([user_id, other])}
    assert "Maria" not in host.house.platform.told(ADA)
    assert host.get(f"/users/{other}")["addresses"] == [{"address": LINE, "shared": True}]
    assert {one["id"] for one in host.get("/users", address=ADA)["items"]} == {user_id, other}


async def test_a_call_over_a_shared_line_becomes_the_one_who_is_named(host: Host) -> None:
    ada, other = host.user(addresses=[ADA]), host.user()
    host.ok(host.send("PUT", f"/shared-lines/{ADA}", json={"members": [other]}))
    await host.call("conv_1", SISTER)
    assert [one["platform_id"] for one in host.get("/unidentified-conversations")["items"]] == ["conv_1"]

    host.ok(host.send("PUT", "/calls/conv_1/caller", json={"user_id": other}))
    await host.house.work()

    assert [one["platform_id"] for one in host.get(f"/users/{other}/conversations")["items"]] == ["conv_1"]
    assert host.get(f"/users/{ada}/conversations")["items"] == []
    assert "Maria" in host.send("GET", f"/users/{other}/voice-context", params={"agent_id": AGENT}).text
    assert host.get("/unidentified-conversations")["items"] == []


async def test_who_does_not_use_the_line_can_be_named_only_on_purpose(host: Host) -> None:
    await host.call("conv_1", SISTER)
    other = host.user()

    refused(host.send("PUT", "/calls/conv_1/caller", json={"user_id": other}), 409)
    host.ok(host.send("PUT", "/calls/conv_1/caller", json={"user_id": other, "anywhere": True}))

    assert [one["platform_id"] for one in host.get(f"/users/{other}/conversations")["items"]] == ["conv_1"]


async def test_a_line_that_is_shared_no_more_is_one_users_again(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    host.ok(host.send("PUT", f"/shared-lines/{ADA}", json={}))

    ended = host.send("DELETE", f"/shared-lines/{ADA}", params={"user_id": user_id})
    await host.house.work()

    assert ended.status_code == 204
    assert host.get(f"/addresses/{ADA}")["user_id"] == user_id
    assert "Maria" in host.house.platform.told(ADA)


def test_who_leaves_a_shared_line_is_no_member(host: Host) -> None:
    user_id = host.user(addresses=[ADA])
    host.ok(host.send("PUT", f"/shared-lines/{ADA}", json={}))

    user = host.ok(host.send("DELETE", f"/users/{user_id}/shared-lines/{ADA}"))

    assert user["addresses"] == []
    assert host.get(f"/addresses/{ADA}")["members"] == []


def test_an_address_that_is_not_shared_cannot_be_taken_apart(host: Host) -> None:
    host.user(addresses=[ADA])

    refused(host.send("DELETE", f"/shared-lines/{ADA}"), 409)
    refused(host.send("GET", f"/addresses/{GRACE}"), 404)


async def test_two_users_who_are_one_person_are_merged_and_parted(host: Host) -> None:
    ada = await host.call("conv_1", SISTER)
    other = await host.call("conv_2", caller=GRACE)

    made = host.send("POST", "/merges", json={"from_user": ada, "into_user": other})
    await host.house.work()

    merge = host.ok(made)
    assert (made.status_code, made.headers["location"]) == (201, f"/api/merges/{merge['id']}")
    assert "Maria" in host.house.platform.told(GRACE)
    assert host.get(f"/users/{ada}")["merged_into"] == other
    assert len(host.get(f"/users/{ada}/conversations")["items"]) == 2  # an old id means who remains
    assert host.get(f"/users/{other}/merges")["items"] == [merge]

    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))
    await host.house.work()

    assert "Maria" not in host.house.platform.told(GRACE)
    assert "Maria" in host.house.platform.told(ADA)
    assert host.get(f"/merges/{merge['id']}")["undone_at"]


def test_merges_come_a_page_at_a_time(host: Host) -> None:
    ada, other = host.user(), host.user()
    made = []
    for _ in range(3):
        merge = host.ok(host.send("POST", "/merges", json={"from_user": other, "into_user": ada}))
        made.append(host.ok(host.send("POST", f"/merges/{merge['id']}/undo")))

    first = host.get(f"/users/{ada}/merges", limit=2)
    rest = host.get(f"/users/{ada}/merges", limit=2, cursor=first["next"])

    assert [*first["items"], *rest["items"]] == made[::-1]
    assert rest["next"] is None


async def test_what_is_one_already_cannot_be_merged_again(host: Host) -> None:
    ada, other = host.user(), host.user()
    host.ok(host.send("POST", "/merges", json={"from_user": ada, "into_user": other}))

    refused(host.send("POST", "/merges", json={"from_user": ada, "into_user": other}), 409)
    refused(host.send("POST", "/merges", json={"from_user": "usr_nobody", "into_user": other}), 404)


async def test_who_does_not_use_a_shared_line_is_not_shown_it(host: Host) -> None:
    host.ok(host.send("PUT", f"/shared-lines/{ADA}", json={"members": [host.user()]}))

    assert host.get(f"/users/{host.user()}")["addresses"] == []


async def test_what_is_refused_takes_nobodys_prompt_away(host: Host) -> None:
    ada = await host.call("conv_1", SISTER)
    grace = await host.call("conv_2", caller=GRACE)
    merge = host.ok(host.send("POST", "/merges", json={"from_user": ada, "into_user": grace}))
    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))
    await host.house.work()

    refused(host.send("POST", f"/merges/{merge['id']}/undo"), 409)
    refused(host.send("POST", "/merges", json={"from_user": ada, "into_user": ada}), 409)
    refused(host.send("PUT", f"/shared-lines/{ADA}", json={"members": ["usr_nobody"]}), 404)

    assert "Maria" in host.house.platform.told(ADA)


async def test_the_agent_of_a_call_the_platform_never_asked_about_must_be_one_that_is_known(
    host: Host,
) -> None:
    ada = await host.call("conv_1", SISTER)
    caller = {"user_id": ada, "anywhere": True}

    refused(host.send("PUT", "/calls/conv_2/caller", json={**caller, "agent_id": "agent_nobody"}), 404)
    host.ok(host.send("PUT", "/calls/conv_2/caller", json={**caller, "agent_id": AGENT}))
    host.ok(host.send("PUT", "/calls/conv_2/caller", json=caller))  # says no more of the agent

    assert await host.house.query("select platform_id, agent_id from identifications") == [("conv_2", AGENT)]
