"""A quote is told with its speaker."""

import pytest

from voice_server.context.sections.spoken import joined, told
from voice_server.domain.digest import Speaker


@pytest.mark.parametrize(
    ("text", "said_by", "name", "telling"),
    [
        ('"I\'ll ring you tomorrow."', "agent", "Ada", 'You: "I\'ll ring you tomorrow."'),
        ('"I live in Hamburg now."', "user", "Ada", 'Ada: "I live in Hamburg now."'),
        ('"I live in Hamburg now."', "user", "", 'Caller: "I live in Hamburg now."'),
        ('"Any allergies?" – "Nuts."', "user", "Ada", 'You asked "Any allergies?" Ada: "Nuts."'),
        ('"Is it open?" – "I\'ll ask."', "agent", "", 'Caller asked "Is it open?" You: "I\'ll ask."'),
        ('"it never came" – "I\'ll ask."', "agent", "", 'Caller: "it never came" You: "I\'ll ask."'),
    ],
)
def test_a_quote_is_told_with_its_speaker(text: str, said_by: Speaker, name: str, telling: str) -> None:
    assert told(text, said_by, name) == telling


def test_prose_stays_as_it_is() -> None:
    assert told("Ada is vegan.", "user", "Ada") == "Ada is vegan."


def test_a_quote_of_a_dash_is_no_exchange() -> None:
    assert told('"Tea – or coffee – please."', "user") == 'Caller: "Tea – or coffee – please."'


def test_an_empty_text_stays_empty() -> None:
    assert told("", "user") == ""


def test_who_goes_on_speaking_is_named_once() -> None:
    lines = ['Ada: "I moved."', 'Ada: "It\'s in Kiel."', 'You: "Lovely."', 'Ada: "The flat is small."']

    assert joined(lines) == [
        'Ada: "I moved." "It\'s in Kiel."',
        'You: "Lovely."',
        'Ada: "The flat is small."',
    ]


def test_who_answers_goes_on_in_the_same_line() -> None:
    lines = ['You asked "Any pets?" Ada: "A cat."', 'Ada: "She\'s called Minou."', 'Ada: "She bites."']

    assert joined(lines) == ['You asked "Any pets?" Ada: "A cat." "She\'s called Minou." "She bites."']


@pytest.mark.parametrize(
    "lines",
    [
        ['You: "It rings."', 'You asked "Any pets?" Ada: "A cat."'],
        ['You asked "Any pets?" Ada: "A cat."', 'You: "Lovely."'],
        ["Ada is vegan.", "Ada is kind."],
        ["Ada: she moved.", 'Ada: "I moved."'],
        ['Ada: "I moved."', 'Ada: "I moved.'],
        ['Ada "the Countess" King: "I moved."', 'Ada "the Countess" King: "It rains."'],
        [],
    ],
)
def test_what_is_not_surely_the_same_persons_stays_in_its_line(lines: list[str]) -> None:
    assert joined(lines) == lines
