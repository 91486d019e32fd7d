"""What was noted mid-call, held against what the user said: only they tell of themselves.

Pure. A note is taken back when it tells what the user asked not to be remembered, and shown to people alone
when nothing of it was said. It may use its own words: one word, name or number in common is enough. Outside
English a note may be in another language than the talk, so nothing counts against it but what is withheld.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from voice_server.digest.grounding.entities import said
from voice_server.digest.language.calendar_names import calendar
from voice_server.digest.language.languages import is_english, spoken_language
from voice_server.digest.language.stems import content_stems
from voice_server.digest.language.word_lists import word_set
from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message

Verdict = Literal["said", "unsaid", "withheld"]

_DAYS = calendar("en")
# Words with which a note tells, and that need not have been said.
_TELLING = frozenset(
    content_stems(
        "caller user customer agent assistant says said stated mentioned told "
        f"{_DAYS.weekdays} {_DAYS.months}"
    )
)
_SUBJECT = re.compile(r"^[A-Z]\w+(?:['’]s)?\s+(?=\w)")
_DAY = re.compile(r"\b\d{1,2} (?=[A-Z][a-z]+ \d{4}\b)|\b(?:19|20)\d\d\b")
_ASSENT = word_set("yes yeah yep yup right correct exactly sure indeed absolutely definitely true ok okay")
_FIRST_WORD = re.compile(r"\w+")


class TranscriptEvidence(Struct, frozen=True):
    """What the user said, as stems and numbers; `hidden` is what they asked not to be remembered."""

    open: frozenset[str]
    hidden: frozenset[str]
    all_hidden: bool
    english: bool

    def verdict(self, note: str) -> Verdict:
        told = _stems([_SUBJECT.sub("", note)])
        if self.all_hidden or told & (self.hidden - self.open):
            return "withheld"
        if not told or not self.english:
            return "said"
        return "said" if told & self.open else "unsaid"


def listen(messages: Sequence[Message], language: str = "") -> TranscriptEvidence:
    """Gather what the user said: a tenth of a second for hours of talk, so call it in a thread. `language` is
    the talk's own, empty when unknown."""
    secret = consent.withheld(messages)
    told = [*_told_by_user(message for message in messages if message.position not in secret)]
    hidden = [*_told_by_user(message for message in messages if message.position in secret)]
    return TranscriptEvidence(
        open=_stems(told),
        hidden=_stems(hidden),
        all_hidden=bool(messages) and len(secret) == len(messages),
        english=is_english(spoken_language([*told, *hidden], language)),
    )


def _told_by_user(messages: Iterable[Message]) -> Iterator[str]:
    """Include what the user said yes to."""
    asked = ""
    for message in messages:
        if message.role == "user":
            yield message.content
            if asked and _agrees(message.content):
                yield asked
            asked = ""
        elif message.role == "agent":
            asked = message.content


def _agrees(text: str) -> bool:
    first = _FIRST_WORD.search(text.lower())
    return first is not None and first[0] in _ASSENT


def _stems(texts: Iterable[str]) -> frozenset[str]:
    """Read “three” and “3” alike. Leave out days, for which a note has other words."""
    there = said((_DAY.sub(" ", text) for text in texts), "en")
    return (there.stems | there.numbers) - _TELLING
