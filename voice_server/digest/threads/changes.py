"""What a conversation changes about threads: what it opens, what it settles, and what it says of the rest.

messages → remarks → opened, closed by it, followed up in it
"""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from msgspec import Struct

from voice_server.digest.threads.closing import closed_by
from voice_server.digest.threads.due import with_span
from voice_server.digest.threads.earlier import thread_words
from voice_server.digest.threads.follow_ups import follow_ups
from voice_server.digest.threads.opening import left_open
from voice_server.digest.threads.phrases import phrases_of
from voice_server.digest.threads.talk import ThreadTalk
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, FollowUp, KeyMoment, OpenThread


class ThreadChanges(Struct, frozen=True):
    """`closes` are the ids of earlier threads, in their order."""

    opened: tuple[OpenThread, ...] = ()
    closes: tuple[int, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def thread_changes(
    messages: Sequence[Message],
    language: str,
    timezone: ZoneInfo,
    *,
    open_before: Sequence[EarlierThread] = (),
    quotes: Sequence[KeyMoment] = (),
    names: frozenset[str] = frozenset(),
    is_call: bool = True,
) -> ThreadChanges:
    """Return what changes; nothing in a language (BCP 47) that has no phrases. `open_before` are threads that
    earlier conversations left open, `quotes` what is quoted of this one, `names` the words of those by which
    the two are known. `is_call`: the two speak, and do not write."""
    phrases = phrases_of(language)
    if phrases is None:
        return ThreadChanges()
    talk = ThreadTalk(messages, phrases, timezone)
    opened = left_open(talk)
    earlier = [thread_words(one, phrases) for one in open_before]
    closed = closed_by(earlier, talk, opened, is_call=is_call)
    still_open = [one for one in earlier if one.thread.id not in closed]
    return ThreadChanges(
        tuple(with_span(thread, phrases) for thread in opened),
        tuple(sorted(closed)),
        tuple(follow_ups(still_open, quotes, names, phrases, timezone)),
    )
