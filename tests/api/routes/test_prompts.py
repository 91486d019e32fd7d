"""Prompts over the API: which were served, what they say and why, what changed, and what a call would get
now."""

import json
from datetime import timedelta

from api.conftest import Host, refused
from pretend.elevenlabs import ADA, AGENT, GRACE, ended_call

SISTER = "user: My sister Maria moves to Lisbon tomorrow, I'll send her the plum cake recipe."


def pre_call(host: Host, caller: str = ADA, **more: object) -> bytes:
    """What the platform would get, byte for byte."""
    asked = {
        "caller_id": caller,
        "called_number": "+14155550199",
        "agent_id": AGENT,
        "call_sid": "CA1",
        **more,
    }
    return host.house.platform.post_pre_call(json.dumps(asked).encode()).content


def voice_context(host: Host, user_id: str, agent: str = AGENT) -> bytes:
    response = host.send("GET", f"/users/{user_id}/voice-context", params={"agent_id": agent})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    return response.content


# -- the voice context


async def test_the_voice_context_is_the_pre_calls_answer_byte_for_byte(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    at = host.house.clock.now

    for later in (0, 59, 3600, 6 * 3600, 14 * 3600, 40 * 3600, 400 * 3600):
        host.house.clock.now = at + later

        assert voice_context(host, user_id) == pre_call(host), timedelta(seconds=later)

    assert b"Maria" in voice_context(host, user_id)


async def test_it_is_so_without_redis_too(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    before = pre_call(host)
    await host.house.worker.redis.flushdb()

    assert voice_context(host, user_id) == before


async def test_it_says_that_the_notes_of_a_call_are_not_in_yet(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    pre_call(host, conversation_id="conv_2")

    answer = voice_context(host, user_id)

    assert answer == pre_call(host, conversation_id="conv_3")
    assert answer != pre_call(host)


async def test_a_user_who_never_talked_gets_the_default_under_their_id(host: Host) -> None:
    user_id = host.user(addresses=[GRACE])

    answer = json.loads(voice_context(host, user_id))

    default = json.loads(pre_call(host, GRACE))
    assert answer == {**default, "user_id": user_id}


async def test_a_call_made_with_it_comes_back_to_the_same_user(host: Host) -> None:
    user_id = host.user()
    given = json.loads(voice_context(host, user_id))["user_id"]

    event = ended_call("conv_out", (SISTER,), ended=host.house.clock(), caller=GRACE, user_id=given)
    host.house.platform.post_call(event)
    await host.house.work()

    assert b"Maria" in voice_context(host, user_id)


def test_the_voice_context_of_nobody_is_not_found(host: Host) -> None:
    refused(host.send("GET", "/users/usr_nobody/voice-context", params={"agent_id": AGENT}), 404)


def test_the_voice_context_needs_its_agent(host: Host) -> None:
    assert "agent_id" in refused(host.send("GET", f"/users/{host.user()}/voice-context"), 422)


# -- what was served


async def test_a_conversation_names_the_prompt_it_began_with(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    await host.call("conv_2")

    second, first = host.get(f"/users/{user_id}/conversations")["items"]
    whole = host.get(f"/conversations/{second['id']}")

    assert (first["platform_id"], second["platform_id"]) == ("conv_1", "conv_2")
    assert whole["prompt_kept"]
    prompt = host.get(f"/users/{user_id}/prompts/{second['prompt_version']}", agent_id=AGENT)
    assert "Maria" in prompt["prompt"]
    assert [one["content"] for one in host.get(f"/conversations/{first['id']}")["messages"]] == [
        SISTER.removeprefix("user: ")
    ]
    assert host.get(f"/conversations/{first['id']}")["understood"]["source"] == "extractive"


async def test_a_prompt_explains_what_it_rests_on_and_what_it_left_out(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    for number in range(7):
        given = {"agent_id": AGENT, "kind": "topic", "text": f"They spoke of the {number}. plan."}
        host.ok(host.send("POST", f"/users/{user_id}/threads", json=given))
    await host.house.work()

    newest = host.get(f"/users/{user_id}/prompts")["items"][0]
    snapshot = host.get(f"/users/{user_id}/prompts/{newest['version']}", agent_id=AGENT)["snapshot"]

    assert newest["cached"]
    sections = {one["name"]: one for one in snapshot["sections"]}
    assert sections["last_time"]["sources"]
    assert [one for one in snapshot["dropped"] if one["section"] == "open_threads"]


async def test_a_thought_that_was_served_is_named_in_the_conversation(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    thought = host.ok(
        host.send("POST", f"/users/{user_id}/thoughts", json={"agent_id": AGENT, "text": "Ask after Maria."})
    )
    await host.house.work()

    await host.call("conv_2")

    latest = host.get(f"/users/{user_id}/conversations")["items"][0]
    assert host.get(f"/conversations/{latest['id']}")["thoughts_used"] == [thought["id"]]
    assert host.get(f"/thoughts/{thought['id']}")["used_in"] == latest["id"]


async def test_two_prompts_are_compared_as_text_and_by_section(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    fact = host.ok(
        host.send(
            "POST", f"/users/{user_id}/facts", json={"agent_id": AGENT, "text": "Ada breeds kingfishers."}
        )
    )
    await host.house.work()
    after, before = (one["version"] for one in host.get(f"/users/{user_id}/prompts")["items"][:2])

    difference = host.get(f"/users/{user_id}/prompt-difference", agent_id=AGENT, before=before, after=after)

    assert "+- Ada breeds kingfishers." in difference["text"]
    memory = next(one for one in difference["sections"] if one["name"] == "long_term_memory")
    assert memory["came"] == [f"facts/{fact['id']}"]
    assert memory["tokens_after"] > memory["tokens_before"]


async def test_a_prompt_is_no_different_from_itself(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    version = host.get(f"/users/{user_id}/prompts")["items"][0]["version"]

    difference = host.get(
        f"/users/{user_id}/prompt-difference", agent_id=AGENT, before=version, after=version
    )

    assert (difference["text"], difference["sections"]) == ("", [])


def test_a_prompt_that_is_not_kept_says_so(host: Host) -> None:
    late = host.send("GET", f"/users/{host.user()}/prompts/v0", params={"agent_id": AGENT})

    assert "PROMPTS_KEPT_DAYS" in refused(late, 404)


async def test_prompts_and_conversations_come_a_page_at_a_time(host: Host) -> None:
    for number in range(3):
        host.house.clock.now += 3600
        user_id = await host.call(f"conv_{number}", f"user: I bought {number} umbrellas.")

    for kind in ("prompts", "conversations"):
        every = host.get(f"/users/{user_id}/{kind}")["items"]
        first = host.get(f"/users/{user_id}/{kind}", limit=1)
        rest = host.get(f"/users/{user_id}/{kind}", cursor=first["next"])
        assert len(every) >= 3
        assert first["items"] + rest["items"] == every


async def test_a_rebuild_can_be_asked_for(host: Host) -> None:
    user_id = await host.call("conv_1", SISTER)
    await host.house.query("delete from cached_voice_prompts")

    asked = host.send("POST", f"/users/{user_id}/rebuild")
    await host.house.work()

    assert (asked.status_code, asked.json()) == (202, {"agents": [AGENT]})
    assert await host.house.query("select user_id from cached_voice_prompts") == [(user_id,)]
