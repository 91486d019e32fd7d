"""What was promised, and the other party needs no more: “I can't find the form.” – “We don't need it.”, “Do
you still need the receipt?” – “No.”
"""

from collections.abc import Iterator, Sequence

from voice_server.digest.threads.closing.earlier import ThreadWords
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.references import is_denied
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_NOT_YET: tuple[Kind, ...] = (
    "time",
    "not_done",
    "promise",
    "enquiry",
    "deferral",
    "waiting",
    "request",
    "offer",
)


def no_longer_needed(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    for remark in talk.remarks:
        about = _waived(remark, talk) | _denied(remark, talk)
        yield from (one for one in threads if about & one.own and _is_for(remark, one))


def _waived(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """Return what it says need not be, by those of its words that were said before, or else what was said
    just before it; unless something is asked for in its place: “We don't need it, just bring the card.”"""
    if talk.asks(remark) or not talk.has(remark, "not_needed"):
        return frozenset()
    behind = [one for one in talk.message(remark) if one.place >= remark.place]
    if any(talk.has(one, "request", "promise", "offer") for one in behind):
        return frozenset()
    before = talk.matters(*talk.before(remark))
    own = talk.beside(remark, "not_needed") & talk.beside(remark, "yes") & talk.beside(remark, "no")
    return own & before or before | own


def _denied(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    is_no = remark == talk.message(remark)[0] and is_denied(talk, remark)
    if not is_no or any(talk.has(one, *_NOT_YET) for one in talk.message(remark)):
        return frozenset()
    return talk.matters(*(one for one in talk.before(remark)[-1:] if talk.has(one, "asked_whether_needed")))


def _is_for(remark: Remark, one: ThreadWords) -> bool:
    """Tell whether it is owed to who speaks."""
    thread = one.thread
    is_owed = thread.kind == "promise" and thread.said_by != remark.said_by
    return is_owed or (thread.kind == "request" and thread.said_by == remark.said_by)
