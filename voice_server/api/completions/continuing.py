"""Compares the history that a client sends with the chat that we know. Ours is the history that counts."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.secrets.messages import may_be_of
from voice_server.store.conversations import chat_turns, chats

_READ = 40  # messages of the chat
_COMPARED = 5  # of the user's words, from the end

Course = Literal["goes on", "again", "branch"]


class KnownWords(Struct, frozen=True):
    """A message of the user in a chat. `turn_id` is empty unless its turn has no whole answer."""

    text: str
    turn_id: str = ""


async def read(connection: AsyncConnection, whose: tuple[str, str], chat_id: str) -> list[KnownWords]:
    there, _ = await chats.history(connection, whose, chat_id, 0, _READ, None)
    words = [one for one in there if one.role == "user"]
    unanswered = await chat_turns.unanswered(connection, chat_id, whose[0], [one.place for one in words])
    return [KnownWords(one.content, unanswered.get(one.place, "")) for one in words]


def course(known: Sequence[KnownWords], before: Sequence[str], text: str) -> Course:
    """Tell where a request leads. One more message “goes on”. The last message again, which had no answer, is
    asked “again”. All else is a “branch”: edited or answered anew in the client."""
    if known and _is_same(known[-1].text, text) and _ends_alike(known[:-1], before, whole=True):
        return "again" if known[-1].turn_id else "branch"
    return "goes on" if _ends_alike(known, before) else "branch"


def _ends_alike(known: Sequence[KnownWords], before: Sequence[str], *, whole: bool = False) -> bool:
    """Compare from the end. A client may omit old messages, unless `whole`, and messages without an
    answer."""
    left = list(before)
    compared = 0
    for one in reversed(known):
        if not left or compared == _COMPARED:
            break
        if _is_same(one.text, left[-1]):
            left.pop()
            compared += 1
        elif not one.turn_id:
            return False
    if compared == _COMPARED:
        return True
    answered = [one for one in known if not one.turn_id]
    if whole:
        return not left and compared >= min(len(answered), _COMPARED)
    return not left and (compared > 0 or not answered)


def _is_same(known: str, told: str) -> bool:
    """Ignore white space, which clients change, and secrets, which are not kept."""
    ours, theirs = " ".join(known.split()), " ".join(told.split())
    return ours == theirs or may_be_of(ours, theirs)
