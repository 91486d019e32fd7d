"""Whole sentences that say nothing of anybody: they greet or take leave ("see you on Thursday", "it's Nadia
again"), or only react ("what a relief", "good question"). What agrees on something ("see you on Thursday at
ten", "that works for me") says more."""

from voice_server.digest.language.manner import NAMED, Manner
from voice_server.digest.language.stems import words
from voice_server.digest.person_names.lexicon import is_given

_LONGEST = 16  # words


def is_courtesy(text: str, manner: Manner) -> bool:
    """Whether a sentence only greets, takes leave or reacts."""
    said = words(text)
    if len(said) > _LONGEST:
        return False
    if manner.remarks.fullmatch(" ".join(said)):
        return True
    named = [NAMED if is_given(word) else word for word in said]
    in_full = [word for at, word in enumerate(named) if not (at and named[at - 1] == NAMED)]
    readings = (said, named, in_full)  # "dan" is a name, or not; and what follows one a surname, or not
    return any(manner.courtesies.fullmatch(" ".join(reading)) for reading in readings)
