"""No section quotes again what the message history of a chat tells word for word."""

from collections.abc import Callable

from msgspec.structs import replace

from voice_server.context.harmless import left_out
from voice_server.context.layout.budget import Omission
from voice_server.domain.conversation import message_id
from voice_server.domain.memory import Memory, RememberedConversation, without_follow_ups

RULE = "told in the history"


def told_in_history(
    memory: Memory, told: frozenset[str], count: Callable[[str], int]
) -> tuple[Memory, tuple[Omission, ...]]:
    """Return the memory without the key moments and follow-ups in these messages, and what was left out. A
    summary stays: it also says what the history has no room for."""
    if not told:
        return memory, ()
    kept = replace(
        memory,
        latest=tuple(_without(one, told) for one in memory.latest),
        open_threads=without_follow_ups(
            memory.open_threads, lambda said: message_id(said.conversation_id, said.position) in told
        ),
    )
    return kept, tuple(left_out(memory, kept, count, RULE))


def _without(conversation: RememberedConversation, told: frozenset[str]) -> RememberedConversation:
    moments = conversation.key_moments
    rest = tuple(one for one in moments if message_id(conversation.id, one.position) not in told)
    return replace(conversation, key_moments=rest) if len(rest) < len(moments) else conversation
