"""What was to be sent is over once it is said to be sent, or to have come, though nobody names it."""

from collections.abc import Callable

import pytest

from voice_server.domain.digest import EarlierThread

IsOver = Callable[..., bool]
Closed = Callable[..., tuple[int, ...]]
WANTED = {
    "en": "Can you send me the brochure?",
    "de": "Können Sie mir den Prospekt schicken?",
    "es": "¿Me puede mandar el folleto?",
    "fr": "Vous pouvez m'envoyer la brochure ?",
    "it": "Mi può mandare il dépliant?",
    "pt": "Pode mandar-me o folheto?",
    "nl": "Kunt u me de folder sturen?",
}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "a: Good news, I've posted it."),
        ("de", "a: Ich habe ihn abgeschickt."),
        ("es", "a: Ya se lo he mandado."),
        ("fr", "a: Je vous l'ai envoyée."),
        ("it", "a: Gliel'ho mandato ieri."),
        ("pt", "a: Já lho mandei."),
        ("nl", "a: Ik heb hem opgestuurd."),
    ],
)
def test_whoever_was_to_send_it_says_so(is_over: IsOver, language: str, said: str) -> None:
    assert is_over(language, WANTED[language], said, kind="request")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: It came this morning, thanks."),
        ("de", "u: Er ist heute gekommen, danke."),
        ("es", "u: Ha llegado esta mañana, gracias."),
        ("fr", "u: Elle est arrivée ce matin, merci."),
        ("it", "u: È arrivato stamattina, grazie."),
        ("pt", "u: Chegou hoje de manhã, obrigado."),
        ("nl", "u: Hij is vanmorgen gekomen, bedankt."),
    ],
)
def test_whoever_waited_for_it_has_it(is_over: IsOver, language: str, said: str) -> None:
    assert is_over(language, WANTED[language], said, kind="request")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: Did you send it?\na: Yes, yesterday."),
        ("de", "u: Haben Sie ihn abgeschickt?\na: Ja, gestern."),
        ("es", "u: ¿Me lo ha mandado?\na: Sí, ayer."),
        ("fr", "u: Vous me l'avez envoyée ?\na: Oui, hier."),
        ("it", "u: Me l'ha mandato?\na: Sì, ieri."),
        ("nl", "u: Heeft u hem opgestuurd?\na: Ja, gisteren."),
    ],
)
def test_asked_whether_it_was_sent_a_yes_will_do(is_over: IsOver, language: str, said: str) -> None:
    assert is_over(language, WANTED[language], said, kind="request")


@pytest.mark.parametrize(
    "said",
    [
        "a: I've sent the invoice.",
        "a: I haven't sent it yet.",
        "a: I'll send it tonight.",
        "u: Did you send it?\na: Yes, I'll post it tonight.",
        "u: Did you send it?\na: Not yet, sorry.",
        "u: My parcel is here, it came this morning.",
        "u: It hasn't come.",
    ],
)
def test_something_else_or_what_is_still_to_be_sent_stays(is_over: IsOver, said: str) -> None:
    assert not is_over("en", WANTED["en"], said, kind="request")


def test_of_two_things_nobody_knows_which_is_meant(closed: Closed) -> None:
    brochure = EarlierThread(1, "request", "user", '"Can you send me the brochure?"')
    form = EarlierThread(2, "request", "user", '"Could you email me the form?"')

    assert closed("a: I've sent it.", brochure, form) == ()
