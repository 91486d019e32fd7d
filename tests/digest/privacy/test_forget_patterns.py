"""What the files of patterns say of themselves: each example is heard, each counterexample is not."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from voice_server.digest.privacy import forget_patterns
from voice_server.digest.privacy.forget_patterns import Language, WishGroup

_LANGUAGES = forget_patterns.languages()


def _groups() -> Iterator[tuple[Language, WishGroup]]:
    return ((language, group) for language in _LANGUAGES for group in language.file.wishes)


def _named(language: Language, *more: str) -> str:
    return " · ".join((language.file.language, *more))


_EXAMPLES = [
    pytest.param(language, group, said, id=_named(language, said))
    for language, group in _groups()
    for said in group.examples
]
_COUNTEREXAMPLES = [
    pytest.param(said, id=_named(language, said))
    for language, group in _groups()
    for said in group.counterexamples
]
_PATTERNS = [
    pytest.param(language, group, pattern, id=_named(language, group.name, str(number)))
    for language, group in _groups()
    for number, pattern in enumerate(group.patterns)
]


def test_nine_languages_are_understood() -> None:
    assert {language.file.language for language in _LANGUAGES} == {
        *("English", "German", "French", "Spanish", "Italian", "Portuguese", "Dutch", "Chinese", "Japanese")
    }


@pytest.mark.parametrize(("language", "group", "said"), _EXAMPLES)
def test_an_example_is_heard(language: Language, group: WishGroup, said: str) -> None:
    heard = {wish.reaches for wish in language.wishes(said) if language in forget_patterns.hinting(said)}

    assert group.reaches in heard


@pytest.mark.parametrize("said", _COUNTEREXAMPLES)
def test_a_counterexample_wishes_nothing(said: str) -> None:
    assert [wish for wish in forget_patterns.find(said) if wish.reaches != "known topic"] == []


@pytest.mark.parametrize(("language", "group", "pattern"), _PATTERNS)
def test_a_pattern_has_an_example(language: Language, group: WishGroup, pattern: str) -> None:
    assert any(language.matches(group, pattern, said) for said in group.examples)


@pytest.mark.parametrize("language", [pytest.param(one, id=_named(one)) for one in _LANGUAGES])
def test_nothing_repeats_without_a_bound(language: Language) -> None:
    file = language.file
    written = [*file.phrases.values(), *(pattern for group in file.wishes for pattern in group.patterns)]

    assert [pattern for pattern in written if re.search(r"[*+]|,\}", pattern)] == []


def test_an_unknown_field_of_a_file_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="reach"):
        forget_patterns.read('language = "Ours"\nhints = []\nplease = []\nwishes = []\nreach = "whole"')


@pytest.mark.parametrize(
    "said",
    [
        "Don't remember that, please.",
        "dont remember that please",
        "DON’T REMEMBER THAT, PLEASE!!!",
        "uh, don't, um, remember that … please",
        "Don t remember that pls",
    ],
)
def test_capitals_punctuation_apostrophes_and_fillers_make_no_difference(said: str) -> None:
    assert "before" in {wish.reaches for wish in forget_patterns.find(said.replace("’", "'"))}


def test_a_topic_is_the_words_that_name_it() -> None:
    wishes = forget_patterns.find("Vergiss bitte, was ich über die Äpfel von Frau Müller gesagt habe.")

    assert {wish.topic for wish in wishes if wish.topic} == {"äpfel frau müller"}


def test_a_word_that_names_nothing_in_another_language_names_a_topic() -> None:
    wishes = forget_patterns.find("Erase what I told you about my son.")

    assert {wish.topic for wish in wishes if wish.topic} == {"son"}
