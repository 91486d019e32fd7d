"""Days that people speak of, in seven languages: “tomorrow”, “am Freitag”, “el 3 de mayo”, “il y a trois
jours”.

Each is resolved against the local day on which it was said, and only when it is certain: a day that could be
another one, or of another year, is not found. The languages are data: see `date_language`.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.dates.date_direction import Place, Way, clause_around, direction_of, looks_back
from voice_server.digest.dates.date_language import DateLanguage, Expression, Tense, date_language, tokens
from voice_server.digest.dates.date_readings import DateParts, Reading, readings, written
from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, fold, small

__all__ = [
    "NOTHING_NAMED", "DateContext", "NamedDay", "SpokenDate", "coming_dates", "coming_weekdays", "in_full",
    "is_over", "named_days", "named_month", "named_weeks", "names_a_day", "names_a_feast", "names_this_week",
    "numbers_a_weekday", "possible_days", "spoken_dates", "taken_back", "undated", "unsaid", "upcoming",
    "week_of_a_day", "with_dates", "without_dates", "written",
]  # fmt: skip

_ADDED = re.compile(r" \((?:[\w ]+ )?(?:19|20)\d\d\)")
_LAST_WORD = re.compile(r"[\w']+(?=\s*$)")
_DETERMINERS = frozenset("the a an my our your his her their this that these those each every".split())
_PREPOSITIONS = frozenset(
    "on by for until till before from since in of at after during over around to between than about".split()
)
_PREPOSITION_OF = re.compile(r"(?:on|by|for|until|till|before|from|to|since)\s+", re.IGNORECASE)
_PART_OF_DAY = re.compile(r"\b(?:morning|afternoon|evening|night)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_IN_A_MONTH = re.compile(r"(?:\d{1,2} )?[A-Z][a-z]+ (\d{4})")
_POSSESSIVE = ("'s", "’s")  # "Wednesday's class"
_FULL_STOP = re.compile(r"[.!?]")
_GOES_ON = re.compile(r"\s+(?:morning|afternoon|evening|night)\b")
_REMEMBERED = 512  # texts: a sentence is asked from many sides which days it names
_REACH = 300  # characters to either side in which a birthday is spoken of
_YEARLY = frozenset(("date", "date span", "numeric date", "number", "number span", "month"))
_NUMBERED = frozenset(("number", "number span"))
_OF_UNITS = frozenset(("unit", "away"))
_IN_A_WEEK = frozenset(("weekday in week", "weekday in weeks"))
_OF_SOME_WEEK = frozenset(("weekday", "next weekday"))
_BARE = _OF_SOME_WEEK | {"weekday to come"}
_SAY_WHICH = frozenset((
    "day", "weekday in week", "weekday in weeks", "coming weekday", "weekday to come",
    "weekday and number", "date",
    "numeric date", "number", "number of a month",
))  # fmt: skip
_WITH_MONTH = frozenset(("date", "numeric date"))
_WITH_WEEKDAY = frozenset(("weekday and number", "date"))
_LEADS = ("since", "target", "until", "on")
_LONGEST_LEAD = 24  # characters
_LATE_IN_YEAR, _DECEMBER = 10, 12
_MONTHS, _MONTHS_AHEAD = 12, 9
_SAME_MATTER = 100  # characters between a month and the number of its day
_WEEK = 7  # days
_BRIEF_REPLY = 6  # words of “Oh, could we do Thursday instead?”
_SAME_BREATH = 12  # characters between "the 27th" and "the 27th of February"
_LONGEST_CORRECTION = 60  # characters between a day and the one that takes its place


class SpokenDate(Struct, frozen=True):
    """The offsets of a day, and the days meant (the same for one day). `written` is the date to put beside
    it, "" when the words are absolute already."""

    start: int
    end: int
    first: date
    last: date
    written: str


class NamedDay(Struct, frozen=True):
    """A day to come that can be no other: “Thursday the 26th”. `near`: named just now, so that “the 26th” is
    that one, and “Thursday”, too, where it was named `by_weekday`; else it may be."""

    day: date
    near: bool = True
    by_weekday: bool = True


class DateContext(Struct, frozen=True):
    """What was said of days before.

    `week`: the Monday of a coming week; “Thursday” may be that week's.
    `days`: the latest last; “Thursday” may be “Thursday the 26th”.
    `month`: 1 to 12, 0 for none; “Saturday the 12th” may be of it.
    `in_full`: days said with their month just afterwards; “the 27th” may be one of them.
    `begins`: the first day of a span that “to Sunday” may end.
    `other_month`: a day without a month may be of it, too: “over Christmas, the 23rd”.
    `weekdays`: the coming days of those just named: “on Monday we see her” – “the tenth?”
    `given_up`: days just taken back: “not tomorrow, but next weekend”.
    `is_other_week`: a weekday may be of a week that nobody names: “the week after”.
    """

    week: date | None = None
    days: tuple[NamedDay, ...] = ()
    month: int = 0
    in_full: tuple[date, ...] = ()
    begins: date | None = None
    other_month: int = 0
    weekdays: tuple[date, ...] = ()
    given_up: tuple[date, ...] = ()
    is_other_week: bool = False


NOTHING_NAMED = DateContext()


@lru_cache(maxsize=_REMEMBERED)
def spoken_dates(
    text: str, said: date, language: str = "en", before: DateContext = NOTHING_NAMED
) -> tuple[SpokenDate, ...]:
    """Find the days surely named, in order and not overlapping. `said` is when, `language` a BCP 47 tag. A
    day that is taken back (“on Monday, no, on Tuesday”) is none."""
    found: list[SpokenDate] = []
    way: Way = ""  # of the day that was taken back
    for mention, context, is_withdrawn in _in_context(text, said, language, before):
        meant = mention.certain(said, context, way)
        way = (way or mention.way) if is_withdrawn else ""
        if meant and not is_withdrawn:
            found.append(SpokenDate(mention.start, mention.end, meant.first, meant.last, meant.written))
    return tuple(found)


def named_days(
    text: str, said: date, language: str = "en", before: DateContext = NOTHING_NAMED
) -> dict[date, bool]:
    """Return the days to come that can be no others (“Thursday the 26th”), with whether they are named by
    their weekday. Those without a month are of the one spoken of before, if any, or a weekday just named."""
    standing = (one for one, _, is_withdrawn in _with_the_next(_mentions(text, language)) if not is_withdrawn)
    mentions = ((mention, mention.named(said, before)) for mention in standing)
    return {day: mention.names_its_weekday for mention, day in mentions if day}


def named_month(text: str, said: date, language: str = "en") -> int:
    """Return the last month named and not looked back to; 0 for none. One named in November that was the
    month before is seldom next year's: “Has it come?” – “In October, yes.”"""
    named = [month for mention in _mentions(text, language) if (month := mention.month_of(said))]
    if named:
        return named[-1] if (named[-1] - said.month) % _MONTHS <= _MONTHS_AHEAD else 0
    words = date_language(language) if said.month >= _LATE_IN_YEAR else None
    return _DECEMBER if words and words.turn_of_year.search(small(text)) else 0


