"""The days that answer a query, as their summaries.

All that was said on a day finds it, not its summary; and it never keeps a message from being found: looking
only into the best three days lost 15 of 100 messages.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from voice_server.digest.language.sentences import split
from voice_server.search.corpus import SearchedTimeline
from voice_server.search.ranking import Bools, Floats
from voice_server.search.score import score
from voice_server.search.types import Hit, Query
from voice_server.store.search.search_index import FoundMessage

_LOOKED_AT = 12  # passages whose days are looked at
_RESULTS = 6  # for one that may be the summary of a day
_SENTENCES = 2  # of a summary are shown
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)


class FoundDay(Struct, frozen=True):
    """A day found, and the words of what is shown of its summary."""

    hit: Hit
    words: frozenset[str]


def candidates(
    talk: SearchedTimeline, passages: Floats, within: Bools
) -> list[tuple[tuple[int, int], float]]:
    """Return the best passages with a message that the filters let through, by the name of their first
    message."""
    allowed = np.zeros(len(talk.corpus.sizes), bool)
    allowed[talk.corpus.passage[within]] = True
    values = np.where(allowed, passages, 0)
    best = [int(one) for one in np.argsort(-values, kind="stable")[:_LOOKED_AT] if values[one] > 0]
    return [(talk.name(int(talk.corpus.firsts[passage])), float(values[passage])) for passage in best]


def shown(
    candidates: Sequence[tuple[tuple[int, int], float]],
    found: Mapping[tuple[int, int], FoundMessage],
    query: Query,
    talk: SearchedTimeline,
) -> list[FoundDay]:
    days: dict[int, FoundDay] = {}
    for name, value in candidates:
        if len(days) == _room(query.limit):
            break
        message, worth = found.get(name), score(value)
        if message is None or message.day_segment_id in days:
            continue
        if (hit := _hit(message, worth, talk)) and query.is_of(hit.day):
            days[message.day_segment_id or 0] = FoundDay(hit, talk.words(hit.snippet))
    return list(days.values())


def _room(limit: int) -> int:
    """Of six results one is a summary: messages are what was looked for."""
    return max(1, limit // _RESULTS) if limit > 1 else 0


def _hit(message: FoundMessage, worth: float, talk: SearchedTimeline) -> Hit | None:
    if message.day is None or not message.summary:
        return None
    snippet = _snippet(message.summary, talk)
    return Hit("summary", message.day, message.day_segment_id, snippet, worth) if snippet else None


def _snippet(summary: str, talk: SearchedTimeline) -> str:
    """Return the sentences that say most of what was asked, in their order; else the first."""
    lines = (line.strip().removeprefix("- ") for line in _HEADING.sub("", summary).splitlines())
    told = list(dict.fromkeys(one.strip() for line in lines if line for one in split(line)))
    common = [len(talk.words(one) & talk.question.lexemes) for one in told]
    best = sorted(range(len(told)), key=lambda at: (-common[at], at))[:_SENTENCES]
    return " ".join(told[at] for at in sorted(best))
