"""Sentences that say nothing of anybody: they greet, take leave (“see you on Thursday”, “it's Nadia again”)
or only react (“what a relief”). “See you on Thursday at ten” and “that works for me” say more."""

import re

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.manner import NAMED, Manner
from voice_server.digest.language.stems import words
from voice_server.digest.person_names.lexicon import is_given

_LONGEST = 16  # words
_WORD = re.compile(r"\w+(?:['’]\w+)?")
_PARTS = re.compile(r"[,;:–—]\s*")
_DATES = MONTHS_OF_ALL | WEEKDAYS_OF_ALL


def is_courtesy(text: str, manner: Manner) -> bool:
    said = words(text)
    if len(said) > _LONGEST:
        return False
    plain = " ".join(said)
    if manner.remarks.fullmatch(plain):
        return True
    greets = manner.greetings.match(plain)  # most do not: to look for names costs more
    if greets and manner.greetings.fullmatch(" ".join(_with_names(text, manner))):
        return True
    named = [NAMED if _is_known(word, manner) else word for word in said]
    in_full = [word for at, word in enumerate(named) if not (at and named[at - 1] == NAMED)]
    # "dan" is a name, or not; and what follows one a surname, or not: mostly all three read alike
    readings = dict.fromkeys(map(" ".join, (said, named, in_full)))
    return any(map(manner.courtesies.fullmatch, readings))


def is_sympathy(text: str, manner: Manner) -> bool:
    """Tell whether an agent only feels with a caller: “I'm glad it's better.”"""
    said = words(text)
    return len(said) <= _LONGEST and manner.sympathy.fullmatch(" ".join(said)) is not None


def without_courtesies(text: str, manner: Manner) -> str:
    """Return a sentence without its courtesies: “Harbor Physio” of “Harbor Physio, Robin speaking.”."""
    return " ".join(part for part in _PARTS.split(text) if not is_courtesy(part, manner))


def _with_names(text: str, manner: Manner) -> list[str]:
    """Mark names, also those that only their capital tells."""
    found = _WORD.findall(text)
    capitals = [bool(at) and is_capitalised(word, manner) for at, word in enumerate(found)]
    return [
        NAMED if capital or _is_known(word, manner) else word.lower().replace("’", "'")
        for word, capital in zip(found, capitals, strict=True)
    ]


def _is_known(word: str, manner: Manner) -> bool:
    return is_given(word) or word.lower() in manner.names


def is_capitalised(word: str, manner: Manner) -> bool:
    """Tell whether a capital within a sentence makes a word a name."""
    may_be_name = word.istitle() and len(word) > 1 and word.lower() not in _DATES
    return may_be_name and not manner.noun_capitals
