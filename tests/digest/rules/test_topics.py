"""A number that is announced before it is said is known for what it is."""

from collections.abc import Callable

import pytest

from voice_server.digest.language.manner import manner
from voice_server.digest.rules.pieces import pieces
from voice_server.digest.rules.topics import topic
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]


def _phones(call: Call, language: str, said: str) -> list[str]:
    known = manner(language)
    return [one.text for one in pieces(call(said), known) if topic(one, known) == "phone"]


@pytest.mark.parametrize(
    ("language", "announced", "go_on"),
    [
        ("en", "I've changed my phone, can you put the new number in?", "Go ahead."),
        ("de", "Ich hab ein neues Handy, können Sie meine neue Nummer eintragen?", "Bitte."),
        ("es", "He cambiado de móvil, ¿puede apuntar el número nuevo?", "Dígame."),
        ("fr", "J'ai changé de portable, vous pouvez noter mon nouveau numéro ?", "Allez-y."),
        ("it", "Ho cambiato cellulare, può segnare il nuovo numero?", "Mi dica."),
        ("nl", "Ik heb een nieuwe telefoon, kunt u mijn nieuwe nummer noteren?", "Zegt u het maar."),
        ("pt", "Mudei de telemóvel, pode tomar nota do número novo?", "Diga."),
    ],
)
def test_a_new_number_is_known_by_what_announces_it(
    call: Call, language: str, announced: str, go_on: str
) -> None:
    said = f"a: Dashpost.\nu: {announced}\na: {go_on}\nu: 01632 960475.\na: OK."
    assert "01632 960475." in _phones(call, language, said)


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "Can I have a number for the driver?"),
        ("de", "Kann ich eine Nummer für den Fahrer haben?"),
        ("es", "¿Me da un teléfono para el repartidor?"),
        ("fr", "Vous avez un numéro pour le livreur ?"),
        ("it", "Mi lascia un recapito per il corriere?"),
        ("nl", "Mag ik een nummer voor de chauffeur?"),
        ("pt", "Tem um telefone para o estafeta?"),
    ],
)
def test_a_number_to_pass_on_is_the_users(call: Call, language: str, asked: str) -> None:
    said = f"a: Dashpost.\nu: Hallo.\na: {asked}\nu: 01632 960118."
    assert _phones(call, language, said) == ["01632 960118."]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: Can you put my new number in?\na: Go ahead.\nu: 12."),
        ("en", "u: What's the new number of the clinic?\na: 01632 960475."),
        ("en", "u: The new number plate came for my car."),
        ("es", "u: He cambiado de móvil, ahora tengo un iPhone."),
        ("fr", "u: J'ai changé de téléphone, j'ai un iPhone."),
        ("it", "u: Ho cambiato telefono, è un Samsung."),
        ("pt", "u: O meu novo telemóvel tira boas fotos."),
    ],
)
def test_what_is_no_number_of_theirs_is_no_phone(call: Call, language: str, said: str) -> None:
    assert _phones(call, language, f"a: Hello.\n{said}") == []
