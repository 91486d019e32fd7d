"""What was spoken of beside a promise, or shares a name with it, settles it no more than anything else."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import EarlierThread

Closed = Callable[..., tuple[int, ...]]


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        (
            "de",
            (
                '"Die Heizung ist erst drei Jahre alt, hat die noch Garantie?" – "Ich suche den '
                'Garantieschein heraus und schicke ihn Ihnen."'
            ),
            "u: Die Heizung ist repariert, schön warm ist es.",
        ),
        (
            "es",
            (
                '"La caldera solo tiene tres años, ¿está en garantía?" – "Busco el certificado de '
                'garantía y se lo mando."'
            ),
            "u: La caldera ya está arreglada, qué calorcito.",
        ),
        (
            "fr",
            (
                '"La chaudière n\'a que trois ans, elle est sous garantie ?" – "Je cherche le '
                "certificat de garantie et je vous l'envoie.\""
            ),
            "u: La chaudière est réparée, il fait bien chaud.",
        ),
        (
            "it",
            (
                '"La caldaia ha solo tre anni, è in garanzia?" – "Cerco il certificato di '
                'garanzia e glielo mando."'
            ),
            "u: La caldaia è riparata, che bel caldo.",
        ),
        (
            "pt",
            (
                '"A caldeira só tem três anos, está na garantia?" – "Procuro o certificado de '
                'garantia e mando-lho."'
            ),
            "u: A caldeira já está arranjada, que quentinho.",
        ),
        (
            "nl",
            (
                '"De ketel is pas drie jaar oud, valt die nog onder garantie?" – "Ik zoek het '
                'garantiebewijs op en stuur u dat per mail."'
            ),
            "u: De ketel is gemaakt hoor, lekker warm hier.",
        ),
    ],
)
def test_what_only_led_to_what_is_sent_does_not_settle_it(
    closed: Closed, language: str, text: str, said: str
) -> None:
    promised = EarlierThread(1, "promise", "agent", text)

    assert closed(f"a: –\n{said}", promised, language=language) == ()


def test_what_was_said_before_a_promise_that_names_its_thing_does_not_settle_it(closed: Closed) -> None:
    text = '"E poi dovrei richiamare Ivana, che mi ha lasciato un messaggio. La richiamo, sì."'
    around = "Mi si è rotto il vetro degli occhiali, devo andare dall'ottico. E poi dovrei richiamare Ivana."
    ivana = EarlierThread(1, "promise", "user", text, around=around)

    assert closed("a: –\nu: L'ottico mi ha fatto la lente nuova in due giorni.", ivana, language="it") == ()
    assert closed("a: –\nu: Ho richiamato Ivana, sta meglio.", ivana, language="it") == (1,)


def test_an_answer_about_something_else_leaves_the_question(closed: Closed) -> None:
    text = (
        '"My son-in-law wants to run his own bar. Is that allowed?" – "I\'ll ask them and come back to you."'
    )
    bar = EarlierThread(1, "promise", "agent", text, around="I'll drop a cheque in. " + text)

    assert closed("a: Hello.\nu: And the cheque, did you get that?\na: I did, it's all in.", bar) == ()
    assert closed("a: Hello.\nu: Is the bar allowed?\na: Yes, it is.", bar) == (1,)


def test_an_appointment_that_is_off_leaves_what_shares_but_a_name_with_it(closed: Closed) -> None:
    xrays = EarlierThread(1, "promise", "agent", "\"I'll have Poppy's X-rays sent across.\"")
    checkup = EarlierThread(
        2, "plan", "user", '"Tuesday the first at ten for the check-up?" – "Lovely."', date(2026, 12, 1)
    )

    said = "u: Poppy's got chickenpox, so her check-up on Tuesday the first is off."
    assert closed(f"a: Hello.\n{said}", xrays, checkup) == (2,)


def test_an_appointment_for_something_else_takes_the_place_of_none(closed: Closed) -> None:
    checkup = EarlierThread(
        1,
        "plan",
        "user",
        '"Poppy needs her check-up." – "Tuesday at ten past four?" – "Nice."',
        date(2026, 12, 1),
    )
    crown = (
        "u: And when is the proper crown?\n"
        "a: The permanent crown is down for Thursday the tenth of December at eleven.\n"
        "u: The tenth, eleven."
    )

    assert closed(f"a: Hello.\n{crown}", checkup) == ()


def test_what_is_to_be_paid_on_a_day_takes_the_place_of_no_appointment(closed: Closed) -> None:
    sitting = EarlierThread(
        1,
        "plan",
        "agent",
        '"El sábado cinco tenemos boda." – "Sábado cinco, de seis a una."',
        date(2026, 12, 5),
    )
    paid = "u: Yo le deposito el anticipo el miércoles, ¿va?\na: Va, gracias."

    assert closed(f"a: Queda Carmen.\n{paid}", sitting, language="es") == ()
