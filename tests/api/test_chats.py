"""Chats over the API: what is written is remembered as calls are, and told on the phone."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from api.conftest import Host, refused
from pretend.agent import Agent
from pretend.elevenlabs import ADA, AGENT

MINUTE, HOUR = 60, 3600
BOILER = (
    "user: My boiler broke last night.",
    "agent: Oh dear. Who repairs it?",
    "user: Priya, a young plumber.",
)
CAKE = "user: I promise I'll bring the plum cake for Maria on Friday."


def lines(*said: str) -> list[dict[str, Any]]:
    """As they are sent."""
    return [dict(zip(("role", "content"), one.split(": ", 1), strict=True)) for one in said]


def tell(host: Host, user_id: str, *said: str, chat: str = "chat_1", agent: str = AGENT, **more: Any) -> Any:
    """What the chat is after this was said in it."""
    return host.ok(send(host, user_id, *said, chat=chat, agent=agent, **more))


def send(host: Host, user_id: str, *said: str, chat: str = "chat_1", agent: str = AGENT, **more: Any) -> Any:
    """The answer."""
    body = {"agent_id": agent, "messages": lines(*said), **more}
    return host.send("POST", f"/users/{user_id}/chats/{chat}/messages", json=body)


async def silence(host: Host, seconds: float) -> None:
    """Nobody writes for so long; the worker looks after what that means."""
    await host.house.work()
    host.house.clock.now += seconds
    await host.house.worker.chats.wake()
    await host.house.work()


async def ada(host: Host) -> str:
    """Her id; she has called once, long ago."""
    user_id = await host.call("conv_0", "user: I breed kingfishers.")
    host.house.clock.now += 10 * 24 * HOUR
    return user_id


def day(host: Host, user_id: str) -> Any:
    """Today's segment, if there is one."""
    days = [one for one in host.get(f"/users/{user_id}/days")["items"] if one["day"] == "2026-11-27"]
    return days[0] if days else None


async def prompt(host: Host) -> str:
    await host.house.work()
    return host.house.platform.told(ADA)


async def test_what_was_written_is_told_on_the_phone_once_the_chat_has_ended(host: Host) -> None:
    user_id = await ada(host)

    tell(host, user_id, *BOILER, ended=True)

    assert "[LAST TIME]\nFriday 27 November 2026 (text" in await prompt(host)
    assert "boiler" in await prompt(host)


async def test_a_chat_has_its_messages_in_order_and_says_how_many(host: Host) -> None:
    user_id = await ada(host)

    first = tell(host, user_id, *BOILER[:2])
    host.house.clock.now += MINUTE
    then = tell(host, user_id, BOILER[2])

    shown = host.get(f"/conversations/{first['conversation_id']}")
    assert (first["messages"], then["messages"], then["understood"]) == (2, 3, 0)
    assert [f"{one['role']}: {one['content']}" for one in shown["messages"]] == list(BOILER)
    assert [one["position"] for one in shown["messages"]] == [0, 1, 2]
    assert shown["conversation"]["channel"] == "text"
    assert shown["conversation"]["goes_on"] is True
    assert shown["conversation"]["ended_at"] == shown["messages"][2]["said_at"] == "2026-11-27T10:32:00Z"


async def test_nine_messages_are_waited_with_and_ten_are_summed_up(host: Host) -> None:
    user_id = await ada(host)

    tell(host, user_id, *BOILER, *BOILER, *BOILER)
    await host.house.work()
    nine = day(host, user_id)
    tell(host, user_id, CAKE)
    await host.house.work()

    assert nine is None
    assert day(host, user_id)["messages"] == 10
    assert "plum cake" in day(host, user_id)["summary"]
    assert "plum cake" in await prompt(host)


async def test_ten_messages_count_from_the_last_summary(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, *BOILER, *BOILER, CAKE)
    await host.house.work()

    tell(host, user_id, *BOILER, *BOILER, *BOILER)
    await host.house.work()
    nineteen = day(host, user_id)["messages"]
    twentieth = tell(host, user_id, "user: The kingfisher hatched.")
    await host.house.work()

    assert nineteen == 10
    assert (twentieth["messages"], twentieth["understood"]) == (20, 10)
    assert day(host, user_id)["messages"] == 20


async def test_few_messages_that_fill_a_message_history_are_summed_up(host: Host) -> None:
    user_id = await ada(host)

    tell(host, user_id, "user: " + "The boiler broke again. " * 220)
    await host.house.work()
    before = day(host, user_id)
    tell(host, user_id, "agent: " + "Priya repairs it today. " * 220)
    await host.house.work()

    assert before is None
    assert day(host, user_id)["messages"] == 2


async def test_after_a_minute_of_silence_the_phone_knows_what_was_written(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER)

    await silence(host, 59)
    early = await prompt(host)
    await silence(host, 2)

    assert "boiler" not in early
    assert "boiler" in await prompt(host)


async def test_a_chat_that_goes_on_is_told_of_today_and_not_as_last_time(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER)

    await silence(host, 2 * MINUTE)
    told = await prompt(host)

    assert "[TODAY SO FAR]" in told
    assert "boiler" in told.split("[TODAY SO FAR]")[1].split("[/TODAY SO FAR]")[0]
    assert "kingfisher" in told.split("[LAST TIME]")[1].split("[/LAST TIME]")[0]


async def test_a_chat_ends_by_itself_when_nobody_writes_for_as_long_as_ends_a_session(host: Host) -> None:
    user_id = await ada(host)
    chat = tell(host, user_id, *BOILER)

    await silence(host, 2.9 * HOUR)
    before = host.get(f"/conversations/{chat['conversation_id']}")["conversation"]["goes_on"]
    await silence(host, 0.2 * HOUR)

    assert before is True
    assert host.get(f"/conversations/{chat['conversation_id']}")["conversation"]["goes_on"] is False
    assert "[LAST TIME]\nFriday 27 November 2026 (text" in await prompt(host)


