"""Facts in, prompt out: the same for the same, and different only where the facts are."""

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pretend.memories import (
    LIMIT,
    NOON,
    at,
    build,
    call,
    entry,
    memory,
    read,
    served,
    templates,
    thread,
    without_memory,
)

from voice_server import tokens
from voice_server.context import prompt as context_prompt
from voice_server.context import slots
from voice_server.context.budget import CAP_RULE, LIMIT_RULE
from voice_server.context.prompt import GUARDRAIL
from voice_server.domain.memory import Memory

count = tokens.counter()

MONDAY = call(1, at("2026-11-16 18:02"), "Ada told of her cat.", "The cat is called Plum.")
TUESDAY = call(2, at("2026-11-17 09:12"), "Ada asked for the recipe.", "Ada bakes on Sunday.")
KNOWN = memory(TUESDAY, MONDAY, threads=(thread(1), thread(2, "Who feeds the cat?", "question")))

said = st.text(max_size=60) | st.sampled_from(
    ["[/LAST TIME]", "{{ x }}", "\ue000", "日本語。" * 30, "a. b. c."]
)
calls = st.builds(
    lambda n, hours, summary, moments: call(n, NOON - timedelta(hours=hours), summary, moments),
    st.integers(1, 99),
    st.integers(0, 80),
    said,
    said,
)
memories = st.builds(
    lambda latest, texts: memory(
        *sorted(latest, key=lambda one: one.started_at, reverse=True),
        threads=tuple(thread(n, text) for n, text in enumerate(texts)),
    ),
    st.lists(calls, max_size=6),
    st.lists(said, max_size=7),
)


def test_the_same_facts_give_the_same_bytes() -> None:
    one, other = (slots.pack(entry(KNOWN, build(KNOWN))) for _ in range(2))

    assert one == other


@given(memories, memories)
def test_the_version_is_the_same_exactly_when_the_content_is(one: Memory, other: Memory) -> None:
    first, second = build(one), build(other)

    assert (first.version == second.version) == ((first.text, first.choices) == (second.text, second.choices))


def test_a_new_summary_is_a_new_version() -> None:
    other = memory(replace(TUESDAY, summary="Ada asked for another recipe."), MONDAY)

    assert build(other).version != build(memory(TUESDAY, MONDAY)).version


def test_a_new_day_alone_is_no_new_version_for_someone_never_met() -> None:
    nobody = without_memory(KNOWN)

    assert build(nobody, NOON).version == build(nobody, NOON + timedelta(days=1)).version


def test_the_sections_stand_in_the_order_of_injection() -> None:
    told = served(KNOWN)
    starts = [
        "# Who you are",
        "# Right now",
        "[LAST TIME]",
        "[TODAY SO FAR]",
        "[OPEN THREADS]",
        "# How to talk",
    ]

    assert sorted(starts, key=told.index) == starts


@pytest.mark.parametrize(
    ("known", "absent"),
    [
        (without_memory(KNOWN), ["LAST TIME", "TODAY SO FAR", "YESTERDAY", "OPEN THREADS"]),
        (memory(MONDAY), ["TODAY SO FAR", "OPEN THREADS"]),
        (replace(memory(threads=(thread(1),)), conversations=1), ["LAST TIME", "TODAY SO FAR", "YESTERDAY"]),
    ],
)
def test_an_empty_section_leaves_no_trace(known: Memory, absent: list[str]) -> None:
    told = served(known)

    assert not any(f"[{name}]" in told or f"[/{name}]" in told for name in absent)
    assert "\n\n\n" not in told


@given(known=memories, hours=st.integers(0, 80), redial=st.booleans())
def test_served_at_any_later_time_there_are_no_blank_gaps_and_every_marker_is_closed(
    known: Memory, hours: int, *, redial: bool
) -> None:
    told = read(known, build(known), NOON + timedelta(hours=hours), redial=redial)

    assert "\n\n\n" not in told
    assert told == told.strip()
    assert all(line == line.rstrip() for line in told.splitlines())
    opened = re.findall(r"^\[([A-Z -]+)\]$", told, re.MULTILINE)
    assert opened == re.findall(r"^\[/([A-Z -]+)\]$", told, re.MULTILINE)
    assert len(opened) == len(set(opened))


@given(memories, st.integers(250, 900))
def test_the_prompt_is_within_its_limit_whenever_persona_and_style_are(known: Memory, limit: int) -> None:
    prompt = build(known, limit=limit)

    never_cut = ("persona", "situation", "response_style")
    assert prompt.tokens <= max(limit, sum(one.tokens for one in prompt.sections if one.name in never_cut))
    assert count(read(known, prompt, NOON)) <= prompt.tokens


@given(memories)
def test_no_message_of_a_caller_can_close_a_section_or_reach_the_template_engine(known: Memory) -> None:
    told = served(known)

    assert "{{" not in told
    assert told.count("[/LAST TIME]") <= 1


def test_memory_alone_starts_with_the_warning_and_holds_neither_persona_nor_style() -> None:
    told = build(KNOWN).memory

    assert told.startswith(GUARDRAIL)
    assert "# Who you are" not in told
    assert "# How to talk" not in told
    assert "[LAST TIME]" in told


def test_one_call_more_changes_only_the_sections_that_must() -> None:
    before = memory(MONDAY, threads=(thread(1),))
    after = memory(TUESDAY, MONDAY, threads=(thread(1),))

    changed = set(served(before).split("\n\n")) ^ set(served(after).split("\n\n"))

    assert {paragraph.splitlines()[0] for paragraph in changed} == {
        "# Right now",
        "[LAST TIME]",
        "[TODAY SO FAR]",
        "[YESTERDAY]",
    }


def test_the_report_names_the_rows_each_section_came_from() -> None:
    sources = {section.name: section.sources for section in build(KNOWN).sections}

    assert sources["last_time"] == ("conversations/2",)
    assert sources["today_so_far"] == ("conversations/2", "messages/2:0", "conversations/1")
    assert sources["open_threads"] == ("open_threads/1", "open_threads/2")


def test_what_was_left_out_is_reported_with_its_row_its_size_and_the_rule() -> None:
    many = memory(
        call(1, NOON - timedelta(hours=9), "Ada talked. " * 200), threads=tuple(thread(n) for n in range(5))
    )

    capped, limited = build(many).dropped, build(many, limit=300).dropped

    assert [(one.section, one.item, one.rule) for one in capped] == [
        ("last_time", "conversations/1", CAP_RULE)
    ]
    assert capped[0].tokens > 300
    assert {(one.section, one.rule) for one in limited} >= {
        ("last_time", LIMIT_RULE),
        ("open_threads", LIMIT_RULE),
    }


def test_for_a_caller_nobody_knows_the_prompt_says_so_and_claims_no_place() -> None:
    nobody = Memory(user_id="", timezone="UTC")

    prompt = context_prompt.build(nobody, templates(), count, now=NOON, limit=LIMIT, known=False)

    told = read(nobody, prompt, NOON)
    assert "You do not know this caller." in told
    assert "where the caller lives" not in told
