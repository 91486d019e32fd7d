"""A quote is told with its speaker."""

import pytest

from voice_server.context.sections.spoken import Line, joined, told
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
        (
            '"I owe you ten." – "Bring it." – "OK."',
            "user",
            "",
            'Caller: "I owe you ten." You: "Bring it." Caller: "OK."',
        ),
        (
            '"I\'m off." – "Until when?" – "Monday."',
            "user",
            "",
            'Caller: "I\'m off." You asked "Until when?" Caller: "Monday."',
        ),
    ],
)
def test_a_quote_is_told_with_its_speaker(text: str, said_by: Speaker, name: str, telling: str) -> None:
    assert told(text, said_by, name) == telling


def test_prose_stays_as_it_is() -> None:
    assert told("Ada is vegan.", "user", "Ada") == "Ada is vegan."


@pytest.mark.parametrize(
    ("text", "name", "telling"),
    [
        ("The caller has moved to Leeds.", "Marta", "Marta has moved to Leeds."),
        ("The caller's dad is turning seventy.", "Marta", "Marta's dad is turning seventy."),
        ("The caller rang. The caller is vegan; the agent told the caller so.", "Marta",
         "Marta rang. Marta is vegan; the agent told Marta so."),
        ("The user manual is lost.", "Marta", "The user manual is lost."),
        ("The caller ID was withheld.", "Marta", "The caller ID was withheld."),
        ("The caller before her was rude.", "Marta", "The caller before her was rude."),
        ("De beller van gisteren was boos.", "Marta", "De beller van gisteren was boos."),
        ("L'appelante aussi. Il dit que l'appelante viendra.", "Marta",
         "L'appelante aussi. Il dit que l'appelante viendra."),
        ("“The caller is vegan”, the caller said.", "Marta", "“The caller is vegan”, the caller said."),
        ("Die Anruferin wohnt in Kiel.", "Marta", "Marta wohnt in Kiel."),
        ("L'appelante habite à Lyon.", "Marta", "Marta habite à Lyon."),
        ("El llamante vive en Lugo.", "Iago", "Iago vive en Lugo."),
        ("La chiamante ha due cani.", "Marta", "Marta ha due cani."),
        ("A chamadora mora no Porto.", "Marta", "Marta mora no Porto."),
        ("De beller heeft een hond.", "Marta", "Marta heeft een hond."),
        ("The caller is called Marta Klein.", "Marta", "The caller is called Marta Klein."),
        ("The caller's phone shows the caller ID.", "Marta", "The caller's phone shows the caller ID."),
        ("The client signs on Friday.", "Marta", "The client signs on Friday."),
        ("The users like it.", "Marta", "The users like it."),
        ("The caller has moved.", "", "The caller has moved."),
        (r"The caller uses \1.", "Marta", r"Marta uses \1."),
    ],
)  # fmt: skip
def test_prose_speaks_of_the_caller_by_name_once_it_is_known(text: str, name: str, telling: str) -> None:
    assert told(text, "user", name) == telling


def test_a_quote_of_a_dash_is_no_exchange() -> None:
    assert told('"Tea – or coffee – please."', "user") == 'Caller: "Tea – or coffee – please."'


def test_an_empty_text_stays_empty() -> None:
    assert told("", "user") == ""


def test_who_goes_on_speaking_is_named_once() -> None:
    lines = ['Ada: "I moved."', 'Ada: "It\'s in Kiel."', 'You: "Lovely."', 'Ada: "The flat is small."']

    assert joined(map(Line, lines)) == [
        'Ada: "I moved." "It\'s in Kiel."',
        'You: "Lovely."',
        'Ada: "The flat is small."',
    ]


def test_who_answers_goes_on_in_the_same_line() -> None:
    lines = ['You asked "Any pets?" Ada: "A cat."', 'Ada: "She\'s called Minou."', 'Ada: "She bites."']

    assert joined(map(Line, lines)) == [
        'You asked "Any pets?" Ada: "A cat." "She\'s called Minou." "She bites."'
    ]


def test_what_was_said_between_is_shown_to_be_left_out() -> None:
    lines = [
        Line('You asked "Any pets?" Ada: "A cat."', "1", 1),
        Line('Ada: "She bites."', "1", 2),
        Line('Ada: "At nine."', "1", 4),
        Line('Ada: "And at ten."', "1", 5),
    ]

    assert joined(lines) == ['You asked "Any pets?" Ada: "A cat." "She bites." … "At nine." "And at ten."']


def test_what_is_of_two_conversations_stays_in_two_lines() -> None:
    lines = [Line('Ada: "I moved."', "1", 8), Line('Ada: "I moved back."', "2", 1)]

    assert joined(lines) == ['Ada: "I moved."', 'Ada: "I moved back."']


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
    assert joined(map(Line, lines)) == lines
