"""A wish to forget that is taken back at once forgets nothing."""

from collections.abc import Callable

import pytest

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]


def _kept(call: Call, lines: str) -> list[str]:
    return [one.content for one in consent.kept(call(lines))]


@pytest.mark.parametrize(
    ("told", "wish", "really", "no"),
    [
        ("My address is 4 Hill Road.", "Please delete that.", "Should I really?", "No, don't delete it."),
        ("My address is 4 Hill Road.", "Please delete that.", "Are you sure?", "No, leave it."),
        ("Ich wohne Hügelweg 4.", "Bitte löschen Sie das.", "Soll ich wirklich?", "Nein, lassen Sie es."),
        ("Vivo en la calle Mayor 4.", "Borre eso, por favor.", "¿Seguro?", "No, déjelo."),
        ("J'habite 4 rue Haute.", "Effacez ça, s'il vous plaît.", "Vraiment ?", "Non, laissez."),
        ("Abito in via Roma 4.", "Dimentichi quello che ho detto.", "Sicuro?", "No, lo lasci."),
        ("Ik woon Hoofdstraat 4.", "Verwijder dat, alstublieft.", "Zeker weten?", "Nee, laat maar staan."),
        ("Moro na rua Direita 4.", "Apague isso, por favor.", "Tem a certeza?", "Não, deixe ficar."),
    ],
)
def test_who_is_asked_whether_really_may_keep_it(
    call: Call, told: str, wish: str, really: str, no: str
) -> None:
    lines = f"a: Hallo.\nu: {told}\na: OK.\nu: {wish}\na: {really}\nu: {no}\na: OK."
    assert told in _kept(call, lines)
    assert told not in _kept(call, lines.replace(no, "Yes, yes."))


@pytest.mark.parametrize(
    "wish",
    [
        "Please delete that. Oh no, leave it in.",
        "Forget the knee, don't note that down. Hm, no, keep it, you need to know.",
        "Bitte löschen Sie das. Ach nein, lassen Sie es drin.",
        "Olvide lo que he dicho. No, mejor no lo borre.",
        "Oubliez ce que j'ai dit. Non, gardez-le.",
        "Dimentichi quello che ho detto. Anzi no, lo tenga.",
        "Vergeet wat ik zei. Nee, wacht, laat maar staan.",
        "Esqueça o que eu disse. Não, deixe ficar.",
    ],
)
def test_who_thinks_again_in_the_same_breath_keeps_it(call: Call, wish: str) -> None:
    told = "My left knee hurts again after fourteen kilometres."
    assert told in _kept(call, f"a: Hallo.\nu: {told}\na: OK.\nu: {wish}\na: OK.")


@pytest.mark.parametrize(
    "wish",
    [
        "Please don't note that. Keep it to yourself.",
        "Please delete that. Keep it between us.",
        "Please delete that. Leave it out of your notes.",
        "Forget I said that. Leave it.",
        "Vergeet wat ik zei. Laat maar.",
        "Dimentichi quello che ho detto. Lasci stare.",
        "Esqueça o que eu disse. Deixe estar.",
        "Oubliez ce que j'ai dit. Laissez.",
        "Vergessen Sie, was ich gesagt habe. Lassen Sie es.",
        "Olvide lo que he dicho. Déjelo.",
    ],
)
def test_to_keep_a_secret_is_no_taking_back(call: Call, wish: str) -> None:
    told = "My brother drinks again, it's bad."
    assert told not in _kept(call, f"a: Hello.\nu: {told}\na: Oh.\nu: {wish}\na: OK.")


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("Of course. Shall I change the booking for Friday?", "No, leave it."),
        ("Forgotten. Are you sure you're alright?", "No."),
        ("I won't. Are you sure about Friday at ten?", "No, Saturday's better."),
        ("Really?", "No, really, don't."),
        ("Are you sure?", "No, no, do delete it."),
        ("Soll ich den Termin ändern?", "Nein, lassen Sie ihn so."),
        ("Je change le rendez-vous ?", "Non, laissez."),
        ("Zal ik de afspraak verzetten?", "Nee, laat maar staan."),
    ],
)
def test_what_is_said_of_something_else_takes_nothing_back(call: Call, answer: str, reply: str) -> None:
    told = "My brother drinks again, it's bad."
    lines = f"a: Hello.\nu: {told}\na: Oh.\nu: Please forget that.\na: {answer}\nu: {reply}\na: OK."
    assert told not in _kept(call, lines)


def test_a_no_to_more_than_was_asked_takes_nothing_back(call: Call) -> None:
    told = "My address is 4 Hill Road."
    lines = f"a: Hello.\nu: {told}\na: Thanks.\nu: Please delete that.\na: Everything?\nu: No, just that."
    assert told not in _kept(call, lines)
