"""What the user was to come for, but cannot, is no plan."""

from collections.abc import Callable

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "i was supposed to come at four today but my train is stuck"),
        ("de", "ich sollte heute um vier kommen aber mein zug steckt fest"),
        ("de", "Ich wollte heute um vier bei Ihnen sein, aber die Kleine hat Fieber."),
        ("es", "tenía que ir hoy a las cuatro pero mi tren está parado"),
        ("fr", "je devais venir tout à l'heure à seize heures mais mon train est bloqué"),
        ("it", "dovevo venire oggi alle quattro ma il mio treno è bloccato"),
        ("pt", "tinha de ir hoje às quatro mas o meu comboio está parado"),
        ("nl", "ik zou vandaag om vier uur komen maar mijn trein staat stil"),
    ],
)
def test_what_one_was_to_come_for_but_cannot_is_no_plan(opened: Opened, language: str, said: str) -> None:
    assert opened(f"a: –\nu: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Ich muss am Freitag zum Zahnarzt, aber erst um vier."),
        ("fr", "Je dois aller chez le dentiste vendredi, mais à seize heures."),
        ("en", "I'm seeing the dentist on Friday, but only at four."),
    ],
)
def test_what_is_still_to_come_is_a_plan(opened: Opened, language: str, said: str) -> None:
    assert [one.kind for one in opened(f"a: –\nu: {said}", language)] == ["plan"]
