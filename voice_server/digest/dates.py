"""Days that people speak of: "tomorrow", "next Friday", "Monday the twenty-third", "in two weeks".

Everything is resolved against the local day on which it was said. What could mean several days, or is not
sure to be a day at all, is not found: a wrong date is worse than none.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from msgspec import Struct

from voice_server.digest.verbs import is_past

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_SATURDAY = 5
_FRIDAY = 4
_SUNDAY = 6
_YEAR_OF_MONTHS, _SOON_MONTHS = 12, 6
_LONGEST_WAIT_YEARS = 8  # a 29 February comes at the latest after eight years

_WEEKDAY = rf"(?P<weekday>{'|'.join(_DAYS)})"
_SPELLED = "|".join(
    sorted(
        [
            *_ORDINALS,
            "thirtieth",
            *(f"{tens}[ -]{o}" for tens in ("twenty", "thirty") for o in _ORDINALS[:9]),
        ],
        key=len,
        reverse=True,
    )
)
_DIGITS = r"\d{1,2}(?:st|nd|rd|th)"
_ORDINAL = rf"(?P<ordinal>{_SPELLED}|{_DIGITS})"
_DAY_NUMBER = rf"(?P<ordinal>{_SPELLED}|\d{{1,2}}(?:st|nd|rd|th)?)"
_MONTH_NAMES = "|".join(_MONTHS)
_MONTH = rf"(?P<month>{_MONTH_NAMES}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?)"
_YEAR = r"(?:,?\s+(?P<year>(?:19|20)\d\d)\b)?"
_NUMBER = rf"(?P<number>an?|{'|'.join(_UNITS)}|\d{{1,2}})"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_PREPOSITION = r"(?:(?:this|next|on|by|for|until|till)\s+)?"
_PART = r"(?:\s+(?:morning|afternoon|evening|night))?"

# No expression below is without one of these: eight sentences of ten are done after looking for them.
_HINTS = (
    "day", "tomorrow", "tonight", "night", "week", "month", "year", "morning", "afternoon", "evening",
    *(month[:3].lower() for month in _MONTHS), *map(str, range(10)),
    "first", "second", "third", "fourth", "fifth", "sixth", "venth", "eighth", "ninth", "tenth", "lfth", "tieth",
    "teenth",
)  # fmt: skip
_ADDED = re.compile(r" \((?:[\w ]+ )?(?:19|20)\d\d\)")
_FUTURE_WORDS = re.compile(
    r"""'ll\b|\b(?:will|won't|going\ to|gonna|shall|can|can't|could|would|should|let's|plan(?:ning)?\ to|hope\ to
    |(?:am|is|are|'m|'s|'re)\s+\w+ing)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_CLAUSE_END = re.compile(r"[,;:.!?—–]|\s-\s|\b(?:and|but|so|because)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:'\w+)?")
_LAST_WORD = re.compile(r"[\w']+(?=\s*$)")
_DETERMINERS = frozenset("the a an my our your his her their this that these those each every".split())
_PREPOSITIONS = frozenset(
    "on by for until till before from since in of at after during over around to between than about".split()
)
_PREPOSITION_OF = re.compile(r"(?:on|by|for|until|till|before|from)\s+", re.IGNORECASE)
_PART_OF_DAY = re.compile(r"\b(?:morning|afternoon|evening|night)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\s+(?:morning|afternoon|evening|night)\b")


class SpokenDate(Struct, frozen=True):
    """A piece of a text that names a day or a span of days.

    `start` and `end` are offsets into the text; `first` and `last` the days meant (the same for one day);
    `written` is the absolute date to put beside it, "" when the words are absolute already.
    """

    start: int
    end: int
    first: date
    last: date
    written: str


class _Context(Struct, frozen=True):
    said: date
    past: bool  # the clause tells what has been
    future: bool  # the clause tells what is to come


_Span = tuple[date, date, str]
_Resolver = Callable[[re.Match[str], _Context], _Span | None]


