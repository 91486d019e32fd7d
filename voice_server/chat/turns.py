"""Turns of chats: each is answered once, one at a time in a chat, and everybody who asks for it hears it.

asked for ──→ answered before: its answer again
──→ being answered here: whoever asks listens, too
──→ being answered elsewhere, or another one of the chat is: wait, in the order of asking
──→ broken off, or new: answered by a task of its own, so that who leaves stops nobody
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.chat.claims import (
    Claims,
    EarlierAnswer,
    RunningTurn,
    TurnClaim,
    answer_of,
    not_theirs,
    other_words,
)
from voice_server.chat.events import TurnEvents
from voice_server.chat.room import Room
from voice_server.chat.runner import TurnRunner
from voice_server.chat.turn import LiveTurn, NewTurn, TurnFigures
from voice_server.domain.conversation import CONTINUOUS, continuous_id, message_id
from voice_server.errors import ChatRefused, Conflict
from voice_server.runtime import right_of_way
from voice_server.store import session
from voice_server.store.conversations import chat_turns, chats
from voice_server.store.conversations.chat_turns import ChatTurn, TurnKey
from voice_server.store.people import users

_LOOK = 0.1  # seconds between looks at a turn that another process answers
_ENDING = 5.0  # seconds for answers under way when the process ends


class TurnRules(Struct, frozen=True):
    """Seconds: `wait` for the turn before, `patience` with Postgres."""

    wait: float
    patience: float


class Turns:
    """`runner` is None where there is no model."""

    def __init__(
        self, engine: AsyncEngine, claims: Claims, runner: TurnRunner | None, rules: TurnRules, room: Room
    ) -> None:
        self._engine = engine
        self._claims = claims
        self._runner = runner
        self._rules = rules
        self.figures = runner.figures if runner else TurnFigures()
        self._live: dict[TurnKey, LiveTurn] = {}
        self._room = room
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, list[asyncio.Event]] = {}  # of each chat, in the order of asking

    @property
    def has_model(self) -> bool:
        return self._runner is not None

    async def begin(self, asked: NewTurn) -> TurnEvents:
        """Return the events of a turn, begun now or before. Raises NotFound for a user or an agent nobody
        knows; Conflict when chat or turn are another's, or the turn before takes too long; ChatRefused
        without a model, above what it may cost, and when too many chat."""
        if self._runner is None:
            raise ChatRefused(503, "no_model", "Set CHAT_MODEL or LLM_MODEL where this server runs.")
        ends = time.monotonic() + self._rules.wait
        if asked.chat_id == CONTINUOUS:
            asked = await self._in_continuous(asked)
        if asked.key not in self._live:
            async with self._in_turn(asked, ends):
                return await self._begun(self._runner, asked, ends)
        return await self._heard(asked)

    async def _in_continuous(self, asked: NewTurn) -> NewTurn:
        async with self._engine.connect() as connection:
            user_id = await users.require(connection, asked.user_id)
        return replace(asked, chat_id=continuous_id(user_id, asked.agent_id))

    async def _begun(self, runner: TurnRunner, asked: NewTurn, ends: float) -> TurnEvents:
        while True:
            if asked.key in self._live:
                return await self._heard(asked)
            found = await self._claim(asked)
            if isinstance(found, TurnClaim):
                live = LiveTurn(asked, found.user_id, found.attempt, found.place, found.chat)
                return self._start(runner, live)
            if isinstance(found, EarlierAnswer):
                return await self._again(found.turn)
            await self._wait(asked, found, ends)

    @contextlib.asynccontextmanager
    async def _in_turn(self, asked: NewTurn, ends: float) -> AsyncIterator[None]:
        """Keep the order of asking within a chat and this process."""
        queue = self._waiting.setdefault(asked.chat_id, [])
        ours = asyncio.Event()
        queue.append(ours)
        if queue[0] is ours:
            ours.set()
        try:
            await _set_by(ours, asked, ends)
            yield
        finally:
            queue.remove(ours)
            if queue:
                queue[0].set()
            else:
                del self._waiting[asked.chat_id]

    async def _claim(self, asked: NewTurn) -> "TurnClaim | EarlierAnswer | RunningTurn":
        claim = self._claims.claim(asked, has_room=self._room.is_there)
        with self._room.taken():
            return await session.within(self._rules.patience, claim)

    async def _wait(self, asked: NewTurn, running: "RunningTurn", ends: float) -> None:
        """Wait, without a lock, until no turn of the chat is under way."""
        while True:
            if time.monotonic() > ends:
                raise _too_long(asked, f"Turn {running.turn_id}")
            await asyncio.sleep(_LOOK)
            if not await session.within(self._rules.patience, self._claims.running(asked.chat_id)):
                return

    async def find(self, chat_id: str, turn_id: str, user_id: str) -> ChatTurn | None:
        """Return a turn as it stands; None for another user's."""
        async with self._engine.connect() as connection:
            turn = await chat_turns.find(connection, TurnKey(chat_id, turn_id))
            if turn is None:
                return None
            whose = await users.survivor(connection, turn.user_id)
            return turn if whose == await users.survivor(connection, user_id) else None

    async def listen(self, turn: ChatTurn) -> TurnEvents:
        """Return the events of a turn; wait for its end when another process answers it."""
        live = self._live.get(turn.key)
        if live is not None:
            return live.events
        while turn.runs:
            await asyncio.sleep(_LOOK)
            async with self._engine.connect() as connection:
                turn = await chat_turns.find(connection, turn.key) or turn
        return await self._again(turn)

    async def answer_of(self, turn: ChatTurn) -> tuple[str, str | None]:
        """Return the answer so far, and the id of its last message, None while the turn is live."""
        live = self._live.get(turn.key)
        if live is not None:
            return live.events.text, None
        async with self._engine.connect() as connection:
            text = await answer_of(connection, turn)
            last = await chats.name_of(connection, turn.chat_id, turn.answer_last)
        return text, message_id(*last) if last else None

    async def _again(self, turn: ChatTurn) -> TurnEvents:
        text, named = await self.answer_of(turn)
        events = TurnEvents()
        events.tell("turn", chat_id=turn.chat_id, turn_id=turn.turn_id, place=turn.place)
        if text:
            events.tell("text", text=text)
        status = "interrupted" if turn.status == "running" else turn.status
        told = {"status": status, "message_id": named, "usage": turn.usage, "context": turn.context}
        if turn.error:
            message = "There is no answer, or no more of it. Send the turn again."
            events.tell("error", code=turn.error, message=message, **told)
        else:
            events.tell("done", **told, again=True)
        return events

    async def stop(self, turn: ChatTurn) -> None:
        """Stop the turn in whichever process answers it; what there is stays."""
        live = self._live.get(turn.key)
        if live is not None:
            live.stop.now()
        async with self._engine.begin() as connection:
            await chat_turns.ask_to_stop(connection, turn.key)

    def stop_all(self) -> None:
        """Stop what is answered here; what there is stays."""
        for live in list(self._live.values()):
            live.stop.now()

    async def close(self) -> None:
        self.stop_all()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_ENDING)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, runner: TurnRunner, live: LiveTurn) -> TurnEvents:
        self._live[live.asked.key] = live
        self._room.take()
        # Of its own: whoever asked may leave, and how long they wait for Postgres is not how long this does.
        task = asyncio.create_task(runner.run(live), context=right_of_way.fresh_context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _task: self._ended(live))
        return live.events

    def _ended(self, live: LiveTurn) -> None:
        self._room.leave()
        self._live.pop(live.asked.key, None)

    async def _heard(self, asked: NewTurn) -> TurnEvents:
        live = self._live[asked.key]
        async with self._engine.connect() as connection:
            user_id = await users.require(connection, asked.user_id)
        if (live.user_id, live.asked.agent_id) != (user_id, asked.agent_id):
            raise not_theirs(asked)
        if live.asked.text != asked.text:
            raise other_words(asked)
        return live.events


async def _set_by(event: asyncio.Event, asked: NewTurn, ends: float) -> None:
    try:
        async with asyncio.timeout(max(0.0, ends - time.monotonic())):
            await event.wait()
    except TimeoutError:
        raise _too_long(asked, "Another turn") from None


def _too_long(asked: NewTurn, which: str) -> Conflict:
    return Conflict(f"{which} of chat {asked.chat_id} is being answered: wait for it, or stop it.")
