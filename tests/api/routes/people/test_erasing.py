"""Erasing over the API: a conversation, or a whole user, and nothing is left of it."""

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from api.conftest import Host, refused
from conftest import House
from pretend.agent import Agent
from pretend.elevenlabs import ADA, AGENT, GRACE, NOBODY_KNOWS, Event, ended_call
from pretend.embedder import PretendEmbedder
from pretend.model import PretendModel, finds, well
from redis.asyncio import Redis

from voice_server.commands import event_log
from voice_server.jobs import index
from voice_server.jobs.day_summaries import DaySegments
from voice_server.jobs.digest_conversations import DigestJob
from voice_server.operations.people import erasing
from voice_server.queue import prompt_requests
from voice_server.settings import Settings
from voice_server.store.knowledge import thoughts
from voice_server.store.people import identifications
from voice_server.store.tables import metadata

OpenHouse = Callable[[Settings], House]

HOUR = 3600
WORD = "zorblax"  # said in the call that is erased, and nowhere else
CAT = ("agent: Hello!", f"user: My cat is called {WORD.title()}. I live in Porto with {WORD.title()}.")
ROSES = ("agent: Hello!", "user: I grow roses in the garden behind the house.")
PROMISE = ("user: I need the recipe for the plum cake.", "agent: I'll send you the recipe tomorrow.")
HOME = ("agent: Hello!", "user: I live near the river in Porto.")
SPELLED = """
select table_name::text, column_name::text, data_type = 'bytea' from information_schema.columns
where table_schema = 'public' and data_type in ('text', 'jsonb', 'bytea', 'ARRAY', 'character varying')
"""
EVENTS = "select status, body = '', reason from webhook_events where conversation_id = $1 order by id"
ERASED = ("erased", True, "its conversation was erased")


async def id_of(host: Host, name: str) -> int:
    [(id_,)] = await host.house.query("select id from conversations where platform_id = $1", name)
    return int(id_)


async def erase(host: Host, name: str) -> None:
    """Erase a conversation; what that makes necessary is still to be done."""
    gone(host, f"/conversations/{await id_of(host, name)}")


async def erased(host: Host, name: str) -> None:
    await erase(host, name)
    await host.house.work()


def gone(host: Host, path: str) -> None:
    response = host.send("DELETE", path)
    assert (response.status_code, response.content) == (204, b""), response.text


async def places(house: House, word: str) -> list[str]:
    """The columns of all tables, the queue's too, in which a word can be found."""
    looks = []
    for table, column, is_bytes in await house.query(SPELLED):
        text = f"encode({column}, 'escape')" if is_bytes else f"{column}::text"
        looks.append(f"select '{table}.{column}' from {table} where position($1 in lower({text})) > 0")  # noqa: S608 (our own)
    return sorted(name for (name,) in await house.query(" union ".join(looks), word.lower()))


async def talked(host: Host, *calls: tuple[str, Sequence[str]], caller: str = ADA) -> str:
    """One call after the other, an hour apart, and all are understood; the caller's user id."""
    for name, said in calls:
        told = host.house.platform.pre_call(caller, conversation=name)
        host.house.clock.now += HOUR
        version = told["dynamic_variables"]["prompt_version"]
        host.house.platform.post_call(event(host, name, said, caller=caller, prompt_version=version))
    await host.house.work()
    return str(host.get("/users", address=caller)["items"][0]["id"])


async def facts(host: Host, user_id: str) -> dict[str, Any]:
    return {one["text"]: one for one in host.get(f"/users/{user_id}/facts")["items"]}


def change(host: Host, fact: Any, **changes: Any) -> Any:
    return host.ok(host.send("PATCH", f"/facts/{fact['id']}", json=changes))


def event(host: Host, name: str, said: Sequence[str] = CAT, **more: Any) -> Event:
    return ended_call(name, said, ended=host.house.clock(), **more)


# -- a conversation


