"""What is named alone, in a call that did not speak of it: a name, or the speaker's own, is to be
forgotten."""

from datetime import UTC, datetime

import pytest

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message

AT = datetime(2026, 11, 17, 10, 30, tzinfo=UTC)


def said(*turns: str) -> list[Message]:
    """Turns as `role: text`."""
    pairs = [turn.partition(": ") for turn in turns]
    return [Message(place, role, text, AT) for place, (role, _, text) in enumerate(pairs)]  # type: ignore[arg-type]  # the roles are ours


@pytest.mark.parametrize(
    "wish",
    [
        "Forget Marsh Lane.",
        "Forget my brother.",
        "Vergiss Daniel.",
        "Vergessen Sie meine alte Adresse.",
        "Oublie mon ancienne adresse.",
        "Olvida a Daniel.",
        "Dimentica il mio indirizzo.",
        "Vergeet mijn oude adres.",
        "Esqueça o Daniel.",
    ],
)
def test_a_name_or_what_is_the_speakers_own_is_a_topic(wish: str) -> None:
    assert len(consent.topics(said("agent: What else?", f"user: {wish}", "agent: Of course."))) == 1


@pytest.mark.parametrize(
    "waived",
    [
        "Forget Friday.",
        "Forget Friday. I can come on Monday.",
        "Forget the train.",
        "You can forget the invoice.",
        "Forget my last question.",
        "Vergiss die Frage.",
        "Vergiss meine Frage.",
        "Vergiss den Kuchen.",
        "Oublie le train.",
        "Olvida el tren.",
        "Dimentica il treno.",
        "Vergeet de trein.",
        "Esquece o comboio.",
    ],
)
def test_what_is_only_waived_is_none(waived: str) -> None:
    assert consent.topics(said("agent: What else?", f"user: {waived}", "agent: Of course.")) == {}


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        ("I make five thousand a month.", "Please forget what I said earlier about my salary."),
        (
            "I drink too much at the moment.",
            "Please forget what I told you earlier about my alcohol problem.",
        ),
    ],
)
def test_earlier_is_in_this_call_unless_said_otherwise(told: str, wish: str) -> None:
    talk = said("agent: Hello.", f"user: {told}", "agent: I see.", f"user: {wish}", "agent: Done.")

    assert consent.withheld(talk) >= {1, 2, 3, 4}
