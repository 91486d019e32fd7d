"""Whether what a client sends goes on with the chat that we know, which is the one that counts."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.secrets.messages import may_be_of
from voice_server.store.conversations import chat_turns, chats

_READ = 40  # messages of the chat
_COMPARED = 5  # of the user's words, from the end
_AGAIN = ("running", "interrupted", "failed")


class KnownChat(Struct, frozen=True):
    """The user's words at the end of a chat, the last of them, and the turn these are, unless it was
    answered."""

    said: tuple[str, ...] = ()
    unanswered: str | None = None


Course = Literal["goes on", "again", "branch"]


async def read(connection: AsyncConnection, whose: tuple[str, str], chat_id: str) -> KnownChat:
    """Of this user with this agent."""
    there, _ = await chats.history(connection, whose, chat_id, 0, _READ, None)
    words = [one for one in there if one.role == "user"]
    if not words:
        return KnownChat()
    turn = await chat_turns.of_words(connection, chat_id, words[-1].place)
    is_open = turn is not None and turn.status in _AGAIN
    return KnownChat(tuple(one.content for one in words), turn.turn_id if turn and is_open else None)


def course(known: KnownChat, before: Sequence[str], text: str) -> Course:
    """One more message of the user's goes on; the last once more, that had no answer, is asked `again`; what
    else the client shows is a branch of its own: it was edited there, or answered anew."""
    if known.unanswered and _is_same([known.said[-1]], [text]) and _ends_alike(known.said[:-1], before):
        return "again"
    return "goes on" if _ends_alike(known.said, before) else "branch"


def _ends_alike(known: Sequence[str], before: Sequence[str]) -> bool:
    """A client may have left out what is long ago."""
    if not known or not before:
        return not known and not before
    compared = min(len(known), len(before), _COMPARED)
    return _is_same(known[-compared:], before[-compared:])


def _is_same(known: Sequence[str], told: Sequence[str]) -> bool:
    """Secrets are not kept: a message may be known without them."""
    return all(
        ours.strip() == theirs.strip() or may_be_of(ours.strip(), theirs.strip())
        for ours, theirs in zip(known, told, strict=True)
    )
