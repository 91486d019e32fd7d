"""What became of a thread, where the user only tells how its thing is now (“Your boy fitted it that night”,
“I've the dress here on the back of the door”), or how it was.

There are more ways to say so than any list has. Few words leave it open, though, and a thing that a later
call speaks of stands among the words of that call.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from voice_server.digest.dates.dates import tells_of_the_past, undated
from voice_server.digest.threads.closing.earlier import ThreadWords, have_a_part
from voice_server.digest.threads.closing.rescheduling.calling_off import is_a_reminder, is_series
from voice_server.digest.threads.speech.due import days_named, due_day
from voice_server.digest.threads.speech.phrases import Kind, Phrases
from voice_server.digest.threads.speech.references import about_asked, is_denied
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place
from voice_server.domain.digest import EarlierThread

WHOM_AND_WHAT = 2  # words of “I'll ask my husband about the kitchen”
_FEWEST = 4  # words: fewer are an answer
_FIRST = 8  # words
_BRIEF = 4  # words of “and the doctor”
_SPOKEN = re.compile(r"\w+")
_NOT_OVER: tuple[Kind, ...] = ("not_done", "missed", "promise", "in_touch", "waiting")
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
_STILL_OPEN: tuple[Kind, ...] = tuple(kind for kind in _OPEN if kind != "unplanned")  # “was” plans nothing


def told_as_it_is(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield the promises of whose thing it is told, and that nothing leaves open. What only led to a promise
    may be spoken of for itself, and so may whom somebody is to ask: “My husband is in Spain.”"""
    if remark.said_by != "user" or len(remark.text.split()) < _FEWEST:
        return
    if talk.asks(remark) or talk.is_conditional(remark) or is_left_open(remark, talk):
        return
    if _is_promised_next(remark, talk):
        return
    about = _told_of(remark, talk)
    for one in threads:
        waits = one.is_due_after(remark.said_on) or is_a_reminder(one.thread, talk.phrases)
        shared = len(about & one.own)
        if one.thread.kind == "promise" and not waits and shared >= _enough(one, talk.phrases):
            yield one


def _enough(one: ThreadWords, phrases: Phrases) -> int:
    """Return how many of its words have to be spoken of."""
    return min(WHOM_AND_WHAT, max(1, len(one.own))) if is_to_ask(one.thread, phrases) else 1


def is_to_ask(thread: EarlierThread, phrases: Phrases) -> bool:
    """“I'll ask my husband about the kitchen.”"""
    return phrases.has("enquiry", phrases.marked(phrases.plain(undated(thread.text))))


def is_left_open(remark: Remark, talk: ThreadTalk) -> bool:
    return talk.has(_behind_its_yes(remark, talk), *_OPEN)


def _is_promised_next(remark: Remark, talk: ThreadTalk) -> bool:
    """“And the key?” – “I've looked everywhere. You'll have it, I promise.”"""
    behind = talk.sentence_after(remark)
    return behind is not None and talk.has(behind, "pointer") and talk.has(behind, "promise", "not_done")


def _told_of(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """Leave out the question where it offers a time: “¿Lo pasamos al lunes?” – “El lunes sí.” tells nothing
    of “Te paso los precios.” “I'm on the train.” tells nothing of the letter."""
    offers = any(talk.asks(one) and talk.has(one, "proposal") for one in talk.before(remark))
    is_of_oneself = talk.has(remark, "has_on") and not talk.has(remark, "pointer", "received", "done")
    return talk.matters(remark) if offers or is_of_oneself else about_asked(remark, talk)


def _behind_its_yes(remark: Remark, talk: ThreadTalk) -> Remark:
    """Spanish “sí” is no “si”."""
    found = talk.find("yes", remark.marked) if talk.phrases.opens("yes", remark.marked) else None
    return between(remark, found.end(), len(remark.text)) if found else remark


def told_how_it_was(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“How was Theo's birthday?” – “Oh, he was so funny.”, or “Was it nice yesterday?” of the one that was
    then, and “And the doctor?” – “I went this morning.” What is ahead, or comes again, is not over."""
    asked = [one for one in talk.before(remark) if talk.has(one, "asked_how_it_was")]
    asked = asked or _asked_after(remark, talk)
    if not asked or is_denied(talk, remark) or _is_still_to_be(remark, talk):
        return
    about = talk.matters(*asked)
    over = [one for one in threads if _is_event_over(one, remark, talk)]
    compounds = talk.phrases.file.compounds
    named = [one for one in over if about & one.own or (compounds and have_a_part(about, one.own))]
    days = frozenset[date]().union(*(days_named(one, talk.phrases) for one in asked))
    that_day = [one for one in over if one.thread.due in days]
    yield from named or (that_day if len(that_day) == 1 else ())


def _asked_after(remark: Remark, talk: ThreadTalk) -> list[Remark]:
    """Return what stands behind the last “and” of the agent, where the user tells what is past by now."""
    day = due_day(remark, talk.phrases)
    is_ahead = day is not None and day > remark.said_on
    if is_ahead or not tells_of_the_past(remark.text, talk.phrases.tag) or talk.has(remark, *_NOT_OVER):
        return []
    asked = talk.before(remark)[-1:] if remark == talk.message(remark)[0] else ()
    words = [list(_SPOKEN.finditer(one.plain)) for one in asked]
    joints = [[word for word in said[-_BRIEF:] if word[0] in talk.phrases.adding] for said in words]
    return [from_place(one, found[-1].end()) for one, found in zip(asked, joints, strict=True) if found]


def _is_event_over(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    is_event = one.thread.kind in ("plan", "request") and not one.is_due_after(remark.said_on)
    return is_event and not is_series(one.thread, talk.phrases)


def told_how_its_thing_was(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“I'll pick up the bouquet on Saturday.” … “The bouquet was gorgeous.” What only led to it names it
    where one alone is meant: “I'd like a bouquet.” – “I'll pick it up on Saturday.”"""
    if not talk.has(remark, "was_so") or talk.asks(remark) or talk.has(remark, *_STILL_OPEN):
        return
    about = talk.matters(remark)
    due = ((one, one.thread.due) for one in threads)
    over = [one for one, day in due if day is not None and day <= remark.said_on]
    named = [one for one in over if about & one.own]
    led_to = [one for one in over if about & one.around]
    yield from named or (led_to if len(led_to) == 1 else ())


def _is_still_to_be(remark: Remark, talk: ThreadTalk) -> bool:
    """“That's only on Friday.”: what is said first counts."""
    first = between(remark, 0, len(" ".join(remark.text.split(" ")[:_FIRST])))
    day = due_day(first, talk.phrases)
    is_ahead = day is not None and day > remark.said_on
    return is_ahead or talk.has(first, "not_done", "missed", "no_show", "deferral", "answer_later", "promise")
