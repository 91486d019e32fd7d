"""A date of birth that is read back is no appointment; a day for a birthday is."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]

BORN = {
    "en": ("And your date of birth?", "The eleventh of September.", "The 11th of September."),
    "de": ("Und Ihr Geburtsdatum?", "Elfter September.", "Am 11. September."),
    "es": ("¿Su fecha de nacimiento?", "El once de septiembre.", "El 11 de septiembre."),
    "fr": ("Votre date de naissance ?", "Le onze septembre.", "Le 11 septembre."),
    "it": ("La sua data di nascita?", "L'undici settembre.", "L'11 settembre."),
    "nl": ("En uw geboortedatum?", "Ik ben van elf september negenenzeventig.", "11 september 1979."),
    "pt": ("A sua data de nascimento?", "Onze de setembro.", "11 de setembro."),
}


@pytest.mark.parametrize("language", BORN)
def test_a_date_of_birth_that_is_read_back_opens_nothing(opened: Opened, language: str) -> None:
    asked, said, read_back = BORN[language]

    assert opened(f"a: {asked}\nu: {said}\na: {read_back}", language) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Yes. I'd like a table on the 20th of November at seven.\na: The 20th of November at seven.",
        "Yes. I need a cake for the 20th of November.\na: OK, 20th of November it is.",
    ],
)
def test_a_day_for_a_birthday_is_agreed_on(opened: Opened, said: str) -> None:
    [thread] = opened(f"a: Is it for a birthday?\nu: {said}")

    assert thread.due == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "a: What's her date of birth?\nu: 4 May 2015.\na: I have the 19th of November at nine.\nu: Yes.",
        ),
        ("de", "a: Geburtsdatum?\nu: 4. Mai 2015.\na: Am 19. November um neun hätte ich was.\nu: Ja bitte."),
        ("es", "a: ¿Fecha de nacimiento?\nu: El 4 de mayo de 2015.\na: Tengo el 19 a las nueve.\nu: Sí."),
        ("fr", "a: Sa date de naissance ?\nu: Le 4 mai 2015.\na: Le 19 novembre à neuf heures ?\nu: Oui."),
    ],
)
def test_an_appointment_offered_behind_a_date_of_birth_opens(
    opened: Opened, language: str, said: str
) -> None:
    assert [one.due for one in opened(said, language)] == [date(2026, 11, 19)]


def test_a_day_behind_a_date_of_birth_is_not_of_its_month(opened: Opened) -> None:
    born = "a: Your date of birth?\nu: 4th of May 1950."
    text = f"{born}\na: And when would you like to come?\nu: On the 20th at nine.\na: The 20th at nine, fine."

    assert [one.due for one in opened(text)] == [date(2026, 11, 20)]
