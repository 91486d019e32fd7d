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


@pytest.mark.parametrize(
    ("language", "asked", "said", "told"),
    [
        ("en", "Hello, am I speaking to Constance?", "Yes.", "Your parcel has come."),
        ("de", "Hallo, ist da Frau Petersen?", "Ja.", "Ihr Paket ist da."),
        ("nl", "Hallo, spreek ik met Joke?", "Ja.", "Uw pakket is binnen."),
        ("es", "Hola, ¿hablo con Lucía?", "Sí.", "Ha llegado su paquete."),
        ("fr", "Bonjour, je parle à Madame Petit ?", "Oui.", "Votre colis est arrivé."),
        ("it", "Buongiorno, parlo con Anna?", "Sì.", "È arrivato il suo pacco."),
        ("pt", "Bom dia, falo com a Ana?", "Sim.", "Já chegou a sua encomenda."),
    ],
    ids=["en", "de", "nl", "es", "fr", "it", "pt"],
)
def test_whether_it_is_who_was_rung_is_not_quoted(
    call: Call, language: str, asked: str, said: str, told: str
) -> None:
    assert quotes(call(f"a: {asked}\nu: {said}\na: {told}"), language) == f'"{told}"'


def test_whether_somebody_else_is_coming_is_told(call: Call) -> None:
    said = call("a: Your name?\nu: Ruben Okafor.\na: Is Ben coming?\nu: Yes.")

    assert quotes(said, "en") == '"Is Ben coming?" – "Yes."'


def test_who_is_named_for_another_reason_is_told(call: Call) -> None:
    told = quotes(call("a: Your name?\nu: Ruben Okafor.\na: And who will fetch her?\nu: Ruben."), "en")

    assert told == '"And who will fetch her?" – "Ruben."'


def test_what_else_is_said_with_a_name_is_told(call: Call) -> None:
    assert "boiler" in quotes(call("u: hi its ruben okafor my boiler is banging"), "en")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: Good morning, Clara. My name is Walter Brandreth."),
        ("de", "u: Ich heiße Hagen Wiesner."),
        ("es", "u: hola me llamo joaquín robledo"),
        ("fr", "u: Bonsoir, je m'appelle Solange Perrin."),
        ("it", "u: Buongiorno, mi chiamo Ettore Galimberti."),
        ("pt", "u: Oi! Meu nome é Thaís Moreira."),
        ("nl", "u: Hoi, ik heet Bram de Vries."),
    ],
)
def test_who_says_no_more_than_their_name_is_not_quoted(call: Call, language: str, said: str) -> None:
    assert quotes(call(said), language) == ""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "hello this is harper valley national bank my name is megan how can i help you today"),
        ("en", "Hello, this is Clara, your companion."),
        ("es", "Hola, soy Teresa, tu profesora de inglés."),
        ("fr", "Bonsoir, je suis Léa, votre professeure d'italien."),
        ("it", "Buon pomeriggio, sono Marta."),
        ("pt", "Oi, aqui é a Júlia, sua coach de nutrição."),
    ],
)
def test_how_an_agent_takes_a_call_is_not_quoted(call: Call, language: str, said: str) -> None:
    assert quotes(call(f"a: {said}\nu: OK."), language) == ""


@pytest.mark.parametrize(
    "said",
    ["My name's Ann Lee, I'm your neighbour's daughter.", "My name is Ann Lee and I work at the docks."],
)
def test_what_else_is_said_of_oneself_is_told(call: Call, said: str) -> None:
    assert "Ann Lee" in quotes(call(f"u: {said}"), "en")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "hello i am clara and i have good news about the roof"),
        ("de", "Ich bin Clara, wir haben montags geschlossen."),
        ("es", "Soy Clara, su perro está sano."),
    ],
)
def test_what_an_agent_tells_as_it_takes_a_call_stays(call: Call, language: str, said: str) -> None:
    assert quotes(call(f"a: {said}\nu: OK."), language) == f'"{said}"'
