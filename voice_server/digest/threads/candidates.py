"""What of a conversation may be left open: each promise, request, plan and question, before anything settles
it."""

from collections.abc import Callable
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from voice_server.context.screening.hygiene import is_suspicious
from voice_server.digest.language.manner import manner
from voice_server.digest.rules.courtesies import is_courtesy
from voice_server.digest.threads import quoting
from voice_server.digest.threads.due import (
    agreed_day,
    day_of_week,
    due_day,
    named_day,
    weeks_named,
    whole_day,
)
from voice_server.digest.threads.phrases import around, has_hour
from voice_server.digest.threads.talk import Remark, ThreadTalk, from_place
from voice_server.domain.digest import OpenThread, Speaker, ThreadKind

_LONGEST_PLAN = 40  # words: more are talk, not an appointment
_BRIEF_PLAN = 8  # of which one word says what it is
_LONGEST_PROPOSAL = 14
_LONGEST_FAREWELL = 10
_LONGEST_CHOICE = 5
_FEWEST_MATTERS = 2
_SHORTEST_QUESTION = 4  # words
_SHORTEST_ASKED = 2  # the same of one that is told with its answer
_FURTHER = 2  # sentences in which "They've moved it" is dated
_SHORTLY, _LATEST = 5, 20  # messages, and remarks


class Candidate(Struct, frozen=True):
    """A matter that may be open. `places` are those of its remarks; `matters` and `times` what it is about;
    `appointment`: it stands in a calendar, so that a later one may take its place."""

    thread: OpenThread
    places: tuple[int, ...]
    matters: frozenset[str]
    times: frozenset[str]
    appointment: bool = False

    @property
    def place(self) -> int:
        return self.places[-1]

    @property
    def position(self) -> int:
        """The last message it rests on."""
        return self.thread.positions[-1]

    @property
    def weekdays(self) -> frozenset[str]:
        return frozenset(time for time in self.times if time.isdigit())


def candidates(talk: ThreadTalk) -> list[Candidate]:
    """All of them, in the order said; of a remark the first reading."""
    found = (_candidate(talk, remark) for remark in talk.remarks)
    return [one for one in found if one is not None]