def spoken_dates(text: str, said: date) -> list[SpokenDate]:
    """The days named in a text said on the day `said`, in order and not overlapping."""
    found: list[SpokenDate] = []
    low = text.lower()
    if not any(hint in low for hint in _HINTS):
        return found
    done = 0
    for match, resolve in sorted(_matches(text), key=lambda pair: (pair[0].start(), -pair[0].end())):
        if match.start() < done:
            continue
        done = match.end()  # "Sunday the 5th" that is no Sunday is not some other Sunday either
        if span := _resolved(resolve, match, said):
            found.append(SpokenDate(match.start(), match.end(), *span))
    return found


def with_dates(text: str, said: date) -> str:
    """The text with the absolute date behind every relative one: "tomorrow (18 November 2026)"."""
    pieces, done, written = [], 0, set[str]()
    for day in spoken_dates(text, said):
        if day.written and day.written not in written:
            pieces += [text[done : day.end], f" ({day.written})"]
            done = day.end
            written.add(day.written)
    return "".join([*pieces, text[done:]])


def in_full(text: str, said: date) -> str:
    """The text with absolute dates instead of relative ones: "I leave tomorrow" is "I leave on 18 November 2026".
    Where that would not surely be grammar, the date stands behind: "my last week (week of 9 November 2026)"."""
    pieces, done = [], 0
    for day in spoken_dates(text, said):
        if day.written:
            pieces += [text[done : day.start], _in_full(text, day)]
            done = day.end
    full = "".join([*pieces, text[done:]])
    return full[:1].upper() + full[1:]


def _in_full(text: str, day: SpokenDate) -> str:
    words = text[day.start : day.end]
    before, after = _LAST_WORD.search(text[: day.start]), text[day.end :]
    previous = before[0].lower() if before else ""
    if after.startswith("'"):
        return day.written
    if previous in _DETERMINERS or _GOES_ON.match(after):
        return f"{words} ({day.written})"
    preposition, part = _PREPOSITION_OF.match(words), _PART_OF_DAY.search(words)
    if preposition or previous in _PREPOSITIONS:
        start = preposition[0] if preposition else ""
    elif day.written.startswith(("by ", "around ")):
        start = ""
    else:
        start = (
            "on "
            if day.first == day.last or " to " in day.written
            else "in the "
            if day.written.startswith("week")
            else "in "
        )
    return f"{start}the {part[0].lower()} of {day.written}" if part else f"{start}{day.written}"


def undated(text: str) -> str:
    """The text without the dates that `with_dates` put into it."""
    return _ADDED.sub("", text)


def without_dates(text: str, said: date) -> str:
    """The text without the days it names."""
    pieces, done = [], 0
    for day in spoken_dates(text, said):
        pieces.append(text[done : day.start])
        done = day.end
    return "".join([*pieces, text[done:]])


def upcoming(text: str, said: date) -> date | None:
    """The first day named that is not over yet: where a span is meant, its first day still to come."""
    ahead = [max(day.first, said) for day in spoken_dates(text, said) if day.last >= said]
    return ahead[0] if ahead else None


def is_over(text: str, said: date) -> bool:
    """Whether a day named in the text lies before the day on which it was said."""
    return any(day.last < said for day in spoken_dates(text, said))


