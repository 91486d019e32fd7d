"""What only says who is speaking is no memory: the name stands above it."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.extractive import digest
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]


def quotes(messages: list[Message], language: str) -> str:
    made = digest(messages, timezone=ZoneInfo("UTC"), language=language)
    return " ".join(one.text for one in made.key_moments)


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "who am i speaking to please", "yeah its ruben okafor"),
        ("en", "Name for the cup?", "Jo."),
        ("de", "Wie ist Ihr Name?", "Ja, ich bin Lena Brandt."),
        ("fr", "Votre nom, s'il vous plaît ?", "Oui, c'est Claire Morel."),
    ],
)
def test_a_name_that_is_known_is_not_quoted(call: Call, language: str, asked: str, said: str) -> None:
    assert quotes(call(f"a: {asked}\nu: {said}"), language) == ""


def test_who_is_named_for_another_reason_is_told(call: Call) -> None:
    told = quotes(call("a: Your name?\nu: Ruben Okafor.\na: And who will fetch her?\nu: Ruben."), "en")

    assert told == '"And who will fetch her?" – "Ruben."'


def test_what_else_is_said_with_a_name_is_told(call: Call) -> None:
    assert "boiler" in quotes(call("u: hi its ruben okafor my boiler is banging"), "en")
