"""What is told as done rests on somebody's telling of something done."""

from datetime import UTC, datetime

import pytest

from voice_server.digest.grounding.done import undone
from voice_server.digest.grounding.transcript import Line


@pytest.mark.parametrize(
    ("language", "said", "text", "is_undone"),
    [
        ("en", "I'll send you the list.", "You sent Ada the list.", True),
        ("en", "There's a fault, it should be back by six.", "The fault has been repaired.", True),
        ("en", "I sent you the list on Monday.", "You sent Ada the list.", False),
        ("en", "We've been here since March.", "Ada moved in March.", False),
        ("en", "I'd like two rolls, please.", "Ada ordered two rolls.", False),
        ("en", "I won't send it.", "You have not posted it.", False),
        ("en", "I'm thinking of it.", "Ada may have posted it.", False),
        ("en", "You can ring me here.", "Ada can be reached here.", False),
        ("de", "Ich soll achtzig Euro nachzahlen.", "Ada hat achtzig Euro bezahlt.", True),
        ("de", "Ich habe achtzig Euro bezahlt.", "Ada hat achtzig Euro bezahlt.", False),
        ("de", "Ich hätte gern zwei Brote.", "Ada hat zwei Brote bestellt.", False),
        ("es", "Otro día se lo explico.", "Le vendiste el piso a Ada.", True),
        ("es", "Le vendí el piso.", "Le vendiste el piso a Ada.", False),
        ("fr", "Le docteur peut le renouveler.", "Le docteur a renouvelé le fer.", True),
        ("fr", "Il a renouvelé le fer lundi.", "Le docteur a renouvelé le fer.", False),
        ("it", "Devo portare il certificato.", "Ada ha portato il certificato.", True),
        ("it", "L'ultima l'ha fatta Pozzi.", "L'ultima l'ha fatta il signor Pozzi.", False),
        ("pt", "Vou vender o carro.", "Ada vendeu o carro.", True),
        ("pt", "Queria uma pizza.", "Ada encomendou uma pizza.", False),
        ("nl", "Ik ga het huis verkopen.", "Ada heeft het huis verkocht.", True),
        ("nl", "Ik heb het huis verkocht.", "Ada heeft het huis verkocht.", False),
    ],
)
def test_a_deed_told_as_done_was_said_to_be_done(
    language: str, said: str, text: str, *, is_undone: bool
) -> None:
    line = Line(0, "user", datetime(2026, 11, 20, 9, tzinfo=UTC), said)

    assert undone(text, [line], language) is is_undone
