"""What people are called."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Certainty = Literal["assumed", "stated", "corrected"]
NameSource = Literal["", "said", "model", "platform", "api"]  # each more trusted than the one before
_OWNING = re.compile(r"['’]?s?$|,$")
_CERTAINTIES: tuple[Certainty, ...] = ("assumed", "stated", "corrected")
_SOURCES: tuple[NameSource, ...] = ("", "said", "model", "platform", "api")


class CallerName(Struct, frozen=True):
    """A name of a caller; `title` is how it begins that is no name (“Mrs”). `certainty`: “assumed” when only
    the agent called them so, “stated” when they said it of themselves, “corrected” when they spelled it, or
    put right what was heard. `kin_of`: whose relative they say they are, in their words (“the husband of
    Teresa”)."""

    name: str
    nickname: str = ""
    certainty: Certainty = "stated"
    source: NameSource = "said"
    title: str = ""
    kin_of: str = ""

    def is_kin_of(self, name: str) -> bool:
        """Tell whether they say that they are a relative of somebody of this name: “Teresa's husband”, “la
        fille de monsieur Delorme”. “Leo Klein's mum” may be a Klein herself."""
        said = [_OWNING.sub("", word) for word in self.kin_of.casefold().replace(".", "").split()]
        own = [_OWNING.sub("", word) for word in name.casefold().split() if word not in _BEFORE_NAMES]
        whose = {*said} - {_OWNING.sub("", word) for word in _words(self.name)}
        titled = {word for title, word in pairwise(said) if title in _BEFORE_NAMES}
        return any(word in titled for word in own) or (own[:1] != [] and own[0] in whose)


NOBODY = CallerName("", source="")

# What stands before a name and calls nobody: "Frau" alone reads as somebody's wife.
_BEFORE_NAMES = frozenset(
    "da de do dos das di del della dal van von la el le don doña dona herr frau madame monsieur mevrouw"
    " meneer señor señora signor signora senhor senhora mister missus lady professor doctor"
    " seu señorita signorina mademoiselle juffrouw fräulein frl"
    " familie family famille famiglia familia família"
    " mr mrs ms mx miss dr dra sir sr sra srta hr fr mme mlle m sig dhr mw prof".split()
)


def in_short(name: str) -> str:
    """Return the first of several names, and all that goes with a title."""
    first, _, more = name.partition(" ")
    is_name = bool(more) and first[:1].isupper() and not first.endswith(".")
    return first if is_name and first.lower() not in _BEFORE_NAMES else name


def best(heard: Sequence[CallerName]) -> CallerName:
    """Return the name to go by, from the names heard, earliest first; NOBODY for none. A later name counts if
    it is trusted as much, or if the caller corrected it. What the caller says beyond the known name completes
    it, whoever it was from. Somebody else who speaks between two conversations costs none of it, and a
    relative's name is not the user's."""
    known, before = NOBODY, list[CallerName]()
    for one in heard:
        known = _in_full(_after(known, one), before)
        before.append(known)
    return known


def _in_full(known: CallerName, before: Sequence[CallerName]) -> CallerName:
    """Return the whole name that was known before somebody else spoke: “Federica” is Federica Conti."""
    said = _words(known.name)
    is_part = bool(said) and known.certainty != "corrected"
    whole = (one for one in reversed(before) if is_part and said < _words(one.name))
    return next(whole, known)


def _after(known: CallerName, heard: CallerName) -> CallerName:
    if known.name and heard.is_kin_of(known.name):
        return known
    nickname = heard.nickname or known.nickname
    if _adds_the_title(known, heard):
        return replace(heard, nickname=nickname, source=known.source)
    if not heard.name or _says_no_more(known, heard):
        return replace(known, nickname=nickname) if known.name else known
    if _completes(known, heard):
        return replace(heard, nickname=nickname, source=max(known.source, heard.source, key=_SOURCES.index))
    if not known.name or heard.certainty == "corrected" or _worth(heard) >= _worth(known):
        return replace(heard, nickname=nickname if _is_of_one(known, heard) else heard.nickname)
    return known


def _worth(name: CallerName) -> tuple[bool, int, int]:
    """Put what callers say of themselves above what they are only called, whoever heard it."""
    return (
        name.certainty != "assumed",
        _SOURCES.index(name.source),
        min(1, _CERTAINTIES.index(name.certainty)),
    )


def _says_no_more(known: CallerName, heard: CallerName) -> bool:
    said = _words(heard.name) - _words(heard.title)
    return bool(known.name) and said <= _words(known.name) | _words(known.nickname)


def _adds_the_title(known: CallerName, heard: CallerName) -> bool:
    """“Name's Whelan.” … “Mrs Whelan here.”"""
    said = _words(heard.name) - _words(heard.title)
    is_same = bool(heard.title) and not known.title and said == _words(known.name)
    return is_same and heard.certainty != "assumed"


def _completes(known: CallerName, heard: CallerName) -> bool:
    """Tell whether it has the surname where the platform has the first name."""
    is_longer = bool(known.name) and _words(known.name) < _words(heard.name)
    return is_longer and heard.certainty != "assumed"


def _is_of_one(known: CallerName, heard: CallerName) -> bool:
    return not known.name or not _words(known.name).isdisjoint(_words(heard.name))


def _words(name: str) -> set[str]:
    return set(name.casefold().replace(".", "").split())
