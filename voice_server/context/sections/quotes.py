"""Which quotes of a conversation are told: the best that fit, each with its speaker."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import islice

from voice_server.context.layout import formatting
from voice_server.context.layout.prompt_input import PromptInput, once
from voice_server.context.screening.hygiene import neutralise
from voice_server.context.sections.spoken import told, user_name
from voice_server.context.sections.third_person import by_name
from voice_server.domain.digest import KeyMoment
from voice_server.domain.memory import Memory

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_SHORT = 4  # words with which somebody says who they are
_DATE_BESIDE = re.compile(r" \((?:[\w ]+ )?(?:19|20)\d\d\)")
_MONTH_BESIDE = re.compile(
    rf"(?P<until> \((?:[\w ]+ )?(?P<month>{'|'.join(formatting.MONTHS)})) (?P<year>(?:19|20)\d\d)(?=\))"
)
# Months before and after a day, within which another of the same year needs no year to be told from others.
# "Until 30 April" looks ahead: of a day that is long past, the year is what says so.
_PAST, _AHEAD = 1, 5
_FRAME = 12  # characters of a line around its words: its mark, who speaks


def best(moments: Sequence[KeyMoment], room: int) -> tuple[KeyMoment, ...]:
    """Return the quotes worth most that fit into `room` characters, best first."""
    kept = list[KeyMoment]()
    for moment in sorted(moments, key=lambda one: (-one.weight, one.position)):
        length = len(moment.text) + _FRAME
        if length <= room:
            room -= length
            kept.append(moment)
    return tuple(kept)


def in_words(moment: KeyMoment, said_in: int, given: PromptInput) -> str:
    """Tell a moment of the conversation with this id."""
    known, asked = _in_words(given), (said_in, moment.said_by, moment.text)
    words = known.get(asked)
    if words is None:
        words = known[asked] = _told(moment, said_in, given)
    return words


@once
def _in_words(_given: PromptInput) -> dict[tuple[int, str, str], str]:
    """Return what was told of a prompt already: each section asks for all moments, to see who tells which."""
    return {}


def _told(moment: KeyMoment, said_in: int, given: PromptInput) -> str:
    if not moment.said_by:
        return in_prose(moment.text, [said_in], given)
    return told(neutralise(moment.text), moment.said_by, user_name([said_in], given))


def in_prose(text: str, said_in: Iterable[int], given: PromptInput) -> str:
    return by_name(neutralise(text), user_name(said_in, given))


def bare(text: str) -> str:
    """Return the words alone: without marks, capitals and the dates in brackets beside them."""
    return " ".join(_WORD.findall(undated(text))).casefold()


def undated(text: str) -> str:
    return _DATE_BESIDE.sub("", text)


def beneath(text: str, day: date) -> str:
    """Tell a line under the date of its day: brackets beside its words repeat no year that the date above
    says."""

    def short(found: re.Match[str]) -> str:
        months = formatting.MONTHS.index(found["month"]) + 1 - day.month
        return found["until"] if int(found["year"]) == day.year and -_PAST <= months <= _AHEAD else found[0]

    return _MONTH_BESIDE.sub(short, text)


def has_date_beside(text: str) -> bool:
    return _DATE_BESIDE.search(text) is not None


def is_name(text: str, memory: Memory) -> bool:
    """Tell whether a quote only says who is speaking (“Marta Klein here”), which stands above all of them."""
    said = [word[0] for word in islice(_WORD.finditer(text), _SHORT + 1)]
    if not 1 < len(said) <= _SHORT:
        return False
    names = {word.casefold() for word in _WORD.findall(f"{memory.user_name} {memory.user_nickname}")}
    return len(said) - sum(word.casefold() in names for word in said) <= 1
