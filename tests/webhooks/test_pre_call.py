"""The pre-call webhook through the real app: whatever it is sent and whatever is down, a complete answer."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conftest import Clock, House
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pretend.elevenlabs import (
    ADA,
    AGENT,
    AGENTS_NUMBER,
    GRACE,
    NOBODY_KNOWS,
    PRE_CALL,
    ended_call,
    payload,
    prompt_of,
)
from pretend.trouble import Nonsense, Trouble, until

from voice_server.app import VoiceApp
from voice_server.cache import prompt_cache
from voice_server.context.layout import slots
from voice_server.queue import prompt_requests
from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]
DEFAULT = "You do not know this caller."
WITHHELD = ["anonymous", "restricted", "unknown", "+266696687", "", "sip:anonymous@anonymous.invalid"]
ADAS_KEY = f"voice:prompt:{AGENT}:tel:{ADA}"


def is_complete(answer: Any) -> bool:
    """Whether the platform can start the call with it, for an agent without declared variables."""
    return (
        answer["type"] == "conversation_initiation_client_data"
        and bool(answer["user_id"])
        and bool(answer["dynamic_variables"]["prompt_version"])
        and bool(prompt_of(answer))
    )


async def call_that_ended(house: House, conversation: str = "conv_1", **more: Any) -> None:
    """A call of Ada's, from its pre-call to the prompt that knows about it."""
    caller = more.get("caller", ADA)
    house.platform.pre_call(caller, conversation=conversation)
    more = {"summary": "Ada asked for the plum cake recipe.", "ended": house.clock(), **more}
    assert house.platform.post_call(ended_call(conversation, **more)).status_code == 200
    await house.work()


async def entry_at(house: House, key: str) -> bytes:
    """What is cached under a key."""
    entry = await house.worker.redis.get(key)
    assert isinstance(entry, bytes)
    return entry


# -- who may ask


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer wrong", "the-platform-token", "Basic the-platform-token", "Bearer ä"],
)
async def test_a_wrong_token_is_refused(house: House, header: str | None) -> None:
    headers = {} if header is None else {b"authorization": header.encode()}

    response = house.client.post(PRE_CALL, content=b"{}", headers=headers)

    assert response.status_code == 401
    assert response.json()["error"] == "unauthorized"
    assert await house.keys("*") in ([], [prompt_cache.FILLED])


async def test_during_rotation_both_tokens_open(open_house: OpenHouse, settings: Settings) -> None:
    house = open_house(settings.model_copy(update={"platform_token": "old-one, new-one"}))

    answered = [house.platform.post_pre_call(b"{}", token).status_code for token in ("old-one", "new-one")]

    assert answered == [200, 200]
    assert house.platform.post_pre_call(b"{}", "old-one, new-one").status_code == 401


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"])
async def test_it_takes_post_only(house: House, method: str) -> None:
    assert house.client.request(method, PRE_CALL).status_code == 405


# -- what is asked


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no json",
        b"[]",
        b"null",
        b'"agent"',
        b"{}",
        b'{"agent_id": null, "caller_id": null}',
        b'{"agent_id": ["agent_robin"], "caller_id": {"number": "+14155550101"}}',
        b'{"agent_id": 17, "caller_id": 14155550101, "conversation_id": 3.5, "call_sid": false}',
        b'{"agent_id": "agent_robin"}',
        b'{"caller_id": "+14155550101"}',
        b'{"agent_id": "agent_robin", "caller_id": "+14155550101", "new_field": {"a": [1, 2]}}',
        b'{"agent_id": "' + b"x" * 5000 + b'", "caller_id": "' + b"1" * 5000 + b'"}',
        b'{"agent_id": "\xff\xfe", "caller_id": "\xed\xa0\x80"}',
        b'{"agent_id": "\\ud800", "caller_id": "\\u0000"}',
        b"[" * 60_000,
    ],
    ids=range(16),
)
async def test_any_body_gets_a_complete_answer(house: House, body: bytes) -> None:
    response = house.platform.post_pre_call(body)

    assert response.status_code == 200
    assert is_complete(response.json())


@given(
    body=st.binary(max_size=200)
    | st.dictionaries(st.text(), st.none() | st.text() | st.integers()).map(
        lambda fields: json.dumps({"agent_id": AGENT, **fields}).encode()
    )
)
@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_body_is_too_strange(house: House, body: bytes) -> None:
    assert is_complete(house.platform.post_pre_call(body).json())


