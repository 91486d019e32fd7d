"""What a text agent is told: the memory that the phone has, in writing, and the chat so far."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from api.conftest import Host, refused
from api.routes.conversations.test_chats import BOILER, tell
from conftest import House
from openai.types.chat import ChatCompletionMessageParam
from pretend.elevenlabs import ADA, AGENT
from pretend.trouble import Trouble
from pydantic import TypeAdapter
from pydantic_ai.messages import ModelMessagesTypeAdapter

from voice_server.settings import Settings

HOUR = 3600
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "write-with-an-agent-of-your-own.md"
OpenHouse = Callable[[Settings], House]


def told(host: Host, user_id: str, **more: Any) -> Any:
    return host.get(f"/users/{user_id}/text-context", agent_id=AGENT, **more)


def said(history: Any) -> list[str]:
    """Who said what in the chat, as the tests tell it."""
    openai = history["message_history"]["openai"]
    return [f"{one['role'].replace('assistant', 'agent')}: {one['content']}" for one in openai]


async def ada(host: Host) -> str:
    """Her id; she called yesterday."""
    user_id = await host.call("conv_0", "user: My boiler broke last night.", "agent: Who repairs it?")
    host.house.clock.now += 24 * HOUR
    return user_id


# -- the memory


async def test_what_was_said_on_the_phone_is_told_in_writing(host: Host) -> None:
    context = told(host, await ada(host))

    assert "My boiler broke last night" in context["instructions"]
    assert context["message_history"] == {"openai": [], "pydantic_ai": []}
    assert context["context"]["degraded"] is False


async def test_the_words_are_for_somebody_who_reads(host: Host) -> None:
    instructions = told(host, await ada(host))["instructions"]

    assert "You are read, not heard" in instructions
    assert "on the phone. You know the people who call" not in instructions


async def test_the_clock_stands_last_and_is_filled_in(host: Host) -> None:
    last = told(host, await ada(host))["instructions"].split("\n\n")[-1]

    assert last.startswith("# Right now\nIt is morning, 10:31 on Wednesday 18 November 2026.")
    assert "ended 1 day ago" in last or "ended 24 hours ago" in last


async def test_somebody_nobody_talked_with_yet_is_told_so(host: Host) -> None:
    await ada(host)

    assert "This is your first conversation" in told(host, host.user())["instructions"]


async def test_a_call_whose_notes_are_not_in_yet_is_known_of(host: Host) -> None:
    user_id = await ada(host)
    host.house.platform.pre_call(ADA, agent=AGENT, conversation="conv_1")

    assert "You spoke on the phone a short while ago" in told(host, user_id)["instructions"]


async def test_who_was_merged_is_told_as_the_survivor(host: Host) -> None:
    user_id, other = await ada(host), host.user()
    host.ok(host.send("POST", "/merges", json={"from_user": other, "into_user": user_id}))

    assert "boiler" in told(host, other)["instructions"]


async def test_nothing_of_another_user_is_told(host: Host) -> None:
    user_id, other = await ada(host), host.user()
    tell(host, user_id, "user: The key is under the pot.")

    context = told(host, other)

    assert "boiler" not in str(context)
    assert "pot" not in str(context)


async def test_the_record_says_what_went_in(host: Host) -> None:
    record = told(host, await ada(host))["context"]

    assert record["last_conversation_present"] is True
    assert (record["message_history_count"], record["message_history_tokens"]) == (0, 0)
    assert "situation" in [one["name"] for one in record["sections"]]
    assert record["read_ms"] > record["history_ms"] > 0
    assert record["build_ms"] > record["count_ms"] > 0


async def test_nothing_is_written(host: Host) -> None:
    user_id = await ada(host)
    before = await host.house.query("select count(*) from generated_prompts")

    told(host, user_id)

    assert await host.house.query("select count(*) from generated_prompts") == before


# -- the chat


async def test_a_chat_goes_on_where_it_was(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, chat="boiler")

    context = told(host, user_id, chat_id="boiler")

    assert said(context) == list(BOILER)


async def test_the_chat_that_goes_on_is_no_earlier_conversation(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, chat="boiler")

    going_on, new = (told(host, user_id, chat_id=chat)["instructions"] for chat in ("boiler", "new"))

    assert "You have had 1 earlier conversation with this person. The last one was on Tuesday" in going_on
    assert "You have had 2 earlier conversations with this person. The last one was on Wednesday" in new


async def test_a_new_chat_begins_with_nothing_said(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, chat="boiler")

    assert said(told(host, user_id, chat_id="another")) == []


async def test_it_goes_on_after_a_day_and_the_last_time_is_told_too(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER[:2], chat="boiler", ended=True)
    await host.house.work()
    host.house.clock.now += 24 * HOUR
    tell(host, user_id, "user: She came.", chat="boiler")

    context = told(host, user_id, chat_id="boiler")

    assert said(context) == [*BOILER[:2], "user: She came."]
    assert "[LAST TIME]" in told(host, user_id)["instructions"]


async def test_what_the_history_tells_is_not_quoted_again(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: Priya is the plumber, she comes on Friday.", chat="boiler", ended=True)
    await host.house.work()

    going_on, new = told(host, user_id, chat_id="boiler"), told(host, user_id)

    assert "Priya is the plumber" in new["instructions"]
    assert "Priya is the plumber" not in _quotes(going_on["instructions"])
    assert "told in the history" in {one["rule"] for one in going_on["context"]["dropped"]}


def _quotes(instructions: str) -> str:
    return instructions.partition("[LAST TIME]")[2].partition("[/LAST TIME]")[0]


async def test_a_long_chat_stays_within_its_budget_and_says_what_is_missing(host: Host) -> None:
    user_id = await ada(host)
    for part in range(5):
        tell(host, user_id, *(f"user: Sentence {part * 200 + n}." for n in range(200)), chat="long")

    context = told(host, user_id, chat_id="long")

    record = context["context"]
    assert record["message_history_there"] == 1000
    assert record["message_history_count"] + record["message_history_left_out"] == 1000
    assert record["message_history_tokens"] <= 3000
    assert "of this chat not shown here]" in said(context)[0]
    assert said(context)[-1].endswith("Sentence 999.")


async def test_tools_and_their_results_are_in_it(host: Host) -> None:
    user_id = await ada(host)
    messages = [
        {"role": "user", "content": "What is the weather?"},
        {"role": "tool_call", "tool_name": "weather", "content": '{"city": "Lisbon"}'},
        {"role": "tool_result", "tool_name": "weather", "content": "Rain."},
        {"role": "agent", "content": "It rains."},
    ]
    body = {"agent_id": AGENT, "messages": messages}
    host.ok(host.send("POST", f"/users/{user_id}/chats/weather/messages", json=body))

    history = told(host, user_id, chat_id="weather")["message_history"]

    assert [one["role"] for one in history["openai"]] == ["user", "assistant", "tool", "assistant"]
    assert history["openai"][1]["tool_calls"][0]["id"] == history["openai"][2]["tool_call_id"]


async def test_both_forms_are_what_their_libraries_read(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, *BOILER, chat="boiler")

    history = told(host, user_id, chat_id="boiler")["message_history"]

    assert len(ModelMessagesTypeAdapter.validate_python(history["pydantic_ai"])) == 3
    assert TypeAdapter(list[ChatCompletionMessageParam]).validate_python(history["openai"])


async def test_what_was_erased_is_in_no_history(host: Host) -> None:
    user_id = await ada(host)
    first = tell(host, user_id, *BOILER, chat="boiler", ended=True)
    host.house.clock.now += 24 * HOUR
    tell(host, user_id, "user: She came.", chat="boiler")

    assert host.send("DELETE", f"/conversations/{first['conversation_id']}").status_code == 204

    context = told(host, user_id, chat_id="boiler")
    assert said(context) == ["user: She came."]
    assert context["context"]["message_history_there"] == 1


async def test_what_was_to_be_forgotten_is_in_no_later_history(host: Host) -> None:
    user_id = await ada(host)
    secret = "user: I left Marsh Lane because of the debts."
    tell(host, user_id, secret, "agent: I see.", *BOILER, chat="boiler", ended=True)
    host.house.clock.now += 24 * HOUR
    wish = "user: Please forget what I said about Marsh Lane."
    tell(host, user_id, wish, "agent: Done.", chat="boiler", ended=True)
    await host.house.work()

    history = told(host, user_id, chat_id="boiler")["message_history"]

    assert "debts" not in str(history)
    assert BOILER[0].removeprefix("user: ") in str(history)


async def test_what_was_to_be_forgotten_in_an_earlier_sitting_is_in_no_later_one(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: I left because of the debts.", "agent: I see.", chat="boiler")
    tell(host, user_id, "user: Please forget what I said about the debts.", "agent: Done.", chat="boiler")
    tell(host, user_id, "user: My boiler is broken.", chat="boiler")
    going_on = str(said(told(host, user_id, chat_id="boiler")))
    host.house.clock.now += 24 * HOUR

    later = str(said(told(host, user_id, chat_id="boiler")))

    assert "I left because of the debts" in going_on
    assert "debts" not in later
    assert "My boiler is broken" in later


async def test_an_agent_may_have_a_shorter_history(
    open_house: OpenHouse, settings: Settings, templates: Any
) -> None:
    folder = templates / AGENT
    folder.mkdir()
    (folder / "agent.toml").write_text("[history]\nmessages = 6\n")
    host = Host(open_house(settings.model_copy(update={"prompt_templates": templates})))
    user_id = await ada(host)
    tell(host, user_id, *(f"user: Sentence {n}." for n in range(40)), chat="long")

    record = told(host, user_id, chat_id="long")["context"]

    assert (record["message_history_count"], record["message_history_left_out"]) == (6, 34)


# -- somebody else's agent


async def test_the_agent_of_the_documentation_goes_on_where_it_was(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_id = await ada(host)
    monkeypatch.setenv("API_TOKEN", host.token)
    monkeypatch.setenv("MODEL", "test")  # PydanticAI's own, which answers without a provider
    [example] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    agent: dict[str, Any] = {}
    exec(example, agent)  # noqa: S102 (it is ours)
    async with agent["API"]:
        agent |= {"API": Door(host), "AGENT": AGENT}

        first = await agent["answer"](user_id, "boiler", "Who repairs it?")
        await agent["answer"](user_id, "boiler", "And when?")

    assert said(told(host, user_id, chat_id="boiler")) == [
        "user: Who repairs it?",
        f"agent: {first}",
        "user: And when?",
        f"agent: {first}",
    ]


class Door:
    """The client of the example, with the house behind it."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def get(self, path: str, **more: Any) -> httpx2.Response:
        return await asyncio.to_thread(self._host.send, "GET", path.removeprefix("/api"), **more)

    async def post(self, path: str, **more: Any) -> httpx2.Response:
        return await asyncio.to_thread(self._host.send, "POST", path.removeprefix("/api"), **more)


