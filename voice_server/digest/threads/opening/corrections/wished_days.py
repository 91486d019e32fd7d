"""The day that is asked for in place of an appointment's, told by that: “the day after”, “that same week”."""

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec.structs import replace

from voice_server.digest.threads.opening.corrections.objections import OBJECTIONS
from voice_server.digest.threads.opening.purposes import led_by
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import Kind, hours
from voice_server.digest.threads.speech.references import clauses
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import OpenThread

_PUTS_OFF: tuple[Kind, ...] = ("promise", "bare_promise", "enquiry", "deferral", "waiting", "doubt")
_WEEK, _A_DAY = timedelta(weeks=1), timedelta(days=1)
_NEAR = 8  # remarks before an hour, of which one may name its day
_MOVED_BY: dict[Kind, timedelta] = {"day_later": _A_DAY, "day_earlier": -_A_DAY, "week_later": _WEEK}
BY_ANOTHER_DAY: tuple[Kind, ...] = (*_MOVED_BY, "that_week")


def on_day_instead(talk: ThreadTalk, thread: OpenThread, old: date) -> OpenThread:
    """Date an hour that takes the place of an appointment: by the day asked for just before, with which it is
    told, else by its own, unless that is what will not do: “I can't on the ninth.” – “At ten?” – “Ten's
    fine.”"""
    for remark in reversed(_just_before(talk, thread)):
        wished = wished_instead(talk, remark, old)
        if wished is not None or _names_another(talk, remark, old):
            told = led_by(thread, remark) if remark.said_by == "user" else thread
            return replace(told, due=wished)
        if _puts_off(talk, remark, old):
            return thread
    return replace(thread, due=old)


def is_put_off_before(talk: ThreadTalk, thread: OpenThread, day: date) -> bool:
    """Tell whether the user said just before that the day will not do."""
    return any(_puts_off(talk, one, day) for one in _just_before(talk, thread))


def _just_before(talk: ThreadTalk, thread: OpenThread) -> Sequence[Remark]:
    first = next(one.place for one in talk.remarks if one.position == thread.positions[0])
    return talk.remarks[max(0, first - _NEAR) : first]


def granted_instead(talk: ThreadTalk, old: date) -> OpenThread | None:
    """Read “Could we do a week later?” – “Yes, same time.”, where nobody says day or hour."""
    for wish in talk.remarks:
        day = wished_instead(talk, wish, old) if wish.said_by == "user" else None
        replies = talk.after(wish) if day is not None else ()
        grants = bool(replies) and talk.phrases.opens("yes", replies[0].marked)
        if grants and not any(talk.has(one, *OBJECTIONS, *_PUTS_OFF) for one in replies):
            text = quoting.exchange(quoting.shortened(wish.text), quoting.shortened(replies[0].text))
            positions = (wish.position, replies[0].position)
            return OpenThread("plan", "agent", text, wish.said_on, positions, day)
    return None


def wished_instead(
    talk: ThreadTalk, remark: Remark, old: date, about: frozenset[str] = frozenset()
) -> date | None:
    """Return the day of “Could we do the day after?”, “The same day the week after?”, “The Thursday that same
    week?”; a weekday beside it is of the week meant. It names nothing else but the matter itself, of which
    `about` are the words: not “Will the results be there the week after?”"""
    if remark.said_by != "user" or talk.has(remark, "calling"):
        return None  # “Can I ring you the week after?”
    weekdays = talk.phrases.weekdays(remark.plain) - {old.weekday()}
    in_week = timedelta(min(weekdays) - old.weekday()) if len(weekdays) == 1 else timedelta()
    if in_week and _wishes_that_week(talk, remark) and _names_only(talk, remark, "that_week", about):
        return old + in_week
    moved = [
        by
        for kind, by in _MOVED_BY.items()
        if talk.asks(remark) and talk.has(remark, kind) and _names_only(talk, remark, kind, about)
    ]
    if len(moved) != 1 or (in_week and moved != [_WEEK]):
        return None
    return old + moved[0] + in_week


def _names_only(talk: ThreadTalk, remark: Remark, kind: Kind, about: frozenset[str]) -> bool:
    parts = [one for one in clauses(remark, talk) if talk.has(one, kind)]  # “Sorry to ask, a day later?”
    asked = parts[0] if len(parts) == 1 else remark
    beside = talk.beside(asked, kind) & talk.beside(asked, "preferred")  # “ce serait possible le lendemain”
    return not talk.undated(asked) & beside - about


def wishes_that_week(talk: ThreadTalk, day: date) -> bool:
    """Tell whether a day of the week of an appointment is wished for: “Could it be the Tuesday of that same
    week?”, not “I'm away that week”, nor where the talk has named another date that it may be of."""
    wish = next((one for one in talk.remarks if _wishes_that_week(talk, one)), None)
    if wish is None:
        return False
    said = talk.remarks[: wish.place + 1]
    return all(talk.phrases.numbers_of_days(one.plain, one.marked) <= {day.day} for one in said)


def _wishes_that_week(talk: ThreadTalk, remark: Remark) -> bool:
    its = [clause for clause in clauses(remark, talk) if talk.has(clause, "that_week")]
    names_its_day = any(talk.phrases.weekdays(clause.plain) for clause in its)
    asks_for_more = any(talk.asks(clause) or talk.phrases.wants_more(clause.plain) for clause in its)
    return names_its_day or (asks_for_more and not talk.has(remark, *OBJECTIONS))


def _names_another(talk: ThreadTalk, remark: Remark, old: date) -> bool:
    """“Anything on the Friday?”: which one is not said."""
    is_asked = talk.asks(remark) or talk.has(remark, "preferred", "moved")
    day = due_day(remark, talk.phrases)
    named = talk.phrases.weekdays(remark.plain) - {old.weekday()}
    return is_asked and (bool(named) or (day is not None and day != old))


def _puts_off(talk: ThreadTalk, remark: Remark, old: date) -> bool:
    """Tell so of “The ninth is no good.”, not of “I can't do ten on the ninth.”"""
    if remark.said_by != "user" or talk.asks(remark):
        return False
    is_numbered = old.day in talk.phrases.numbers(remark.plain)
    is_bare = is_numbered and old.day not in talk.phrases.numbers_of_days(remark.plain, remark.marked)
    names_it = is_numbered or old.weekday() in talk.phrases.weekdays(remark.plain)
    names_an_hour = hours(remark.marked) > is_bare  # “le neuf” may be an hour
    return names_it and not names_an_hour and talk.has(remark, *OBJECTIONS)
