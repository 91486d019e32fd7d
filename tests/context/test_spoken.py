"""A quote is told with its speaker."""

import pytest

from voice_server.context.spoken import told
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
