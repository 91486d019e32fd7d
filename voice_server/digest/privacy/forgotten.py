"""What a user, in a later conversation, asks to have forgotten by name: the one rule of what is told no more.

    12 Oct   "Where shall we send it?" – "To 77 Marsh Lane, Hull."
    20 Nov   "Please forget the Marsh Lane address."    → nothing of 12 Oct that speaks of Marsh Lane is told

What the same conversation says of it reaches no digest (`digest.privacy.consent`).
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from hashlib import blake2b
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from voice_server.digest.language.stems import content_stems, words
from voice_server.domain.conversation import Message
from voice_server.domain.memory import ForgottenTopic, Memory, RememberedConversation, without_follow_ups
from voice_server.runtime.timezones import zone

# Of a telephone: with a 0 or + before it, or in several groups; dates, and most numbers of orders, are none.
_TELEPHONE = re.compile(
    r"(?<![\dA-Za-z.])(?!\d{1,2}[-/]\d{1,2}[-/]\d{2,4})"
    r"(?:(?:\+|0)\d(?:[\s/()-]*\d){5,13}|\d{3}[\s-]\d{6,7}|\d{3}(?:[\s-]\d{2,4}){2,3})(?!\d)"
)
_E_MAIL = re.compile(r"\S@\S")
NUMBER, E_MAIL = "#", "@"  # what the stems of a text are called, too, where it tells one
_OF_TOPIC = 0.5  # of its stems: rather too much is left out than too little


class ForgetFilter:
    """What a user's wishes keep from being told. `timezone` is the user's (IANA), for what has only a day."""

    def __init__(self, wishes: Sequence[ForgottenTopic], timezone: str = "") -> None:
        self._wishes = wishes
        self._zone = zone(timezone) or ZoneInfo("UTC")

    def __bool__(self) -> bool:
        return bool(self._wishes)

    def at(self, moment: datetime, *texts: str) -> bool:
        """Tell whether a wish after this moment hides any of the texts."""
        return self._is_told_in(texts, [one for one in self._wishes if moment < one.at])

    def on(self, day: date, *texts: str) -> bool:
        """Tell whether a wish on this day or later hides any of the texts."""
        since = [one for one in self._wishes if day <= one.at.astimezone(self._zone).date()]
        return self._is_told_in(texts, since)

    def kept(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        return tuple(one for one in messages if not (self._wishes and self.at(one.said_at, one.content)))

    @staticmethod
    def _is_told_in(texts: Iterable[str], wishes: Sequence[ForgottenTopic]) -> bool:
        return bool(wishes) and any(_tells(text, wishes) for text in texts)


def without_forgotten(memory: Memory) -> Memory:
    hidden = ForgetFilter(memory.forgotten, memory.timezone)
    if not hidden:
        return memory
    return replace(
        memory,
        facts=tuple(one for one in memory.facts if not hidden.on(one.last_said_on, one.text)),
        open_threads=without_follow_ups(
            (one for one in memory.open_threads if not hidden.on(one.said_on, one.text)),
            lambda said: hidden.on(said.said_on, said.text),
        ),
        thoughts=tuple(one for one in memory.thoughts if not hidden.at(one.created_at, one.text)),
        days=tuple(one for one in memory.days if not hidden.on(one.day, one.summary)),
        latest=tuple(_kept(one, hidden) for one in memory.latest),
    )


def _kept(conversation: RememberedConversation, hidden: ForgetFilter) -> RememberedConversation:
    at, moments = conversation.started_at, conversation.key_moments
    return replace(
        conversation,
        summary="" if hidden.at(at, conversation.summary) else conversation.summary,
        noted=tuple(one for one in conversation.noted if not hidden.at(at, one)),
        key_moments=tuple(one for one in moments if not hidden.at(at, one.text)),
    )


def hashed(stem: str) -> str:
    """Hash a stem: what is to be forgotten stands nowhere in clear."""
    return blake2b(stem.encode(), digest_size=8).hexdigest()


def of_entry(stems: frozenset[str], kind: str) -> frozenset[str]:
    """Name a kept number or e-mail address (`kind`: NUMBER or E_MAIL): any (“my number”), or the one told
    with these stems (“my work number”)."""
    return frozenset(stem + kind for stem in stems) or frozenset({kind})


def _tells(text: str, wishes: Iterable[ForgottenTopic]) -> bool:
    stems = frozenset((*content_stems(text), *words(text)))
    kinds = [kind for kind, told in ((NUMBER, _TELEPHONE), (E_MAIL, _E_MAIL)) if told.search(text)]
    entries = (called for kind in kinds for called in (kind, *of_entry(stems, kind)))
    said = set(map(hashed, (*stems, *entries)))
    return any(len(said.intersection(one.stems)) >= max(1, _OF_TOPIC * len(one.stems)) for one in wishes)
