import pytest

from voice_server.digest.language.languages import is_english, spoken_language


@pytest.mark.parametrize("given", ["en", "en-US", "EN-gb", "en_GB"])
def test_every_english_is_english(given: str) -> None:
    assert is_english(spoken_language(["Guten Tag"], given))


@pytest.mark.parametrize("given", ["de", "de-AT", "ja", "enm"])
def test_a_given_language_is_believed(given: str) -> None:
    assert spoken_language(["I am here and you are there"], given) == given
    assert not is_english(given)


@pytest.mark.parametrize("given", ["", "und", "mul", "?"])
def test_english_is_recognised_by_its_function_words(given: str) -> None:
    assert spoken_language(["I can't make it on Friday, I have to work."], given) == "en"


@pytest.mark.parametrize(
    "text",
    [
        "Ich kann am Freitag leider nicht kommen, was machen wir nun?",
        "Ik kan vrijdag niet komen, we moeten het in de week daarna doen.",
        "No puedo ir el viernes, me gustaría cambiar la cita.",
        "金曜日の予約を月曜日に変更したいです。",
        "",
    ],
)
def test_what_is_not_english_stays_unknown(text: str) -> None:
    assert spoken_language([text]) == ""