async def test_a_megabyte_of_junk_gets_the_default(house: House) -> None:
    answer = house.platform.post_pre_call(b'{"agent_id": "' + b"x" * 1_000_000).json()

    assert DEFAULT in prompt_of(answer)
    assert house.counted("pre_calls", "junk") == 1


@pytest.mark.parametrize("name", ["anonymous", "sip", "twilio", "whatsapp"])
async def test_the_captured_requests_are_answered(house: House, name: str) -> None:
    answer = house.platform.post_pre_call(json.dumps(payload(f"precall_request_{name}")).encode()).json()

    assert is_complete(answer)
    assert (
        answer["user_id"]
        == {
            "anonymous": "anonymous",
            "sip": "tel:+49305550142",
            "twilio": "tel:+15550100142",
            "whatsapp": "tel:+15550100142",
        }[name]
    )


# -- who is calling


async def test_a_number_nobody_knows_hears_the_default(house: House) -> None:
    await call_that_ended(house)

    assert DEFAULT in house.platform.told(NOBODY_KNOWS)


@pytest.mark.parametrize(
    "spelling", ["+1 (415) 555-0101", "14155550101", "+14155550101", "sip:+14155550101@c.example"]
)
async def test_one_person_has_one_number_however_it_is_written(house: House, spelling: str) -> None:
    await call_that_ended(house)

    assert "plum cake" in house.platform.told(spelling)


async def test_calls_under_three_spellings_are_one_persons(house: House) -> None:
    for number, spelling in enumerate(("+1 (415) 555-0101", "14155550101", "+14155550101")):
        house.clock.now += 3600
        await call_that_ended(house, f"conv_{number}", caller=spelling)

    assert await house.query("select count(*) from users") == [(1,)]
    assert await house.query("select address from addresses") == [(f"tel:{ADA}",)]
    assert "You have had 3 earlier conversations" in house.platform.told(ADA)


@pytest.mark.parametrize("caller", WITHHELD)
async def test_a_hidden_caller_hears_the_default_and_leaves_nothing(house: House, caller: str) -> None:
    answer = house.platform.pre_call(caller, conversation="conv_1")
    echo = ended_call("conv_1", caller=caller, ended=house.clock(), user_id=answer["user_id"])
    house.platform.post_call(echo)
    await house.work()

    assert DEFAULT in prompt_of(answer)
    assert answer["user_id"] == "anonymous"
    assert await house.keys("voice:[cmp]*") == []
    assert await house.query("select (select count(*) from users), (select count(*) from addresses)") == [
        (0, 0)
    ]
    assert await house.query("select user_id, outcome from conversations") == [(None, "talked")]
    assert house.counted("pre_calls", "withheld") == 1


async def test_two_hidden_callers_share_no_memory(house: House) -> None:
    for conversation in ("conv_1", "conv_2"):
        house.platform.pre_call("anonymous", conversation=conversation)
        event = ended_call(conversation, caller="anonymous", summary="A secret.", ended=house.clock())
        house.platform.post_call(event)
        await house.work()

    assert "secret" not in house.platform.told("anonymous")


async def test_on_an_outbound_call_the_called_one_is_the_user(house: House) -> None:
    await call_that_ended(house)
    await until(lambda: _knows_its_own_number(house))

    answer = house.platform.pre_call(AGENTS_NUMBER, called_number=ADA, conversation="conv_2")

    assert "plum cake" in prompt_of(answer)
    assert await house.worker.redis.get("voice:call:conv_2") == f"tel:{ADA}\0{AGENT}".encode()


def _knows_its_own_number(house: House) -> bool:
    """The web process learns the agents' numbers between calls; a call from one to a stranger shows it."""
    return str(house.platform.pre_call(AGENTS_NUMBER, called_number=GRACE)["user_id"]) == f"tel:{GRACE}"


