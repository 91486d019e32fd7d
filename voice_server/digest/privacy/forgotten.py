"""A memory without what its user asked to have forgotten in a later conversation, by its name.

    12 Oct   "Where shall we send it?" – "To 77 Marsh Lane, Hull."
    20 Nov   "Please forget the Marsh Lane address."          → nothing of 12 Oct that speaks of Marsh Lane is told

What the same conversation said of it reaches no digest (`digest.privacy`).
"""

from collections.abc import Iterable
from datetime import date
from hashlib import blake2b
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from voice_server.digest.stems import content_stems, words
from voice_server.domain.memory import Forgotten, Memory, Remembered
from voice_server.timezones import zone

_OF_TOPIC = 0.5  # of its stems: rather too much is left out than too little


def without_forgotten(memory: Memory) -> Memory:
    """Leave out what earlier conversations say of it: facts, open threads, thoughts, summaries, quotes."""
    if not memory.forgotten:
        return memory
    local = zone(memory.timezone) or ZoneInfo("UTC")

    def since(day: date) -> list[Forgotten]:
        return [one for one in memory.forgotten if day <= one.at.astimezone(local).date()]

    return replace(
        memory,
        facts=tuple(one for one in memory.facts if not _tells(one.text, since(one.last_said_on))),
        open_threads=tuple(one for one in memory.open_threads if not _tells(one.text, since(one.said_on))),
        thoughts=tuple(
            one
            for one in memory.thoughts
            if not _tells(one.text, [wish for wish in memory.forgotten if one.created_at < wish.at])
        ),
        days=tuple(one for one in memory.days if not _tells(one.summary, since(one.day))),
        latest=tuple(
            _kept(one, [wish for wish in memory.forgotten if one.started_at < wish.at])
            for one in memory.latest
        ),
    )


def _kept(conversation: Remembered, forgotten: list[Forgotten]) -> Remembered:
    if not forgotten:
        return conversation
    return replace(
        conversation,
        summary="" if _tells(conversation.summary, forgotten) else conversation.summary,
        noted=tuple(one for one in conversation.noted if not _tells(one, forgotten)),
        key_moments=tuple(one for one in conversation.key_moments if not _tells(one.text, forgotten)),
    )


def hashed(stem: str) -> str:
    """A stem as a topic keeps it: what is to be forgotten stands nowhere in clear."""
    return blake2b(stem.encode(), digest_size=8).hexdigest()


def _tells(text: str, forgotten: Iterable[Forgotten]) -> bool:
    said: set[str] = set()
    for one in forgotten:
        said = said or {hashed(stem) for stem in (*content_stems(text), *words(text))}
        if len(said.intersection(one.stems)) >= max(1, _OF_TOPIC * len(one.stems)):
            return True
    return False
