"""The turns of a conversation going on, as message history beside the prompt: the newest, in pairs, within
limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pretend.chats import chat, talks, turns_of
from pretend.memories import LIMIT, NOON, at, call, fact, memory, read, templates, thread

from voice_server.context import prompt_builder
from voice_server.context.layout import tokens
from voice_server.context.layout.budget import CAP_RULE, LIMIT_RULE
from voice_server.context.prompt_builder import Prompt
from voice_server.context.working_memory import LEAST, MOST, NAME, PAIR_RULE, HistoryRules, Turns
from voice_server.domain.agent import Agent, Budget, Limits
from voice_server.domain.conversation import Message, Turn
from voice_server.domain.memory import Memory
from voice_server.domain.relationship import Relationship

count = tokens.counter()

KNOWN = memory(
    call(
        1,
        at("2026-11-17 09:12"),
        "Ada asked for the recipe. " * 6,
        "Ada bakes on Sunday.\nThe cat is called Plum.",
    ),
    threads=tuple(thread(n, f"You said you'd send recipe {n}.") for n in range(5)),
    facts=tuple(fact(n, f"Ada likes the cake number {n} best of all.") for n in range(30)),
    relationship=Relationship("old friends", backstory="They met in spring. " * 20),
)
GIVES_WAY_BEFORE = {"long_term_memory", "last_time", "open_threads", "inner_life", "today_so_far"}
limits = st.integers(200, 4000)


def build(
    turns: Turns | None, known: Memory = KNOWN, *, limit: int = LIMIT, agent: Agent | None = None
) -> Prompt:
    return prompt_builder.build(known, templates(agent), count, now=NOON, limit=limit, turns=turns)


def kept(prompt: Prompt) -> list[int]:
    return [message.position for message in prompt.history.messages]


def paired(turns: Turns) -> list[Turn]:
    """The turns without calls and results that lack the other: those are left out whatever the room."""
    unpaired = {one.item for one in build(turns, limit=100_000, agent=ROOMY).dropped if one.rule == PAIR_RULE}
    return [one for one in turns.messages if f"messages/7:{one.position}" not in unpaired]


ROOMY = Agent("robin", budgets={NAME: Budget(50_000, 50_000)}, limits=Limits(turns=80))


def test_on_the_phone_there_is_no_history_and_nothing_else_changes() -> None:
    prompt = build(None)

    assert prompt.history.messages == ()
    assert NAME not in [one.name for one in prompt.sections]


def test_a_chat_that_has_just_begun_has_an_empty_history() -> None:
    prompt = build(Turns())

    assert (prompt.history.messages, prompt.history.tokens, prompt.tokens) == ((), 0, build(None).tokens)


def test_in_writing_what_changes_with_the_clock_comes_last() -> None:
    names = [one.name for one in build(chat(2)).sections]

    assert names[-3:] == ["response_style", "situation", NAME]
    assert [one.name for one in build(None).sections][-1] == "response_style"


@given(talks, limits)
def test_the_history_is_a_part_of_what_was_said_in_its_order(said: Turns, limit: int) -> None:
    positions = kept(build(said, limit=limit))

    assert positions == sorted(set(positions))
    assert set(positions) <= {one.position for one in said.messages}


@given(talks, limits)
def test_a_call_and_its_result_stay_or_go_together(said: Turns, limit: int) -> None:
    waiting = list[str | None]()
    for message in build(said, limit=limit).history.messages:
        if message.role == "tool_call":
            waiting.append(message.tool_name)
        elif message.role == "tool_result":
            waiting.remove(message.tool_name)

    assert waiting == []


@given(talks, limits)
def test_the_newest_six_and_the_newest_of_the_user_always_stay(said: Turns, limit: int) -> None:
    positions = set(kept(build(said, limit=limit)))
    there = paired(said)

    assert {one.position for one in there[-LEAST:]} <= positions
    assert {one.position for one in [one for one in there if one.role == "user"][-1:]} <= positions


@given(talks, limits)
def test_prompt_and_history_together_are_within_the_limit_unless_what_must_stay_is_not(
    said: Turns, limit: int
) -> None:
    prompt, least = build(said, limit=limit), build(said, limit=0)
    alone = build(None, limit=limit)

    must = sum(one.tokens for one in alone.sections if one.name not in GIVES_WAY_BEFORE)
    assert prompt.tokens + prompt.history.tokens <= max(limit, must + least.history.tokens)
    joined = "\n\n".join([prompt.text, *(_shown(one) for one in prompt.history.messages), ""])
    assert count(joined) <= prompt.tokens + prompt.history.tokens


def _shown(message: Message) -> str:
    named = f"{message.role} {message.tool_name}" if message.tool_name else message.role
    return f"{named}: {message.content}"


@given(talks, limits, st.integers(0, 2000))
def test_a_larger_limit_never_tells_fewerturns_of(said: Turns, limit: int, more: int) -> None:
    less, rest = kept(build(said, limit=limit)), kept(build(said, limit=limit + more))

    assert set(less) <= set(rest)


@given(talks, st.integers(0, 400), st.integers(0, 400))
def test_a_larger_budget_never_tells_fewerturns_of(said: Turns, cap: int, more: int) -> None:
    agents = [Agent("robin", budgets={NAME: Budget(0, one)}) for one in (cap, cap + more)]
    less, rest = (kept(build(said, agent=agent)) for agent in agents)

    assert set(less) <= set(rest)


@given(talks, limits)
def test_what_gives_way_after_the_history_never_changes_because_of_it(said: Turns, limit: int) -> None:
    alone, beside = (
        {one.name: one for one in build(turns, limit=limit).sections if one.name not in GIVES_WAY_BEFORE}
        for turns in (None, said)
    )
    beside.pop(NAME)

    assert beside == alone


@given(talks, limits)
def test_the_history_gives_way_only_when_nothing_before_it_is_left(said: Turns, limit: int) -> None:
    prompt = build(said, limit=limit)
    left = [one.name for one in prompt.sections if one.name in GIVES_WAY_BEFORE and one.tokens]

    assert LIMIT_RULE not in {one.rule for one in prompt.dropped if one.section == NAME} or not left


@given(talks, limits)
def test_what_is_told_and_what_was_left_out_are_all_that_was_said(said: Turns, limit: int) -> None:
    prompt = build(said, limit=limit)

    left_out = [one.item for one in prompt.dropped if one.section == NAME]
    assert sorted([*left_out, *prompt.history.sources]) == sorted(
        f"messages/7:{one.position}" for one in said.messages
    )


def test_the_last_thirty_turns_are_told_and_the_first_exchange() -> None:
    prompt = build(chat(50, words=1))

    assert kept(prompt) == [0, 1, *range(20, 50)]
    assert {one.rule for one in prompt.dropped if one.section == NAME} == {"limits: 30 turns"}


def test_an_agent_may_tell_up_to_eighty() -> None:
    agent = Agent("robin", limits=Limits(turns=80))

    assert kept(build(chat(90, words=1), agent=agent)) == [0, 1, *range(10, 90)]


def test_what_others_leave_unused_is_used_up_to_three_thousand_tokens() -> None:
    prompt = build(chat(30, words=150))

    assert 1800 < prompt.history.tokens <= MOST
    assert {one.rule for one in prompt.dropped if one.section == NAME} == {CAP_RULE}


def test_an_agents_own_cap_is_a_cap() -> None:
    agent = Agent("robin", budgets={NAME: Budget(300, 900)})

    assert 700 < build(chat(30), agent=agent).history.tokens <= 900


def test_the_others_make_room_up_to_its_cap_and_no_more_is_taken() -> None:
    alone = build(None)
    prompt = build(chat(30, words=100), limit=alone.tokens + 1000)

    assert 1690 < prompt.history.tokens <= 1800
    assert prompt.tokens < alone.tokens
    assert prompt.tokens + prompt.history.tokens <= alone.tokens + 1000


def test_when_they_cannot_make_enough_it_goes_down_to_its_target() -> None:
    fixed = sum(one.tokens for one in build(None).sections if one.name not in GIVES_WAY_BEFORE)
    prompt = build(chat(30, words=100), limit=fixed + 1500)

    assert 1090 < prompt.history.tokens <= 1200
    assert LIMIT_RULE in {one.rule for one in prompt.dropped if one.section == NAME}


def test_the_report_stands_after_the_situation_and_names_the_rows() -> None:
    sections = build(chat(8, words=1)).sections
    names = [one.name for one in sections]

    assert names[names.index("situation") + 1] == NAME
    [report] = [one for one in sections if one.name == NAME]
    assert (report.items_kept, report.items_dropped, report.sources[0]) == (8, 0, "messages/7:0")


@pytest.mark.parametrize("alone", ["search", "!search"])
def test_a_call_or_result_that_lacks_the_other_is_left_out_and_named(alone: str) -> None:
    prompt = build(turns_of(("user", "tea?"), (alone, "x"), ("agent", "cake")))

    assert kept(prompt) == [0, 2]
    assert [(one.item, one.rule) for one in prompt.dropped if one.section == NAME] == [
        ("messages/7:1", PAIR_RULE)
    ]


# -- a long chat


def test_of_a_long_chat_the_first_exchange_and_the_last_forty_messages_stay() -> None:
    agent = Agent("robin", limits=Limits(turns=80))
    said = replace(chat(100, words=1), rules=HistoryRules())

    prompt = build(said, agent=agent)

    assert kept(prompt) == [0, 1, *range(60, 100)]
    assert (prompt.history.opening, prompt.history.left_out) == (2, 58)
    assert {one.rule for one in prompt.dropped if one.section == NAME} == {"history: 40 messages"}


def test_what_tools_were_asked_is_no_turn() -> None:
    asked = [("user", "tea?"), ("search", "{}"), ("!search", "none"), ("agent", "No.")]

    prompt = build(turns_of(*asked * 15))

    assert len(prompt.history.messages) == 60


def test_a_first_exchange_that_is_long_is_as_any_other() -> None:
    rest = [(("user", "agent")[n % 2], "tea") for n in range(60)]

    assert kept(build(turns_of(("user", "tea " * 300), ("agent", "yes"), *rest)))[0] == 32


def test_what_was_never_read_is_left_out_too_and_the_marker_says_how_much() -> None:
    whole = chat(5000, words=1).messages
    said = Turns((*whole[:2], *whole[-40:]), there=5000)

    history = build(said).history

    assert history.marker == "[4968 messages of this chat not shown here]"
    assert [one.place for one in history.messages] == [0, 1, *range(4970, 5000)]


def test_a_result_behind_a_gap_is_not_of_a_call_before_it() -> None:
    said = turns_of(
        ("user", "tea?"), ("search", "{}"), *[("user", "tea")] * 9, ("!search", "x"), ("agent", "a")
    )
    cut = Turns((*said.messages[:2], *said.messages[9:]), there=13)

    prompt = build(cut)

    assert kept(prompt) == [0, 9, 10, 12]
    assert {one.rule for one in prompt.dropped if one.section == NAME} == {PAIR_RULE}


@given(talks, limits)
def test_the_marker_is_counted(said: Turns, limit: int) -> None:
    history = build(said, limit=limit).history

    shown = "".join(f"{_shown(one)}\n\n" for one in history.messages)
    assert history.tokens == count(shown) + (count(f"user: {history.marker}\n\n") if history.marker else 0)


# -- what tools put out


def test_a_tools_output_before_the_last_exchange_keeps_its_ends() -> None:
    output = "a" * 3000 + "b" * 3000

    history = build(
        turns_of(("user", "tea?"), ("search", "{}"), ("!search", output), ("agent", "no"), ("user", "why?"))
    ).history

    assert history.messages[2].content == f"{'a' * 1400}[…truncated, 4000 chars]{'b' * 600}"
    assert (history.messages[2].tool_name, history.trimmed) == ("search", 1)


def test_in_the_last_exchange_it_is_whole() -> None:
    output = "a" * 3000

    history = build(turns_of(("user", "tea?"), ("search", "{}"), ("!search", output))).history

    assert (history.messages[2].content, history.trimmed) == (output, 0)


def test_people_are_never_cut() -> None:
    history = build(turns_of(("user", "a" * 3000), ("agent", "b" * 3000), ("user", "why?"))).history

    assert [len(one.content) for one in history.messages] == [3000, 3000, 4]


# -- what sections need not tell


def test_what_the_history_tells_no_section_quotes_again() -> None:
    today = call(7, at("2026-11-17 11:30"), "", "I need the plum cake recipe.\nThe oven is broken.")
    known = memory(replace(today, channel="text", is_quoted=True, goes_on=True))
    beside = turns_of(("user", "I need the plum cake recipe."))

    prompt, alone = build(beside, known), build(Turns(), known)

    assert "plum cake" in read(known, alone, NOON)
    assert "plum cake" not in read(known, prompt, NOON)
    assert "oven is broken" in read(known, prompt, NOON)
    assert [(one.item, one.rule) for one in prompt.dropped] == [("messages/7:0", "told in the history")]
