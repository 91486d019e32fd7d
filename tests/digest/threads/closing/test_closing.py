"""A later conversation closes what it says is done, off or moved; and nothing else."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import EarlierThread

Closed = Callable[..., tuple[int, ...]]

CANDLES = EarlierThread(1, "request", "user", '"Remind me to buy the candles."')
TABLE = EarlierThread(3, "plan", "agent", '"You\'re down for Friday at seven."', date(2026, 11, 20))


@pytest.mark.parametrize(
    "text",
    [
        "a: Hello.\nu: I bought the candles yesterday.",
        "a: Did you get the candles?\nu: yes i bought them",
        "a: Have you bought the candles yet?\nu: Yes, all fine.",
        "a: You wanted to buy the candles, just a reminder.\nu: Oh, thanks.",
        "a: Hello.\nu: I don't need the candles any more.",
    ],
)
def test_a_request_is_closed_when_it_is_done_or_off(closed: Closed, text: str) -> None:
    assert closed(text, CANDLES, TABLE) == (1,)


@pytest.mark.parametrize(
    "text",
    [
        "a: Have you bought the candles yet?\nu: No, not yet.",
        "a: Hello.\nu: I forgot to buy the candles.",
        "a: Hello.\nu: I bought some bread.",
        "a: The candles are lovely.\nu: I like candles.",
        "a: Hello.\nu: When I've bought the candles I'll tell you.",
    ],
)
def test_a_request_stays_open_when_it_is_not_done(closed: Closed, text: str) -> None:
    assert closed(text, CANDLES) == ()


@pytest.mark.parametrize(
    ("language", "thread", "text"),
    [
        ("de", "Erinnern Sie mich an die Kerzen.", "a: Haben Sie die Kerzen schon gekauft?\nu: Ja, gestern."),
        ("es", "Recuérdame que compre las velas.", "a: Hola.\nu: Ya compré las velas."),
        ("fr", "Rappelez-moi d'acheter les bougies.", "a: Bonjour.\nu: J'ai acheté les bougies hier."),
        ("it", "Mi ricordi di comprare le candele.", "a: Salve.\nu: Ho comprato le candele ieri."),
        ("pt", "Lembre-me de comprar as velas.", "a: Olá.\nu: Já comprei as velas."),
        ("nl", "Herinner me aan de kaarsen.", "a: Hallo.\nu: Ik heb de kaarsen gisteren gekocht."),
        ("de", "Der Tisch ist für Freitag reserviert.", "a: Hallo.\nu: Den Tisch brauchen wir nicht mehr."),
        (
            "es",
            "La mesa queda reservada para el viernes.",
            "a: Hola.\nu: Ya no necesito la mesa del viernes.",
        ),
        (
            "fr",
            "La table est réservée pour vendredi.",
            "a: Bonjour.\nu: Finalement on n'a plus besoin de la table.",
        ),
        ("it", "Il tavolo è prenotato per venerdì.", "a: Salve.\nu: Il tavolo non serve più."),
        ("pt", "A mesa está reservada para sexta.", "a: Olá.\nu: Afinal já não preciso da mesa."),
        ("nl", "De tafel is gereserveerd voor vrijdag.", "a: Hallo.\nu: De tafel hebben we niet meer nodig."),
    ],
)
def test_a_thread_is_closed_in_its_language(closed: Closed, language: str, thread: str, text: str) -> None:
    assert closed(text, EarlierThread(1, "request", "user", f'"{thread}"'), language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "plan", "said"),
    [
        ("en", "I've got the dentist on Thursday.", "The dentist called, they can't do Thursday."),
        ("en", "We're having dinner with the Wilsons on Thursday.", "The Wilsons had to pull out of dinner."),
        ("en", "I'll call the landlord on Thursday.", "All sorted with the landlord."),
        ("en", "I'm taking Milo to the vet on Thursday.", "I've been to the vet with Milo already."),
        (
            "de",
            "Ich muss am Donnerstag zum Zahnarzt.",
            "Der Zahnarzt hat angerufen, die können Donnerstag nicht.",
        ),
        ("de", "Am Donnerstag muss ich zum Arzt.", "Ich war schon beim Arzt."),
        ("es", "El jueves voy al médico por la rodilla.", "Ya fui al médico."),
        ("fr", "Jeudi je vais chez le médecin.", "Je suis déjà allée chez le médecin."),
        ("fr", "Jeudi on dîne chez les Martin.", "Le dîner chez les Martin n'aura pas lieu."),
        ("it", "Giovedì vado dal medico.", "Sono già stata dal medico."),
        ("pt", "Quinta-feira vou ao médico.", "Já fui ao médico."),
        ("nl", "Donderdag ga ik naar de dokter.", "Ik ben al bij de dokter geweest."),
    ],
)
def test_an_appointment_that_was_kept_or_fell_through_is_closed(
    closed: Closed, language: str, plan: str, said: str
) -> None:
    thread = EarlierThread(1, "plan", "user", f'"{plan}"', date(2026, 11, 19))

    assert closed(f"a: Hallo.\nu: {said}", thread, language=language) == (1,)


def test_without_phrases_of_the_language_nothing_is_closed(closed: Closed) -> None:
    assert closed("a: Hello.\nu: I bought the candles.", CANDLES, language="fi") == ()


NINTH = EarlierThread(
    10, "plan", "user", '"How about the 9th of December, at eleven?" – "Eleven\'s fine."', date(2026, 12, 9)
)
FORM = EarlierThread(
    11, "promise", "agent", '"I\'ll post you the form."', around="Form? I'll post you the form."
)


@pytest.mark.parametrize("text", ["...", "?!", "😀"])
def test_where_nothing_was_said_nothing_is_closed(closed: Closed, text: str) -> None:
    assert closed(f"u: {text}", NINTH, FORM) == ()
