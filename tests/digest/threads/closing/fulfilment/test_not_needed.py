"""What was promised is over when the other party needs it no more."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")
BRING = {
    "de": "Ich bringe das Formular mit.",
    "en": "I'll bring the form.",
    "es": "Traeré el formulario.",
    "fr": "J'apporterai le formulaire.",
    "it": "Porto il modulo.",
    "nl": "Ik neem het formulier mee.",
    "pt": "Levo o formulário.",
}


def _closes(call: Call, language: str, text: str) -> bool:
    known = EarlierThread(1, "promise", "user", f'"{BRING[language]}"')
    return thread_changes(call(text), language, BERLIN, open_before=[known]).closes == (1,)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "u: Ich finde das Formular nicht.\na: Kein Problem, wir brauchen es nicht mehr."),
        ("en", "u: I can't find the form anywhere.\na: Don't worry, we don't need it."),
        ("es", "u: No encuentro el formulario.\na: No se preocupe, ya no lo necesitamos."),
        ("fr", "u: Je ne trouve pas le formulaire.\na: Pas de souci, on n'en a plus besoin."),
        ("it", "u: Non trovo il modulo.\na: Non si preoccupi, non ci serve più."),
        ("nl", "u: Ik kan het formulier niet vinden.\na: Geen probleem, we hebben het niet meer nodig."),
        ("pt", "u: Não encontro o formulário.\na: Não se preocupe, já não precisamos dele."),
    ],
)
def test_what_they_need_no_more_is_not_owed(call: Call, language: str, text: str) -> None:
    assert _closes(call, language, text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "u: brauchen sie das formular noch\na: nein"),
        ("en", "u: do you still need the form\na: no we don't"),
        ("es", "u: ¿todavía necesita el formulario?\na: No."),
        ("fr", "u: vous avez encore besoin du formulaire\na: non"),
        ("it", "u: le serve ancora il modulo\na: no"),
        ("nl", "u: heeft u het formulier nog nodig\na: nee"),
        ("pt", "u: ainda precisa do formulário\na: não"),
    ],
)
def test_what_they_are_asked_for_and_need_no_more_is_not_owed(call: Call, language: str, text: str) -> None:
    assert _closes(call, language, text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: I can't find the form.\na: We don't need it yet."),
        ("en", "u: I can't find the form.\na: Don't worry, just bring it next time."),
        ("en", "u: Do you still need the form?\na: Yes, please."),
        ("en", "u: Do you still need the receipt?\na: No."),
        ("de", "u: Ich finde das Formular nicht.\na: Das brauchen wir erst nächste Woche."),
        ("fr", "u: Je ne trouve pas le formulaire.\na: On n'en a pas encore besoin."),
        ("nl", "u: Heeft u het formulier nog nodig?\na: Ja, graag."),
        ("nl", "u: Heeft u het formulier nog nodig?\na: Nee, nog niet."),
        ("en", "u: Do you still need the form?\na: No idea, I'll ask."),
        ("es", "u: ¿Todavía necesita el formulario?\na: No, mejor tráigalo el lunes."),
        ("fr", "u: Je n'ai pas le formulaire ni la carte.\na: La carte, on n'en a plus besoin."),
    ],
)
def test_what_they_need_later_or_after_all_is_owed(call: Call, language: str, text: str) -> None:
    assert not _closes(call, language, text)
