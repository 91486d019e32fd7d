"""Turns of the agent that only read its own prompt aloud (docs/explanation/hygiene.md, what we said is not
learned again)."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from voice_server.digest.language.stems import content_stems, words
from voice_server.domain.conversation import Conversation, Message

_RUN = 5  # words in a row that are no coincidence
_REPEATED = 0.7  # of a turn: what is left is only the connection

Runs = set[tuple[str, ...]]


def without_echoes(messages: Sequence[Message], served: str) -> list[Message]:
    """Drop what the agent read aloud from `served`, its prompt ("": none is known)."""
    runs = _runs(words(served))
    return [m for m in messages if m.role != "agent" or not _repeats(m.content, runs)]


def without_memory(conversation: Conversation, served: str) -> Conversation:
    """Return a conversation without what its agent was told and has been erased since. What the caller said
    stays, and turns of the agent without a word of `served` that is not the caller's own; with no `served`,
    none of these. Positions are counted anew."""
    callers = _stems(one.content for one in conversation.messages if one.role == "user")
    told = _stems([served]) - callers
    kept = [
        one
        for one in conversation.messages
        if one.role == "user" or (one.role == "agent" and served and told.isdisjoint(_stems([one.content])))
    ]
    messages = tuple(replace(one, position=position) for position, one in enumerate(kept))
    return replace(conversation, messages=messages, summary="", collected={}, caller_name="")


def _stems(texts: Iterable[str]) -> set[str]:
    return {stem for text in texts for stem in content_stems(text)}


def _runs(text: Sequence[str]) -> Runs:
    return {tuple(text[i : i + _RUN]) for i in range(len(text) - _RUN + 1)}


def _repeats(content: str, runs: Runs) -> bool:
    if not runs:
        return False
    spoken_words = words(content)
    again: set[int] = set()
    for i in range(len(spoken_words) - _RUN + 1):
        if tuple(spoken_words[i : i + _RUN]) in runs:
            again.update(range(i, i + _RUN))
    return bool(again) and len(again) >= _REPEATED * len(spoken_words)
