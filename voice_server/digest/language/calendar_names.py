"""Months and weekdays by language, from `calendars/*.toml`; `calendars/en.toml` says how to add a
language."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from importlib.resources import files

from msgspec import Struct, convert

from voice_server.errors import ConfigurationError


class Calendar(Struct, frozen=True, forbid_unknown_fields=True):
    months: str
    short_months: str
    weekdays: str


def _read_all() -> Mapping[str, Calendar]:
    found = files(__package__).joinpath("calendars").iterdir()
    return {
        file.name.removesuffix(".toml"): convert(tomllib.loads(file.read_text("utf-8")), Calendar)
        for file in found
        if file.name.endswith(".toml")
    }


_CALENDARS = _read_all()
MONTHS_OF_ALL = frozenset(
    month for one in _CALENDARS.values() for month in re.split(r"[ |]", f"{one.months} {one.short_months}")
)
WEEKDAYS_OF_ALL = frozenset(
    weekday for one in _CALENDARS.values() for weekday in re.split(r"[ |]", one.weekdays)
)


def calendar(code: str) -> Calendar:
    """Return a language's names. Raise ConfigurationError where it has no file."""
    if code not in _CALENDARS:
        path = f"digest/language/calendars/{code}.toml"
        raise ConfigurationError(f"{path} is missing: it has the months and weekdays of the language")
    return _CALENDARS[code]


def fold(text: str) -> str:
    """Drop capitals and accents, each character in its place: “Février” → “fevrier”."""
    if text.isascii():
        return text.lower()
    return text.translate(_FOLDED)


def small(text: str) -> str:
    """Drop capitals but not accents, each character in its place; make apostrophes straight."""
    low = text.replace("’", "'").lower()
    return low if len(low) == len(text) else "".join(map(_small, text))


def rows(table: str, start: int = 0) -> dict[str, int]:
    """Map each spelling in a table, folded, to its entry's number."""
    return {
        spelling.replace("_", " "): number
        for number, entry in enumerate(fold(table).split(), start)
        for spelling in entry.split("|")
        if spelling != "-"
    }


def _small(character: str) -> str:
    low = character.lower()
    return low if len(low) == 1 else character


def _letter(code: int) -> str:
    plain = unicodedata.normalize("NFKD", chr(code))[0]
    return plain.lower() if plain.isascii() else chr(code)


# Latin letters with accents, and the wide digits of East Asian keyboards.
_FOLDED = {
    code: _letter(code) for code in (*range(0x41, 0x5B), 0xBA, *range(0xC0, 0x17F), *range(0xFF10, 0xFF1A))
}
_FOLDED[0x2019] = "'"
