"""A conversation as the search keeps it: each message once, in the passage in which it was said."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.domain.conversation import Message
from voice_server.search import passages
from voice_server.search.lexemes import lexemes
from voice_server.search.passages import (
    ASKS,
    COUNTS,
    IS_QUESTION,
    KIND,
    LENGTH,
    PLACE,
    TELLS_TIME,
    USER,
    IndexedPassages,
    Passage,
)

NINE = datetime(2026, 11, 10, 9, tzinfo=UTC)


def said(position: int, text: str, *, role: Any = "user", after: float = 0) -> Message:
    """A message, said some seconds after nine."""
    return Message(position, role, text, NINE + timedelta(seconds=after))


def index(messages: Sequence[Message], language: str = "en") -> IndexedPassages:
    [indexed] = passages.index([(messages, language)])
    return indexed


def numbers(packed: bytes, kind: Any = PLACE) -> list[int]:
    return [int(one) for one in np.frombuffer(packed, kind)]


def positions(indexed: IndexedPassages) -> list[list[int]]:
    return [numbers(one.positions) for one in indexed.passages]


def kind(text: str, role: Any = "user") -> int:
    [passage] = index([said(0, text, role=role)]).passages
    return numbers(passage.kinds, KIND)[0]


@pytest.mark.parametrize(
    ("pause", "cut"), [(timedelta(hours=3), True), (timedelta(hours=3, seconds=-1), False)]
)
def test_a_passage_ends_where_nobody_speaks_for_three_hours(pause: timedelta, *, cut: bool) -> None:
    later = pause.total_seconds()
    messages = [said(0, "Hello."), said(1, "Hi."), said(2, "I am back.", after=later)]

    assert positions(index(messages)) == ([[0, 1], [2]] if cut else [[0, 1, 2]])


def test_hours_of_talk_without_a_pause_are_cut_into_equal_parts() -> None:
    messages = [said(n, "and so on", after=n) for n in range(2 * passages.LONGEST + 1)]

    sizes = [one.size for one in index(messages).passages]

    assert sum(sizes) == len(messages)
    assert len(sizes) == 3
    assert max(sizes) - min(sizes) <= 1


def test_only_what_the_two_say_is_kept() -> None:
    messages = [
        said(0, "Cake."),
        Message(1, "tool_call", '{"cake": 1}', NINE, "oven"),
        said(2, "  "),
        said(3, "Tea.", role="agent"),
    ]

    indexed = index(messages)

    assert positions(indexed) == [[0, 3]]
    assert dict(indexed.places) == {"cake": [0], "tea": [1]}


def test_a_passage_knows_when_each_message_was_said() -> None:
    [passage] = index([said(0, "Cake.", after=60), said(1, "Tea.", after=75.9)]).passages

    assert passage.starts_at == NINE + timedelta(minutes=1)
    assert numbers(passage.seconds) == [0, 15]


def test_clocks_that_went_backwards_break_nothing() -> None:
    [passage] = index([said(0, "Cake.", after=60), said(1, "Tea.")]).passages

    assert numbers(passage.seconds) == [0, 0]


def test_a_word_said_again_has_its_place_again() -> None:
    assert index([said(0, "tea"), said(1, "tea, more tea")]).places["tea"] == [0, 1, 1]


def test_a_message_of_a_hundred_thousand_words_is_kept() -> None:
    [passage] = index([said(0, "tea " * 100_000)]).passages

    assert numbers(passage.lengths, LENGTH) == [65_535]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I like tea.", USER),
        ("Do you like tea?", USER | ASKS | IS_QUESTION),
        ("Tea? I like it.", USER | ASKS),
        ('"Tea？"', USER | ASKS | IS_QUESTION),
        ("هل تحب الشاي؟", USER | ASKS | IS_QUESTION),
        ("We met last Friday.", USER | TELLS_TIME),
        ("I have three cats.", USER | COUNTS),
        ("It was in 2019.", USER | TELLS_TIME | COUNTS),
    ],
)
def test_what_kind_of_message_it_is(text: str, expected: int) -> None:
    assert kind(text) == expected


def test_what_the_agent_says_is_not_the_users() -> None:
    assert kind("I like tea.", "agent") == 0


def test_places_of_several_go_on_from_the_number_given() -> None:
    first = index([said(0, "tea"), said(1, "cake")])
    second = index([said(0, "tea and cake", after=1)])

    joined = passages.joined([first, second], 100)

    assert numbers(joined["tea"]) == [100, 102]
    assert numbers(joined["cake"]) == [101, 102]


def test_nothing_said_has_no_passage() -> None:
    assert index([]) == IndexedPassages((), {})
    assert index([said(0, " \n")]) == IndexedPassages((), {})
    assert passages.joined([], 7) == {}


_MESSAGES = st.lists(
    st.tuples(
        st.sampled_from(("user", "agent", "tool_result")),
        st.one_of(st.text(max_size=20), st.sampled_from(("tea", "Tea? cake", "Ada, look!", " "))),
        st.sampled_from((0, 20, 10_799, 10_800, 90_000)),
        st.integers(1, 3),
    ),
    max_size=12,
)


def _messages(drawn: Sequence[tuple[str, str, int, int]]) -> list[Message]:
    """Positions may have gaps: what must not be found is left out."""
    after = accumulate(pause for _, _, pause, _ in drawn)
    places = accumulate(step for _, _, _, step in drawn)
    return [
        said(place, text, role=role, after=seconds)
        for place, seconds, (role, text, _, _) in zip(places, after, drawn, strict=True)
    ]


@given(_MESSAGES)
def test_every_message_is_in_one_passage_as_it_was_said(drawn: list[tuple[str, str, int, int]]) -> None:
    messages = _messages(drawn)
    spoken = [one for one in messages if one.role in ("user", "agent") and one.content.strip()]

    kept = [entry for passage in index(messages).passages for entry in _unpacked(passage)]

    assert kept == [
        (one.position, one.said_at, len(lexemes(one.content, "en")), one.role == "user") for one in spoken
    ]


def _unpacked(passage: Passage) -> list[tuple[int, datetime, int, bool]]:
    columns = zip(
        numbers(passage.positions),
        numbers(passage.seconds),
        numbers(passage.lengths, LENGTH),
        numbers(passage.kinds, KIND),
        strict=True,
    )
    return [
        (position, passage.starts_at + timedelta(seconds=second), length, bool(kind & USER))
        for position, second, length, kind in columns
    ]


@given(st.lists(_MESSAGES, max_size=4), st.integers(0, 1_000_000))
def test_every_place_names_the_message_that_says_it(
    conversations: list[list[tuple[str, str, int, int]]], base: int
) -> None:
    told = [_messages(drawn) for drawn in conversations]
    spoken = [
        one for messages in told for one in messages if one.role in ("user", "agent") and one.content.strip()
    ]

    indexed = passages.index([(messages, "en") for messages in told])
    joined = passages.joined(indexed, base)

    assert sum(passage.size for one in indexed for passage in one.passages) == len(spoken)
    words = {
        lexeme: Counter(number - base for number in numbers(places))
        for lexeme, places in joined.items()
        if not lexeme.startswith("@")
    }
    assert words == _counted(spoken)


def _counted(spoken: Sequence[Message]) -> dict[str, Counter[int]]:
    """How often each message says each word."""
    counts: dict[str, Counter[int]] = {}
    for number, message in enumerate(spoken):
        for lexeme in lexemes(message.content, "en"):
            counts.setdefault(lexeme, Counter())[number] += 1
    return counts
