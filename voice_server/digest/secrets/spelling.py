"""Secrets that are more than digits: passwords, codes and accounts that are spelled out. Pure."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from voice_server.digest.secrets.scan import HARD, Scan, Unit

SHORTEST = 3  # characters that are spelled out, not just said
_KNOWN = 4  # characters that look like a password where one was announced
_BRIEF = 60  # units of a turn; a longer one would be looked through again and again
_LEAD = 6  # words between an announcement and what it announces
_NEAR = 3  # the same where no "is" is among them
_BETWEEN = 3  # marks and words like "then" between two characters
_SHORTEST_SIGNED = 6  # characters of "k1te!m", which "R&D" and "AT&T" have not
_CLAUSE = 8  # words of a password
_SIGNS = frozenset("&#@!$%*_+=^~?")  # in the middle of a word only a password has them


class Spelling(NamedTuple):
    """What is spelled out; `end` is the unit behind it."""

    end: int
    symbols: int
    is_mixed: bool


def password_start(one: Scan, at: int) -> int | None:
    """Return where an announced password begins: behind an “is” or a colon, or at once when it looks like a
    password."""
    units = one.units
    here = units[at] if at < len(units) else None
    if here and not leads(here):
        is_one = _is_mixed(here) or _has_digits(units, at)
        if is_one or spelled(units, at).symbols >= _KNOWN:
            return at
    # owned: whose it is, was said: "the password of my account"; placed: where it is one: "in the portal"
    doubtful = owned = placed = False
    is_plural = bool(at) and units[at - 1].has("contracted")  # "the safe words were agreed"
    for place in range(at, min(at + _LEAD, len(units))):
        unit = units[place]
        if unit.has("no_value") and _is_led_to(units[place + 1 : at + _LEAD]):
            owned = True  # "la clave de la página es girasol7"
        elif unit.has("link") or unit.text in (":", "="):
            start = _past_lead(units, place + 1)
            leads_on = start is None and (unit.has("of") or unit.has("where"))  # "in the app is …"
            sure = start is None or _is_mixed(units[start]) or not (doubtful or _leads_elsewhere(unit))
            looks_like_one = start is not None and _looks_like_one(units, start)
            sure = looks_like_one if is_plural else sure or (placed and looks_like_one)
            if sure and not leads_on:
                return start
        elif unit.text in HARD or unit.mark or (unit.has("stop") and not unit.has("of")):
            return None
        placed = placed or unit.has("where")
        owned = owned or unit.has("of")
        doubtful = doubtful or (unit.has("no_value") and not unit.has("of") and not owned)
    return None


def _looks_like_one(units: Sequence[Unit], start: int) -> bool:
    """Tell whether it looks like a password: `Sonnenhut!44`."""
    first, behind = _in_one(units, start)
    return any(map(_is_mixed, units[first:behind])) or _has_signs(units[first:behind])


def _has_digits(units: Sequence[Unit], start: int) -> bool:
    """Tell whether digits stand among its letters: `Fjord#Otter12`, not `e-mail`."""
    first, behind = _in_one(units, start)
    text = "".join(unit.text for unit in units[first:behind])
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text)) and not units[start].has_shape


def entered(one: Scan) -> int | None:
    """Return where somebody types a password: “I type heron4marsh”."""
    places = (at for at in range(1, len(one.units)) if one.units[at - 1].has("entered"))
    return next((at for at in places if _has_digits(one.units, at)), None)


def led_to(one: Scan) -> int | None:
    """Return where an answer leads to a password: “No, it's still Quince2019”."""
    places = (at for at in range(1, len(one.units)) if one.units[at - 1].has("remains"))
    return next((at for at in places if _has_digits(one.units, at)), None)


def _is_led_to(units: Sequence[Unit]) -> bool:
    return any(one.has("link") and _is_mixed(behind) for one, behind in pairwise(units))


def _leads_elsewhere(unit: Unit) -> bool:
    """Tell whether it is a word that leads to much else, too: “changed it to”."""
    return unit.has("toward") or unit.has("before")


def _past_lead(units: Sequence[Unit], place: int) -> int | None:
    while place < len(units) and (not units[place].is_word or leads(units[place])):
        if units[place].text in HARD:
            return None
        place += 1
    if place + 1 < len(units) and units[place].has("no_value") and _is_mixed(units[place + 1]):
        return place + 1  # "it's always hunter2"
    nothing = (
        place >= len(units)
        or units[place].has("no_value")
        or units[place].mark
        or units[place].meaning.announces
    )
    return None if nothing else place


def word_behind(one: Scan, at: int) -> int | None:
    """Return where a single word ends the clause: “the memorable words peppercorn”."""
    units = one.units
    ends = at + 1 >= len(units) or units[at + 1].text in (*HARD, ",") or units[at + 1].has("stop")
    is_word = at < len(units) and units[at].is_word and not (units[at].has("no_value") or leads(units[at]))
    return at if is_word and ends else None