async def test_a_word_is_in_many_places_and_after_erasing_in_none(host: Host) -> None:
    await talked(host, ("conv_1", ROSES), ("conv_2", CAT), ("conv_3", ROSES))
    before = await places(host.house, WORD)

    await erased(host, "conv_2")

    assert {"messages.content", "webhook_events.body", "facts.text", "digests.summary"} < {*before}
    assert {"generated_prompts.prompt", "cached_voice_prompts.entry", "search_words.lexeme"} < {*before}
    assert "day_segments.summary" in before
    assert await places(host.house, WORD) == []


async def test_everything_is_as_if_it_had_never_been(host: Host) -> None:
    again = "user: My cat sleeps in Porto, my cat plays in Porto, and my dog digs under the old apple tree."
    first, second, third = ("conv_1", PROMISE), ("conv_2", CAT), ("conv_3", (PROMISE[0], *ROSES, again))

    async def memory() -> list[Any]:
        tables = {
            "facts": "text, key, times, said_on, last_said_on, pinned, topic",
            "open_threads": "kind, text, status, due",
            "thoughts": "text, used_at",
            "digests": "summary, keywords, stems",
            "day_segments": "day, messages, summary, source",
            "search_words": "lexeme, places",
        }
        asked = [f"select {what} from {table} order by 1, 2" for table, what in tables.items()]  # noqa: S608 (our own)
        found = [await host.house.query(sql) for sql in asked]
        return [host.house.platform.told(ADA), *found]

    start = host.house.clock.now
    await talked(host, first, second, third)
    await erased(host, "conv_2")
    after = await memory()
    tables = "agents, users, webhook_events, conversations, pending_work, pgqueuer, pgqueuer_log, erasures"
    await host.house.query(f"truncate {tables} cascade")
    await host.house.worker.redis.flushdb()
    host.house.clock.now = start
    await talked(host, first)
    host.house.clock.now += HOUR
    await talked(host, third)

    assert after == await memory()


async def test_it_is_not_there_any_more(host: Host) -> None:
    user_id = await host.call("conv_1", *CAT)
    path = f"/conversations/{await id_of(host, 'conv_1')}"

    gone(host, path)

    assert "There is no conversation" in refused(host.send("GET", path), 404)
    assert "There is no conversation" in refused(host.send("DELETE", path), 404)
    assert host.get(f"/users/{user_id}/conversations")["items"] == []


async def test_a_fact_that_rests_on_it_alone_goes_whatever_a_person_made_of_it(host: Host) -> None:
    user_id = await host.call("conv_1", *CAT, "user: I work as a baker.")
    made = sorted(one["id"] for one in (await facts(host, user_id)).values())
    for flag, id_ in zip(("pinned", "excluded", "flagged"), made, strict=True):
        await host.house.query(f"update facts set {flag} = true, version = 2 where id = $1", id_)  # noqa: S608 (our own)

    await erased(host, "conv_1")

    assert await facts(host, user_id) == {}


async def test_a_fact_that_another_call_says_too_stays_and_rests_on_that(host: Host) -> None:
    user_id = await talked(host, ("conv_1", HOME), ("conv_2", HOME))
    [fact] = (await facts(host, user_id)).values()
    change(host, fact, pinned=True)
    second = await id_of(host, "conv_2")

    await erased(host, "conv_1")

    [stays] = (await facts(host, user_id)).values()
    assert [one["conversation_id"] for one in stays["sources"]] == [second]
    assert (stays["id"], stays["times"], stays["pinned"]) == (fact["id"], 1, True)


async def test_what_a_person_made_of_such_a_fact_goes_with_it(host: Host) -> None:
    user_id = await host.call("conv_1", *HOME)
    [fact] = (await facts(host, user_id)).values()
    edit = change(host, fact, text="Ada lives in Braga.", pinned=True)
    change(host, edit, text="Ada lives in Faro.")
    host.ok(host.send("POST", f"/users/{user_id}/facts", json={"agent_id": AGENT, "text": "Ada sings."}))

    await erased(host, "conv_1")

    assert {*await facts(host, user_id)} == {"Ada sings."}


