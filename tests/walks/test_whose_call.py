"""Whose memory a call goes into, where that is not plain: outbound calls, corrections, hidden and odd
callers."""

import pytest
from conftest import House
from pretend.elevenlabs import ADA, AGENT, AGENTS_NUMBER, GRACE, Event, ended_call
from pretend.trouble import until


def outbound(conversation: str, callee: str, secret: str, ended: float) -> Event:
    event = ended_call(conversation, caller=callee, summary=secret, ended=ended)
    phone = event["data"]["metadata"]["phone_call"]
    phone["direction"] = "outbound"
    del phone["agent_number"]
    event["data"]["user_id"] = f"tel:{AGENTS_NUMBER}"
    return event


async def test_two_people_we_call_stay_two_people(house: House) -> None:
    for conversation, callee, secret in (("conv_1", ADA, "Ada moved."), ("conv_2", GRACE, "Grace wed.")):
        house.platform.pre_call(AGENTS_NUMBER, conversation=conversation, called_number=callee)
        house.platform.post_call(outbound(conversation, callee, secret, house.clock()))
    await house.work()

    assert "Grace wed." in house.platform.told(GRACE)
    assert "Grace wed." not in house.platform.told(ADA)
    assert "Ada moved." not in house.platform.told(GRACE)


@pytest.mark.parametrize("really", [GRACE, "anonymous"])
async def test_what_was_somebody_elses_call_is_forgotten(house: House, really: str) -> None:
    house.platform.post_call(ended_call("conv_1", summary="A secret.", ended=house.clock()))
    await house.work()
    assert "A secret." in house.platform.told(ADA)

    house.platform.post_call(
        ended_call("conv_1", caller=really, summary="A secret.", ended=house.clock() + 1)
    )
    await house.work()

    assert "A secret." not in house.platform.told(ADA)


@pytest.mark.parametrize(
    "hidden",
    [
        "sip:Anonymous%20Caller@10.0.0.1",
        "sip:anonymous.caller@x",
        "sip:asterisk@10.0.0.1",
        "+10000000000",
        "sip:0000@1.1.1.1",
    ],
)
async def test_who_hides_in_another_spelling_is_nobody(house: House, hidden: str) -> None:
    house.platform.post_call(ended_call("conv_1", caller=hidden, summary="A secret.", ended=house.clock()))
    await house.work()

    assert "A secret." not in house.platform.told(hidden)
    assert await house.query("select * from users") == []


async def test_a_variable_called_like_audio_is_no_audio(house: House) -> None:
    event = ended_call("conv_1", summary="Ada asked.", ended=house.clock())
    variables = event["data"]["conversation_initiation_client_data"]["dynamic_variables"]
    variables |= {"full_audio": "yes", "type": "post_call_audio"}

    assert house.platform.post_call(event).json()["status"] == "recorded"


@pytest.mark.parametrize("start", [0, 1, 4_000_000_000, 1_794_911_340_000])
async def test_a_nonsense_start_is_read_from_the_end(house: House, start: int) -> None:
    event = ended_call("conv_1", summary="Ada asked.", ended=house.clock())
    event["data"]["metadata"]["start_time_unix_secs"] = start
    house.platform.post_call(event)
    await house.work()

    assert "Tuesday 17 November 2026 (phone, 1 minute): Ada asked." in house.platform.told(ADA)


async def test_an_entry_that_cannot_be_read_is_told_from_its_copy_and_put_again(house: House) -> None:
    house.platform.post_call(ended_call("conv_1", summary="Ada asked.", ended=house.clock()))
    await house.work()
    await house.worker.redis.set(f"voice:prompt:{AGENT}:tel:{ADA}", b"garbage")

    assert "Ada asked." in house.platform.told(ADA)

    await until(lambda: _is_readable(house))


async def test_a_users_number_never_becomes_an_agents_own(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.platform.post_call(ended_call("conv_1", summary="Ada asked.", ended=house.clock()))
    await house.work()
    event = ended_call("conv_2", caller=GRACE, summary="Grace wed.", ended=house.clock())
    event["data"]["metadata"]["phone_call"]["agent_number"] = ADA
    house.platform.post_call(event)
    await house.work()

    assert await house.query("select numbers from agents where id = $1", AGENT) == [
        ([f"tel:{AGENTS_NUMBER}"],)
    ]
    assert "Grace wed." in house.platform.told(GRACE)
    assert "what it calls the agent's own number is a user's" in caplog.text


async def test_a_call_whose_agents_number_is_the_callers_is_the_callers(house: House) -> None:
    """Known or not: somebody tries an agent with one phone, or the platform mixes the two ends up."""
    for conversation in ("conv_1", "conv_2"):
        event = ended_call(conversation, summary=f"Ada asked: {conversation}.", ended=house.clock())
        event["data"]["metadata"]["phone_call"]["agent_number"] = ADA
        house.platform.post_call(event)
        await house.work()

    assert "Ada asked: conv_2." in house.platform.told(ADA)
    assert await house.query("select numbers from agents where id = $1", AGENT) == [([],)]


async def test_one_of_our_agents_that_calls_another_is_the_caller(house: House) -> None:
    other = "+14155550188"
    for conversation, number in (("conv_1", AGENTS_NUMBER), ("conv_2", other)):
        event = ended_call(conversation, ended=house.clock())
        event["data"]["metadata"]["phone_call"]["agent_number"] = number
        house.platform.post_call(event)
    await house.work()

    await until(lambda: house.platform.pre_call(other, called_number=ADA)["user_id"] != f"tel:{other}")

    assert house.platform.pre_call(other)["user_id"] == f"tel:{other}"


async def _is_readable(house: House) -> bool:
    entry = await house.worker.redis.get(f"voice:prompt:{AGENT}:tel:{ADA}")
    return entry is not None and b"Ada asked." in entry