def written_before(one: Scan, end: int) -> tuple[int, int] | None:
    """Return the last units before `end` that are written in one and have digits or signs: `hunter2`,
    `Tr0ub4dor&3`."""
    units = one.units
    for place in range(end - 1, max(end - _LEAD, 0) - 1, -1):
        start, after = _in_one(units, place)
        if any(map(_is_mixed, units[start:after])) or _has_signs(units[start:after]):
            return start, after
    return None


def written_in_one(one: Scan) -> tuple[int, int] | None:
    """Return the one thing of a brief turn that has digits or signs among its letters: `Reinette_1959`."""
    if len(one.units) > _BRIEF:
        return None
    signed = {_in_one(one.units, place) for place, unit in enumerate(one.units) if unit.is_word}
    found = [(start, after) for start, after in signed if _may_be_password(one.units[start:after])]
    return found[0] if len(found) == 1 else None


def _may_be_password(written: Sequence[Unit]) -> bool:
    is_mixed = len(written) == 1 and _is_mixed(written[0]) and len(written[0].text) >= _SHORTEST_SIGNED
    return is_mixed or _has_signs(written)


def _in_one(units: Sequence[Unit], place: int) -> tuple[int, int]:
    """Return its first unit and the unit behind, without marks around."""
    start, after = place, _glued(units, place + 1)
    while start and units[start - 1].end == units[start].start and units[start - 1].text.isascii():
        start -= 1
    while start < place and not units[start].is_word:
        start += 1
    while after > place + 1 and not units[after - 1].is_word:
        after -= 1
    return start, after


def _has_signs(written: Sequence[Unit]) -> bool:
    letters = any(unit.is_word and not unit.is_number for unit in written)
    signs = [unit.text for unit in written[1:] if unit.is_number or unit.text in _SIGNS]
    is_address = "@" in signs and "." in [unit.text for unit in written]
    long_enough = bool(written) and written[-1].end - written[0].start >= _SHORTEST_SIGNED
    return letters and bool(signs) and long_enough and not is_address


def password_end(one: Scan, start: int) -> int:
    """Return the end of what is spelled out, else of the clause."""
    units = one.units
    end, symbols, _ = spelled(units, start)
    if symbols >= SHORTEST:
        return _glued(units, end)
    words = 0
    for place in range(start, len(units)):
        unit = units[place]
        after = units[place + 1 : place + 2]
        ends = not after or after[0].start > unit.end or not after[0].text.isascii()
        if (not unit.is_word and ends and (unit.text in HARD or unit.text == ",")) or (
            place > start and unit.has("stop")
        ):
            return place
        words += unit.is_word
        if words > _CLAUSE or unit.text in "。，、":
            return place
    return len(units)


def _glued(units: Sequence[Unit], end: int) -> int:
    while 0 < end < len(units) and units[end].start == units[end - 1].end and units[end].text.isascii():
        end += 1
    return end


def first_symbol(one: Scan, at: int) -> int | None:
    """Return where spelled letters and digits begin near `at`."""
    linked = False
    words = 0
    for place in range(at, len(one.units)):
        unit = one.units[place]
        symbols = 0 if leads(unit) else _symbols(unit)
        if symbols and (symbols > 1 or (place + 1 < len(one.units) and _symbols(one.units[place + 1]))):
            return place if words <= _NEAR or linked else None
        if unit.text in HARD or words > _LEAD or unit.has("stay"):
            return None
        linked = linked or unit.has("link")
        words += unit.is_word
    return None


def leads(unit: Unit) -> bool:
    """Tell whether a unit leads to what was announced: “it's”, “sure”."""
    return unit.has("link") or unit.has("fill")


def _symbols(unit: Unit) -> int:
    if unit.is_number or _is_mixed(unit):
        return len(unit.text)
    return int(bool(unit.meaning.numbers) or (len(unit.text) == 1 and "a" <= unit.text <= "z"))


def _is_mixed(unit: Unit) -> bool:
    return not unit.is_number and any("0" <= one <= "9" for one in unit.text) and not unit.has_shape


def spelled(units: Sequence[Unit], start: int) -> Spelling:
    """Read what is spelled out: “h u n t e r two, capital S”."""
    end, count, between, place = start, 0, 0, start
    letters, digits = False, False
    while place < len(units) and between <= _BETWEEN:
        unit = units[place]
        if (symbols := _symbols(unit)) and not unit.has_shape:
            count, end, between = count + symbols, place + 1, 0
            number = unit.is_number or bool(unit.meaning.numbers)
            digits, letters = digits or number or _is_mixed(unit), letters or not number
        elif unit.has("as_in") and count and len(units[place - 1].text) == 1:
            place += 1
            end = min(place + 1, len(units))
        elif unit.has("spell") or unit.meaning.repeats:
            end, between = place + 1 if count else end, 0
        elif count and _goes_on(units, place):
            between += 1
        else:
            break
        place += 1
    return Spelling(end, count, letters and digits)


def _goes_on(units: Sequence[Unit], place: int) -> bool:
    """“And” goes on only before more that is spelled out."""
    unit = units[place]
    if unit.has("stop"):
        return all(map(_symbols, units[place + 1 : place + 3]))
    return unit.has("fill") or unit.text in "-.,/_"