async def test_an_edit_goes_with_it_though_nothing_says_any_more_what_was_edited(host: Host) -> None:
    user_id = await host.call("conv_1", *HOME)
    [fact] = (await facts(host, user_id)).values()
    change(host, fact, text="Ada breeds herons.")
    await host.house.query("update digests set claims = '[]'")
    host.ok(host.send("POST", f"/users/{user_id}/facts", json={"agent_id": AGENT, "text": "Ada sings."}))
    assert {*await facts(host, user_id)} == {"Ada breeds herons.", "Ada sings."}

    await erased(host, "conv_1")

    assert {*await facts(host, user_id)} == {"Ada sings."}


async def test_an_edit_of_what_another_call_says_too_stays_and_rests_on_that(host: Host) -> None:
    user_id = await talked(host, ("conv_1", HOME), ("conv_2", HOME))
    [fact] = (await facts(host, user_id)).values()
    change(host, fact, text="Ada breeds herons.")
    first, second = await id_of(host, "conv_1"), await id_of(host, "conv_2")

    await erased(host, "conv_1")

    edited = (await facts(host, user_id))["Ada breeds herons."]
    assert [one["conversation_id"] for one in edited["sources"]] == [second]
    assert (edited["edited"]["text"], edited["times"]) == (fact["text"], 1)
    [(kept,)] = await host.house.query("select provenance::text from facts where provenance is not null")
    assert (f'"conversation_id": {first}' in kept, f'"conversation_id": {second}' in kept) == (False, True)


async def test_an_edit_of_what_was_noted_in_it_and_elsewhere_does_not_name_it_any_more(host: Host) -> None:
    user_id = await host.call("conv_1", *ROSES)
    agent = Agent(host.house)
    for call in ("conv_2", "conv_3"):
        agent.begin(call)
        assert agent.use("memory.add", call, text="The caller is allergic to nuts.") == {"added": True}
        host.house.platform.post_call(event(host, call))
        await host.house.work()
    noted = [one for one in host.get(f"/users/{user_id}/facts")["items"] if one["said_in"]]
    first = next(one for one in noted if one["said_in"] == "conv_2")
    edit = change(host, first, text="The caller is allergic to peanuts.")
    assert edit["edited"]["said_in"] == "conv_2"

    await erased(host, "conv_2")

    assert host.get(f"/facts/{edit['id']}")["edited"]["said_in"] == ""


async def test_what_a_tool_noted_in_it_goes_whatever_a_person_made_of_it(host: Host) -> None:
    user_id = await host.call("conv_1", *ROSES)
    agent = Agent(host.house)
    agent.begin("conv_2")
    for flag in ("pinned", "excluded", ""):
        text = f"Ada is allergic to {WORD} and what is {flag}."
        assert agent.use("memory.add", "conv_2", text=text) == {"added": True}
        if flag:
            change(host, (await facts(host, user_id))[text], **{flag: True})
    host.house.platform.post_call(event(host, "conv_2"))
    await host.house.work()

    await erased(host, "conv_2")

    assert await places(host.house, WORD) == []


async def test_a_thread_that_it_closed_is_open_again(host: Host, house: House) -> None:
    user_id = await host.call("conv_1", *PROMISE)
    await host.call("conv_2", *ROSES)
    [(thread,)] = await house.query("select id from open_threads")
    second = await id_of(host, "conv_2")
    await house.query(
        "update digests set closes = array[$1::bigint] where conversation_id = $2", thread, second
    )
    closed = "update open_threads set status = 'closed', closed_by = $1, closed_at = now()"
    await house.query(closed, second)

    await erased(host, "conv_2")

    [left] = host.get(f"/users/{user_id}/threads")["items"]
    assert (left["status"], left["closed_by"], left["closed_at"]) == ("open", None, None)


async def test_a_thought_that_was_told_in_it_can_be_told_again(host: Host, house: House) -> None:
    user_id = await host.call("conv_1", *ROSES)
    now = datetime.fromtimestamp(house.clock(), UTC)
    async with house.worker.engine.begin() as connection:
        wonder, week = "I wonder how the roses are.", now + timedelta(days=7)
        await thoughts.add(connection, user_id, AGENT, wonder, at=now, expires_at=week)
        await prompt_requests.request(connection, user_id, AGENT)
    await house.work()
    await host.call("conv_2", *CAT)
    assert wonder not in house.platform.told(ADA)

    await erased(host, "conv_2")

    assert wonder in house.platform.told(ADA)


