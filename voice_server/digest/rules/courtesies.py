"""Whole sentences that only greet or take leave: "see you on Thursday", "it's Nadia again". What agrees on
something ("see you on Thursday at ten") says more."""

from voice_server.digest.language.manner import NAMED, Manner
from voice_server.digest.language.stems import words
from voice_server.digest.person_names.lexicon import is_given

_LONGEST = 16  # words


def is_courtesy(text: str, manner: Manner) -> bool:
    """Whether a sentence only greets or takes leave."""
    said = words(text)
    if len(said) > _LONGEST:
        return False
    named = [NAMED if is_given(word) else word for word in said]
    in_full = [word for at, word in enumerate(named) if not (at and named[at - 1] == NAMED)]
    readings = (said, named, in_full)  # "dan" is a name, or not; and what follows one a surname, or not
    return any(manner.courtesies.fullmatch(" ".join(reading)) for reading in readings)
