from datetime import UTC, datetime
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.digest.language.sentences import split, spoken
from voice_server.digest.language.stems import word_count
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
        ("ok cool. we r veggie btw", ["ok cool.", "we r veggie btw"]),
        ("at 9 a.m. we eat. then we go", ["at 9 a.m. we eat.", "then we go"]),
        ("Sie hat am 3. Mai Geburtstag. Zehn wird sie.", ["Sie hat am 3. Mai Geburtstag.", "Zehn wird sie."]),
        ("I live at number 14. Come by.", ["I live at number 14.", "Come by."]),
        ("", []),
    ],
)
def test_a_text_is_split_where_sentences_end(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_speech_without_punctuation_comes_in_pieces() -> None:
    assert [len(part.split()) for part in split("word " * 120)] == [50, 50, 20]


def test_initials_without_end_take_no_longer_than_other_words() -> None:
    began = process_time()

    assert len(split("A. " * 20_000)) > 1
    assert process_time() - began < 2


def test_tools_are_not_heard() -> None:
    roles: list[Role] = ["tool_call", "tool_result"]

    assert spoken([message("I moved to Porto.", role) for role in roles]) == []


@given(st.text())
def test_no_sentence_is_overlong(text: str) -> None:
    assert all(word_count(part) <= 101 for part in split(text))


def test_a_german_ordinal_ends_no_sentence() -> None:
    assert split("Ich wohne im 3. Stock links. Die Klingel geht nicht.") == [
        "Ich wohne im 3. Stock links.",
        "Die Klingel geht nicht.",
    ]