async def test_the_first_outbound_call_of_all_is_still_the_called_ones(house: House) -> None:
    """Our own number is not known as ours yet: the pre-call takes it for a caller, the event says better."""
    house.platform.pre_call(AGENTS_NUMBER, called_number=ADA, conversation="conv_1")
    event = ended_call(
        "conv_1", summary="Ada was called.", ended=house.clock(), user_id=f"tel:{AGENTS_NUMBER}"
    )
    event["data"]["metadata"]["phone_call"]["direction"] = "outbound"
    house.platform.post_call(event)
    await house.work()

    assert await house.query("select address from addresses") == [(f"tel:{ADA}",)]
    assert "Ada was called." in house.platform.told(ADA)


# -- which agent


async def test_an_unknown_agent_is_registered_on_first_contact(house: House) -> None:
    house.platform.pre_call(agent="agent_new")

    await until(lambda: _is_registered(house, "agent_new"))


async def test_an_unknown_agent_stays_unknown_when_registering_is_off(
    open_house: OpenHouse, settings: Settings
) -> None:
    house = open_house(settings.model_copy(update={"register_agents": False}))

    assert is_complete(house.platform.pre_call(agent="agent_new"))

    house.platform.post_call(ended_call("conv_1", agent="agent_new", ended=house.clock()))
    await house.work()
    [(status, reason)] = await house.query("select status, reason from webhook_events")
    assert (status, "agent_new is not registered" in reason) == ("failed", True)
    assert await house.query("select count(*) from agents") == [(0,)]


async def test_an_agent_with_templates_of_its_own_needs_no_registering(
    open_house: OpenHouse, settings: Settings, templates: Path
) -> None:
    _describe(templates, "agent_new", 'delivery = "variable"')
    house = open_house(settings.model_copy(update={"register_agents": False, "prompt_templates": templates}))

    house.platform.post_call(ended_call("conv_1", agent="agent_new", ended=house.clock()))
    await house.work()

    assert await house.query("select status from webhook_events") == [("ingested",)]


async def _is_registered(house: House, agent: str) -> bool:
    return await house.query("select 1 from agents where id = $1", agent) == [(1,)]


# -- what the answer holds


def _describe(templates: Path, agent: str, toml: str) -> None:
    (templates / agent).mkdir()
    (templates / agent / "agent.toml").write_text(toml)


VARIABLES = """
[variables]
caller_name = ""
caller_known = false
call_count = 0
plan = "basic"
rate = 1.5
"""


@pytest.mark.parametrize("delivery", ["override", "variable"])
async def test_both_deliveries_carry_every_declared_variable(
    open_house: OpenHouse, settings: Settings, templates: Path, delivery: str
) -> None:
    _describe(templates, AGENT, f'delivery = "{delivery}"\n{VARIABLES}')
    house = open_house(settings.model_copy(update={"prompt_templates": templates}))
    await call_that_ended(house)

    known, unknown = house.platform.pre_call(ADA), house.platform.pre_call(NOBODY_KNOWS)

    for answer, is_known in ((known, True), (unknown, False)):
        told = answer["dynamic_variables"]
        expected = {
            "caller_name": "",
            "caller_known": is_known,
            "call_count": int(is_known),
            "plan": "basic",
            "rate": 1.5,
        }
        assert {name: told[name] for name in expected} == expected
        assert told["prompt_version"]
        assert answer["user_id"]
        assert ("memory" in told) == (delivery == "variable")
        assert ("conversation_config_override" in answer) == (delivery == "override")
    assert "plum cake" in prompt_of(known)
    assert DEFAULT in prompt_of(unknown)


async def test_an_agents_variables_are_complete_from_the_first_call_on_without_postgres(
    open_house: OpenHouse, settings: Settings, templates: Path
) -> None:
    _describe(templates, AGENT, f'delivery = "variable"\n{VARIABLES}')
    nowhere = {"database_url": "postgresql+asyncpg://postgres@127.0.0.1:1/app", "prompt_templates": templates}
    house = open_house(settings.model_copy(update=nowhere))

    assert house.platform.pre_call(NOBODY_KNOWS)["dynamic_variables"]["plan"] == "basic"


async def test_an_edited_template_shows_without_restart(
    open_house: OpenHouse, settings: Settings, templates: Path
) -> None:
    often = {"prompt_templates": templates, "default_refresh_seconds": 0.2}
    house = open_house(settings.model_copy(update=often))
    await call_that_ended(house)
    persona = templates / "default" / "persona.jinja"

    persona.write_text("You are a lighthouse keeper.")

    await until(lambda: "lighthouse keeper" in house.platform.told(NOBODY_KNOWS))
    await house.worker.upkeep.sweep()
    await house.work()
    assert "lighthouse keeper" in house.platform.told(ADA)


