"""Conversations to play: as somebody writes them down, and the samples that come with the server.

A dialogue is a TOML file: one caller, one language, and their calls, the oldest first.

    title = "A knee gets better"
    language = "en"
    caller = "+14155550150"

    [[calls]]
    days_ago = 6
    at = 09:10:00
    said = '''
    agent: Lakeside Physio, good morning.
    caller: Hi, it's Nadia Brandt.
    '''
"""

import tomllib
from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from voice_server.errors import ConfigurationError

_AGENT_MARKS = ("agent:", "a:")
_CALLER_MARKS = ("caller:", "user:", "c:", "u:")
_SUFFIX = ".toml"


class Turn(Struct, frozen=True):
    role: str
    text: str


class Call(Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a dialogue: how many days ago it began, at what time, and what was said, a line a turn.
    `summary` is what the platform would write of it."""

    days_ago: Annotated[int, Meta(ge=1, le=3650)]
    at: time
    said: str
    summary: str = ""

    def began(self, now: datetime) -> datetime:
        """When it began, in the time zone of `now`."""
        return datetime.combine(now.date() - timedelta(days=self.days_ago), self.at, now.tzinfo)

    @property
    def turns(self) -> list[Turn]:
        return list(read_turns(self.said.splitlines()))


class Dialogue(Struct, frozen=True, forbid_unknown_fields=True):
    """A caller and their calls, the oldest first."""

    title: str
    language: Annotated[str, Meta(pattern=r"^[a-z]{2,3}$")]
    caller: str
    calls: Annotated[tuple[Call, ...], Meta(min_length=1)]


def read_turns(lines: Iterable[str]) -> Iterator[Turn]:
    """`agent: …` is said by the agent, anything else by the caller; an empty line and `#` say nothing."""
    for line in lines:
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        mark = next((one for one in (*_AGENT_MARKS, *_CALLER_MARKS) if text.lower().startswith(one)), "")
        said = text[len(mark) :].strip()
        if said:
            yield Turn("agent" if mark in _AGENT_MARKS else "user", said)


def samples() -> dict[str, Dialogue]:
    """The dialogues that come with the server, by name."""
    return {name: read(name) for name in sample_names()}


def sample_names() -> list[str]:
    there = (file.name for file in files(__package__).joinpath("sample_calls").iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in there if name.endswith(_SUFFIX))


def read(name: str) -> Dialogue:
    """The sample of this name, or the dialogue in the file at this path. Raises ConfigurationError."""
    dialogue = _parse(name, _text(name))
    silent = [place for place, call in enumerate(dialogue.calls, start=1) if not call.turns]
    if silent:
        raise ConfigurationError(f"{name} is no dialogue to play: nothing is said in call {silent[0]}")
    return dialogue


def _text(name: str) -> bytes:
    if name in sample_names():
        return files(__package__).joinpath("sample_calls", f"{name}{_SUFFIX}").read_bytes()
    if not name.endswith(_SUFFIX):
        raise ConfigurationError(f"there is no sample dialogue {name}: --list says which there are")
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{name} cannot be read: {error.strerror}") from None


def _parse(name: str, text: bytes) -> Dialogue:
    try:
        return msgspec.convert(tomllib.loads(text.decode()), Dialogue)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise ConfigurationError(f"{name} is no dialogue to play: {error}") from None
