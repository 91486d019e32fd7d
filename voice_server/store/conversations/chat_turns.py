"""Turns of chats: one message of a user's, which our own agent answers.

running ──→ done │ interrupted │ failed       asked for again, those two run once more
└ leased by the process that answers; when the lease is over, nobody does
"""

from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.tables import chat_turns

Status = Literal["running", "done", "interrupted", "failed"]


class TurnKey(Struct, frozen=True):
    chat_id: str
    turn_id: str


class ChatTurn(Struct, frozen=True):
    """A turn as it stands. `place` is that of the user's words in the chat, `answer` that of the last message
    of the answer; `error` says why there is none. `is_leased`: a process says that it answers."""

    chat_id: str
    turn_id: str
    user_id: str
    agent_id: str
    place: int
    status: Status
    is_leased: bool
    answer: int | None = None
    error: str = ""
    usage: dict[str, Any] = {}
    context: dict[str, Any] = {}

    @property
    def key(self) -> TurnKey:
        return TurnKey(self.chat_id, self.turn_id)

    @property
    def runs(self) -> bool:
        return self.status == "running" and self.is_leased


class TurnResult(Struct, frozen=True):
    """What became of a turn."""

    status: Status
    answer: int | None = None
    error: str = ""
    usage: dict[str, Any] = {}
    context: dict[str, Any] = {}


async def find(connection: AsyncConnection, key: TurnKey) -> ChatTurn | None:
    row = (await connection.execute(_TURNS.where(_is(key)))).first()
    return ChatTurn(*row) if row else None


async def running(connection: AsyncConnection, chat_id: str) -> ChatTurn | None:
    """The turn of a chat that is said to be answered."""
    theirs = (chat_turns.c.chat_id == chat_id) & (chat_turns.c.status == "running")
    row = (await connection.execute(_TURNS.where(theirs))).first()
    return ChatTurn(*row) if row else None


async def claim(
    connection: AsyncConnection, key: TurnKey, user_id: str, agent_id: str, place: int, lease: float
) -> None:
    """Begin a turn, or begin it once more. After `users.lock`; when no turn of the chat runs."""
    asked = {
        "chat": key.chat_id,
        "turn": key.turn_id,
        "user": user_id,
        "agent": agent_id,
        "place": place,
        "lease": lease,
    }
    await connection.execute(_CLAIM, asked)


async def written_down(connection: AsyncConnection, key: TurnKey, conversation_id: int) -> None:
    """The user's words are in this sitting."""
    await connection.execute(sa.update(chat_turns).where(_is(key)).values(conversation_id=conversation_id))


async def renew(connection: AsyncConnection, key: TurnKey, lease: float) -> bool:
    """Go on answering for so many seconds; whether to go on at all."""
    asked = {"chat": key.chat_id, "turn": key.turn_id, "lease": lease}
    to_stop = (await connection.execute(_RENEW, asked)).scalar_one_or_none()
    return to_stop is False


async def end(connection: AsyncConnection, key: TurnKey, result: TurnResult) -> None:
    values = {
        "status": result.status,
        "answer": result.answer,
        "error": result.error,
        "usage": result.usage,
        "context": result.context,
        "ended_at": sa.func.now(),
    }
    await connection.execute(
        sa.update(chat_turns).where(_is(key), chat_turns.c.status == "running").values(values)
    )


async def ask_to_stop(connection: AsyncConnection, key: TurnKey) -> None:
    """Whichever process answers stops at its next look."""
    await connection.execute(sa.update(chat_turns).where(_is(key)).values(to_stop=True))


def _is(key: TurnKey) -> sa.ColumnElement[bool]:
    return (chat_turns.c.chat_id == key.chat_id) & (chat_turns.c.turn_id == key.turn_id)


_TURNS = sa.select(
    chat_turns.c.chat_id,
    chat_turns.c.turn_id,
    chat_turns.c.user_id,
    chat_turns.c.agent_id,
    chat_turns.c.place,
    chat_turns.c.status,
    chat_turns.c.leased_until > sa.func.now(),
    chat_turns.c.answer,
    chat_turns.c.error,
    chat_turns.c.usage,
    chat_turns.c.context,
)
_CLAIM = sa.text("""
insert into chat_turns (chat_id, turn_id, user_id, agent_id, place, status, leased_until)
values (:chat, :turn, :user, :agent, :place, 'running', now() + make_interval(secs => :lease))
on conflict (chat_id, turn_id) do update set status = 'running', to_stop = false, error = '', ended_at = null,
    leased_until = excluded.leased_until
""")
_RENEW = sa.text("""
update chat_turns set leased_until = now() + make_interval(secs => :lease)
where chat_id = :chat and turn_id = :turn and status = 'running' returning to_stop
""")
