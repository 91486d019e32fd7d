"""What people say while they look for words: “um”, “the the”."""

from functools import partial
from itertools import chain, takewhile
from operator import eq

from voice_server.digest.language.manner import Manner

_MARKS = ".,!?"
_OTHERS = 2  # digits beside a small word that is one, too: fewer are a quantity, “um um três dias”


def without_hesitations(text: str, manner: Manner) -> str:
    """Drop fillers and stuttering: “to the pool” of “um to to the the pool”. Numbers, what is meant twice,
    and a first capital stay."""
    said = manner.fillers.sub("", text).split()
    plain = " ".join(said).lower().replace("'", "").split(" ")
    kept = " ".join(_without_stuttering(said, plain, manner) if any(map(eq, plain, plain[1:])) else said)
    begins_anew = text[:1].isupper() and kept[:1].islower() and kept.partition(" ")[0].islower()
    return kept[:1].upper() + kept[1:] if begins_anew else kept


def _without_stuttering(said: list[str], plain: list[str], manner: Manner) -> list[str]:
    twice = {at for at in range(1, len(said)) if plain[at] == plain[at - 1]}
    return [word for at, word in enumerate(said) if at not in twice or not _is_stuttered(plain, at, manner)]


def _is_stuttered(plain: list[str], at: int, manner: Manner) -> bool:
    once = plain[at] in manner.function_words and plain[at] not in manner.doubled
    return once and not (_is_spelled(plain, at) or _is_dictated(plain, at, manner))


def _is_spelled(plain: list[str], at: int) -> bool:
    """Tell whether it is among the letters of a name: “A D D O”."""
    beside = [*plain[max(0, at - 2) : at - 1], *plain[at + 1 : at + 2]]
    return len(plain[at]) == 1 and any(len(one.strip(_MARKS)) == 1 for one in beside)


def _is_dictated(plain: list[str], at: int, manner: Manner) -> bool:
    """Tell whether it is among the digits of a number: “sette sei sei otto”, “zéro six un un douze”."""
    if plain[at] not in manner.digits:
        return False
    before = takewhile(partial(_is_digit, manner=manner), reversed(plain[:at]))
    behind = takewhile(partial(_is_digit, manner=manner), plain[at + 1 :])
    return sum(one.strip(_MARKS) != plain[at] for one in chain(before, behind)) >= _OTHERS


def _is_digit(word: str, manner: Manner) -> bool:
    bare = word.strip(_MARKS)
    return bare in manner.digits or manner.values["number"].fullmatch(bare) is not None
