"""A day that is wished for, whose hour is found afterwards: asked for, countered, or chosen of two."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]

FRIDAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "wish", "asked", "hour", "offer", "yes"),
    [
        ("en", "A table for four on Friday, please.", "What time?", "About half seven.",
         "I can do quarter to eight.", "Go on, then."),
        ("en", "have you a table for four on friday", "What time?", "half seven",
         "Half seven's gone, quarter to eight?", "thats fine"),
        ("en", "I'd like a haircut on Friday.", "What time?", "As early as possible.",
         "Half past eight?", "Perfect."),
        ("de", "Haben Sie am Freitag einen Tisch für vier?", "Um wie viel Uhr?", "So gegen halb acht.",
         "Um Viertel vor acht ginge es.", "Gut."),
        ("de", "Ich hätte gern am Freitag einen Haarschnitt.", "Um wie viel Uhr?", "So früh wie möglich.",
         "Halb neun?", "Perfekt."),
        ("es", "¿Tienen mesa para cuatro el viernes?", "¿A qué hora?", "Sobre las nueve.",
         "A las nueve y cuarto le puedo dar.", "Vale."),
        ("fr", "Vous auriez une table pour quatre vendredi ?", "À quelle heure ?",
         "Vers dix-neuf heures trente.", "Je peux à dix-neuf heures quarante-cinq.", "D'accord."),
        ("it", "Avete un tavolo per quattro venerdì?", "A che ora?", "Verso le otto.",
         "Alle otto e un quarto posso.", "Va bene."),
        ("nl", "Heeft u vrijdag een tafel voor vier?", "Hoe laat?", "Rond half acht.",
         "Kwart voor acht kan.", "Prima."),
        ("pt", "Têm mesa para quatro na sexta?", "A que horas?", "Por volta das oito.",
         "Às oito e um quarto consigo.", "Pode ser."),
    ],
)  # fmt: skip
def test_another_hour_than_the_one_wished_for_is_of_the_day_wished_for(
    opened: Opened, language: str, wish: str, asked: str, hour: str, offer: str, yes: str
) -> None:
    (made,) = opened(f"a: Hallo.\nu: {wish}\na: {asked}\nu: {hour}\na: {offer}\nu: {yes}", language)

    assert (made.kind, made.due) == ("plan", FRIDAY)
    assert made.text == f'"{wish}" – "{offer}" – "{yes}"'


@pytest.mark.parametrize(
    ("language", "wish", "asked", "part", "offer", "yes"),
    [
        ("en", "I'd like to come in on Friday.", "Morning or afternoon?", "Afternoon.",
         "I've got ten past three.", "Perfect."),
        ("de", "Ich würde gern am Freitag kommen.", "Vormittags oder nachmittags?", "Nachmittags.",
         "Zehn nach drei hätte ich.", "Perfekt."),
        ("es", "Quería ir el viernes.", "¿Mañana o tarde?", "Por la tarde.",
         "Tengo a las tres y diez.", "Perfecto."),
        ("fr", "Je voudrais venir vendredi.", "Matin ou après-midi ?", "L'après-midi.",
         "J'ai quinze heures dix.", "Parfait."),
        ("it", "Vorrei venire venerdì.", "Mattina o pomeriggio?", "Pomeriggio.",
         "Ho le tre e dieci.", "Perfetto."),
        ("nl", "Ik wil graag vrijdag komen.", "Ochtend of middag?", "Middag.",
         "Ik heb tien over drie.", "Perfect."),
        ("pt", "Queria ir na sexta.", "De manhã ou à tarde?", "À tarde.",
         "Tenho às três e dez.", "Perfeito."),
    ],
)  # fmt: skip
def test_an_hour_in_the_part_of_the_day_wished_for_is_of_that_day(
    opened: Opened, language: str, wish: str, asked: str, part: str, offer: str, yes: str
) -> None:
    (made,) = opened(f"a: Hallo.\nu: {wish}\na: {asked}\nu: {part}\na: {offer}\nu: {yes}", language)

    assert (made.kind, made.due) == ("plan", FRIDAY)
    assert offer in made.text


@pytest.mark.parametrize(
    ("language", "wish", "offer", "choice"),
    [
        ("en", "I'd like to come in on Friday.", "We've got ten or half past three.", "The later one."),
        ("en", "Could I come on Friday?", "Ten, or half past three?", "I'll take the first one."),
        ("de", "Könnte ich am Freitag kommen?", "Acht oder elf Uhr hätte ich.", "Den späteren, bitte."),
        ("es", "¿Puedo ir el viernes?", "Tengo a las ocho o a las once.", "La más tarde, mejor."),
        ("fr", "Je peux venir vendredi ?", "J'ai huit heures ou onze heures.", "Plutôt le plus tard."),
        ("it", "Posso venire venerdì?", "Ho le otto o le undici.", "Meglio quella più tardi."),
        ("nl", "Kan ik vrijdag komen?", "Ik heb acht uur of elf uur.", "Doe maar de laatste."),
        ("pt", "Posso ir na sexta?", "Tenho às oito ou às onze.", "A mais tarde, por favor."),
    ],
)  # fmt: skip
def test_the_hour_chosen_by_its_order_is_of_the_day_wished_for(
    opened: Opened, language: str, wish: str, offer: str, choice: str
) -> None:
    (made,) = opened(f"a: Hallo.\nu: {wish}\na: {offer}\nu: {choice}\na: –", language)

    assert (made.kind, made.due) == ("plan", FRIDAY)
    assert made.text == f'"{wish}" – "{offer}" – "{choice}"'


def test_an_hour_chosen_after_the_wish_was_gone_into_is_of_its_day(opened: Opened) -> None:
    (made,) = opened(
        "u: a table for four on friday please\na: What time?\nu: half seven\n"
        "a: I've got six or quarter to eight.\nu: quarter to eight then\na: Right."
    )

    assert made.due == FRIDAY
    assert "quarter to eight" in made.text


@pytest.mark.parametrize("answer", ["That's too late.", "No, sorry.", "Hm, that's a bit late for us."])
def test_an_hour_that_is_not_taken_is_no_plan(opened: Opened, answer: str) -> None:
    talk = (
        "u: A table for four on Friday, please.\na: What time?\nu: Half seven.\na: I can do quarter to eight."
    )

    assert opened(f"{talk}\nu: {answer}\na: Okay.") == ()