def coming_dates(text: str, said: date, language: str = "en") -> list[date]:
    """Return the next days named with their month and not looked back to."""
    ahead = (mention.coming(said) for mention in _mentions(text, language))
    return [day for day in ahead if day]


def possible_days(
    text: str, said: date, language: str = "en", before: DateContext = NOTHING_NAMED
) -> list[tuple[date, date]]:
    """Return first and last days of all that a text may mean: “next Friday” is two of them. “The
    Friday” may be any."""
    mentions = _in_context(text, said, language, before)
    of_some = ((mention, there) for mention, there, _ in mentions if not mention.points_to_another(there))
    return [(one.first, one.last) for mention, there in of_some for one in mention.readings(said, there)]


def names_another_week(text: str, language: str = "en") -> bool:
    """Tell whether a text speaks of a week that only another tells: “the week after”."""
    words = date_language(language)
    return words is not None and words.other_week.search(small(text)) is not None


def named_weeks(text: str, said: date, language: str = "en") -> list[date]:
    """Return the Mondays of the weeks named, also by a day: “in two weeks”, “next Wednesday”."""
    return [week for mention in _mentions(text, language) if (week := mention.week(said))]


def _in_context(
    text: str, said: date, language: str, before: DateContext
) -> "Iterator[tuple[_Mention, DateContext, bool]]":
    """Yield each mention with what was said before it, and whether it is taken back. What is said in full
    just behind counts, too: “on the 27th, the 27th of February”."""
    week, days, month, weekdays = before.week, before.days, before.month, before.weekdays
    given_up = before.given_up
    last, context = None, before
    for mention, after, is_withdrawn in _with_the_next(_mentions(text, language)):
        is_near = after is not None and mention.goes_on_to(after)
        again = after.coming(said) if after is not None and is_near else None
        in_full = (again,) if again else before.in_full if after is None else ()
        other = mention.month_of_christmas(said, last) or before.other_month
        begins = mention.begins(last, said, context)
        is_other = before.is_other_week
        context = DateContext(week, days, month, in_full, begins, other, weekdays, given_up, is_other)
        yield mention, context, is_withdrawn
        month, last = mention.month_of(said) or month, mention
        if named := mention.week(said):
            week = named if named > said else None
        if day := mention.named(said, context):
            days, given_up = (days, (*given_up, day)) if is_withdrawn else ((*days, NamedDay(day)), given_up)
        if coming := mention.coming_weekday(said):
            weekdays = (*weekdays, coming)