async def test_from_the_commit_on_the_default_is_told_until_the_prompt_is_made_anew(host: Host) -> None:
    await host.call("conv_1", *ROSES)
    await host.call("conv_2", *CAT)
    default = host.house.platform.told(NOBODY_KNOWS)

    await erase(host, "conv_2")

    assert host.house.platform.told(ADA) == default
    assert await host.house.query("select 1 from cached_voice_prompts") == []
    await host.house.work()
    assert "roses" in host.house.platform.told(ADA)


async def test_from_the_commit_on_no_day_tells_of_it(host: Host) -> None:
    await talked(host, ("conv_1", CAT), ("conv_2", ROSES))

    await erase(host, "conv_1")

    assert await host.house.query("select summary, cardinality(sources) from day_segments") == [("", 1)]


async def test_later_calls_are_understood_without_knowing_it(host: Host) -> None:
    await talked(host, ("conv_1", CAT), ("conv_2", ROSES))

    await erase(host, "conv_1")

    asked = "select platform_id from conversations where digest_state = 'later'"
    assert await host.house.query(asked) == [("conv_2",)]


async def test_prompts_from_before_it_began_stay(host: Host, house: House) -> None:
    user_id = await host.call("conv_1", *ROSES)
    await house.query("update generated_prompts set created_at = '2026-11-01'")
    before = [one["version"] for one in host.get(f"/users/{user_id}/prompts")["items"]]
    await host.call("conv_2", *CAT)

    await erase(host, "conv_2")

    assert [one["version"] for one in host.get(f"/users/{user_id}/prompts")["items"]] == before


async def test_the_events_of_later_calls_no_longer_repeat_what_those_were_told(host: Host) -> None:
    await host.call("conv_1", *CAT)
    said = event(host, "conv_2", ROSES)
    told = {"agent": {"prompt": {"prompt": host.house.platform.told(ADA)}}}
    said["data"]["conversation_initiation_client_data"]["conversation_config_override"] = told
    host.house.platform.post_call(said)
    await host.house.work()

    await erased(host, "conv_1")

    assert await places(host.house, WORD) == []
    assert await host.house.query(EVENTS, "conv_2") == [("ingested", True, "")]


async def test_what_a_tool_quoted_of_it_in_a_later_call_goes(host: Host) -> None:
    await host.call("conv_1", *CAT)
    agent = Agent(host.house)
    agent.begin("conv_2")
    said = event(host, "conv_2", ROSES)
    for name in ("conversation.search", "memory.search"):
        answer = json.dumps(agent.use(name, "conv_2", query=WORD))
        assert WORD in answer.lower()
        said["data"]["transcript"][1]["tool_results"] += [{"tool_name": name, "result_value": answer}]
    host.house.platform.post_call(said)
    await host.house.work()

    await erased(host, "conv_1")

    assert await places(host.house, WORD) == []


async def test_its_events_are_emptied_and_cannot_be_replayed(host: Host, settings: Settings) -> None:
    await host.call("conv_1", *CAT)
    await erased(host, "conv_1")
    [(number,)] = await host.house.query("select id from webhook_events")

    assert await host.house.query(EVENTS, "conv_1") == [ERASED]
    assert not await event_log.replay(settings, number)


async def test_the_same_event_sent_again_changes_nothing(host: Host) -> None:
    said = event(host, "conv_1")
    host.house.platform.post_call(said)
    await host.house.work()
    await erased(host, "conv_1")

    answer = host.house.platform.post_call(said)
    await host.house.work()

    assert answer.json() == {"status": "duplicate"}
    assert await places(host.house, WORD) == []


