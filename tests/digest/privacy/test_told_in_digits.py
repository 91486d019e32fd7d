"""“Forget that number” takes the turn that said it."""

from datetime import UTC, datetime

import pytest

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message

AT = datetime(2026, 11, 17, 10, 30, tzinfo=UTC)


def withheld(*turns: str) -> frozenset[int]:
    """Return the places of what is not remembered, of turns as `role: text`."""
    pairs = [turn.partition(": ") for turn in turns]
    messages = [Message(place, role, text, AT) for place, (role, _, text) in enumerate(pairs)]  # type: ignore[arg-type]  # the roles are ours
    return consent.withheld(messages)


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        (
            "I always get muddled, it's 4471, isn't it.",
            "Oh dear, no. Forget that, please, forget that number.",
        ),
        ("It's four four seven one, isn't it.", "Erase that number."),
        ("Ich war am Automaten, 4471, nicht wahr.", "Oje, nein. Vergessen Sie die Nummer bitte."),
        ("Je me trompe toujours, c'est 4471, non ?", "Oh non, oubliez ce code."),
        ("Siempre me lío, es el 4471, ¿no?", "Ay, olvide ese número."),
        ("Mi confondo sempre, è il 4471, vero?", "Oddio, dimentichi quel numero."),
        ("Ik haal het altijd door elkaar, 4471 toch?", "O nee, vergeet dat nummer."),
        ("Sempre me confundo, é 4471, né?", "Ai, esqueça esse número, por favor."),
    ],
)
def test_the_number_goes_with_the_wish(told: str, wish: str) -> None:
    said = (
        "agent: Have you been out?",
        f"user: {told}",
        "agent: I see.",
        f"user: {wish}",
        "agent: It's gone.",
    )
    assert withheld(*said, "user: Sardines for supper.") == {1, 2, 3, 4}


def test_a_number_of_long_before_stays() -> None:
    said = ("user: I was born in 1950.", "agent: Oh?", "user: In Hull.", "agent: And now?", "user: In Leeds.")
    assert 0 not in withheld(*said, "agent: So?", "user: Forget that number.")


def test_a_number_that_nobody_said_takes_nothing_along() -> None:
    assert withheld("user: I live in Hull.", "agent: I see.", "user: Forget that number.") == frozenset()
