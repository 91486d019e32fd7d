"""What a user, in a later conversation, asks to have forgotten by name: the one rule of what is told no more.

    12 Oct   "Where shall we send it?" – "To 77 Marsh Lane, Hull."
    20 Nov   "Please forget the Marsh Lane address."    → nothing of 12 Oct that speaks of Marsh Lane is told

What the same conversation says of it reaches no digest (`digest.privacy.consent`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from hashlib import blake2b
from typing import TypeVar
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from voice_server.digest.language.stems import content_stems, words
from voice_server.digest.person_names.lexicon import says_address
from voice_server.digest.secrets.redaction import numbers_said, says_number
from voice_server.domain.conversation import Message
from voice_server.domain.memory import ForgottenTopic, Memory, RememberedConversation, without_follow_ups
from voice_server.runtime.timezones import zone

# Of a telephone: with a 0 or + before it, or in several groups; dates, and most numbers of orders, are none.
TELEPHONE = re.compile(
    r"(?<![\dA-Za-z.])(?!\d{1,2}[-/]\d{1,2}[-/]\d{2,4})"
    r"(?:(?:\+|0)\d(?:[\s/()-]*\d){5,13}|\d{3}[\s-]\d{6,7}|\d{3}(?:[\s-]\d{2,4}){2,3}"
    r"|\d{5}[\s-]\d{4})(?!\d)"
)
_ENDED = re.compile(r"[.!?…,;:。！？]")  # a text that has any is punctuated
_E_MAIL = re.compile(r"\S+@[^\s.,;!?]+(?:\.[^\s.,;!?]+)*")
NUMBER, E_MAIL = "#", "@"  # what the stems of a text are called, too, where it tells one
_ENTRIES = {NUMBER: TELEPHONE, E_MAIL: _E_MAIL}
_SAYS: Mapping[str, Callable[[str], bool]] = {NUMBER: says_number, E_MAIL: says_address}
_MARKS = {NUMBER: "[number deleted]", E_MAIL: "[address deleted]"}
_NATIONAL = 9  # digits of a telephone number without its country and trunk code
_OF_TOPIC = 0.5  # of its stems: rather too much is left out than too little


_Message = TypeVar("_Message", bound=Message)


class ForgetFilter:
    """What a user's wishes keep from being told. `timezone` is the user's (IANA), for what has only a day;
    `of` is the conversation that says it (our id; None: any)."""

    def __init__(self, wishes: Sequence[ForgottenTopic], timezone: str = "") -> None:
        self._wishes = wishes
        self._zone = zone(timezone) or ZoneInfo("UTC")

    def __bool__(self) -> bool:
        return bool(self._wishes)

    def at(self, moment: datetime, *texts: str, of: int | None = None) -> bool:
        """Tell whether a wish after this moment hides any of the texts."""
        return self._is_told_in(texts, self._after(moment, of))

    def on(self, day: date, *texts: str) -> bool:
        """Tell whether a wish on this day or later hides any of the texts."""
        return self._is_told_in(texts, self._since(day))

    def told_at(self, moment: datetime, text: str, *, of: int | None = None) -> str:
        """Return what is told of a text in spite of the wishes after this moment: without the numbers and
        addresses that were to be erased, or nothing."""
        return _told(text, self._after(moment, of))

    def told_on(self, day: date, text: str) -> str:
        return _told(text, self._since(day))

    def kept(self, messages: Sequence[_Message], *, of: int | None = None) -> tuple[_Message, ...]:
        """Leave out the answers to hidden questions, too."""
        return tuple(self._kept(messages, of)) if self._wishes else tuple(messages)

    def _kept(self, messages: Sequence[_Message], of: int | None) -> Iterator[_Message]:
        is_answer = False
        for one in messages:
            text = self.told_at(one.said_at, one.content, of=of)
            is_hidden = bool(one.content) and not text
            if not is_hidden and not (is_answer and one.role == "user"):
                yield _with_content(one, text)
            if one.role in ("user", "agent"):
                is_answer = is_hidden and one.role == "agent" and is_question(one.content)

    def _after(self, moment: datetime, of: int | None) -> list[ForgottenTopic]:
        return [one for one in self._wishes if moment < one.until(of)]

    def _since(self, day: date) -> list[ForgottenTopic]:
        return [one for one in self._wishes if day <= one.at.astimezone(self._zone).date()]

    @staticmethod
    def _is_told_in(texts: Iterable[str], wishes: Sequence[ForgottenTopic]) -> bool:
        return bool(wishes) and any(_tells(text, wishes) for text in texts)


def without_forgotten(memory: Memory) -> Memory:
    hidden = ForgetFilter(memory.forgotten, memory.timezone)
    if not hidden:
        return memory
    facts = ((one, hidden.told_on(one.last_said_on, one.text)) for one in memory.facts)
    return replace(
        memory,
        facts=tuple(replace(one, text=text) for one, text in facts if text),
        open_threads=without_follow_ups(
            (one for one in memory.open_threads if not hidden.on(one.said_on, one.text)),
            lambda said: hidden.on(said.said_on, said.text),
        ),
        thoughts=tuple(one for one in memory.thoughts if not hidden.at(one.created_at, one.text)),
        days=tuple(one for one in memory.days if not hidden.on(one.day, one.summary)),
        latest=tuple(_kept(one, hidden) for one in memory.latest),
    )


def _kept(conversation: RememberedConversation, hidden: ForgetFilter) -> RememberedConversation:
    at, moments, of = conversation.started_at, conversation.key_moments, conversation.id
    noted = (hidden.told_at(at, one, of=of) for one in conversation.noted)
    return replace(
        conversation,
        summary=hidden.told_at(at, conversation.summary, of=of),
        noted=tuple(one for one in noted if one),
        key_moments=tuple(one for one in moments if not hidden.at(at, one.text, of=of)),
    )


def _with_content(message: _Message, text: str) -> _Message:
    return message if text == message.content else replace(message, content=text)


def is_question(text: str) -> bool:
    """Tell whether it asks, or may ask: what was heard without punctuation."""
    said = text.rstrip()
    return said.endswith("?") or not _ENDED.search(said)


def hashed(stem: str) -> str:
    """Hash a stem: what is to be forgotten stands nowhere in clear."""
    return blake2b(stem.encode(), digest_size=8).hexdigest()


def of_number(digits: str) -> str:
    """Name a number by its digits, as many as it has with and without its country: “07700 900118”."""
    return digits[-_NATIONAL:] + NUMBER


def of_entry(stems: frozenset[str], kind: str) -> frozenset[str]:
    """Name a kept number or e-mail address (`kind`: NUMBER or E_MAIL): any (“my number”), or the one told
    with these stems (“my work number”)."""
    return frozenset(stem + kind for stem in stems) or frozenset({kind})


def _tells(text: str, wishes: Sequence[ForgottenTopic]) -> bool:
    stems = _stems(text)
    of_topic = _is_meant(set(map(hashed, stems)), wishes, _OF_TOPIC)
    return (
        of_topic
        or bool(_numbers_meant(text, wishes))
        or any(_is_entry_meant(stems, kind, wishes) for kind in _kinds(text))
    )


def _told(text: str, wishes: Sequence[ForgottenTopic]) -> str:
    """Leave out only the number where only a number was to be erased: with “Her dad, on 07700 900118, and
    she's allergic to nuts” the nuts would be gone. Where it is said again in another way, all of it goes."""
    if not wishes:
        return text
    stems, told = _stems(text), text
    meant = [kind for kind in _kinds(text) if _is_entry_meant(stems, kind, wishes)]
    for kind in meant:
        told = _ENTRIES[kind].sub(_MARKS[kind], told)
    numbers = _numbers_meant(text, wishes)
    told = TELEPHONE.sub(lambda one: _MARKS[NUMBER] if _digits(one[0]) in numbers else one[0], told)
    is_said_again = any(_SAYS[kind](told) for kind in meant)
    return "" if is_said_again or _tells(told, wishes) else told


