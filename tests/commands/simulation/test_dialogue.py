"""Dialogues to play: the samples, and what is wrong with a file that is none."""

import contextlib
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from voice_server import cli
from voice_server.commands.simulation import dialogue
from voice_server.commands.simulation.simulate_call import beginning, listing
from voice_server.errors import ConfigurationError

NOW = datetime(2026, 11, 17, 10, 30, tzinfo=ZoneInfo("Europe/Berlin"))
CALL = "[[calls]]\ndays_ago = 1\nat = 09:00:00\nsaid = 'agent: Hello'\n"
HEAD = 'title = "Short"\nlanguage = "en"\ncaller = "+14155550150"\n'


@pytest.mark.parametrize("name", dialogue.sample_names())
def test_a_sample_has_both_sides_of_each_call_the_oldest_first(name: str) -> None:
    sample = dialogue.read(name)

    began = [call.began(NOW) for call in sample.calls]
    assert began == sorted(began)
    assert all({turn.role for turn in call.turns} == {"agent", "user"} for call in sample.calls)


def test_there_is_a_sample_in_each_language_with_a_caller_of_its_own() -> None:
    samples = dialogue.samples().values()

    assert {sample.language for sample in samples} == {"en", "de", "es", "fr", "it", "pt", "nl"}
    assert len({sample.caller for sample in samples}) == len(samples)


def test_the_list_names_each_sample_with_its_calls() -> None:
    assert [line.split()[0] for line in listing()] == dialogue.sample_names()
    assert any(line.startswith("week ") and "en, 5 calls" in line for line in listing())


def test_the_command_lists_them_without_a_server() -> None:
    listed = CliRunner().invoke(cli.app, ["simulate-call", "--list"])

    assert listed.output.splitlines() == list(listing())


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--play", "month"], "no sample dialogue month"),
        (["--on", "tomorrow"], "--on tomorrow is no date"),
        (["--language", "German"], "--language German is no language"),
        (["--play", "week", "--file", "call.txt"], "--file and --play do not go together"),
        (["--play", "week", "--summary", "Short."], "--summary does not go with --play"),
    ],
)
def test_the_command_refuses_before_it_calls(options: list[str], reason: str, tmp_path: Path) -> None:
    known = {"PLATFORM_TOKEN": "t", "ELEVENLABS_WEBHOOK_SECRET": "s", "DATA_DIR": str(tmp_path)}

    refused = CliRunner().invoke(cli.app, ["simulate-call", *options], env=known)

    assert isinstance(refused.exception, ConfigurationError)
    assert reason in str(refused.exception)


def test_a_call_begins_at_its_time_on_the_servers_calendar(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(HEAD + CALL)

    (call,) = dialogue.read(str(file)).calls

    assert call.began(NOW).isoformat() == "2026-11-16T09:00:00+01:00"


def test_who_speaks_is_said_at_the_beginning_of_a_line() -> None:
    lines = ["agent: Hello!", "# nobody", "", "Caller: Hi.", "A: Yes?", "No mark: mine.", "u:"]

    assert list(dialogue.read_turns(lines)) == [
        dialogue.Turn("agent", "Hello!"),
        dialogue.Turn("user", "Hi."),
        dialogue.Turn("agent", "Yes?"),
        dialogue.Turn("user", "No mark: mine."),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("title", "Expected"),
        (HEAD, "calls"),
        (HEAD + "calls = []", "calls"),
        (HEAD.replace('"en"', '"English"') + CALL, "language"),
        (HEAD + CALL.replace("1", "-1", 1), "days_ago"),
        (HEAD + CALL.replace("09:00:00", "'nine'"), "at"),
        (HEAD + CALL.replace("said", "says"), "says"),
        (HEAD + CALL.replace("agent: Hello", "# nobody"), "nothing is said in call 1"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)

    with pytest.raises(ConfigurationError, match=f"wrong.toml is no dialogue to play: .*{reason}"):
        dialogue.read(str(file))


def test_a_file_that_is_not_there_and_a_name_that_is_unknown_are_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"gone\.toml cannot be read: No such file"):
        dialogue.read(str(tmp_path / "gone.toml"))
    with pytest.raises(ConfigurationError, match="no sample dialogue month: --list says"):
        dialogue.read("month")


@pytest.mark.parametrize(
    ("on", "began"),
    [
        ("2026-11-10", "2026-11-10T10:30:00+01:00"),
        ("2026-11-17", "2026-11-17T10:30:00+01:00"),
        ("2026-06-10T18:30", "2026-06-10T18:30:00+02:00"),
        ("2026-11-17T09:29:00Z", "2026-11-17T09:29:00+00:00"),
    ],
)
def test_a_call_began_on_the_day_or_at_the_time_that_is_named(on: str, began: str) -> None:
    assert beginning(on, NOW).isoformat() == began


@pytest.mark.parametrize(
    ("on", "reason"),
    [
        ("yesterday", "is no date: write 2026-11-20"),
        ("2026-02-30", "is no date"),
        ("2026-11-17T10:31", "is still to come: here it is 2026-11-17T10:30"),
        ("2026-11-18", "is still to come"),
        ("1999-12-31", "is too long ago"),
    ],
)
def test_a_date_on_which_no_call_can_have_been_is_said(on: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=f"--on {on} {reason}"):
        beginning(on, NOW)


@given(st.one_of(st.text("0123456789-:.TWZ+", max_size=20), st.datetimes().map(datetime.isoformat)))
def test_no_call_is_of_a_day_to_come_or_of_a_time_without_such_calls(on: str) -> None:
    with contextlib.suppress(ConfigurationError):
        assert 2015 <= beginning(on, NOW).year <= NOW.year
        assert beginning(on, NOW) <= NOW
