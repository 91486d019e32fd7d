"""Chats over the API: what is written is remembered as calls are, and told on the phone."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import asyncpg
import pytest
from api.conftest import Host, refused
from benchmarks.statements import recorded
from pretend.agent import Agent
from pretend.elevenlabs import ADA, AGENT

from voice_server.digest.privacy import consent
from voice_server.digest.secrets.messages import redacted_messages
from voice_server.operations.chats import record_chat
from voice_server.operations.chats.record_chat import Basis, Reading

MINUTE, HOUR = 60, 3600
BOILER = (
    "user: My boiler broke last night.",
    "agent: Oh dear. Who repairs it?",
    "user: Priya, a young plumber.",
)
CAKE = "user: I promise I'll bring the plum cake for Maria on Friday."
LONG = f"user:{' The plums behind the house are ripe.' * 150}"


def lines(*said: str) -> list[dict[str, Any]]:
    return [dict(zip(("role", "content"), one.split(": ", 1), strict=True)) for one in said]


def tell(host: Host, user_id: str, *said: str, chat: str = "chat_1", agent: str = AGENT, **more: Any) -> Any:
    """What the chat is after this was said in it."""
    return host.ok(send(host, user_id, *said, chat=chat, agent=agent, **more))


def send(host: Host, user_id: str, *said: str, chat: str = "chat_1", agent: str = AGENT, **more: Any) -> Any:
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
    assert (first["messages"], then["messages"]) == (2, 3)
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
    tell(host, user_id, "user: The kingfisher hatched.")
    await host.house.work()

    assert nineteen == 10
    assert day(host, user_id)["messages"] == 20


async def test_ten_messages_are_summed_up_however_late_the_worker_is(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, *BOILER, *BOILER, CAKE)
    tell(host, user_id, *BOILER, *BOILER, *BOILER, "user: The kingfisher hatched.")

    await host.house.work()

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


async def test_what_is_said_soon_after_the_end_takes_the_sitting_up_again(host: Host) -> None:
    user_id = await ada(host)
    once = tell(host, user_id, *BOILER, ended=True)
    await host.house.work()

    again = tell(host, user_id, CAKE)
    await silence(host, 2 * MINUTE)

    assert again == once | {"messages": 4, "goes_on": True}
    assert "plum cake" in await prompt(host)


async def test_what_is_said_after_a_pause_is_a_sitting_of_its_own(host: Host) -> None:
    user_id = await ada(host)
    once = tell(host, user_id, *BOILER)
    await silence(host, 4 * HOUR)

    again = tell(host, user_id, CAKE, first=3)
    other = host.get(f"/conversations/{again['conversation_id']}")

    assert again["conversation_id"] != once["conversation_id"]
    assert again["messages"] == 4
    assert [one["content"] for one in other["messages"]] == [CAKE.partition(": ")[2]]
    assert "boiler" in (await prompt(host)).split("[LAST TIME]")[1].split("[/LAST TIME]")[0]


async def test_the_last_time_is_the_sitting_that_ended_last(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER)
    await silence(host, 6 * 24 * HOUR)
    await host.call("conv_1", "user: The kingfisher hatched.")
    host.house.clock.now += 24 * HOUR

    tell(host, user_id, *BOILER, CAKE, ended=True)

    told = (await prompt(host)).split("[LAST TIME]")[1].split("[/LAST TIME]")[0]
    assert told.strip().startswith("Friday 4 December 2026 (text")


async def test_a_sitting_is_over_when_it_is_long(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_chat, "LONGEST", 4)
    user_id = await ada(host)

    tell(host, user_id, *BOILER)
    last = tell(host, user_id, *BOILER, *BOILER, *BOILER)
    await host.house.work()

    talked = [one for one in host.get(f"/users/{user_id}/conversations")["items"] if one["channel"] == "text"]
    assert [one["goes_on"] for one in talked] == [True, False, False]
    assert [len(host.get(f"/conversations/{one['id']}")["messages"]) for one in talked] == [4, 4, 4]
    assert last == {"conversation_id": talked[0]["id"], "messages": 12, "goes_on": True}


async def test_a_chat_of_long_ago_is_told_with_its_own_days(host: Host) -> None:
    user_id = await ada(host)
    times = ("2026-11-02T09:00:00Z", "2026-11-02T09:01:00Z", "2026-11-04T18:00:00Z")
    said = [{**one, "said_at": at} for one, at in zip(lines(*BOILER), times, strict=True)]

    tell(host, user_id, messages=said, ended=True)
    await host.house.work()

    days = {one["day"]: one["messages"] for one in host.get(f"/users/{user_id}/days")["items"]}
    talked = [one for one in host.get(f"/users/{user_id}/conversations")["items"] if one["channel"] == "text"]
    assert {"2026-11-02": 2, "2026-11-04": 1}.items() <= days.items()
    assert [(one["started_at"], one["ended_at"]) for one in talked] == [
        (times[2], times[2]),
        (times[0], times[1]),
    ]


async def test_a_chat_that_is_told_in_parts_goes_on_between_them(host: Host) -> None:
    user_id = await ada(host)
    times = ("2026-11-02T09:00:00Z", "2026-11-02T09:01:00Z", "2026-11-02T09:02:00Z")
    one, two, three = ({**one, "said_at": at} for one, at in zip(lines(*BOILER), times, strict=True))

    first = tell(host, user_id, messages=[one])
    await silence(host, 30)
    last = tell(host, user_id, messages=[two, three])

    assert last["conversation_id"] == first["conversation_id"]
    assert last["goes_on"] is True


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
    await host.house.work()
    before = await host.house.query("select last_value from pgqueuer_id_seq")

    again = tell(host, user_id, *BOILER, first=0, ended=True)

    assert again["goes_on"] is False
    assert await host.house.query("select last_value from pgqueuer_id_seq") == before


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


@pytest.mark.parametrize("ended", [False, True])
async def test_what_is_withheld_later_in_the_chat_is_told_no_more(host: Host, *, ended: bool) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, "user: I am seeing a doctor about my knee.", ended=ended)
    await silence(host, 2 * MINUTE)
    before = await prompt(host)

    tell(host, user_id, "user: Please don't remember that.", ended=True)

    assert "knee" in before
    assert "knee" not in await prompt(host)
    assert "boiler" in await prompt(host)


async def test_a_wish_to_forget_is_not_waited_with(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, *BOILER, *BOILER, "user: I am seeing a doctor about my knee.")
    before = await prompt(host)

    tell(host, user_id, "user: Please forget what I just said.")

    assert "knee" in before
    assert "knee" not in await prompt(host)


async def test_a_wish_reaches_what_another_chat_said_since_its_own_began(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: Hello there.", "agent: Hello.", chat="asking")
    host.house.clock.now += 60
    said = ("user: My boiler is repaired by Mr Okafor.", "agent: Good.")
    tell(host, user_id, *said, chat="telling", ended=True)
    before = await prompt(host)
    host.house.clock.now += 60
    wish = "user: Please forget what I said about the boiler."
    tell(host, user_id, wish, "agent: I will.", chat="asking", ended=True)
    await host.house.work()
    found = host.get(f"/users/{user_id}/search", agent_id=AGENT, query="boiler Okafor")
    host.house.clock.now += 60
    tell(host, user_id, "user: The boiler is a Vaillant.", "agent: Good.", chat="later", ended=True)

    assert "Okafor" in before
    assert "Okafor" not in str(found)
    assert "Okafor" not in await prompt(host)
    assert "Vaillant" in await prompt(host)


async def test_a_sitting_that_is_taken_up_again_is_no_longer_the_last_time(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, ended=True)
    ended = await prompt(host)

    tell(host, user_id, "agent: Anything else?")

    told = await prompt(host)
    assert "[LAST TIME]\nFriday 27 November 2026 (text" in ended
    assert "kingfisher" in told.split("[LAST TIME]")[1].split("[/LAST TIME]")[0]


async def test_the_last_time_is_what_ended_last_and_not_what_began_last(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER)
    host.house.clock.now += MINUTE
    await host.call("conv_1", "user: The kingfisher hatched.")
    host.house.clock.now += MINUTE

    tell(host, user_id, CAKE, ended=True)

    assert "(text, 3 minutes)" in (await prompt(host)).split("[LAST TIME]")[1].split("[/LAST TIME]")[0]


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


async def test_a_chat_begun_under_a_merged_id_goes_back_when_that_is_undone(host: Host) -> None:
    user_id, phone = await ada(host), host.user()
    merge = host.ok(host.send("POST", "/merges", json={"from_user": phone, "into_user": user_id}))
    tell(host, phone, *BOILER, ended=True)
    await host.house.work()

    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))
    again = tell(host, phone, CAKE)

    assert again["messages"] == 4
    assert "boiler" not in await prompt(host)


async def test_the_language_of_a_chat_is_kept(host: Host) -> None:
    user_id = await ada(host)

    chat = tell(host, user_id, "user: Meine Heizung ist kaputt.", language="de")
    tell(host, user_id, "user: Danke!")

    assert host.get(f"/conversations/{chat['conversation_id']}")["conversation"]["language"] == "de"


async def test_what_asked_for_a_day_is_on_record(host: Host) -> None:
    user_id = await ada(host)
    asked = "select trigger from pending_work where kind = 'day_summaries'"

    tell(host, user_id, *BOILER)
    await silence(host, 2 * MINUTE)
    quiet = await host.house.query(asked)
    tell(host, user_id, *BOILER, *BOILER, *BOILER, CAKE)
    await host.house.work()

    assert quiet == [("silence",)]
    assert await host.house.query(asked) == [("messages",)]


OPEN = (
    "select count(*) from pg_stat_activity where datname = current_database() and state = 'idle in "
    "transaction'"
)


async def open_transactions(database_url: str) -> int:
    """How many wait for what their client does next, and go on doing so: the loops of the house have some, in
    passing."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        for _ in range(50):
            if not (waiting := int(await connection.fetchval(OPEN))):
                break
            await asyncio.sleep(0.02)
        return waiting
    finally:
        await connection.close()


