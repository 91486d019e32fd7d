"""Where a name ends and the next sentence begins, with no mark between: “it's karen tom told me to ring”,
“sono la signora ferri luca è malato”. A name that is too short calls nobody by another's."""

import re
from collections.abc import Sequence

from voice_server.digest.person_names.lexicon import Lexicon, is_given

_FEWEST = 2  # words of a name that may have swallowed one
_JOINED = "-"


def without_subject(
    taken: Sequence["re.Match[str]"], low: str, lexicon: Lexicon, *, titled: bool
) -> list["re.Match[str]"]:
    """Leave out a given name at the end, of whom the next sentence tells: “tom” of “karen tom told me”, and
    behind a title of “mrs harris tom is ill”. Else “is” and “has” may ask of a matter, or tell of one's own:
    “juan carlos tiene hora”."""
    if len(taken) < _FEWEST:
        return [*taken]
    before, last = (word.group().lower() for word in taken[-_FEWEST:])
    at = taken[-1].end() + 1
    is_known = is_given(last) and last not in lexicon.surnames and before not in lexicon.particles
    cues = (lexicon.telling, lexicon.acting) if titled else (lexicon.telling,)
    if not is_known or not any(cue.match(low, at) for cue in cues):
        return [*taken]
    return _without_particles(taken[:-1], lexicon)


def tells_of(low: str, end: int, lexicon: Lexicon) -> bool:
    """Tell whether what follows a name is what its bearer does: “hat gesagt”, “is ill”."""
    return any(cues.match(low, end + 1) is not None for cues in (lexicon.telling, lexicon.acting))


def has_pronoun(word: str, lexicon: Lexicon) -> bool:
    """“est-ce”, “disse-me”, not “Jean-Luc”"""
    return word.islower() and _JOINED in word and word.rpartition(_JOINED)[2] in lexicon.never


def _without_particles(taken: Sequence["re.Match[str]"], lexicon: Lexicon) -> list["re.Match[str]"]:
    kept = [*taken]
    while kept and kept[-1].group().lower() in lexicon.particles:
        kept.pop()
    return kept
