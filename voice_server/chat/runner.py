"""From a user's words to the answer, both written down.

    prompt and history → model → answer → turn ended

The words are written before the model is asked: with the claim, or here if they are long. The answer is whole
or ends in `[…]`. A lease in Postgres says that somebody answers: a model takes too long for a lock.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec.structs import replace
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.chat.port import ChatModel, ModelAnswer, ModelTool, ModelTurn, TurnFailure
from voice_server.chat.recorder import TurnRecorder
from voice_server.chat.tools import model_tools
from voice_server.chat.turn import LiveTurn, TurnFigures, broken_off, observe, usage_of
from voice_server.context import message_history
from voice_server.domain.conversation import ChatMessage, message_id
from voice_server.domain.digest import ModelUse
from voice_server.errors import ConfigurationError, Conflict, NotFound
from voice_server.operations.chats.text_context import Question, TextContext
from voice_server.runtime import logs
from voice_server.store import model_usage, session
from voice_server.store.conversations import chat_turns
from voice_server.store.conversations.chat_turns import Attempt, Status, TurnResult
from voice_server.store.conversations.chats import Chat
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import Target, WrittenPrompt
from voice_server.tools import catalogue
from voice_server.tools.toolbox import TokenBearer, Toolbox

LEASE = 15.0  # seconds
_FAILURES = (*session.ERRORS, RedisError)
_PAUSES = (0.5, 1.5, 4.0)  # seconds between tries to write down what was answered
_TOLD = (
    "message_history_count", "message_history_tokens", "message_history_there", "message_history_left_out",
    "message_history_trimmed", "message_history_summed_up", "message_history_dropped",
    "today_summary_present", "last_conversation_present", "open_threads_count", "facts_count", "tokens",
    "degraded", "without", "prompt_version", "template_version", "read_ms", "history_ms",
    "build_ms", "count_ms",
)  # fmt: skip


log = logging.getLogger(__name__)


class TurnRunner:
    """`patience` with Postgres is in seconds."""

    def __init__(self, recorder: TurnRecorder, toolbox: Toolbox, model: ChatModel, patience: float) -> None:
        self.figures = TurnFigures()
        self._recorder = recorder
        self._contexts = contexts = recorder.contexts
        self._engine = contexts.engine
        self._toolbox = toolbox
        self._model = model
        self._patience = patience
        self._now = contexts.now

    async def run(self, live: LiveTurn) -> None:
        """Answer, whatever happens: the events say how it ended."""
        renewing = asyncio.create_task(self._stay_leased(live))
        try:
            await self._answer(live)
        except (_LostTurnError, NotFound):
            self._tell_failed(live, "lost", "It was erased, or is answered elsewhere meanwhile.")
        except Conflict as error:
            await self._fail(live, "conflict", str(error))
        except _FAILURES as error:
            log.warning("a chat's turn failed: %s", type(error).__name__)
            await self._fail(live, "unavailable", "Postgres or Redis does not answer. Send it again.")
        except ConfigurationError as error:
            log.error("a chat's turn failed: %s", error)  # noqa: TRY400 (the message says what to set)
            await self._fail(live, "no_model", f"The model is set up wrong: {error}")
        except asyncio.CancelledError:
            self._tell_failed(live, "unavailable", "The server stops. Send it again.")
            raise
        except Exception:
            log.exception("a chat's turn failed; please report this")
            await self._fail(live, "internal", "The server failed; its log says why.")
        finally:
            renewing.cancel()

    async def _answer(self, live: LiveTurn) -> None:
        asked = live.asked
        if live.place is None:
            await self._write_words(live)
        live.events.tell("turn", chat_id=asked.chat_id, turn_id=asked.turn_id, place=live.place)
        told = await self._contexts.of(
            Question(live.user_id, asked.agent_id, asked.chat_id, before=live.place, found=live.chat)
        )
        said = await self._model.answer(self._turn(live, told), live, live.stop)
        await self._end(live, said, told)

    def _turn(self, live: LiveTurn, told: TextContext) -> ModelTurn:
        history = message_history.pydantic_ai(told.history)
        return ModelTurn(told.instructions, history, live.asked.text, self._tools(live))

    def _tools(self, live: LiveTurn) -> Sequence[ModelTool]:
        asked = live.asked
        sitting = live.chat.sitting if live.chat else None
        asked_at = sitting.ended_at if sitting else None
        bearer = TokenBearer(live.user_id, asked.agent_id, f"chat:{asked.chat_id}", asked_at)
        return model_tools(self._contexts.templates, self._toolbox, bearer, catalogue.TOOLS)

    async def _end(self, live: LiveTurn, said: ModelAnswer | TurnFailure, told: TextContext) -> None:
        if isinstance(said, ModelAnswer):
            messages, ending = said.messages, TurnResult("done")
        else:
            if said.detail:
                log.warning("a chat's turn failed: %s", said.detail)
            messages = _partial(live)
            status: Status = "interrupted" if messages or said.code == "stopped" else "failed"
            ending = TurnResult(status, error="" if said.code == "stopped" else said.code)
        ending = replace(ending, usage=usage_of(said.use), context=figures_of(told))
        answer = _AnswerHook(live.attempt, ending, told, len(messages), said.use, self._now().date())
        if messages:
            await self._write_answer(live, messages, answer)
        else:
            await session.within(self._patience, self._write_end(answer))
        self._tell_end(live, answer, said)
        observe(self.figures, live, answer.result)

    async def _write_end(self, answer: "_AnswerHook") -> None:
        async with self._engine.begin() as connection:
            await answer.before(connection)
            await answer.after(connection, None)

    async def _fail(self, live: LiveTurn, code: str, message: str) -> None:
        result = TurnResult("failed", error=code)
        with contextlib.suppress(*session.ERRORS):
            await session.within(self._patience, self._write_failure(live, result))
        self._tell_failed(live, code, message)

    async def _write_failure(self, live: LiveTurn, result: TurnResult) -> None:
        async with self._engine.begin() as connection:
            await chat_turns.end(connection, live.attempt, result)

    def _tell_failed(self, live: LiveTurn, code: str, message: str) -> None:
        live.events.tell("error", code=code, message=message, status="failed")
        observe(self.figures, live, TurnResult("failed", error=code))

    def _tell_end(self, live: LiveTurn, answer: "_AnswerHook", said: ModelAnswer | TurnFailure) -> None:
        result = answer.result
        told = {
            "status": result.status,
            "message_id": answer.message_id,
            "usage": result.usage,
            "context": result.context,
            "took_ms": logs.milliseconds(time.monotonic() - live.began),
        }
        if result.error and isinstance(said, TurnFailure):
            live.events.tell("error", code=said.code, message=said.message, **told)
        else:
            live.events.tell("done", **told, again=False)

    async def _write_words(self, live: LiveTurn) -> None:
        """Try once only: a late write may have succeeded. The turn sent again finds it."""
        words = _WordsHook(live.attempt)
        await self._write(live, [ChatMessage("user", live.asked.text)], words)
        live.place, live.chat = words.place, words.chat or live.chat

    async def _write_answer(
        self, live: LiveTurn, messages: Sequence[ChatMessage], answer: "_AnswerHook"
    ) -> None:
        """Retry: an answer that was heard is worth it. Once written, it is no longer ours to write."""
        for pause in _PAUSES:
            try:
                return await self._write(live, messages, answer)
            except _FAILURES:
                await asyncio.sleep(pause)
        return await self._write(live, messages, answer)

    async def _write(self, live: LiveTurn, messages: Sequence[ChatMessage], hook: "_TurnHook") -> None:
        await session.within(self._patience, self._recorder.write(live.asked, messages, hook))

    async def _stay_leased(self, live: LiveTurn) -> None:
        """Renew until cancelled. A process that is late with that may lose the turn to another, and then
        writes no answer."""
        while True:
            await asyncio.sleep(LEASE / 3)
            with contextlib.suppress(*session.ERRORS):
                if not await session.within(LEASE / 5, self._renew(live)):
                    live.stop.now()

    async def _renew(self, live: LiveTurn) -> bool:
        async with self._engine.begin() as connection:
            return await chat_turns.renew(connection, live.attempt, LEASE)


class _LostTurnError(Exception):
    """Somebody else answers the turn, or it was erased."""


class _TurnHook:
    """What is written with a turn's messages, while this attempt holds the turn."""

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt

    async def before(self, connection: AsyncConnection) -> None:
        if not await chat_turns.is_held(connection, self._attempt):
            raise _LostTurnError

    async def after(self, connection: AsyncConnection, chat: Chat | None) -> None:
        raise NotImplementedError