def written(day: date) -> str:
    """A day in full: "18 November 2026"."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _matches(text: str) -> Iterator[tuple[re.Match[str], _Resolver]]:
    straight = text.replace("’", "'")
    for pattern, resolve in _EXPRESSIONS:
        for match in pattern.finditer(straight):
            yield match, resolve


def _resolved(resolve: _Resolver, match: re.Match[str], said: date) -> _Span | None:
    try:
        return resolve(match, _context(match, said))
    except (OverflowError, ValueError):  # beyond the calendar, or a 31 June
        return None


def _context(match: re.Match[str], said: date) -> _Context:
    clause = _clause(match.string, match.start(), match.end())
    future = bool(_FUTURE_WORDS.search(clause))
    past = any(is_past(word) for word in _WORD.findall(clause.lower()))
    return _Context(said, past=past and not future, future=future and not past)


def _clause(text: str, start: int, end: int) -> str:
    """The words around text[start:end] up to the next comma or conjunction on either side."""
    before = max((m.end() for m in _CLAUSE_END.finditer(text, 0, start)), default=0)
    after = _CLAUSE_END.search(text, end)
    clause = text[before : after.start() if after else len(text)]
    return clause if len(clause.split()) > len(text[start:end].split()) + 1 else text


def _one_day(day: date) -> _Span:
    return day, day, written(day)


def _shifted(days: int) -> _Resolver:
    return lambda _match, context: _one_day(context.said + timedelta(days=days))


def _weekday(match: re.Match[str], context: _Context) -> _Span | None:
    """“On Friday”: the coming one, or the last one in a clause that tells what has been."""
    index = _DAYS.index(match["weekday"].lower())
    how = (match["how"] or "").lower()
    if how in {"last", "this past"} or (context.past and how == "on"):
        return _one_day(_last_weekday(context.said, index))
    if context.past and how not in {"by", "for", "until", "till", "this coming", "coming", "next"}:
        return None
    if how == "next":
        return _one_day(_week_start(context.said) + timedelta(days=7 + index))
    days = (index - context.said.weekday()) % 7
    return _one_day(context.said + timedelta(days=days or (0 if how == "this" else 7)))


def _last_weekday(said: date, index: int) -> date:
    return said - timedelta(days=(said.weekday() - index) % 7 or 7)


def _week_start(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _weekday_in_a_week(match: re.Match[str], context: _Context) -> _Span:
    index = _DAYS.index(match["weekday"].lower())
    return _one_day(_week_start(context.said) + timedelta(days=7 + index))


def _weekday_with_number(match: re.Match[str], context: _Context) -> _Span | None:
    """“Monday the twenty-third”: the nearest day that is both; none when they disagree."""
    index, number = _DAYS.index(match["weekday"].lower()), _ordinal(match["ordinal"])
    candidates = [context.said + timedelta(days=n) for n in range(62)]
    return next((_one_day(d) for d in candidates if d.day == number and d.weekday() == index), None)


def _day_of_month(match: re.Match[str], context: _Context) -> _Span | None:
    """“On the 23rd”: the next one, or the last one in a clause that tells what has been."""
    number = _ordinal(match["ordinal"])
    step = -1 if context.past else 1
    days = (context.said + timedelta(days=step * n) for n in range(62))
    return next((_one_day(d) for d in days if d.day == number), None)


def _calendar_day(match: re.Match[str], context: _Context) -> _Span | None:
    """“20 November”, with or without its year."""
    month, number = _month(match["month"]), _ordinal(match["ordinal"])
    if match["month"] in {"may", "march"} and match["ordinal"].isdigit():
        return None  # "I may 2" and "we march 3 miles"
    if match["year"]:
        day = date(int(match["year"]), month, number)
        return day, day, ""
    return _one_day(_nearest(month, number, context))


def _nearest(month: int, number: int, context: _Context) -> date:
    years = range(_LONGEST_WAIT_YEARS + 1)
    found = [
        d
        for n in years
        if (d := _day_or_none(context.said.year + (-n if context.past else n), month, number))
    ]
    wanted = [d for d in found if (d <= context.said if context.past else d >= context.said)]
    if not wanted:
        raise ValueError(number)
    return wanted[0]


def _day_or_none(year: int, month: int, number: int) -> date | None:
    return date(year, month, number) if 1 <= number <= monthrange(year, month)[1] else None


def _iso(match: re.Match[str], _context: _Context) -> _Span:
    day = date.fromisoformat(match.group())
    return day, day, ""


def _named_month(match: re.Match[str], context: _Context) -> _Span | None:
    """“In November”: a whole month, of this year or of the one that tense asks for. Where tense does not say ("since
    the surgery in September"), one that comes soon."""
    month, said = _month(match["month"]), context.said
    if context.past:
        return _whole_month(said.year - (month > said.month), month)
    if not context.future and (month - said.month) % _YEAR_OF_MONTHS > _SOON_MONTHS:
        return None
    return _whole_month(said.year + (month < said.month), month)


def _whole_month(year: int, month: int) -> _Span:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1]), f"{_MONTHS[month - 1]} {year}"


