"""What is called a secret afterwards: “4711, that's my PIN”, “hunter2 is my password”. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from voice_server.digest.secrets.lexicon import Kind
from voice_server.digest.secrets.scan import HARD, Scan, Unit

_WORDS = 4  # between a secret and what it is said to be
_FIRST = 2  # words of a sentence that points at what was said before: "ese es", "that's then"
_CLOSE = 2  # words between its "is" and what that was: "my", "the new"


class TrailingLabel(NamedTuple):
    """What a secret is called behind it, by the unit at `place`."""

    kind: Kind
    place: int


def announced_behind(one: Scan, last: int) -> TrailingLabel | None:
    """Return what the secret up to unit `last` is called behind it."""
    units, words, linked = one.units, 0, False
    for place in range(last + 1, len(units)):
        unit = units[place]
        if kind := unit.meaning.announces:
            return TrailingLabel(kind, place) if linked or ends_clause(units, place) else None
        if _ends_sentence(units, place):
            return None if linked else pointing_back(units, place + 1)
        words += unit.is_word
        if words > _WORDS or _names_another(unit):
            return None
        linked = linked or unit.has("link")
    return None


def pointing_back(units: Sequence[Unit], first: int) -> TrailingLabel | None:
    """Return what a sentence at `first` calls what came before: “That is my PIN”."""
    said, linked_at = 0, None
    for place in range(first, len(units)):
        unit = units[place]
        if kind := unit.meaning.announces:
            close = linked_at is not None and said - linked_at <= _CLOSE
            return TrailingLabel(kind, place) if close and ends_clause(units, place) else None
        if unit.text in HARD or _names_another(unit) or said > _FIRST + _CLOSE:
            return None
        said += unit.is_word
        if linked_at is None and unit.has("link") and said <= _FIRST:
            linked_at = said
    return None


def _names_another(unit: Unit) -> bool:
    stays = unit.has("stay") and not unit.has("soft")
    return stays or unit.is_number or unit.has_shape


def _ends_sentence(units: Sequence[Unit], place: int) -> bool:
    """Tell whether a sentence ends; three dots are a pause."""
    dots = [unit.text for unit in units[max(place - 1, 0) : place + 2]]
    return units[place].text in HARD and dots.count(".") < len("..")


def ends_clause(units: Sequence[Unit], place: int) -> bool:
    """Tell whether nothing follows but whose it is."""
    after = next(iter(units[place + 1 : place + 2]), None)
    return after is None or not after.is_word or after.has("of")
