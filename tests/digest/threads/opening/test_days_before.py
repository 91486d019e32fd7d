"""What is to be done the day before is due before the appointment that was made, whatever else was named."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
OFFER = "Shall I remind you the day before?"
SECOND = "a: Wednesday the 2nd of December at nine?"


def _due_of_the_reminder(found: tuple[OpenThread, ...]) -> list[date | None]:
    return [one.due for one in found if one.kind == "request"]


@pytest.mark.parametrize(
    ("language", "talk", "due"),
    [
        (
            "en",
            f"{SECOND}\nu: Yes. I'm away until the 30th of November.\na: {OFFER}\nu: Yes, please.",
            date(2026, 12, 1),
        ),
        (
            "en",
            f"{SECOND}\nu: Yes. My holiday starts on the 20th.\na: {OFFER}\nu: Yes, please.",
            date(2026, 12, 1),
        ),
        (
            "en",
            f"{SECOND}\nu: Yes.\na: We'll ring you with the results on Friday. {OFFER}\nu: Yes, please.",
            date(2026, 12, 1),
        ),
        (
            "en",
            (
                "a: Your appointment is on Thursday the 10th of December. We're closed on the 8th.\n"
                f"u: Fine.\na: {OFFER}\nu: Yes, please."
            ),
            date(2026, 12, 9),
        ),
        (
            "de",
            (
                "a: Am Donnerstag, dem 10. Dezember, um neun?\nu: Ja.\n"
                "a: Am achten haben wir geschlossen. Soll ich Sie am Tag vorher erinnern?\nu: Ja, bitte."
            ),
            date(2026, 12, 9),
        ),
    ],
)
def test_a_day_beside_the_appointment_is_not_that_of_its_reminder(
    opened: Opened, language: str, talk: str, due: date
) -> None:
    assert _due_of_the_reminder(opened(talk, language)) == [due]


def test_a_reminder_is_of_the_day_to_which_its_appointment_was_moved(opened: Opened) -> None:
    found = opened(
        f"{SECOND}\nu: Yes.\na: {OFFER}\nu: Yes, please.\na: Done.\n"
        "u: Oh wait, I can't on the 2nd. Could it be the 9th?\na: Wednesday the 9th at nine.\nu: Perfect."
    )

    assert {(one.kind, one.due) for one in found} == {
        ("plan", date(2026, 12, 9)),
        ("request", date(2026, 12, 8)),
    }


def test_an_appointment_on_its_day_leaves_the_reminder(opened: Opened) -> None:
    found = opened(
        f"{SECOND}\nu: Yes.\na: {OFFER}\nu: Yes, please.\n"
        "a: And the colour on Tuesday the 1st of December at four?\nu: Yes."
    )

    assert [one.kind for one in found] == ["plan", "request", "plan"]


def test_a_reminder_on_a_day_that_is_named_is_on_that(opened: Opened) -> None:
    found = opened(f"{SECOND}\nu: Yes.\na: {OFFER}\nu: Yes, on Monday the 30th of November, please.")

    assert _due_of_the_reminder(found) == [date(2026, 11, 30)]


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "Can I come on Tuesday at ten?", "Booked, Tuesday at ten. I'll remind you the day before."),
        ("en", "Can I come Tuesday at ten?", "Booked. I'll text you the day before."),
        (
            "de",
            "Kann ich am Dienstag um zehn kommen?",
            "Eingetragen. Ich schicke Ihnen am Tag davor eine SMS.",
        ),
        ("es", "¿Puedo ir el martes a las diez?", "Sí, el martes a las diez. Le aviso el día antes."),
        ("fr", "Je peux venir mardi à dix heures ?", "C'est noté. Je vous le rappelle la veille."),
    ],
)
def test_a_reminder_promised_beside_the_yes_leaves_the_appointment(
    opened: Opened, language: str, asked: str, answer: str
) -> None:
    found = opened(f"a: .\nu: {asked}\na: {answer}\nu: .", language)

    assert [(one.kind, one.due) for one in found] == [
        ("plan", date(2026, 11, 24)),
        ("promise", date(2026, 11, 23)),
    ]
