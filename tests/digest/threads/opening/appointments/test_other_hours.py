"""The hour that is rather wished for is of the day that was offered."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "offer", "wish", "yes"),
    [
        ("en", "Tuesday at four?", "No, five would be better.", "Noted."),
        ("en", "Tuesday at four?", "Five would suit me better.", "All right."),
        ("de", "Dienstag um vier?", "Nee, lieber fünf.", "Ist notiert."),
        ("fr", "Mardi à quatre heures ?", "Non, plutôt cinq heures.", "C'est noté."),
        ("es", "¿El martes a las cuatro?", "No, mejor a las cinco.", "Anotado."),
        ("it", "Martedì alle quattro?", "No, meglio alle cinque.", "Va bene, alle cinque."),
        ("nl", "Dinsdag om vier uur?", "Nee, liever vijf uur.", "Genoteerd."),
        ("pt", "Terça às quatro?", "Não, melhor às cinco.", "Sem problema."),
    ],
)
def test_the_hour_rather_wished_for_is_of_the_day_that_was_offered(
    opened: Opened, language: str, offer: str, wish: str, yes: str
) -> None:
    (thread,) = opened(f"a: {offer}\nu: {wish}\na: {yes}", language)

    assert (thread.text, thread.due) == (f'"{offer}" – "{wish}"', date(2026, 11, 24))


def test_an_hour_that_is_taken_is_not_agreed_on(opened: Opened) -> None:
    assert opened("a: Tuesday at four?\nu: Rather five.\na: Five's taken, I'm afraid.") == ()


def test_the_hour_rather_wished_for_is_of_the_series_that_was_offered(opened: Opened) -> None:
    (thread,) = opened("a: Every Tuesday at four?\nu: No, five would be better.\na: Noted.")

    assert (thread.text, thread.due) == ('"Every Tuesday at four?" – "No, five would be better."', None)