async def test_a_later_event_of_it_is_emptied_unread_also_when_the_first_is_not_kept(host: Host) -> None:
    await host.call("conv_1", *CAT)
    await erased(host, "conv_1")
    await host.house.query("delete from webhook_events")

    later = event(host, "conv_1") | {"event_timestamp": int(host.house.clock()) + HOUR}
    for one in (later, later | {"type": "something_new"}, {**later, "data": {"conversation_id": "conv_1"}}):
        host.house.platform.post_call({**one, "event_timestamp": later["event_timestamp"] + len(str(one))})
    await host.house.work()

    assert await places(host.house, WORD) == []
    assert {*await host.house.query(EVENTS, "conv_1")} == {ERASED}
    assert await host.house.query("select 1 from conversations") == []


async def test_an_event_of_it_that_waits_meanwhile_is_not_ingested(host: Host) -> None:
    await host.call("conv_1", *CAT)
    host.house.clock.now += HOUR
    host.house.platform.post_call(event(host, "conv_1"))

    await erased(host, "conv_1")

    assert await host.house.query(EVENTS, "conv_1") == [ERASED, ERASED]
    assert await places(host.house, WORD) == []


async def test_what_redis_knows_of_it_goes(host: Host) -> None:
    await host.call("conv_0", *ROSES)
    agent = Agent(host.house)
    agent.begin("conv_1")
    agent.use("conversation.search", "conv_1", query="roses")
    agent.use("memory.add", "conv_1", text="Ada grows roses.")
    host.house.platform.post_call(event(host, "conv_1"))
    await host.house.work()
    keys = [*await host.house.keys("voice:call:conv_1"), *await host.house.keys("voice:quota:*conv_1")]
    assert len(keys) == 3

    await erased(host, "conv_1")

    assert [one for one in keys if await host.house.keys(one)] == []
    assert "notes of that call" not in host.house.platform.told(ADA, conversation="conv_2")


@pytest.mark.parametrize("what", ["the conversation", "the user"])
async def test_for_whom_it_was_taken_first_no_prompt_tells_of_it(host: Host, what: str) -> None:
    await host.call("conv_0", *ROSES)
    grace = host.user(addresses=[GRACE])
    await host.call("conv_1", *CAT)
    host.ok(host.send("PUT", "/calls/conv_1/caller", json={"user_id": grace, "anywhere": True}))
    await host.house.work()

    gone(host, f"/users/{grace}" if what == "the user" else f"/conversations/{await id_of(host, 'conv_1')}")
    await host.house.work()

    assert await places(host.house, WORD) == []
    assert await host.house.query("select 1 from identifications") == []
    assert "roses" in host.house.platform.told(ADA)


async def test_a_call_of_nobody_is_erased(host: Host) -> None:
    host.house.platform.post_call(event(host, "conv_1", caller="anonymous"))
    await host.house.work()
    assert await host.house.query("select user_id from conversations") == [(None,)]

    await erased(host, "conv_1")

    assert await places(host.house, WORD) == []


async def test_a_chat_is_erased_as_a_call_is(host: Host) -> None:
    user_id = await host.call("conv_1", *ROSES)
    said = [{"role": "user", "content": f"I saw {WORD.title()} in Porto with my sister Maria."}]
    body = {"agent_id": AGENT, "messages": said, "ended": True}
    chat = host.ok(host.send("POST", f"/users/{user_id}/chats/chat_1/messages", json=body))
    await host.house.work()

    gone(host, f"/conversations/{chat['conversation_id']}")
    await host.house.work()

    assert await places(host.house, WORD) == []
    assert "roses" in host.house.platform.told(ADA)


async def test_a_chat_goes_on_behind_what_was_erased_of_it(host: Host) -> None:
    user_id = await host.call("conv_1", *ROSES)
    path = f"/users/{user_id}/chats/chat_1/messages"
    said = [
        {"role": "user", "content": f"I saw {WORD.title()} in Porto."},
        {"role": "agent", "content": "Nice."},
    ]
    chat = host.ok(host.send("POST", path, json={"agent_id": AGENT, "messages": said, "ended": True}))
    gone(host, f"/conversations/{chat['conversation_id']}")
    more = [*said, {"role": "user", "content": "I grow roses."}]

    again = host.ok(host.send("POST", path, json={"agent_id": AGENT, "messages": more, "first": 0}))
    await host.house.work()

    assert again["messages"] == 3
    assert await places(host.house, WORD) == []


