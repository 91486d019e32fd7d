"""Turns of chats: one message of a user's, which our own agent answers.

running ──→ done │ interrupted │ failed       asked for again, the last two run once more
└ leased by the process that answers; when the lease is over, nobody does
"""

from collections.abc import Sequence
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
    """A turn as it stands, by the columns of `tables.chat_turns`. `error` is a code that says why there is no
    answer, or no more of it. `is_leased`: a process says that it answers."""

    chat_id: str
    turn_id: str
    user_id: str
    agent_id: str
    attempt: int
    place: int | None
    status: Status
    is_leased: bool
    answer_first: int | None = None
    answer_last: int | None = None
    error: str = ""
    usage: dict[str, Any] = {}
    context: dict[str, Any] = {}

    @property
    def key(self) -> TurnKey:
        return TurnKey(self.chat_id, self.turn_id)

    @property
    def runs(self) -> bool:
        return self.status == "running" and self.is_leased


class Attempt(Struct, frozen=True):
    """The right to answer a turn: it is lost when somebody begins anew."""

    key: TurnKey
    number: int


class TurnResult(Struct, frozen=True):
    status: Status
    answer_first: int | None = None
    answer_last: int | None = None
    error: str = ""
    usage: dict[str, Any] = {}
    context: dict[str, Any] = {}


async def find(connection: AsyncConnection, key: TurnKey) -> ChatTurn | None:
    row = (await connection.execute(_TURNS.where(_is(key)))).first()
    return ChatTurn(*row) if row else None


async def unanswered(
    connection: AsyncConnection, chat_id: str, user_id: str, places: Sequence[int]
) -> dict[int, str]:
    """Return, by place, the ids of this user's turns without a whole answer."""
    theirs = (chat_turns.c.chat_id == chat_id) & (chat_turns.c.user_id == user_id)
    asked = sa.select(chat_turns.c.place, chat_turns.c.turn_id).where(
        theirs, chat_turns.c.place.in_(places), chat_turns.c.status != "done"
    )
    return {row.place: row.turn_id for row in await connection.execute(asked)}


async def running(connection: AsyncConnection, chat_id: str) -> ChatTurn | None:
    """Return the turn of a chat that is said to be answered, leased or not."""
    theirs = (chat_turns.c.chat_id == chat_id) & (chat_turns.c.status == "running")
    row = (await connection.execute(_TURNS.where(theirs))).first()
    return ChatTurn(*row) if row else None


async def latest_running(connection: AsyncConnection, user_id: str) -> ChatTurn | None:
    theirs = (chat_turns.c.user_id == user_id) & (chat_turns.c.status == "running")
    leased = chat_turns.c.leased_until > sa.func.now()
    latest = _TURNS.where(theirs, leased).order_by(chat_turns.c.started_at.desc()).limit(1)
    row = (await connection.execute(latest)).first()
    return ChatTurn(*row) if row else None


async def lock_chat(connection: AsyncConnection, chat_id: str) -> None:
    """Let nobody else begin a turn of this chat until the transaction ends. After `users.lock`."""
    await connection.execute(_LOCK, {"space": _TURNS_SPACE, "chat": chat_id})


async def claim(
    connection: AsyncConnection, key: TurnKey, user_id: str, agent_id: str, lease: float
) -> Attempt:
    """Begin a turn, or begin it once more. After `lock_chat`; when no turn of the chat runs."""
    asked = {"chat": key.chat_id, "turn": key.turn_id, "user": user_id, "agent": agent_id, "lease": lease}
    return Attempt(key, (await connection.execute(_CLAIM, asked)).scalar_one())


async def is_held(connection: AsyncConnection, attempt: Attempt) -> bool:
    """Tell whether this attempt still answers; nobody changes that until the transaction ends."""
    row = sa.select(chat_turns.c.attempt).where(_is_held(attempt)).with_for_update()
    return (await connection.execute(row)).first() is not None


async def written_down(
    connection: AsyncConnection, attempt: Attempt, place: int, conversation_id: int
) -> None:
    there = {"place": place, "conversation_id": conversation_id}
    await connection.execute(sa.update(chat_turns).where(_is_held(attempt)).values(there))


async def renew(connection: AsyncConnection, attempt: Attempt, lease: float) -> bool:
    """Extend the lease by so many seconds; return whether to go on answering."""
    until = sa.func.now() + sa.func.make_interval(0, 0, 0, 0, 0, 0, lease)
    renewed = sa.update(chat_turns).where(_is_held(attempt)).values(leased_until=until)
    to_stop = (await connection.execute(renewed.returning(chat_turns.c.to_stop))).scalar_one_or_none()
    return to_stop is False


async def end(connection: AsyncConnection, attempt: Attempt, result: TurnResult) -> None:
    values = {name: getattr(result, name) for name in TurnResult.__struct_fields__}
    ended = sa.update(chat_turns).where(_is_held(attempt)).values(**values, ended_at=sa.func.now())
    await connection.execute(ended)


async def break_off(connection: AsyncConnection, turn: ChatTurn) -> None:
    """Note that nobody answers any more. After `lock_chat`."""
    await end(connection, Attempt(turn.key, turn.attempt), TurnResult("interrupted"))


async def ask_to_stop(connection: AsyncConnection, key: TurnKey) -> None:
    """Have whoever answers stop at its next look."""
    await connection.execute(sa.update(chat_turns).where(_is(key)).values(to_stop=True))


def _is(key: TurnKey) -> sa.ColumnElement[bool]:
    return (chat_turns.c.chat_id == key.chat_id) & (chat_turns.c.turn_id == key.turn_id)


def _is_held(attempt: Attempt) -> sa.ColumnElement[bool]:
    running = (chat_turns.c.attempt == attempt.number) & (chat_turns.c.status == "running")
    return _is(attempt.key) & running


_TURNS_SPACE = 7_001_319  # of advisory locks, the other half of which is the chat's
_LOCK = sa.text("select pg_advisory_xact_lock(:space, hashtext(:chat))")
_TURNS = sa.select(
    chat_turns.c.chat_id,
    chat_turns.c.turn_id,
    chat_turns.c.user_id,
    chat_turns.c.agent_id,
    chat_turns.c.attempt,
    chat_turns.c.place,
    chat_turns.c.status,
    chat_turns.c.leased_until > sa.func.now(),
    chat_turns.c.answer_first,
    chat_turns.c.answer_last,
    chat_turns.c.error,
    chat_turns.c.usage,
    chat_turns.c.context,
)
_CLAIM = sa.text("""
insert into chat_turns (chat_id, turn_id, user_id, agent_id, status, leased_until)
values (:chat, :turn, :user, :agent, 'running', now() + make_interval(secs => :lease))
on conflict (chat_id, turn_id) do update set status = 'running', to_stop = false, error = '', ended_at = null,
    attempt = chat_turns.attempt + 1, answer_first = null, answer_last = null,
    leased_until = excluded.leased_until
returning attempt
""")
