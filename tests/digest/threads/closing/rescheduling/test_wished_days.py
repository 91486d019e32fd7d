"""A day that is asked for in place of an appointment's is told by it: a day later, the week after."""

from collections.abc import Callable, Sequence
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import ThreadChanges, thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
Changes = Callable[..., ThreadChanges]
NINTH = date(2026, 12, 9)
YES = {
    "en": ("At half past ten?", "Half past ten, yes."),
    "de": ("Um halb elf?", "Halb elf, ja."),
    "es": ("¿A las diez y media?", "Sí, a las diez y media."),
    "fr": ("À dix heures et demie ?", "Oui, dix heures et demie."),
    "it": ("Alle dieci e mezza?", "Sì, alle dieci e mezza."),
    "nl": ("Om half elf?", "Ja, half elf."),
    "pt": ("Às dez e meia?", "Sim, às dez e meia."),
}


@pytest.fixture
def changes(call: Call) -> Changes:
    """Of a written-down call on Tuesday 17 November 2026, with an appointment on Wednesday 9 December."""
    agreed = EarlierThread(1, "plan", "user", '"Wednesday the ninth at nine?" – "Yes please."', NINTH)
    berlin = ZoneInfo("Europe/Berlin")
    return lambda text, language="en": thread_changes(call(text), language, berlin, open_before=[agreed])


def days(changes: Changes, language: str, *said: str) -> Sequence[date | None]:
    """When what takes its place is, of turns that the user begins."""
    turns = [f"{'a' if number % 2 else 'u'}: {turn}" for number, turn in enumerate(said)]
    made = changes("\n".join(["a: Hello.", *turns]), language)
    assert made.closes == (1,)
    return [one.due for one in made.opened]


@pytest.mark.parametrize(
    ("language", "wish", "day"),
    [
        ("en", "The ninth is no good. Could we do the day after?", date(2026, 12, 10)),
        ("en", "The ninth is no good. A day earlier?", date(2026, 12, 8)),
        ("en", "The ninth is no good. Same day the week after?", date(2026, 12, 16)),
        ("en", "The ninth is no good. Could we do the Friday of the week after?", date(2026, 12, 18)),
        ("de", "Am neunten kann ich nicht. Ginge es einen Tag später?", date(2026, 12, 10)),
        ("de", "Am neunten kann ich nicht. Ginge es eine Woche später?", date(2026, 12, 16)),
        ("es", "El nueve no puedo. ¿Podría ser un día después?", date(2026, 12, 10)),
        ("fr", "Le neuf, je ne peux pas. On peut mettre un jour plus tard ?", date(2026, 12, 10)),
        ("fr", "Le neuf, je ne peux pas. On peut mettre la semaine d'après ?", date(2026, 12, 16)),
        ("it", "Il nove non posso. Si può fare il giorno prima?", date(2026, 12, 8)),
        ("nl", "De negende kan ik niet. Kan het een dag later?", date(2026, 12, 10)),
        ("pt", "No dia nove não posso. Pode ser uma semana depois?", date(2026, 12, 16)),
    ],
)
def test_the_hour_agreed_on_is_of_the_day_that_was_asked_for(
    changes: Changes, language: str, wish: str, day: date
) -> None:
    assert days(changes, language, wish, *YES[language]) == [day]


def test_it_is_told_with_the_day_that_was_asked_for(changes: Changes) -> None:
    (made,) = changes(
        "u: The ninth is no good. Could we do the day after?\na: At half past ten?\nu: Half past ten, yes."
    ).opened

    assert made.text == '"Could we do the day after?" – "At half past ten?" – "Half past ten, yes."'


def test_a_wish_that_is_granted_needs_no_hour(changes: Changes) -> None:
    said = ("The ninth is no good. Could we do a week later?", "Yes, same time?", "Yes please.")

    assert days(changes, "en", *said) == [date(2026, 12, 16)]


def test_the_hour_alone_is_moved_within_the_day(changes: Changes) -> None:
    assert days(changes, "en", "I can't do nine on the ninth.", *YES["en"]) == [NINTH]


@pytest.mark.parametrize(
    "said", ["The ninth is no good.", "I can't do the ninth. Have you anything on the Friday?"]
)
def test_the_day_that_was_put_off_is_never_the_new_one(changes: Changes, said: str) -> None:
    assert days(changes, "en", said, *YES["en"]) == [None]


@pytest.mark.parametrize(
    ("language", "has", "wish", "offer", "answer"),
    [
        (
            "en",
            "I've got the talk with Mrs March on Thursday the 17th of December at three.",
            "Could it be the day before? I work Thursdays.",
            "Wednesday the sixteenth at ten past four?",
            "Ten past four, lovely.",
        ),
        (
            "it",
            "Il colloquio con la Marchetti ce l'ho giovedì diciassette dicembre, alle quindici.",
            "Non è che si può fare il giorno prima? Il giovedì lavoro.",
            "Mercoledì sedici, alle sedici e dieci?",
            "Sedici e dieci, benissimo.",
        ),
    ],
)
def test_so_it_is_within_one_call(
    changes: Changes, language: str, has: str, wish: str, offer: str, answer: str
) -> None:
    made = changes(f"u: {has}\na: Mhm.\nu: {wish}\na: {offer}\nu: {answer}", language)

    assert [one.due for one in made.opened] == [date(2026, 12, 16)]
    assert "March" in made.opened[0].text


@pytest.mark.parametrize(
    "said",
    [
        "u: Will the results be there the week after?\na: Yes.",
        "u: Can I ring you the week after?\na: Yes, do.",
        "u: Do I get the results on the Friday that week?\na: Yes, usually.",
    ],
)
def test_what_else_is_asked_of_a_day_leaves_the_appointment(changes: Changes, said: str) -> None:
    assert changes(f"a: Hello.\n{said}").closes == ()


def test_a_wish_that_is_only_to_be_asked_about_is_not_granted(changes: Changes) -> None:
    said = "u: I can't make it. Could we do a week later?\na: Right, I'll ask and ring you back."

    assert not [one for one in changes(f"a: Hello.\n{said}").opened if one.kind == "plan"]
