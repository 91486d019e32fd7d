"""What objects to a day that was named."""

from collections.abc import Sequence

from voice_server.digest.threads.opening.appointments.times import repeats
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.speech.due import days_named, due_day, whole_day
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

OBJECTIONS: tuple[Kind, ...] = ("unplanned", "refused", "cancelled", "no")


def is_objected_to(talk: ThreadTalk, one: Candidate, found: Sequence[Candidate]) -> bool:
    """“I can see you today at four.” – “Can't today.”, “He'll bring them on Saturday.” – “We're closed on
    Saturday, but open on Friday.” – “Friday, then.”"""
    said, is_exchange = talk.remarks[one.place], ANSWERED in one.thread.text
    if one.thread.kind == "plan" and not is_exchange and _has_no_room(talk, said):
        return True
    objections = [r for r in talk.after(said) if objects(talk, r)]
    of_its_day = (repeats(talk, said, r) or one.thread.due in days_named(r, talk.phrases) for r in objections)
    if one.thread.kind != "plan" or not any(of_its_day):
        return False
    gives_it_up = any(_gives_up_the_day(talk, said, r) for r in objections)
    told = (gives_it_up or talk.has(said, "slot")) and said.said_by == "agent" and not is_exchange
    others = (other.thread.due for other in found if other.position == one.position + 2)
    return told or any(due not in (None, one.thread.due) for due in others)


def _has_no_room(talk: ThreadTalk, wish: Remark) -> bool:
    """Tell so of “A table for Saturday, at eight.” – “We're full.”, not of “I'm at the dentist on Saturday.”
    – “We're closed.”, nor of “… Can we bring the dog?” – “No, sorry.”"""
    is_own = talk.has(wish, "has_on", "duty", "possessed", "has_booked", "visits", "promise")
    if wish.said_by != "user" or is_own or talk.sentence_after(wish) is not None:
        return False
    reply = next(iter(talk.after(wish)), None)
    if reply is None or talk.days(reply) or talk.asks(reply):
        return False
    goes_on = talk.phrases.behind_but(reply.marked) != reply.marked  # “We're full, but there's the terrace.”
    return talk.has(reply, "refused") and not goes_on


def objects(talk: ThreadTalk, reply: Remark) -> bool:
    """“Can't today.”, not “I can't eat before on Friday, right?”"""
    named = whole_day(reply, talk.phrases)
    only_gives_it_up = named is not None and due_day(reply, talk.phrases) is None
    is_against = talk.has(reply, *OBJECTIONS) or only_gives_it_up
    return is_against and not (talk.asks(reply) or talk.phrases.opens("yes", reply.marked))


def _gives_up_the_day(talk: ThreadTalk, said: Remark, reply: Remark) -> bool:
    """“I can send it tomorrow.” – “Not tomorrow, I'll pick it up.”"""
    day = whole_day(reply, talk.phrases)
    return day is not None and day == whole_day(said, talk.phrases) and day != due_day(reply, talk.phrases)
