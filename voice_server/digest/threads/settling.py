"""What later words of the same conversation settle: kept, answered, declined, called off."""

from voice_server.digest.threads.candidates import Candidate
from voice_server.digest.threads.talk import Remark, Talk

_SOON = 3  # messages
_LATER = 8  # messages within which "I've sent it" needs not say what
_FEW_MATTERS = 1


def is_settled(one: Candidate, talk: Talk) -> bool:
    """Whether the rest of the conversation leaves nothing of it open."""
    return any(_settles(later, one, talk) for later in talk.remarks[one.place + 1 :])


def _settles(later: Remark, one: Candidate, talk: Talk) -> bool:
    if one.thread.kind == "question":
        return _answers(later, one, talk)
    return _declines(later, one, talk) or _calls_off(later, one, talk) or _fulfils(later, one, talk)


def _answers(later: Remark, one: Candidate, talk: Talk) -> bool:
    by_other = later.said_by != one.thread.said_by and not talk.asks(later)
    return by_other and bool(one.matters & talk.matters(later)) and not talk.has(later, "deferral", "promise")


def _declines(later: Remark, one: Candidate, talk: Talk) -> bool:
    soon = later.position - one.position == 1 and later.said_by != one.thread.said_by
    return soon and one.thread.kind in ("promise", "request") and talk.has(later, "no")


def _calls_off(later: Remark, one: Candidate, talk: Talk) -> bool:
    if not talk.has(later, "cancelled"):
        return False
    about = talk.matters(later)
    if one.matters & about or one.times & talk.phrases.times(later.plain):
        return True
    return later.position - one.position <= _SOON and len(about) <= _FEW_MATTERS


def _fulfils(later: Remark, one: Candidate, talk: Talk) -> bool:
    if not talk.has(later, "done") or talk.has(later, "not_done") or talk.asks(later):
        return False
    about = talk.matters(later)
    if one.matters & about:
        return True
    near = later.position - one.position <= _LATER and not talk.has(later, "booked", "promise", "request")
    return near and one.thread.kind != "plan" and len(about) <= _FEW_MATTERS and _is_telling(later)


def _is_telling(later: Remark) -> bool:
    """More than a "done" that only says yes."""
    return len(later.text.split()) > 1
