"""Secrets that are more than digits: passwords, codes and accounts that are spelled out. Pure."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from voice_server.digest.secrets.common_words import is_everyday
from voice_server.digest.secrets.lexicon import pattern
from voice_server.digest.secrets.scan import HARD, Scan, Unit

SHORTEST = 3  # characters that are spelled out, not just said
_KNOWN = 4  # characters that look like a password where one was announced
_BRIEF = 60  # units of a turn; a longer one would be looked through again and again
_LEAD = 6  # words between an announcement and what it announces
_NEAR = 3  # the same where no "is" is among them
_ASIDE = 8  # words that are put in between: "if you want it"
_OWN = 2  # words of “is my”
_ITS_OWNER = 4  # words of “that's my wife's”, behind one word alone
_BETWEEN = 3  # marks and words like "then" between two characters
_SHORTEST_SIGNED = 6  # characters of "k1te!m", which "R&D" and "AT&T" have not
_CLAUSE = 8  # words of a password
_ALONE = 2  # words that are a password, where little else is said
_PIECES = 16  # units of one whose signs are named
_STOPS = ".!;"
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
    here = at + (at < len(units) and units[at].text == ",")
    if here < len(units) and not units[here].leads and _needs_no_lead(units, here, is_apart=here > at):
        return here
    at = _behind_aside(one, at)
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
            looks_so = start is not None and looks_like_one(units, start)
            sure = start is None or looks_so or not (doubtful or _leads_elsewhere(unit))
            if not sure and start is not None and _is_altered(units, at):
                sure = _words_alone(units, start) is not None
            sure = looks_so if is_plural else sure or (placed and looks_so)
            if sure and not leads_on:
                return start
        elif unit.has("answers"):
            return _single_word(one, place + 1)
        elif unit.has("remains") and _is_altered(units, place):
            return _what_remains(one, place + 1, alone=True)
        elif unit.text in HARD or unit.mark or (unit.has("stop") and not unit.has("of")):
            return _single_word(one, place + 1) if _is_offered(units, place) else None
        placed = placed or unit.has("where")
        owned = owned or unit.has("of")
        doubtful = doubtful or (unit.has("no_value") and not unit.has("of") and not owned)
    return None


def _behind_aside(one: Scan, at: int) -> int:
    """Return where an “is” goes on behind what is put in between: “the password, if you want it, is …”."""
    units = one.units
    marks = (place for place in range(at + 1, len(units)) if units[place].text in (*HARD, ","))
    end = next(marks, len(units))
    goes_on = end + 1 < len(units) and units[end].text == "," and units[end + 1].has("link")
    is_aside = goes_on and units[at].text == "," and len(one.words_between(at, end)) <= _ASIDE
    return end + 1 if is_aside else at


def renewed(one: Scan, end: int) -> int | None:
    """Return where a password that takes another's place begins: “…, now it's kestrel41”, “no, kestrel42”."""
    units = one.units
    for place in range(end, min(end + _NEAR, len(units))):
        start = _past_lead(units, place + 1) if units[place].has("corrects") else None
        if start is not None and looks_like_one(units, start):
            return start
        if units[place].has("renewed"):
            return _single_word(one, place + 1)
    return None


def _needs_no_lead(units: Sequence[Unit], at: int, *, is_apart: bool) -> bool:
    """Tell whether only a password looks like that: `hunter2`, “kestrel underscore 41”."""
    if _is_mixed(units[at]) or _has_digits(units, at) or composed(units, at) is not None:
        return True
    return spelled(units, at).symbols >= _KNOWN or (not is_apart and worded(units, at) is not None)


def _single_word(one: Scan, at: int) -> int | None:
    """Return where a word begins that is alone in its clause, or what looks like a password."""
    start = _past_lead(one.units, at)
    if start is None or looks_like_one(one.units, start):
        return start
    return _words_alone(one.units, start)


def _words_alone(units: Sequence[Unit], start: int) -> int | None:
    """Return `start` where a word or two end the clause: “blue heron”."""
    end = start
    while end < min(start + _ALONE, len(units)) and _is_piece(units[end]):
        end += 1
    behind = units[end] if end < len(units) else None
    ends = behind is None or behind.text in (*HARD, ",") or behind.has("stop")
    return start if ends and end > start else None


def _is_altered(units: Sequence[Unit], at: int) -> bool:
    """“I changed the password to …”, “it hasn't changed, it's still …”"""
    return any(unit.has("altered") for unit in units[max(at - _LEAD, 0) : at])


def _is_offered(units: Sequence[Unit], at: int) -> bool:
    """“Do you want my password? Here you go, …”"""
    behind = units[at + 1 : at + 1 + _NEAR]
    return units[at].text in "?？" and any(unit.has("offered") for unit in behind)


def looks_like_one(units: Sequence[Unit], start: int) -> bool:
    """Tell whether it looks like a password: `Sonnenhut!44`, “kestrel underscore 41”, “kestrel forty one”."""
    first, behind = _in_one(units, start)
    if any(map(_is_mixed, units[first:behind])) or _has_signs(units[first:behind]):
        return True
    made = composed(units, start) or worded(units, start)
    return made is not None or spelled(units, start).symbols >= _KNOWN


def composed(units: Sequence[Unit], start: int) -> int | None:
    """Return the end of words, letters and digits with named signs among them: “kestrel underscore 41”,
    “capital K estrel dash 41”."""
    end, pieces, signs, is_free = start, 0, 0, True
    for place in range(start, min(start + _PIECES, len(units))):
        unit = units[place]
        if unit.has("sign") or unit.has("spell"):
            signs, is_free = signs + unit.has("sign"), True
            end = place + 1 if pieces else end
        elif not unit.has_shape and (_symbols(unit) or (is_free and _is_piece(unit))):
            pieces, end, is_free = pieces + 1, place + 1, len(unit.text) == 1
        else:
            break
    return end if signs and pieces > 1 else None


def worded(units: Sequence[Unit], start: int) -> int | None:
    """Return the end of a word with digits behind it, alone in its clause: “kestrel forty one”."""
    if start >= len(units) or not _is_piece(units[start]) or units[start].has("before"):
        return None
    end = start + 1
    while (size := _number_size(units, end)) and end < len(units):
        end += size
    behind = units[end] if end < len(units) else None
    ends = behind is None or behind.has("stop") or behind.has("fill") or not behind.is_word
    return end if ends and end > start + 1 else None


def _is_piece(unit: Unit) -> bool:
    tags = ("no_value", "stop", "of", "stay", "where")
    meaning = unit.meaning
    is_named = meaning.announces or meaning.hints or meaning.numbers or meaning.repeats
    return unit.is_word and not (unit.mark or is_named or unit.leads or any(map(unit.has, tags)))


def _number_size(units: Sequence[Unit], at: int) -> int:
    """Count the units of one number: two of “et un” in “quarante et un”."""
    beside = [one for one in units[at : at + 2] if not one.has_shape]
    if not beside or _is_number(beside[0]):
        return len(beside[:1])
    joins = beside[0].has("fill") or beside[0].text == "-"
    return len(beside) if joins and _is_number(beside[-1]) else 0


def _is_number(unit: Unit) -> bool:
    return unit.is_number or bool(unit.meaning.numbers)


def _has_digits(units: Sequence[Unit], start: int) -> bool:
    """Tell whether digits stand among its letters: `Fjord#Otter12`, not `e-mail`."""
    first, behind = _in_one(units, start)
    text = "".join(unit.text for unit in units[first:behind])
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text)) and not units[start].has_shape


def entered(one: Scan) -> int | None:
    """Return where somebody types a password: “I type heron4marsh”."""
    places = (at for at in range(1, len(one.units)) if one.units[at - 1].has("entered"))
    return next((at for at in places if _has_digits(one.units, at)), None)


def led_to(one: Scan, *, altered: bool) -> int | None:
    """Return where an answer leads to a password: “No, it's still Quince2019”. `altered`: it was asked if
    it is another, so that a word alone is one, unless an everyday one."""
    for at in (at for at in range(1, len(one.units)) if one.units[at - 1].has("remains")):
        if (start := _what_remains(one, at, alone=altered)) is not None:
            return start
    return None


def told_after_all(one: Scan) -> int | None:
    """Return where an answer comes to a password behind how somebody has it: “She gave it me, it's
    marigold.”"""
    given = pattern("given").search(one.folded.text)
    links = (at for at, unit in enumerate(one.units, 1) if unit.has("points"))
    behind = (at for at in links if given is not None and one.units[at - 1].start >= given.end())
    starts = (start for at in behind if (start := _past_lead(one.units, at)) is not None)
    return next((at for at in starts if _is_no_everyday_talk(one.units, at)), None)


def _what_remains(one: Scan, at: int, *, alone: bool) -> int | None:
    """Return where a password begins behind “it's still”; `alone`: also a word that ends the sentence."""
    start = _past_lead(one.units, at)
    if start is None or looks_like_one(one.units, start):
        return start
    return start if alone and _is_no_everyday_talk(one.units, start) else None


