"""An hour or a day that does not suit gives way to the other, where nobody says so."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "offered", "asked", "granted"),
    [
        ("en", "I'll put you down for Tuesday at four.", "Could we say five?", "Of course."),
        ("en", "I'll put you down for Tuesday at four.", "No, rather five.", "Noted."),
        ("en", "I'll put you down for Tuesday at four.", "Could it be five instead?", "Five it is."),
        ("de", "Ich trage Sie am Dienstag um vier ein.", "Geht auch fünf?", "Kein Problem."),
        ("fr", "Je vous note mardi à quatre heures.", "On peut dire cinq heures ?", "Pas de souci."),
        ("es", "Le apunto el martes a las cuatro.", "¿Puede ser a las cinco?", "Apuntado."),
        ("it", "La segno martedì alle quattro.", "Si può fare alle cinque?", "Segnato."),
        ("nl", "Ik zet u dinsdag om vier uur erin.", "Kan het om vijf uur?", "Geen probleem."),
        ("pt", "Ponho-lhe terça às quatro.", "Pode ser às cinco?", "Anotado."),
    ],
)
def test_another_hour_that_is_granted_stands_behind_the_one_that_was_offered(
    opened: Opened, language: str, offered: str, asked: str, granted: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: Hm.\na: {offered}\nu: {asked}\na: {granted}", language)

    assert (thread.text, thread.due) == (f'"{offered}" – "{asked}"', date(2026, 11, 24))


@pytest.mark.parametrize(
    ("language", "offered", "asked", "refused"),
    [
        ("en", "I'll put you down for Tuesday at four.", "Could we say five?", "No, five's taken."),
        ("en", "I'll put you down for Tuesday at four.", "I finish work at five.", "Okay."),
        ("de", "Ich trage Sie am Dienstag um vier ein.", "Geht auch fünf?", "Nein, um fünf ist besetzt."),
        ("fr", "Je vous note mardi à quatre heures.", "On peut dire cinq heures ?", "C'est complet."),
        ("es", "Le apunto el martes a las cuatro.", "¿Puede ser a las cinco?", "No, está ocupado."),
        ("it", "La segno martedì alle quattro.", "Finisco alle cinque.", "Va bene."),
        ("nl", "Ik zet u dinsdag om vier uur erin.", "Kan het om vijf uur?", "Nee, dat is bezet."),
        ("pt", "Ponho-lhe terça às quatro.", "Pode ser às cinco?", "Não, está ocupado."),
    ],
)
def test_an_hour_that_is_taken_or_of_something_else_changes_no_appointment(
    opened: Opened, language: str, offered: str, asked: str, refused: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: Hm.\na: {offered}\nu: {asked}\na: {refused}", language)

    assert thread.text == f'"{offered}"'


@pytest.mark.parametrize(
    ("said", "language", "end", "due"),
    [
        (
            "u: I'll come round on Saturday.\na: Saturday we're closed, stocktaking.\nu: Oh. Then Monday.",
            "en",
            "Then Monday.",
            date(2026, 11, 23),
        ),
        (
            "u: Ich komme am Samstag vorbei.\na: Samstag haben wir zu, Inventur.\nu: Ach so. Dann Montag.",
            "de",
            "Dann Montag.",
            date(2026, 11, 23),
        ),
        (
            (
                "a: Ich schicke heute noch jemanden, um vierzehn Uhr.\n"
                "u: da bin ich beim Arzt ab halb fünf bin ich da\na: Dann sage ich dem Monteur halb fünf."
            ),
            "de",
            "halb fünf.",
            date(2026, 11, 17),
        ),
    ],
)
def test_what_does_not_suit_the_other_gives_way_to_what_is_said_next(
    opened: Opened, said: str, language: str, end: str, due: date
) -> None:
    (thread,) = opened(said, language=language)

    assert (thread.text.endswith(f'{end}"'), thread.due) == (True, due)