def _candidate(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    readings = (reading(talk, remark) for reading in _READINGS)
    found = next((one for one in readings if one is not None), None)
    # an instruction to the model is no matter between the two
    return None if found is None or is_suspicious(found.thread.text) else found


def _request(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    found = talk.phrases.find("request", remark.marked)
    if found is None or talk.has(remark, "waiting", "offer"):
        return None
    return _said(talk, remark, "request", quoting.quote(remark, found.start()))


def _accepted_offer(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """“Shall I remind you of the drops?” – “Yes, please.” What the offer leaves unsaid, the words before it
    say: then it is told with these, as the promise that it is."""
    if not talk.has(remark, "offer") or talk.has(remark, "waiting"):
        return None
    answer = next((r for r in talk.after(remark) if talk.phrases.opens("yes", r.marked)), None)
    if answer is None:
        return None
    about = _telling(talk, talk.before(remark)) if not talk.matters(remark) else None
    if about is not None and talk.matters(about) and not _answers(talk, about):
        return _answered(talk, about, remark, "promise")
    return _answered(talk, remark, answer, "request")


def _answer_later(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """What the user does not answer yet: "I'll tell you next time", told with the question."""
    if remark.said_by != "user" or not talk.has(remark, "answer_later") or _accepted_proposal(talk, remark):
        return None
    before = [r for r in talk.before(remark) if _says_something(talk, r)]
    asked = [r for r in before if talk.asks(r)] or before  # a recogniser writes no question marks
    if asked:
        return _answered(talk, asked[-1], remark, "promise")
    return _said(talk, remark, "promise", quoting.quote(remark, 0)) if talk.matters(remark) else None


def _says_something(talk: ThreadTalk, remark: Remark) -> bool:
    """Whether it can be answered later: not "How are you?"."""
    if len(remark.text.split()) < _SHORTEST_ASKED:
        return False
    return bool(talk.matters(remark)) or not talk.has(remark, "idle_question")


def _promise(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """What is promised in answer to a question is told with the question; with what has not come, too: that
    is promised once more, even if at once."""
    found = talk.phrases.find("promise", remark.marked)
    if found is None or talk.asks(remark):
        return None
    near = around(remark.marked, found)
    missed = next((one for one in talk.before(remark) if talk.has(one, "missed")), None)
    if talk.phrases.has("doubt", near) or (missed is None and talk.phrases.has("waiting", near)):
        return None
    if _tells_of_another(talk, remark):
        return _plan_of_another(talk, remark, found.start())
    asked = missed or _asked_before(talk, remark)
    return _in_context(talk, remark, asked) or _said(
        talk, remark, "promise", quoting.quote(remark, found.start())
    )


def _in_context(talk: ThreadTalk, remark: Remark, asked: Remark | None) -> Candidate | None:
    """A promise with what says what about: what it answers, or what was said just before."""
    own = _own_context(talk, remark) if _needs_context(talk, remark) else None
    if own is not None:
        return _joined(talk, own, remark, "promise")
    if asked is not None:
        return _answered(talk, asked, remark, "promise")
    about = _telling(talk, talk.before(remark)) if _needs_context(talk, remark) else None
    if about is None or _is_polite(talk, about):
        return None
    is_needed = not talk.undated(remark)
    tells = is_needed or (len(talk.matters(about)) >= _FEWEST_MATTERS and not _answers(talk, about))
    return _answered(talk, about, remark, "promise") if tells else None


def _tells_of_another(talk: ThreadTalk, remark: Remark) -> bool:
    """Whether nothing is promised but what the user says that somebody else will do. What the agent says of
    others ("a technician will call you") is the promise of those it speaks for."""
    if remark.said_by != "user":
        return False
    return talk.phrases.find("promise", talk.phrases.besides("another", remark.marked)) is None


def _plan_of_another(talk: ThreadTalk, remark: Remark, start: int) -> Candidate | None:
    """“My brother is going to call tomorrow”: a plan, if it names its day."""
    asked = _asked_before(talk, remark)
    made = (
        _said(talk, remark, "plan", quoting.quote(remark, start), appointment=True)
        if asked is None
        else _answered(talk, asked, remark, "plan", appointment=True)
    )
    return made if made.thread.due else None


def _asked_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """The question that a remark answers: the last of the message before."""
    asked = [r for r in talk.before(remark) if _is_question(talk, r)]
    long_enough = [r for r in asked if len(r.text.split()) >= _SHORTEST_ASKED]
    return long_enough[-1] if long_enough else None


def _own_context(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """What the speaker said just before in the same breath: “My neighbour has a car. I'll ask her.”"""
    before = [r for r in talk.message(remark) if r.place == remark.place - 1]
    telling = (r for r in before if len(talk.matters(r)) >= _FEWEST_MATTERS and not talk.asks(r))
    return next((r for r in telling if not _is_polite(talk, r)), None)


def _is_polite(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "thanked") or is_courtesy(remark.text, manner(talk.phrases.tag))


def _answers(talk: ThreadTalk, remark: Remark) -> bool:
    return not talk.asks(remark) and any(talk.asks(before) for before in talk.before(remark))


def _needs_context(talk: ThreadTalk, remark: Remark) -> bool:
    """Whether a promise hardly says what about: "We'll tell the kitchen."""
    matters = talk.undated(remark)
    return not matters or (len(matters) < _FEWEST_MATTERS and not _says_when(talk, remark))


def _bare_promise(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """“Leave it with me”: what, says the other party."""
    if talk.asks(remark) or not talk.has(remark, "bare_promise") or talk.has(remark, "doubt", "waiting"):
        return None
    about = _telling(talk, talk.before(remark))
    return _answered(talk, about, remark, "promise") if about is not None else None


def _booked(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """“You're down for Thursday”; what names no time, with what it answers."""
    if talk.asks(remark) or not talk.has(remark, "booked") or talk.has(remark, "doubt", "waiting"):
        return None
    is_farewell = _takes_leave(talk, remark)
    if remark.said_by == "user" and _is_excuse(talk, remark):
        return None
    if _says_when(talk, remark) and not is_farewell:
        return _said(talk, remark, "plan", quoting.quote(remark), appointment=True)
    about = _wished(talk, remark)
    if about is None or (is_farewell and not _repeats_the_day(talk, about, remark)):
        return None
    return _answered(talk, about, remark, "plan", appointment=True)


def _takes_leave(talk: ThreadTalk, remark: Remark) -> bool:
    """“Thanks, see you on Friday!”"""
    is_short = len(remark.text.split()) <= _LONGEST_FAREWELL and len(talk.matters(remark)) < _FEWEST_MATTERS
    is_farewell = is_short and talk.has(remark, "farewell")
    return is_farewell or is_courtesy(remark.text, manner(talk.phrases.tag))


def _wished(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """The latest that the other party said shortly before and that names a time; None where they accepted
    one."""
    latest = talk.remarks[max(0, remark.place - _LATEST) : remark.place]
    earlier = [r for r in latest if remark.position - r.position <= _SHORTLY]
    if any(_accepted_proposal(talk, r) for r in earlier):
        return None
    others = [r for r in earlier if r.said_by != remark.said_by and not talk.has(r, "farewell")]
    timed = [r for r in others if _says_when(talk, r)]
    return timed[-1] if timed else None


def _accepted_proposal(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """“I can do Friday at two.” – “Friday at two's good.”"""
    if len(remark.text.split()) > _LONGEST_PROPOSAL or not talk.has(remark, "proposal"):
        return None
    if talk.has(remark, "farewell") and not talk.asks(remark):
        return None
    standing = talk.phrases.standing(remark.marked, remark.marked)
    if not talk.phrases.has("time", standing) or talk.phrases.has("cancelled", standing):
        return None
    if talk.has(remark, "idle_question", "done"):
        return None
    answer = next((r for r in talk.after(remark) if _agrees(talk, remark, r)), None)
    if answer is None or not _is_proposed(talk, remark, answer):
        return None
    made = _answered(talk, remark, answer, "plan", appointment=True)
    due = made.thread.due or _day_wished(talk, remark) or _day_kept(talk, remark)
    return replace(made, thread=replace(made.thread, due=due))


def _day_wished(talk: ThreadTalk, remark: Remark) -> date | None:
    """The day of a proposal, by what was wished for: “Thursday?” – “At nine.”, “Next week would be better.” –
    “Thursday at nine?”. Who only says that they are away next week wishes for no day of it."""
    if remark.before.week is None:
        return agreed_day(talk.before(remark), talk.phrases)
    named = next(one for one in reversed(talk.remarks[: remark.place]) if weeks_named(one, talk.phrases))
    return day_of_week(remark, talk.phrases) if wishes_for_a_week(talk, named) else None


def wishes_for_a_week(talk: ThreadTalk, remark: Remark) -> bool:
    """Whether an appointment is looked for in the week that a remark names: “sometime next week?”"""
    before = talk.before(remark)
    agreed = talk.has(remark, "yes") and any(talk.asks(one) for one in before)
    asked = agreed or any(talk.has(one, "asked_when") for one in before)
    return asked or talk.asks(remark) or talk.has(remark, "preferred")


def _day_kept(talk: ThreadTalk, remark: Remark) -> date | None:
    """The day of what gets another hour: “I can't make ten tomorrow. Could we do half past four?”"""
    earlier = [r for r in talk.message(remark) if r.place < remark.place and _says_when(talk, r)]
    return whole_day(earlier[-1], talk.phrases) if earlier else None


def _is_proposed(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """Whether a time is put forward: by a question, in answer to one, or so that the answer takes it up."""
    asked = talk.asks(remark) or talk.has(remark, "offer")
    is_taken_up = _repeats(talk, remark, answer) or _names_its_day(talk, remark, answer)
    takes_up = has_hour(remark.marked) and any(
        _repeats(talk, before, remark) for before in talk.before(remark)
    )
    return asked or is_taken_up or takes_up or any(_asks_when(talk, before) for before in talk.before(remark))


def _asks_when(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "asked_when") or (talk.asks(remark) and bool(weeks_named(remark, talk.phrases)))


def _agrees(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Yes”; or “Friday, please”, of several that were put forward."""
    if talk.phrases.opens("yes", answer.marked):
        return True
    says_no_more = not talk.asks(answer) and not talk.matters(answer)
    is_short = len(answer.text.split()) <= _LONGEST_CHOICE and says_no_more
    refuses = talk.has(answer, "no", "cancelled", "unplanned", "doubt", "correction", "moved")
    return (
        is_short
        and not refuses
        and len(talk.phrases.weekdays(answer.plain) & talk.phrases.weekdays(remark.plain)) == 1
    )


def _move(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """“They've moved it. It's the 28th now.”"""
    if talk.asks(remark) or talk.has(remark, "request") or not _says_moved(talk, remark):
        return None
    said = [r for r in talk.message(remark) if 0 <= r.place - remark.place <= _FURTHER]
    if not any(_says_when(talk, r) for r in said):
        return None
    text = quoting.quote(remark)
    more = [r for r in said if r.place > remark.place and _says_when(talk, r)]
    if more:
        text = f'"{quoting.shortened(remark.text)} {quoting.shortened(more[0].text)}"'.replace(' "', " '")
    asked = None if any(map(talk.undated, said)) else _asked_before(talk, remark)
    if asked is not None:
        text = f"{quoting.quote(asked)} – {text}"
    of = (remark, *more) if asked is None else (asked, remark, *more)
    return _made(talk, of, "plan", remark.said_by, text, appointment=True)


def _says_moved(talk: ThreadTalk, remark: Remark) -> bool:
    """“They can't do Thursday, it's Friday now”, and not “they can't move it”: the clause counts."""
    found = talk.phrases.find("moved", remark.marked)
    if found is None:
        return False
    clause = quoting.clause(remark.marked, found.start())
    return not talk.phrases.has("unplanned", clause)


def _plan(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """What the user says of a day to come."""
    day = named_day(remark, talk.phrases) if remark.said_by == "user" else None
    if day is None or day <= remark.said_on or talk.asks(remark) or _plans_nothing(talk, remark):
        return None
    asked = _asked_when_it_is(talk, remark)
    if asked is not None:
        return _answered(talk, asked, remark, "plan", appointment=True)
    if not _tells_what(talk, remark):
        return None
    return _said(talk, remark, "plan", quoting.quote(remark), appointment=True)


def _plans_nothing(talk: ThreadTalk, remark: Remark) -> bool:
    unplanned = talk.has(remark, "doubt", "unplanned", "cancelled", "waiting", "done", "correction")
    is_idle = talk.phrases.is_recurring(remark.plain) or _takes_leave(talk, remark)
    return unplanned or is_idle or _is_excuse(talk, remark)


def _asked_when_it_is(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """The question that says what an answer dates: “When is your test?” – “On the twelfth.”"""
    asked = _asked_before(talk, remark) if remark == talk.message(remark)[0] else None
    is_brief = len(talk.undated(remark)) < _FEWEST_MATTERS and len(remark.text.split()) <= _BRIEF_PLAN
    if asked is None or not is_brief or not talk.matters(asked) or talk.has(asked, "unplanned"):
        return None
    return asked


def _is_excuse(talk: ThreadTalk, remark: Remark) -> bool:
    """Whether it says why the user cannot come then: “Tuesday at two?” – “Tuesday I have my class.”"""
    proposed = any(talk.has(r, "proposal") and _repeats(talk, r, remark) for r in talk.before(remark))
    return proposed and not talk.phrases.opens("yes", remark.marked)


def _tells_what(talk: ThreadTalk, remark: Remark) -> bool:
    """Whether a plan says what it is: “My operation is in six weeks” says nothing else."""
    matters, length = len(talk.undated(remark)), len(remark.text.split())
    return length <= _LONGEST_PLAN if matters >= _FEWEST_MATTERS else bool(matters) and length <= _BRIEF_PLAN


def _left_question(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """A question that was put off, or that nobody was there to answer."""
    if remark.said_by != "user" or remark != _question(talk, (remark,)):
        return None
    replies = talk.after(remark)
    put_off = any(talk.has(reply, "deferral") and not talk.has(reply, "waiting") for reply in replies)
    promised = any(talk.has(reply, "promise", "waiting") for reply in replies)
    if (put_off and not promised) or _is_last_word(talk, remark):
        return _said(talk, remark, "question", quoting.quote(remark))
    return None


_READINGS: tuple[Callable[[ThreadTalk, Remark], Candidate | None], ...] = (
    _answer_later,
    _accepted_offer,
    _request,
    _promise,
    _bare_promise,
    _booked,
    _accepted_proposal,
    _move,
    _plan,
    _left_question,
)


def _question(talk: ThreadTalk, remarks: tuple[Remark, ...]) -> Remark | None:
    asked = [r for r in remarks if _is_question(talk, r)]
    long_enough = [r for r in asked if len(r.text.split()) >= _SHORTEST_QUESTION and talk.matters(r)]
    return long_enough[-1] if long_enough else None


def _is_question(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.asks(remark) and not talk.has(remark, "idle_question", "offer", "request")


def _is_last_word(talk: ThreadTalk, remark: Remark) -> bool:
    last = talk.remarks[-1]
    return remark.position == last.position and bool(talk.before(remark))


def _telling(talk: ThreadTalk, remarks: tuple[Remark, ...]) -> Remark | None:
    telling = [r for r in remarks if talk.matters(r) or _says_when(talk, r)]
    return max(
        telling,
        key=lambda r: (len(talk.matters(r)) + len(talk.phrases.times(r.plain)), -r.place),
        default=None,
    )


def _says_when(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "time")


def _repeats(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    times, days = talk.phrases.times, talk.phrases.days
    return bool(
        times(remark.plain) & times(answer.plain)
        or days(remark.plain, remark.marked) & days(answer.plain, answer.marked)
    )


def _names_its_day(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“I can look at it tomorrow at ten.” – “Tomorrow at ten is fine.”"""
    day = due_day(answer, talk.phrases)
    return day is not None and day == due_day(remark, talk.phrases)


def _repeats_the_day(talk: ThreadTalk, wish: Remark, farewell: Remark) -> bool:
    """Whether a farewell agrees to the day that was wished for: “we're away from the 3rd, so that Thursday is
    out” is another one."""
    days = [due_day(remark, talk.phrases) for remark in (wish, farewell)]
    return days[0] == days[1] and _repeats(talk, wish, farewell)


def _due_of_promise(talk: ThreadTalk, remarks: tuple[Remark, ...]) -> date | None:
    """The day named behind the promise, else in its sentence, else in what it answers if that asks for
    something."""
    *earlier, last = remarks
    asking = [r for r in earlier if talk.asks(r) or talk.has(r, "request")]
    found = talk.phrases.find("promise", last.marked)
    behind = from_place(last, found.start()) if found else last
    return agreed_day((*asking, behind), talk.phrases) or agreed_day((last,), talk.phrases)


def _said(
    talk: ThreadTalk, remark: Remark, kind: ThreadKind, text: str, *, appointment: bool = False
) -> Candidate:
    return _made(talk, (remark,), kind, remark.said_by, text, appointment=appointment)


def _joined(talk: ThreadTalk, first: Remark, second: Remark, kind: ThreadKind) -> Candidate:
    """Two sentences of one speaker, said one behind the other."""
    said = f"{quoting.shortened(first.text)} {quoting.shortened(second.text)}".replace('"', "'")
    return _made(talk, (first, second), kind, second.said_by, f'"{said}"', appointment=False)


def _answered(
    talk: ThreadTalk, asked: Remark, answer: Remark, kind: ThreadKind, *, appointment: bool = False
) -> Candidate:
    text = quoting.exchange(quoting.excerpt(asked, most=14), quoting.excerpt(answer, most=20))
    return _made(talk, (asked, answer), kind, answer.said_by, text, appointment=appointment)


def _made(
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
    places = tuple(remark.place for remark in remarks)
    return Candidate(thread, places, talk.matters(*remarks), times, appointment)
