"""A day offered in the past tense, as people say it, is not over."""

from datetime import date

import pytest

from voice_server.digest.dates.dates import spoken_dates

WEDNESDAY, LAST_FRIDAY = date(2026, 11, 18), date(2026, 11, 13)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "morgen ist alles voll freitag um sieben ging"),
        ("de", "Freitag um halb acht ging noch."),
        ("de", "Freitag ging auch."),
        ("nl", "vrijdag om zeven uur ging nog"),
        ("nl", "Vrijdag ging ook."),
        ("es", "el viernes a las siete podía ser"),
        ("fr", "vendredi à sept heures on pouvait encore"),
        ("it", "venerdì alle sette andava bene"),
        ("pt", "na sexta às sete dava"),
        ("en", "friday at seven could work"),
    ],
)
def test_a_day_that_would_do_is_not_told_as_past(language: str, said: str) -> None:
    assert LAST_FRIDAY not in {day.first for day in spoken_dates(said, WEDNESDAY, language)}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "am freitag um sieben ging ich heim"),
        ("de", "Am Freitag um sieben ging das Telefon."),
        ("de", "Am Freitag ging nichts mehr."),
        ("nl", "vrijdag om zeven uur ging ik naar huis"),
        ("nl", "Vrijdag ging de telefoon."),
    ],
)
def test_a_day_on_which_something_went_is_past(language: str, said: str) -> None:
    assert [day.first for day in spoken_dates(said, WEDNESDAY, language)] == [LAST_FRIDAY]
