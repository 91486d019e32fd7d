"""A day that is offered, its hour that is asked for, and what is put down for a day told just before."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "day", "asked", "hour", "yes"),
    [
        ("en", "Tuesday the eighth of December?", "What time?", "Ten past nine.", "That works."),
        ("de", "Dienstag, der achte Dezember?", "Um wie viel Uhr?", "Zehn nach neun.", "Das geht."),
        ("es", "¿El martes ocho de diciembre?", "¿A qué hora?", "A las nueve y diez.", "Me va bien."),
        ("fr", "Mardi huit décembre ?", "À quelle heure ?", "À neuf heures dix.", "Ça me va."),
        ("it", "Martedì otto dicembre?", "A che ora?", "Alle nove e dieci.", "Va bene."),
        ("nl", "Dinsdag acht december?", "Hoe laat?", "Tien over negen.", "Dat kan, dan brengt Jan haar."),
        ("pt", "Terça, oito de dezembro?", "A que horas?", "Às nove e dez.", "Pode ser."),
    ],
)
def test_an_hour_that_is_asked_for_is_of_the_day_offered(
    opened: Opened, language: str, day: str, asked: str, hour: str, yes: str
) -> None:
    (made,) = opened(f"a: {day}\nu: {asked}\na: {hour}\nu: {yes}", language)

    assert made.due == date(2026, 12, 8)
    assert day in made.text
    assert hour in made.text


def test_who_says_day_and_hour_again_takes_them(opened: Opened) -> None:
    offer = "Sunday the thirteenth of December, one o'clock, at the lake?"
    (made,) = opened(f"u: Before Christmas?\na: {offer}\nu: Thirteenth, one, the lake.")

    assert made.due == date(2026, 12, 13)


@pytest.mark.parametrize(
    ("language", "told", "asked"),
    [
        ("en", "There's a reading on Saturday the nineteenth of December at ten.", "Shall I put him down?"),
        ("de", "Am Samstag, dem neunzehnten Dezember, ist Vorlesen.", "Soll ich ihn eintragen?"),
        ("es", "El sábado diecinueve de diciembre hay cuentacuentos.", "¿Lo apunto?"),
        ("fr", "Il y a une lecture le samedi dix-neuf décembre.", "Je l'inscris ?"),
        ("it", "C'è una lettura sabato diciannove dicembre.", "Lo iscrivo?"),
        ("nl", "Er is een voorleesochtend op zaterdag negentien december.", "Zal ik hem inschrijven?"),
        ("pt", "Há uma leitura no sábado, dezanove de dezembro.", "Inscrevo-o?"),
    ],
)
def test_who_is_put_down_is_so_for_what_was_told(
    opened: Opened, language: str, told: str, asked: str
) -> None:
    (made,) = opened(f"a: {told} {asked}\nu: OK.", language)

    assert (made.kind, made.due) == ("plan", date(2026, 12, 19))
    assert told in made.text


@pytest.mark.parametrize(
    ("language", "said", "taken"),
    [
        ("en", "Tell Gail I'm going to be ten minutes late.", "I'll tell her."),
        ("de", "Sagen Sie Frau Weber, ich komme zehn Minuten später.", "Ich sag es ihr."),
    ],
)
def test_word_that_one_is_late_is_over_with_the_call(
    opened: Opened, language: str, said: str, taken: str
) -> None:
    assert opened(f"u: {said}\na: {taken}", language) == ()


def test_a_price_is_no_hour(opened: Opened) -> None:
    (made,) = opened("u: My money?\na: I'll refund £9.50 to your card as soon as the boots arrive.")

    assert (made.kind, made.due) == ("promise", None)
