"""A matter, as a correction leaves it."""

from collections.abc import Mapping
from datetime import date

from msgspec.structs import replace

from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.corrections.objections import OBJECTIONS
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day, put_right
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import OpenThread, Speaker, ThreadKind

_OTHER: Mapping[Speaker, Speaker] = {"user": "agent", "agent": "user"}


def amended(talk: ThreadTalk, one: Candidate, remark: Remark, agreed: date | None = None) -> Candidate:
    """Return it with the correction, due on the day that was agreed on, or that the correction names."""
    due = agreed or _day_put_right(talk, one.thread, remark)
    if remark.said_by == one.thread.said_by:
        return _put_right_by_oneself(talk, one, remark, due)
    if one.thread.kind == "promise" and not one.is_bare:
        return _promised_otherwise(talk, one, remark, due)
    return _asked_for_otherwise(talk, one, remark, due)


def _day_put_right(talk: ThreadTalk, thread: OpenThread, remark: Remark) -> date | None:
    other = put_right(thread.due, remark, talk.phrases) if thread.due else None
    return other or due_day(remark, talk.phrases) or _day_left(talk, thread, remark)


def _put_right_by_oneself(talk: ThreadTalk, one: Candidate, remark: Remark, due: date | None) -> Candidate:
    """“I'll send it on Monday. No, wait, on Tuesday.”"""
    text = quoting.joined(one.thread.text, quoting.shortened(remark.text))
    return _with_said(talk, one, replace(one.thread, text=text, due=due), remark)


def _asked_for_otherwise(talk: ThreadTalk, one: Candidate, remark: Remark, due: date | None) -> Candidate:
    """“Can I come on Monday?” – “Make it Tuesday.” Of a promise that says nothing else it is a request."""
    thread = one.thread
    text = quoting.answered(thread.text, quoting.shortened(remark.text))
    kind: ThreadKind = "request" if thread.kind == "promise" else thread.kind
    changed = replace(thread, kind=kind, text=text, said_by=remark.said_by, due=due)
    return _with_said(talk, one, changed, remark)


def _promised_otherwise(talk: ThreadTalk, one: Candidate, remark: Remark, due: date | None) -> Candidate:
    """“I'll send it on Monday.” – “Make it Tuesday.” – “Tuesday it is.”, or nothing more."""
    own = one.thread.text.rpartition(" – ")[2]  # its own words stay, rather than what they answer
    agreement = _agreed_anew(talk, remark, due)
    if agreement is None:
        text = quoting.answered(own, quoting.excerpt(remark))
        told = _with_said(talk, one, replace(one.thread, text=text, due=due), remark)
        return replace(told, is_answered=True)
    text = quoting.joined(own, quoting.shortened(agreement.text))
    return _with_said(talk, one, replace(one.thread, text=text, due=due), remark, agreement)


def _with_said(
    talk: ThreadTalk, one: Candidate, thread: OpenThread, correction: Remark, *more: Remark
) -> Candidate:
    said = (correction, *more)
    positions = tuple(sorted({*thread.positions, *(r.position for r in said)}))
    return replace(
        one,
        thread=replace(thread, positions=positions),
        places=(*one.places, *(r.place for r in said)),
        times=one.times | talk.phrases.times(correction.plain),
        is_answered=False,
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
