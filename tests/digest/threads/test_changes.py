"""What only says that an appointment holds opens no second one."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import ThreadChanges, thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

FRIDAY = date(2026, 11, 20)


@pytest.fixture
def changes(call: Callable[[str], list[Message]]) -> Callable[..., ThreadChanges]:
    """Of a written-down call on Tuesday 17 November 2026, with an appointment on Friday."""
    agreed = EarlierThread(1, "plan", "user", '"Friday at ten?" – "Yes please."', FRIDAY)
    berlin = ZoneInfo("Europe/Berlin")
    return lambda text, language="en": thread_changes(call(text), language, berlin, open_before=[agreed])


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "And Friday's still on?", "Yes, Friday's on."),
        ("de", "Bleibt es bei Freitag?", "Ja, dabei bleibt es."),
        ("es", "¿Sigue en pie lo del viernes?", "Sí, sigue en pie."),
        ("fr", "C'est toujours bon pour vendredi ?", "Oui, toujours."),
        ("it", "È sempre confermato venerdì?", "Sì, confermato."),
        ("nl", "Gaat vrijdag nog door?", "Ja, vrijdag gaat door."),
        ("pt", "Continua de pé na sexta?", "Sim, continua."),
    ],
)
def test_an_appointment_that_holds_is_told_once(
    changes: Callable[..., ThreadChanges], language: str, asked: str, answer: str
) -> None:
    made = changes(f"a: {asked}\nu: {answer}", language)

    assert (made.opened, made.closes) == ((), ())


def test_an_hour_that_holds_is_told_once(changes: Callable[..., ThreadChanges]) -> None:
    made = changes("u: And that's still ten?\na: It is, ten.\nu: Thanks.")

    assert (made.opened, made.closes) == ((), ())


def test_an_hour_that_holds_is_of_no_day_before_it(call: Callable[[str], list[Message]]) -> None:
    agreed = EarlierThread(
        1, "plan", "user", '"Half past seven for six?" – "Yes please."', date(2026, 12, 19)
    )
    said = (
        "a: I'll need a deposit by the twelfth please.\nu: I'll do that.\nu: Is it still half seven?\n"
        "a: Still half seven.\nu: Smashing."
    )
    made = thread_changes(call(said), "en", ZoneInfo("Europe/Berlin"), open_before=[agreed])

    assert not [one for one in made.opened if "half seven" in one.text]


@pytest.mark.parametrize(
    "text",
    [
        "a: Does Thursday still suit you for the blood test?\nu: Yes, Thursday at nine.",
        "u: My sister still comes on Friday with the cake.\na: Lovely.",
    ],
    ids=["another day", "another matter"],
)
def test_another_plan_is_opened_beside_it(changes: Callable[..., ThreadChanges], text: str) -> None:
    assert changes(text).opened


def test_another_hour_of_a_weekday_is_on_the_known_one(call: Callable[[str], list[Message]]) -> None:
    table = '"Table for two on Saturday the 5th at half seven?" – "Booked."'
    agreed = EarlierThread(1, "plan", "agent", table, date(2026, 12, 5))
    said = "a: Bella's.\nu: It's about Saturday. Could we push it to eight?\na: Eight's fine.\nu: Thanks."
    made = thread_changes(call(said), "en", ZoneInfo("Europe/Berlin"), open_before=[agreed])

    assert (made.closes, [one.due for one in made.opened]) == ((1,), [date(2026, 12, 5)])