async def test_a_users_chats_are_erased_with_their_ids(host: Host) -> None:
    user_id, other = await host.call("conv_1", *ROSES), host.user()
    body = {"agent_id": AGENT, "messages": [{"role": "user", "content": "I grow roses."}]}
    for chat in ("chat_1", "chat_2"):
        host.ok(host.send("POST", f"/users/{user_id}/chats/{chat}/messages", json=body))

    gone(host, f"/users/{user_id}")

    assert await host.house.query("select 1 from sittings") == []
    host.ok(host.send("POST", f"/users/{other}/chats/chat_1/messages", json=body))


async def test_others_keep_all_that_is_theirs(host: Host) -> None:
    host.report("conv_g", *ROSES, caller=GRACE)
    await host.call("conv_1", *CAT)
    before = host.house.platform.told(GRACE)

    await erase(host, "conv_1")

    assert host.house.platform.told(GRACE) == before


async def test_without_redis_it_is_erased_and_a_call_then_is_told_nothing_of_it(host: Host) -> None:
    await host.call("conv_1", *CAT)
    nowhere = Redis.from_url("redis://127.0.0.1:1", socket_connect_timeout=0.1)
    async with host.house.worker.engine.begin() as connection:
        await erasing.conversation(connection, nowhere, await id_of(host, "conv_1"))
    await nowhere.aclose()
    await host.house.work()

    assert await places(host.house, WORD) == []
    assert WORD not in host.house.platform.told(ADA).lower()


# -- meanwhile


def once(host: Host, conversation_id: int) -> Callable[[], None]:
    """Erases it, the first time it is called."""
    left = [f"/conversations/{conversation_id}"]

    def meanwhile() -> None:
        if left:
            gone(host, left.pop())

    return meanwhile


async def ingested(host: Host, name: str) -> int:
    """A call that is stored, and of which nothing is understood yet; its id."""
    await host.call(name, "agent: Hello?")
    host.house.clock.now += HOUR
    id_ = await id_of(host, name)
    host.house.platform.post_call(event(host, name))
    return id_


@pytest.mark.parametrize(
    ("where", "name"), [(DigestJob, "understand"), (DaySegments, "_make"), (index, "_index")]
)
async def test_a_job_that_had_read_it_brings_nothing_back(
    host: Host, monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    erase_it = once(host, await ingested(host, "conv_1"))
    real = getattr(where, name)

    def meanwhile(*arguments: Any) -> Any:
        made = real(*arguments)
        erase_it()
        return made

    monkeypatch.setattr(where, name, meanwhile)
    await host.house.work()

    assert await host.house.query("select 1 from conversations") == []
    assert await places(host.house, WORD) == []


DIGESTED = "select 1 from digests join conversations on id = conversation_id where platform_id = $1"


@pytest.mark.parametrize("what", ["the conversation", "the user"])
async def test_a_rebuild_that_had_read_it_brings_nothing_back(
    host: Host, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    user_id = await host.call("conv_1", *ROSES)
    build, begun, told = host.house.worker.rebuild.build, False, list[str]()

    async def meanwhile(*arguments: Any, **more: Any) -> Any:
        nonlocal begun
        built = await build(*arguments, **more)
        if begun:
            told.append(await asyncio.to_thread(host.house.platform.told, ADA))
        elif await host.house.query(DIGESTED, "conv_2"):
            begun = True
            id_ = await id_of(host, "conv_2")
            path = f"/users/{user_id}" if what == "the user" else f"/conversations/{id_}"
            await asyncio.to_thread(gone, host, path)  # other jobs are in the middle of something, and go on
        return built

    monkeypatch.setattr(host.house.worker.rebuild, "build", meanwhile)
    host.house.platform.post_call(event(host, "conv_2"))
    await host.house.work()

    assert begun
    assert not any(WORD in one.lower() for one in [*told, host.house.platform.told(ADA)])
    assert await places(host.house, WORD) == []


async def test_a_model_that_was_reading_it_brings_nothing_back(
    open_house: OpenHouse, settings: Settings, model: PretendModel
) -> None:
    wise = {"llm_model": "openai-chat:pretend", "llm_base_url": model.url}
    host = Host(open_house(settings.model_copy(update=wise)))
    model.otherwise = well(finds(f"The caller's cat is called {WORD.title()}."))
    id_ = await ingested(host, "conv_1")
    model.meanwhile = once(host, id_)

    await host.house.work()

    assert model.asked
    assert await places(host.house, WORD) == []


async def test_an_embedder_that_was_reading_it_brings_nothing_back(
    open_house: OpenHouse, settings: Settings, embedder: PretendEmbedder
) -> None:
    given = {"embedding_model": "openai:pretend", "embedding_base_url": embedder.url}
    host = Host(open_house(settings.model_copy(update=given)))
    await host.house.worker.embed.wake() if host.house.worker.embed else None
    id_ = await ingested(host, "conv_1")
    embedder.meanwhile = once(host, id_)

    await host.house.work()

    assert embedder.asked
    assert await host.house.query("select 1 from embeddings") == []
    assert await host.house.query("select 1 from vectors") == []


async def test_a_merge_can_be_undone_of_which_calls_are_gone(host: Host) -> None:
    ada = await host.call("conv_1", *CAT)
    grace = await host.call("conv_g", *ROSES, caller=GRACE)
    await host.call("conv_h", *CAT, caller=GRACE)
    merge = host.ok(host.send("POST", "/merges", json={"from_user": grace, "into_user": ada}))
    await host.house.work()
    await erased(host, "conv_1")
    await erased(host, "conv_h")

    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))
    await host.house.work()

    assert await places(host.house, WORD) == []
    assert [one["platform_id"] for one in host.get(f"/users/{grace}/conversations")["items"]] == ["conv_g"]
    assert "roses" in host.house.platform.told(GRACE)


