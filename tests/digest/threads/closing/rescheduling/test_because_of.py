"""What keeps somebody from an appointment is not called off with it."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")
FRIDAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "dentist", "cut", "said"),
    [
        (
            "en",
            "I've got the dentist on Friday at nine.",
            "A cut on Friday at ten.",
            "I can't make the cut on Friday because of the dentist.",
        ),
        (
            "en",
            "I've got the dentist on Friday at nine.",
            "A cut on Friday at ten.",
            "I can't make Friday, I've got the dentist then.",
        ),
        (
            "de",
            "Am Freitag um neun hab ich den Zahnarzt.",
            "Freitag um zehn zum Schneiden.",
            "Wegen dem Zahnarzt kann ich am Freitag nicht zum Schneiden kommen.",
        ),
        (
            "es",
            "Tengo el dentista el viernes a las nueve.",
            "El viernes a las diez para cortar.",
            "No puedo ir a cortarme el pelo el viernes a causa del dentista.",
        ),
        (
            "fr",
            "J'ai le dentiste vendredi à neuf heures.",
            "Vendredi à dix heures pour la coupe.",
            "Je ne peux pas venir vendredi pour la coupe à cause du dentiste.",
        ),
        (
            "it",
            "Ho il dentista venerdì alle nove.",
            "Venerdì alle dieci per il taglio.",
            "Non posso venire per il taglio venerdì per via del dentista.",
        ),
        (
            "nl",
            "Ik heb vrijdag om negen de tandarts.",
            "Vrijdag om tien knippen.",
            "Ik kan vrijdag niet komen knippen vanwege de tandarts.",
        ),
        (
            "pt",
            "Tenho dentista sexta às nove.",
            "Sexta às dez para cortar.",
            "Não posso ir cortar na sexta por causa do dentista.",
        ),
    ],
)
def test_the_reason_stays(call: Call, language: str, dentist: str, cut: str, said: str) -> None:
    known = [
        EarlierThread(1, "plan", "user", f'"{dentist}"', FRIDAY),
        EarlierThread(2, "plan", "agent", f'"{cut}"', FRIDAY),
    ]
    text = f"a: Bella.\nu: {said}\na: OK."
    assert thread_changes(call(text), language, BERLIN, open_before=known).closes == (2,)


def test_an_answer_that_it_is_cancelled_means_no_more(call: Call) -> None:
    known = [
        EarlierThread(1, "plan", "user", '"I\'ve got the dentist on Friday at nine."', FRIDAY),
        EarlierThread(2, "plan", "agent", '"A cut on Friday at ten."', FRIDAY),
    ]
    text = "a: Bella.\nu: I can't make Friday, I've got the dentist then.\na: Okay, I've cancelled it."
    assert thread_changes(call(text), "en", BERLIN, open_before=known).closes == (2,)


@pytest.mark.parametrize(
    ("language", "dentist", "wish", "booked"),
    [
        (
            "en",
            "I've got the dentist on Friday at nine.",
            "Can I have a cut on Friday at ten?",
            "Friday at ten.",
        ),
        (
            "de",
            "Am Freitag um neun hab ich den Zahnarzt.",
            "Geht Schneiden am Freitag um zehn?",
            "Freitag um zehn.",
        ),
        (
            "fr",
            "J'ai le dentiste vendredi à neuf heures.",
            "Une coupe vendredi à dix heures ?",
            "C'est noté.",
        ),
    ],
)
def test_two_of_one_day_are_two(call: Call, language: str, dentist: str, wish: str, booked: str) -> None:
    text = f"a: Bella.\nu: {dentist}\na: OK.\nu: {wish}\na: {booked}"
    found = thread_changes(call(text), language, BERLIN).opened
    assert [one.due for one in found] == [FRIDAY, FRIDAY]