def _is_no_everyday_talk(units: Sequence[Unit], start: int) -> bool:
    """Tell whether a word or two end the sentence and say nothing else: “it's still kestrel”, but “it's still
    raining here”."""
    end = start
    while end < len(units) and units[end].text not in HARD:
        end += 1
    said = units[start:end]
    is_free = all(_is_piece(unit) and not unit.has("everyday") for unit in said)
    return 0 < len(said) <= _ALONE and is_free and not any(is_everyday(unit.text) for unit in said)


def _is_led_to(units: Sequence[Unit]) -> bool:
    return any(one.has("link") and _is_mixed(behind) for one, behind in pairwise(units))


def _leads_elsewhere(unit: Unit) -> bool:
    """Tell whether it is a word that leads to much else, too: “changed it to”."""
    return unit.has("toward") or unit.has("before")


def _past_lead(units: Sequence[Unit], place: int) -> int | None:
    while place < len(units) and (not units[place].is_word or units[place].leads):
        if units[place].text in HARD:
            return None
        place += 1
    if place + 1 < len(units) and units[place].has("no_value") and _is_mixed(units[place + 1]):
        return place + 1  # "it's always hunter2"
    nothing = (
        place >= len(units)
        or units[place].has("no_value")
        or units[place].has("back")
        or units[place].mark
        or units[place].meaning.announces
        or _counts(units, place)
    )
    return None if nothing else place