# -- a user


async def lived(host: Host) -> str:
    """Ada, of whom all kinds of things are known, with two agents; and Grace, who shares a line with her."""
    host.report("conv_g", *ROSES, caller=GRACE)
    user_id = await host.call("conv_1", *CAT)
    grace = host.user_at(GRACE)
    await host.call("conv_2", *PROMISE, agent="agent_other")
    told = {"agent_id": AGENT, "text": f"All of {WORD}."}
    for kind, more in (("facts", {}), ("thoughts", {}), ("threads", {"kind": "topic"})):
        host.ok(host.send("POST", f"/users/{user_id}/{kind}", json=told | more))
    path = f"/users/{user_id}/relationship?agent_id={AGENT}"
    host.ok(host.send("PUT", path, json={"backstory": WORD}))
    line = {"members": [user_id, grace]}
    host.ok(host.send("PUT", f"/shared-lines/{NOBODY_KNOWS}", json=line))
    host.ok(host.send("PUT", "/calls/conv_9/caller", json={"user_id": user_id, "anywhere": True}))
    await host.house.query(
        "insert into chat_turns (chat_id, turn_id, user_id, agent_id, status, leased_until) "
        "values ('chat', '1', $1, $2, 'failed', now())",
        user_id,
        AGENT,
    )
    await host.house.work()
    return user_id


async def test_of_an_erased_user_nothing_is_left_in_any_table(host: Host) -> None:
    user_id = await lived(host)

    gone(host, f"/users/{user_id}")
    await host.house.work()

    assert await places(host.house, WORD) == []
    assert await places(host.house, user_id) == ["erased_users.user_id"], (
        "so that no late event brings it back"
    )
    assert await places(host.house, ADA) == []


async def test_no_row_is_theirs(host: Host) -> None:
    user_id = await lived(host)
    whose = [one.name for one in metadata.sorted_tables if "user_id" in one.c]
    theirs = [name for name in whose if name not in ("erased_users", "erased_spans")]
    looks = " union ".join(f"select '{one}' from {one} where user_id = $1" for one in theirs)  # noqa: S608 (our own)
    before = [name for (name,) in await host.house.query(looks, user_id)]

    gone(host, f"/users/{user_id}")
    await host.house.work()

    assert {*theirs} - {*before} == {"embeddings"}, "the test has rows in all others"
    assert await host.house.query(looks, user_id) == []


