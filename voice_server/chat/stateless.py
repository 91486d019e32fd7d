"""Stateless turns: the client brings the history, and only what an answer cost is written down.

    prompt, if any is told → model → answer

A client that leaves ends the answer: nobody else will ever hear it.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from voice_server.chat.claims import Claims
from voice_server.chat.port import ChatModel, ClientTool, ModelAnswer, ModelTool, ModelTurn, TurnFailure
from voice_server.chat.room import Room
from voice_server.chat.runner import figures_of
from voice_server.chat.tools import model_tools
from voice_server.chat.turn import LiveAnswer, TurnFigures, observe, usage_of
from voice_server.domain.digest import ModelUse
from voice_server.errors import ChatRefused, ConfigurationError
from voice_server.operations.chats.text_context import Question, TextContexts
from voice_server.runtime import right_of_way
from voice_server.store import model_usage, session
from voice_server.store.conversations.chat_turns import Status, TurnResult
from voice_server.tools import catalogue, memory_add
from voice_server.tools.toolbox import TokenBearer, Toolbox

_LOOKUPS = [one for one in catalogue.TOOLS if one is not memory_add.TOOL]

log = logging.getLogger(__name__)


class StatelessTurn(Struct, frozen=True):
    """`history` is as PydanticAI reads it; `text` is None when it ends with results of tools. Without
    `agent_id` nothing of ours is told; without `user_id` nobody knows who writes."""

    history: Sequence[Mapping[str, Any]]
    text: str | None
    instructions: str = ""
    tools: Sequence[ClientTool] = ()
    agent_id: str | None = None
    user_id: str | None = None


class StatelessTurns:
    """`model` is None where there is no model; `patience` with Postgres is in seconds."""

    def __init__(
        self,
        contexts: TextContexts,
        toolbox: Toolbox,
        model: ChatModel | None,
        claims: Claims,
        room: Room,
        figures: TurnFigures,
        patience: float,
    ) -> None:
        self._contexts = contexts
        self._toolbox = toolbox
        self._model = model
        self._claims = claims
        self._room = room
        self._figures = figures
        self._patience = patience
        self._live: dict[asyncio.Task[None], LiveAnswer] = {}

    async def begin(self, asked: StatelessTurn) -> LiveAnswer:
        """Begin an answer; the caller stops it when nobody listens any more. Raises NotFound for a user or an
        agent nobody knows; ChatRefused without a model, above what it may cost, and when too many chat."""
        if self._model is None:
            raise ChatRefused(503, "no_model", "Set CHAT_MODEL or LLM_MODEL where this server runs.")
        has_room = self._room.is_there
        self._room.take()
        live = LiveAnswer()
        try:
            await session.within(self._patience, self._claims.check(has_room=has_room))
            turn, record = await self._turn(asked)
        except BaseException:
            self._room.leave()
            raise
        # How long who asks waits for Postgres is not how long this does.
        task = asyncio.create_task(
            self._run(self._model, live, turn, record), context=right_of_way.fresh_context()
        )
        self._live[task] = live
        task.add_done_callback(self._live.pop)
        return live

    def stop_all(self) -> None:
        for live in list(self._live.values()):
            live.stop.now()

    async def close(self) -> None:
        for task in self._live:
            task.cancel()
        await asyncio.gather(*self._live, return_exceptions=True)

    async def _turn(self, asked: StatelessTurn) -> tuple[ModelTurn, dict[str, Any]]:
        if asked.agent_id is None:
            turn = ModelTurn(asked.instructions, asked.history, asked.text, client_tools=asked.tools)
            return turn, {}
        told = await self._contexts.of(Question(asked.user_id, asked.agent_id))
        instructions = "\n\n".join(one for one in (told.instructions, asked.instructions) if one)
        tools = self._tools(asked, asked.agent_id)
        return ModelTurn(instructions, asked.history, asked.text, tools, asked.tools), figures_of(told)

    def _tools(self, asked: StatelessTurn, agent_id: str) -> Sequence[ModelTool]:
        """Offer look-ups only, and only for a known user. The client's own tools of the same name win."""
        if asked.user_id is None:
            return ()
        taken = {one.name for one in asked.tools}
        free = [one for one in _LOOKUPS if one.plain_name not in taken]
        bearer = TokenBearer(asked.user_id, agent_id)
        return model_tools(self._contexts.templates, self._toolbox, bearer, free)

    async def _run(
        self,
        model: ChatModel,
        live: LiveAnswer,
        turn: ModelTurn,
        record: dict[str, Any],
    ) -> None:
        """Write the cost down only after the room is free for others."""
        try:
            said = await self._answer(model, live, turn, record)
        finally:
            self._room.leave()
        if said is not None:
            await self._add_cost(said.use)

    async def _answer(
        self,
        model: ChatModel,
        live: LiveAnswer,
        turn: ModelTurn,
        record: dict[str, Any],
    ) -> ModelAnswer | TurnFailure | None:
        try:
            said = await model.answer(turn, live, live.stop)
            self._tell_end(live, said, record)
        except ConfigurationError as error:
            log.error("an answer failed: %s", error)  # noqa: TRY400 (the message says what to set)
            self._tell_failed(live, "no_model", f"The model is set up wrong: {error}")
        except asyncio.CancelledError:
            self._tell_failed(live, "unavailable", "The server stops. Send it again.")
            raise
        except Exception:
            log.exception("an answer failed; please report this")
            self._tell_failed(live, "internal", "The server failed; its log says why.")
        else:
            return said
        return None

    def _tell_end(self, live: LiveAnswer, said: ModelAnswer | TurnFailure, record: dict[str, Any]) -> None:
        usage = usage_of(said.use)
        told = {"usage": usage, "context": record}
        if isinstance(said, ModelAnswer):
            calls = [{"id": one.id, "name": one.name, "arguments": one.arguments} for one in said.calls]
            observe(self._figures, live, TurnResult("done", usage=usage, context=record))
            live.events.tell("done", status="done", calls=calls, **told)
            return
        if said.detail:
            log.warning("an answer failed: %s", said.detail)
        status: Status = "interrupted" if live.events.text or said.code == "stopped" else "failed"
        observe(self._figures, live, TurnResult(status, error=said.code, usage=usage, context=record))
        live.events.tell("error", code=said.code, message=said.message, status=status, **told)

    def _tell_failed(self, live: LiveAnswer, code: str, message: str) -> None:
        if live.events.has_ended:
            return
        observe(self._figures, live, TurnResult("failed", error=code))
        live.events.tell("error", code=code, message=message, status="failed")

    async def _add_cost(self, use: ModelUse) -> None:
        try:
            await session.within(self._patience, self._write_cost(use))
        except session.ERRORS as error:
            log.warning("what an answer cost is not written down: %s", type(error).__name__)

    async def _write_cost(self, use: ModelUse) -> None:
        async with self._contexts.engine.begin() as connection:
            await model_usage.add(connection, self._contexts.now().date(), use)
