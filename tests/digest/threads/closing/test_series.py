"""A series gives way to how it runs from now on, and not to what is so once."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")


def closes(call: Call, series: str, asked: str, answer: str, language: str) -> bool:
    known = EarlierThread(1, "plan", "agent", f'"{series}"')
    talk = call(f"a: .\nu: {asked}\na: {answer}")
    return thread_changes(talk, language, BERLIN, open_before=[known]).closes == (1,)


@pytest.mark.parametrize(
    ("language", "series", "asked", "answer"),
    [
        ("en", "monday wednesday friday", "can we drop the fridays", "monday and wednesday then"),
        ("de", "Montag, Mittwoch, Freitag.", "Freitag geht bei mir nicht mehr.", "Dann Montag und Mittwoch."),
        ("es", "Lunes, miércoles y viernes.", "¿Podemos dejar los viernes?", "Entonces lunes y miércoles."),
        ("fr", "Lundi, mercredi et vendredi.", "On peut laisser le vendredi ?", "Alors lundi et mercredi."),
        ("it", "Lunedì, mercoledì e venerdì.", "Possiamo togliere il venerdì?", "Allora lunedì e mercoledì."),
        ("pt", "Segunda, quarta e sexta.", "Podemos deixar a sexta?", "Então segunda e quarta."),
        ("nl", "Maandag, woensdag en vrijdag.", "Kan de vrijdag weg?", "Dan maandag en woensdag."),
    ],
)
def test_the_days_that_are_left_take_the_place_of_all(
    call: Call, language: str, series: str, asked: str, answer: str
) -> None:
    assert closes(call, series, asked, answer, language)


@pytest.mark.parametrize(
    ("language", "series", "asked", "answer"),
    [
        ("en", "I'll ring at four from now on.", "Four doesn't work any more, seven?", "Seven, of course."),
        (
            "nl",
            "dan bel ik voortaan om vier uur",
            "vier uur kan niet meer kan het om zeven uur",
            "om zeven uur",
        ),
        (
            "de",
            "Ich rufe ab jetzt um vier Uhr an.",
            "Vier Uhr geht nicht, um sieben Uhr?",
            "Um sieben Uhr, ja.",
        ),
    ],
)
def test_another_hour_takes_the_place_of_the_old(
    call: Call, language: str, series: str, asked: str, answer: str
) -> None:
    assert closes(call, series, asked, answer, language)


@pytest.mark.parametrize(
    ("series", "asked", "answer"),
    [
        ("monday wednesday friday", "I can't do this Friday.", "Okay, see you on Monday."),
        ("monday wednesday friday", "i was at my mum's on friday", "and how did monday and wednesday go"),
        ("I'll ring at four o'clock from now on.", "I can't do four o'clock today.", "Okay."),
    ],
)
def test_what_is_so_once_leaves_a_series(call: Call, series: str, asked: str, answer: str) -> None:
    assert not closes(call, series, asked, answer, "en")
