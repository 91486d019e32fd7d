"""What the files of manners say of themselves: each example is a courtesy, no counterexample is."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files

import pytest

from voice_server.digest.language.manner import LANGUAGES, manner
from voice_server.digest.rules.courtesies import is_courtesy, is_sympathy


def _written(language: str, table: str) -> Mapping[str, Sequence[str]]:
    file = files("voice_server.digest.language").joinpath("manners", f"{language}.toml")
    written: Mapping[str, Sequence[str]] = tomllib.loads(file.read_text("utf-8"))[table]
    return written


def _courtesies(said: Sequence[str], language: str) -> list[str]:
    return [text for text in said if is_courtesy(text, manner(language))]


@pytest.mark.parametrize("table", ["courtesies", "remarks"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_example_only_greets_takes_leave_or_reacts(language: str, table: str) -> None:
    examples = _written(language, table)["examples"]

    assert _courtesies(examples, language) == examples


@pytest.mark.parametrize("table", ["courtesies", "remarks"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_counterexample_says_more(language: str, table: str) -> None:
    assert _courtesies(_written(language, table)["counterexamples"], language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_agent_who_feels_with_a_caller_says_no_more(language: str) -> None:
    written = _written(language, "sympathy")

    felt = [text for text in written["examples"] if is_sympathy(text, manner(language))]
    assert felt == written["examples"]
    assert [text for text in written["counterexamples"] if is_sympathy(text, manner(language))] == []
