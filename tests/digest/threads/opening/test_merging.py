"""A matter said again, or asked by one and promised by the other, is told once; two stay two."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "plan", "offer", "answer"),
    [
        ("en", "I've got physio on Thursday at ten.", "Shall I remind you on Thursday?", "yes please"),
        ("de", "Am Donnerstag um zehn habe ich Physio.", "Soll ich Sie am Donnerstag erinnern?", "ja bitte"),
        ("fr", "j'ai le kiné jeudi à dix heures", "Je vous le rappelle jeudi matin ?", "oui je veux bien"),
    ],
)
def test_a_reminder_on_the_day_of_an_appointment_stands_beside_it(
    opened: Opened, language: str, plan: str, offer: str, answer: str
) -> None:
    threads = opened(f"u: {plan}\na: {offer}\nu: {answer}", language)

    assert [(one.kind, one.due) for one in threads] == [
        ("plan", date(2026, 11, 19)),
        ("request", date(2026, 11, 19)),
    ]


@pytest.mark.parametrize(
    ("language", "asked", "promised"),
    [
        ("en", "I need a laptop by Monday.", "I'll have one on her desk by Friday."),
        ("de", "Ich brauche das bis Montag.", "Ich schicke es Ihnen am Freitag."),
        ("es", "lo necesito para el lunes", "Se lo mando el viernes."),
        ("fr", "il me le faut pour lundi", "Je vous l'envoie vendredi."),
        ("it", "mi serve per lunedì", "Glielo mando venerdì."),
        ("pt", "preciso disso para segunda", "Envio-lho na sexta."),
        ("nl", "ik heb het maandag nodig", "Ik stuur het vrijdag."),
    ],
)
def test_what_is_needed_for_one_day_and_promised_for_another_is_due_on_the_other(
    opened: Opened, language: str, asked: str, promised: str
) -> None:
    [thread] = opened(f"u: {asked}\na: {promised}\nu: ok", language)

    assert (thread.said_by, thread.due) == ("agent", date(2026, 11, 20))


def test_an_hour_that_is_agreed_on_is_told_with_what_it_is_for(opened: Opened) -> None:
    (thread,) = opened(
        "u: Remind me on Friday to call the plumber.\na: Friday, call the plumber. What time?\n"
        "u: At eight.\na: Eight on Friday, noted."
    )

    assert thread.text == '"Remind me on Friday to call the plumber." – "Eight on Friday, noted."'


def test_a_promise_repeated_is_one(opened: Opened) -> None:
    (thread,) = opened(
        "a: I'll send you the menu.\nu: Okay.\na: I'll send you the menu tomorrow then.\nu: Bye."
    )

    assert (thread.positions, thread.due) == ((0, 2), date(2026, 11, 18))


def test_a_request_and_the_promise_to_meet_it_are_one(opened: Opened) -> None:
    (thread,) = opened(
        "u: Could you send me the form by Friday?\na: I'll send you the registration form by Friday."
    )

    assert thread.due == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "asked", "granted"),
    [
        ("en", "Can you text me on Friday to go for a run?", "Sure, I'll text you every Friday at twelve."),
        ("de", "Kannst du mich am Freitag erinnern?", "Klar, ich erinnere dich jeden Freitag um zwölf."),
        ("es", "¿Me recuerdas el viernes la pastilla?", "Claro, te la recuerdo todos los viernes."),
        ("fr", "Tu me rappelles vendredi ?", "D'accord, je te rappelle tous les vendredis à midi."),
        ("pt", "Me lembra na sexta?", "Claro, eu te lembro toda sexta ao meio-dia."),
    ],
)
def test_what_is_then_done_every_week_is_due_on_no_day(
    opened: Opened, language: str, asked: str, granted: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {granted}\nu: Okay.", language)

    assert granted in thread.text
    assert thread.due is None


def test_what_is_asked_and_promised_for_one_day_is_one_matter(opened: Opened) -> None:
    said = "u: Could you ring me on Friday afternoon about it?\na: I'll call you Friday after lunch."

    assert len(opened(said)) == 1


def test_two_exchanges_on_different_matters_are_two(opened: Opened) -> None:
    threads = opened(
        "u: Could I bring my own cake?\na: I'll ask the owner and ring you.\n"
        "u: Could the cake table stand by the door?\na: I'll ask the waiter and text you."
    )

    assert [thread.kind for thread in threads] == ["promise", "promise"]


@pytest.mark.parametrize(
    "text",
    [
        "a: I'll ring Ann on Friday.\nu: Haircut on Friday?\na: Yes.",
        "a: I'll send the form on Friday.\nu: Good.\na: And the fitting, is Friday okay?\nu: Yes, Friday.",
    ],
)
def test_an_appointment_stands_beside_a_promise_for_its_day(opened: Opened, text: str) -> None:
    assert [thread.kind for thread in opened(text)] == ["promise", "plan"]


def test_a_request_and_a_promise_that_names_nothing_are_one(opened: Opened) -> None:
    (thread,) = opened("u: met Karel, kunt u mij de offerte mailen\na: Ja, die mail ik u vanmiddag.", "nl")

    assert thread.text == '"met Karel, kunt u mij de offerte mailen" – "Ja, die mail ik u vanmiddag."'


@pytest.mark.parametrize(
    ("language", "planned", "booked"),
    [
        ("en", "I have to come back in a week.", "Then I'll put you down for Tuesday the 24th at nine."),
        ("de", "Ich muss in einer Woche wiederkommen.", "Dann trage ich Sie am Dienstag um neun ein."),
        ("es", "Tengo que volver en una semana.", "Entonces le apunto el martes veinticuatro a las nueve."),
        (
            "fr",
            "Je dois revenir dans une semaine.",
            "Alors je vous inscris mardi vingt-quatre à neuf heures.",
        ),
        ("it", "Devo tornare tra una settimana.", "Allora la segno martedì ventiquattro alle nove."),
        ("nl", "Ik moet over een week terugkomen.", "Dan zet ik u op dinsdag de 24e om negen uur."),
        ("pt", "Tenho de voltar daqui a uma semana.", "Então marco-lhe terça dia 24 às nove."),
    ],
)
def test_the_appointment_made_takes_the_place_of_the_need_for_it(
    opened: Opened, language: str, planned: str, booked: str
) -> None:
    threads = opened(f"u: {planned}\na: {booked}\nu: Ok.", language)

    assert [one.due for one in threads] == [date(2026, 11, 24)]
    assert booked in threads[0].text


def test_a_plan_of_another_day_stays_beside_the_appointment(opened: Opened) -> None:
    threads = opened("u: I fly home on Monday.\na: Then I'll put you down for Tuesday at nine.\nu: Ok.")

    assert [one.due for one in threads] == [date(2026, 11, 23), date(2026, 11, 24)]


@pytest.mark.parametrize(
    ("language", "asked", "promised"),
    [
        ("en", "Order me two, please.", "I'll order them today. I'll text you when they're in."),
        ("de", "Bestellen Sie mir zwei.", "Ich bestelle sie heute. Ich schreibe Ihnen, sobald sie da sind."),
        ("fr", "Commandez-m'en deux.", "Je les commande aujourd'hui. Je vous préviens dès qu'ils arrivent."),
        ("nl", "Bestel er maar twee.", "Ik bestel ze vandaag. Ik app u zodra ze binnen zijn."),
    ],
)
def test_what_is_done_today_is_told_with_what_it_waits_for(
    opened: Opened, language: str, asked: str, promised: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {promised}\nu: .", language)

    assert (thread.text, thread.due) == (f'"{asked}" – "{promised}"', None)


@pytest.mark.parametrize(
    ("language", "planned", "promised"),
    [
        ("en", "My exam's on Friday.", "I'll send you something for that."),
        ("de", "Am Freitag ist meine Prüfung.", "Ich schicke Ihnen etwas dafür."),
        ("es", "El viernes tengo el examen.", "Le mando algo para eso."),
        ("fr", "Vendredi j'ai mon examen.", "Je vous envoie quelque chose pour ça."),
        ("it", "Venerdì ho l'esame.", "Le mando qualcosa per quello."),
        ("nl", "Vrijdag heb ik mijn examen.", "Ik stuur u daar iets voor."),
        ("pt", "Na sexta tenho o exame.", "Mando-lhe qualquer coisa para isso."),
    ],
)
def test_what_is_promised_for_a_plan_is_told_with_it(
    opened: Opened, language: str, planned: str, promised: str
) -> None:
    (thread,) = opened(f"u: {planned}\na: {promised}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))
    assert thread.text == f'"{planned}" – "{promised}"'
