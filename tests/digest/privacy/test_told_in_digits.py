"""“Forget that number” takes the turn that said it."""

from collections.abc import Callable

import pytest

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        (
            "I always get muddled, it's 4471, isn't it.",
            "Oh dear, no. Forget that, please, forget that number.",
        ),
        ("It's four four seven one, isn't it.", "Erase that number."),
        ("It's [code], isn't it.", "Oh dear, forget that number."),
        ("Ich war am Automaten, 4471, nicht wahr.", "Oje, nein. Vergessen Sie die Nummer bitte."),
        ("Je me trompe toujours, c'est 4471, non ?", "Oh non, oubliez ce code."),
        ("Siempre me lío, es el 4471, ¿no?", "Ay, olvide ese número."),
        ("Mi confondo sempre, è il 4471, vero?", "Oddio, dimentichi quel numero."),
        ("Ik haal het altijd door elkaar, 4471 toch?", "O nee, vergeet dat nummer."),
        ("Sempre me confundo, é 4471, né?", "Ai, esqueça esse número, por favor."),
    ],
)
def test_the_number_goes_with_the_wish(call: Call, told: str, wish: str) -> None:
    lines = f"a: Have you been out?\nu: {told}\na: I see.\nu: {wish}\na: It's gone.\nu: Sardines for supper."

    assert consent.withheld(call(lines)) == {1, 2, 3, 4}


def test_a_number_of_long_before_stays(call: Call) -> None:
    lines = "u: I was born in 1950.\na: Oh?\nu: In Hull.\na: And now?\nu: In Leeds.\na: So?"

    assert 0 not in consent.withheld(call(f"{lines}\nu: Forget that number."))


def test_a_number_that_nobody_said_takes_nothing_along(call: Call) -> None:
    assert consent.withheld(call("u: I live in Hull.\na: I see.\nu: Forget that number.")) == frozenset()