async def test_what_is_said_after_the_end_takes_the_chat_up_again(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, ended=True)
    await host.house.work()

    again = tell(host, user_id, CAKE)
    await silence(host, 4 * HOUR)

    assert again["goes_on"] is True
    assert "plum cake" in await prompt(host)


async def test_the_same_request_sent_again_changes_nothing(host: Host) -> None:
    user_id = await ada(host)

    once = tell(host, user_id, *BOILER, first=0)
    twice = tell(host, user_id, *BOILER, first=0)
    more = tell(host, user_id, *BOILER[1:], CAKE, first=1)

    assert twice == once
    assert more["messages"] == 4


async def test_an_end_sent_again_does_not_begin_the_chat_anew(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, first=0, ended=True)

    again = tell(host, user_id, *BOILER, first=0)

    assert again["goes_on"] is False


async def test_a_chat_may_be_ended_without_another_word(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER)

    ended = tell(host, user_id, ended=True)

    assert ended["goes_on"] is False
    assert "boiler" in await prompt(host)


async def test_messages_that_are_missing_are_asked_for(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER)

    why = refused(send(host, user_id, CAKE, first=5), 409)

    assert why == "Messages 3 to 4 of the chat are missing: send them first."


async def test_what_was_said_cannot_be_changed(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER)

    why = refused(send(host, user_id, "user: My roof leaks.", first=0), 409)

    assert why.startswith("Message 0 of the chat is another one")


async def test_a_chat_is_one_users_with_one_agent(host: Host) -> None:
    user_id, grace = await ada(host), host.user()
    await host.call("conv_wren", agent="agent_wren")
    tell(host, user_id, *BOILER)

    refused(send(host, grace, CAKE), 409)
    refused(send(host, user_id, CAKE, agent="agent_wren"), 409)


async def test_a_chat_with_nobody_known_is_refused(host: Host) -> None:
    user_id = await ada(host)

    assert "There is no user usr_nobody" in refused(send(host, "usr_nobody", CAKE), 404)
    assert "agent_nobody" in refused(send(host, user_id, CAKE, agent="agent_nobody"), 404)
    assert "There is no chat" in refused(send(host, user_id, ended=True), 404)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": ""},
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "x" * 20_001},
        {"role": "tool_call", "content": "{}"},
        {"role": "user", "content": "Hi.", "tool_name": "weather"},
        {"role": "user", "content": "Hi.", "said_at": "yesterday"},
        {"role": "user", "content": "Hi.", "mood": "glad"},
    ],
)
async def test_a_message_that_is_none_is_refused_with_the_reason(host: Host, message: dict[str, Any]) -> None:
    user_id = host.user()
    body = {"agent_id": AGENT, "messages": [message]}

    refused(host.send("POST", f"/users/{user_id}/chats/chat_1/messages", json=body), 422)


async def test_no_message_is_before_the_one_before_it_nor_later_than_now(host: Host) -> None:
    user_id = await ada(host)
    times = ("2026-11-27T09:00:00Z", "2026-11-27T08:00:00Z", "2027-01-01T00:00:00Z")
    said = [{**one, "said_at": at} for one, at in zip(lines(*BOILER), times, strict=True)]

    chat = tell(host, user_id, messages=said)

    shown = host.get(f"/conversations/{chat['conversation_id']}")["messages"]
    assert [one["said_at"] for one in shown] == [times[0], times[0], "2026-11-27T10:31:00Z"]


async def test_a_chat_in_which_only_the_agent_wrote_leaves_no_trace(host: Host) -> None:
    user_id = await ada(host)
    before = await prompt(host)

    tell(host, user_id, "agent: Shall I tell you about my badgers?", ended=True)
    await silence(host, 4 * HOUR)

    assert "badger" not in await prompt(host)
    assert before.split("[LAST TIME]")[1] == (await prompt(host)).split("[LAST TIME]")[1]


async def test_what_is_withheld_later_in_the_chat_is_told_no_more(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, "user: I am seeing a doctor about my knee.")
    await silence(host, 2 * MINUTE)

    tell(host, user_id, "user: Please don't remember that.", ended=True)

    assert "knee" not in await prompt(host)
    assert "boiler" in await prompt(host)


async def test_several_writers_at_once_lose_no_message(host: Host) -> None:

    user_id = await ada(host)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: tell(host, user_id, f"user: Number {n}."), range(24)))

    shown = host.get(f"/conversations/{answers[0]['conversation_id']}")["messages"]
    assert sorted(one["content"] for one in shown) == sorted(f"Number {n}." for n in range(24))
    assert [one["position"] for one in shown] == list(range(24))


async def test_what_is_written_is_found_by_tools_at_once(host: Host) -> None:
    user_id = await ada(host)
    agent = Agent(host.house)

    tell(host, user_id, *BOILER)
    await host.house.work()
    agent.begin("conv_now")

    found = agent.use("conversation.search", "conv_now", query="boiler")
    assert "boiler" in found["results"][0]["snippet"]


async def test_a_merge_takes_a_chat_that_goes_on_along(host: Host) -> None:
    user_id, phone = await ada(host), host.user()
    tell(host, phone, *BOILER)
    host.ok(host.send("POST", "/merges", json={"from_user": phone, "into_user": user_id}))

    tell(host, phone, CAKE, ended=True)

    assert "plum cake" in await prompt(host)
