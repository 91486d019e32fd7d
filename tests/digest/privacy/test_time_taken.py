"""A time that is taken in the same breath as a secret holds; the rest of the turn is forgotten."""

from collections.abc import Callable

import pytest

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]


def told(messages: list[Message]) -> list[str]:
    kept = consent.with_what_stays(messages, consent.kept(messages))
    return [f"{one.role}: {one.content}" for one in kept]


@pytest.mark.parametrize(
    ("offer", "taken", "rest"),
    [
        ("Saturday at ten?", "Yeah, ten's good.", "They're closing the mill. Please forget I said anything."),
        ("Samstag um zehn?", "Ja, passt.", "Mein Mann ist arbeitslos. Vergessen Sie das bitte wieder."),
        ("¿El sábado a las diez?", "Sí, me va bien.", "A mi marido lo han echado. Olvide lo que he dicho."),
        ("Samedi à dix heures ?", "Oui, ça me va.", "Mon mari est au chômage. Oubliez ce que j'ai dit."),
        (
            "Sabato alle dieci?",
            "Sì, va bene.",
            "Mio marito ha perso il lavoro. Dimentichi quel che ho detto.",
        ),
        (
            "Giovedì alle quattro?",
            "Alle quattro va bene.",
            "Mia cognata si separa. No, scusa, dimentica quello che ho detto.",
        ),
        ("Zaterdag om tien uur?", "Ja, dat is goed.", "Mijn man is ontslagen. Vergeet wat ik zei."),
        ("Sábado às dez?", "Pode ser.", "O meu marido foi despedido. Esqueça o que eu disse."),
    ],
)
def test_the_time_stays_and_the_secret_goes(call: Call, offer: str, taken: str, rest: str) -> None:
    lines = f"a: {offer}\nu: {taken} {rest}\na: Okay."

    assert told(call(lines)) == [f"agent: {offer}", f"user: {taken}"]


@pytest.mark.parametrize(
    "said",
    [
        "a: When did it happen?\nu: Divorced. He beat me. Forget I said that.\na: Okay.",
        "a: Saturday at ten?\nu: My husband beats me at ten. He drinks. Forget I said that.\na: Okay.",
        "a: Saturday at ten?\nu: Ten's good. Forget this whole conversation.\na: Okay.",
        "a: Saturday at ten?\nu: Ten's good. No, forget that.\na: Okay.",
        "a: How are you?\nu: Ten's good. I'm ill. Forget I said that.\na: Okay.",
        "a: Friday at ten?\nu: I'm with him on Friday. My husband's away. Forget I said that.\na: Okay.",
        "a: Friday, or is that your chemo day?\nu: That's my chemo day. Bad. Forget I said that.\na: Okay.",
        "a: So he hit you on Friday?\nu: Yes. He did. Forget I said that.\na: Okay.",
        "a: Were you in hospital on Monday?\nu: Yes. Chemo. Forget I said that.\na: Okay.",
        "a: ¿Le pegó el viernes?\nu: Sí. Mucho. Olvide lo que he dicho.\na: Vale.",
        "a: Shall I fetch you at the clinic, Friday at ten?\nu: Yes. Bad. Forget I said that.\na: OK.",
        "a: Friday at ten?\nu: Yes. No, hang on, I can't. Forget I said that.\na: Okay.",
        "a: Freitag um zehn?\nu: Ja, passt. Ach nein, da bin ich bei der Chemo. Vergessen Sie das.\na: Gut.",
        "a: ¿El viernes a las diez?\nu: Sí, perfecto. Ay no, tengo quimio. Olvide lo que he dicho.\na: Vale.",
        "a: You'll bring Tom on Friday?\nu: No, it's over. He hit me. Forget I said that.\na: Okay.",
    ],
)
def test_nothing_else_of_the_turn_stays(call: Call, said: str) -> None:
    assert not [one for one in told(call(said)) if one.startswith("user: ")]


def test_the_turn_is_withheld_as_a_whole_elsewhere(call: Call) -> None:
    messages = call("a: Saturday at ten?\nu: Ten's good. I'm ill. Forget I said that.\na: Okay.")

    assert [one.role for one in consent.kept(messages)] == ["agent"]
