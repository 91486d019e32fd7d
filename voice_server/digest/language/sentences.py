"""What was said, sentence by sentence."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL
from voice_server.digest.language.stems import word_count
from voice_server.domain.conversation import Message

_TEXTS = 500  # kept with their sentences: those of a few calls
_LONGEST_SENTENCE = 50  # words
_LONGEST_WORD = 100  # characters; only junk and scripts without spaces have longer ones

_BREAK = re.compile(
    r"""(?<=[.!?…])(?P<closing>["'”’)\]]*)\s+
        (?=[^\sa-z])  # the usual end; "at 9 a.m. we" goes on in lower case
    |(?<=[。！？])\s*
    |\n+""",
    re.VERBOSE,
)
# Of what is texted, or in a script without capitals.
_BREAK_IN_SMALL = re.compile(
    r"(?<=[^\W\d_]{2}[.!?…])(?P<closing>[\"'”’)\]]*)\s+|(?<=[!?…])\s+|(?<=[。！？])\s*|\n+"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:Dr|Dra|Mr|Mrs|Ms|Mx|Prof|St|Jr|Sr|Sra|Hr|Fr|Mme|Mlle|Sig|Dott|vs|No|Nr|approx|[A-Z])\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION = 10  # characters, with what stands before
_DAY_NUMBER = re.compile(r"(?:^|\s)\d{1,2}\.$")  # "am 3. Mai"
_ORDINAL = re.compile(
    r"(?:^|\s)(?:im|ins|der|die|das|mein(?:e[nmr]?)?|sein(?:e[nmr]?)?|ihr(?:e[nmr]?)?)\s\d{1,2}\.$",
    re.IGNORECASE,
)
_DECORATION = re.compile(
    "[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufe0e\ufe0f\U0001f000-\U0001faff\u2600-\u27bf]+"
)


def spoken(messages: Iterable[Message]) -> list[Message]:
    """Return what a person or the agent said: no tools, nothing empty."""
    return [m for m in messages if m.role in {"user", "agent"} and any(c.isalnum() for c in m.content)]


def split(text: str) -> list[str]:
    """Cut a text into sentences; overlong ones, as speech without punctuation, into pieces."""
    return [*_sentences(text)]


@lru_cache(maxsize=_TEXTS)
def _sentences(text: str) -> tuple[str, ...]:
    # cached: what is quoted of a message, and what it leaves open, are looked for one after the other
    pieces: list[str] = []
    for part in _parts(text):
        if pieces and _goes_on(pieces[-1], part):
            pieces[-1] = f"{pieces[-1]} {part}"
        else:
            pieces.append(part)
    return tuple(short for piece in pieces for short in _chopped(piece))


def _goes_on(before: str, part: str) -> bool:
    """Tell whether the full stop ends an abbreviation, an ordinal (“im 3. Stock”) or a day's number, and no
    sentence."""
    before = before[-_LONGEST_ABBREVIATION:]
    if _ABBREVIATION.search(before) or _ORDINAL.search(before):
        return True
    return (
        _DAY_NUMBER.search(before) is not None
        and part.split(maxsplit=1)[0].strip(".,!?").lower() in MONTHS_OF_ALL
    )


def _parts(text: str) -> Iterator[str]:
    plain = _DECORATION.sub(" ", text)
    breaks = _BREAK if plain != plain.lower() else _BREAK_IN_SMALL
    ends = [match.end("closing") if match["closing"] else match.start() for match in breaks.finditer(plain)]
    for begin, end in pairwise([0, *ends, len(plain)]):
        if folded := " ".join(plain[begin:end].split()):
            yield folded


def _chopped(text: str) -> Iterator[str]:
    if len(text) <= _LONGEST_WORD and word_count(text) <= _LONGEST_SENTENCE:
        yield text  # most, for a fraction of what it costs to count each word
        return
    words = [w[i : i + _LONGEST_WORD] for w in text.split() for i in range(0, len(w), _LONGEST_WORD)]
    piece: list[str] = []
    length = 0
    for word in words:
        if length >= _LONGEST_SENTENCE:
            yield " ".join(piece)
            piece, length = [], 0
        piece.append(word)
        length += word_count(word)
    yield " ".join(piece)
