"""A card's code by its place: “the three on the back are 739”, “hinten steht 739”. Pure."""

import re
from collections.abc import Sequence

from voice_server.digest.language.stems import FUNCTION_WORDS
from voice_server.digest.secrets.scan import HARD, NOTHING, Run, Scan, Unit

CODE = 3  # digits of a code that only its place tells
_HOW_MANY = frozenset("34")
_FIGURES = 4  # words from how many there are to where they stand
_NEAR = 6  # words between a place and its code
# Until when a card is valid, and its code, which were asked for together: "oh nine twenty eight, 611".
_EXPIRY = re.compile(r"(?:0?[1-9]|1[0-2])(?:20)?[2-9]\d")
_CODES = (3, 4)  # digits


def speaks_of_card(one: Scan) -> bool:
    """Tell whether a card is named: what stands on its back is its code."""
    return any((unit.mark or unit.meaning is not NOTHING) and _is_of_card(unit) for unit in one.units)


def counts_figures(units: Sequence[Unit], place: int) -> bool:
    """Tell whether the number of figures precedes: “the three little ones on the back”."""
    for unit in reversed(units[max(place - _FIGURES, 0) : place]):
        if unit.text in _HOW_MANY or not _HOW_MANY.isdisjoint(unit.meaning.numbers.values()):
            return True
        if not (unit.has("figure") or unit.has("of") or unit.has("link") or unit.text in FUNCTION_WORDS):
            return False
    return False


def says_what_stands_there(one: Scan, run: Run) -> bool:
    """Tell whether only a place is said: “On the back it says 739”."""
    said = _sentence_before(one.units, run.first)
    place = next((i for i, unit in enumerate(said) if unit.has("back")), None)
    if place is None or len(said) - place > _NEAR or not all(map(_says_nothing, said)):
        return False
    return any(unit.has("link") or unit.text in ":=" for unit in said[place:])


def stands_behind(one: Scan, run: Run, *, of_card: bool) -> bool:
    """Tell whether a place follows digits: “739, on the back”. Without talk of a card (`of_card`) it takes
    “the three on the back”."""
    first = run.last + 1
    for place, unit in enumerate(one.units[first : first + 2 * _NEAR], first):
        if unit.has("back"):
            return of_card or counts_figures(one.units, place)
        is_three = not _HOW_MANY.isdisjoint(unit.meaning.numbers.values())
        if unit.text in HARD or not (is_three or _says_nothing(unit)):
            return False
    return False


def behind_expiry(run: Run) -> Run:
    """Return the code behind a card's expiry; else the whole row."""
    for place in range(1, len(run.groups)):
        code = Run(run.groups[place:])
        before = Run(run.groups[:place]).digits
        if len(code.digits) in _CODES and _EXPIRY.fullmatch(before):
            return code
    return run


def _is_of_card(unit: Unit) -> bool:
    meaning = unit.meaning
    return "card number" in (unit.mark, meaning.hints, meaning.announces) or meaning.announces == "card code"


def _sentence_before(units: Sequence[Unit], end: int) -> Sequence[Unit]:
    first = end
    while first > 0 and units[first - 1].text not in HARD:
        first -= 1
    return units[first:end]


def _says_nothing(unit: Unit) -> bool:
    known = unit.leads or any(unit.has(tag) for tag in ("back", "of", "figure"))
    return known or not unit.is_word or unit.text in FUNCTION_WORDS or _is_of_card(unit)
