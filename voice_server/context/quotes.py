"""Which quotes of a conversation are told: the best that fit, each with its speaker."""

from collections.abc import Sequence

from voice_server.context.hygiene import neutralise
from voice_server.context.spoken import told
from voice_server.domain.digest import KeyMoment
from voice_server.domain.memory import Memory

_FRAME = 12  # characters of a line around its words: its mark, who speaks


def best(moments: Sequence[KeyMoment], room: int) -> tuple[KeyMoment, ...]:
    """The quotes worth most, best first, until one does not fit into so many characters."""
    kept = list[KeyMoment]()
    for moment in sorted(moments, key=lambda one: (-one.weight, one.position)):
        room -= len(moment.text) + _FRAME
        if room < 0:
            break
        kept.append(moment)
    return tuple(kept)


def in_words(moment: KeyMoment, memory: Memory) -> str:
    """A key moment as it is told: a quote with its speaker, prose as it is."""
    text = neutralise(moment.text)
    return told(text, moment.said_by, memory.user_name) if moment.said_by else text
