"""Turns of chats: each is answered once, one at a time in a chat, and whoever asks for it hears it.

asked for ──→ answered before: its answer again
──→ being answered here: whoever asks listens, too
──→ being answered elsewhere, or the one before it is: wait
──→ broken off, or new: answered by a task of its own, so that who leaves stops nobody
"""

import asyncio
import time
from contextvars import Context

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.chat.claims import Claims, EarlierAnswer, TurnClaim, answer_of, other_words
from voice_server.chat.events import TurnEvents
from voice_server.chat.runner import TurnRunner
from voice_server.chat.turn import LiveTurn, NewTurn, TurnFigures
from voice_server.errors import ChatRefused, Conflict
from voice_server.store import session
from voice_server.store.conversations import chat_turns, chats
from voice_server.store.conversations.chat_turns import ChatTurn, TurnKey
from voice_server.store.people import users

_LOOK = 0.1  # seconds between looks at a turn that another process answers
_ENDING = 5.0  # seconds for answers under way when the process ends


class TurnRules(Struct, frozen=True):
    """Answers under way at once in this process; seconds that a turn waits for the one before it, and that
    Postgres may take."""

    at_once: int
    wait: float
    patience: float


class Turns:
    """`runner` is None where there is no model."""

    def __init__(
        self, engine: AsyncEngine, claims: Claims, runner: TurnRunner | None, rules: TurnRules
    ) -> None:
        self._engine = engine
        self._claims = claims
        self._runner = runner
        self._rules = rules
        self.figures = runner.figures if runner else TurnFigures()
        self._live: dict[TurnKey, LiveTurn] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, asked: NewTurn) -> LiveTurn:
        """The turn, being answered or answered before. Raises NotFound for a user or an agent nobody knows;
        Conflict when chat or turn are another's, or the turn before takes too long; ChatRefused without a
        model, above what it may cost, and when too many chat."""
        if self._runner is None:
            raise ChatRefused(503, "no_model", "Set CHAT_MODEL or LLM_MODEL where this server runs.")
        ends = time.monotonic() + self._rules.wait
        while True:
            live = self._live.get(asked.key)
            if live is not None:
                return _same(live, asked)
            if len(self._live) >= self._rules.at_once:
                raise ChatRefused(
                    503, "busy", "Too many chats are being answered. Send it again in a moment.", 5
                )
            found = await session.within(self._rules.patience, self._claims.claim(asked))
            if isinstance(found, TurnClaim):
                return self._start(self._runner, LiveTurn(asked, found.user_id, found.place))
            if isinstance(found, EarlierAnswer):
                return _again(asked, found)
            if time.monotonic() > ends:
                raise Conflict(
                    f"Turn {found.turn_id} of chat {asked.chat_id} is being answered: wait for it, or stop "
                    "it."
                )
            await asyncio.sleep(_LOOK)

    async def find(self, chat_id: str, turn_id: str, user_id: str) -> ChatTurn | None:
        """A turn of this user's as it stands."""
        async with self._engine.connect() as connection:
            turn = await chat_turns.find(connection, TurnKey(chat_id, turn_id))
            if turn is None:
                return None
            whose = await users.survivor(connection, turn.user_id)
            return turn if whose == await users.survivor(connection, user_id) else None

    async def listen(self, turn: ChatTurn) -> TurnEvents:
        """The events of a turn so far, and on. Of one that another process answers there are none until it
        has ended."""
        live = self._live.get(turn.key)
        if live is not None:
            return live.events
        while turn.runs:
            await asyncio.sleep(_LOOK)
            async with self._engine.connect() as connection:
                turn = await chat_turns.find(connection, turn.key) or turn
        return await self._told_again(turn)

    async def _told_again(self, turn: ChatTurn) -> TurnEvents:
        events = TurnEvents()
        events.tell("turn", chat_id=turn.chat_id, turn_id=turn.turn_id, place=turn.place)
        if text := await self.text_of(turn):
            events.tell("text", text=text)
        status = "interrupted" if turn.status == "running" else turn.status
        if status == "failed":
            events.tell("error", code=turn.error, message="There is no answer.", retry=True, status=status)
        else:
            events.tell(
                "done", status=status, answer=turn.answer, usage=turn.usage, context=turn.context, again=True
            )
        return events

    async def text_of(self, turn: ChatTurn) -> str:
        """What was answered so far."""
        live = self._live.get(turn.key)
        if live is not None:
            return live.events.text
        async with self._engine.connect() as connection:
            if turn.status != "interrupted" or turn.answer is None:
                return await answer_of(connection, turn) or ""
            partial = await chats.told(connection, turn.chat_id, turn.answer, 1)
            return partial[turn.answer].content if turn.answer in partial else ""

    async def stop(self, turn: ChatTurn) -> None:
        """Whichever process answers it ends with what there is."""
        live = self._live.get(turn.key)
        if live is not None:
            live.stop.now()
        async with self._engine.begin() as connection:
            await chat_turns.ask_to_stop(connection, turn.key)

    async def close(self) -> None:
        """Answers under way end with what there is."""
        for live in list(self._live.values()):
            live.stop.now()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_ENDING)
        for task in self._tasks:
            task.cancel()
        if self._runner is not None:
            await self._runner.close()

    def _start(self, runner: TurnRunner, live: LiveTurn) -> LiveTurn:
        self._live[live.asked.key] = live
        # Of its own: whoever asked may leave, and how long they wait for Postgres is not how long this does.
        task = asyncio.create_task(runner.run(live), context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _task: self._live.pop(live.asked.key, None))
        return live


def _same(live: LiveTurn, asked: NewTurn) -> LiveTurn:
    """Who asks again while it is answered listens, too."""
    if (live.asked.user_id, live.asked.agent_id) != (asked.user_id, asked.agent_id):
        raise Conflict(f"Turn {asked.turn_id} of chat {asked.chat_id} is another user's or agent's.")
    if live.asked.text != asked.text:
        raise other_words(asked)
    return live


def _again(asked: NewTurn, answered: EarlierAnswer) -> LiveTurn:
    turn = answered.turn
    live = LiveTurn(asked, turn.user_id, turn.place)
    live.events.tell("turn", chat_id=asked.chat_id, turn_id=asked.turn_id, place=turn.place)
    live.events.tell("text", text=answered.text)
    live.events.tell(
        "done", status="done", answer=turn.answer, usage=turn.usage, context=turn.context, again=True
    )
    return live
