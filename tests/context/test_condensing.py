"""When and how far a chat is summed up."""

from hypothesis import given
from hypothesis import strategies as st
from pretend.chats import chat, talks, turns_of

from voice_server.context import condensing
from voice_server.context.layout import tokens
from voice_server.context.working_memory import LEAST, HistoryRules, Turns
from voice_server.domain.agent import Agent, Budget, Limits

count = tokens.counter()
ROOMY = Agent("robin", budgets={"working_memory": Budget(50_000, 50_000)}, limits=Limits(turns=80))


def due(said: Turns, agent: Agent = ROOMY, messages: int = 40, most: int = 50_000) -> int | None:
    return condensing.due(said.messages, HistoryRules(messages, most), agent, count)


def test_a_chat_with_room_is_left_as_it_is() -> None:
    assert due(chat(31)) is None


def test_before_forty_messages_are_full_the_older_half_is_summed_up() -> None:
    assert due(chat(32)) == 12


def test_long_messages_fill_it_sooner() -> None:
    assert due(chat(10, words=250), most=3000) is not None
    assert due(chat(10, words=20), most=3000) is None


def test_so_do_the_turns_that_an_agent_tells() -> None:
    assert due(chat(9), Agent("robin", budgets=ROOMY.budgets, limits=Limits(turns=10))) == 4


def test_of_a_tools_output_counts_what_is_told_of_it() -> None:
    said = turns_of(
        ("user", "Look it up."),
        ("search", "{}"),
        ("!search", "plum " * 3000),
        ("agent", "There are plums."),
        ("user", "Thanks."),
    )

    assert due(said, most=3000) is None


def test_of_a_short_chat_nothing_is_summed_up() -> None:
    assert condensing.now(chat(LEAST).messages) is None


def test_who_asks_for_it_has_all_but_the_newest_turns_summed_up() -> None:
    assert condensing.now(chat(20).messages) == 14


@given(talks, st.integers(6, 40), st.integers(100, 3000))
def test_what_stays_begins_with_words_of_the_user_and_is_not_nothing(
    said: Turns, messages: int, most: int
) -> None:
    for until in (due(said, ROOMY, messages, most), condensing.now(said.messages)):
        if until is not None:
            assert 0 < until < len(said.messages)
            assert said.messages[until].role == "user"
