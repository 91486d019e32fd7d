"""A matter, as a correction leaves it."""

from collections.abc import Mapping
from datetime import date

from msgspec.structs import replace

from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.corrections.objections import OBJECTIONS
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day, put_right
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import OpenThread, Speaker

_OTHER: Mapping[Speaker, Speaker] = {"user": "agent", "agent": "user"}


def amended(talk: ThreadTalk, one: Candidate, remark: Remark, agreed: date | None = None) -> Candidate:
    thread = one.thread
    goes_on = remark.said_by == thread.said_by
    of_a_promise = thread.kind == "promise" and not one.is_bare and not goes_on
    other = put_right(thread.due, remark, talk.phrases) if thread.due else None
    due = agreed or other or due_day(remark, talk.phrases) or _day_left(talk, thread, remark)
    agreement = _agreed_anew(talk, remark, due) if of_a_promise else None
    more = quoting.shortened(remark.text)
    own = thread.text.rpartition(" – ")[2]  # its own words stay, rather than what they answer
    if agreement is not None:
        text = quoting.joined(own, quoting.shortened(agreement.text))
    elif goes_on:
        text = quoting.joined(thread.text, more)
    else:
        text = quoting.answered(own if of_a_promise else thread.text, more)
    asked_anew = thread.kind == "promise" and one.is_bare and not goes_on
    said = (remark,) if agreement is None else (remark, agreement)
    changed = replace(
        thread,
        kind="request" if asked_anew else thread.kind,
        text=text,
        said_by=thread.said_by if of_a_promise else remark.said_by,
        positions=tuple(sorted({*thread.positions, *(r.position for r in said)})),
        due=due,
    )
    return replace(
        one,
        thread=changed,
        places=(*one.places, *(r.place for r in said)),
        times=one.times | talk.phrases.times(remark.plain),
        is_answered=of_a_promise and agreement is None,
    )


def _agreed_anew(talk: ThreadTalk, correction: Remark, due: date | None) -> Remark | None:
    """“I'll send it on Monday.” – “Make it Tuesday.” – “Tuesday it is.”"""
    replies = (r for r in talk.after(correction) if not (talk.asks(r) or talk.has(r, *OBJECTIONS)))
    return next((r for r in replies if due is not None and due == due_day(r, talk.phrases)), None)


def as_it_stands(one: Candidate) -> OpenThread:
    """Let a promise be the request of who asked for another day: the last words are theirs."""
    if not one.is_answered:
        return one.thread
    return replace(one.thread, kind="request", said_by=_OTHER[one.thread.said_by])


def _day_left(talk: ThreadTalk, thread: OpenThread, correction: Remark) -> date | None:
    """“They could come on Thursday or Friday.” – “Not Thursday.”"""
    weekdays = talk.phrases.weekdays(correction.plain)
    is_given_up = thread.due is not None and weekdays == {thread.due.weekday()}
    is_refused = is_given_up and talk.has(correction, "unplanned") and correction.said_by != thread.said_by
    return None if is_refused else thread.due
