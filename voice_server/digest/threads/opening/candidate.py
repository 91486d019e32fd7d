"""A matter that may be open, and its making from remarks."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import (
    agreed_day,
    due_day,
    friday_ahead,
    weekend_ahead,
    weeks_named,
    whole_day,
)
from voice_server.digest.threads.speech.phrases import has_hour
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place
from voice_server.domain.digest import OpenThread, Speaker, ThreadKind

_TITLE = re.compile(r"\W*(?:\w+ )?[ʤʧ]+[,.:]")  # a day, and what it is about: "Thursday, the turkey."
# Words. Where nobody punctuates, the thing itself is often named last.
_MOST_ASKED, _MOST_ANSWERED = 20, 24
_NEAR = 4  # remarks
_MONTH = 31  # days
_TELLING = 2  # matters of what says by itself what is to be done


class Candidate(Struct, frozen=True):
    """A matter that may be open. `matters` and `times` are what it is about, `clocks` its hours in words,
    `own` what its last remark is about, or all where that says little. `appointment`: it stands in a
    calendar, where a later one may take its place. `is_bare`: its last remark says nothing of its matter.
    `is_weekly`: “every Tuesday”. `is_answered`: a promise whose last words are the other party's. `awaits`:
    it waits for something to come, “I'll text you when they're in.”"""

    thread: OpenThread
    places: tuple[int, ...]
    matters: frozenset[str]
    own: frozenset[str]
    times: frozenset[str]
    clocks: frozenset[str] = frozenset()
    appointment: bool = False
    has_hour: bool = False
    is_bare: bool = False
    is_weekly: bool = False
    is_answered: bool = False
    awaits: bool = False

    @property
    def place(self) -> int:
        return self.places[-1]

    @property
    def position(self) -> int:
        return self.thread.positions[-1]

    @property
    def weekdays(self) -> frozenset[str]:
        return frozenset(time for time in self.times if time.isdigit())


def of_remark(
    talk: ThreadTalk, remark: Remark, kind: ThreadKind, text: str, *, appointment: bool = False
) -> Candidate:
    return of_remarks(talk, (remark,), kind, remark.said_by, text, appointment=appointment)


def of_sentences(talk: ThreadTalk, first: Remark, second: Remark, kind: ThreadKind) -> Candidate:
    text = quoting.sentences(first, second)
    return of_remarks(talk, (first, second), kind, second.said_by, text, appointment=False)


def of_answer(
    talk: ThreadTalk, asked: Sequence[Remark], answer: Sequence[Remark], kind: ThreadKind
) -> Candidate:
    text = f"{quoting.sentences(*asked)} – {quoting.sentences(*answer)}"
    return of_remarks(talk, (*asked, *answer), kind, answer[-1].said_by, text, appointment=False)


def of_exchange(
    talk: ThreadTalk, asked: Remark, answer: Remark, kind: ThreadKind, *, appointment: bool = False
) -> Candidate:
    text = quoting.exchange(
        quoting.excerpt(asked, most=_MOST_ASKED), quoting.excerpt(answer, most=_MOST_ANSWERED)
    )
    return of_remarks(talk, (asked, answer), kind, answer.said_by, text, appointment=appointment)


def of_remarks(
    talk: ThreadTalk,
    remarks: tuple[Remark, ...],
    kind: ThreadKind,
    said_by: Speaker,
    text: str,
    *,
    appointment: bool,
) -> Candidate:
    positions = tuple(sorted({remark.position for remark in remarks}))
    due = _due_of_promise(talk, remarks) if kind == "promise" else agreed_day(remarks, talk.phrases)
    thread = OpenThread(kind, said_by, text, remarks[-1].said_on, positions, due)
    times = frozenset[str]().union(*(talk.phrases.times(remark.plain) for remark in remarks))
    clocks = frozenset[str]().union(*map(talk.clocks, remarks))
    places = tuple(remark.place for remark in remarks)
    of_hours = talk.phrases.matters(" ".join(sorted(clocks)))  # “siebzehn Uhr vierzig”
    about, own = talk.matters(*remarks) - of_hours, talk.matters(remarks[-1]) - of_hours
    hour = any(has_hour(remark.marked) for remark in remarks)
    told = own if len(own) >= _TELLING else about
    return Candidate(
        thread,
        places,
        about,
        told,
        times,
        clocks,
        appointment,
        hour,
        is_bare=not own,
        is_weekly=talk.phrases.is_weekly(remarks[-1].plain),
        awaits=talk.phrases.awaits(remarks[-1].plain),
    )


def near(talk: ThreadTalk, remark: Remark) -> Sequence[Remark]:
    """Return the remarks before it in which its day may be spoken of."""
    return talk.remarks[max(0, remark.place - _NEAR) : remark.place]


def _due_of_promise(talk: ThreadTalk, remarks: tuple[Remark, ...]) -> date | None:
    """Look behind the promise, in what it answers, in its sentence, in a title before it (“Thursday, the
    turkey.”). A mere hour is today's where no day was spoken of."""
    *earlier, last = remarks
    asking = [_what_is_asked(talk, r) for r in earlier if talk.asks(r) or talk.has(r, "request")]
    found = talk.find("promise", last.marked)
    if found:
        asking = [one for one in asking if not _is_of_another_matter(talk, one, last)]
    behind = from_place(last, found.start()) if found else last
    if talk.has(last, "deferral", "enquiry"):  # “Is Tuesday free?” – “I'll ask, and let you know.”
        asking = [one for one in asking if talk.has(one, "request", "errand")]
    if talk.phrases.awaits(behind.plain):
        asking = []  # “Can it be done today?” – “I'll ring you once it's fitted.”
    whole = (
        None if found and _awaits_elsewhere(talk, last, found.start()) else agreed_day((last,), talk.phrases)
    )
    day = _day_of_the_last(talk, behind) or agreed_day((*asking, behind), talk.phrases) or whole
    own = from_place(last, len(quoting.from_clause(last.marked, found.start())[0])) if found else last
    before = [r for r in earlier if r.position == last.position and _TITLE.match(r.marked)]
    day = day or agreed_day(before, talk.phrases) or _day_of_the_appointment(talk, last)
    day = day or _day_by_its_number(talk, last, earlier)
    if talk.has(last, "before_weekend"):
        return friday_ahead(last.said_on)
    day = day or weekend_ahead(last, talk.phrases)
    if day is None and _is_of_today(talk, last, own, asking):
        day = last.said_on
    is_given_up = day is not None and day == whole_day(last, talk.phrases) != due_day(last, talk.phrases)
    return None if is_given_up or (day == last.said_on and _then_awaits(talk, behind)) else day


