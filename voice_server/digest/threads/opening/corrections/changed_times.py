"""A time that is changed, where nobody says that it is."""

from voice_server.digest.threads.opening.appointments.counters import other_time
from voice_server.digest.threads.opening.appointments.other_hours import grants_the_hour
from voice_server.digest.threads.opening.appointments.times import repeats, words_of_hours
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.corrections.objections import objects
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import has_hour
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_FEW_MATTERS = 1  # beside an hour that is wished for, or agreed on


def changes_its_time(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    changes = (asks_for_another_hour, _grants_another_hour, settles_the_hour, _takes_another_day)
    return any(change(talk, remark, one) for change in changes)


def asks_for_another_hour(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“You're down for Tuesday at four.” – “Could we say five?” – “Of course.”"""
    offered = talk.remarks[one.place]
    is_own = one.thread.said_by == offered.said_by
    is_offer = one.appointment or (one.thread.kind == "promise" and one.thread.due is not None)
    follows = remark.said_by != offered.said_by and remark.position == offered.position + 1
    if not (is_offer and is_own and follows and has_hour(offered.marked)) or talk.has(remark, "moved"):
        return False
    wish = other_time(talk, remark) or remark  # “three no i have hockey five”
    asked = talk.clocks(wish)
    beside = len(talk.undated(wish) - words_of_hours(talk, wish))
    most = _FEW_MATTERS if talk.has(remark, "preferred", "correction") else 0
    if beside > most or talk.days(wish) or asked <= talk.clocks(offered):
        return False
    return any(grants_the_hour(talk, reply, asked) for reply in talk.after(remark)[:1])


def _grants_another_hour(talk: ThreadTalk, reply: Remark, one: Candidate) -> bool:
    """“Thursday at ten past nine.” – “Make it half past.” – “Half past nine is fine.”, or the hour that the
    other party named."""
    offered, wishes = talk.remarks[one.place], talk.before(reply)
    hours_given = talk.clocks(reply) - talk.clocks(offered)
    follows = reply.said_by == offered.said_by and reply.position == offered.position + 2
    is_offer = one.appointment or (one.thread.kind == "promise" and one.thread.due is not None)
    if not (follows and is_offer and len(hours_given) == 1 and has_hour(offered.marked)) or talk.asks(reply):
        return False
    wished = frozenset[str]().union(*(talk.clocks(wish) for wish in wishes))
    is_yes = not wished and talk.phrases.opens("yes", reply.marked)
    is_granted = is_yes and any(talk.has(wish, "preferred", "correction") for wish in wishes)
    is_same_day = not any(talk.days(said) for said in (*wishes, reply))
    return is_same_day and (is_granted or wished == hours_given)


def settles_the_hour(talk: ThreadTalk, reply: Remark, one: Candidate) -> bool:
    """“I'll send the engineer tomorrow morning.” – “Could he come after two?” – “Okay, tomorrow at three.”"""
    offered, wishes = talk.remarks[one.place], talk.before(reply)
    follows = reply.said_by == offered.said_by and reply.position == offered.position + 2
    is_dated = one.thread.kind == "promise" and one.thread.due is not None and not has_hour(offered.marked)
    beside = talk.beside(reply, "yes") & talk.undated(reply)
    names_little = has_hour(reply.marked) and len(beside) <= _FEW_MATTERS
    if not (follows and is_dated and names_little) or talk.asks(reply):
        return False
    asked = [wish for wish in wishes if has_hour(wish.marked) and talk.asks(wish)]
    day = due_day(reply, talk.phrases)
    is_wished = any(day or talk.has(wish, "preferred", "pointer", "of_another") for wish in asked)
    is_its_day = day in (None, one.thread.due)
    is_agreed = talk.phrases.opens("yes", reply.marked) or talk.has(reply, "concluded")
    return is_wished and is_agreed and is_its_day and not talk.has(reply, "refused", "no")


def _takes_another_day(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“I'll come on Saturday.” – “We're closed on Saturday.” – “Monday then.”, “I'll bring it on Monday
    morning.” – “We're closed in the mornings.” – “Monday afternoon, then.”"""
    said = talk.remarks[one.place]
    is_own = remark.said_by == said.said_by and remark.position == said.position + 2
    if not is_own or talk.asks(remark) or talk.undated(remark) & talk.beside(remark, "concluded"):
        return False
    weekdays = talk.phrases.weekdays(remark.plain)
    is_other = bool(weekdays) and weekdays.isdisjoint(talk.phrases.weekdays(said.plain))
    is_its_day = one.thread.due is not None and due_day(remark, talk.phrases) == one.thread.due
    is_part_of_it = is_its_day and talk.has(remark, "concluded", "preferred")
    if not (is_other or is_part_of_it):
        return False
    return any(objects(talk, reply) and _is_of_its_day(talk, reply, one) for reply in talk.after(said))


def _is_of_its_day(talk: ThreadTalk, reply: Remark, one: Candidate) -> bool:
    """“We're closed on Wednesdays.”, “We're closed then.”, not “We're closed on the twelfth.”"""
    due, weekdays = one.thread.due, talk.phrases.weekdays(reply.plain)
    names_none = not (weekdays or talk.days(reply))
    is_its_weekday = due is not None and (due.weekday() in weekdays or due == due_day(reply, talk.phrases))
    return names_none or is_its_weekday or repeats(talk, talk.remarks[one.place], reply)
