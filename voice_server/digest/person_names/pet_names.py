"""Which names are one name in short (“Bob”, “Pepe”): data, `phrases/pet_names.txt`, a line for each."""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from voice_server.digest.person_names.lexicon import is_given
from voice_server.runtime.once import once

_SHORTEST = 3  # letters with which a name and its short form begin, where no line has them: “Puri”
_NONE: frozenset[int] = frozenset()


def are_one(one: str, other: str) -> bool:
    """Tell whether a line has both, in small letters."""
    return not _lines().get(one, _NONE).isdisjoint(_lines().get(other, _NONE))


def begins_in_short(words: Sequence[str]) -> bool:
    """Tell whether one says what they are called, and then their whole given name: “Puri Purificación …”."""
    short, name = (word.lower() for word in words[:2])
    is_beginning = name.startswith(short) and len(short) >= _SHORTEST
    return is_given(name) and len(short) < len(name) and (is_beginning or are_one(short, name))


@once
def _lines() -> Mapping[str, frozenset[int]]:
    """Return, by name in small letters, the numbers of the lines that it stands in."""
    lines = files(__package__).joinpath("phrases", "pet_names.txt").read_text("utf-8").splitlines()
    places: dict[str, set[int]] = {}
    for number, line in enumerate(lines):
        for name in line.split():
            places.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in places.items()}
