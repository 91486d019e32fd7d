"""`voice-server simulate-call`: dialogues, calls of other days and languages, and a conversation that is
typed."""

import asyncio
import contextlib
import os
import pty
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from conftest import SECRET, TOKEN, House

from voice_server.commands.simulation import dialogue, simulate_call
from voice_server.commands.simulation.simulate_call import Script
from voice_server.commands.simulation.simulated_platform import AGENTS_NUMBER, Platform, Target
from voice_server.errors import ConfigurationError

Play = Callable[[Script], Awaitable[int]]


@pytest.fixture
def play(working: House) -> Play:
    """Plays a script against a house whose worker works."""
    platform = Platform(working.client, Target("", TOKEN, SECRET, "Europe/Berlin"), working.clock)
    return lambda script: asyncio.to_thread(simulate_call.play, platform, script)


async def test_every_sample_is_played_and_remembered(
    house: House, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in dialogue.sample_names():
        assert await play(Script(play=name)) == 0

    shown = capsys.readouterr().out
    calls = sum(len(sample.calls) for sample in dialogue.samples().values())
    assert shown.count("The next prompt was ready") == calls
    assert "── Wednesday 11 November 2026, 09:10\n  agent: Lakeside Physio, good morning.\n" in shown
    assert "+ You have had 5 earlier conversations" in shown
    assert "5 earlier conversations" in house.platform.told("+14155550150", agent="agent_demo")
    await house.work()
    assert await house.query("select count(*) from digests") == [(calls,)]
    languages = "select distinct language from conversations order by 1"
    assert await house.query(languages) == [(code,) for code in ("de", "en", "es", "fr", "it", "nl", "pt")]


async def test_a_call_takes_place_on_the_day_and_in_the_language_that_are_named(
    house: House, play: Play, tmp_path: Path
) -> None:
    file = tmp_path / "call.txt"
    file.write_text("agent: Guten Tag!\nIch brauche das Rezept.\n")

    assert await play(Script(file=file, on="2026-11-10T18:30", language="de", caller="+14155550160")) == 0

    started = (
        "select started_at at time zone 'Europe/Berlin', ended_at - started_at, language from conversations"
    )
    ((began, lasted, language),) = await house.query(started)
    assert (f"{began:%Y-%m-%d %H:%M}", lasted.total_seconds(), language) == ("2026-11-10 18:30", 12, "de")


async def test_a_dialogue_of_a_hidden_caller_is_played_without_a_memory(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await play(Script(play="dutch", caller="anonymous")) == 0

    assert "A caller without a number has no memory" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (Script(file=Path("/nope")), "/nope cannot be read"),
        (Script(caller="12"), "--from 12 is no phone number"),
        (Script(play="dutch", caller="12"), "--from 12 is no phone number"),
        (Script(caller="(415) 555-0199"), "is the agent's own number"),
        (Script(play="dutch", caller="+14155550199"), "is the agent's own number"),
    ],
)
def test_what_cannot_be_played_is_told_before_anything_is_asked(
    house: House, capsys: pytest.CaptureFixture[str], script: Script, why: str
) -> None:
    with pytest.raises(ConfigurationError, match=why):
        simulate_call.play(Platform(house.client, Target("", TOKEN, SECRET), house.clock), script)

    assert capsys.readouterr().out == ""


def test_no_page_calls_from_the_agents_own_number() -> None:
    pages = Path(__file__).parents[2].glob("docs/**/*.md")

    callers = [caller for page in pages for caller in re.findall(r"--from (\S+)", page.read_text())]

    assert callers
    assert AGENTS_NUMBER not in callers


def test_a_typed_line_can_be_edited_and_an_earlier_one_brought_back(tmp_path: Path) -> None:
    history = tmp_path / "typed_calls"
    history.write_text("agent: Hello from before!\n")
    up, left, end = b"\x1b[A", b"\x1b[D", b"\r"

    typed = [up, end, b"I need the rcipe.", left * 5, b"e", end, end]

    said = in_a_terminal(history, b"".join(typed))
    assert (
        "Turn(role='agent', text='Hello from before!'), Turn(role='user', text='I need the recipe.')" in said
    )
    assert history.read_text().endswith("agent: Hello from before!\nI need the recipe.\n")


def in_a_terminal(history: Path, typed: bytes) -> str:
    """What a process shows that reads a conversation from a terminal in which this is typed."""
    program = (
        "from pathlib import Path; from voice_server.commands.simulation.simulate_call import Script, _turns;"
        f" print(_turns(Script(history=Path({str(history)!r}))))"
    )
    terminal, its_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program],
        env={**os.environ, "TERM": "xterm"},
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
        start_new_session=True,
    )
    shown = b""
    while b"> " not in shown:
        shown += os.read(terminal, 4096)
    os.write(terminal, typed)
    assert process.wait(60) == 0
    os.close(its_end)
    with contextlib.suppress(OSError):  # all is read
        while more := os.read(terminal, 4096):
            shown += more
    os.close(terminal)
    return shown.decode()
