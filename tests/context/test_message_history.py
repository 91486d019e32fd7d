"""The history of a chat as models are given it: nothing is lost, nothing stands where a provider refuses
it."""

from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from pretend.chats import chat, talks, turns_of
from pretend.memories import LIMIT, NOON, memory, templates
from pydantic_ai.messages import ModelMessagesTypeAdapter, repair_messages

from voice_server.context import message_history, prompt_builder
from voice_server.context.layout import tokens
from voice_server.context.working_memory import History, Turns


def told(said: Turns, limit: int = LIMIT) -> History:
    prompt = prompt_builder.build(memory(), templates(), tokens.counter(), now=NOON, limit=limit, turns=said)
    return prompt.history


def test_it_reads_as_the_chat_went() -> None:
    history = told(
        turns_of(
            ("user", "Which flour did I buy?"),
            ("search", '{"query": "flour"}'),
            ("add", "not JSON"),
            ("!add", "noted"),
            ("!search", "Semolina, on Monday."),
            ("agent", "Semolina."),
            ("agent", "On Monday."),
            ("user", "Thanks."),
        )
    )

    assert message_history.openai(history) == [
        {"role": "user", "content": "Which flour did I buy?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_7_1",
                    "type": "function",
                    "function": {"name": "search", "arguments": '{"query": "flour"}'},
                },
                {
                    "id": "call_7_2",
                    "type": "function",
                    "function": {"name": "add", "arguments": '{"input":"not JSON"}'},
                },
            ],
        },
        {"role": "tool", "tool_call_id": "call_7_1", "content": "Semolina, on Monday."},
        {"role": "tool", "tool_call_id": "call_7_2", "content": "noted"},
        {"role": "assistant", "content": "Semolina.\n\nOn Monday."},
        {"role": "user", "content": "Thanks."},
    ]


def test_what_is_left_out_is_said_where_it_would_stand() -> None:
    history = told(chat(50, words=1))

    openai = [one["content"].strip() for one in message_history.openai(history)]
    parts = [part["content"].strip() for one in message_history.pydantic_ai(history) for part in one["parts"]]

    marker = "[18 messages of this chat not shown here]"
    assert openai[:4] == ["tea", "tea", f"{marker}\n\ntea", "tea"]
    assert parts[:4] == ["tea", "tea", marker, "tea"]


@given(talks, st.integers(200, 4000))
def test_pydantic_ai_takes_any_history_and_repairs_nothing(said: Turns, limit: int) -> None:
    given_ = message_history.pydantic_ai(told(said, limit))

    messages = ModelMessagesTypeAdapter.validate_json(msgspec.json.encode(given_))

    assert repair_messages(messages) == messages


@given(talks, st.integers(200, 4000))
def test_all_that_is_told_is_in_both_forms_once_and_in_order(said: Turns, limit: int) -> None:
    history = told(said, limit)
    texts = [one.content for one in history.messages if one.role in ("user", "agent")]

    parts = [
        part["content"]
        for one in message_history.pydantic_ai(history)
        for part in one["parts"]
        if part["part_kind"] in ("user-prompt", "text")
    ]
    openai = [one["content"] or "" for one in message_history.openai(history) if one["role"] != "tool"]

    assert sorted(parts) == sorted(texts)
    assert [one for one in parts if one.strip()] == [one for one in texts if one.strip()]
    assert all(text in "\n\n".join(openai) for text in texts)


@given(talks, st.integers(200, 4000))
def test_every_call_is_answered_by_the_messages_that_follow_it(said: Turns, limit: int) -> None:
    waiting = list[str]()
    for message in message_history.openai(told(said, limit)):
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
        else:
            assert waiting == []
            waiting = [one["id"] for one in message.get("tool_calls", ())]

    assert waiting == []


@given(talks)
def test_both_sides_take_turns(said: Turns) -> None:
    kinds = [one["kind"] for one in message_history.pydantic_ai(told(said))]

    assert all(before != after for before, after in pairwise(kinds))


def test_ids_of_calls_come_from_the_rows_and_stay_the_same() -> None:
    said = turns_of(("user", "tea?"), ("search", "{}"), ("!search", "x"))

    first, again = (message_history.openai(told(said)) for _ in range(2))

    assert first == again