def _counts(units: Sequence[Unit], place: int) -> bool:
    """Tell whether a number counts or numbers something: “should be eight characters”, “since 41 days”."""
    here, behind = units[place], units[place + 1 : place + 2]
    if here.has("before"):
        return any(map(_is_number, behind))
    is_short = here.is_number and len(here.text) < SHORTEST and spelled(units, place).symbols < SHORTEST
    ends = not any(one.is_word for one in behind)
    return _is_number(here) and (any(one.has("after") for one in behind) or (is_short and ends))


def word_behind(one: Scan, at: int) -> int | None:
    """Return where a single word ends the clause: “the memorable words peppercorn”."""
    units = one.units
    ends = at + 1 >= len(units) or units[at + 1].text in (*HARD, ",") or units[at + 1].has("stop")
    is_word = at < len(units) and units[at].is_word and not (units[at].has("no_value") or units[at].leads)
    return at if is_word and ends else None


def told_next(one: Scan, at: int) -> int | None:
    """Return where the one word of the next sentence is: “She has the password. It's buttercup.”"""
    units = one.units
    start = at + 1
    while start < len(units) and units[start].has("link"):
        start += 1
    if at >= len(units) or units[at].text not in _STOPS or start == at + 1:
        return None
    start = word_behind(one, start) or at
    is_one = start > at and len(units[start].text) > _KNOWN and not is_everyday(units[start].text)
    return start if is_one else None


