"""What the user was to bring is over where they say how they left it with the other."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
IsOver = Callable[..., bool]
BERLIN = ZoneInfo("Europe/Berlin")

BROUGHT = {
    "en": ("I'll bring the certificate on Saturday.",
           "I popped the certificate through your letterbox yesterday."),
    "de": ("Den Schein bring ich am Samstag mit.",
           "Den Schein hab ich euch gestern in den Briefkasten geworfen."),
    "es": ("El certificado lo llevo el sábado.", "El certificado os lo dejé ayer en el buzón."),
    "fr": ("L'attestation, je l'apporte samedi.",
           "L'attestation, je l'ai mise hier dans votre boîte aux lettres."),
    "it": ("Il certificato lo porto sabato.", "Il certificato ve l'ho messo ieri nella cassetta."),
    "pt": ("O certificado levo no sábado.", "O certificado deixei-o ontem na vossa caixa do correio."),
    "nl": ("Het bewijs neem ik zaterdag mee.", "Het bewijs heb ik gisteren bij jullie in de bus gegooid."),
}  # fmt: skip
NOT_YET = {
    "en": "I haven't put the certificate through your letterbox yet.",
    "de": "Den Schein hab ich noch nicht in den Briefkasten geworfen.",
    "es": "El certificado todavía no os lo dejé en el buzón.",
    "fr": "L'attestation, je ne l'ai pas encore mise dans votre boîte.",
    "it": "Il certificato non ve l'ho ancora messo nella cassetta.",
    "pt": "O certificado ainda não o deixei na vossa caixa.",
    "nl": "Het bewijs heb ik nog niet in de bus gegooid.",
}


@pytest.mark.parametrize("language", BROUGHT)
def test_what_was_left_with_the_other_is_brought(is_over: IsOver, language: str) -> None:
    promised, left = BROUGHT[language]

    assert is_over(language, promised, f"u: {left}\na: –")


@pytest.mark.parametrize("language", NOT_YET)
def test_what_was_not_left_there_is_still_owed(is_over: IsOver, language: str) -> None:
    assert not is_over(language, BROUGHT[language][0], f"u: {NOT_YET[language]}\na: –")


@pytest.mark.parametrize(
    "said",
    [
        "I put it through the wrong door, the certificate.",
        "I dropped my sister off at the surgery.",
        "Shall I put the certificate through your letterbox?",
        "I'll put the certificate through your letterbox.",
    ],
)
def test_another_thing_or_place_leaves_it_open(is_over: IsOver, said: str) -> None:
    assert not is_over("en", BROUGHT["en"][0], f"u: {said}\na: –")


def test_so_is_what_the_agent_asked_for(is_over: IsOver) -> None:
    said = "u: The form's in your letterbox.\na: –"

    assert is_over("en", "Please bring us the form.", said, "request", "agent")


def test_a_longer_word_for_the_thing_means_it(is_over: IsOver) -> None:
    promised = "Ich suche dir ein Rezept raus und schick es dir bis Samstag."
    asked = "a: Hast du das Linsenrezept bekommen?\nu: ja am mittwoch schon sieht lecker aus"

    assert is_over("de", promised, asked, "promise", "agent")
    assert not is_over("de", "Ich schicke dir den Plan.", asked, "promise", "agent")


def test_of_two_the_thing_that_is_named_is_there(call: Call) -> None:
    texts = ("Ich schicke dir ein Rezept.", "Ich schicke dir das Linsenrezept.")
    known = [EarlierThread(at, "promise", "agent", f'"{one}"', around=one) for at, one in enumerate(texts)]
    said = call("u: Das Linsenrezept ist angekommen.\na: –")

    assert thread_changes(said, "de", BERLIN, open_before=known).closes == (1,)


@pytest.mark.parametrize(
    ("promised", "said"),
    [
        ("Ich schicke Ihnen die Karte.", "Meine Fahrkarte ist angekommen."),
        ("Ich schicke Ihnen den Schlüssel.", "Der Autoschlüssel ist wieder da."),
    ],
)
def test_a_longer_word_that_nobody_asked_after_is_another_thing(
    is_over: IsOver, promised: str, said: str
) -> None:
    assert not is_over("de", promised, f"u: {said}\na: –", "promise", "agent")


def test_what_is_left_with_somebody_else_is_not_brought(is_over: IsOver) -> None:
    said = "I left the certificate with the secretary at my school."

    assert not is_over("en", BROUGHT["en"][0], f"u: {said}\na: –")
