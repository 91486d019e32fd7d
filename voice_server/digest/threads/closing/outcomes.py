"""What became of a promise, where the user only tells how its thing is now: “Your boy fitted it that night”,
“I've the dress here on the back of the door”.

There are more ways to say so than any list has. Few words leave it open, though, and a thing that a later
call speaks of stands among the words of that call.
"""

from collections.abc import Iterator, Sequence

from voice_server.digest.threads.closing.earlier import ThreadWords
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.references import about_asked
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_FEWEST = 4  # words: fewer are an answer
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
    if talk.asks(remark) or talk.is_conditional(remark) or talk.has(remark, *_OPEN):
        return
    about = about_asked(remark, talk)
    for one in threads:
        is_ahead = one.thread.due is not None and one.thread.due > remark.said_on
        if one.thread.kind == "promise" and not is_ahead and not about.isdisjoint(one.own):
            yield one
