"""What a statement says beside its value: “I live in Ponce, with a cat called Canela” is two things, and a
move changes one. Each is quoted by itself."""

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.pieces import Piece, content_words
from voice_server.digest.rules.topics import topic

_SHORT = ("home", "job")  # topics whose value is a word or two; an address goes on and on
_TELLING = 2  # words of content that say something beside a value
_DATES = MONTHS_OF_ALL | WEEKDAYS_OF_ALL
_MARKS = re.compile(r"[,;:.!?]\s+")
_WORD = re.compile(r"(?<!\S)[^\W\d_]+")
_CUT = "…"
_BETWEEN = " ,;"
_GAP = _BETWEEN + _CUT  # where two are joined already


def apart(said: Iterable[Piece], manner: Manner) -> list[Piece]:
    """Cut pieces so that each has one value at most, and nothing beside it that would go with it."""
    return [part for piece in said for part in _parts(piece, manner)]


def _parts(piece: Piece, manner: Manner) -> Iterator[Piece]:
    of = topic(piece, manner)
    if of not in _SHORT:
        yield piece
        return
    text, value = piece.text, manner.topics[of].search(piece.text)
    start, named = value.span() if value else (0, 0)  # or the question asks for it
    begin, end = _begin(text, start, manner), _end(text, named, manner)
    held = text[begin:end].rstrip(_BETWEEN)
    if begin:
        yield replace(piece, text=f"{text[:begin].rstrip(_GAP)} {_CUT}", question="")
        held = f"{_CUT} {held}"
    yield replace(piece, text=f"{held} {_CUT}" if end < len(text) else held)
    if end < len(text):
        yield replace(piece, text=f"{_CUT} {text[end:].lstrip(_GAP).rstrip(_BETWEEN)}", question="")


def _begin(text: str, start: int, manner: Manner) -> int:
    joined = (at for at in _joints(text, manner) if at <= start)
    return max((at for at in joined if _says(text[:at], manner)), default=0)


def _end(text: str, named: int, manner: Manner) -> int:
    told = ((at, content_words(text[named:at], manner)) for at in _ends(text, manner) if at > named)
    ends = (at for at, said in told if said and not said[-1].isdigit())  # “at 5, Lilac Street”
    return next((at for at in ends if _says(text[at:], manner)), len(text))


def _says(part: str, manner: Manner) -> bool:
    """“With a cat called Canela” does, “Bristol BS1” does not."""
    said = [word for word in content_words(part, manner) if word.isalpha() and word not in _DATES]
    return len(said) >= _TELLING and not manner.function_words.isdisjoint(words(part))


def _joints(text: str, manner: Manner) -> list[int]:
    """“I live in Ponce | with a cat | and work at night”."""
    return [word.start() for word in _WORD.finditer(text) if word[0].lower() in manner.apart]


def _ends(text: str, manner: Manner) -> list[int]:
    return sorted({*_joints(text, manner), *(mark.end() for mark in _MARKS.finditer(text))})
