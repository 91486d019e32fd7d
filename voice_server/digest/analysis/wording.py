"""How platforms' models say “nothing” and name what is open, and how operators name the item of the caller's
name: `phrases/*.toml`, one file per language."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import get_args

from msgspec import Struct, convert

from voice_server.domain.digest import ThreadKind
from voice_server.runtime.once import once

KINDS: tuple[ThreadKind, ...] = get_args(ThreadKind)
_HUMP = re.compile(r"(?<=[a-zà-ÿ0-9])(?=[A-ZÀ-Ý])")
_APART = re.compile(r"[\W_]+")


class Samples(Struct, frozen=True, forbid_unknown_fields=True):
    nothing: list[str]
    name_items: list[str]
    kinds: list[str]


class Phrases(Struct, frozen=True, forbid_unknown_fields=True):
    nothing: list[str]
    name_items: list[str]
    kinds: dict[ThreadKind, list[str]]
    examples: Samples
    counterexamples: Samples


def languages() -> Mapping[str, Phrases]:
    folder = resources.files(__package__).joinpath("phrases")
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda one: one.name
    )
    return {one.name[:2]: convert(tomllib.loads(one.read_text("utf-8")), Phrases) for one in files}


def says_nothing(value: str) -> bool:
    """Tell whether a whole value says that there is nothing; an empty one does."""
    return (told := plain(value)) in _all().nothing or not told


@lru_cache(maxsize=2000)  # an agent has a few dozen items, and every prompt asks
def is_name(item: str) -> bool:
    """Tell whether an operator's item with this id is the caller's name."""
    return plain(_HUMP.sub(" ", item)) in _all().name_items


def kind(word: str) -> ThreadKind | None:
    return _all().kinds.get(plain(word))


def plain(text: str) -> str:
    """Return the words in small letters, without punctuation."""
    return _APART.sub(" ", unicodedata.normalize("NFC", text)).strip().casefold()


class _EveryLanguage(Struct, frozen=True):
    """A caller's language is not the operator's, nor the model's."""

    nothing: frozenset[str]
    name_items: frozenset[str]
    kinds: Mapping[str, ThreadKind]


@once
def _all() -> _EveryLanguage:
    every = languages().values()
    return _EveryLanguage(
        frozenset(plain(phrase) for one in every for phrase in one.nothing),
        frozenset(plain(phrase) for one in every for phrase in one.name_items),
        {plain(word): kind for one in every for kind, words in one.kinds.items() for word in words},
    )
