"""What is fixed for two days in one sentence is two matters."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, OpenThread

Call = Callable[[str], list[Message]]
Opened = Callable[..., tuple[OpenThread, ...]]
BERLIN = ZoneInfo("Europe/Berlin")
THURSDAY, SATURDAY = date(2026, 11, 19), date(2026, 11, 21)
FOR_TWO = {
    "en": (
        "I need a cut on Thursday at three and my husband needs one on Saturday at four.",
        "Thursday at three for you and Saturday at four for your husband, both booked.",
        "My husband can't come on Saturday.", "No problem, I've cancelled his.",
    ),
    "de": (
        "Ich brauche Donnerstag um drei einen Schnitt und mein Mann am Samstag um vier.",
        "Donnerstag um drei für Sie und Samstag um vier für Ihren Mann, ist eingetragen.",
        "Mein Mann kann am Samstag nicht.", "Dann streiche ich ihn.",
    ),
    "es": (
        "Necesito un corte el jueves a las tres y otro para mi marido el sábado a las cuatro.",
        "Jueves a las tres para usted y sábado a las cuatro para su marido, apuntado.",
        "Mi marido no puede venir el sábado.", "Vale, se lo cancelo.",
    ),
    "fr": (
        "Il me faut une coupe jeudi à quinze heures et une pour mon mari samedi à seize heures.",
        "Jeudi quinze heures pour vous et samedi seize heures pour votre mari, c'est noté.",
        "Mon mari ne peut pas venir samedi.", "D'accord, je l'annule.",
    ),
    "it": (
        "Vorrei un taglio giovedì alle tre e uno per mio marito sabato alle quattro.",
        "Giovedì alle tre per lei e sabato alle quattro per suo marito, segnato.",
        "Mio marito sabato non può venire.", "Va bene, lo tolgo.",
    ),
    "nl": (
        "Ik wil donderdag om drie uur knippen en mijn man zaterdag om vier uur.",
        "Donderdag om drie uur voor u en zaterdag om vier uur voor uw man, genoteerd.",
        "Mijn man kan zaterdag niet.", "Prima, dan haal ik hem eruit.",
    ),
    "pt": (
        "Queria um corte na quinta às três e um para o meu marido no sábado às quatro.",
        "Quinta às três para si e sábado às quatro para o seu marido, marcado.",
        "O meu marido não pode vir no sábado.", "Está bem, desmarco.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", FOR_TWO)
def test_two_peoples_appointments_are_two(opened: Opened, language: str) -> None:
    wished, booked, _, _ = FOR_TWO[language]
    found = opened(f"a: Hallo.\nu: {wished}\na: {booked}", language)
    assert [one.due for one in found] == [THURSDAY, SATURDAY]


@pytest.mark.parametrize("language", FOR_TWO)
def test_who_cannot_come_leaves_the_others_appointment(call: Call, opened: Opened, language: str) -> None:
    wished, booked, unable, granted = FOR_TWO[language]
    found = opened(f"a: Hallo.\nu: {wished}\na: {booked}", language)
    known = [
        EarlierThread(number, one.kind, one.said_by, one.text, one.due, f"{wished} {booked}", one.said_on)
        for number, one in enumerate(found, 1)
    ]
    text = f"a: Hallo.\nu: {unable}\na: {granted}"
    assert thread_changes(call(text), language, BERLIN, open_before=known).closes == (2,)


def test_each_is_told_with_what_was_asked_for_it(opened: Opened) -> None:
    asked = "Can I book in Mia for Thursday at four and Leo for Saturday at five?"
    found = opened(f"a: Hello.\nu: {asked}\na: Mia Thursday at four, Leo Saturday at five, done.")
    assert [one.text for one in found] == [
        '"Can I book in Mia for Thursday at four" – "Mia Thursday at four"',
        '"Leo for Saturday at five?" – "Leo Saturday at five, done."',
    ]


def test_what_both_are_is_said_with_each(opened: Opened) -> None:
    found = opened("a: Hello.\nu: Physio's on Thursday at ten and Saturday at ten.\na: Okay.")
    assert [(one.text, one.due) for one in found] == [
        ('"Physio\'s on Thursday at ten"', THURSDAY),
        ('"Physio\'s on … Saturday at ten."', SATURDAY),
    ]


def test_it_needs_no_wish_before_it(call: Call, opened: Opened) -> None:
    booked = "Thursday at three for you and Saturday at four for your husband, both booked."
    found = opened(f"a: Hello.\nu: We need two appointments.\na: {booked}")
    known = [
        EarlierThread(number, one.kind, one.said_by, one.text, one.due, booked, one.said_on)
        for number, one in enumerate(found, 1)
    ]
    text = "a: Hello.\nu: My husband won't be coming on Saturday after all.\na: I've cancelled it."
    assert thread_changes(call(text), "en", BERLIN, open_before=known).closes == (2,)
    text = "a: Hello.\nu: I need to cancel both.\na: Okay, both cancelled."
    assert thread_changes(call(text), "en", BERLIN, open_before=known).closes == (1, 2)


def test_what_is_said_once_stands_once(opened: Opened) -> None:
    found = opened("a: Hello.\na: I've booked you Thursday at ten, and your husband Saturday at ten.\nu: OK.")
    assert [one.text for one in found] == [
        '"I\'ve booked you Thursday at ten"',
        '"your husband Saturday at ten."',
    ]


@pytest.mark.parametrize(
    "said",
    [
        "My sister's coming on Thursday and going home on Saturday.",
        "We're flying to Spain on Thursday and we land on Saturday.",
    ],
)
def test_a_trip_is_one(opened: Opened, said: str) -> None:
    assert len(opened(f"a: Hello.\nu: {said}\na: Okay.")) == 1


@pytest.mark.parametrize(
    "said",
    [
        "We're in Lisbon from Thursday and back on Saturday.",
        "The wedding is on Thursday and I can't come on Saturday.",
        "My op is on Saturday the 21st of November, that's a Saturday, at ten.",
    ],
)
def test_what_is_of_one_thing_is_one(opened: Opened, said: str) -> None:
    assert len(opened(f"a: Hello.\nu: {said}\na: Okay.")) <= 1