def _whole_week(monday: date) -> _Span:
    return monday, monday + timedelta(days=6), f"week of {written(monday)}"


def _next_or_last(match: re.Match[str], context: _Context) -> _Span:
    step = 1 if match["which"].lower() == "next" else -1
    unit = match["unit"].lower()
    if unit == "week":
        return _whole_week(_week_start(context.said) + timedelta(days=7 * step))
    if unit == "month":
        return _whole_month(*_months_on(context.said, step))
    return _whole_year(context.said.year + step)


def _whole_year(year: int) -> _Span:
    return date(year, 1, 1), date(year, 12, 31), str(year)


def _months_on(day: date, months: int) -> tuple[int, int]:
    years, month = divmod(day.month - 1 + months, 12)
    return day.year + years, month + 1


def _weekend(match: re.Match[str], context: _Context) -> _Span | None:
    """Saturday and Sunday of this calendar week, of the next ("next") or of the one before ("last")."""
    which = match["which"].lower()
    weeks = {"next": 1, "last": -1}.get(which, 0)
    if which == "this past" or (weeks == 0 and context.past and context.said.weekday() < _SATURDAY):
        weeks = -1
    saturday = _week_start(context.said) + timedelta(days=_SATURDAY + 7 * weeks)
    sunday = saturday + timedelta(days=1)
    return (
        saturday,
        sunday,
        f"{saturday.day} {'' if saturday.month == sunday.month else _MONTHS[saturday.month - 1] + ' '}to {written(sunday)}",
    )


def _in_a_while(match: re.Match[str], context: _Context) -> _Span | None:
    """“In two weeks”, "three days from now"."""
    return None if context.past else _away(match, context.said, 1)


def _a_while_ago(match: re.Match[str], context: _Context) -> _Span:
    first, last, text = _away(match, context.said, -1)
    return first, last, f"around {text}" if match["unit"].lower() == "week" else text


def _away(match: re.Match[str], said: date, direction: int) -> _Span:
    number, unit = direction * _number(match["number"]), match["unit"].lower()
    if unit == "day":
        return _one_day(said + timedelta(days=number))
    if unit == "week":
        return _one_day(said + timedelta(weeks=number))
    if unit == "month":
        return _whole_month(*_months_on(said, number))
    return _whole_year(said.year + number)


def _end_of(match: re.Match[str], context: _Context) -> _Span | None:
    """The last day of this or the next week (its Friday, when that is still to come), month or year."""
    if context.past:
        return None
    step, unit, said = int((match["which"] or "").lower() == "next"), match["unit"].lower(), context.said
    if unit == "week":
        friday = _week_start(said) + timedelta(days=_FRIDAY + 7 * step)
        return _one_day(friday if friday >= said else friday + timedelta(days=_SUNDAY - _FRIDAY))
    if unit == "month":
        return _one_day(_whole_month(*_months_on(said, step))[1])
    return _one_day(date(said.year + step, 12, 31))


def _later_this(match: re.Match[str], context: _Context) -> _Span:
    end = {
        "week": _week_start(context.said) + timedelta(days=_SUNDAY),
        "month": _whole_month(context.said.year, context.said.month)[1],
        "year": date(context.said.year, 12, 31),
    }[match["unit"].lower()]
    return context.said, end, f"by {written(end)}"


def _weeks_from_day(match: re.Match[str], context: _Context) -> _Span:
    """“A week from tomorrow”."""
    start = context.said + timedelta(days=int(match["day"].lower() == "tomorrow"))
    return _one_day(start + timedelta(weeks=_number(match["number"])))


def _number(word: str) -> int:
    low = word.lower()
    if low in _UNITS:
        return _UNITS.index(low) + 1
    return 1 if low in {"a", "an"} else int(low)