def _is_of_another_matter(talk: ThreadTalk, asked: Remark, promise: Remark) -> bool:
    """“So he'll miss the trip on the twelfth?” – “We'll refund you.”"""
    about = talk.undated(asked)
    is_told = len(about) > 1 and not talk.has(asked, "question", "request")
    return is_told and about.isdisjoint(talk.matters(promise))


def _what_is_asked(talk: ThreadTalk, remark: Remark) -> Remark:
    """Leave out what the question is about: “The trip on Thursday, can I get that money back?”"""
    found = talk.find("question", remark.marked)
    about = between(remark, 0, found.start()) if found and found.start() else None
    return from_place(remark, found.start()) if found and about and talk.undated(about) else remark


def _day_of_the_last(talk: ThreadTalk, promise: Remark) -> date | None:
    """“I'll ask her today and tell you tomorrow.”"""
    joints = manner(talk.phrases.tag).joints
    words = list(re.finditer(r"\S+", promise.plain))
    for joint in reversed([word for word in words if word[0].strip(",") in joints]):
        behind, before = from_place(promise, joint.end()), between(promise, 0, joint.start())
        day = due_day(behind, talk.phrases)
        is_later = day is not None and day > promise.said_on == whole_day(before, talk.phrases)
        if is_later and _promises_on(talk, promise, behind):
            return day
    return None


def _promises_on(talk: ThreadTalk, promise: Remark, behind: Remark) -> bool:
    """Tell whether the second half is promised, with words of its own or those of the first (“I'll …”)."""
    if talk.has(behind, "promise"):
        return True
    found = talk.find("promise", promise.marked)
    opening = promise.marked[found.start() :].partition(" ")[0] if found else ""
    return talk.phrases.has("promise", f"{opening} {behind.marked.strip()}")


def _awaits_elsewhere(talk: ThreadTalk, remark: Remark, start: int) -> bool:
    """“We order them today and ring you when they come”: the day is not the promise's."""
    joints = manner(talk.phrases.tag).joints
    joined = any(word in joints for word in remark.plain[:start].split())
    return joined and talk.phrases.awaits(remark.plain[start:])


def _day_of_the_appointment(talk: ThreadTalk, promise: Remark) -> date | None:
    """“Wednesday afternoon, then. He'll ring you half an hour before.”, “Friday at ten?” – “Yes, and I'll
    bring the tyres along.”"""
    said_near = near(talk, promise)
    if talk.has(promise, "beforehand", "day_before"):
        day = agreed_day(said_near, talk.phrases)
        return day - timedelta(days=1) if day and talk.has(promise, "day_before") else day
    brings = promise.said_by == "user" and talk.has(promise, "brings_along")
    return agreed_day([one for one in said_near if has_hour(one.marked)], talk.phrases) if brings else None


def _day_by_its_number(talk: ThreadTalk, promise: Remark, earlier: Sequence[Remark]) -> date | None:
    """“They operate on the second of December.” – “Then I'll ring you on the third.”"""
    numbers = talk.phrases.numbers_of_days(promise.plain, promise.marked)
    named = agreed_day(earlier, talk.phrases) if len(numbers) == 1 else None
    if named is None or talk.phrases.weekdays(promise.plain):
        return None
    days = (named + timedelta(days=n) for n in range(_MONTH))
    return next((day for day in days if day.day in numbers), None)


def _then_awaits(talk: ThreadTalk, promise: Remark) -> bool:
    """“I'll order one today and text you when it's in”, not “I'll send it today, and when it's back …”:
    what is done today does not keep the promise. It may where nothing but an answer is awaited: “I'll call
    the lab today and ring you once I've heard.”"""
    if talk.has(promise, "learns"):
        return False
    joints = manner(talk.phrases.tag).joints
    words = re.finditer(r"\S+", promise.plain)
    halves = (promise.plain[word.end() :] for word in words if word[0] in joints)
    return any(talk.phrases.awaits(half) and not talk.phrases.begins_to_await(half) for half in halves)


def _is_of_today(talk: ThreadTalk, remark: Remark, own: Remark, asking: Sequence[Remark]) -> bool:
    """“I'll pick it up at five.”, not “We close at ten, but I'll leave you the key”."""
    phrases = talk.phrases
    dated = any(phrases.days(one.plain, one.marked) or one.before.week for one in (remark, *asking))
    recurs = phrases.is_recurring(remark.plain) or weeks_named(remark, phrases)
    names_an_hour = talk.has(own, "time") and has_hour(own.marked)
    near = talk.remarks[max(0, remark.place - _NEAR) : remark.place]
    if any(phrases.days(one.plain, one.marked) or phrases.weekdays(one.plain) for one in near):
        return False  # “Shall I ring you on Sunday?” – “Would you?” – “I'll ring you at two.”
    return names_an_hour and not (dated or recurs or remark.before.days)