async def test_messages_are_read_in_a_thread_with_no_transaction_open(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte takes seconds to read: neither a pre-call nor another request waits for that."""
    user_id, seen = await ada(host), dict[str, int]()

    def watched(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def look(*given: Any) -> Any:
            if name not in seen:  # raises on a thread that has a loop
                seen[name] = asyncio.run(open_transactions(host.house.settings.database_url))
            return work(*given)

        return look

    monkeypatch.setattr(consent, "may_ask", watched("wishes", consent.may_ask))
    monkeypatch.setattr(record_chat, "redacted_messages", watched("secrets", redacted_messages))

    tell(host, user_id, *BOILER, LONG)

    assert seen == {"wishes": 0, "secrets": 0}


async def test_a_few_words_take_one_transaction(host: Host) -> None:
    user_id = await ada(host)

    assert await transactions(host, user_id, *BOILER) == 1
    assert await transactions(host, user_id, LONG) == 2


async def transactions(host: Host, user_id: str, *said: str) -> int:
    """How many begin by keeping the user's addresses, as those do in which something is told."""
    with recorded() as statements:
        tell(host, user_id, *said)
    return sum("pg_advisory_xact_lock_shared" in one.text for one in statements)


@pytest.mark.parametrize("times", [1, 2])
async def test_a_number_that_began_while_its_end_was_read_is_found(
    host: Host, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """What stands before it is another than when it was read: it is read again, in the end at any price."""
    user_id, readings = await ada(host), list[Reading]()

    def interrupted(basis: Basis) -> Reading:
        readings.append(read(basis))
        if len(readings) in range(1, 2 * times, 2):  # the writer in between reads, too
            tell(host, user_id, "user: 5555 5555")
        return readings[-1]

    read = record_chat.read
    monkeypatch.setattr(record_chat, "read", interrupted)
    told = tell(host, user_id, "user: 5555 4444", LONG)

    said = host.get(f"/conversations/{told['conversation_id']}")["messages"]
    assert [one["content"] for one in said[-3:-1]] == ["[card number]"] * 2
    assert told["messages"] == times + 2


PAYING = (
    "user: I would like to pay for the garden tour with my card now.",
    "agent: What does it say on the front, please?",
    "user: It is 4111 1111",
)


async def test_half_a_number_of_an_earlier_sitting_is_told_no_more(host: Host) -> None:
    user_id = await ada(host)
    first = tell(host, user_id, *PAYING)
    await silence(host, 2 * MINUTE)
    host.house.clock.now += 7 * HOUR
    await silence(host, 1)
    before = await prompt(host)

    then = tell(host, user_id, "user: 1111 1111", "agent: Thank you.")
    at_once = host.house.platform.told(ADA)
    after = await prompt(host)

    assert first["conversation_id"] != then["conversation_id"]
    assert "4111" in before
    assert "4111" not in at_once + after
    [(made,)] = await host.house.query(
        "select d::text from digests d where conversation_id = $1", first["conversation_id"]
    )
    assert "garden tour" in made
    assert "4111" not in made
    days = await host.house.query("select s::text from day_segments s")
    assert "4111" not in str(days)


# -- the list of them


async def test_chats_are_listed_the_latest_first_a_page_at_a_time(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, chat="boiler")
    await silence(host, HOUR)
    tell(host, user_id, CAKE, chat="cake")
    await silence(host, 10 * HOUR)
    tell(host, user_id, "agent: And how is the boiler?", "user: It is warm again.", chat="boiler")

    first = host.get(f"/users/{user_id}/chats", limit=1)
    second = host.get(f"/users/{user_id}/chats", limit=1, cursor=first["next"])
    [boiler], [cake] = first["items"], second["items"]
    assert (boiler["chat_id"], boiler["messages"], boiler["agent_id"]) == ("boiler", 5, AGENT)
    assert boiler["began_with"] == "My boiler broke last night."
    assert boiler["last_at"] > cake["last_at"]
    assert (cake["chat_id"], second["next"]) == ("cake", None)


async def test_chats_of_others_and_erased_ones_are_not_listed(host: Host) -> None:
    user_id = await ada(host)
    tell(host, host.user(), CAKE, chat="cake")
    conversation = tell(host, user_id, *BOILER, chat="boiler")["conversation_id"]
    host.send("DELETE", f"/conversations/{conversation}")

    assert host.get(f"/users/{user_id}/chats")["items"] == []