async def test_who_calls_from_there_is_somebody_new(host: Host) -> None:
    user_id = await lived(host)

    gone(host, f"/users/{user_id}")
    new = await host.call("conv_3", *ROSES)

    assert new != user_id
    assert [one["platform_id"] for one in host.get(f"/users/{new}/conversations")["items"]] == ["conv_3"]
    assert WORD not in host.house.platform.told(ADA).lower()


async def test_whoever_names_an_erased_user_names_nobody(host: Host) -> None:
    user_id = await host.call("conv_1", *CAT)
    gone(host, f"/users/{user_id}")

    refused(host.send("DELETE", f"/users/{user_id}"), 404)
    refused(host.send("GET", f"/users/{user_id}"), 404)
    async with host.house.worker.engine.connect() as connection:  # as a user-bound token does
        now = datetime.fromtimestamp(host.house.clock(), UTC)
        assert await identifications.known(connection, user_id, AGENT, at=now) is None


async def test_of_who_was_merged_the_survivor_is_erased(host: Host) -> None:
    host.report("conv_g", *CAT, caller=GRACE)
    ada = await host.call("conv_1", *CAT)
    grace = host.user_at(GRACE)
    host.ok(host.send("POST", "/merges", json={"from_user": grace, "into_user": ada}))

    assert f"merged into user {ada}" in refused(host.send("DELETE", f"/users/{grace}"), 409)
    gone(host, f"/users/{ada}")
    await host.house.work()

    assert host.get("/users")["items"] == []
    assert await places(host.house, WORD) == []


async def test_of_who_was_one_with_them_for_a_time_no_prompt_tells_of_them(host: Host, house: House) -> None:
    host.report("conv_g", *ROSES, caller=GRACE)
    ada = await host.call("conv_1", *CAT)
    grace = host.user_at(GRACE)
    merge = host.ok(host.send("POST", "/merges", json={"from_user": ada, "into_user": grace}))
    await house.work()
    since = "update generated_prompts set created_at = to_timestamp($1::float8) where user_id = $2"
    await house.query(since, house.clock(), grace)
    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))
    await house.work()
    assert await places(host.house, WORD)

    gone(host, f"/users/{ada}")
    await house.work()

    assert await places(host.house, WORD) == []
    assert "roses" in host.house.platform.told(GRACE)


async def test_who_shared_a_line_with_them_goes_on_using_it(host: Host) -> None:
    user_id = await lived(host)

    gone(host, f"/users/{user_id}")

    grace = host.get("/users", address=GRACE)["items"][0]["id"]
    assert host.get(f"/addresses/{NOBODY_KNOWS}")["members"] == [grace]
    assert "roses" in host.house.platform.told(GRACE)


async def test_in_redis_nothing_is_left_under_their_addresses(host: Host) -> None:
    user_id = await lived(host)
    assert await host.house.keys(f"voice:*{ADA}")
    assert await host.house.keys("voice:call:conv_1")

    gone(host, f"/users/{user_id}")

    assert await host.house.keys(f"voice:*{ADA}") == []
    assert await host.house.keys("voice:call:conv_[12]") == []


async def test_of_their_calls_that_are_not_ingested_nothing_is_learned(host: Host) -> None:
    user_id = await host.call("conv_1", *ROSES)
    mentions = (*ROSES, f"user: Ada's number is {ADA}.")
    host.house.platform.post_call(event(host, "conv_2"))
    host.house.platform.post_call(event(host, "conv_3"))
    host.house.platform.post_call(event(host, "conv_g", mentions, caller=GRACE))
    await host.house.query("update webhook_events set status = 'failed' where conversation_id = 'conv_3'")

    gone(host, f"/users/{user_id}")
    await host.house.work()

    assert await places(host.house, WORD) == []
    assert [await host.house.query(EVENTS, one) for one in ("conv_2", "conv_3")] == [[ERASED], [ERASED]]
    assert [one["addresses"][0]["address"] for one in host.get("/users")["items"]] == [f"tel:{GRACE}"]
