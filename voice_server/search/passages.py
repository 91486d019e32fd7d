"""Passages: a conversation as the search keeps it.

    conversation ── cut at pauses, and into parts ──→ passages ── each message ──→ its lexemes,
                                                     how long it is, who says it, what kind it is

A passage is said in one go: what one message is about, its neighbours may be. Every message of a timeline has
a number of its own there (`base` of its passage + its place in it); a lexeme's places are those numbers,
repeated as often as the message says it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from voice_server.digest.language.calendar_names import calendar
from voice_server.domain.conversation import Message
from voice_server.search.lexemes import called, lexemes

PAUSE = timedelta(hours=3)
LONGEST = 40  # messages of one passage: in an hour people speak of several things
USER, ASKS, IS_QUESTION, TELLS_TIME, COUNTS = 1, 2, 4, 8, 16  # bits of a message's kind

PLACE = np.dtype("<u4")
LENGTH = np.dtype("<u2")
KIND = np.dtype("u1")

_MOST_LEXEMES = np.iinfo(LENGTH).max
_SPOKEN = ("user", "agent")
_QUESTION = re.compile("[?？؟]")
_ENDS_ASKING = re.compile(r"[?？؟][\s\"'»”’)]*$")
_MONTHS = "|".join(month for month in calendar("en").months.split() if month != "may")  # a verb, too
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|ago|next|since|weeks?|weekend|months?|years?|recently|mornings?|"
    rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_MONTHS}|(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|couple|once|twice|hundred|thousand|several)\b",
    re.IGNORECASE,
)


class Passage(Struct, frozen=True):
    """Neighbouring messages, packed, with an entry for each in `positions` (in its conversation), `seconds`
    (since `starts_at`), `lengths` (in lexemes) and `kinds` (bits, see above)."""

    starts_at: datetime
    language: str
    positions: bytes
    seconds: bytes
    lengths: bytes
    kinds: bytes

    @property
    def size(self) -> int:
        return len(self.kinds)


class IndexedPassages(Struct, frozen=True):
    """Passages that follow one another, and the places of every lexeme in them; the first message has number
    0."""

    passages: tuple[Passage, ...]
    places: Mapping[str, Sequence[int]]


def index(conversations: Sequence[tuple[Sequence[Message], str]]) -> list[IndexedPassages]:
    """Index conversations: messages in order, without what must not be found, and language."""
    return [_index(messages, language) for messages, language in conversations]


def joined(indexed: Sequence[IndexedPassages], base: int) -> dict[str, bytes]:
    """Pack the places of all lexemes; the first message of all gets the number `base`."""
    places: dict[str, list[int]] = defaultdict(list)
    for one in indexed:
        for lexeme, at in one.places.items():
            places[lexeme].extend(base + place for place in at)
        base += sum(passage.size for passage in one.passages)
    return {lexeme: packed(at, PLACE) for lexeme, at in places.items()}


def later(seconds: bytes, by: timedelta) -> bytes:
    """Count packed seconds from an earlier moment."""
    return packed(np.frombuffer(seconds, PLACE).astype(np.int64) + max(0, int(by.total_seconds())), PLACE)


def packed(numbers: Sequence[int] | npt.NDArray[np.int64], kind: "np.dtype[np.unsignedinteger]") -> bytes:
    return np.array(numbers, kind).tobytes()


def _index(messages: Sequence[Message], language: str) -> IndexedPassages:
    spoken = [one for one in messages if one.role in _SPOKEN and one.content.strip()]
    places: dict[str, list[int]] = defaultdict(list)
    lengths = []
    for place, message in enumerate(spoken):
        said = lexemes(message.content, language)
        lengths.append(min(len(said), _MOST_LEXEMES))
        for lexeme in (*said, *called(message.content)):
            places[lexeme].append(place)
    passages = (
        _pack(spoken[begin:end], lengths[begin:end], language)
        for begin, end in pairwise([*_cuts(spoken), len(spoken)])
    )
    return IndexedPassages(tuple(passages), places)


def _cuts(spoken: Sequence[Message]) -> Iterator[int]:
    pauses = [at for at in range(1, len(spoken)) if spoken[at].said_at - spoken[at - 1].said_at >= PAUSE]
    for begin, end in pairwise([0, *pauses, len(spoken)]):
        parts = -(-(end - begin) // LONGEST)
        yield from (begin + (end - begin) * part // parts for part in range(parts))


def _pack(spoken: Sequence[Message], lengths: Sequence[int], language: str) -> Passage:
    starts_at = spoken[0].said_at
    return Passage(
        starts_at,
        language,
        packed([one.position for one in spoken], PLACE),
        packed([max(0, int((one.said_at - starts_at).total_seconds())) for one in spoken], PLACE),
        packed(lengths, LENGTH),
        packed([_kind(one) for one in spoken], KIND),
    )


def _kind(message: Message) -> int:
    text = message.content
    return (
        USER * (message.role == "user")
        | ASKS * bool(_QUESTION.search(text))
        | IS_QUESTION * bool(_ENDS_ASKING.search(text))
        | TELLS_TIME * bool(_TIME.search(text))
        | COUNTS * bool(_NUMBER.search(text))
    )
