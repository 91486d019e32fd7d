"""What became of a thread, where the user only tells how its thing is now (“Your boy fitted it that night”,
“I've the dress here on the back of the door”), or how it was.

There are more ways to say so than any list has. Few words leave it open, though, and a thing that a later
call speaks of stands among the words of that call.
"""

from collections.abc import Iterator, Sequence

from voice_server.digest.threads.closing.calling_off import is_series
from voice_server.digest.threads.closing.earlier import ThreadWords
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.references import about_asked, is_denied
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between

_FEWEST = 4  # words: fewer are an answer
_FIRST = 8  # words
_OPEN: tuple[Kind, ...] = (
    "unsettled",
    "not_done",
    "missed",
    "promise",
    "request",
    "doubt",
    "waiting",
    "answer_later",
    "deferral",
    "unplanned",
    "asked_whether_done",
    "enquiry",
    "call_back",
    "called_about",
    "in_touch",
    "cancelled",
    "moved",
    "reminding",
)


def told_as_it_is(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield the promises of whose thing it is told, and that nothing leaves open. What only led to a promise
    may be spoken of for itself."""
    if remark.said_by != "user" or len(remark.text.split()) < _FEWEST:
        return
    if talk.asks(remark) or talk.is_conditional(remark) or is_left_open(remark, talk):
        return
    about = _told_of(remark, talk)
    for one in threads:
        is_ahead = one.is_due_after(remark.said_on)
        if one.thread.kind == "promise" and not is_ahead and not about.isdisjoint(one.own):
            yield one


def is_left_open(remark: Remark, talk: ThreadTalk) -> bool:
    return talk.has(_behind_its_yes(remark, talk), *_OPEN)


def _told_of(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """Leave out the question where it offers a time: “¿Lo pasamos al lunes?” – “El lunes sí.” tells nothing
    of “Te paso los precios.”"""
    offers = any(talk.asks(one) and talk.has(one, "proposal") for one in talk.before(remark))
    return talk.matters(remark) if offers else about_asked(remark, talk)


def _behind_its_yes(remark: Remark, talk: ThreadTalk) -> Remark:
    """Spanish “sí” is no “si”."""
    found = talk.find("yes", remark.marked) if talk.phrases.opens("yes", remark.marked) else None
    return between(remark, found.end(), len(remark.text)) if found else remark


def told_how_it_was(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“How was Theo's birthday?” – “Oh, he was so funny.” What is ahead, or comes again, is not over."""
    asked = [one for one in talk.before(remark) if talk.has(one, "asked_how_it_was")]
    if not asked or is_denied(talk, remark) or _is_still_to_be(remark, talk):
        return
    about = talk.matters(*asked)
    for one in threads:
        is_event = one.thread.kind in ("plan", "request") and not one.is_due_after(remark.said_on)
        if is_event and about & one.own and not is_series(one.thread, talk.phrases):
            yield one


def _is_still_to_be(remark: Remark, talk: ThreadTalk) -> bool:
    """“That's only on Friday.”: what is said first counts."""
    first = between(remark, 0, len(" ".join(remark.text.split(" ")[:_FIRST])))
    day = due_day(first, talk.phrases)
    is_ahead = day is not None and day > remark.said_on
    return is_ahead or talk.has(first, "not_done", "missed", "no_show", "deferral", "answer_later", "promise")
