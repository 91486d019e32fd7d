from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.digest.sentences import says_something, sentences, split, without_openers
from voice_server.digest.stems import word_count
from voice_server.domain.conversation import Message, Role


def message(content: str, role: Role = "user", position: int = 0) -> Message:
    return Message(position, role, content, datetime(2026, 11, 17, 9, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One is here. Two is there!", ["One is here.", "Two is there!"]),
        ("I saw Dr. Müller today. He smiled.", ["I saw Dr. Müller today.", "He smiled."]),
        ("at 9 a.m. we left", ["at 9 a.m. we left"]),
        ("金曜日です。月曜日？はい！", ["金曜日です。", "月曜日？", "はい！"]),
        ('He said: "Where is it?" I knew.', ['He said: "Where is it?"', "I knew."]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("Great! 👋 Bye", ["Great!", "Bye"]),
        ("", []),
    ],
)
def test_a_text_is_split_where_sentences_end(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_speech_without_punctuation_comes_in_pieces() -> None:
    assert [len(part.split()) for part in split("word " * 120)] == [50, 50, 20]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Oh yeah, and um, I moved.", "I moved."),
        ("Well, I, you know, moved.", "I moved."),
        ("hi i moved", "I moved"),
        ("No one came.", "No one came."),
        ("So I moved.", "I moved."),
    ],
)
def test_idle_starts_are_taken_off(text: str, plain: str) -> None:
    assert without_openers(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Mm-hm.",
        "...",
        "yeah",
        "Hi Maya, good to hear you again.",
        "Thanks so much!",
        "How are you?",
        "Bye!",
        "👋",
    ],
)
def test_greetings_and_signs_of_listening_say_nothing(text: str) -> None:
    assert sentences([message(text)]) == []


def test_what_is_said_beside_a_greeting_stays() -> None:
    assert [s.text for s in sentences([message("Hey! I moved to Porto.")])] == ["I moved to Porto."]


def test_tools_are_not_heard() -> None:
    roles: list[Role] = ["tool_call", "tool_result"]

    assert sentences([message("I moved to Porto.", role) for role in roles]) == []


def test_the_other_partys_name_is_dropped() -> None:
    found = sentences([message("Grace, I moved to Porto, Grace.")], ("Ada", "Grace"))

    assert [s.text for s in found] == ["I moved to Porto."]


def test_um_is_a_word_in_german() -> None:
    found = sentences([message("Ich komme um neun Uhr.")], english=False)

    assert [s.text for s in found] == ["Ich komme um neun Uhr."]


@given(st.text())
def test_no_sentence_is_overlong(text: str) -> None:
    assert all(word_count(part) <= 101 for part in split(text))
    assert all(says_something(s.text) for s in sentences([message(text)]))
