"""Erasing while a call is under way, and before an event comes late: it reaches them, too."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from api.conftest import Host, refused
from api.routes.people.test_erasing import CAT, HOUR, ROSES, WORD, gone, id_of, places, talked
from conftest import API_TOKEN, House
from pretend.elevenlabs import ADA, GRACE, Event, ended_call
from pretend.trouble import Trouble
from redis.asyncio import Redis

from voice_server.jobs.forget_address import ForgetAddress
from voice_server.operations.people import erasing, revoke
from voice_server.settings import Settings

ECHO = f"agent: You told me that your cat is called {WORD.title()} and lives in Porto."
RECORDED = "select status, body = '' from webhook_events where conversation_id = 'live_1' order by id"


class Live:
    """A call that goes on: what its pre-call was answered, and the event it will end with."""

    def __init__(self, host: Host, caller: str = ADA, conversation: str = "live_1") -> None:
        self.host = host
        self.caller = caller
        self.conversation = conversation
        self.answer: Any = host.house.platform.pre_call(caller, conversation=conversation)

    def event(self, *said: str, names_user: bool = True, names_prompt: bool = True) -> Event:
        """As the platform sends it: with the prompt it was given, and the ids that came back."""
        variables = self.answer["dynamic_variables"]
        event = ended_call(
            self.conversation,
            said or (*CAT, ECHO),
            ended=self.host.house.clock() + 60,
            caller=self.caller,
            user_id=self.answer["user_id"] if names_user else None,
            prompt_version=variables["prompt_version"] if names_prompt else None,
            summary=f"They talked about {WORD}.",
        )
        override = self.answer["conversation_config_override"]
        event["data"]["conversation_initiation_client_data"]["conversation_config_override"] = override
        return event

    async def end(self, **more: Any) -> Any:
        """It ends, and the worker does what there is to do; what the platform is answered."""
        response = self.host.house.platform.post_call(self.event(**more))
        assert response.status_code == 200
        await self.host.house.work()
        return response.json()


@pytest.fixture
async def live(host: Host) -> Live:
    """Ada told of her cat before; now she calls again."""
    await talked(host, ("conv_1", CAT))
    return Live(host)


async def nothing_is_left(host: Host) -> bool:
    """Whether neither Postgres nor Redis, nor a prompt, knows of what was said."""
    keys = await host.house.keys("*")
    kept = [await host.house.worker.redis.dump(key) for key in keys]
    return (
        await places(host.house, WORD) == []
        and not any(WORD.encode() in (one or b"").lower() for one in kept)
        and WORD not in host.house.platform.told(ADA).lower()
    )


def erase_user(host: Host, user_id: str) -> None:
    gone(host, f"/users/{user_id}")


# -- a user


async def test_the_event_of_a_call_under_way_brings_nothing_back(host: Host, live: Live) -> None:
    erase_user(host, live.answer["user_id"])

    answer = await live.end()

    assert answer["status"] == "erased"
    assert await host.house.query(RECORDED) == [("erased", True)]
    assert await nothing_is_left(host)
    assert host.get("/users")["items"] == []


NAMES: list[dict[str, bool]] = [
    {"names_user": True, "names_prompt": False},
    {"names_user": False, "names_prompt": True},
    {"names_user": False, "names_prompt": False},
]


@pytest.mark.parametrize("names", NAMES, ids=["the user", "the prompt", "only the call that was bound"])
async def test_it_is_known_by_anything_that_it_names(host: Host, live: Live, names: dict[str, bool]) -> None:
    erase_user(host, live.answer["user_id"])

    answer = await live.end(**names)

    assert answer["status"] == "erased"
    assert await nothing_is_left(host)


@pytest.mark.parametrize("names", NAMES[:2], ids=["the user", "the prompt"])
async def test_without_redis_it_is_known_by_what_it_names(
    host: Host, live: Live, names: dict[str, bool]
) -> None:
    await host.house.worker.redis.flushdb()
    erase_user(host, live.answer["user_id"])

    assert (await live.end(**names))["status"] == "erased"
    assert await nothing_is_left(host)


async def test_an_event_that_came_in_just_before_is_emptied(host: Host, live: Live) -> None:
    """Recorded, and not ingested, when its user is erased by somebody who did not see it."""
    host.house.platform.post_call(live.event())
    user = live.answer["user_id"]
    await host.house.query("insert into erased_users (user_id) values ($1)", user)

    await host.house.work()

    assert await host.house.query(RECORDED) == [("erased", True)]


async def test_a_late_event_of_a_call_of_theirs_brings_nothing_back(host: Host, live: Live) -> None:
    await live.end()
    erase_user(host, live.answer["user_id"])
    late = live.event()
    late["event_timestamp"] += 5

    response = host.house.platform.post_call(late)
    await host.house.work()

    assert response.json()["status"] == "erased"
    assert await nothing_is_left(host)


async def test_no_key_keeps_their_number(host: Host, live: Live) -> None:
    for number in range(3):  # calls of which no event ever comes
        Live(host, conversation=f"live_{number + 2}")

    erase_user(host, live.answer["user_id"])

    redis = host.house.worker.redis
    keys = await host.house.keys("*")
    held = [await redis.get(key) for key in keys if key.startswith("voice:call:")]
    assert not any(ADA in key for key in keys)
    assert not any(ADA.encode() in (one or b"") for one in held)


async def test_calls_of_others_stay_bound(host: Host, live: Live) -> None:
    await talked(host, ("conv_2", ROSES), caller=GRACE)
    others = Live(host, caller=GRACE, conversation="live_2")

    erase_user(host, live.answer["user_id"])

    assert (await others.end())["status"] == "recorded"
    assert await host.house.query("select count(*) from conversations where platform_id = 'live_2'") == [(1,)]


async def test_who_calls_from_their_number_afterwards_is_somebody_new(host: Host, live: Live) -> None:
    erase_user(host, live.answer["user_id"])
    await live.end()
    await talked(host, ("conv_new", ROSES))

    [user] = host.get("/users")["items"]

    assert user["id"] != live.answer["user_id"]
    assert "roses" in host.house.platform.told(ADA)


async def test_a_call_from_their_phone_that_is_said_to_be_anothers_is_kept(host: Host, live: Live) -> None:
    grace = await talked(host, ("conv_2", ROSES), caller=GRACE)
    named = {"user_id": grace, "anywhere": True}
    host.ok(host.send("PUT", "/calls/live_1/caller", json=named))

    erase_user(host, live.answer["user_id"])

    assert (await live.end())["status"] == "recorded"
    owner = "select user_id from conversations where platform_id = 'live_1'"
    assert await host.house.query(owner) == [(grace,)]


async def test_a_prompt_of_the_same_words_that_another_has_tells_nothing(host: Host, live: Live) -> None:
    version = live.answer["dynamic_variables"]["prompt_version"]
    grace = await talked(host, ("conv_2", ROSES), caller=GRACE)
    await host.house.query("update generated_prompts set version = $1 where user_id = $2", version, grace)
    erase_user(host, live.answer["user_id"])
    event = ended_call("conv_3", ROSES, ended=host.house.clock(), caller=GRACE, prompt_version=version)

    assert host.house.platform.post_call(event).json()["status"] == "recorded"


async def test_while_redis_is_away_their_number_goes_when_it_is_back(host: Host, live: Live) -> None:
    nowhere = Redis.from_url("redis://127.0.0.1:1", socket_connect_timeout=0.1)
    user = live.answer["user_id"]
    async with host.house.worker.engine.begin() as connection:
        await erasing.user(connection, nowhere, user, region="US")
    await nowhere.aclose()
    assert any(ADA in key for key in await host.house.keys("*"))

    await host.house.work()

    assert not any(ADA in key for key in await host.house.keys("*"))
    assert await host.house.keys("voice:call:live_1") == []
    assert await places(host.house, ADA) == []


async def test_when_redis_is_back_a_call_is_erased_that_only_redis_knows_of(host: Host, live: Live) -> None:
    nowhere = Redis.from_url("redis://127.0.0.1:1", socket_connect_timeout=0.1)
    async with host.house.worker.engine.begin() as connection:
        await erasing.user(connection, nowhere, live.answer["user_id"], region="US")
    await nowhere.aclose()
    await host.house.work()

    answer = await live.end(names_user=False, names_prompt=False)

    assert answer["status"] == "erased"
    assert await nothing_is_left(host)


@pytest.mark.parametrize("calls_again", [False, True])
async def test_what_was_made_of_a_call_before_redis_was_back_is_erased_then(
    host: Host, live: Live, *, calls_again: bool
) -> None:
    nowhere = Redis.from_url("redis://127.0.0.1:1", socket_connect_timeout=0.1)
    async with host.house.worker.engine.begin() as connection:
        await erasing.user(connection, nowhere, live.answer["user_id"], region="US")
    await nowhere.aclose()
    [(why,)] = await host.house.query("select trigger from pending_work where kind = 'forget_address'")
    await host.house.query("delete from pgqueuer where entrypoint = 'forget_address'")
    assert (await live.end(names_user=False, names_prompt=False))["status"] == "recorded"
    assert not await nothing_is_left(host)
    if calls_again:
        host.house.clock.now = time.time() + HOUR
        await talked(host, ("conv_9", ROSES))

    job = ForgetAddress(host.house.worker.engine, host.house.worker.redis, "US")
    await job.run(f"tel:{ADA}", why)
    await host.house.work()

    assert await nothing_is_left(host)
    assert len(host.get("/users")["items"]) == calls_again


async def test_a_user_who_is_not_there_is_not_erased(host: Host) -> None:
    assert refused(host.send("DELETE", "/users/usr_nobody"), 404)


# -- a conversation


async def test_a_call_under_way_that_was_told_of_it_keeps_what_its_caller_says(
    host: Host, live: Live
) -> None:
    gone(host, f"/conversations/{await id_of(host, 'conv_1')}")
    await host.house.work()
    told = "agent: Your cat is called Zorblax, you live in Porto with Zorblax."
    tool = json.dumps({"found": f"a cat called {WORD}"})
    event = live.event("user: I grow roses behind the house.", told)
    event["data"]["transcript"][0]["tool_results"] = [{"tool_name": "search", "result_value": tool}]

    host.house.platform.post_call(event)
    await host.house.work()

    assert await host.house.query(RECORDED) == [("ingested", True)]
    assert await nothing_is_left(host)
    assert "roses" in host.house.platform.told(ADA)


@pytest.mark.usefixtures("live")
async def test_a_call_that_began_after_it_is_kept_as_it_is(host: Host) -> None:
    gone(host, f"/conversations/{await id_of(host, 'conv_1')}")
    await host.house.work()
    host.house.clock.now = time.time() + HOUR  # Postgres' clock says when it was erased
    later = Live(host, conversation="live_2")

    await later.end()

    kept = "select status, body <> '' from webhook_events where conversation_id = 'live_2'"
    assert await host.house.query(kept) == [("ingested", True)]


# -- the job for when Redis was away


@pytest.mark.usefixtures("live")
async def test_the_job_leaves_what_belongs_to_somebody(host: Host) -> None:
    job: Callable[..., Any] = ForgetAddress(host.house.worker.engine, host.house.worker.redis, "US").run

    await job(f"tel:{ADA}", "")

    assert await host.house.keys("voice:call:live_1") == ["voice:call:live_1"]
    assert WORD in host.house.platform.told(ADA).lower()


# -- what a hostile test found


async def test_an_event_that_waits_is_known_however_it_spells_the_number(host: Host, live: Live) -> None:
    national = ended_call("conv_national", CAT, ended=host.house.clock(), caller="(415) 555-0101")
    escaped = json.dumps(ended_call("conv_escaped", CAT, ended=host.house.clock(), caller=ADA))
    for event in (json.dumps(national), escaped.replace("+1415", "\\u002b\\u0031415")):
        assert host.house.platform.post_call(event.encode()).status_code == 200

    erase_user(host, live.answer["user_id"])
    await host.house.work()

    assert await nothing_is_left(host)
    assert host.get("/users")["items"] == []


async def test_an_event_that_failed_is_emptied_too(host: Host, live: Live) -> None:
    event = live.event(names_user=False, names_prompt=False)
    event["data"]["agent_id"] = None
    host.house.platform.post_call(event)
    await host.house.work()

    erase_user(host, live.answer["user_id"])

    assert await host.house.query(RECORDED) == [("erased", True)]
    assert await nothing_is_left(host)


async def test_a_call_that_was_said_to_be_theirs_is_erased(host: Host, live: Live) -> None:
    """From a stranger's phone, while it goes on."""
    strange = Live(host, caller=GRACE, conversation="live_2")
    named = {"user_id": live.answer["user_id"], "anywhere": True}
    host.ok(host.send("PUT", "/calls/live_2/caller", json=named))

    erase_user(host, live.answer["user_id"])

    assert (await strange.end())["status"] == "erased"
    assert await nothing_is_left(host)


