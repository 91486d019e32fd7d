"""What stands in a chat's history for the messages that it has no room for."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pretend.chats import chat, talks
from pretend.memories import LIMIT, NOON, memory, templates
from pydantic_ai.messages import ModelMessagesTypeAdapter, repair_messages

from voice_server.context import message_history, prompt_builder
from voice_server.context.layout import tokens
from voice_server.context.prompt_builder import Prompt
from voice_server.context.working_memory import NAME, SUMMED_UP_RULE, HistoryRules, Turns
from voice_server.domain.agent import Agent, Budget
from voice_server.domain.chat_summary import ChatSummary

count = tokens.counter()
MARTA = "- Marta moves to Lisbon on 3 March.\n- The flat is 18 Rua Augusta."


def told(said: Turns, summary: ChatSummary | None, limit: int = LIMIT, agent: Agent | None = None) -> Prompt:
    behind = sum(one.place >= summary.until for one in said.messages) if summary else 0
    given_turns = replace(said, summary=summary, behind=behind)
    return prompt_builder.build(memory(), templates(agent), count, now=NOON, limit=limit, turns=given_turns)


def usual(number: int, words: int = 30) -> Turns:
    return replace(chat(number, words), rules=HistoryRules())


def test_it_stands_behind_the_first_exchange() -> None:
    messages = message_history.openai(told(usual(60), ChatSummary(MARTA, 40)).history)

    assert [one["role"] for one in messages[:3]] == ["user", "assistant", "user"]
    assert messages[2]["content"].startswith(f"[28 messages of this chat, in short:\n{MARTA}]\n\ntea ")


def test_what_it_does_not_tell_of_is_counted() -> None:
    history = told(usual(60), ChatSummary(MARTA, 20)).history

    assert (history.summed_up, history.left_out) == (18, 10)
    assert history.marker == (
        f"[18 messages of this chat, in short:\n{MARTA}]\n[10 messages of this chat not shown here]"
    )


def test_where_all_is_told_it_is_not() -> None:
    history = told(usual(20), ChatSummary(MARTA, 10)).history

    assert (history.marker, len(history.messages)) == ("", 20)


def test_one_that_was_asked_for_takes_the_place_of_what_it_tells_of() -> None:
    prompt = told(usual(20), ChatSummary(MARTA, 14, condenses=True))

    assert [one.place for one in prompt.history.messages] == [0, 1, *range(14, 20)]
    assert (prompt.history.summed_up, prompt.history.left_out) == (12, 0)
    assert {one.item for one in prompt.dropped if one.rule == SUMMED_UP_RULE} == {
        f"messages/7:{n}" for n in range(2, 14)
    }


def test_it_has_half_of_the_tokens_at_most() -> None:
    small = Agent("robin", budgets={NAME: Budget(60, 60)})

    assert told(usual(60), ChatSummary(MARTA * 3, 40), agent=small).history.summary == ""


summaries = st.builds(ChatSummary, st.just(MARTA), st.integers(1, 60), st.booleans())


@given(talks, summaries, st.integers(200, 4000))
def test_every_message_is_told_summed_up_or_counted(said: Turns, summary: ChatSummary, limit: int) -> None:
    history = told(said, summary, limit).history

    lost = [one for one in said.messages if one.role in ("tool_call", "tool_result")]
    number = len(history.messages) + history.summed_up + history.left_out
    assert len(said.messages) - len(lost) <= number <= len(said.messages)
    assert history.summed_up <= summary.until


@given(talks, summaries, st.integers(200, 4000))
def test_nothing_is_left_for_a_library_to_repair(said: Turns, summary: ChatSummary, limit: int) -> None:
    history = message_history.pydantic_ai(told(said, summary, limit).history)
    messages = ModelMessagesTypeAdapter.validate_python(history)

    assert repair_messages(messages) == messages


@given(talks, summaries, st.integers(500, 4000))
def test_with_it_the_history_is_counted_as_it_is_sent(said: Turns, summary: ChatSummary, limit: int) -> None:
    history = told(said, summary, limit).history

    if history.summary:
        assert history.tokens >= count(history.marker)