class _WordsHook(_TurnHook):
    place: int | None = None
    chat: Chat | None = None

    async def after(self, connection: AsyncConnection, chat: Chat | None) -> None:
        if chat is not None and chat.sitting is not None:
            self.place, self.chat = chat.messages - 1, chat
            sitting = chat.sitting.conversation_id
            await chat_turns.written_down(connection, self._attempt, self.place, sitting)


class _AnswerHook(_TurnHook):
    message_id: str | None = None

    def __init__(
        self, attempt: Attempt, result: TurnResult, told: TextContext, messages: int, use: ModelUse, day: date
    ) -> None:
        super().__init__(attempt)
        self.result = result
        self._told = WrittenPrompt(told.record["prompt_version"], told.instructions, told.record)
        self._messages = messages
        self._use = use
        self._day = day

    async def after(self, connection: AsyncConnection, chat: Chat | None) -> None:
        if chat is not None and chat.sitting is not None:
            first, last = chat.messages - self._messages, chat.messages - 1
            self.result = replace(self.result, answer_first=first, answer_last=last)
            self.message_id = message_id(chat.sitting.conversation_id, chat.sitting.size - 1)
            target = Target(chat.sitting.user_id, chat.sitting.agent_id)
            await prompts.keep_written(connection, target, self._told, chat.sitting.conversation_id)
        await chat_turns.end(connection, self._attempt, self.result)
        await model_usage.add(connection, self._day, self._use)


def _partial(live: LiveTurn) -> tuple[ChatMessage, ...]:
    text = live.events.text
    return (ChatMessage("agent", broken_off(text)),) if text.strip() else ()


def figures_of(told: TextContext) -> dict[str, Any]:
    return {name: told.record[name] for name in _TOLD}
