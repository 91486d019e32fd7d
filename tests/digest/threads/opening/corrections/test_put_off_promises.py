"""A promise is told of the day on which it will be kept, not of the one first said."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
THURSDAY, FRIDAY = date(2026, 11, 19), date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "promised", "then"),
    [
        (
            "en",
            "I'll bring the keys back on Thursday.",
            "Actually no, Thursday's bad, I'll bring them on Friday.",
        ),
        (
            "en",
            "I'll bring the keys back on Thursday.",
            "Wait, I can't on Thursday. I'll bring them on Friday.",
        ),
        ("en", "I'll bring the keys on Thursday.", "Sorry, I'll bring the keys on Friday instead."),
        (
            "de",
            "Ich bringe die Schlüssel am Donnerstag.",
            "Ach nein, da geht es nicht, ich bringe sie Freitag.",
        ),
        ("es", "Devuelvo las llaves el jueves.", "Ay no, el jueves no puedo, las llevo el viernes."),
        ("fr", "Je rapporte les clés jeudi.", "Ah non, jeudi je ne peux pas, je les apporte vendredi."),
        ("it", "Riporto le chiavi giovedì.", "Anzi no, giovedì non posso, le porto venerdì."),
        ("pt", "Devolvo as chaves na quinta.", "Ai não, na quinta não posso, levo-as na sexta."),
        ("nl", "Ik breng de sleutels donderdag.", "O nee, donderdag kan ik niet, ik breng ze vrijdag."),
    ],
)
def test_who_takes_another_day_for_it_keeps_it_on_that_alone(
    opened: Opened, language: str, promised: str, then: str
) -> None:
    threads = opened(f"u: {promised}\na: Okay.\nu: {then}", language)

    assert [one.due for one in threads] == [FRIDAY]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "u: I'll ring you on Thursday.\na: I'm off on Thursday.\nu: Then I'll ring on Friday.\na: Fine.",
        ),
        ("en", "u: I'll ring you on Thursday.\na: I'm off on Thursday.\nu: Friday then.\na: Friday's fine."),
        (
            "de",
            "u: Ich rufe Donnerstag an.\na: Donnerstag bin ich weg.\nu: Dann am Freitag.\na: Freitag passt.",
        ),
        ("es", "u: Le llamo el jueves.\na: El jueves no estoy.\nu: Entonces el viernes.\na: El viernes, sí."),
        (
            "fr",
            "u: Je rappelle jeudi.\na: Jeudi je ne suis pas là.\nu: Alors vendredi.\na: Vendredi, très bien.",
        ),
        ("it", "u: La richiamo giovedì.\na: Giovedì non ci sono.\nu: Allora venerdì.\na: Venerdì va bene."),
        ("nl", "u: Ik bel u donderdag.\na: Donderdag ben ik er niet.\nu: Dan vrijdag.\na: Vrijdag is goed."),
    ],
)
def test_a_day_on_which_the_other_is_away_gives_way(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(said, language)] == [FRIDAY]


@pytest.mark.parametrize(
    "then",
    [
        "And I'll bring the papers on Friday.",
        "No, that's fine, I'll bring the papers on Friday.",
        "I can't do it all at once, I'll bring the second half on Friday.",
    ],
)
def test_another_promise_takes_no_place(opened: Opened, then: str) -> None:
    threads = opened(f"u: I'll bring the keys on Thursday.\na: Okay.\nu: {then}")

    assert [one.due for one in threads] == [THURSDAY, FRIDAY]


@pytest.mark.parametrize(
    ("language", "promised", "asked"),
    [
        ("en", "I'll ring you this afternoon.", "I'm out then. Ring me tomorrow morning."),
        ("de", "Ich rufe Sie heute Nachmittag an.", "Da bin ich weg. Rufen Sie mich morgen früh an."),
        ("es", "Le llamo esta tarde.", "Esta tarde no estoy. Llámeme mañana por la mañana."),
        ("fr", "Je vous appelle cet après-midi.", "Je serai sortie. Appelez-moi demain matin."),
        ("it", "La chiamo oggi pomeriggio.", "Oggi non ci sono. Mi chiami domani mattina."),
        ("nl", "Ik bel u vanmiddag.", "Dan ben ik weg. Bel me morgenochtend."),
        ("pt", "Ligo-lhe esta tarde.", "Esta tarde não estou. Ligue-me amanhã de manhã."),
    ],
)
def test_who_is_to_be_rung_on_another_day_is_not_rung_on_the_first(
    opened: Opened, language: str, promised: str, asked: str
) -> None:
    threads = opened(f"u: Es geht um das Auto.\na: {promised}\nu: {asked}\na: Ok.", language)

    assert [one.due for one in threads] == [date(2026, 11, 18)]


def test_a_reminder_asked_for_behind_a_call_promised_stands_beside_it(opened: Opened) -> None:
    threads = opened("u: The car.\na: I'll ring you this afternoon.\nu: Remind me tomorrow to pay.\na: Sure.")

    assert [one.due for one in threads] == [date(2026, 11, 17), date(2026, 11, 18)]
