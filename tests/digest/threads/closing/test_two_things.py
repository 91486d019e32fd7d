"""A promise of two things is kept when the second comes."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import EarlierThread

Closed = Callable[..., tuple[int, ...]]
FRIDAY = date(2026, 11, 20)
PROMISED = {
    "en": (
        "I'll send you the estimate today and the invoice on Friday.",
        ("The estimate came, thanks.", "The invoice came, thanks."),
    ),
    "de": (
        "Ich schicke Ihnen heute den Kostenvoranschlag und am Freitag die Rechnung.",
        ("Der Kostenvoranschlag ist da, danke.", "Die Rechnung ist da, danke."),
    ),
    "es": (
        "Hoy le mando el presupuesto y el viernes la factura.",
        ("Me ha llegado el presupuesto, gracias.", "Ya tengo la factura, gracias."),
    ),
    "fr": (
        "Je vous envoie le devis aujourd'hui et la facture vendredi.",
        ("J'ai reçu le devis, merci.", "J'ai reçu la facture, merci."),
    ),
    "it": (
        "Le mando oggi il preventivo e venerdì la fattura.",
        ("Il preventivo è arrivato, grazie.", "È arrivata la fattura, grazie."),
    ),
    "nl": (
        "Ik stuur u vandaag de offerte en vrijdag de factuur.",
        ("De offerte is binnen, dank u.", "De factuur is binnen, dank u."),
    ),
    "pt": (
        "Mando-lhe hoje o orçamento e na sexta a fatura.",
        ("O orçamento chegou, obrigado.", "A fatura chegou, obrigado."),
    ),
}


@pytest.mark.parametrize("language", PROMISED)
def test_the_first_of_two_things_leaves_the_second(closed: Closed, language: str) -> None:
    promised, (first, second) = PROMISED[language]
    known = EarlierThread(1, "promise", "agent", f'"{promised}"', FRIDAY)

    assert closed(f"a: Hallo.\nu: {first}\na: OK.", known, language=language) == ()
    assert closed(f"a: Hallo.\nu: {second}\na: OK.", known, language=language) == (1,)


def test_both_at_once_keep_it(closed: Closed) -> None:
    promised, _ = PROMISED["en"]
    known = EarlierThread(1, "promise", "agent", f'"{promised}"', FRIDAY)
    assert closed("a: Hello.\nu: Thanks for the estimate and the invoice.", known) == (1,)


def test_what_is_done_for_one_thing_keeps_it_whole(closed: Closed) -> None:
    known = EarlierThread(1, "promise", "agent", "\"I'll send the plumber and he'll fix the tap.\"")
    assert closed("a: Hello.\nu: The tap's fixed, thanks.", known) == (1,)
