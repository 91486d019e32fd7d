"""A user writes, and our own agent answers: kept, in order, once, whatever happens to whoever listens."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from api.conftest import Host, refused
from api.routes.conversations.test_chats import tell
from conftest import House
from pretend.elevenlabs import ADA, AGENT
from pretend.model import TOKENS_IN, TOKENS_OUT, PretendModel, calls, page, says, status
from pretend.trouble import Trouble, until

from voice_server.settings import Settings
from voice_server.store import model_usage

OpenHouse = Callable[[Settings], House]
HOUR = 3600


@pytest.fixture
def host(open_house: OpenHouse, chatting: Settings) -> Host:
    return Host(open_house(chatting))


async def ada(host: Host) -> str:
    """Her id; nobody has talked with her yet."""
    host.ok(host.send("PUT", f"/agents/{AGENT}"))
    return host.user()


async def ada_who_called(host: Host) -> str:
    """Her id; she called yesterday."""
    user_id = await host.call("conv_0", "user: My boiler broke last night.", "agent: Who repairs it?")
    host.house.clock.now += 24 * HOUR
    return user_id


def write(host: Host, user_id: str, text: str, turn: str = "1", chat: str = "boiler", **more: Any) -> Any:
    """What the agent answers."""
    return host.ok(send(host, user_id, text, turn, chat, **more))


def send(
    host: Host,
    user_id: str,
    text: str,
    turn: str = "1",
    chat: str = "boiler",
    agent: str = AGENT,
    accept: str = "application/json",
) -> httpx2.Response:
    body = {"user_id": user_id, "agent_id": agent, "chat_id": chat, "turn_id": turn, "text": text}
    return host.send("POST", "/chat", json=body, headers={"accept": accept})


def events(response: httpx2.Response) -> list[tuple[str, Any]]:
    parts = [one.split("\n") for one in response.text.strip().split("\n\n") if not one.startswith(":")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in parts]


def chat_of(host: Host, user_id: str, chat: str = "boiler") -> list[str]:
    """What was said in it."""
    told = host.get(f"/users/{user_id}/text-context", agent_id=AGENT, chat_id=chat)
    return [f"{one['role']}: {one['content']}" for one in told["message_history"]["openai"]]


async def under_way(
    host: Host, model: PretendModel, user_id: str, *pieces: str, pause: float
) -> "asyncio.Task[httpx2.Response]":
    """An answer of which something was told already."""
    model.then(says(*pieces, pause=pause))
    answering = asyncio.create_task(asyncio.to_thread(send, host, user_id, "Who repairs it?"))
    await until(lambda: _is_told(host, user_id))
    return answering


def turn_of(host: Host, user_id: str, turn: str = "1", chat: str = "boiler") -> Any:
    return host.get(f"/chats/{chat}/turns/{turn}", user_id=user_id)


# -- an answer


async def test_the_agent_answers_and_knows_what_was_said_on_the_phone(
    host: Host, model: PretendModel
) -> None:
    answer = write(host, await ada_who_called(host), "Who repairs my boiler?")

    assert (answer["text"], answer["status"]) == ("Priya repairs it.", "done")
    [asked] = model.asked
    assert "My boiler broke last night" in asked["messages"][0]["content"]
    assert asked["messages"][-1] == {"role": "user", "content": "Who repairs my boiler?"}


async def test_it_is_told_in_pieces_to_who_listens(host: Host) -> None:
    told = events(send(host, await ada(host), "Who repairs it?", accept="*/*"))

    assert [name for name, _ in told] == ["turn", "text", "text", "done"]
    assert [data["text"] for name, data in told if name == "text"] == ["Priya ", "repairs it."]
    assert told[0][1] == {"chat_id": "boiler", "turn_id": "1", "place": 0}
    assert told[-1][1]["message_id"]
    assert told[-1][1]["context"]["message_history_count"] == 0


async def test_its_first_words_are_told_at_once_and_what_follows_within_a_moment_together(
    host: Host, model: PretendModel
) -> None:
    words = [f"{n} " for n in range(100)]
    model.then(says(*words))

    told = events(send(host, await ada(host), "Who repairs it?", accept="*/*"))

    pieces = [data["text"] for name, data in told if name == "text"]
    assert (pieces[0], "".join(pieces)) == ("0 ", "".join(words))
    assert len(pieces) < len(words) / 2


async def test_the_second_answer_knows_the_first(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    write(host, user_id, "Who repairs it?", "1")
    write(host, user_id, "And when?", "2")

    assert [one["content"] for one in model.asked[1]["messages"][1:]] == [
        "Who repairs it?",
        "Priya repairs it.",
        "And when?",
    ]
    assert chat_of(host, user_id) == [
        "user: Who repairs it?",
        "assistant: Priya repairs it.",
        "user: And when?",
        "assistant: Priya repairs it.",
    ]


async def test_a_model_may_take_longer_than_postgres_may(
    open_house: OpenHouse, chatting: Settings, model: PretendModel
) -> None:
    host = Host(open_house(chatting.model_copy(update={"database_deadline_seconds": 1.0})))
    user_id = await ada(host)
    model.delay = 1.5

    assert write(host, user_id, "Who repairs it?")["text"] == "Priya repairs it."


async def test_a_new_chat_begins_with_a_fresh_prompt_and_no_history(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    write(host, user_id, "Who repairs it?", chat="first")
    write(host, user_id, "Hello.", chat="second")

    assert [one["role"] for one in model.asked[1]["messages"]] == ["system", "user"]


async def test_what_was_written_is_told_on_the_phone(host: Host) -> None:
    user_id = await ada_who_called(host)
    write(host, user_id, "I need the recipe for the plum cake.")
    host.house.clock.now += HOUR
    await host.house.worker.chats.wake()
    await host.house.work()

    assert "plum cake" in host.house.platform.told(ADA)


async def test_what_it_cost_is_told_and_counted(host: Host) -> None:
    answer = write(host, await ada(host), "Who repairs it?")

    assert (answer["usage"]["input_tokens"], answer["usage"]["output_tokens"]) == (TOKENS_IN, TOKENS_OUT)
    assert await host.house.query("select tokens_in, tokens_out from model_usage") == [
        (TOKENS_IN, TOKENS_OUT)
    ]


async def test_what_it_was_told_is_kept_with_the_reasons(host: Host) -> None:
    user_id = await ada_who_called(host)
    first = write(host, user_id, "Who repairs my boiler?", "1")["context"]["prompt_version"]
    host.house.clock.now += 24 * HOUR
    second = write(host, user_id, "And when?", "2")["context"]["prompt_version"]

    told = host.get(f"/users/{user_id}/prompts/{second}", agent_id=AGENT)
    assert "My boiler broke last night" in told["prompt"]
    assert told["snapshot"]["message_history_count"] == 2
    assert told["snapshot"]["sections"]
    chats = [one for one in host.get(f"/users/{user_id}/conversations")["items"] if one["channel"] == "text"]
    began = [host.get(f"/conversations/{one['id']}/prompt")["version"] for one in chats]
    assert began == [second, first]


async def test_metrics_count_what_histories_tell(host: Host) -> None:
    user_id = await ada(host)
    write(host, user_id, "Who repairs it?", "1")
    write(host, user_id, "And when?", "2")

    text = host.house.client.get("/metrics").text
    assert 'voice_chat_messages_total{outcome="told"} 2.0' in text
    assert "voice_chat_context_seconds_count 2.0" in text
    parts = dict(re.findall(r'voice_chat_context_part_seconds_total\{part="(\w+)"\} (\S+)', text))
    assert float(parts["reading"]) > float(parts["history"]) > 0
    assert float(parts["building"]) > float(parts["counting"]) > 0


async def test_it_says_which_rule_left_messages_out(open_house: OpenHouse, chatting: Settings) -> None:
    host = Host(open_house(chatting.model_copy(update={"chat_history_messages": 6})))
    user_id = await ada(host)
    tell(host, user_id, *(f"user: Sentence {n}." for n in range(20)), chat="boiler")

    context = write(host, user_id, "Who repairs it?")["context"]

    assert context["message_history_left_out"] == 14
    assert context["message_history_dropped"] == {"history: 6 messages": 10}  # of the 16 that are looked at


# -- the same turn again


async def test_the_same_turn_is_answered_once_and_heard_again(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)

    first, again = (write(host, user_id, "Who repairs it?") for _ in range(2))

    assert (first["text"], len(model.asked)) == (again["text"], 1)
    assert len(chat_of(host, user_id)) == 2


async def test_other_words_under_the_same_id_are_refused(host: Host) -> None:
    user_id = await ada(host)
    write(host, user_id, "Who repairs it?")

    assert "had other words" in refused(send(host, user_id, "Who paints it?"), 409)


async def test_a_turn_of_another_user_is_nobody_elses(host: Host) -> None:
    user_id, other = await ada(host), host.user()
    write(host, user_id, "Who repairs it?")

    assert "is not one of user" in refused(send(host, other, "Who repairs it?"), 409)
    assert "has no turn" in refused(host.send("GET", "/chats/boiler/turns/1", params={"user_id": other}), 404)


async def test_two_turns_at_once_are_answered_one_after_the_other(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.delay = 0.2

    await asyncio.gather(
        *(asyncio.to_thread(write, host, user_id, f"Turn {turn}.", turn) for turn in ("1", "2"))
    )

    assert model.most_at_once == 1
    roles = [one.partition(":")[0] for one in chat_of(host, user_id)]
    assert roles == ["user", "assistant", "user", "assistant"]


async def test_who_waits_too_long_for_the_turn_before_is_told_so(
    open_house: OpenHouse, chatting: Settings, model: PretendModel
) -> None:
    host = Host(open_house(chatting.model_copy(update={"chat_wait_seconds": 0.2})))
    user_id = await ada(host)
    model.delay = 0.8
    first = asyncio.create_task(asyncio.to_thread(write, host, user_id, "One.", "1"))
    await until(lambda: bool(model.asked))

    assert "Turn 1 of chat boiler is being answered" in refused(send(host, user_id, "Two.", "2"), 409)

    assert (await first)["status"] == "done"


async def test_who_asks_again_meanwhile_hears_the_same_answer(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.delay = 0.3

    first, again = await asyncio.gather(
        *(asyncio.to_thread(write, host, user_id, "Who repairs it?") for _ in range(2))
    )

    assert (first["text"], len(model.asked)) == (again["text"], 1)


async def test_another_process_waits_for_the_one_that_answers(
    open_house: OpenHouse, chatting: Settings, model: PretendModel
) -> None:
    one, other = (Host(open_house(chatting)) for _ in range(2))
    user_id = await ada(one)
    model.delay = 0.5

    first, again = await asyncio.gather(
        *(asyncio.to_thread(write, host, user_id, "Who repairs it?") for host in (one, other))
    )

    assert (first["text"], len(model.asked)) == (again["text"], 1)


# -- broken off


async def test_what_was_answered_until_it_is_stopped_stays(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    answering = await under_way(host, model, user_id, "Priya ", *["and so on "] * 100, pause=0.05)

    assert host.send("DELETE", "/chats/boiler/turns/1", params={"user_id": user_id}).status_code == 204

    answer = host.ok(await answering)
    assert answer["status"] == "interrupted"
    assert chat_of(host, user_id)[1].startswith("assistant: Priya ")
    assert chat_of(host, user_id)[1].endswith(" […]")
    assert turn_of(host, user_id)["status"] == "interrupted"
    assert turn_of(host, user_id)["message_id"]
    assert await host.house.query("select calls, tokens_out > 0 from model_usage") == [(1, True)]
    assert turn_of(host, user_id)["text"] == chat_of(host, user_id)[1].removeprefix("assistant: ")


async def test_to_stop_it_again_and_again_takes_nothing_away(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    answering = await under_way(host, model, user_id, "Priya ", *["and so on "] * 100, pause=0.05)

    for _ in range(3):
        host.send("DELETE", "/chats/boiler/turns/1", params={"user_id": user_id})

    assert host.ok(await answering)["status"] == "interrupted"
    assert chat_of(host, user_id)[1].startswith("assistant: Priya ")
    assert write(host, user_id, "And when?", turn="2")["status"] == "done"


def _is_told(host: Host, user_id: str) -> bool:
    found = host.send("GET", "/chats/boiler/turns/1", params={"user_id": user_id})
    return found.status_code == 200 and bool(found.json()["text"])


async def test_asked_for_again_a_stopped_turn_runs_once_more_and_its_words_are_there_once(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    answering = await under_way(host, model, user_id, "Priya ", *["and so on "] * 100, pause=0.05)
    host.send("DELETE", "/chats/boiler/turns/1", params={"user_id": user_id})
    await answering

    again = write(host, user_id, "Who repairs it?")

    assert (again["text"], again["status"]) == ("Priya repairs it.", "done")
    assert [one["role"] for one in model.asked[-1]["messages"]] == ["system", "user"]
    assert sum(one.startswith("user:") for one in chat_of(host, user_id)) == 1


async def test_a_process_that_was_killed_leaves_the_question_and_again_repeats_it(
    open_house: OpenHouse, chatting: Settings, model: PretendModel
) -> None:
    """As a kill leaves it: the words are there, and a lease that nobody renews."""
    host = Host(open_house(chatting))
    user_id = await ada(host)
    first = tell(host, user_id, "user: Who repairs it?", chat="boiler")
    await host.house.query(
        "insert into chat_turns (chat_id, turn_id, user_id, agent_id, place, conversation_id, status, "
        "leased_until) values ('boiler', '1', $1, $2, 0, $3, 'running', now() + interval '0.3 seconds')",
        user_id,
        AGENT,
        first["conversation_id"],
    )

    assert turn_of(host, user_id)["status"] == "running"
    await asyncio.sleep(0.4)
    assert turn_of(host, user_id)["status"] == "interrupted"
    answer = write(host, user_id, "Who repairs it?")

    assert (answer["text"], len(model.asked)) == ("Priya repairs it.", 1)
    assert chat_of(host, user_id) == ["user: Who repairs it?", "assistant: Priya repairs it."]


async def test_killed_before_the_words_were_written_down_they_are_written_once(host: Host) -> None:
    user_id = await ada(host)
    await host.house.query(
        "insert into chat_turns (chat_id, turn_id, user_id, agent_id, status, leased_until) "
        "values ('boiler', '1', $1, $2, 'running', now() - interval '1 second')",
        user_id,
        AGENT,
    )
    write(host, user_id, "Other.", "2")

    write(host, user_id, "Who repairs it?", "1")

    assert [one for one in chat_of(host, user_id) if one.startswith("user")] == [
        "user: Other.",
        "user: Who repairs it?",
    ]


async def test_who_lost_a_turn_to_another_process_writes_no_answer(
    open_house: OpenHouse, chatting: Settings, model: PretendModel
) -> None:
    one, other = (Host(open_house(chatting)) for _ in range(2))
    user_id = await ada(one)
    model.then(says("First ", "process.", pause=0.5), says("Second ", "process."))
    first = asyncio.create_task(asyncio.to_thread(send, one, user_id, "Who repairs it?"))
    await until(lambda: bool(model.asked))
    await one.house.query("update chat_turns set leased_until = now() - interval '1 second'")

    second = await asyncio.to_thread(write, other, user_id, "Who repairs it?")

    assert "answered elsewhere" in refused(await first, 404)
    assert second["text"] == "Second process."
    assert chat_of(one, user_id) == ["user: Who repairs it?", "assistant: Second process."]


async def test_each_turn_has_its_own_answer_whatever_the_order(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.then(status(401))
    send(host, user_id, "First?", "1")
    model.then(says("Second answer."), says("First answer."))
    write(host, user_id, "Second?", "2")
    write(host, user_id, "First?", "1")

    assert write(host, user_id, "First?", "1")["text"] == "First answer."
    assert write(host, user_id, "Second?", "2")["text"] == "Second answer."


async def test_an_answer_that_ends_as_if_it_were_broken_off_is_whole(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.then(says("He wrote: wait […]"))

    assert [write(host, user_id, "What?")["text"] for _ in range(2)] == ["He wrote: wait […]"] * 2
    assert len(model.asked) == 1


@pytest.mark.parametrize("broken", ["Pri\0ya", "Pri\ud83dya"], ids=["NUL", "half a pair"])
async def test_what_cannot_be_stored_is_left_out_of_an_answer(
    host: Host, model: PretendModel, broken: str
) -> None:
    user_id = await ada(host)
    model.otherwise = says(broken)

    told = events(send(host, user_id, "Who?", accept="text/event-stream"))

    assert told[-1][0] == "done"
    assert chat_of(host, user_id)[-1] in ("assistant: Priya", "assistant: Pri?ya")


async def test_an_answer_that_postgres_does_not_take_at_once_is_kept_all_the_same(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_id = await ada(host)
    add, failures = model_usage.add, iter([OSError()])

    async def failing(*given: Any) -> None:
        for error in failures:
            raise error
        await add(*given)

    monkeypatch.setattr(model_usage, "add", failing)

    assert write(host, user_id, "Who repairs it?")["status"] == "done"
    assert chat_of(host, user_id) == ["user: Who repairs it?", "assistant: Priya repairs it."]


# -- whose it is


async def test_a_conversation_that_is_erased_while_it_is_answered_does_not_come_back(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    answering = await under_way(host, model, user_id, "Your PIN ", "word is plum cake.", pause=0.3)
    [(conversation,)] = await host.house.query("select conversation_id from chat_turns")

    host.send("DELETE", f"/conversations/{conversation}")

    assert "erased" in refused(await answering, 404)
    assert chat_of(host, user_id) == []
    assert await host.house.query("select * from messages where content like '%plum%'") == []


async def test_a_user_who_is_erased_while_it_is_answered_does_not_come_back(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    answering = await under_way(host, model, user_id, "Your PIN ", "word is plum cake.", pause=0.3)

    assert host.send("DELETE", f"/users/{user_id}").status_code == 204

    assert "erased" in refused(await answering, 404)
    assert await host.house.query("select * from messages where content like '%plum%'") == []


async def test_when_a_merge_is_undone_each_has_their_own_chats_again(host: Host) -> None:
    user_id, other = await ada(host), host.user()
    tell(host, other, "user: I am Bea.", chat="bea")
    host.house.clock.now += 100 * HOUR
    merged = host.ok(host.send("POST", "/merges", json={"from_user": other, "into_user": user_id}))
    write(host, other, "In Bea's chat, after.", chat="bea")
    host.ok(host.send("POST", f"/merges/{merged['id']}/undo"))

    assert chat_of(host, other, "bea")[0] == "user: I am Bea.\n\nIn Bea's chat, after."
    assert write(host, other, "It is me.", "2", chat="bea")["status"] == "done"
    answer = host.send("GET", f"/users/{user_id}/text-context", params={"agent_id": AGENT, "chat_id": "bea"})
    assert refused(answer, 409)


async def test_a_chat_of_which_much_was_erased_is_still_nobody_elses(host: Host) -> None:
    user_id, other = await ada(host), host.user()
    tell(host, user_id, "user: A very secret thing.")
    later = []
    for _ in range(21):
        host.house.clock.now += 100 * HOUR
        later.append(tell(host, user_id, "user: And on.", chat="chat_1")["conversation_id"])
    for one in later:
        host.send("DELETE", f"/conversations/{one}")

    assert refused(send(host, other, "What did I say?", chat="chat_1"), 409)
    assert chat_of(host, user_id, "chat_1") == ["user: A very secret thing."]


async def test_who_leaves_stops_nobody(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.then(says("Priya ", "repairs it.", pause=0.2))

    assert host.house.client.portal
    host.house.client.portal.call(_leave_at_the_first_word, host, user_id)
    assert turn_of(host, user_id)["status"] == "running"
    await until(lambda: turn_of(host, user_id)["status"] == "done")

    assert chat_of(host, user_id)[-1] == "assistant: Priya repairs it."


async def _leave_at_the_first_word(host: Host, user_id: str) -> None:
    told = asyncio.Event()
    body = {"user_id": user_id, "agent_id": AGENT, "chat_id": "boiler", "turn_id": "1", "text": "Who?"}
    given = iter([{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}])
    headers = {"authorization": f"Bearer {host.token}", "content-type": "application/json"}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/api/chat",
        "raw_path": b"/api/chat",
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
        "state": {},
    }

    async def receive() -> Any:
        for message in given:
            return message
        await told.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if b"event: text" in message.get("body", b""):
            told.set()

    await host.house.client.app(scope, receive, send)


async def test_who_comes_back_hears_all_of_it(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    answering = await under_way(host, model, user_id, "Priya ", "repairs it.", pause=0.3)

    meanwhile, afterwards = _listen(host, user_id), _listen(host, user_id)

    await answering
    assert [name for name, _ in meanwhile] == ["turn", "text", "text", "done"]
    assert [name for name, _ in afterwards] == ["turn", "text", "done"]
    assert afterwards[1][1]["text"] == "Priya repairs it."


def _listen(host: Host, user_id: str) -> list[tuple[str, Any]]:
    answer = host.send("GET", "/chats/boiler/turns/1/events", params={"user_id": user_id})
    assert answer.status_code == 200
    return events(answer)


# -- tools


async def test_an_agent_with_tools_looks_things_up_and_is_told_the_results_next_time(
    open_house: OpenHouse, chatting: Settings, model: PretendModel, templates: Path
) -> None:
    (templates / AGENT).mkdir()
    (templates / AGENT / "agent.toml").write_text("tools = true\n")
    host = Host(open_house(chatting.model_copy(update={"prompt_templates": templates})))
    user_id = await ada_who_called(host)
    model.then(calls("conversation_search", query="boiler"), says("Last night."))

    told = events(send(host, user_id, "When did it break?", accept="text/event-stream"))

    assert ("tool", {"name": "conversation_search"}) in told
    result = model.asked[1]["messages"][-1]
    assert (result["role"], "boiler broke" in result["content"]) == ("tool", True)
    assert [one.partition(":")[0] for one in chat_of(host, user_id)] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]


async def test_a_look_up_finds_what_was_written_before_and_not_the_question_itself(
    open_house: OpenHouse, chatting: Settings, model: PretendModel, templates: Path
) -> None:
    (templates / AGENT).mkdir()
    (templates / AGENT / "agent.toml").write_text("tools = true\n")
    host = Host(open_house(chatting.model_copy(update={"prompt_templates": templates})))
    user_id = await ada_who_called(host)
    write(host, user_id, "My canoe is blue.", "1")
    host.house.clock.now += 60
    model.then(calls("conversation_search", query="canoe"), says("Blue."))
    loop = asyncio.get_running_loop()
    model.meanwhile = lambda: asyncio.run_coroutine_threadsafe(host.house.work(), loop).result(20)

    await asyncio.to_thread(write, host, user_id, "What did I say about the canoe?", "2")

    found = model.asked[-1]["messages"][-1]["content"]
    assert "canoe is blue" in found
    assert "What did I say" not in found


async def test_whatever_a_model_asks_for_it_finds_nothing_of_others(
    open_house: OpenHouse, chatting: Settings, model: PretendModel, templates: Path
) -> None:
    (templates / AGENT).mkdir()
    (templates / AGENT / "agent.toml").write_text("tools = true\n")
    host = Host(open_house(chatting.model_copy(update={"prompt_templates": templates})))
    user_id = await ada_who_called(host)
    other = host.user()
    model.then(calls("conversation_search", query="boiler", user_id=user_id, caller=ADA), says("Nothing."))

    write(host, other, "What is with Ada's boiler?")

    assert "broke" not in model.asked[1]["messages"][-1]["content"]


# -- what is refused, and what fails


async def test_without_a_model_it_is_said_what_to_set(open_house: OpenHouse, settings: Settings) -> None:
    host = Host(open_house(settings))

    assert "Set CHAT_MODEL or LLM_MODEL" in refused(send(host, await ada(host), "Hello."), 503)


async def test_nobody_and_no_agent_are_not_found(host: Host) -> None:
    user_id = await ada(host)

    assert "There is no user" in refused(send(host, "usr_nobody", "Hello."), 404)
    assert "There is no agent" in refused(send(host, user_id, "Hello.", agent="agent_none"), 404)


@pytest.mark.parametrize("text", ["", "  \n", "a\0b", "x" * 20_001])
async def test_words_that_are_none_are_refused(host: Host, text: str) -> None:
    assert refused(send(host, await ada(host), text), 422)


@pytest.mark.parametrize(
    ("reply", "code", "says_so"),
    [
        (status(401), 502, "does not take this"),
        (status(429), 503, "cannot be reached"),
        (status(500), 503, "cannot be reached"),
        (page("<h1>Log in</h1>"), 502, "no answer that can be read"),
    ],
    ids=["401", "429", "500", "a page"],
)
async def test_a_provider_that_fails_becomes_a_sentence_and_what_was_said_stays(
    host: Host, model: PretendModel, reply: Any, code: int, says_so: str
) -> None:
    user_id = await ada(host)
    model.otherwise = reply

    answer = refused(send(host, user_id, "Who repairs it?"), code)

    assert says_so in answer
    assert "Log in" not in answer
    assert chat_of(host, user_id) == ["user: Who repairs it?"]
    assert turn_of(host, user_id)["status"] == "failed"
    model.otherwise = says("Priya.")
    assert write(host, user_id, "Who repairs it?")["text"] == "Priya."


def first_model(first: Any) -> Any:
    """The first of two answers so, the second well."""
    second = says("Priya ", "repairs it.")
    return lambda model, asked: (first if asked["model"] == "first" else second)(model, asked)


@pytest.fixture
def host_of_two(open_house: OpenHouse, chatting: Settings) -> Host:
    two = {"chat_model": "openai-chat:first,openai-chat:second", "chat_timeout_seconds": 2.0}
    return Host(open_house(chatting.model_copy(update=two)))


@pytest.mark.parametrize(
    "reply",
    [status(401), status(429), page("<h1>Log in</h1>"), says(""), says("Too late.", late=5.0)],
    ids=["401", "429", "a page", "nothing", "hangs"],
)
async def test_where_the_first_model_fails_the_second_answers(
    host_of_two: Host, model: PretendModel, reply: Any
) -> None:
    user_id = await ada(host_of_two)
    model.otherwise = first_model(reply)

    answer = write(host_of_two, user_id, "Who repairs it?")

    assert (answer["text"], answer["status"]) == ("Priya repairs it.", "done")
    assert answer["usage"]["model"] == "llm:second"
    assert chat_of(host_of_two, user_id) == ["user: Who repairs it?", "assistant: Priya repairs it."]


async def test_once_the_first_model_has_said_something_no_other_goes_on(
    host_of_two: Host, model: PretendModel
) -> None:
    user_id = await ada(host_of_two)
    model.otherwise = first_model(says("Priya", breaks=True))

    answer = write(host_of_two, user_id, "Who repairs it?")

    assert (answer["text"], answer["status"]) == ("Priya […]", "interrupted")
    assert {one["model"] for one in model.asked} == {"first"}


async def test_the_second_model_goes_on_with_what_its_tools_gave(
    open_house: OpenHouse, chatting: Settings, templates: Path, model: PretendModel
) -> None:
    (templates / AGENT).mkdir()
    (templates / AGENT / "agent.toml").write_text("tools = true\n")
    two = {"chat_model": "openai-chat:first,openai-chat:second", "prompt_templates": templates}
    host = Host(open_house(chatting.model_copy(update={**two, "chat_timeout_seconds": 3.0})))
    user_id = await ada(host)
    steps = iter([calls("memory_search", query="boiler"), says("Priya.")])

    def reply(asking: PretendModel, asked: dict[str, Any]) -> Any:
        first = says("Too late.", late=5.0)
        return (first if asked["model"] == "first" else next(steps))(asking, asked)

    model.otherwise = reply

    assert write(host, user_id, "Who repairs it?")["text"] == "Priya."
    assert [one["model"] for one in model.asked] == ["first", "second", "second"]


async def test_where_both_models_fail_it_is_a_sentence(host_of_two: Host, model: PretendModel) -> None:
    user_id = await ada(host_of_two)
    model.otherwise = status(401)

    assert "does not take this" in refused(send(host_of_two, user_id, "Who repairs it?"), 502)
    assert {one["model"] for one in model.asked} == {"first", "second"}


async def test_a_model_that_takes_too_long_is_left(
    open_house: OpenHouse, chatting: Settings, model: PretendModel
) -> None:
    host = Host(open_house(chatting.model_copy(update={"chat_timeout_seconds": 0.3})))
    user_id = await ada(host)
    model.delay = 3.0

    assert "took too long" in refused(send(host, user_id, "Who repairs it?"), 504)


async def test_an_answer_that_breaks_off_is_kept_as_far_as_it_came(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.then(says("Priya ", breaks=True))

    answer = write(host, user_id, "Who repairs it?")

    assert (answer["status"], answer["text"]) == ("interrupted", "Priya […]")
    assert answer["usage"]["output_tokens"] > 0
    assert turn_of(host, user_id)["text"] == "Priya […]"
    assert chat_of(host, user_id)[-1] == "assistant: Priya […]"


async def test_what_there_was_of_a_broken_answer_is_told_no_more_once_it_is_answered_anew(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    model.then(says("Priya ", breaks=True), says("Pri", breaks=True), says("Priya repairs it."))
    for _ in range(3):
        write(host, user_id, "Who repairs it?", "1")
    answer = write(host, user_id, "And when?", "2")

    assert chat_of(host, user_id)[:2] == ["user: Who repairs it?", "assistant: Priya repairs it."]
    assert answer["context"]["message_history_count"] == 2
    assert answer["context"]["message_history_left_out"] == 0


async def test_of_a_turn_answered_anew_behind_another_only_the_broken_part_goes(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    model.then(says("Priya ", breaks=True), says("On Monday."), says("Priya repairs it."))
    write(host, user_id, "Who repairs it?", "1")
    write(host, user_id, "And when?", "2")
    write(host, user_id, "Who repairs it?", "1")

    assert chat_of(host, user_id) == [
        "user: Who repairs it?\n\nAnd when?",
        "assistant: On Monday.\n\nPriya repairs it.",
    ]


async def test_above_the_days_tokens_it_is_said_until_when(open_house: OpenHouse, chatting: Settings) -> None:
    host = Host(open_house(chatting.model_copy(update={"llm_tokens_per_day": 1000})))
    user_id = await ada(host)
    write(host, user_id, "One.", "1")

    answer = send(host, user_id, "Two.", "2")

    assert "used up (LLM_TOKENS_PER_DAY). Send it again after 00:00 UTC" in refused(answer, 429)
    assert int(answer.headers["retry-after"]) == 48_600


async def test_too_many_chats_at_once_are_told_to_come_again(
    open_house: OpenHouse, chatting: Settings, model: PretendModel
) -> None:
    host = Host(open_house(chatting.model_copy(update={"chat_concurrency": 1})))
    user_id = await ada(host)
    model.delay = 0.5

    answers = await asyncio.gather(
        *(asyncio.to_thread(send, host, user_id, "Hello.", chat=chat) for chat in "abcd")
    )

    assert sorted(one.status_code for one in answers) == [200, 503, 503, 503]
    assert model.most_at_once == 1
    [answered] = [chat for chat, one in zip("abcd", answers, strict=True) if one.status_code == 200]
    assert write(host, user_id, "Hello.", chat=answered)["text"] == "Priya repairs it."


@pytest.mark.parametrize("name", ["a/b", ".", ".."])
async def test_an_id_that_fits_no_path_is_refused(host: Host, name: str) -> None:
    user_id = await ada(host)

    assert "no slash" in refused(send(host, user_id, "Hello.", turn=name), 422)
    assert "no slash" in refused(send(host, user_id, "Hello.", chat=name), 422)


async def test_two_who_begin_one_chat_at_once_are_told_apart(host: Host) -> None:
    user_id, other = await ada(host), host.user()

    answers = await asyncio.gather(
        *(asyncio.to_thread(send, host, one, "Mine.", chat="new") for one in (user_id, other))
    )

    assert sorted(one.status_code for one in answers) == [200, 409]


async def test_without_postgres_it_is_said_and_the_model_is_not_asked(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble, model: PretendModel
) -> None:
    more = {"chat_model": "openai-chat:pretend", "llm_base_url": model.url, "llm_api_key": "key"}
    host = Host(open_house(fragile.model_copy(update={**more, "database_deadline_seconds": 0.5})))
    user_id = await ada(host)
    trouble.take_down("postgres")

    assert "Send it again" in refused(send(host, user_id, "Who repairs it?"), 503)
    assert model.asked == []


async def test_a_conversation_that_is_erased_takes_its_turns_along(host: Host) -> None:
    user_id = await ada(host)
    write(host, user_id, "Who repairs it?")
    [(conversation,)] = await host.house.query("select conversation_id from chat_turns")

    assert host.send("DELETE", f"/conversations/{conversation}").status_code == 204

    assert await host.house.query("select * from chat_turns") == []
    assert refused(host.send("GET", "/chats/boiler/turns/1", params={"user_id": user_id}), 404)
