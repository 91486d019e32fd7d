"""What is asked and granted in few words is one matter, told by what was asked."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("corrected", "granted", "day"),
    [
        ("", "I'll remind you.", 18),
        ("", "Wednesday, ring Joan. I'll remind you.", 18),
        ("No, hang on, Thursday.", "I'll remind you.", 19),
    ],
)
def test_a_reminder_and_its_grant_are_one(opened: Opened, corrected: str, granted: str, day: int) -> None:
    asked = f"Will you remind me Wednesday to ring Joan? {corrected}"

    [thread] = opened(f"u: {asked}\na: {granted}\nu: Thanks.")

    assert (thread.kind, thread.due) == ("request", date(2026, 11, day))


@pytest.mark.parametrize(
    ("language", "missing", "promise"),
    [
        ("en", "The January listings aren't out yet.", "As soon as they're out I'll text you."),
        (
            "de",
            "Das Januarprogramm ist noch nicht da.",
            "Sobald es da ist, schicke ich Ihnen eine Nachricht.",
        ),
        ("es", "La programación de enero aún no ha salido.", "En cuanto salga le mando un mensaje."),
        (
            "fr",
            "Le programme de janvier n'est pas encore sorti.",
            "Dès qu'il sort, je vous envoie un message.",
        ),
        ("it", "Il programma di gennaio non è ancora uscito.", "Appena esce le mando un messaggio."),
        ("pt", "O programa de janeiro ainda não saiu.", "Assim que sair mando-lhe uma mensagem."),
    ],
)
def test_what_is_waited_for_is_told_with_word_that_it_is_not_there(
    opened: Opened, language: str, missing: str, promise: str
) -> None:
    [thread] = opened(f"u: Danke.\na: {missing} {promise}", language)

    assert missing in thread.text


def test_what_ails_somebody_is_not_what_is_waited_for(opened: Opened) -> None:
    [thread] = opened("a: My daughter isn't well. As soon as it's ready I'll call you.\nu: Thanks.")

    assert "daughter" not in thread.text
