"""What was noted, held against what the user said."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.domain.conversation import Message
from voice_server.tools import note_verification

AT = datetime(2026, 11, 17, tzinfo=UTC)


def talk(*said: str) -> tuple[Message, ...]:
    """Lines like "user: Hello."."""
    parted = (line.split(": ", 1) for line in said)
    return tuple(
        Message(place, "user" if who == "user" else "agent", text, AT)
        for place, (who, text) in enumerate(parted)
    )


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("Ada is allergic to nuts.", ("user: I am allergic to nuts and to milk.",)),
        ("The caller cannot eat peanuts or any nut.", ("user: I can't have nuts, they make me ill.",)),
        ("Ada has 3 children.", ("user: There are three kids in my house.",)),
        ("Ada lives in Lisbon.", ("user: We are down in Lisbon these days.",)),
        (
            "Ada is allergic to nuts.",
            ("agent: So nuts make you ill?", "user: Yes, that is what they do to me."),
        ),
        ("Die Anruferin wohnt in Köln.", ("user: Ich bin umgezogen, in die Stadt am Rhein.",)),
    ],
)
def test_what_the_user_said_in_any_words_is_borne_out(note: str, said: tuple[str, ...]) -> None:
    assert note_verification.listen(talk(*said)).verdict(note) == "said"


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("Ada is allergic to nuts.", ("user: This is Ada, when does the museum open?",)),
        ("Ada is allergic to nuts.", ("agent: So nuts make you ill?", "user: No, it is not that at all.")),
        ("The caller owns 3 boats.", ("agent: You own 3 boats.", "user: What is it that you have for me?")),
    ],
)
def test_what_the_user_said_nothing_of_is_not(note: str, said: tuple[str, ...]) -> None:
    assert note_verification.listen(talk(*said), "en").verdict(note) == "unsaid"


def test_what_was_said_off_the_record_alone_is_withheld() -> None:
    secret = "user: Off the record, and I would not like anybody else to hear of it, I am allergic to nuts."
    said = talk(secret, "agent: I see.", "user: I like tea.", "agent: Good.")

    assert note_verification.listen(said).verdict("Ada is allergic to nuts.") == "withheld"
    assert note_verification.listen(said).verdict("Ada likes tea.") == "said"


def test_what_is_withheld_tells_in_which_language_the_rest_is() -> None:
    said = talk("user: Hello, Tom Baker.", "user: My PIN is 4711, don't write this down.")

    assert note_verification.listen(said).verdict("Tom owns a boat.") == "unsaid"


def test_of_a_call_that_is_withheld_as_a_whole_everything_is() -> None:
    said = talk("user: I like tea.", "user: Please don't remember any of this.")

    assert note_verification.listen(said).verdict("Ada likes tea.") == "withheld"


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=4))
def test_any_talk_has_a_verdict(note: str, said: list[str]) -> None:
    assert note_verification.listen(talk(*(f"user: {one}" for one in said))).verdict(note) in {
        "said",
        "unsaid",
        "withheld",
    }
