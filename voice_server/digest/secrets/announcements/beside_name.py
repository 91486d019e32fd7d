"""A password in an answer that gives a name, too: “Your name and the password?” – “Vasseur, and it's …”.

Whatever is not surely the name is masked: a name that is lost costs less than a secret that is told.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from voice_server.digest.person_names.lexicon import given_names
from voice_server.digest.secrets.scan import HARD, Scan, Unit
from voice_server.digest.secrets.text import fold
from voice_server.runtime.once import once

_ENDS = frozenset({",", ":", "–", "—", *HARD})
_ASKS = frozenset("?？")
_BETWEEN = 4  # words from “name” to “password”: “and the”
_PAIR = 2  # words of a name
_SHORT = 2  # letters
_TALK = 7  # words from which on a clause is no password


class _Part(NamedTuple):
    """A clause of an answer: its `words` by place. `led`: an “it's” leads to it; `named`: it is, or says that
    it is, a name."""

    words: tuple[int, ...]
    led: bool
    named: bool


def is_asked_with_name(one: Scan, place: int) -> bool:
    """Tell so of “Your name and the password?”, not of “I have your name, now the password?”"""
    before = [*takewhile(lambda unit: not unit.has("name"), reversed(one.units[:place]))]
    return len(before) < min(place, _BETWEEN) and not any(map(_ends, before))


def passwords(one: Scan) -> Iterator[tuple[int, int]]:
    """Yield the first unit and the one behind of what may be a password; nothing where only a name is
    said."""
    parts = [part for part in _parts(one.units, 0) if part.words]
    announced = next((at for at in range(len(one.units)) if one.units[at].meaning.announces), None)
    if announced is not None:
        parts = [part for part in _parts(one.units, announced + 1) if part.words][:1]
        yield from (_span(part.words) for part in parts)
        return
    names = [part for part in parts if part.named]
    if any(not part.led for part in names) or not any(part.led for part in parts if part not in names):
        names = [part for part in names if not part.led]  # “Vargas, y es rana azul”: Rana is a name, too
    said = {one.units[at].text for part in names for at in part.words}
    others = [part for part in parts if part not in names and len(part.words) < _TALK]
    others = [part for part in others if not {one.units[at].text for at in part.words} <= said]
    yield from (_span(part.words) for part in others)
    if not others:  # “helen marsh blue frog”
        rest = [part.words[_PAIR:] for part in parts if len(part.words) > _PAIR]
        yield from map(_span, rest[:1])


def _span(words: Sequence[int]) -> tuple[int, int]:
    return words[0], words[-1] + 1


def _parts(units: Sequence[Unit], start: int) -> Iterator[_Part]:
    words, led, named = list[int](), False, False
    for at in range(start, len(units)):
        unit = units[at]
        links = unit.links and not _is_spelled(units, at)
        if _ends(unit) or (links and words):
            asks = unit.text in _ASKS
            yield _Part(() if asks else tuple(words), led, named or _is_name(units, words))
            words, led, named = [], False, False
        if unit.has("name"):
            named = True
        elif links:
            led = True
        elif unit.is_word and not (unit.has("fill") and not words) and not _is_idle(units, at):
            words.append(at)
    yield _Part(tuple(words), led, named or _is_name(units, words))


def _is_idle(units: Sequence[Unit], at: int) -> bool:
    """Tell so of “please”, and of a short word before an “it's”: “ed è”."""
    unit, behind = units[at], units[at + 1 : at + 2]
    is_short = unit.text.isalpha() and len(unit.text) <= _SHORT and any(one.links for one in behind)
    return is_short or unit.has("no_value") or unit.has("stop")


def _is_name(units: Sequence[Unit], words: Sequence[int]) -> bool:
    return any(units[at].text in _given() for at in words[:1])


def _is_spelled(units: Sequence[Unit], at: int) -> bool:
    """“b l u e f r o g”, of which “e” leads to what follows in other languages"""
    near = [one for one in (*units[max(at - 1, 0) : at], *units[at + 1 : at + 2]) if one.is_word]
    return len(units[at].text) == 1 and any(len(one.text) == 1 and not one.has("fill") for one in near)


def _ends(unit: Unit) -> bool:
    return unit.text in _ENDS


@once
def _given() -> frozenset[str]:
    return frozenset(fold(name).text for name in given_names())
