"""Turns of chats: one message of a user's, which our own agent answers.

running ──→ done │ interrupted │ failed       asked for again, the last two run once more
└ leased by the process that answers; when the lease is over, nobody does
"""

from collections.abc import Sequence
from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct, json
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.session import Statement
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
    return _turn(await _FIND.rows(connection, {"chat": key.chat_id, "turn": key.turn_id}))


async def find_beside(connection: AsyncConnection, key: TurnKey) -> tuple[ChatTurn | None, ChatTurn | None]:
    """Return a turn, and the one of its chat that is said to be answered, leased or not; they may be one."""
    found = await _BESIDE.rows(connection, {"chat": key.chat_id, "turn": key.turn_id})
    turns = [ChatTurn(*row) for row in found]
    asked = next((one for one in turns if one.turn_id == key.turn_id), None)
    return asked, next((one for one in turns if one.status == "running"), None)


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
    return _turn(await _RUNNING.rows(connection, {"chat": chat_id}))


async def latest_running(connection: AsyncConnection, user_id: str) -> ChatTurn | None:
    theirs = (chat_turns.c.user_id == user_id) & (chat_turns.c.status == "running")
    leased = chat_turns.c.leased_until > sa.func.now()
    latest = _TURNS.where(theirs, leased).order_by(chat_turns.c.started_at.desc()).limit(1)
    return _turn((await connection.execute(latest)).all())


async def lock_chat(connection: AsyncConnection, chat_id: str) -> None:
    """Let nobody else begin a turn of this chat until the transaction ends. After `users.lock`."""
    await _LOCK.rows(connection, {"chat": chat_id})


async def claim(
    connection: AsyncConnection, key: TurnKey, user_id: str, agent_id: str, lease: float
) -> Attempt:
    """Begin a turn, or begin it once more. After `lock_chat`; when no turn of the chat runs."""
    asked = {"chat": key.chat_id, "turn": key.turn_id, "user": user_id, "agent": agent_id, "lease": lease}
    [[number]] = await _CLAIM.rows(connection, asked)
    return Attempt(key, number)


async def is_held(connection: AsyncConnection, attempt: Attempt) -> bool:
    """Tell whether this attempt still answers; nobody changes that until the transaction ends."""
    return bool(await _HOLD.rows(connection, _of(attempt)))


async def written_down(
    connection: AsyncConnection, attempt: Attempt, place: int, conversation_id: int
) -> None:
    there = {"at": place, "conversation": conversation_id}
    await _WRITTEN_DOWN.rows(connection, {**_of(attempt), **there})


async def renew(connection: AsyncConnection, attempt: Attempt, lease: float) -> bool:
    """Extend the lease by so many seconds; return whether to go on answering."""
    until = sa.func.now() + sa.func.make_interval(0, 0, 0, 0, 0, 0, lease)
    renewed = sa.update(chat_turns).where(_is_held(attempt)).values(leased_until=until)
    to_stop = (await connection.execute(renewed.returning(chat_turns.c.to_stop))).scalar_one_or_none()
    return to_stop is False


async def end(connection: AsyncConnection, attempt: Attempt, result: TurnResult) -> None:
    values = {f"new_{name}": getattr(result, name) for name in TurnResult.__struct_fields__}
    packed = {f"new_{name}": json.encode(getattr(result, name)).decode() for name in ("usage", "context")}
    await _END.rows(connection, {**_of(attempt), **values, **packed})


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


def _turn(rows: Sequence[Any]) -> ChatTurn | None:
    return ChatTurn(*rows[0]) if rows else None


def _of(attempt: Attempt) -> dict[str, object]:
    return {"chat": attempt.key.chat_id, "turn": attempt.key.turn_id, "number": attempt.number}


_TURNS_SPACE = 7_001_319  # of advisory locks, the other half of which is the chat's
_LOCK = Statement(f"select pg_advisory_xact_lock({_TURNS_SPACE}, hashtext(:chat))")
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
_OF_CHAT = chat_turns.c.chat_id == sa.bindparam("chat")
_FIND = Statement(_TURNS.where(_OF_CHAT, chat_turns.c.turn_id == sa.bindparam("turn")))
_BESIDE = Statement(
    _TURNS.where(
        _OF_CHAT, (chat_turns.c.turn_id == sa.bindparam("turn")) | (chat_turns.c.status == "running")
    )
)
_RUNNING = Statement(_TURNS.where(_OF_CHAT, chat_turns.c.status == "running"))
_HELD = (
    _OF_CHAT,
    chat_turns.c.turn_id == sa.bindparam("turn"),
    chat_turns.c.attempt == sa.bindparam("number"),
    chat_turns.c.status == "running",
)
_HOLD = Statement(sa.select(chat_turns.c.attempt).where(*_HELD).with_for_update())
_WRITTEN_DOWN = Statement(
    sa.update(chat_turns)
    .where(*_HELD)
    .values(place=sa.bindparam("at"), conversation_id=sa.bindparam("conversation"))
)
_END = Statement(
    sa.update(chat_turns)
    .where(*_HELD)
    .values(
        **{name: sa.bindparam(f"new_{name}") for name in TurnResult.__struct_fields__}, ended_at=sa.func.now()
    )
)
_CLAIM = Statement("""
insert into chat_turns (chat_id, turn_id, user_id, agent_id, status, leased_until)
values (:chat, :turn, :user, :agent, 'running', now() + make_interval(secs => :lease))
on conflict (chat_id, turn_id) do update set status = 'running', to_stop = false, error = '', ended_at = null,
    attempt = chat_turns.attempt + 1, answer_first = null, answer_last = null,
    leased_until = excluded.leased_until
returning attempt
""")