def week_of_a_day(text: str, said: date, language: str = "en") -> date | None:
    """Return the Monday of the last coming week of which a day is named: “next week, Tuesday at eight”."""
    named = [one for one in _mentions(text, language) if one.expression.kind in _IN_A_WEEK]
    days = [one.readings(said)[0].first for one in named if one.readings(said)]
    mondays = [day - timedelta(days=day.weekday()) for day in days]
    return mondays[-1] if mondays and mondays[-1] > said else None


def begins_to_take_back(text: str, language: str = "en") -> bool:
    """Tell whether a sentence begins with a second thought: “Well, the thirtieth.”"""
    words = date_language(language)
    return words is not None and words.takes_back.match(small(text.strip())) is not None


def taken_back(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Return where the days stand that another takes the place of: “on Monday, no, on Tuesday”."""
    mentions = _with_the_next(_mentions(text, language))
    return [(one.start, one.end) for one, _, is_withdrawn in mentions if is_withdrawn]


def _with_the_next(
    mentions: "Sequence[_Mention]",
) -> "Iterator[tuple[_Mention, _Mention | None, bool]]":
    """Yield each with the next one, and whether it is taken back; so is what says only why: “from the 1st,
    no, the 3rd, the 1st is a Tuesday”."""
    before: _Mention | None = None
    for number, one in enumerate(mentions, 1):
        after = mentions[number] if number < len(mentions) else None
        is_withdrawn = one.is_withdrawn(after) or (before is not None and one.number == before.number != 0)
        yield one, after, is_withdrawn
        before = one if is_withdrawn else None


def names_a_feast(text: str, language: str = "en") -> bool:
    """Tell whether a weekday is one of a feast's week: “from Good Friday to Tuesday”."""
    return any(mention.is_of_a_feast for mention in _mentions(text, language))


def names_a_birthday(text: str, language: str = "en") -> bool:
    """Tell whether a birth, a birthday or its like is spoken of."""
    words = date_language(language)
    return words is not None and words.birthday.search(small(text)) is not None


def names_this_week(text: str, language: str = "en") -> bool:
    """Tell whether a weekday is one of the week that it is said in, or of the next days: “this Friday”."""
    return any(mention.is_of_this_week for mention in _mentions(text, language))


def names_a_bound(text: str, language: str = "en") -> bool:
    """Tell whether a day is one since or until which something is so."""
    return any(mention.is_a_bound for mention in _mentions(text, language))


def tells_of_the_past(text: str, language: str = "en") -> bool:
    words = date_language(language)
    return words is not None and looks_back(text.lower(), words.direction)


def numbers_a_weekday(text: str, language: str = "en") -> bool:
    """Tell whether a weekday is named with its number: “Tuesday the 24th” need not be the coming one."""
    return any(mention.names_its_weekday and mention.number > 0 for mention in _mentions(text, language))


def coming_weekdays(text: str, said: date, language: str = "en") -> tuple[date, ...]:
    """Return the coming days of the weekdays named."""
    return tuple(day for mention in _mentions(text, language) if (day := mention.coming_weekday(said)))


def names_a_day(text: str, language: str = "en") -> bool:
    """Tell whether a text says when, even if it is not certain which day."""
    return bool(_mentions(text, language))


def with_dates(
    text: str,
    said: date,
    language: str = "en",
    before: DateContext = NOTHING_NAMED,
    *,
    today: bool = True,
) -> str:
    """Put dates behind days: “tomorrow (18 November 2026)”. `today` is False where the day itself stands
    beside: then “today” gets none."""
    pieces, done, added = [], 0, set[str]()
    for day in spoken_dates(text, said, language, before):
        is_told = (today or not day.first == day.last == said) and not text.startswith(_POSSESSIVE, day.end)
        more = unsaid(day, text) if is_told and day.written not in added else ""
        is_plain = more == str(said.year) and day.first == day.last >= said  # “on 2 December”
        if more and not is_plain:
            pieces += [text[done : day.end], f" ({more})"]
            done = day.end
            added.add(day.written)
    return "".join([*pieces, text[done:]])


def unsaid(day: SpokenDate, text: str) -> str:
    """Return of a date what its words in a text do not say: of “2 December” and “December” the year alone."""
    month, words = _IN_A_MONTH.fullmatch(day.written), text[day.start : day.end].lower().split()
    return day.written if month is None or MONTHS_OF_ALL.isdisjoint(words) else month[1]


def in_full(text: str, said: date) -> str:
    """Put dates for the days of an English text: “I leave on 18 November 2026”. Where that may be bad
    grammar, they stand behind: “my last week (week of 9 November 2026)”."""
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
    """Take out the dates that `with_dates` put in."""
    return _ADDED.sub("", text)


def without_dates(text: str, said: date, language: str = "en") -> str:
    """Take out the days surely named."""
    pieces, done = [], 0
    for day in spoken_dates(text, said, language):
        pieces.append(text[done : day.start])
        done = day.end
    return "".join([*pieces, text[done:]])


def upcoming(text: str, said: date, language: str = "en", before: DateContext = NOTHING_NAMED) -> date | None:
    """Return the first day named that is not over; of a span, its first day still to come."""
    named = spoken_dates(text, said, language, before)
    ahead = [max(day.first, said) for day in named if day.last >= said]
    return ahead[0] if ahead else None


def is_over(text: str, said: date, language: str = "en") -> bool:
    """Tell whether a day named lies before the day on which the text was said."""
    return any(day.last < said for day in spoken_dates(text, said, language))


class _Mention(Struct, frozen=True):
    """`text` is in small letters, with its accents. Of `match` is kept what is asked from many sides: `place`
    and `parts`."""

    text: str
    match: re.Match[str]
    expression: Expression
    words: DateLanguage
    place: Place
    parts: DateParts

    @property
    def start(self) -> int:
        return self.place.start

    @property
    def end(self) -> int:
        return self.place.end

    def week(self, said: date) -> date | None:
        is_named = self.expression.kind in _OF_UNITS and self.parts.unit == "week"
        if not is_named and self.expression.kind != "next weekday":
            return None
        meant = self.readings(said)
        named = meant[-1 if self.expression.kind == "next weekday" else 0].first if meant else None
        return named - timedelta(days=named.weekday()) if named else None

    @property
    def names_its_weekday(self) -> bool:
        return self.parts.weekday is not None

    @property
    def is_a_bound(self) -> bool:
        return self.place.lead in ("since", "until")

    def coming_weekday(self, said: date) -> date | None:
        weekday = self.parts.weekday if self.expression.kind == "weekday" else None
        return None if weekday is None or self.way == "past" else _next_weekday(weekday, said).first

    def named(self, said: date, before: DateContext = NOTHING_NAMED) -> date | None:
        if self.expression.kind not in _SAY_WHICH:
            return None
        found = self.readings(said)
        if not (self.expression.kind in _WITH_WEEKDAY and self.parts.weekday is not None):
            sure = self.certain(said, before)
            found = [sure] if sure else []
        ahead = [one.first for one in found if one.first == one.last > said]
        return ahead[0] if len(ahead) == 1 else None

    def coming(self, said: date) -> date | None:
        if self.expression.kind not in _WITH_MONTH or not self.month_of(said):
            return None
        return next((one.first for one in self.readings(said) if one.first == one.last >= said), None)

    def goes_on_to(self, after: "_Mention") -> bool:
        """Tell whether both are one breath: “the 27th, the 27th of February”."""
        between = self.text[self.end : after.start]
        return len(between) <= _SAME_BREATH and not _FULL_STOP.search(between)

    @property
    def number(self) -> int:
        """The day of the month; 0 where none is named."""
        return self.parts.day

    def is_withdrawn(self, after: "_Mention | None") -> bool:
        """“On Monday, no, on Tuesday”."""
        if after is None or after.start - self.end > _LONGEST_CORRECTION or after.match[0] == self.match[0]:
            return False
        return self.words.takes_back.search(self.text, self.end, after.start) is not None

    def begins(self, last: "_Mention | None", said: date, before: DateContext) -> date | None:
        """Return the day that a span begins on whose end this may name: “Friday the 11th to Sunday”."""
        if last is None or self.expression.kind not in _OF_SOME_WEEK or self.parts.weekday is None:
            return None
        if not self.words.joins_a_span.fullmatch(self.text, last.end, self.match.start("weekday")):
            return None
        first = last.certain(said, before)
        return first.first if first and first.first == first.last else last.coming(said)

    def month_of_christmas(self, said: date, last: "_Mention | None") -> int:
        """Return December where Christmas is spoken of since the day before; 0 where not."""
        if said.month < _LATE_IN_YEAR or self.expression.kind not in _NUMBERED:
            return 0
        is_named = self.words.turn_of_year.search(self.text, last.end if last else 0, self.start)
        return _DECEMBER if is_named else 0

    @property
    def is_of_a_feast(self) -> bool:
        """“I'll see you before Christmas, on Monday” is not."""
        if self.expression.kind not in _OF_SOME_WEEK:
            return False
        feasts = self.words.feasts.finditer(self.text, *self._around)
        return any(self.words.feast_joints.issuperset(self._between(one).split()) for one in feasts)

    @property
    def _is_of_a_birthday(self) -> bool:
        """“I want to send flowers on the 14th of December, it's our anniversary” is of something else."""
        if not self._has_no_year or not self.words.birthday.search(self.text, *self._around):
            return False
        is_beside = self.words.birthday.search(self._clause) is None and self.way == "future"
        return not is_beside or "," not in self.text[self.end : self._around[1]]

    @property
    def is_of_this_week(self) -> bool:
        """Tell so of “this Friday”, whatever week was spoken of."""
        return self.names_its_weekday and self.words.this.search(self.match[0]) is not None

    def _between(self, other: re.Match[str]) -> str:
        is_before = other.end() <= self.start
        return self.text[other.end() : self.start] if is_before else self.text[self.end : other.start()]

    def readings(self, said: date, before: DateContext = NOTHING_NAMED) -> list[Reading]:
        """Return all that it may mean. A day named before that has its weekday or number takes the place of
        others to come."""
        if self._is_of_a_birthday:
            return []
        if self.expression.kind in _NUMBERED and self.words.counted.search(self._clause):
            return []
        if self.is_of_a_feast or self._is_of_another_week(before):
            return []
        found = self._readings(said)
        if before.begins and self.parts.weekday is not None:
            end = _next_weekday(self.parts.weekday, before.begins)
            found = [end] if self._ends_a_span_surely else list(dict.fromkeys((*found, end)))
        if before.month and self._is_of_the_month_before(found, said):
            found = self._in_month(before.month, said) or found
        elif before.month and self.expression.kind == "number span" and not self._month_before:
            found = readings("span from month", replace(self.parts, month=before.month), said)
        if before.other_month and self.expression.kind in _NUMBERED:
            found = list(dict.fromkeys((*found, *self._in_month(before.other_month, said))))
        if again := [day for day in (*before.in_full, *before.weekdays) if self._has_number_of(day)]:
            found = [Reading(day, day, written(day)) for day in dict.fromkeys(again)]
        weekday = self.parts.weekday if self.expression.kind in _OF_SOME_WEEK else None
        if before.week and weekday is not None and not self.is_of_this_week:
            day = before.week + timedelta(days=weekday)
            found = list(dict.fromkeys((*found, Reading(day, day, written(day)))))
        return self._as_named(self._beyond_named(found, before), said, before.days)

    def _is_of_another_week(self, before: DateContext) -> bool:
        """Tell so of all in “The week after, maybe Tuesday, no, I work late then, Wednesday would do.”"""
        is_bare = self.expression.kind in _BARE and self.parts.weekday is not None
        return is_bare and (before.is_other_week or self.words.other_week.search(self.text) is not None)

    def _readings(self, said: date) -> list[Reading]:
        """“It's in January, from the eighth to the tenth”."""
        kind = self.expression.kind
        month = self._month_before if kind == "number span" else 0
        return readings(
            "date span" if month else kind, replace(self.parts, month=month or self.parts.month), said
        )

    def _is_of_the_month_before(self, found: Sequence[Reading], said: date) -> bool:
        """Tell whether the month before says which: “The eighth of next month?” – “The tenth, at one?”"""
        is_over = bool(found) and found[-1].last < said
        of_number = self.expression.kind == "number" and self.way != "past"
        return of_number or (self.expression.kind == "weekday and number" and is_over)

    def _in_month(self, month: int, said: date) -> list[Reading]:
        found = readings("date", replace(self.parts, month=month), said)
        return [one for one in found if one.first >= said][:1]

    def month_of(self, said: date) -> int:
        """0 for none, or one that it looks back to."""
        if self.expression.kind == "number of a month":
            return next((one.first.month for one in self._readings(said)), 0)
        is_over = self.parts.year is not None and self.parts.year < said.year  # of a birth
        return self.parts.month if self.way != "past" and not is_over else 0

    @property
    def _month_before(self) -> int:
        said = _WORD.findall(fold(self.text[max(0, self.start - _SAME_MATTER) : self.start]))
        named = (self.words.sure_months[word] for word in reversed(said) if word in self.words.sure_months)
        return next(named, 0)

    def certain(self, said: date, before: DateContext = NOTHING_NAMED, other_way: Way = "") -> Reading | None:
        """Return the one day it surely means. `other_way` is the way of the day whose place it takes."""
        found = self.readings(said, before)
        if not found or not found[0].written:  # nothing to be told, or absolute
            return found[0] if found else None
        if self.expression.kind in _NUMBERED and self.words.chosen.search(self._clause):
            return None
        if self.expression.kind == "weekday" and (
            self._is_of_a_number(found)
            or self.points_to_another(before)
            or self._may_be_of_that_week(said, before)
        ):
            return None
        may_come = found[-1].last < said and self._is_asked and self.way != "past"
        if self.expression.kind == "weekday and number" and may_come:
            return None  # as likely in a month to come
        meant = [one for one in found if _agrees(one, said, self._tense, self.way or other_way)]
        return meant[0] if len(meant) == 1 else None

    def _is_of_a_number(self, found: Sequence[Reading]) -> bool:
        """Tell whether it says of a day which weekday that is: “the 18th, which is a Sunday”."""
        numbered = self.words.number_before.search(self.text, max(0, self.start - _LONGEST_LEAD), self.start)
        return numbered is not None and all(one.first.day != int(numbered[1]) for one in found)

    def points_to_another(self, before: DateContext) -> bool:
        """“By Thursday week; she's in on the Friday” names that week's."""
        article = self.words.file.definite
        is_definite = bool(article) and f" {self.text[: self.start]}".endswith(f" {article} ")
        is_definite = is_definite and self.expression.kind == "weekday"
        return is_definite and not any(self._may_repeat(one.day) for one in before.days)

    def _may_be_of_that_week(self, said: date, before: DateContext) -> bool:
        """Tell whether a brief question back may mean a day of a week far ahead: “The 15th of December?” –
        “Could we do Thursday?”"""
        is_reply = len(self.text.split()) <= _BRIEF_REPLY and (self._is_asked or not self.start)
        far = (one for one in before.days if (one.day - said).days > _WEEK)
        return is_reply and any(not self._may_repeat(one.day) for one in far)

    @property
    def way(self) -> Way:
        """Where it looks; "" where the words around it do not tell."""
        return direction_of(self.place, self.words) if self._tense != "any" else ""

    def _beyond_named(self, found: list[Reading], before: DateContext) -> list[Reading]:
        """“He can't make it tomorrow, he's coming next weekend”: tomorrow is Saturday."""
        if self.expression.kind != "weekend" or self.expression.shift <= 0:
            return found
        days = (*(one.day for one in before.days if one.near), *before.weekdays, *before.given_up)
        return [one for one in found if not any(one.first <= day <= one.last for day in days)] or found

    def _as_named(self, found: list[Reading], said: date, days: Sequence[NamedDay]) -> list[Reading]:
        of_it = [one for one in days if one.day >= said and self._may_repeat(one.day)]
        if not of_it:
            return found
        named, is_same_kind = of_it[-1].day, of_it[-1].by_weekday or self.expression.kind != "weekday"
        if not found and not is_same_kind:
            return []  # "on the 1st of February" – "from Monday"
        rest = [one for one in found if one.last < said or not (of_it[-1].near and is_same_kind)]
        return list(dict.fromkeys((*rest, Reading(named, named, written(named)))))

    def _has_number_of(self, day: date) -> bool:
        return self.expression.kind == "number" and self.parts.day == day.day

    @property
    def _is_asked(self) -> bool:
        return re.match(r"[^.!?]*\?", self.text[self.end :]) is not None

    def _may_repeat(self, day: date) -> bool:
        if self.expression.kind == "weekday":
            return self.parts.weekday == day.weekday()
        return self._has_number_of(day)

    @property
    def _ends_a_span_surely(self) -> bool:
        """“Friday the 27th, till Monday!” may be a farewell, “move it from the 27th to Monday” is none."""
        before = self.text[max(0, self.start - _SAME_MATTER) : self.match.start("weekday")]
        is_parted = self.words.joins_a_span.search(before)
        return is_parted is not None and is_parted[0][:1].isspace() and not self.words.moves.search(before)

    @property
    def _around(self) -> tuple[int, int]:
        return max(0, self.start - _REACH), self.end + _REACH

    @property
    def _clause(self) -> str:
        return clause_around(self.place, self.words)

    @property
    def _has_no_year(self) -> bool:
        return self.expression.kind in _YEARLY and not self._group("year")

    @property
    def _tense(self) -> Tense:
        has_year = self._group("next_year") or self._group("last_year")
        return "any" if has_year else self.expression.asks

    def _group(self, name: str) -> str:
        return _group(self.match, name)


def _next_weekday(weekday: int, after: date) -> Reading:
    day = after + timedelta(days=(weekday - after.weekday()) % _WEEK or _WEEK)
    return Reading(day, day, written(day))


def _agrees(reading: Reading, said: date, tense: Tense, way: Way) -> bool:
    if tense in {"any", "unsure"}:
        return tense == "any"
    if way == "past":
        return tense != "not past" and reading.first <= said
    return reading.last >= said if way == "future" else tense != "needed"


@lru_cache(maxsize=_REMEMBERED)
def _mentions(text: str, language: str) -> tuple[_Mention, ...]:
    words = date_language(language)
    return tuple(_mentioned(text, words)) if words else ()


def _mentioned(text: str, words: DateLanguage) -> Iterator[_Mention]:
    folded = fold(text)
    said = tokens(folded)
    if words.hints.isdisjoint(said):
        return
    low, done = small(text), 0
    found = sorted(
        _matches(words.encoded(folded), said, words), key=lambda one: (one[0].start(), -one[0].end())
    )
    for match, expression in found:
        if match.start() >= done:
            done = match.end()  # "Sunday the 5th" that is no Sunday is not some other Sunday either
            parts = _parts(match, expression, words)
            yield _Mention(low, match, expression, words, _place(low, match), parts)


def _matches(
    encoded: str, said: frozenset[str], words: DateLanguage
) -> Iterator[tuple[re.Match[str], Expression]]:
    for compiled in words.expressions:
        if not compiled.anchors.isdisjoint(said):
            for pattern in compiled.patterns:
                for match in pattern.finditer(encoded):
                    yield match, compiled.expression


def _place(text: str, match: re.Match[str]) -> Place:
    lead = next((name for name in _LEADS if _group(match, name)), "")
    return Place(text, match.start(), match.end(), lead, match.end(lead) if lead else match.start())


def _parts(match: re.Match[str], expression: Expression, words: DateLanguage) -> DateParts:
    weekday, month, day = (_group(match, name) for name in ("weekday", "month", "day"))
    first, first_month = (_group(match, name) for name in ("first", "first_month"))
    number, unit, year = (_group(match, name) for name in ("number", "unit", "year"))
    years = 1 if _group(match, "next_year") else -1 if _group(match, "last_year") else None
    return DateParts(
        weekday=words.weekday(weekday) if weekday else None,
        month=words.month(month) if month else int(_group(match, "month_number") or 0),
        day=words.day(day) if day else 0,
        first=words.day(first) if first else 0,
        first_month=words.month(first_month) if first_month else 0,
        number=words.number(number) if number else 1,
        unit=words.unit(unit) if unit else "day",
        year=int(year) if year else None,
        year_shift=years,
        shift=expression.shift,
        sundays=words.file.weeks_begin_on_sunday_too,
    )


def _group(match: re.Match[str], name: str) -> str:
    return (match[name] or "") if name in match.re.groupindex else ""
