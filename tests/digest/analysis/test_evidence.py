"""The words that a platform's model quotes are found again in what was said, or not at all."""

from datetime import UTC, datetime

import pytest

from voice_server.digest.analysis.evidence import EvidenceTalk, is_said
from voice_server.domain.conversation import Message, Role

ROLES: dict[str, Role] = {"user": "user", "agent": "agent", "tool": "tool_result"}
NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
SAID = (
    "agent: Good morning, do you have any allergies?",
    "user: Latex. And, um, nuts of all kinds.",
    "agent: I have put down latex and nuts.",
    "user: ja also ich wohne jetzt in Köln ich bin letzte woche umgezogen",
    "agent: Shall I send the invoice to the new address?",
    "user: Yes, please.",
    "user: 私はラテックスにアレルギーがあります。",
)


def talk(*said: str) -> EvidenceTalk:
    turns = [line.partition(": ") for line in said or SAID]
    return EvidenceTalk(
        Message(place, ROLES[role], text, NOON) for place, (role, _, text) in enumerate(turns)
    )


@pytest.mark.parametrize(
    ("quoted", "found"),
    [
        ("I have put down latex and nuts", (2,)),
        ("latex", (1,)),  # the user's own words first
        ('"nuts of all kinds"', (1,)),
        ("Caller: Latex.", (1,)),
        ("ich wohne jetzt in Koln", (3,)),
        ("Ich wohne jetzt in Köln, ich bin letzte Woche umgezogen.", (3,)),
        ("ich wohne … umgezogen", (3,)),
        ('"do you have any allergies?" – "Latex."', (0, 1)),
        ("I wohne jetzt in Köln seit letzte Woche", (3,)),  # most of it
        ("do you have any allergies latex and nuts", (0, 1)),
        ("ラテックスにアレルギー", (6,)),
    ],
)
def test_quoted_words_are_found_where_they_were_said(quoted: str, found: tuple[int, ...]) -> None:
    assert talk().find(quoted) == found


@pytest.mark.parametrize("quoted", ["", "…", "I have two dogs at home", "nut", "in put", "Köln-Deutz"])
def test_what_was_not_said_is_not_found(quoted: str) -> None:
    assert talk().find(quoted) == ()


def test_of_several_yes_it_is_the_one_that_is_near_what_is_told() -> None:
    said = (
        "agent: Any pets?",
        "user: yes",
        "agent: Do you smoke?",
        "user: yes",
        "agent: Thanks.",
        "user: yes",
    )

    assert talk(*said).find("yes", "The caller does smoke") == (3,)
    assert talk(*said).find_all("yes") == (1, 3, 5)


def test_an_answer_belongs_to_its_question_and_a_statement_to_what_the_user_says_to_it() -> None:
    assert talk().exchange((1,)) == (0, 1)
    assert talk().exchange((2,)) == (2, 3)
    assert talk("user: Hi.").exchange((0,)) == (0,)


def test_nothing_is_found_where_nothing_was_said() -> None:
    assert talk("tool: x").find("x y z and more") == ()


def test_a_name_is_said_in_full_in_any_script() -> None:
    said = ("josé here, that is B E N A L I", "田中です")

    names = ("José Benali", "Benali", "Jose", "Josefine Benali", "田中", "中田")

    assert [name for name in names if is_said(name, said)] == ["José Benali", "Benali", "Jose", "田中"]
