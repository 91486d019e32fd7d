"""What a platform's model says was settled means one of the threads that were open, or none: it has not seen
them, and words the matter anew."""

import pytest

from voice_server.digest.analysis.matters import settled
from voice_server.digest.analysis.report import ClosedMatter

LAMP, INVOICE = "The agent will order a new lamp for the hall; on Friday", "The agent will email the invoice"
DENTIST_OF_ADA = "Ada's check-up at ten; Monday the seventh"
DENTIST_OF_BEN = "Ben's check-up at half past ten; Monday the seventh"
OF_A_SERIES = "Swimming lessons every Wednesday at five"


def closes(
    threads: tuple[str, ...], matter: str, *opened: str, quote: str = "", language: str = "en"
) -> list[int]:
    return settled([ClosedMatter(matter, quote)], dict(enumerate(threads)), opened, language)


@pytest.mark.parametrize(
    ("language", "threads", "matter", "quote"),
    [
        ("en", (LAMP, INVOICE), "Ordering the lamp", "the lamp's up and it's lovely"),
        ("en", (LAMP, INVOICE), "The hall lamp", "it looks lovely up there"),
        ("en", (LAMP, INVOICE), "Choosing a lamp", "I found a lamp at the market"),
        ("en", (DENTIST_OF_ADA, DENTIST_OF_BEN), "Ada's check-up", "she has a fever, we can't come"),
        (
            "de",
            ("Die Firma legt den Garagenschlüssel bereit", "Der Agent schickt den Vertrag"),
            "Der Schlüssel",
            "den hab ich mir geholt",
        ),
        (
            "fr",
            ("L'agent rappelle dès que les chaises arrivent", "L'agent envoie le catalogue"),
            "Les chaises de l'appelante",
            "elles sont déjà au salon",
        ),
        (
            "es",
            ("La clienta enviará una foto", "El agente pedirá la pieza de la lavadora"),
            "El envío de la foto",
            "la foto llegó ayer",
        ),
        (
            "nl",
            ("De agent bestelt een reservesleutel", "De beller stuurt het kenteken"),
            "De sleutel",
            "dat ligt al in de schuur",
        ),
    ],
)
def test_the_thread_is_meant_whose_own_words_come_up_again(
    language: str, threads: tuple[str, ...], matter: str, quote: str
) -> None:
    assert closes(threads, matter, quote=quote, language=language) == [0]


@pytest.mark.parametrize(
    ("threads", "matter", "quote"),
    [
        ((DENTIST_OF_ADA, DENTIST_OF_BEN), "The check-up", "that's done now"),  # whose?
        ((LAMP, INVOICE), "The paperwork for the lamp", "it came, same day"),  # a word in passing
        ((LAMP, INVOICE), "The parcel", "it came, same day"),
        ((LAMP,), "The parcel", "it came, same day"),
        ((INVOICE,), "Selling the car", "I finally sold my car"),
        (("The agent will send the kitchen quote", INVOICE), "Ada's kitchen party", "the kitchen was lovely"),
        (("The agent will see to the wiring", LAMP), "The ring", "I found the ring"),
        ((OF_A_SERIES,), "The lesson on the ninth", "we'll skip the ninth"),  # the others take place
        ((), "The lamp", "it's up"),
    ],
)
def test_where_it_may_be_another_thread_none_is_closed(
    threads: tuple[str, ...], matter: str, quote: str
) -> None:
    assert closes(threads, matter, quote=quote) == []


def test_a_series_that_is_given_up_is_closed() -> None:
    assert closes((OF_A_SERIES,), "The swimming lessons", quote="we give up the swimming") == [0]


def test_the_only_thread_is_meant_by_what_has_no_words_of_its_own() -> None:
    assert closes((LAMP,), "What the caller asked for", quote="don't trouble yourself any further") == [0]


def test_what_is_opened_anew_takes_the_place_of_what_was_open() -> None:
    piano, call = "Delivery of a piano; Saturday the twelfth", "The agent rings before"
    matter, quote = "The delivery that weekend", "we're away then"

    assert closes((piano, call), matter, "Delivery in the afternoon; Monday", quote=quote) == [0]
    assert closes((piano, call), matter, "The boys may use the back door", quote=quote) == []
