"""What somebody gave or did before says nothing of a day that is only named behind it."""

from datetime import date

import pytest

from voice_server.digest.dates.dates import spoken_dates

FRIDAY, LAST_TUESDAY = date(2026, 11, 20), date(2026, 11, 17)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "you gave me Tuesday at six and I'm working"),
        ("en", "I was given Tuesday at six but I'm working."),
        ("de", "Sie haben mir Dienstag um sechs gegeben, da muss ich aber arbeiten."),
        ("fr", "Vous m'avez donné mardi à six heures mais je travaille."),
        ("es", "me dieron el martes a las seis y trabajo."),
        ("it", "Mi avete dato martedì alle sei ma lavoro."),
        ("pt", "Deram-me terça às seis mas trabalho."),
        ("nl", "U heeft me dinsdag om zes uur gegeven maar dan werk ik."),
        ("en", "fine they took it already the results on tuesday"),
        ("de", "gut haben sie schon gemacht die ergebnisse am dienstag"),
        ("fr", "ça s'est bien passé les résultats mardi"),
        ("es", "bien ya me lo hicieron los resultados el martes"),
        ("it", "bene l'hanno già fatto i risultati martedì"),
        ("pt", "bem fizeram-no já os resultados na terça"),
        ("nl", "goed ze hebben het al gedaan de uitslag dinsdag"),
    ],
)
def test_a_day_that_was_given_or_stands_behind_what_was_done_may_be_ahead(language: str, said: str) -> None:
    assert LAST_TUESDAY not in {day.first for day in spoken_dates(said, FRIDAY, language)}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "she gave me a parcel on tuesday"),
        ("en", "they took the dog to the vet on tuesday"),
        ("en", "they took it on tuesday"),
        ("de", "sie haben mir am dienstag ein paket gegeben"),
        ("de", "sie haben mir die ergebnisse am dienstag gegeben"),
        ("fr", "ils m'ont donné mardi un colis"),
        ("es", "me dieron el martes los resultados"),
        ("it", "l'ho visto martedì"),
        ("nl", "ze hebben me dinsdag een pakje gegeven"),
    ],
)
def test_a_day_on_which_something_was_given_or_done_is_past(language: str, said: str) -> None:
    assert [day.first for day in spoken_dates(said, FRIDAY, language)] == [LAST_TUESDAY]
