"""Where somebody moved to takes the place of their address, however they say it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.extractive import digest
from voice_server.digest.facts.reconcile import ConversationClaims, facts
from voice_server.domain.conversation import Message

BERLIN = ZoneInfo("Europe/Berlin")
SUNDAY = datetime(2026, 11, 15, 9, tzinfo=UTC)
ASKED = {
    "de": ("Ihre Adresse?", "Lindenallee 8 in Lübeck."),
    "en": ("Your address?", "12 Station Road."),
    "es": ("¿Su dirección?", "Calle Olmo, 3."),
    "fr": ("Votre adresse ?", "12 avenue Foch à Lyon."),
    "it": ("Il suo indirizzo?", "Via Garibaldi 12."),
    "nl": ("Uw adres?", "Marktstraat 12."),
    "pt": ("A sua morada?", "Rua do Olmo 3."),
}


def _told(language: str, *later: str) -> dict[str, bool]:
    """Which statements hold after calls on following days, the first of which tells the address."""
    asked, answer = ASKED[language]
    calls = [[Message(0, "agent", asked, SUNDAY), Message(1, "user", answer, SUNDAY)]]
    for day, text in enumerate(later, start=1):
        calls.append([Message(0, "user", text, SUNDAY + timedelta(days=day))])
    told = [
        ConversationClaims(
            number, said[0].said_at, str(number), digest(said, timezone=BERLIN, language=language).claims
        )
        for number, said in enumerate(calls, start=1)
    ]
    return {one.text.rpartition(" – ")[2].strip('"'): not one.superseded_by for one in facts(told)}


@pytest.mark.parametrize(
    ("language", "moved"),
    [
        ("de", "Wir sind umgezogen, jetzt ist es die Quellgasse 14."),
        ("en", "We've moved, it's 14 Quarry Lane now."),
        ("en", "we've moved it's fourteen quarry lane now"),
        ("es", "Nos hemos mudado: ahora vivimos en la calle Almendro, 12."),
        ("fr", "Mon adresse a changé, j'habite maintenant au 5 rue des Lilas."),
        ("it", "Ci siamo trasferiti, adesso è via Verdi 14."),
        ("nl", "We zijn verhuisd, het is nu Molenweg 14."),
        ("pt", "Mudámo-nos, agora é na rua das Flores 12."),
    ],
)
def test_the_old_address_holds_no_more(language: str, moved: str) -> None:
    assert _told(language, moved) == {ASKED[language][1]: False, moved: True}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Meine Tochter ist umgezogen, sie wohnt jetzt in der Quellgasse 14."),
        ("de", "Wir sind umgezogen, aus der Quellgasse 14."),
        ("en", "My sister has moved, she's at 14 Quarry Lane now."),
        ("en", "We moved from 14 Quarry Lane in 2019."),
        ("en", "I moved the car to 14 Quarry Lane."),
        ("es", "Mi hija se ha mudado a la calle Almendro, 12."),
        ("fr", "Ma fille a déménagé, elle est rue des Lilas."),
        ("it", "Mia figlia si è trasferita, adesso è in via Verdi 14."),
    ],
)
def test_who_else_moved_or_from_where_leaves_the_address(language: str, said: str) -> None:
    assert _told(language, said)[ASKED[language][1]]


def test_a_new_address_takes_the_place_of_the_home_and_not_the_other_way_round() -> None:
    moved = "We've moved, it's 14 Quarry Lane now."
    assert _told("en", "I live in Leeds.", moved, "I live in York.") == {
        "12 Station Road.": False,
        "I live in Leeds.": False,
        moved: True,
        "I live in York.": True,
    }