async def test_a_broken_edit_leaves_the_last_good_template(
    open_house: OpenHouse, settings: Settings, templates: Path
) -> None:
    house = open_house(settings.model_copy(update={"prompt_templates": templates}))

    (templates / "default" / "persona.jinja").write_text("{{ undefined_name }}")
    house.platform.pre_call(agent="agent_new")
    await until(lambda: _is_registered(house, "agent_new"))

    assert "attentive assistant" in house.platform.told(agent="agent_new")


# -- the moment


async def test_one_entry_is_right_on_both_sides_of_midnight(house: House, clock: Clock) -> None:
    clock.set_to("2026-11-17T21:00:00+00:00")
    said = ["agent: Hello!", "user: I will visit my sister in Lisbon with the children next month."]
    await call_that_ended(house, said=said)
    house.platform.post_call(ended_call("conv_2", summary="Ada rang again.", ended=clock()))
    await house.work()
    entry = await house.worker.redis.get(ADAS_KEY)

    clock.set_to("2026-11-17T23:59:00+00:00")
    before = house.platform.told(ADA)
    clock.set_to("2026-11-18T00:01:00+00:00")
    after = house.platform.told(ADA)

    assert "23:59 on Tuesday 17 November 2026" in before
    assert "[TODAY SO FAR]" in before
    assert "00:01 on Wednesday 18 November 2026" in after
    assert "[YESTERDAY]" in after
    assert "[TODAY SO FAR]" not in after
    clock.set_to("2026-11-19T00:01:00+00:00")
    assert "[YESTERDAY]" not in house.platform.told(ADA)
    assert await house.worker.redis.get(ADAS_KEY) == entry


async def test_midnight_is_the_users_own(house: House, clock: Clock) -> None:
    clock.set_to("2026-11-18T04:00:00+00:00")  # still the evening of the 17th in New York
    event = ended_call("conv_1", summary="Ada called.", ended=clock())
    event["data"]["metadata"]["timezone"] = "America/New_York"
    house.platform.post_call(event)
    house.platform.post_call(ended_call("conv_2", summary="Ada rang again.", ended=clock() + 600))
    await house.work()

    clock.set_to("2026-11-18T04:59:00+00:00")
    assert "23:59 on Tuesday 17 November 2026" in house.platform.told(ADA)
    clock.set_to("2026-11-18T05:01:00+00:00")
    assert "[YESTERDAY]" in house.platform.told(ADA)


async def test_the_time_since_the_last_call_is_told_in_words(house: House) -> None:
    await call_that_ended(house)

    house.clock.now += 3 * 3600

    assert "ended 3 hours ago." in house.platform.told(ADA)


# -- redial

REDIAL = "You spoke a short while ago"


async def test_a_redial_is_said_until_the_first_call_is_digested(house: House) -> None:
    house.platform.pre_call(ADA, conversation="conv_1")

    assert REDIAL in house.platform.told(ADA, conversation="conv_2")

    for conversation in ("conv_1", "conv_2"):
        house.platform.post_call(ended_call(conversation, ended=house.clock()))
    await house.work()
    assert REDIAL not in house.platform.told(ADA, conversation="conv_3")


async def test_asking_twice_for_one_call_is_no_redial(house: House) -> None:
    house.platform.pre_call(ADA, conversation="conv_1")

    assert REDIAL not in house.platform.told(ADA, conversation="conv_1")


async def test_asked_about_a_redial_again_and_again_the_answer_is_the_same(house: House) -> None:
    house.platform.pre_call(ADA, conversation="conv_1")

    answers = [house.platform.pre_call(ADA, conversation="conv_2") for _ in range(4)]

    assert REDIAL in prompt_of(answers[0])
    assert answers == answers[:1] * 4


async def test_the_notes_that_a_redial_waited_for_end_it(house: House) -> None:
    house.platform.pre_call(ADA, conversation="conv_1")
    assert REDIAL in house.platform.told(ADA, conversation="conv_2")

    house.platform.post_call(ended_call("conv_1", ended=house.clock()))
    await house.work()

    assert REDIAL not in house.platform.told(ADA, conversation="conv_2")


