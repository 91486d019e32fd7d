"""The phrases of every language find their examples, and nothing of their counterexamples."""

import pytest

from voice_server.digest.language.calendar_names import calendar, rows
from voice_server.digest.threads.speech.phrases import KINDS, Kind, Phrases, folded, languages, phrases_of


def _phrases(language: str) -> Phrases:
    phrases = phrases_of(language)
    assert phrases is not None
    return phrases


def _has(phrases: Phrases, kind: Kind, text: str) -> bool:
    return phrases.has(kind, phrases.marked(phrases.plain(text)))


@pytest.mark.parametrize("language", languages())
def test_every_example_is_found(language: str) -> None:
    phrases = _phrases(language)
    examples = [(kind, text) for kind, group in phrases.file.groups.items() for text in group.examples]

    assert [one for one in examples if not _has(phrases, *one)] == []


@pytest.mark.parametrize("language", languages())
def test_no_counterexample_is_found(language: str) -> None:
    phrases = _phrases(language)
    others = [(kind, text) for kind, group in phrases.file.groups.items() for text in group.counterexamples]

    assert [one for one in others if _has(phrases, *one)] == []


@pytest.mark.parametrize("language", languages())
def test_an_example_is_found_in_capitals_and_without_accents(language: str) -> None:
    phrases = _phrases(language)
    examples = [(kind, text) for kind, group in phrases.file.groups.items() for text in group.examples]

    missed = [text for kind, text in examples if not _has(phrases, kind, folded(text).upper())]

    assert missed == []


@pytest.mark.parametrize("language", languages())
def test_a_text_may_have_every_kind_that_is_found_in_it(language: str) -> None:
    phrases = _phrases(language)
    groups = phrases.file.groups.values()
    texts = {text for group in groups for text in (*group.examples, *group.counterexamples)}
    marked = {phrases.marked(phrases.plain(text)) for text in texts}

    missed = [
        (kind, text) for text in marked for kind in {*KINDS} - phrases.kinds(text) if phrases.has(kind, text)
    ]

    assert missed == []


@pytest.mark.parametrize("language", languages())
def test_most_kinds_are_looked_for_in_few_texts(language: str) -> None:
    phrases = _phrases(language)
    groups = phrases.file.groups.values()
    marked = {phrases.marked(phrases.plain(text)) for group in groups for text in group.examples}

    assert sum(len(phrases.kinds(text)) for text in marked) < len(marked) * len(KINDS) / 5


@pytest.mark.parametrize("language", languages())
def test_a_language_has_phrases_of_every_kind(language: str) -> None:
    assert set(_phrases(language).file.groups) == set(KINDS)


@pytest.mark.parametrize("language", languages())
def test_a_language_has_seven_weekdays(language: str) -> None:
    phrases = _phrases(language)
    names = rows(calendar(language).weekdays)

    assert {name: phrases.weekdays(phrases.plain(name)) for name in names} == {
        name: {number} for name, number in names.items()
    }
    assert {*names.values()} == {*range(7)}


def test_the_language_of_a_country_is_the_language() -> None:
    assert phrases_of("en-GB") is not None
    assert phrases_of("pt_BR") is phrases_of("pt_BR")


@pytest.mark.parametrize("language", ["", "zz", "../en", "english", "en.toml"])
def test_a_language_without_a_file_has_no_phrases(language: str) -> None:
    assert phrases_of(language) is None


@pytest.mark.parametrize(
    ("language", "text", "recurs"),
    [
        ("fr", "le cours du jeudi est complet", True),
        ("fr", "le cours du jeudi 19 est complet", False),
        ("fr", "mon rendez-vous du jeudi", False),
        ("it", "il corso del giovedì è pieno", True),
        ("it", "il corso di giovedì è pieno", False),
    ],
)
def test_a_course_of_a_weekday_comes_again_and_again(language: str, text: str, *, recurs: bool) -> None:
    phrases = _phrases(language)

    assert phrases.is_recurring(phrases.plain(text)) == recurs
