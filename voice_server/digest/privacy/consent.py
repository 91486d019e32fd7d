"""What a caller does not want remembered: a consent that was declined, words spoken off the record.

Pure. What is withheld here reaches no digest, with or without a model; the transcript itself stays.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from voice_server.digest.privacy import forget_patterns, forgotten, reach
from voice_server.domain.conversation import Conversation, Message

CONSENT = "memory_consent"  # the name of the flag
_DECLINED = frozenset(
    """false no n 0 off none never declined denied refused rejected withdrawn revoked opt-out opted-out nein
    non nee não""".split()
)

LONGEST_TURN = 20_000  # characters that are looked at: nobody says more in one turn


def declined(*flags: Mapping[str, object]) -> bool:
    """Whether any of these (what the platform collected, the call's dynamic variables) declines to be
    remembered."""
    said = [_plain(value) for names in flags for name, value in names.items() if _plain(name) == CONSENT]
    return any(value in _DECLINED for value in said)


def withheld(messages: Sequence[Message]) -> frozenset[int]:
    """Positions of the messages that the user asked not to be remembered, and of what was said around them.

    Where a topic is named ("what I said about my heart"): the turn that asks, and every message that
    shares a content stem with it. Else, and where nothing before shares one: the turn that asks, what it
    points to (the user's turn before, or after it when it announces one; neither when it tells the secret
    itself), and the agent's turns between and right after, which may repeat it."""
    talk = reach.WishTalk(messages)
    asking = (
        reach.asking(place, _line(message))
        for place, message in enumerate(messages)
        if message.role == "user"
    )
    return frozenset(messages[i].position for asked in asking if asked for i in talk.meant(asked))


def topics(messages: Sequence[Message]) -> tuple[tuple[str, ...], ...]:
    """Each as the hashes of its stems: earlier conversations may tell of it, and nothing is to name it
    again."""
    talk = reach.WishTalk(messages)
    turns = (reach.asking(place, _line(one)) for place, one in enumerate(messages) if one.role == "user")
    named = (topic for asked in turns if asked for topic in talk.of_earlier(asked))
    stems = (forgotten.of_entry(one.stems, one.entry) if one.entry else one.stems for one in named)
    return tuple(dict.fromkeys(tuple(sorted(map(forgotten.hashed, of))) for of in stems if of))


def may_ask(message: Message) -> bool:
    """Whether a message asks for something not to be remembered."""
    return message.role == "user" and bool(forget_patterns.find(_line(message)))


def kept(messages: Sequence[Message]) -> tuple[Message, ...]:
    secret = withheld(messages)
    return tuple(message for message in messages if message.position not in secret)


def respected(conversation: Conversation) -> Conversation:
    """Without what its platform understood of it, where that may tell what is withheld; and without the
    flags that only say that it may be remembered."""
    if conversation.declined or withheld(conversation.messages):
        return replace(conversation, summary="", collected={})
    noted = {name: value for name, value in conversation.collected.items() if _plain(name) != CONSENT}
    return replace(conversation, collected=noted)


def _line(message: Message) -> str:
    return " ".join(message.content[:LONGEST_TURN].replace("’", "'").split())


def _plain(value: object) -> str:
    return str(value).strip().strip(".!").lower()