async def test_a_redial_right_after_a_long_call_is_one(house: House) -> None:
    house.platform.pre_call(ADA, conversation="conv_1")
    window = await house.worker.redis.ttl(f"voice:mark:{AGENT}:tel:{ADA}")

    house.clock.now += 40 * 60 + 30

    assert window > 40 * 60 + 30
    assert REDIAL in house.platform.told(ADA, conversation="conv_2")


async def test_another_callers_call_is_no_redial(house: House) -> None:
    house.platform.pre_call(ADA, conversation="conv_1")

    assert REDIAL not in house.platform.told(GRACE, conversation="conv_2")


async def test_a_redial_is_over_when_its_window_is(open_house: OpenHouse, settings: Settings) -> None:
    house = open_house(settings.model_copy(update={"redial_window": 1}))
    house.platform.pre_call(ADA, conversation="conv_1")

    assert 0 < await house.worker.redis.ttl(f"voice:mark:{AGENT}:tel:{ADA}") <= 1


async def test_it_is_a_redial_while_the_call_is_stored_and_not_digested(house: House) -> None:
    """A rebuild for another reason, between ingest and digest, must not hide that a call is missing."""
    await call_that_ended(house, "conv_0")
    house.platform.pre_call(ADA, conversation="conv_1")
    house.platform.post_call(ended_call("conv_1", ended=house.clock()))
    await house.work()
    await house.query(
        "delete from digests d using conversations c where c.id = d.conversation_id and c.platform_id = "
        "'conv_1'"
    )
    await rebuild_everything(house)

    assert REDIAL in house.platform.told(ADA, conversation="conv_2")


async def test_a_callback_after_a_call_nobody_answered_is_no_redial(house: House) -> None:
    await call_that_ended(house)
    await until(lambda: _knows_its_own_number(house))
    house.platform.pre_call(AGENTS_NUMBER, called_number=ADA, conversation="conv_2")
    failure = payload("call_initiation_failure")
    failure["data"] |= {"agent_id": AGENT, "conversation_id": "conv_2"}
    failure["data"]["metadata"]["body"] |= {"To": ADA, "Called": ADA, "From": AGENTS_NUMBER}
    house.platform.post_call(failure)
    await house.work()

    assert REDIAL not in house.platform.told(ADA, conversation="conv_3")


async def rebuild_everything(house: House) -> None:
    """What `voice-server rebuild --all` does."""
    for user, agent in await house.query(
        "select distinct user_id, agent_id from conversations where user_id is not null"
    ):
        async with house.worker.engine.begin() as connection:
            await prompt_requests.request(connection, user, agent)
    await house.work()


# -- Redis in trouble


async def test_without_redis_at_the_start_the_default_goes_out(
    open_house: OpenHouse, settings: Settings
) -> None:
    house = open_house(settings.model_copy(update={"redis_url": "redis://127.0.0.1:1"}))

    assert is_complete(house.platform.pre_call(ADA))
    assert house.counted("pre_calls", "down") >= 1


