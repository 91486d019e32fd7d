"""What holds no more is quoted no more, though its conversation is told on.

    20 Sep: "I live at 12 Mill Lane."          not told
    16 Nov: "We've moved to Harbour Street."   told

Two values of one conversation are both told: somebody may have two numbers, and a correction stands with what
it puts right.
"""

from collections import defaultdict

from msgspec.structs import replace

from voice_server.digest.facts.other_words import undated_form
from voice_server.digest.facts.similarity import Form, is_same
from voice_server.domain.digest import KeyMoment
from voice_server.domain.memory import Memory, RememberedConversation

_Said = defaultdict[tuple[int, int], list[Form]]  # by conversation and message


def without_superseded(memory: Memory) -> Memory:
    """Leave out the quotes that say what another fact took the place of."""
    if not memory.superseded:
        return memory
    said: _Said = defaultdict(list)
    for one in memory.superseded:
        for place in one.outdated:
            said[place].append(undated_form(one.text))
    return replace(memory, latest=tuple(_current(one, said) for one in memory.latest))


def _current(conversation: RememberedConversation, said: _Said) -> RememberedConversation:
    def holds(moment: KeyMoment) -> bool:
        gone = said.get((conversation.id, moment.position))
        return gone is None or not any(is_same(undated_form(moment.text), one) for one in gone)

    kept = tuple(one for one in conversation.key_moments if holds(one))
    return (
        conversation
        if len(kept) == len(conversation.key_moments)
        else replace(conversation, key_moments=kept)
    )
