"""What is moved is due when it is moved to."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "They've moved my check-up from Thursday to Friday."),
        ("en", "The dentist can't do Thursday, it's Friday now."),
        ("de", "Die haben die Untersuchung von Donnerstag auf Freitag verschoben."),
        ("es", "Me han cambiado la revisión del jueves al viernes."),
        ("fr", "Ils ont déplacé mon contrôle de jeudi à vendredi."),
        ("it", "Hanno spostato la visita da giovedì a venerdì."),
        ("pt", "Mudaram a consulta de quinta para sexta."),
        ("nl", "Ze hebben mijn controle van donderdag naar vrijdag verzet."),
    ],
)
def test_what_is_moved_is_due_on_the_day_it_is_moved_to(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"a: Hello.\nu: {said}", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{said}"', date(2026, 11, 20))


def test_a_date_without_a_year_that_commits_somebody_is_the_coming_one(opened: Opened) -> None:
    (thread,) = opened("a: Bonjour.\nu: C'est déplacé, c'est maintenant le 26 novembre.", "fr")

    assert thread.due == date(2026, 11, 26)


def test_who_cannot_move_an_appointment_makes_none(opened: Opened) -> None:
    assert opened("a: Hello.\nu: They can't move the check-up to Friday.") == ()


def test_what_is_moved_takes_the_place_of_no_other_appointment(opened: Opened) -> None:
    text = """
        u: I'm flying to Lisbon tomorrow to see my sister.
        a: Lovely!
        u: And they've moved the dentist to Friday.
    """

    assert [thread.due for thread in opened(text)] == [date(2026, 11, 18), date(2026, 11, 20)]


def test_a_day_that_is_full_is_given_up_for_the_one_it_is_now_on(opened: Opened) -> None:
    moved = "The twelfth of December is full, so it's now on the sixteenth of January."
    said = f"a: And your driving test?\nu: {moved}"

    assert [one.due for one in opened(said)] == [date(2027, 1, 16)]


def test_what_was_put_off_and_is_dated_two_sentences_later_is_a_plan(opened: Opened) -> None:
    said = """
        a: Wasn't the operation to be today?
        u: It was postponed. The surgeon has the flu. It's now on the third of December.
    """
    (thread,) = opened(said)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 3))
    assert "operation" in thread.text


def test_what_cannot_be_is_no_appointment_though_something_else_was_changed(opened: Opened) -> None:
    assert opened("u: I can't do this Thursday, they've changed my shift.\na: No problem.") == ()


def test_the_month_that_the_other_names_is_the_one_meant(opened: Opened) -> None:
    text = """
        u: The wedding's been put back. The 19th now.
        a: The 19th of December?
        u: The 19th, yes.
    """

    assert [thread.due for thread in opened(text)] == [date(2026, 12, 19)]


def test_an_hour_that_has_changed_is_told_with_the_question_about_it(opened: Opened) -> None:
    (thread,) = opened(
        "a: ¿Y el fontanero viene?\nu: Sí, pero ya no es a las diez, es a las doce, me avisaron.", "es"
    )

    assert "fontanero" in thread.text


@pytest.mark.parametrize(
    ("language", "wish", "offer", "yes"),
    [
        ("de", "montag kann ich jetzt nicht haben sie was am mittwoch",
         "mittwoch der fünfundzwanzigste ja gleiche zeit", "ja halb neun super"),
        ("en", "i can't do monday now have you got anything on wednesday",
         "wednesday the twenty fifth yes same time", "yeah half eight great"),
        ("es", "el lunes ya no puedo tiene algo el miércoles",
         "el miércoles veinticinco sí a la misma hora", "sí a las ocho y media genial"),
        ("fr", "lundi je peux plus vous avez quelque chose mercredi",
         "mercredi vingt-cinq oui même heure", "oui huit heures et demie super"),
        ("it", "lunedì non posso più ha qualcosa mercoledì",
         "mercoledì venticinque sì stessa ora", "sì otto e mezza ottimo"),
        ("nl", "maandag kan ik niet meer heeft u iets op woensdag",
         "woensdag de vijfentwintigste ja zelfde tijd", "ja half negen mooi"),
        ("pt", "segunda já não posso tem alguma coisa quarta",
         "quarta dia vinte e cinco sim à mesma hora", "sim oito e meia ótimo"),
    ],
)  # fmt: skip
def test_the_same_time_on_another_day_is_offered(
    opened: Opened, language: str, wish: str, offer: str, yes: str
) -> None:
    (one,) = opened(f"u: {wish}\na: {offer}\nu: {yes}", language)
    assert one.due == date(2026, 11, 25)


BY_NUMBER = [
    ("en", "I have an appointment on 5 December.", "Yes, at ten.",
     "On the fifth I'm working, could it be the seventh?", "The seventh at ten, that's fine."),
    ("de", "Ich habe einen Termin am fünften Dezember.", "Ja, um zehn.",
     "Am fünften muss ich arbeiten, ginge es am siebten?", "Am siebten um zehn, gut."),
    ("es", "Tengo cita el cinco de diciembre.", "Sí, a las diez.",
     "El cinco trabajo, ¿podría ser el siete?", "El siete a las diez, está bien."),
    ("fr", "J'ai rendez-vous le cinq décembre.", "Oui, à dix heures.",
     "Le cinq je travaille, est-ce que ce serait possible le sept ?", "Le sept à dix heures, c'est noté."),
    ("it", "Ho un appuntamento il cinque dicembre.", "Sì, alle dieci.",
     "Il cinque lavoro, sarebbe possibile il sette?", "Il sette alle dieci, va bene."),
    ("nl", "Ik heb een afspraak op vijf december.", "Ja, om tien uur.",
     "De vijfde moet ik werken, zou het de zevende kunnen?", "De zevende om tien uur, dat kan."),
    ("pt", "Tenho consulta no dia cinco de dezembro.", "Sim, às dez.",
     "No dia cinco trabalho, podia ser no dia sete?", "No dia sete às dez, está bem."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "booked", "known", "asked", "granted"), BY_NUMBER)
def test_a_date_without_its_month_that_will_not_do_gives_way_to_the_one_asked_for(
    opened: Opened, language: str, booked: str, known: str, asked: str, granted: str
) -> None:
    said = f"a: Hello.\nu: {booked}\na: {known}\nu: {asked}\na: {granted}\nu: OK."

    assert [one.due for one in opened(said, language)] == [date(2026, 12, 7)]


@pytest.mark.parametrize(("language", "booked", "known", "asked"), [row[:4] for row in BY_NUMBER])
def test_a_date_asked_for_and_not_granted_moves_nothing(
    opened: Opened, language: str, booked: str, known: str, asked: str
) -> None:
    left = opened(f"a: Hello.\nu: {booked}\na: {known}\nu: {asked}", language)

    assert [one.due for one in left if one.text == f'"{booked}"'] == [date(2026, 12, 5)]


def test_another_date_for_somebody_else_leaves_the_first(opened: Opened) -> None:
    said = """
        u: I have an appointment on 5 December.
        a: Yes, at ten.
        u: My daughter needs one too. On the fifth she's at school, could it be the seventh?
        a: The seventh at ten, that's fine.
    """

    assert date(2026, 12, 5) in [one.due for one in opened(said)]