def written_before(one: Scan, end: int) -> tuple[int, int] | None:
    """Return the last units before `end` that are written in one and have digits or signs: `hunter2`,
    `Tr0ub4dor&3`. The mark behind a sentence is a sign of its last word only where that is named at once:
    “hunter! is my password”."""
    units = one.units
    for place in range(end - 1, max(end - _LEAD, 0) - 1, -1):
        if units[place].text in HARD and _ends_a_word(units, place) and not _is_named(units, place, end):
            continue  # “Can it be by card? Its password …”
        start, after = _in_one(units, place)
        if any(map(_is_mixed, units[start:after])) or _has_signs(units[start:after]):
            return start, after
    return None


def _ends_a_word(units: Sequence[Unit], mark: int) -> bool:
    """Tell so of “card?”, not of “Heron52!”"""
    start, after = _in_one(units, mark - 1) if mark else (0, 0)
    return not (any(map(_is_mixed, units[start:after])) or _has_signs(units[start:after]))


def _is_named(units: Sequence[Unit], mark: int, end: int) -> bool:
    """Tell so of “hunter! is my password”, not of “Great! That's the password sorted.”, nor of a question."""
    behind = units[end + 1] if end + 1 < len(units) else None
    ends = behind is None or behind.text in HARD or behind.text == ","
    between = units[mark + 1 : end]
    start = _in_one(units, mark - 1)[0] if mark else 0
    is_alone = start == 0 or units[start - 1].text in HARD
    is_near = len(between) <= (_ITS_OWNER if is_alone else _OWN)
    is_linked = any(one.links for one in between[:1]) and not any(one.has("of") for one in between)
    return units[mark].text not in "?？" and ends and is_near and is_linked


def clause_before(one: Scan, end: int) -> tuple[int, int] | None:
    """Return the clause that begins the sentence before `end`, if it may be a password: “blue heron, that's
    my password”."""
    first = end
    while first and one.units[first - 1].text not in HARD:
        first -= 1
    while first < end and (not one.units[first].is_word or one.units[first].leads):
        first += 1
    after = next((at for at in range(first, end) if one.units[at].text == ","), None)
    if after is None or after == first:
        return None
    is_one = looks_like_one(one.units, first) and password_end(one, first) in (after, after + 1)
    return (first, after) if is_one or _words_alone(one.units[:after], first) is not None else None


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
    if (made := composed(units, start) or worded(units, start)) is not None:
        return made
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
        symbols = 0 if unit.leads else _symbols(unit)
        if symbols and (symbols > 1 or (place + 1 < len(one.units) and _symbols(one.units[place + 1]))):
            return place if words <= _NEAR or linked else None
        if unit.text in HARD or words > _LEAD or unit.has("stay"):
            return None
        linked = linked or unit.has("link")
        words += unit.is_word
    return None


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
        if (symbols := _symbols(unit)) and not unit.has_shape and not _is_word_of_its_own(units, place):
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


def _is_word_of_its_own(units: Sequence[Unit], place: int) -> bool:
    """“4471, y soy …”, “4471 I think”"""
    unit, behind = units[place], units[place + 1 : place + 2]
    is_letter = len(unit.text) == 1 and unit.text.isalpha()
    known = unit.leads or unit.has("stop") or unit.has("no_value")
    return is_letter and known and any(one.is_word and not _symbols(one) for one in behind)


def _goes_on(units: Sequence[Unit], place: int) -> bool:
    """“And” goes on only before more that is spelled out."""
    unit = units[place]
    if unit.has("stop"):
        return all(map(_symbols, units[place + 1 : place + 3]))
    return unit.has("fill") or unit.text in "-.,/_"
