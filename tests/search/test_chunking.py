"""Windows of a conversation: every message in one, none too long, each with where it came from."""

from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from voice_server.domain.conversation import Message
from voice_server.search.chunking import Window, windows

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)


def words(text: str) -> int:
    return len(text.split())


def talk(lengths: list[int]) -> list[Message]:
    """Messages of so many words each; positions have gaps, as where something is kept private."""
    return [
        Message(2 * n, "user" if n % 2 == 0 else "agent", " ".join([f"word{n}"] * length), NOON)
        for n, length in enumerate(lengths)
    ]


def tokens(window: Window) -> int:
    return sum(words(line) + 1 for line in window.text.splitlines())


turns = st.lists(st.integers(1, 120), max_size=80)
any_turns = st.lists(st.integers(1, 1500), max_size=30)


@given(any_turns)
def test_every_message_is_in_a_window_and_in_order(lengths: list[int]) -> None:
    said = talk(lengths)

    found = windows(said, words)

    covered = {m.position for w in found for m in said if w.first_position <= m.position <= w.last_position}
    assert covered == {m.position for m in said}
    starts = [w.first_position for w in found]
    assert starts == sorted(set(starts))


@given(any_turns)
def test_a_window_is_the_text_of_just_the_messages_it_names(lengths: list[int]) -> None:
    said = talk(lengths)

    for window in windows(said, words):
        within = [m for m in said if window.first_position <= m.position <= window.last_position]
        assert window.text.splitlines() == [f"{m.role}: {m.content}" for m in within]


@given(turns)
def test_windows_have_400_to_800_tokens_unless_there_is_less_to_say(lengths: list[int]) -> None:
    found = windows(talk(lengths), words)

    assert all(tokens(w) <= 800 for w in found)
    if len(found) > 1:
        assert all(tokens(w) >= 400 for w in found)


@given(turns)
def test_neighbours_share_messages_where_these_are_short_enough(lengths: list[int]) -> None:
    said = talk(lengths)
    found = windows(said, words)

    for one, following in pairwise(found):
        last = next(m for m in said if m.position == one.last_position)
        after = next(m for m in said if m.position > one.last_position)
        if words(last.content) + 2 <= 100 and words(after.content) + 2 <= 700:
            assert following.first_position <= one.last_position


@given(any_turns)
def test_only_a_single_message_makes_a_longer_window(lengths: list[int]) -> None:
    for window in windows(talk(lengths), words):
        assert tokens(window) <= 800 or window.first_position == window.last_position


@given(any_turns, any_turns)
def test_what_is_said_later_changes_no_window_but_the_last(lengths: list[int], later: list[int]) -> None:
    settled = windows(talk(lengths), words)[:-1]

    assert windows(talk(lengths + later), words)[: len(settled)] == settled


def test_of_nothing_there_are_no_windows() -> None:
    assert windows([], words) == []
