"""The situations in which secrets are said, a file per language: what is opened, logged into or paid with,
how a secret is entered, and what a number is of that is none."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, Literal, NamedTuple, get_args

from voice_server.digest.language.language_files import languages_in
from voice_server.digest.secrets.text import Token, fold, tokens
from voice_server.runtime.once import once

Topic = Literal["lock", "sent", "login", "word", "pay", "back", "proof", "locked"]
Hint = Literal[
    "check",
    "ends",
    "telling",
    "denying",
    "mnemonic",
    "paying",
    "named",
    "aside",
    "turns",
    "at",
    "by",
    "coming",
    "inside",
    "dated",
    "which",
]
Role = Literal[Topic, Hint, "entering", "keys", "signs", "doubtful", "letter", "ordinary"]
TOPICS: frozenset[Role] = frozenset(get_args(Topic))
_FOLDER = resources.files(__package__) / "situations"
LANGUAGES = languages_in(_FOLDER)
_OTHER: tuple[Role, ...] = ("entering", "keys", "signs", "doubtful", "letter", "ordinary")
_ROLES: tuple[Role, ...] = (*get_args(Topic), *get_args(Hint), *_OTHER)


class Mention(NamedTuple):
    """A phrase in folded text, from character `start` to `end`."""

    role: Role
    start: int
    end: int


class _Form(NamedTuple):
    """A phrase of a list, word by word; `*` in a word stands for any letters."""

    role: Role
    words: tuple[str, ...]


class _Forms(NamedTuple):
    by_word: dict[str, list[_Form]]
    open_ended: list[_Form]


@once
def read(language: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


def mentions(folded: str) -> list[Mention]:
    """Return the phrases of a text. What a number is of that is none outweighs a shorter phrase in it:
    “código” in “código postal”."""
    said = [one for one in tokens(folded) if one.text != "-"]
    found = [one for at in range(len(said)) if not said[at].is_number for one in _at(said, at)]
    ends = _ends_of_labels(said, found)
    return [one for one in found if one.role == "ordinary" or ends.get(one.start, 0) <= one.end]


def _ends_of_labels(said: Sequence[Token], found: Sequence[Mention]) -> dict[int, int]:
    """Return where the longest label ends that a word, by its start, is in; unless it is that word alone."""
    ends: dict[int, int] = {}
    places = {one.start: at for at, one in enumerate(said)}
    for label in (one for one in found if one.role == "ordinary"):
        for word in said[places[label.start] :]:
            if word.start >= label.end:
                break
            ends[word.start] = max(ends.get(word.start, 0), label.end)
    return ends


def _at(said: Sequence[Token], at: int) -> Iterator[Mention]:
    for form in _beginning(said[at].text):
        size = len(form.words)
        behind = said[at + 1 : at + size]
        if len(behind) == size - 1 and all(
            _is_word(one.text, word) for one, word in zip(behind, form.words[1:], strict=True)
        ):
            yield Mention(form.role, said[at].start, said[at + size - 1].end)


@lru_cache(maxsize=50_000)
def _beginning(word: str) -> tuple[_Form, ...]:
    forms = _forms()
    open_ended = [form for form in forms.open_ended if _is_word(word, form.words[0])]
    return (*forms.by_word.get(word, ()), *open_ended)


def _is_word(said: str, word: str) -> bool:
    if word.endswith("*"):
        return said.startswith(word[:-1])
    return said.endswith(word[1:]) if word.startswith("*") else said == word


@once
def _forms() -> _Forms:
    forms = _Forms({}, [])
    for form in _all_forms():
        if "*" in form.words[0]:
            forms.open_ended.append(form)
        else:
            forms.by_word.setdefault(form.words[0], []).append(form)
    return forms


def _all_forms() -> Iterator[_Form]:
    for language in LANGUAGES:
        data = read(language)
        for role in _ROLES:
            for phrase in data.get(role, ()):
                yield _Form(role, _words(phrase))


def _words(phrase: str) -> tuple[str, ...]:
    """Return its words; a star stays with its own."""
    said = (tokens(fold(part.strip("*")).text) for part in phrase.split())
    return tuple(
        ("*" if part.startswith("*") and one is parts[0] else "")
        + one.text
        + ("*" if part.endswith("*") and one is parts[-1] else "")
        for part, parts in zip(phrase.split(), said, strict=True)
        for one in parts
        if one.text != "-"
    )


@lru_cache(maxsize=50_000)
def tells_topic(word: str) -> bool:
    """Tell whether a folded word may be one of what is opened, logged into or paid with: the longest of a
    phrase."""
    exact, open_ended = _telling()
    return word in exact or any(_is_word(word, one) for one in open_ended)


@once
def _telling() -> tuple[frozenset[str], tuple[str, ...]]:
    longest = {
        max(form.words, key=len) for form in _all_forms() if form.role in (*TOPICS, "keys", "check", "inside")
    }
    open_ended = tuple(one for one in longest if "*" in one)
    return frozenset(longest), open_ended
