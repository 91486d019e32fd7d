"""What a later call promises or wants anew is open once: the earlier thread is closed."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
BERLIN = ZoneInfo("Europe/Berlin")


def test_what_is_promised_anew_is_open_once(closed: Closed) -> None:
    recipe = EarlierThread(7, "promise", "agent", '"I\'ll send you the plum cake recipe."')

    assert closed("u: Hi.\na: I'll send you the plum cake recipe tomorrow.", recipe) == (7,)


def test_who_needs_it_by_another_day_now_waits_for_the_first_no_more(closed: Closed) -> None:
    told = (
        '"I\'ve got a certificate, it needs to go into Polish." – "You\'ll have it on the 10th of February."'
    )
    known = EarlierThread(1, "promise", "agent", told, date(2027, 2, 10))

    assert closed("a: Hello.\nu: I need the certificate by the 3rd of February now.\na: Fine.", known) == (1,)
    assert closed("a: Hello.\nu: Remind me on Friday to frame the certificate.\na: Fine.", known) == ()


@pytest.mark.parametrize(
    ("language", "promised", "missed", "again"),
    [
        ("en", "I'll send you the receipt.", "I still haven't had the receipt.", "I'll email it today."),
        ("de", "Ich schicke Ihnen das Rezept.", "Das Rezept ist nicht da.", "Ich schicke es morgen."),
        ("es", "Le mando el recibo.", "No me mandó el recibo.", "Se lo mando mañana."),
        ("fr", "Je vous envoie la facture.", "Je n'ai pas reçu la facture.", "Je vous l'envoie demain."),
        ("it", "Le mando la ricevuta.", "La ricevuta non è arrivata.", "Gliela mando domani."),
        ("pt", "Eu te mando o endereço.", "Você não me mandou o endereço.", "Desculpa, mando amanhã."),
        ("nl", "Ik stuur u de bon.", "De bon is niet gekomen.", "Die stuur ik u morgen."),
    ],
)
def test_what_is_promised_again_takes_the_place_of_the_first_promise(
    closed: Closed, language: str, promised: str, missed: str, again: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')
    other = EarlierThread(2, "promise", "agent", '"Vanilla."')

    assert closed(f"a: .\nu: {missed}\na: {again}", known, other, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "missed", "again"),
    [
        ("en", "You'll get the quote on Monday.", "I haven't seen a quote yet.", "You'll have it tomorrow."),
        ("de", "Sie bekommen das Angebot.", "Ich hab noch kein Angebot gesehen.", "Sie haben es morgen."),
        ("es", "Le mando el presupuesto.", "Todavía no he visto el presupuesto.", "Lo tendrá mañana."),
        ("fr", "Vous aurez le devis lundi.", "Je n'ai pas encore vu le devis.", "Vous l'aurez demain."),
        ("it", "Le mando il preventivo.", "Non ho ancora avuto il preventivo.", "Ce l'avrà domani."),
        ("pt", "Envio-lhe o orçamento.", "Ainda não vi o orçamento.", "Tem-no amanhã."),
        ("nl", "Ik stuur u de offerte.", "Ik heb nog geen offerte gezien.", "U heeft hem morgen."),
    ],
)
def test_what_was_not_seen_yet_and_comes_later_is_told_once_with_what_it_is(
    call: Call, language: str, promised: str, missed: str, again: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')
    said = call(f"a: .\nu: {missed}\na: {again}")

    changes = thread_changes(said, language, BERLIN, open_before=[known])

    assert changes.closes == (1,)
    assert [one.text for one in changes.opened] == [f'"{missed}" – "{again}"']


def test_what_the_agent_asks_after_and_promises_again_is_promised_once(closed: Closed) -> None:
    known = EarlierThread(1, "promise", "agent", '"Le mando el temario por correo."')
    said = "u: .\na: ¿Le llegó el temario?\nu: No, no me ha llegado nada.\na: Se lo reenvío ahora mismo."

    assert closed(said, known, language="es") == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        (
            "en",
            "I'll send you the brochure.",
            (
                "a: Did you get the brochure?\nu: No, nothing came. But I wanted the price list, too.\n"
                "a: I'll send you the price list."
            ),
        ),
        (
            "de",
            "Ich schicke Ihnen die Rechnung.",
            (
                "a: Ist die Rechnung da?\nu: Nein, noch nichts gekommen. Auch der Techniker nicht.\n"
                "a: Ich schicke den Techniker am Montag."
            ),
        ),
        (
            "es",
            "Le mando el temario.",
            (
                "a: ¿Le llegó el temario?\nu: No, no ha llegado. ¿Y la matrícula?\n"
                "a: La matrícula se la mando mañana."
            ),
        ),
        (
            "fr",
            "Je vous envoie le contrat.",
            "a: Vous avez reçu le contrat ?\nu: Non, rien reçu.\na: Je vous rappelle lundi pour voir.",
        ),
    ],
)
def test_a_promise_of_something_else_leaves_what_did_not_come_open(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"')

    assert closed(f"u: .\n{said}", known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "sent", "missed", "back"),
    [
        ("en", "I'll email you the form.", "I haven't had the form back yet.", "I'll bring it on Monday."),
        (
            "es",
            "Le mando el formulario.",
            "El formulario todavía no lo he recibido.",
            "Se lo llevo el lunes.",
        ),
        ("it", "Le mando il modulo.", "Il modulo non l'ho ancora ricevuto.", "Ve lo porto lunedì."),
    ],
)
def test_who_brings_a_form_has_it(closed: Closed, language: str, sent: str, missed: str, back: str) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{sent}"')
    assert closed(f"a: {missed}\nu: {back}", known, language=language) == (1,)
