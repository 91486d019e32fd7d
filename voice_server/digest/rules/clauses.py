"""What a statement says beside its value: “I live in Ponce, with a cat called Canela” is two things, of which
a move changes one."""

import re

from msgspec import Struct

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.pieces import content_words
from voice_server.domain.quote import MARK, answer

_TELLING = 2  # words of content that say something beside a value
_DATES = MONTHS_OF_ALL | WEEKDAYS_OF_ALL
_MARKS = re.compile(r"[,;:.!?]\s+")
_WORD = re.compile(r"(?<!\S)[^\W\d_]+")
_CUT = "…"
_BETWEEN = " ,;"


class Clauses(Struct, frozen=True):
    """The quotation with the value, and those of what is said beside it."""

    value: str
    beside: tuple[str, ...] = ()


def clauses(quotation: str, value: re.Match[str] | None, manner: Manner) -> Clauses:
    """A quotation in parts. `value` is where its last words begin to name the value; None where the question
    asks for it."""
    last = answer(quotation)
    said, before = last.strip(MARK), quotation[: len(quotation) - len(last)]
    start, named = value.span() if value else (0, 0)
    begin, end = _begin(said, start, manner), _end(said, named, manner)
    beside = []
    held = said[begin:end].rstrip(_BETWEEN)
    if begin:
        beside.append(f"{MARK}{said[:begin].rstrip(_BETWEEN)} {_CUT}{MARK}")
        held = f"{_CUT} {held}"
    if end < len(said):
        beside.append(f"{MARK}{_CUT} {said[end:].strip(_BETWEEN)}{MARK}")
        held = f"{held} {_CUT}"
    return Clauses(f"{before}{MARK}{held}{MARK}", tuple(beside))


def _begin(said: str, start: int, manner: Manner) -> int:
    """Where the clause begins that holds the offset `start`."""
    joined = (at for at in _joints(said, manner) if at <= start)
    return max((at for at in joined if _says(said[:at], manner)), default=0)


def _end(said: str, named: int, manner: Manner) -> int:
    """Where the value ends that is named from the offset `named` on."""
    ends = (at for at in _ends(said, manner) if at > named and content_words(said[named:at], manner))
    return next((at for at in ends if _says(said[at:], manner)), len(said))


def _says(part: str, manner: Manner) -> bool:
    """Whether a part says something by itself: “with a cat called Canela”, and not “Bristol BS1”."""
    said = [word for word in content_words(part, manner) if word.isalpha() and word not in _DATES]
    return len(said) >= _TELLING and not manner.function_words.isdisjoint(words(part))


def _joints(said: str, manner: Manner) -> list[int]:
    """Where something else is joined: “I live in Ponce | with a cat | and work at night”."""
    return [word.start() for word in _WORD.finditer(said) if word[0].lower() in manner.apart]


def _ends(said: str, manner: Manner) -> list[int]:
    """Where what is said of a value may end."""
    return sorted({*_joints(said, manner), *(mark.end() for mark in _MARKS.finditer(said))})
