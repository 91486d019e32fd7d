"""Facts, open threads, thoughts and the relationship over the API: told on the next call, or told no more."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from api.conftest import Host, refused
from pretend.elevenlabs import ADA, AGENT

KINDS = {
    "facts": {"text": "Ada breeds kingfishers."},
    "thoughts": {"text": "Ask how the kingfishers are."},
    "threads": {"text": "You said you'd bring kingfisher food.", "kind": "promise", "said_by": "agent"},
}
SAID = "user: I'll send Maria the plum cake recipe tomorrow. I live in Lisbon."


async def ada(host: Host) -> str:
    return await host.call("conv_ada", SAID)


async def told(host: Host) -> str:
    await host.house.work()
    return host.house.platform.told(ADA)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_the_host_application_adds_is_told_on_the_next_call(host: Host, kind: str) -> None:
    user_id = await ada(host)

    made = host.send("POST", f"/users/{user_id}/{kind}", json={"agent_id": AGENT, **KINDS[kind]})

    assert made.status_code == 201
    assert made.headers["location"] == f"/api/{kind}/{made.json()['id']}"
    assert KINDS[kind]["text"] in await told(host)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_listed_names_the_messages_it_rests_on(host: Host, kind: str) -> None:
    user_id = await ada(host)
    host.ok(host.send("POST", f"/users/{user_id}/{kind}", json={"agent_id": AGENT, **KINDS[kind]}))

    items = host.get(f"/users/{user_id}/{kind}", agent_id=AGENT)["items"]

    by_hand = next(one for one in items if one["text"] == KINDS[kind]["text"])
    said = [one for one in items if one["text"] != KINDS[kind]["text"]]
    assert not by_hand.get("sources")
    assert not by_hand.get("conversation_id")
    assert all(one.get("sources") or one["conversation_id"] for one in said)
    assert host.get(f"/{kind}/{by_hand['id']}") == by_hand
    assert host.get(f"/users/{user_id}/{kind}", agent_id="agent_wren")["items"] == []


@pytest.mark.parametrize(
    ("kind", "away"),
    [
        ("facts", {"excluded": True}),
        ("thoughts", {"excluded": True}),
        ("thoughts", {"used": True}),
        ("thoughts", {"expires_at": "2026-11-17T10:00:00Z"}),
        ("threads", {"status": "closed"}),
        ("threads", {"status": "excluded"}),
    ],
)
async def test_what_is_put_away_is_told_no_more(host: Host, kind: str, away: dict[str, object]) -> None:
    user_id = await ada(host)
    one = host.ok(host.send("POST", f"/users/{user_id}/{kind}", json={"agent_id": AGENT, **KINDS[kind]}))
    assert KINDS[kind]["text"] in await told(host)

    host.ok(host.send("PATCH", f"/{kind}/{one['id']}", json=away))

    assert KINDS[kind]["text"] not in await told(host)


@pytest.mark.parametrize(
    ("kind", "away", "back"),
    [
        ("facts", {"excluded": True}, {"excluded": False}),
        ("thoughts", {"used": True}, {"used": False}),
        ("threads", {"status": "closed"}, {"status": "open"}),
    ],
)
async def test_what_was_put_away_can_be_brought_back(
    host: Host, kind: str, away: dict[str, object], back: dict[str, object]
) -> None:
    user_id = await ada(host)
    one = host.ok(host.send("POST", f"/users/{user_id}/{kind}", json={"agent_id": AGENT, **KINDS[kind]}))

    host.ok(host.send("PATCH", f"/{kind}/{one['id']}", json=away))
    host.ok(host.send("PATCH", f"/{kind}/{one['id']}", json=back))

    assert KINDS[kind]["text"] in await told(host)


@pytest.mark.parametrize("kind", KINDS)
async def test_who_changed_it_meanwhile_is_not_overwritten(host: Host, kind: str) -> None:
    user_id = await ada(host)
    made = host.send("POST", f"/users/{user_id}/{kind}", json={"agent_id": AGENT, **KINDS[kind]})
    path, seen = f"/{kind}/{made.json()['id']}", {"if-match": made.headers["etag"]}
    host.ok(host.send("PATCH", path, json={"pinned": True}, headers=seen))

    late = host.send("PATCH", path, json={"text": "Something else."}, headers=seen)

    refused(late, 412)
    assert host.get(path)["text"] == KINDS[kind]["text"]


@pytest.mark.parametrize("kind", KINDS)
async def test_of_several_who_change_it_at_once_one_does(host: Host, kind: str) -> None:
    user_id = await ada(host)
    made = host.send("POST", f"/users/{user_id}/{kind}", json={"agent_id": AGENT, **KINDS[kind]})
    path, seen = f"/{kind}/{made.json()['id']}", {"if-match": made.headers["etag"]}

    with ThreadPoolExecutor(5) as pool:
        late = list(
            pool.map(lambda _: host.send("PATCH", path, json={"pinned": True}, headers=seen), range(5))
        )

    assert sorted(one.status_code for one in late) == [200, 412, 412, 412, 412]


@pytest.mark.parametrize("kind", KINDS)
async def test_lists_come_a_page_at_a_time(host: Host, kind: str) -> None:
    user_id = await ada(host)
    for number in range(3):
        given = {**KINDS[kind], "agent_id": AGENT, "text": f"The {number}. of them."}
        host.ok(host.send("POST", f"/users/{user_id}/{kind}", json=given))
    every = host.get(f"/users/{user_id}/{kind}")["items"]

    first = host.get(f"/users/{user_id}/{kind}", limit=2)
    rest = host.get(f"/users/{user_id}/{kind}", cursor=first["next"])

    assert first["items"] + rest["items"] == every
    assert len(first["items"]) == 2
    assert rest["next"] is None


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_kept_is_refused(host: Host, kind: str) -> None:
    user_id = host.user()
    good = {"agent_id": AGENT, **KINDS[kind]}

    for wrong in ({"text": text} for text in ("", "  ", "a\0b", "x" * 1001, None)):
        assert "text" in refused(host.send("POST", f"/users/{user_id}/{kind}", json=good | wrong), 422)
    assert "nickname" in refused(
        host.send("POST", f"/users/{user_id}/{kind}", json=good | {"nickname": 1}), 422
    )


@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_nobody_knows_has_to_be_made_known_first(host: Host, kind: str) -> None:
    user_id = host.user()
    given = {"agent_id": "agent_new", **KINDS[kind]}
    refused(host.send("POST", f"/users/{user_id}/{kind}", json=given), 404)

    host.ok(host.send("PUT", "/agents/agent_new"))

    assert host.send("POST", f"/users/{user_id}/{kind}", json=given).status_code == 201


def test_a_row_that_is_not_there_is_not_found(host: Host) -> None:
    for kind in (*KINDS, "conversations", "merges"):
        assert "77" in refused(host.send("GET", f"/{kind}/77"), 404)


def test_an_id_that_cannot_be_one_is_refused(host: Host) -> None:
    for id_ in ("0", "-1", "9223372036854775808", "1" * 30, "x", "1.5"):
        refused(host.send("GET", f"/facts/{id_}"), 422)


# -- facts


async def test_a_fact_said_better_supersedes_the_old_one(host: Host) -> None:
    user_id = await ada(host)
    old = host.ok(host.send("POST", f"/users/{user_id}/facts", json={"agent_id": AGENT, **KINDS["facts"]}))

    host.house.clock.now += 1
    new = host.ok(host.send("PATCH", f"/facts/{old['id']}", json={"text": "Ada breeds herons."}))

    assert new["id"] != old["id"]
    assert host.get(f"/facts/{old['id']}")["superseded_by"] == new["id"]
    said = await told(host)
    assert "herons" in said
    assert "kingfishers" not in said


async def test_a_fact_says_whether_it_is_told_now(host: Host) -> None:
    user_id = await ada(host)
    given = {"agent_id": AGENT, **KINDS["facts"]}
    fact = host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))

    async def is_told() -> tuple[bool, bool]:
        [listed] = [one for one in host.get(f"/users/{user_id}/facts")["items"] if one["id"] == fact["id"]]
        single = host.get(f"/facts/{fact['id']}")
        assert single == listed
        return listed["told_now"], KINDS["facts"]["text"] in host.house.platform.told(ADA)

    assert (fact["told_now"], await is_told()) == (False, (False, False))
    await host.house.work()
    assert await is_told() == (True, True)
    changed = host.ok(host.send("PATCH", f"/facts/{fact['id']}", json={"excluded": True}))
    assert (changed["told_now"], await is_told()) == (True, (True, True))
    await host.house.work()
    assert await is_told() == (False, False)


async def test_what_is_told_to_one_agents_callers_alone_is_told_now(host: Host) -> None:
    user_id = await ada(host)
    host.ok(host.send("PUT", "/agents/agent_wren"))
    for agent in (AGENT, "agent_wren"):
        given = {"agent_id": agent, **KINDS["facts"]}
        host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))
    await host.house.work()
    await host.house.query("delete from cached_voice_prompts where agent_id = $1", AGENT)

    told = {one["agent_id"]: one["told_now"] for one in host.get(f"/users/{user_id}/facts")["items"]}

    assert (told[AGENT], told["agent_wren"]) == (False, True)


async def test_a_fact_worded_anew_keeps_where_it_was_said_and_when(host: Host) -> None:
    user_id = await host.call("conv_ada", "user: I live in Lisbon.")
    [old] = host.get(f"/users/{user_id}/facts")["items"]

    host.house.clock.now += 3 * 86400
    new = host.ok(host.send("PATCH", f"/facts/{old['id']}", json={"text": 'Ada: "I live in Lisboa."'}))

    kept = ("sources", "last_said_on", "times", "certainty")
    assert [new[name] for name in kept] == [old[name] for name in kept]
    first = {"origin": "digest", "said_on": old["said_on"], "said_in": ""}
    assert (new["origin"], new["edited"]) == ("api", {"text": old["text"], **first})
    assert old["edited"] is None


async def test_an_edit_is_taken_back(host: Host) -> None:
    user_id = await host.call("conv_ada", "user: I live in Lisbon.")
    [old] = host.get(f"/users/{user_id}/facts")["items"]
    new = host.send("PATCH", f"/facts/{old['id']}", json={"text": "Ada lives by the sea.", "pinned": True})
    assert "by the sea" in await told(host)
    path, seen = f"/facts/{new.json()['id']}", {"if-match": new.headers["etag"]}
    refused(host.send("POST", f"{path}/undo", headers={"if-match": '"7"'}), 412)

    restored = host.send("POST", f"{path}/undo", headers=seen)

    since = {"version", "updated_at", "told_now"}
    assert {k: v for k, v in host.ok(restored).items() if k not in since} == {
        k: v for k, v in {**old, "pinned": True}.items() if k not in since
    }
    assert host.get(f"/facts/{old['id']}") == restored.json()
    assert restored.headers["etag"] == f'"{restored.json()["version"]}"'
    assert "by the sea" not in await told(host)
    refused(host.send("POST", f"{path}/undo"), 404)
    refused(host.send("POST", f"/facts/{old['id']}/undo"), 409)


async def test_what_holds_until_a_day_to_come_is_current_until_then(host: Host) -> None:
    user_id = await ada(host)
    for given in (
        {"text": "Ada lives in Porto.", "topic": "home"},
        {"text": "Ada lives in Lisbon.", "topic": "home", "valid_from": "2026-12-01"},
    ):
        host.ok(host.send("POST", f"/users/{user_id}/facts", json={"agent_id": AGENT, **given}))
        host.house.clock.now += 1

    async def current() -> list[str]:
        rows = host.get(f"/users/{user_id}/facts", current=True)["items"]
        return [row["text"] for row in rows if row["topic"] == "home"]

    assert await current() == ["Ada lives in Porto.", "Ada lives in Lisbon."]
    assert "Porto" in await told(host)
    host.house.clock.set_to("2026-12-01T09:00:00+00:00")
    assert await current() == ["Ada lives in Lisbon."]


async def test_a_due_date_that_is_taken_away_is_gone(host: Host) -> None:
    user_id = await ada(host)
    given = {"agent_id": AGENT, **KINDS["threads"], "due": "2026-12-01"}
    thread = host.ok(host.send("POST", f"/users/{user_id}/threads", json=given))

    assert (
        host.ok(host.send("PATCH", f"/threads/{thread['id']}", json={"pinned": True}))["due"] == "2026-12-01"
    )
    assert host.ok(host.send("PATCH", f"/threads/{thread['id']}", json={"due": None}))["due"] is None


async def test_a_thought_lasts_two_weeks_unless_said_otherwise(host: Host) -> None:
    user_id = await ada(host)

    one = host.ok(
        host.send("POST", f"/users/{user_id}/thoughts", json={"agent_id": AGENT, **KINDS["thoughts"]})
    )

    made, until = (datetime.fromisoformat(one[name]) for name in ("created_at", "expires_at"))
    assert until - made == timedelta(days=14)


def test_a_moment_without_its_offset_is_nobodys_moment(host: Host) -> None:
    given = {"agent_id": AGENT, **KINDS["thoughts"], "expires_at": "2026-12-01T10:00:00"}

    assert "timezone" in refused(host.send("POST", f"/users/{host.user()}/thoughts", json=given), 422)


# -- the relationship


async def test_a_relationship_that_was_set_is_told(host: Host) -> None:
    user_id = await ada(host)

    row = host.ok(
        host.send(
            "PUT",
            f"/users/{user_id}/relationship",
            params={"agent_id": AGENT},
            json={
                "chapter": "old friends",
                "score": 0.8,
                "metrics": {"intimacy": 0.5, "passion": 0, "trust": 1, "secureness": 0.5},
                "backstory": "They met over a lost umbrella.",
            },
        )
    )

    assert row["state"]["metrics"]["trust"] == 1
    assert "They met over a lost umbrella." in await told(host)


async def test_what_is_left_out_of_a_relationship_stays(host: Host) -> None:
    user_id = await ada(host)
    for given in ({"chapter": "old friends"}, {"engagement": "keen"}):
        host.ok(host.send("PUT", f"/users/{user_id}/relationship", params={"agent_id": AGENT}, json=given))

    state = host.get(f"/users/{user_id}/relationship", agent_id=AGENT)["state"]

    assert (state["chapter"], state["engagement"]) == ("old friends", "keen")


async def test_a_stale_relationship_is_not_set(host: Host) -> None:
    user_id = await ada(host)
    where = {"params": {"agent_id": AGENT}, "headers": {"if-match": '"0"'}}
    host.ok(host.send("PUT", f"/users/{user_id}/relationship", json={"chapter": "old friends"}, **where))

    refused(host.send("PUT", f"/users/{user_id}/relationship", json={"chapter": "strangers"}, **where), 412)


def test_a_score_beyond_its_bounds_is_refused(host: Host) -> None:
    path, where = f"/users/{host.user()}/relationship", {"agent_id": AGENT}

    for score in (-0.1, 1.1, "high", None):
        assert "score" in refused(host.send("PUT", path, params=where, json={"score": score}), 422)