async def test_a_call_of_somebody_who_is_there_is_kept_whatever_its_prompt_was(
    host: Host, live: Live
) -> None:
    """Two people had prompts of the same words; one was erased, and of the other a conversation."""
    version = live.answer["dynamic_variables"]["prompt_version"]
    grace = await talked(host, ("conv_2", ROSES), caller=GRACE)
    erase_user(host, live.answer["user_id"])
    await host.house.query("delete from generated_prompts")
    event = ended_call(
        "conv_3", ROSES, ended=host.house.clock(), caller=GRACE, user_id=grace, prompt_version=version
    )

    assert host.house.platform.post_call(event).json()["status"] == "recorded"


async def test_a_call_under_way_is_known_without_its_prompts_version(host: Host, live: Live) -> None:
    gone(host, f"/conversations/{await id_of(host, 'conv_1')}")
    await host.house.work()
    told = "agent: How is your cat Zorblax in Porto?"

    host.house.platform.post_call(live.event("user: I grow roses.", told, names_prompt=False))
    await host.house.work()

    assert await nothing_is_left(host)


async def test_redis_forgets_calls_to_agents_that_nobody_knows(host: Host, live: Live) -> None:
    host.house.platform.pre_call(ADA, agent="agent_unheard", conversation="live_9")

    erase_user(host, live.answer["user_id"])

    assert not any(ADA in key for key in await host.house.keys("*"))


