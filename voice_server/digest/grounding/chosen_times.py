"""On which of several days or hours the talk settles: “Tuesday or Thursday?” – “Tuesday, please.” is no
appointment on Thursday, “at four?” – “better at five” none at four.

It settles where its last line with days repeats some of those proposed before, and leaves the told one out.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from msgspec.structs import replace

from voice_server.digest.grounding.day_evidence import told_days, weekdays_of
from voice_server.digest.grounding.numerals import told_numbers
from voice_server.digest.grounding.transcript import Line
from voice_server.digest.grounding.vocabulary import Vocabulary, plain, vocabulary

_AFTER = 2  # lines behind those that a digest names in which the talk may settle
_HALF_DAY = 12

_Values = frozenset[int]
_NONE: _Values = frozenset()
_Reading = Callable[[Line, Vocabulary, _Values], _Values]


def unsettled(text: str, heard: Sequence[Line], lines: Sequence[Line], language: str) -> str:
    """Return the day or hour that these lines propose and the talk does not settle on, or "". `lines` are all
    that was said."""
    known = vocabulary(language)
    if known is None or not heard:
        return ""
    last = max(line.position for line in heard)
    following = [line for line in lines if line.position > last][:_AFTER]
    return _passed_over(text, heard, following, known, _weekdays) or _passed_over(
        text, heard, following, known, _hours
    )


def _passed_over(
    text: str, heard: Sequence[Line], following: Sequence[Line], known: Vocabulary, of: _Reading
) -> str:
    told = of(replace(heard[0], text=text), known, _NONE)
    in_order = sorted(heard, key=lambda line: line.position)
    surely = _of_this(in_order, told, known, of, _NONE)
    proposed = frozenset(value for values in surely for value in values)
    if not told or not told <= proposed:
        return ""
    said, later = (_of_this(some, told, known, of, proposed) for some in (in_order, following))
    settled = next((values for values in reversed([*said, *later]) if values), _NONE)
    is_settled = settled < proposed and not settled & told and not _is_of_last(settled, said)
    return str(min(told)) if is_settled else ""


def _of_this(
    lines: Sequence[Line], told: _Values, known: Vocabulary, of: _Reading, proposed: _Values
) -> list[_Values]:
    """“And the bath on Friday.” is of another matter, and puts nothing in the place of what was said."""
    found = [(line, of(line, known, proposed)) for line in lines]
    joins = (known.has("joins", plain(line.text).partition(" ")[0]) for line, _ in found)
    return [
        values for (_, values), is_joined in zip(found, joins, strict=True) if values & told or not is_joined
    ]


def _is_of_last(settled: _Values, said: Sequence[_Values]) -> bool:
    """Tell whether the day is named there for the first time: it is another matter's."""
    first = next((number for number, values in enumerate(said) if values & settled), len(said))
    return first == len(said)


def _weekdays(line: Line, known: Vocabulary, proposed: _Values) -> _Values:
    """Read the day of a goodbye only where it was proposed: “Tuesday or Monday?” – “See you on Monday!”"""
    folded = plain(line.text)
    surely = _days_in(_parting(known.language).sub("", folded), line, known)
    return surely | (_days_in(folded, line, known) & proposed)


def _days_in(folded: str, line: Line, known: Vocabulary) -> _Values:
    dated = {
        day.weekday()
        for one in told_days(folded, line.said_on, known.language)
        for day in one.days[:1]
        if not one.is_month
    }
    return frozenset(weekdays_of(folded, known)) or frozenset(dated)


def _hours(line: Line, known: Vocabulary, proposed: _Values) -> _Values:
    """Read an hour from or until which something is only where it was proposed: “From ten, please.”"""
    found = set[int]()
    for match in _clock(known.language).finditer(plain(line.text)):
        numbers = told_numbers(match["typed"] or match["bounded"] or match["hour"] or match["of_unit"], known)
        hours = {int(number) % _HALF_DAY for number in numbers[:1] if len(number) <= len("12")}
        is_bound = (
            match["bound"] and match["part"] not in known.numbers
        )  # "after three", not "ten past three"
        found |= hours & proposed if is_bound else hours
    return frozenset(found)


@cache
def _parting(language: str) -> re.Pattern[str]:
    """“Until Monday, then!” is a goodbye."""
    known = vocabulary(language)
    words, days = (_any(known.lists["parting"]), _any(known.weekdays)) if known else ("(?!)", "(?!)")
    return re.compile(rf"\b(?:{words}) (?:{days})(?: \([^()]*\))?(?= ?(?:[,.!]|$))")


@cache
def _clock(language: str) -> re.Pattern[str]:
    known = vocabulary(language)
    before, unit, bounds = (_any(known.lists[kind] if known else ()) for kind in ("clock", "hours", "bounds"))
    typed = rf"\d{{1,2}}(?=(?::| ?h ?)\d\d\b|\.\d\d (?:{unit})\b)"
    return re.compile(
        rf"(?:\b(?P<part>\w+) )?\b(?P<bound>{bounds}) (?P<bounded>\d{{1,2}}|[^\W\d]+)(?::\d\d)?"
        rf"|(?<![\d:.,])(?P<typed>{typed})[:.h ]+\d\d"
        rf"|\b(?:{before}) (?P<hour>\w+)|(?<![:.,\d])\b(?P<of_unit>\w+) (?:{unit})\b"
    )


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"
