"""An hour that is chosen of several, for a day that was wished for."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "wish", "offer", "choice"),
    [
        ("en", "can i come saturday", "I've ten or half past eleven.", "ten please"),
        ("en", "Is there anything free on Saturday?", "Ten or half past eleven.", "Ten, please."),
        ("de", "kann ich am samstag kommen", "Ich habe zehn oder halb zwölf.", "zehn bitte"),
        ("de", "Haben Sie am Samstag was frei?", "Um zehn oder um halb zwölf.", "Dann um zehn."),
        ("es", "¿puedo ir el sábado?", "Tengo a las diez o a las once y media.", "a las diez por favor"),
        ("fr", "je peux venir samedi", "J'ai dix heures ou onze heures.", "dix heures s'il vous plaît"),
        ("it", "posso venire sabato", "Ho le dieci o le undici e mezza.", "alle dieci grazie"),
        ("pt", "posso ir no sábado", "Tenho às dez ou às onze e meia.", "às dez por favor"),
        ("nl", "kan ik zaterdag komen", "Ik heb tien uur of half twaalf.", "tien uur graag"),
    ],
)
def test_the_hour_that_is_chosen_is_told_with_the_day_that_was_wished_for(
    opened: Opened, language: str, wish: str, offer: str, choice: str
) -> None:
    [thread] = opened(f"u: {wish}\na: {offer}\nu: {choice}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 21))
    assert wish in thread.text
    assert choice in thread.text


@pytest.mark.parametrize(
    ("language", "wish", "offer", "choice"),
    [
        ("en", "can i come saturday", "I've ten or half past eleven.", "ten is too early"),
        ("en", "can i come saturday", "I've ten or half past eleven.", "is ten too early"),
        ("de", "kann ich am samstag kommen", "Ich habe zehn oder halb zwölf.", "zehn ist mir zu früh"),
        ("en", "can i come saturday", "I've ten or half past eleven.", "After ten."),
        ("fr", "je peux venir samedi", "J'ai dix heures ou onze heures.", "Après dix heures."),
        ("en", "can i come saturday", "We're full, but the week after I have ten or eleven.", "Ten please."),
    ],
)
def test_an_hour_that_is_not_taken_is_none(
    opened: Opened, language: str, wish: str, offer: str, choice: str
) -> None:
    threads = opened(f"u: {wish}\na: {offer}\nu: {choice}", language)

    assert [one for one in threads if one.due == date(2026, 11, 21)] == []


NEXT_WEEK = [
    ("de", "Geht es nächste Woche?", "Ich habe Dienstag um zehn oder Donnerstag um vier.", "Donnerstag.",
     "Den zweiten."),
    ("en", "Could we do next week?", "I've got Tuesday at ten or Thursday at four.", "Thursday, please.",
     "The second one."),
    ("es", "¿Puede ser la semana que viene?", "Tengo el martes a las diez o el jueves a las cuatro.",
     "El jueves, por favor.", "El segundo."),
    ("fr", "La semaine prochaine, c'est possible ?", "J'ai mardi à dix heures ou jeudi à seize heures.",
     "Jeudi, s'il vous plaît.", "Le deuxième."),
    ("it", "Si può la settimana prossima?", "Ho martedì alle dieci o giovedì alle quattro.",
     "Giovedì, per favore.", "Il secondo."),
    ("nl", "Kan het volgende week?", "Ik heb dinsdag om tien of donderdag om vier uur.", "Donderdag graag.",
     "De tweede."),
    ("pt", "Pode ser na próxima semana?", "Tenho terça às dez ou quinta às quatro.", "Quinta, por favor.",
     "O segundo."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "wish", "offer", "day", "order"), NEXT_WEEK)
def test_of_two_days_of_next_week_the_one_taken_is_the_day(
    opened: Opened, language: str, wish: str, offer: str, day: str, order: str
) -> None:
    for choice in (day, order):
        (one,) = opened(f"u: {wish}\na: {offer}\nu: {choice}", language)
        assert one.due == date(2026, 11, 26)


@pytest.mark.parametrize(
    ("language", "offer", "first"),
    [
        ("de", "Ich habe Donnerstag um zehn oder Freitag um vier.", "Den ersten, bitte."),
        ("en", "I've got Thursday at ten or Friday at four.", "The first one, please."),
        ("nl", "Ik heb donderdag om tien of vrijdag om vier uur.", "De eerste graag."),
    ],
)
def test_the_first_is_no_day_of_the_month(opened: Opened, language: str, offer: str, first: str) -> None:
    (one,) = opened(f"a: {offer}\nu: {first}", language)
    assert one.due == date(2026, 11, 19)


def test_the_first_of_two_hours_is_of_their_day(opened: Opened) -> None:
    (one,) = opened("a: We've got a slot tomorrow, half two or four.\nu: The first one, please.")
    assert (one.due, one.text.endswith('"The first one, please."')) == (date(2026, 11, 18), True)


def test_two_hours_of_no_day_are_no_appointment(opened: Opened) -> None:
    assert opened("a: There's a bus at ten and one at four.\nu: The second one.") == ()


@pytest.mark.parametrize("said", ["One second, I'll look.", "The second one?", "First I have to ask."])
def test_who_chooses_nothing_has_no_appointment(opened: Opened, said: str) -> None:
    assert opened(f"a: I've got Thursday at ten or Friday at four.\nu: {said}") == ()


DAY_NAMED = {
    "en": "a: It's Thursday the 19th.\nu: What's left?\na: There's twenty to six or seven o'clock.\n"
    "u: Twenty to six, please.\na: Done, twenty to six.",
    "de": "a: Der Elternabend ist am Donnerstag, dem 19.\nu: Was ist noch frei?\n"
    "a: Zwanzig vor sechs oder sieben Uhr.\nu: Zwanzig vor sechs, bitte.\na: Gut.",
    "fr": "a: La réunion est jeudi 19.\nu: Qu'est-ce qu'il reste ?\na: Dix heures ou onze heures et demie.\n"
    "u: Dix heures, s'il vous plaît.\na: Parfait.",
    "es": "a: La reunión es el jueves 19.\nu: ¿Qué horas quedan?\na: Las diez o las once y media.\n"
    "u: Las diez, por favor.\na: Muy bien.",
    "it": "a: Il colloquio è giovedì 19.\nu: Che orari ci sono?\na: Le dieci o le undici e mezza.\n"
    "u: Le dieci, grazie.\na: Bene.",
    "nl": "a: De ouderavond is donderdag de negentiende.\nu: Wat is er nog vrij?\n"
    "a: Tien voor zes of zeven uur.\nu: Tien voor zes graag.\na: Staat genoteerd.",
    "pt": "a: A reunião é na quinta, dia 19.\nu: Que horas há?\na: Dez ou onze e meia.\n"
    "u: Às dez, por favor.\na: Está bem.",
}


@pytest.mark.parametrize("language", DAY_NAMED)
def test_the_hour_chosen_is_of_the_day_that_the_agent_named_before(opened: Opened, language: str) -> None:
    (plan,) = opened(DAY_NAMED[language], language)

    assert (plan.kind, plan.due) == ("plan", date(2026, 11, 19))


@pytest.mark.parametrize(
    "text",
    [
        "a: The market's on Thursday.\nu: Is the stall open?\na: From ten.\nu: Ten, okay.",
        "a: We're full on Thursday.\nu: Is there a bus?\na: At ten or eleven.\nu: Ten, please.",
        "a: We're here every Thursday.\nu: What times?\na: Ten or eleven.\nu: Ten, please.",
    ],
    ids=["one hour alone", "a day that is full", "every week"],
)
def test_an_hour_that_is_only_heard_or_of_no_one_day_is_no_appointment(opened: Opened, text: str) -> None:
    assert [one for one in opened(text) if one.due == date(2026, 11, 19)] == []


@pytest.mark.parametrize(
    ("language", "offer", "choice", "day"),
    [
        ("en", "I have Tuesday the twelfth of January at nine, or Thursday the fourteenth at ten.",
         "The first one, please.", date(2027, 1, 12)),
        ("en", "I have Tuesday the twelfth of January at nine, or Thursday the fourteenth at ten.",
         "The second one, please.", date(2027, 1, 14)),
        ("pt", "Tenho terça, doze de janeiro, às nove, ou quinta, catorze, às dez.",
         "O segundo, por favor.", date(2027, 1, 14)),
    ],
)  # fmt: skip
def test_one_of_two_dates_is_chosen_by_its_order(
    opened: Opened, language: str, offer: str, choice: str, day: date
) -> None:
    assert [one.due for one in opened(f"a: {offer}\nu: {choice}", language)] == [day]


def test_a_reason_behind_the_hour_leaves_it_chosen(opened: Opened) -> None:
    found = opened("""
        u: Can I book for my mum's birthday? Saturday the 28th, there'll be eight of us.
        a: What time were you thinking?
        u: Around seven?
        a: I could do half six or quarter past eight.
        u: Ooh. Half six then, there's kids.
        a: And the name?
    """)

    assert [(one.kind, one.due) for one in found] == [("plan", date(2026, 11, 28))]
    assert "Half six then" in found[0].text


def test_the_day_that_is_called_off_is_no_offer(opened: Opened) -> None:
    found = opened(
        """
        u: Ich müsste den nächsten Dienstag absagen, da bin ich auf Dienstreise.
        a: Den 24. November?
        u: Genau.
        a: Soll ich Ihnen einen Ersatztermin geben? Donnerstag, der 26., um acht?
        u: Ja gut, machen wir.
        """,
        "de",
    )

    assert [one.due for one in found] == [date(2026, 11, 26)]
