"""Conversations to play, and the samples that come with the server.

A dialogue is a TOML file: one caller, one language, and their calls, oldest first.

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

A life is a dialogue that has chats as well, and says who it is.
"""

import tomllib
from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from voice_server.errors import ConfigurationError

_AGENT_MARKS = ("agent:", "a:")
_CALLER_MARKS = ("caller:", "user:", "c:", "u:")
_SUFFIX = ".toml"
_LASTS = timedelta(minutes=15)  # no call or chat of a file takes longer


class Turn(Struct, frozen=True):
    role: str
    text: str


class Talk(Struct, frozen=True, forbid_unknown_fields=True):
    """A call or a chat. `said` has a turn in each line."""

    days_ago: Annotated[int, Meta(ge=0, le=3650)]
    at: time
    said: str

    def began(self, now: datetime) -> datetime:
        return datetime.combine(now.date() - timedelta(days=self.days_ago), self.at, now.tzinfo)

    @property
    def turns(self) -> list[Turn]:
        return list(read_turns(self.said.splitlines()))


class Call(Talk, frozen=True):
    """`summary` is what the platform would write of it."""

    summary: str = ""


class Chat(Talk, frozen=True):
    """What was said in writing."""


class Dialogue(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    language: Annotated[str, Meta(pattern=r"^[a-z]{2,3}$")]
    caller: str
    calls: Annotated[tuple[Call, ...], Meta(min_length=1)]

    @property
    def talks(self) -> list[Talk]:
        return list(self.calls)

    def counted_from(self, now: datetime) -> datetime:
        """Return the moment from which `days_ago` counts: a day before `now` while the last talk is still to
        come, or has just begun."""
        latest = max(talk.began(now) for talk in self.talks)
        return now if latest + _LASTS <= now else now - timedelta(days=1)


class Life(Dialogue, frozen=True, kw_only=True):
    """`pins` and `closes` are words of the fact that a person pins, and of the thread that they close."""

    name: str
    external_id: str
    timezone: str
    agent: str
    chats: tuple[Chat, ...]
    pins: str
    closes: str

    @property
    def talks(self) -> list[Talk]:
        return sorted((*self.calls, *self.chats), key=lambda talk: (-talk.days_ago, talk.at))


_D = TypeVar("_D", bound=Dialogue)


def read_turns(lines: Iterable[str]) -> Iterator[Turn]:
    """Take `agent: …` for the agent's, anything else for the caller's; skip empty lines and `#`."""
    for line in lines:
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        mark = next((one for one in (*_AGENT_MARKS, *_CALLER_MARKS) if text.lower().startswith(one)), "")
        said = text[len(mark) :].strip()
        if said:
            yield Turn("agent" if mark in _AGENT_MARKS else "user", said)


def samples() -> dict[str, Dialogue]:
    return {name: read(name) for name in sample_names()}


def sample_names() -> list[str]:
    return _names("sample_calls")


def lives() -> list[Life]:
    return [_life(name) for name in _names("sample_lives")]


def read(name: str) -> Dialogue:
    """Read the sample of this name, or the file at this path. Raises ConfigurationError."""
    return _spoken(name, _parse(name, _text(name), Dialogue))


def _life(name: str) -> Life:
    return _spoken(name, _parse(name, _packed("sample_lives", name), Life))


def _spoken(name: str, dialogue: _D) -> _D:
    silent = [place for place, talk in enumerate(dialogue.talks, start=1) if not talk.turns]
    if silent:
        raise ConfigurationError(f"{name} is no dialogue to play: nothing is said in call {silent[0]}")
    return dialogue


def _names(folder: str) -> list[str]:
    there = (file.name for file in files(__package__).joinpath(folder).iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in there if name.endswith(_SUFFIX))


def _packed(folder: str, name: str) -> bytes:
    return files(__package__).joinpath(folder, f"{name}{_SUFFIX}").read_bytes()


def _text(name: str) -> bytes:
    if name in sample_names():
        return _packed("sample_calls", name)
    if not name.endswith(_SUFFIX):
        raise ConfigurationError(f"there is no sample dialogue {name}: --list says which there are")
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{name} cannot be read: {error.strerror}") from None


def _parse(name: str, text: bytes, kind: type[_D]) -> _D:
    try:
        return msgspec.convert(tomllib.loads(text.decode()), kind)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise ConfigurationError(f"{name} is no dialogue to play: {error}") from None
