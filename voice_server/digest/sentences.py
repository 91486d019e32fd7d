"""What was said, sentence by sentence, without greetings, backchannels and the um."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from voice_server.digest.stems import word_count
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Speaker

Mood = Literal["statement", "question"]

_LONGEST_SENTENCE = 50  # words
_LONGEST_WORD = 100  # characters; only junk and scripts without spaces have longer ones
_SHORTEST_WORDS = 3

_BREAK = re.compile(
    r"""(?<=[.!?…])(?P<closing>["'”’)\]]*)\s+(?=[^\sa-z])  # the usual end; "at 9 a.m. we" goes on in lower case
    |(?<=[。！？])\s*
    |\n+""",
    re.VERBOSE,
)
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Mx|Prof|St|Jr|Sr|vs|No|approx|[A-Z])\.$")
_DECORATION = re.compile(
    "[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufe0e\ufe0f\U0001f000-\U0001faff\u2600-\u27bf]+"
)
_UM = re.compile(r"(?:^|(?<=\s))(?:um+|uh+|erm+|uhm+|hmm+)\b[,.…]*\s*", re.IGNORECASE)
_OPENER = re.compile(
    r"""(?:oh\ (?:yeah|yes|no|wow|well|okay|great|nice|cool)|oh|ah|aw|well|yes|yeah|yep|yup|no|nope|nah|ok|okay|alright|all\ right|right|sure|so|and|but|also|haha|ha
    |wow|cool|nice|great|awesome|amazing|thanks|thank\ you|hey|hi|hello|um|uh|hmm|mm-hm|anyway|anyways|actually
    |by\ the\ way|btw|you\ know|i\ mean|of\ course|for\ sure|definitely|absolutely|totally|exactly
    |(?:good|great|nice)\ to\ (?:see|hear\ from|talk\ to)\ you|lately)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_OPENER_PAUSE = re.compile(r"(?:[,!.…]+|\s+[-–—])\s*")
_CONJUNCTION = re.compile(
    r"(?:and|but|so|plus)\s+(?=\w)|(?:hi|hey|hello|yes|yeah|ok|okay|sure|great|well|oh)\s+(?:and\s+)?(?=i(?:'m|'ve|'ll|'d)?\b)",
    re.IGNORECASE,
)
_YOU_KNOW = re.compile(r",\s*(?:you know|like|i mean)\s*,", re.IGNORECASE)
_NOTHING_SAID = re.compile(
    r"""(?:hey|hi|hello|hiya|good\ (?:morning|afternoon|evening|night)|bye|goodbye|take\ care|see\ (?:you|ya)|later
    |talk\ (?:to\ you\ )?(?:soon|later)|chat\ soon|catch\ you|thanks|thank\ you|many\ thanks|cheers|welcome
    |you'?re\ (?:so\ |very\ )?welcome|no\ (?:problem|worries|rush)|my\ pleasure|sorry|pardon|excuse\ me
    |(?:it'?s\ |it\ was\ |that'?s\ )?(?:so\ |really\ |very\ )?(?:nice|good|great|lovely|wonderful|awesome)\ (?:to|talking|chatting|catching|hearing|seeing)
    |have\ (?:a|an|fun)\b|how\ (?:are|is|have|has|'s)|how's|what'?s\ (?:up|new)|long\ time|let\ me\ (?:see|look|check)
    |one\ (?:moment|second|sec)|just\ a\ (?:moment|second|sec)|hold\ on|hang\ on|mm|uh|congrat|good\ luck|same\ here
    |sounds\ (?:good|great|like\ a\ plan|fun|nice|amazing|awesome)|got\ it|i\ see\b|you\ too|keep\ (?:it\ up|up)
    |(?:gotta|got\ to|i\ have\ to|i\ gotta|i'?ve\ got\ to)\ (?:go|run)\b|are\ you\ (?:still\ )?there|can\ you\ hear)""",
    re.IGNORECASE | re.VERBOSE,
)
_GREETING_WORDS = 9


class Sentence(Struct, frozen=True):
    """One sentence of a user or agent message. `index` counts the sentences of the conversation."""

    index: int
    position: int
    said_by: Speaker
    said_at: datetime
    text: str

    @property
    def mood(self) -> Mood:
        return "question" if self.text.rstrip("\"')").endswith(("?", "？")) else "statement"


def spoken(messages: Iterable[Message]) -> list[Message]:
    """The messages that a person or the agent said: no tools, nothing empty."""
    return [m for m in messages if m.role in {"user", "agent"} and any(c.isalnum() for c in m.content)]


def sentences(
    messages: Iterable[Message], names: tuple[str, ...] = (), *, english: bool = True
) -> list[Sentence]:
    """The sentences that say something, in order; `names` are the parties', dropped when only called out.

    What starts a sentence idly is taken off in English only: "um" is a real word in German.
    """
    vocative = _vocative(names)
    found: list[Sentence] = []
    for message in spoken(messages):
        for text in split(message.content):
            plain = without_openers(text, vocative) if english else text
            if says_something(plain):
                found.append(_sentence(len(found), message, plain))
    return found


def split(text: str) -> list[str]:
    """The sentences of a text as they stand; overlong ones, as speech without punctuation, in pieces."""
    pieces: list[str] = []
    for part in _parts(text):
        if pieces and _ABBREVIATION.search(pieces[-1]):
            pieces[-1] = f"{pieces[-1]} {part}"
        else:
            pieces.append(part)
    return [short for piece in pieces for short in _chopped(piece)]


def without_openers(text: str, vocative: re.Pattern[str] | None = None) -> str:
    """A sentence without what only starts it: "Oh yeah, and um, I …" is "I …"."""
    plain = " ".join(_UM.sub("", _YOU_KNOW.sub(" ", text.replace("’", "'"))).split())
    while (shorter := _one_opener_less(plain, vocative)) != plain:
        plain = shorter
    return plain[:1].upper() + plain[1:]


def says_something(text: str) -> bool:
    """Whether a sentence is more than a greeting, a thank-you or a sign of listening."""
    if word_count(text) < _SHORTEST_WORDS or sum(c.isalpha() for c in text) < _SHORTEST_WORDS:
        return False
    return not (_NOTHING_SAID.match(text) and word_count(text) <= _GREETING_WORDS)


def _sentence(index: int, message: Message, text: str) -> Sentence:
    said_by: Speaker = "user" if message.role == "user" else "agent"
    return Sentence(index, message.position, said_by, message.said_at, text)


def _parts(text: str) -> Iterator[str]:
    plain = _DECORATION.sub(" ", text)
    ends = [match.end("closing") if match["closing"] else match.start() for match in _BREAK.finditer(plain)]
    for begin, end in pairwise([0, *ends, len(plain)]):
        if folded := " ".join(plain[begin:end].split()):
            yield folded


def _chopped(text: str) -> Iterator[str]:
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


def _vocative(names: tuple[str, ...]) -> re.Pattern[str] | None:
    called = [re.escape(name.split()[0]) for name in names if name.strip() and " " not in name.strip()]
    if not called:
        return None
    name = "|".join(called)
    return re.compile(rf"(?:{name})(?:[,!]|\s+[-–—])\s*|,\s*(?:{name})(?=[.!?]*$)")


def _one_opener_less(text: str, vocative: re.Pattern[str] | None) -> str:
    if vocative:
        text = vocative.sub("", text, count=1) if vocative.match(text) else _without_last_call(text, vocative)
    opener = _OPENER.match(text)
    pause = _OPENER_PAUSE.match(text, opener.end()) if opener else None
    if pause and pause.end() < len(text):
        return text[pause.end() :]
    return _CONJUNCTION.sub("", text, count=1) if _CONJUNCTION.match(text) else text


def _without_last_call(text: str, vocative: re.Pattern[str]) -> str:
    calls = list(vocative.finditer(text))
    if not calls or not calls[-1].group().startswith(","):
        return text
    return text[: calls[-1].start()] + text[calls[-1].end() :]
