"""Numbers as they are typed and spoken, in seven languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.digest.grounding.numerals import said_numbers, told_numbers
from voice_server.digest.grounding.vocabulary import LANGUAGES, plain, vocabulary


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("en", "Seventy two each, and one more.", ["72"]),
        ("en", "two thousand three hundred and five", ["2305"]),
        ("en", "07700 900461", ["07700", "900461"]),
        ("de", "fünfundsiebzig, zweihundertfünfzig", ["75", "250"]),
        ("de", "um halb neun", ["9"]),
        ("fr", "quatre-vingt-dix-sept et soixante-douze", ["97", "72"]),
        ("es", "treinta y cinco mil", ["35000"]),
        ("it", "trecentocinquanta", ["350"]),
        ("pt", "cento e quarenta e dois", ["142"]),
        ("nl", "tweehonderdvier", ["204"]),
        ("nl", "vijftienduizend negenhonderd", ["15900"]),
        ("de", "zweitausenddreihundert", ["2300"]),
        ("it", "tremila", ["3000"]),
    ],
)
def test_what_is_told_as_a_number_is_read(language: str, text: str, numbers: list[str]) -> None:
    assert told_numbers(plain(text), vocabulary(language)) == numbers


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        ("en", "two oh five fifty five sixteen", "205/55 R16"),
        ("en", "two oh five fifty five sixteen", "2055516"),
        ("en", "oh seven nine double one six two three four five six", "07911 623456"),
        ("en", "nineteen eighty four", "1984"),
        ("en", "at half past nine", "9:30"),
        ("en", "it starts at four", "16:00"),
        ("en", "my mum's sixtieth", "60"),
        ("de", "um halb neun", "8:30 Uhr"),
        ("de", "am dritten", "3"),
        ("de", "zum fünfundsiebzigsten", "75"),
        ("nl", "haar vijfentachtigste verjaardag", "85"),
        ("es", "las nueve menos cuarto", "8:45"),
        ("fr", "vingt heures trente", "20h30"),
        ("de", "eine vitora zweihundert acht jahre alt", "8 Jahre, Vitora 200"),
        ("it", "meglio alle cinque", "alle 17"),
        ("", "beukenlaan tweehonderdvier", "204"),
    ],
)
def test_a_number_that_was_said_is_found_however_it_is_written(language: str, said: str, told: str) -> None:
    assert said_numbers([said], language).lacking(plain(told), vocabulary(language)) == ""


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        ("en", "two oh five fifty five sixteen", "205/50 R16"),
        ("en", "at half past nine", "10:30"),
        ("de", "um halb neun", "19:30 Uhr"),
        ("it", "centoventi euro", "150 euro"),
        ("pt", "cento e quarenta e dois", "124"),
    ],
)
def test_a_number_that_was_not_said_is_not_found(language: str, said: str, told: str) -> None:
    assert said_numbers([said], language).lacking(plain(told), vocabulary(language))


@given(text=st.text(max_size=80), language=st.sampled_from(["", *LANGUAGES]))
def test_every_number_of_a_text_was_said_in_it(text: str, language: str) -> None:
    assert said_numbers([text], language).lacking(plain(text), vocabulary(language)) == ""
