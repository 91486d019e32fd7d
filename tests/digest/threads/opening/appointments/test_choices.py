"""An hour that is chosen of several, for a day that was wished for."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "wish", "offer", "choice"),
    [
        ("en", "can i come saturday", "I've ten or half past eleven.", "ten please"),
        ("en", "Is there anything free on Saturday?", "Ten or half past eleven.", "Ten, please."),
        ("de", "kann ich am samstag kommen", "Ich habe zehn oder halb zwölf.", "zehn bitte"),
        ("de", "Haben Sie am Samstag was frei?", "Um zehn oder um halb zwölf.", "Dann um zehn."),
        ("es", "¿puedo ir el sábado?", "Tengo a las diez o a las once y media.", "a las diez por favor"),
        ("fr", "je peux venir samedi", "J'ai dix heures ou onze heures.", "dix heures s'il vous plaît"),
        ("it", "posso venire sabato", "Ho le dieci o le undici e mezza.", "alle dieci grazie"),
        ("pt", "posso ir no sábado", "Tenho às dez ou às onze e meia.", "às dez por favor"),
        ("nl", "kan ik zaterdag komen", "Ik heb tien uur of half twaalf.", "tien uur graag"),
    ],
)
def test_the_hour_that_is_chosen_is_told_with_the_day_that_was_wished_for(
    opened: Opened, language: str, wish: str, offer: str, choice: str
) -> None:
    [thread] = opened(f"u: {wish}\na: {offer}\nu: {choice}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 21))
    assert wish in thread.text
    assert choice in thread.text


@pytest.mark.parametrize(
    ("language", "wish", "offer", "choice"),
    [
        ("en", "can i come saturday", "I've ten or half past eleven.", "ten is too early"),
        ("en", "can i come saturday", "I've ten or half past eleven.", "is ten too early"),
        ("de", "kann ich am samstag kommen", "Ich habe zehn oder halb zwölf.", "zehn ist mir zu früh"),
        ("en", "can i come saturday", "I've ten or half past eleven.", "After ten."),
        ("fr", "je peux venir samedi", "J'ai dix heures ou onze heures.", "Après dix heures."),
        ("en", "can i come saturday", "We're full, but the week after I have ten or eleven.", "Ten please."),
    ],
)
def test_an_hour_that_is_not_taken_is_none(
    opened: Opened, language: str, wish: str, offer: str, choice: str
) -> None:
    threads = opened(f"u: {wish}\na: {offer}\nu: {choice}", language)

    assert [one for one in threads if one.due == date(2026, 11, 21)] == []