async def test_where_redis_has_too_much_to_look_through_at_once_that_is_done_afterwards(
    host: Host, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revoke, "REDIS_PATIENCE", 0.05)
    many = {f"voice:call:other_{number}": GRACE for number in range(100_000)}
    await host.house.worker.redis.mset(many)
    Live(host, conversation="live_2")
    Live(host, conversation="live_3")

    erase_user(host, live.answer["user_id"])
    await host.house.work()

    keys = {*await host.house.keys("*")}
    assert not any(ADA in key for key in keys)
    assert keys.isdisjoint({"voice:call:live_1", "voice:call:live_2", "voice:call:live_3"})
    assert keys.issuperset(many)
    answer = await live.end(names_user=False, names_prompt=False)
    assert answer["status"] == "erased"


async def test_while_redis_hangs_a_user_can_be_erased(
    open_house: Callable[[Settings], House], fragile: Settings, trouble: Trouble
) -> None:
    house = open_house(fragile)
    host = Host(house, API_TOKEN)
    await talked(host, ("conv_1", CAT))
    user_id = Live(host).answer["user_id"]

    trouble.freeze("valkey")
    gone(host, f"/users/{user_id}")
    await trouble.mend()
    await house.work()

    assert await nothing_is_left(host)
    assert not any(ADA in key for key in await house.keys("*"))
