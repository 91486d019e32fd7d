"""What the files of date phrases say of themselves: each example is read so, in each counterexample nothing
is."""

import re
from datetime import date

import msgspec
import pytest

from voice_server.digest.dates.date_language import (
    DateFile,
    DateLanguage,
    Expression,
    date_language,
    languages,
)
from voice_server.digest.dates.dates import SpokenDate, spoken_dates
from voice_server.errors import ConfigurationError

_CODES = languages()


def _read(code: str) -> DateLanguage:
    language = date_language(code)
    assert language is not None
    return language


def test_seven_languages_are_read() -> None:
    assert {_read(code).file.language for code in _CODES} == {
        *("English", "German", "French", "Spanish", "Italian", "Portuguese", "Dutch")
    }


@pytest.mark.parametrize("code", _CODES)
def test_each_example_names_its_day(code: str) -> None:
    file = _read(code).file
    wrong = {
        f"{place} {expression.kind}: {text}": found
        for place, expression in enumerate(file.expressions)
        for text, meant, *said in expression.examples
        if (found := _found(text, date.fromisoformat((*said, file.said)[0]), code)) != meant
    }

    assert wrong == {}, "\n".join(f"{place}: {found}" for place, found in wrong.items())


@pytest.mark.parametrize("code", _CODES)
def test_no_counterexample_names_a_day(code: str) -> None:
    file = _read(code).file
    said = date.fromisoformat(file.said)
    texts = [text for expression in file.expressions for text in expression.counterexamples]

    assert {text: found for text in texts if (found := _found(text, said, code))} == {}


@pytest.mark.parametrize("code", _CODES)
def test_days_are_read_without_capitals_punctuation_and_accents(code: str) -> None:
    file = _read(code).file
    examples = [one for expression in file.expressions for one in expression.examples if _is_plain(one[0])]

    wrong = [
        text
        for text, meant, *said in examples
        if _found(text.upper().capitalize(), date.fromisoformat((*said, file.said)[0]), code) != meant
    ]

    assert wrong == []


@pytest.mark.parametrize("code", _CODES)
def test_each_expression_is_hinted_at_by_its_examples(code: str) -> None:
    for compiled in _read(code).expressions:
        assert compiled.anchors, compiled.expression.patterns


@pytest.mark.parametrize("code", _CODES)
def test_nothing_repeats_without_a_bound(code: str) -> None:
    file, cues = _read(code).file, _read(code).file.direction
    written = [pattern for expression in file.expressions for pattern in expression.patterns]
    written += [*cues.past, *cues.future, *cues.doubt, *cues.not_past, *cues.not_future, file.clock]

    assert [pattern for pattern in written if re.search(r"(?<!\\)[.\])][*+]|,\}", pattern)] == []


def test_there_are_two_hundred_examples_at_least() -> None:
    files = [_read(code).file for code in _CODES]

    assert sum(len(one.examples) for file in files for one in file.expressions) > 200
    assert all(sum(len(one.counterexamples) for one in file.expressions) > 20 for file in files)


def test_an_unknown_field_of_a_file_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "day", "patterns": [], "example": []}, Expression)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"language": "English"}, DateFile)


def _is_plain(text: str) -> bool:
    return re.fullmatch(r"[a-z ]+", text) is not None


def _found(text: str, said: date, code: str) -> str:
    return " ".join(_shown(day) for day in spoken_dates(text, said, code))


def _shown(day: SpokenDate) -> str:
    return f"{day.first}" if day.first == day.last else f"{day.first}/{day.last}"


def test_a_language_without_names_of_months_is_refused_by_the_name_of_the_missing_file() -> None:
    with pytest.raises(ConfigurationError, match=r"calendars/sv\.toml is missing"):
        DateLanguage("sv", _read("en").file)