# -- what is refused, and what fails


async def test_nobody_and_no_agent_are_not_found(host: Host) -> None:
    user_id = await ada(host)

    nobody = host.send("GET", "/users/usr_nobody/text-context", params={"agent_id": AGENT})
    no_agent = host.send("GET", f"/users/{user_id}/text-context", params={"agent_id": "agent_none"})

    assert "There is no user usr_nobody" in refused(nobody, 404)
    assert "There is no agent agent_none" in refused(no_agent, 404)


async def test_another_users_chat_is_refused(host: Host) -> None:
    user_id, other = await ada(host), host.user()
    tell(host, user_id, *BOILER, chat="boiler")

    answer = host.send("GET", f"/users/{other}/text-context", params={"agent_id": AGENT, "chat_id": "boiler"})

    assert "Chat boiler is not one of user" in refused(answer, 409)
    assert "Priya" not in answer.text


@pytest.mark.parametrize("trouble_is", ["taken down", "frozen"])
async def test_without_postgres_the_agent_is_told_less_and_is_told_in_time(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble, trouble_is: str
) -> None:
    host = Host(open_house(fragile.model_copy(update={"text_context_deadline_ms": 300})))
    user_id = await ada(host)
    trouble.take_down("postgres") if trouble_is == "taken down" else trouble.freeze("postgres")

    context = told(host, user_id, chat_id="boiler")

    assert context["context"]["degraded"] is True
    assert set(context["context"]["without"]) == {"memory", "chat"}
    assert "# How to write" in context["instructions"]
    assert "boiler" not in context["instructions"]


async def test_without_redis_only_the_redial_is_not_known(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    host = Host(open_house(fragile))
    user_id = await ada(host)
    trouble.take_down("valkey")

    context = told(host, user_id)

    assert set(context["context"]["without"]) == {"redial"}
    assert "boiler" in context["instructions"]
