"""What was confided in a conversation, as far as its length tells: for a wish whose words nobody said."""

from collections.abc import Sequence

from voice_server.digest.language.stems import word_count
from voice_server.domain.conversation import Message

_FEW = 6  # words of an answer to what the agent's business asks
_NEARLY = 3 / 4  # as long as the longest: which of them is meant is not known


def confided(messages: Sequence[Message]) -> tuple[int, ...]:
    """Return the places of the user's longest turns, without questions, and without the first, which says who
    calls and why."""
    asked = [place for place, one in enumerate(messages) if one.role == "user"]
    told = {place: word_count(messages[place].content) for place in asked[1:] if _tells(messages[place])}
    longest = max(told.values(), default=0)
    return tuple(place for place, length in told.items() if length > _FEW and length >= _NEARLY * longest)


def _tells(message: Message) -> bool:
    return not message.content.rstrip().endswith("?")
