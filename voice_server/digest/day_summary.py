"""The summary of a day without a model, from the digests of its conversations. Pure.

A talk that is not digested, is cut, goes on, or belongs to the day in part is read anew. Only a model tells
goals and decisions apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from voice_server.context.layout import formatting
from voice_server.context.screening.hygiene import is_instruction, is_suspicious, neutralise
from voice_server.digest import extractive
from voice_server.digest.language.sentences import split
from voice_server.domain.conversation import Message
from voice_server.domain.days import DaySummary
from voice_server.domain.digest import ThreadKind

_SENTENCES, _FEWEST_SENTENCES = 24, 2  # of all conversations together, and of each
_MOST_ITEMS = 6  # of one section
_NEXT: frozenset[ThreadKind] = frozenset({"promise", "plan"})


class Thread(Struct, frozen=True):
    kind: ThreadKind
    text: str


class DaysTalk(Struct, frozen=True):
    """What may be told of one conversation on a day. `whole`: the day has all of it. `cut`: a person excluded
    something it says, which the digest's summary may tell: so `summary` is “”. `goes_on`: its digest does not
    know what was said last. `known`: positions of what the digest left open; of these, `threads` says all.
    `by_hand`: of what a person closed or changed."""

    messages: tuple[Message, ...]
    zone: ZoneInfo
    language: str = ""
    whole: bool = True
    digested: bool = False
    cut: bool = False
    goes_on: bool = False
    summary: str = ""
    threads: tuple[Thread, ...] = ()
    known: frozenset[int] = frozenset()
    by_hand: frozenset[int] = frozenset()

    @property
    def began(self) -> datetime:
        """By the user's clocks."""
        return self.messages[0].said_at.astimezone(self.zone)


def summarise(talks: Sequence[DaysTalk]) -> DaySummary:
    """Summarise a day's conversations in the order they began. Never raise on any text."""
    known = [_known(one) for one in talks]
    left = _left_open(known)
    return DaySummary(
        summary=tuple(_summaries(known)), open_loops=left.open_loops, next_steps=left.next_steps
    )


def left_by_hand(talks: Sequence[DaysTalk]) -> DaySummary | None:
    """Return the open loops and next steps alone; None where no person had a say in them."""
    if not any(one.cut or one.by_hand for one in talks):
        return None
    return _left_open([_known(one) for one in talks])


def _left_open(talks: Iterable[DaysTalk]) -> DaySummary:
    threads = [thread for one in talks for thread in one.threads]
    return DaySummary(
        open_loops=_items(thread.text for thread in threads if thread.kind not in _NEXT),
        next_steps=_items(thread.text for thread in threads if thread.kind in _NEXT),
    )


def _known(talk: DaysTalk) -> DaysTalk:
    """Read a talk that is only cut anew for its summary: its threads are known."""
    is_known = talk.digested and talk.whole and not talk.goes_on
    if is_known and not talk.cut:
        return talk
    made = extractive.digest(talk.messages, timezone=talk.zone, language=talk.language)
    news = () if is_known else made.open_threads
    found = (
        Thread(one.kind, one.text) for one in news if (talk.known | talk.by_hand).isdisjoint(one.positions)
    )
    return replace(talk, summary=made.summary, threads=(*talk.threads, *found))


def _summaries(talks: Sequence[DaysTalk]) -> Iterator[str]:
    most = max(_FEWEST_SENTENCES, _SENTENCES // max(1, len(talks)))
    for one in talks:
        text = "" if is_instruction(one.summary) else neutralise(" ".join(split(one.summary)[:most]))
        if text and len(talks) > 1:
            yield f"{formatting.time_of_day(one.began)}: {text}"
        elif text:
            yield text


def _items(texts: Iterable[str]) -> tuple[str, ...]:
    clean = (neutralise(one) for one in texts)
    once = dict.fromkeys(one for one in clean if one and not is_suspicious(one))
    return tuple(once)[-_MOST_ITEMS:]