def _numbers_meant(text: str, wishes: Iterable[ForgottenTopic]) -> frozenset[str]:
    """Return the numbers said that a wish names by their digits."""
    named = {stem for one in wishes for stem in one.stems if len(one.stems) == 1}
    return frozenset(one for one in numbers_in(text) if hashed(of_number(one)) in named)


def numbers_in(text: str) -> frozenset[str]:
    """Return the digits of each number, typed or spoken, “+44 7700 900118” with its country."""
    return numbers_said(text) | {_digits(one[0]) for one in TELEPHONE.finditer(text)}


def same_number(one: str, other: str) -> bool:
    """Compare two by their digits: “+44 7700 900118” is “07700 900118”."""
    return of_number(one) == of_number(other)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _is_entry_meant(stems: frozenset[str], kind: str, wishes: Iterable[ForgottenTopic]) -> bool:
    return _is_meant(set(map(hashed, _entries(stems, kind))), wishes, 1.0)


def _is_meant(said: set[str], wishes: Iterable[ForgottenTopic], of_topic: float) -> bool:
    """Tell whether so much of what a wish is about is said."""
    return any(len(said.intersection(one.stems)) >= max(1, of_topic * len(one.stems)) for one in wishes)


def _stems(text: str) -> frozenset[str]:
    return frozenset((*content_stems(text), *words(text)))


def _kinds(text: str) -> list[str]:
    return [kind for kind, pattern in _ENTRIES.items() if pattern.search(text)]


def _entries(stems: frozenset[str], kind: str) -> frozenset[str]:
    return of_entry(stems, kind) | {kind}
