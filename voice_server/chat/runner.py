"""From a user's words to the answer, both written down.

    words → prompt and history → model → answer → turn ended

The words are written down before the model is asked, and the answer is whole or ends in `[…]`. A lease in
Postgres says that somebody answers: a model takes too long for a lock.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from msgspec import Struct
from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.chat.claims import BROKEN_OFF
from voice_server.chat.port import ChatModel, ModelAnswer, ModelTool, ModelTurn, TurnFailure
from voice_server.chat.turn import LiveTurn, TurnFigures
from voice_server.context import message_history
from voice_server.context.layout.budget import Count
from voice_server.domain.conversation import message_id
from voice_server.domain.digest import ModelUse
from voice_server.errors import ConfigurationError, Conflict
from voice_server.operations import record_chat, text_context
from voice_server.operations.record_chat import ChatMessage, ChatUpdate, RecordingRules
from voice_server.operations.text_context import Question, TextContext, WritingRules
from voice_server.runtime import logs
from voice_server.store import model_usage, session
from voice_server.store.conversations import chat_turns
from voice_server.store.conversations.chat_turns import Status, TurnResult
from voice_server.store.conversations.chats import Chat
from voice_server.templates.library import TemplateLibrary
from voice_server.tools import catalogue
from voice_server.tools.toolbox import TokenBearer, Toolbox

LEASE = 15.0  # seconds
_TOLD = (
    "message_history_count", "message_history_tokens", "message_history_there", "message_history_left_out",
    "message_history_trimmed", "today_summary_present", "last_conversation_present", "open_threads_count",
    "facts_count", "tokens", "degraded", "without", "prompt_version", "template_version", "read_ms",
    "build_ms",
)  # fmt: skip


log = logging.getLogger(__name__)


class RunnerRules(Struct, frozen=True):
    """Seconds that Postgres may take; silence that ends a sitting; whether transcripts are stored without
    secrets; what is told of memory and chat."""

    patience: float
    pause: timedelta
    redacts: bool
    writing: WritingRules


class TurnRunner:
    """`connect` makes the model, which takes a second; `now` is in UTC."""

    def __init__(
        self,
        engine: AsyncEngine,
        redis: Redis,
        templates: TemplateLibrary,
        toolbox: Toolbox,
        connect: Callable[[], ChatModel],
        rules: RunnerRules,
        count: Count,
        now: Callable[[], datetime],
    ) -> None:
        self.figures = TurnFigures()
        self._engine = engine
        self._redis = redis
        self._templates = templates
        self._toolbox = toolbox
        self._connect = connect
        self._rules = rules
        self._count = count
        self._now = now
        self._model: ChatModel | None = None
        self._connecting = asyncio.Lock()

    async def run(self, live: LiveTurn) -> None:
        """Answer it, whatever happens: its events say how it ended."""
        renewing = asyncio.create_task(self._stay_leased(live))
        try:
            await self._answer(live)
        except Conflict as error:
            await self._fail(live, "conflict", str(error), retry=False)
        except session.ERRORS as error:
            log.warning("a chat's turn failed: %s", type(error).__name__)
            await self._fail(live, "unavailable", "Postgres or Redis does not answer. Send it again.")
        except Exception:
            log.exception("a chat's turn failed; please report this")
            await self._fail(live, "internal", "The server failed; its log says why.")
        finally:
            renewing.cancel()

    async def _answer(self, live: LiveTurn) -> None:
        asked = live.asked
        await self._write_down(live, [ChatMessage("user", asked.text)], live.place)
        live.events.tell("turn", chat_id=asked.chat_id, turn_id=asked.turn_id, place=live.place)
        told = await text_context.build(
            self._engine,
            self._redis,
            self._templates,
            Question(live.user_id, asked.agent_id, asked.chat_id, before=live.place),
            self._rules.writing,
            self._count,
            self._now(),
        )
        record = {name: told.record[name] for name in _TOLD}
        try:
            model = await self._connected()
        except ConfigurationError as error:
            log.error("a chat's turn failed: %s", error)  # noqa: TRY400 (the message says what to set)
            await self._fail(live, "no_model", f"The model is set up wrong: {error}", retry=False)
            return
        said = await model.answer(self._turn(live, told), live, live.stop)
        await self._end(live, said, record)

    async def _connected(self) -> ChatModel:
        async with self._connecting:
            if self._model is None:
                self._model = await asyncio.to_thread(self._connect)
        return self._model

    def _turn(self, live: LiveTurn, told: TextContext) -> ModelTurn:
        history = message_history.pydantic_ai(told.history)
        return ModelTurn(told.instructions, history, live.asked.text, self._tools(live))

    def _tools(self, live: LiveTurn) -> Sequence[ModelTool]:
        """Of an agent that has tools. Whose memory they look into is ours to say, never the model's."""
        asked = live.asked
        if not self._templates.agent(asked.agent_id).agent.tools:
            return ()
        bearer = TokenBearer(live.user_id, asked.agent_id, f"chat:{asked.chat_id}")

        async def use(tool: Any, given: Mapping[str, Any]) -> Mapping[str, Any]:
            return await self._toolbox.use(tool, bearer, given)

        return [ModelTool(tool.describe(), partial(use, tool)) for tool in catalogue.TOOLS]

    async def _end(
        self, live: LiveTurn, said: ModelAnswer | TurnFailure | None, record: dict[str, Any]
    ) -> None:
        if isinstance(said, ModelAnswer):
            messages, result = said.messages, TurnResult("done", usage=_usage(said.use), context=record)
        elif isinstance(said, TurnFailure):
            log.warning("a chat's turn failed: %s", said.detail)
            messages = _partial(live)
            status: Status = "interrupted" if messages else "failed"
            result = TurnResult(status, error=said.code, usage=_usage(said.use), context=record)
        else:
            messages, result = _partial(live), TurnResult("interrupted", context=record)
        chat = await self._write_down(live, messages, live.place + 1) if messages else None
        answer = chat.messages - 1 if chat else None
        result = TurnResult(result.status, answer, result.error, result.usage, result.context)
        await self._keep(live, result, None if said is None else said.use)
        if isinstance(said, TurnFailure):
            live.events.tell("error", code=said.code, message=said.message, retry=True, status=result.status)
        else:
            self._tell_done(live, result, chat)
        self._log(live, result)

    async def _fail(self, live: LiveTurn, code: str, message: str, *, retry: bool = True) -> None:
        result = TurnResult("failed", error=code)
        with contextlib.suppress(*session.ERRORS):
            await self._keep(live, result, None)
        live.events.tell("error", code=code, message=message, retry=retry, status="failed")
        self._log(live, result)

    async def _keep(self, live: LiveTurn, result: TurnResult, use: ModelUse | None) -> None:
        async def write() -> None:
            async with self._engine.begin() as connection:
                await chat_turns.end(connection, live.asked.key, result)
                if use is not None:
                    await model_usage.add(connection, self._now().date(), use)

        await session.within(self._rules.patience, write())

    def _tell_done(self, live: LiveTurn, result: TurnResult, chat: Chat | None) -> None:
        sitting = chat.sitting if chat else None
        live.events.tell(
            "done",
            status=result.status,
            answer=result.answer,
            message_id=message_id(sitting.conversation_id, sitting.size - 1) if sitting else None,
            usage=result.usage,
            context=result.context,
            again=False,
            took_ms=logs.milliseconds(time.monotonic() - live.began),
        )

    def _log(self, live: LiveTurn, result: TurnResult) -> None:
        seconds = time.monotonic() - live.began
        self.figures.outcomes[result.status] += 1
        self.figures.whole.observe(seconds)
        if live.seen is not None:
            self.figures.first_text.observe(live.seen)
        logs.tell(
            log,
            logging.INFO,
            "chat turn",
            status=result.status,
            error=result.error,
            ms=logs.milliseconds(seconds),
            first_ms=logs.milliseconds(live.seen or 0),
            history=result.context.get("message_history_count", 0),
            left_out=result.context.get("message_history_left_out", 0),
            tokens_in=result.usage.get("input_tokens", 0),
            tokens_out=result.usage.get("output_tokens", 0),
        )

    async def _write_down(self, live: LiveTurn, messages: Sequence[ChatMessage], place: int) -> Chat:
        """At their place in the chat, so that nothing is there twice."""
        asked = live.asked
        told = ChatUpdate(asked.chat_id, live.user_id, asked.agent_id, tuple(messages), place)
        when = RecordingRules(self._now(), self._rules.pause, self._rules.redacts)
        tell = partial(record_chat.tell, self._engine, self._redis, count=self._count, when=when)
        try:
            chat = await session.within(self._rules.patience, tell(told))
        except Conflict:
            if place == live.place:
                raise
            behind = ChatUpdate(asked.chat_id, live.user_id, asked.agent_id, tuple(messages))
            chat = await session.within(self._rules.patience, tell(behind))
        if place == live.place and chat.sitting:
            async with self._engine.begin() as connection:
                await chat_turns.written_down(connection, asked.key, chat.sitting.conversation_id)
        return chat

    async def _stay_leased(self, live: LiveTurn) -> None:
        """Until it is cancelled. Without Postgres the answer goes on: nobody else can take the turn."""
        while True:
            await asyncio.sleep(LEASE / 3)
            with contextlib.suppress(*session.ERRORS):
                async with self._engine.begin() as connection:
                    goes_on = await chat_turns.renew(connection, live.asked.key, LEASE)
                if not goes_on:
                    live.stop.now()

    async def close(self) -> None:
        if self._model is not None:
            await self._model.close()


def _partial(live: LiveTurn) -> tuple[ChatMessage, ...]:
    text = live.events.text
    return (ChatMessage("agent", f"{text}{BROKEN_OFF}"),) if text.strip() else ()


def _usage(use: ModelUse) -> dict[str, Any]:
    return {"model": use.model, "input_tokens": use.tokens_in, "output_tokens": use.tokens_out}
