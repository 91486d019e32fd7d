"""The words of a language by which a digest is held against the talk. `vocabularies/en.toml` explains each
list."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from msgspec import Struct

from voice_server.digest.language.calendar_names import calendar, rows
from voice_server.digest.language.language_files import languages_in
from voice_server.digest.language.languages import primary_tag
from voice_server.digest.secrets import lexicon
from voice_server.digest.secrets.text import fold_alone
from voice_server.runtime.once import once

_FOLDER = resources.files(__package__) / "vocabularies"
LANGUAGES = languages_in(_FOLDER)


class Vocabulary(Struct, frozen=True):
    """One language's words, folded (`plain`). `numbers` go from a word or phrase to the numbers it may mean,
    `ordinals` from the beginning of one; `uncounted` may be other words, `loose` stand by themselves
    (“half”). `leads` are words that begin a phrase of `numbers`. `shifts` go to days from today, `spans` to
    how many days they are, `relatives` to what somebody is to another. `on_day` leads to a date."""

    language: str
    numbers: Mapping[str, tuple[str, ...]]
    ordinals: Mapping[str, str]
    uncounted: frozenset[str]
    loose: frozenset[str]
    leads: frozenset[str]
    glue: frozenset[str]
    repeats: Mapping[str, int]
    compound: tuple[str, ...]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    shifts: Mapping[str, int]
    following: frozenset[str]
    spans: Mapping[str, int]
    lists: Mapping[str, frozenset[str]]
    endings: Mapping[str, tuple[str, ...]]
    relatives: Mapping[str, str]
    nouns_are_capitalised: bool
    inverted: bool
    on_day: str

    @property
    def has_compounds(self) -> bool:
        """Whether words are put together without a space: “voordeur”."""
        return any(part.isalpha() for part in self.compound)

    def has(self, kind: str, word: str) -> bool:
        """Tell whether a list has a folded word or phrase."""
        return word in self.lists[kind]

    def ends(self, kind: str, word: str) -> bool:
        """Tell whether a word in lower case, accents kept, has a listed ending."""
        return word.endswith(self.endings[kind]) if self.endings[kind] else False


def plain(text: str) -> str:
    """Fold a text: lower case, no accents, straight apostrophes."""
    return fold_alone(text)


def vocabulary(language: str) -> Vocabulary | None:
    tag = primary_tag(language)
    return _read(tag) if tag in LANGUAGES else None


def vocabularies(language: str) -> tuple[Vocabulary, ...]:
    """Return the words of the language spoken, or of all when it is not known."""
    known = vocabulary(language)
    if known is not None:
        return (known,)
    return () if primary_tag(language) else tuple(_read(tag) for tag in LANGUAGES)


_LISTS = (
    "telling", "determiners", "caller", "agent", "first", "my", "third", "second", "your", "between",
    "passive", "reported", "modal", "please", "object_first", "agent_object", "joins", "clock", "hours", "of",
    "titles", "begs", "helping", "bounds", "parting", "advice", "eve", "helpers", "commits", "infinitive",
    "not_owned", "joining", "calling",
)  # fmt: skip
_ENDINGS = (
    "noun_endings",
    "adjective_endings",
    "verb_starts",
    "first_endings",
    "second_endings",
    "asks_endings",
    "participle_endings",
    "gerunds",
    "name_endings",
)


@once
def _read(tag: str) -> Vocabulary:
    data: Mapping[str, Any] = tomllib.loads((_FOLDER / f"{tag}.toml").read_text(encoding="utf-8"))
    secrets = lexicon.read(tag)
    names = calendar(tag)
    numbers = _numbers(secrets, data["number_words"])
    return Vocabulary(
        language=tag,
        numbers=numbers,
        ordinals={
            **{plain(stem): str(10 * n) for n, stem in enumerate(data["tens"].split(), 1)},
            **{plain(stem): str(n) for n, stem in enumerate(data["ordinals"].split(), 1)},
        },
        uncounted=_phrases(data["uncounted"]),
        loose=_phrases(data["uncounted"].replace("-", " ")) & {plain(word) for word in data["number_words"]},
        leads=frozenset(phrase.partition(" ")[0] for phrase in numbers if " " in phrase),
        glue=_phrases(data["glue"]),
        repeats={
            plain(word): int(times) for times, words in secrets.get("repeat", {}).items() for word in words
        },
        compound=tuple(plain(data.get("compound", "-")).split()),
        months={
            **_rows(names.short_months, 1),
            **_rows(names.months, 1),
            **_folded(data.get("months_too", {})),
        },
        weekdays={**_rows(names.weekdays, 0), **_folded(data.get("weekdays_too", {}))},
        shifts=_shifts(data),
        following=_phrases(data["next"]),
        spans={
            word: size
            for kind, size in (("days", 1), ("weeks", 7), ("months_unit", 30))
            for word in _phrases(data[kind])
        },
        lists={kind: _phrases(data.get(kind, "")) for kind in _LISTS},
        endings={kind: tuple(data.get(kind, "").split()) for kind in _ENDINGS},
        relatives={word: kind for kind, words in data["relatives"].items() for word in plain(words).split()},
        nouns_are_capitalised=data.get("nouns_are_capitalised", False),
        inverted=data.get("inverted", False),
        on_day=data["on_day"],
    )


def _phrases(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in plain(text).split())


def _rows(table: str, start: int) -> dict[str, int]:
    found = _folded(rows(table, start))
    return {**found, **{spelling.replace(" ", "-"): number for spelling, number in found.items()}}


def _folded(table: Mapping[str, int]) -> dict[str, int]:
    return {plain(spelling).rstrip("."): number for spelling, number in table.items()}


def _shifts(data: Mapping[str, Any]) -> dict[str, int]:
    """Put the longest first: the day after tomorrow is not tomorrow."""
    days = {"day_after": 2, "day_before": -2, "today": 0, "tomorrow": 1, "yesterday": -1}
    found = {phrase: shift for kind, shift in days.items() for phrase in _phrases(data[kind])}
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def _numbers(secrets: Mapping[str, Any], more: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    found = {
        plain(phrase).replace("-", " "): (value,)
        for value, phrases in lexicon.numbers(secrets)
        for phrase in phrases
    }
    return {
        **found,
        **{plain(word).replace("-", " "): tuple(values.split()) for word, values in more.items()},
    }