def _ordinal(word: str) -> int:
    low = word.lower().replace(" ", "-")
    if low[0].isdigit():
        return int(re.sub(r"\D", "", low))
    tens, _, unit = low.rpartition("-")
    if low == "thirtieth":
        return 30
    return {"": 0, "twenty": 20, "thirty": 30}[tens] + _ORDINALS.index(unit) + 1


def _month(word: str) -> int:
    return next(n for n, name in enumerate(_MONTHS, 1) if name[:3].lower() == word[:3].lower())


def _expression(
    pattern: str, resolve: _Resolver, flags: re.RegexFlag = re.IGNORECASE
) -> tuple[re.Pattern[str], _Resolver]:
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", flags), resolve


_EXPRESSIONS: tuple[tuple[re.Pattern[str], _Resolver], ...] = (
    _expression(r"(?:the )?day after tomorrow", _shifted(2)),
    _expression(r"(?:the )?day before yesterday", _shifted(-2)),
    _expression(rf"{_NUMBER} weeks? from (?P<day>today|tomorrow)", _weeks_from_day),
    _expression(rf"tomorrow{_PART}", _shifted(1)),
    _expression(rf"yesterday{_PART}", _shifted(-1)),
    _expression(r"last night", _shifted(-1)),
    _expression(r"today|tonight|this (?:morning|afternoon|evening)|later today", _shifted(0)),
    _expression(rf"{_PREPOSITION}{_WEEKDAY},?\s+(?:the\s+)?{_ORDINAL}(?!\s+of\b)", _weekday_with_number),
    _expression(
        rf"{_PREPOSITION}(?:{_WEEKDAY},?\s+)?(?:the\s+)?{_DAY_NUMBER}\s+(?:of\s+)?{_MONTH}{_YEAR}",
        _calendar_day,
    ),
    _expression(
        rf"{_PREPOSITION}(?:{_WEEKDAY},?\s+)?{_MONTH}\s+(?:the\s+)?{_DAY_NUMBER}{_YEAR}", _calendar_day
    ),
    _expression(r"\d{4}-\d\d-\d\d", _iso),
    _expression(
        rf"(?:on|by|until|till|before|from)\s+the\s+{_ORDINAL}(?=\s*[,.!?;]|\s*$|\s+(?:at|in the|and|if|or|around|for|then|I|we|he|she|it|they|my|our)\b)",
        _day_of_month,
    ),
    _expression(
        rf"the\s+(?P<ordinal>{_DIGITS})(?=\s*[,.!?;]|\s*$|\s+(?:at|and|if|or|works|is)\b)", _day_of_month
    ),
    _expression(
        rf"(?:(?P<how>this past|this coming|coming|next|last|this|on|by|for|until|till)\s+)?{_WEEKDAY}{_PART}",
        _weekday,
    ),
    _expression(rf"(?:on\s+)?{_WEEKDAY}\s+(?:in\s+a\s+week|next\s+week)", _weekday_in_a_week),
    _expression(rf"next\s+week,?\s+(?:on\s+)?{_WEEKDAY}", _weekday_in_a_week),
    _expression(
        r"(?:by |at |towards )?(?:the )?end of (?:the |this )?(?:(?P<which>next) )?(?P<unit>week|month|year)",
        _end_of,
    ),
    _expression(r"later this (?P<unit>week|month|year)", _later_this),
    _expression(r"(?P<which>next|last) (?P<unit>week|month|year)", _next_or_last),
    _expression(r"(?P<which>next|last|this past|this|at the|over the|on the) weekend", _weekend),
    _expression(rf"in {_NUMBER} {_UNIT}(?:'s? time)?(?!\s+(?:or|of)\b)", _in_a_while),
    _expression(rf"{_NUMBER} {_UNIT} from now", _in_a_while),
    _expression(rf"{_NUMBER} {_UNIT} ago", _a_while_ago),
    _expression(rf"[Ii]n (?P<month>{_MONTH_NAMES})(?!,? \d)", _named_month, re.NOFLAG),
)