async def test_redis_that_hangs_costs_its_share_of_a_deadline_and_then_nothing(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    house = open_house(fragile.model_copy(update={"pre_call_deadline_ms": 300}))
    await call_that_ended(house)
    assert "plum cake" in house.platform.told(ADA)

    trouble.freeze("valkey")
    assert all(is_complete(house.platform.pre_call(ADA)) for _ in range(20))

    assert "plum cake" in house.platform.told(ADA)
    assert house.counted("pre_calls", "timed_out") >= 1
    assert house.counted("pre_calls", "down") >= 1  # the circuit: not everybody waits
    await trouble.mend()
    known = house.counted("pre_calls", "known")
    await until(lambda: bool(house.platform.told(ADA)) and house.counted("pre_calls", "known") > known)


async def test_a_call_has_the_right_of_way_until_it_is_answered(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    house = open_house(fragile.model_copy(update={"pre_call_deadline_ms": 1000}))
    web = house.client.app
    assert isinstance(web, VoiceApp)
    way = web.pre_call.right_of_way
    trouble.freeze("valkey")

    asked = asyncio.create_task(asyncio.to_thread(house.platform.pre_call, ADA))
    await until(lambda: way.taken == 1)
    await asked

    assert way.taken == 0


async def test_who_calls_while_redis_is_gone_is_known(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    house = open_house(fragile)
    await call_that_ended(house)

    trouble.take_down("valkey")

    assert "plum cake" in house.platform.told(ADA)
    assert DEFAULT in house.platform.told(NOBODY_KNOWS)
    assert house.counted("pre_calls", "down") == 2


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"+PONG\r\n",
        b"-ERR no\r\n",
        b"*-1\r\n",
        b"\x00\xff",
        b"$5\r\nhello\r\n",
    ],
    ids=["http", "pong", "error", "nil", "bytes", "hello"],
)
async def test_nonsense_instead_of_redis_gets_the_default(
    open_house: OpenHouse, settings: Settings, answer: bytes
) -> None:
    with Nonsense(answer) as nonsense:
        settings = settings.model_copy(update={"redis_url": nonsense.url, "pre_call_deadline_ms": 150})
        house = open_house(settings)

        assert all(is_complete(house.platform.pre_call(ADA, conversation=f"conv_{n}")) for n in range(5))


@pytest.mark.parametrize("format_", [slots.FORMAT + 1, 0])
async def test_an_entry_of_another_format_is_no_entry_and_the_durable_copy_is_told(
    house: House, format_: int
) -> None:
    await call_that_ended(house)
    entry = slots.unpack(await entry_at(house, ADAS_KEY))
    assert entry is not None

    other = msgspec.structs.replace(entry, format=format_)
    await house.worker.redis.set(ADAS_KEY, slots.pack(other))

    assert "plum cake" in house.platform.told(ADA)
    assert house.counted("pre_calls", "garbage") >= 1


async def test_an_entry_from_a_zone_this_machine_does_not_know_is_served_in_utc(house: House) -> None:
    await call_that_ended(house)
    entry = slots.unpack(await entry_at(house, ADAS_KEY))
    assert entry is not None

    other = slots.CachedPrompt(
        **{name: getattr(entry, name) for name in entry.__struct_fields__} | {"timezone": "Moon/Tycho"}
    )
    await house.worker.redis.set(ADAS_KEY, slots.pack(other))

    assert "10:30 on Tuesday 17 November 2026" in house.platform.told(ADA)


@given(at=st.integers(0, 4000), byte=st.integers(0, 255))
@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_no_damaged_entry_breaks_a_call(house: House, at: int, byte: int) -> None:
    if not await house.worker.redis.exists(ADAS_KEY + ":good"):
        await call_that_ended(house)
        await house.worker.redis.copy(ADAS_KEY, ADAS_KEY + ":good")
    entry = bytearray(await entry_at(house, ADAS_KEY + ":good"))
    entry[at % len(entry)] = byte
    await house.worker.redis.set(ADAS_KEY, bytes(entry))

    assert (
        house.platform.post_pre_call(json.dumps({"agent_id": AGENT, "caller_id": ADA}).encode()).status_code
        == 200
    )


async def test_a_key_of_another_type_is_no_entry(house: House) -> None:
    await house.worker.redis.lpush(ADAS_KEY, "what")

    assert DEFAULT in house.platform.told(ADA, conversation="conv_1")


async def test_redis_restarted_empty_is_refilled_from_the_durable_copies(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    house = open_house(fragile)
    await call_that_ended(house)
    await call_that_ended(house, "conv_2", caller=GRACE, summary="Grace likes rain.")
    await house.worker.upkeep.refill()

    await trouble.restart("valkey")
    await house.worker.upkeep.refill()

    await until(lambda: "plum cake" in house.platform.told(ADA))
    assert "Grace likes rain." in house.platform.told(GRACE)


async def test_a_prompt_built_while_redis_was_away_gets_there_later(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    house = open_house(fragile)
    await call_that_ended(house)
    await house.worker.upkeep.refill()
    trouble.take_down("valkey")
    house.platform.post_call(ended_call("conv_2", summary="Ada passed her exam.", ended=house.clock() + 60))
    await house.work()
    assert await house.query("select in_cache from cached_voice_prompts") == [(False,)]

    await trouble.mend()
    await house.worker.upkeep.refill()

    await until(lambda: "Ada passed her exam." in house.platform.told(ADA))
    assert await house.query("select in_cache from cached_voice_prompts") == [(True,)]
