"""The closing of earlier threads by a later conversation.

A remark has a word of the thread and says that it is done, off or moved; or the agent asks and the caller
says so; or the caller says so of nothing in particular where one thread alone can be meant. Who promised to
call back keeps it by calling. The one appointment gives way to another agreed on in its place.
"""

from collections.abc import Sequence
from itertools import chain

from voice_server.digest.threads.closing.earlier import ThreadWords, last_said
from voice_server.digest.threads.closing.fulfilment.handed_in import handed_in
from voice_server.digest.threads.closing.fulfilment.kept_promises import kept_promises
from voice_server.digest.threads.closing.fulfilment.lapsed import lapsed
from voice_server.digest.threads.closing.fulfilment.next_talks import (
    asked_as_promised,
    next_talks,
    taken_up_now,
)
from voice_server.digest.threads.closing.fulfilment.not_needed import no_longer_needed
from voice_server.digest.threads.closing.fulfilment.sent import sent, told_to_be_here
from voice_server.digest.threads.closing.fulfilment.settled import settled_by
from voice_server.digest.threads.closing.replies.answers import answered
from voice_server.digest.threads.closing.replies.decided import decided
from voice_server.digest.threads.closing.replies.found_out import found_out
from voice_server.digest.threads.closing.rescheduling.calling_off import (
    called_off,
    denied,
    fell_through,
    is_a_reminder,
)
from voice_server.digest.threads.closing.rescheduling.day_denied import day_denied
from voice_server.digest.threads.closing.rescheduling.opened_anew import dated_instead, is_opened_anew
from voice_server.digest.threads.closing.rescheduling.rescheduled import at_another_hour, rescheduled
from voice_server.digest.threads.closing.rescheduling.series import runs_otherwise
from voice_server.digest.threads.speech.references import second_thing
from voice_server.digest.threads.speech.talk import ThreadTalk
from voice_server.domain.digest import OpenThread


def closed_by(
    threads: Sequence[ThreadWords], talk: ThreadTalk, opened: Sequence[OpenThread], *, is_call: bool
) -> frozenset[int]:
    """Return the ids of the threads that a conversation settles or opens anew. `opened` is what it leaves
    open itself. `is_call`: the two speak, and do not write."""
    if not threads or not talk.remarks:
        return frozenset()
    anew = {one.thread.id for one in threads if any(is_opened_anew(one, new, talk) for new in opened)}
    anew |= {one.thread.id for one in dated_instead(threads, opened, talk)}
    over = (
        kept_promises(threads, talk, is_call=is_call),
        next_talks(threads, talk) if is_call else (),
        taken_up_now(threads, talk),
        asked_as_promised(threads, talk),
        lapsed(threads, talk),
        answered(threads, talk),
        found_out(threads, talk),
        decided(threads, talk),
        handed_in(threads, talk),
        sent(threads, talk),
        told_to_be_here(threads, talk),
        day_denied(threads, talk),
    )
    ids = {one.thread.id for one in chain.from_iterable(over)}
    for remark in talk.remarks:
        ids |= {one.thread.id for one in settled_by(remark, threads, talk)}
    ids -= {one.thread.id for one in threads if _leaves_the_second(one, talk)}
    ids |= called_off(threads, talk, opened)
    ids |= {one.thread.id for one in fell_through(threads, talk, opened)}
    ids |= {one.thread.id for one in (*denied(threads, talk), *no_longer_needed(threads, talk))}
    ids |= {one.thread.id for one in rescheduled(threads, opened, talk)}
    ids |= {one.thread.id for one in runs_otherwise(threads, opened, talk)}
    ids |= {one.thread.id for one in at_another_hour(threads, opened, talk)}
    settled = [one for one in threads if one.thread.id in ids]
    ids |= {one.thread.id for one in threads if any(_led_to(other, one, talk) for other in settled)}
    return frozenset(ids | anew)


def _leaves_the_second(one: ThreadWords, talk: ThreadTalk) -> bool:
    """“I'll send you the estimate today and the invoice on Monday.” … “The estimate came.”"""
    said = last_said(one.thread, talk.phrases)
    second = second_thing(talk.phrases, said) if one.thread.kind == "promise" else frozenset[str]()
    about = talk.matters(*talk.remarks) if second else frozenset[str]()
    return bool(about & one.own - second) and about.isdisjoint(second)


def _led_to(other: ThreadWords, one: ThreadWords, talk: ThreadTalk) -> bool:
    """“I must pay the bill.” – “Shall I remind you of it tonight?” – “Yes.”: what names nothing is over with
    the user's matter that led to it, and a reminder with the appointment of the same breath."""
    if other.thread.said_on != one.thread.said_on or one.thread.kind == "plan":
        return False
    names_nothing = not one.own and other.thread.said_by == "user"
    if names_nothing and not one.around.isdisjoint(other.own):
        return True
    is_of_it = one.own <= other.own and not (one.own | one.times).isdisjoint(other.own | other.times)
    return is_of_it and other.thread.kind == "plan" and is_a_reminder(one.thread, talk.phrases)
