"""What the user was to bring is over where they say how they left it with the other."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, Speaker, ThreadKind

Call = Callable[[str], list[Message]]
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


def _closed(
    call: Call,
    language: str,
    thread: str,
    lines: str,
    kind: ThreadKind = "promise",
    said_by: Speaker = "user",
) -> bool:
    known = EarlierThread(1, kind, said_by, f'"{thread}"', around=thread)
    return thread_changes(call(lines), language, BERLIN, open_before=(known,)).closes == (1,)


@pytest.mark.parametrize("language", BROUGHT)
def test_what_was_left_with_the_other_is_brought(call: Call, language: str) -> None:
    promised, left = BROUGHT[language]

    assert _closed(call, language, promised, f"u: {left}\na: –")


@pytest.mark.parametrize("language", NOT_YET)
def test_what_was_not_left_there_is_still_owed(call: Call, language: str) -> None:
    assert not _closed(call, language, BROUGHT[language][0], f"u: {NOT_YET[language]}\na: –")


@pytest.mark.parametrize(
    "said",
    [
        "I put it through the wrong door, the certificate.",
        "I dropped my sister off at the surgery.",
        "Shall I put the certificate through your letterbox?",
        "I'll put the certificate through your letterbox.",
    ],
)
def test_another_thing_or_place_leaves_it_open(call: Call, said: str) -> None:
    assert not _closed(call, "en", BROUGHT["en"][0], f"u: {said}\na: –")


def test_so_is_what_the_agent_asked_for(call: Call) -> None:
    said = "u: The form's in your letterbox.\na: –"

    assert _closed(call, "en", "Please bring us the form.", said, "request", "agent")


def test_a_longer_word_for_the_thing_means_it(call: Call) -> None:
    promised = "Ich suche dir ein Rezept raus und schick es dir bis Samstag."
    asked = "a: Hast du das Linsenrezept bekommen?\nu: ja am mittwoch schon sieht lecker aus"

    assert _closed(call, "de", promised, asked, "promise", "agent")
    assert not _closed(call, "de", "Ich schicke dir den Plan.", asked, "promise", "agent")


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
def test_a_longer_word_that_nobody_asked_after_is_another_thing(call: Call, promised: str, said: str) -> None:
    assert not _closed(call, "de", promised, f"u: {said}\na: –", "promise", "agent")


def test_what_is_left_with_somebody_else_is_not_brought(call: Call) -> None:
    said = "I left the certificate with the secretary at my school."

    assert not _closed(call, "en", BROUGHT["en"][0], f"u: {said}\na: –")
