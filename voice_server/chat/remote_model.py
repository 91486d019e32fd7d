"""The models, asked by a process of its own: to hear a piece of an answer takes their library half a
millisecond of CPU, for which calls would wait.

    started at the first question ─→ answers ─→ ends by itself when this process is gone
    ├── gone: its answers break off, and the next question starts another ──┘
    └── fails as soon as it starts: the log says why, and it is tried again from time to time
"""

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Any

from voice_server.chat import line, model_child
from voice_server.chat.line import (
    AnswerRequest,
    FromModel,
    Line,
    SetupMistake,
    StopRequest,
    SummaryRequest,
    TextPiece,
    ToolNotice,
    ToolRequest,
    ToolResult,
)
from voice_server.chat.model_child import ModelChild
from voice_server.chat.port import Listener, ModelAnswer, ModelTool, ModelTurn, StopSignal, TurnFailure
from voice_server.digest.model.reader import ChatAnswer, Failure, ModelConfig
from voice_server.domain.digest import ModelUse
from voice_server.errors import ConfigurationError
from voice_server.runtime import background

_GRACE = 30.0  # seconds beyond the model's own, for a process that has to load its library
_STOPPING = 2.0  # seconds
_AWAY = "The model cannot be reached just now. Send it again in a moment."
_BROKEN = "The server cannot start the process that asks its model. Its log says why."
_GONE = "the process that asks models is gone"

log = logging.getLogger(__name__)


class ModelProcess:
    """The process there is just now, whichever it is."""

    def __init__(self) -> None:
        self._child: ModelChild | None = None
        self._starting = threading.Lock()
        self._logged = ""  # why it failed

    @property
    def pid(self) -> int:
        """0: there is none."""
        return self._child.pid if self._child and self._child.is_there else 0

    async def line(self) -> Line[FromModel]:
        """Begin to talk with it; start it if it is not there. Raises OSError when it cannot be started."""
        ours, theirs = socket.socketpair()
        with contextlib.ExitStack() as unless_begun, theirs:
            unless_begun.callback(ours.close)
            if not self._hand_over(theirs):
                await asyncio.to_thread(self._start_with, theirs)
            unless_begun.pop_all()
        ours.setblocking(False)
        return await line.to_model(ours)

    def kill(self) -> None:
        """End a process that does not answer in time. What else it answers breaks off."""
        if self._child is not None:
            self._child.kill()

    def end(self) -> None:
        if self._child is not None:
            self._child.end()
        self._child = None

    async def failure(self) -> str:
        """Return how it ended by itself; "" when it was killed, or is there."""
        if self._child is None:
            return ""
        how = await asyncio.to_thread(self._child.failure)
        if how:
            self.tell(how)
        return how

    def tell(self, failure: str) -> None:
        """Have it in the log once, however many ask."""
        if failure != self._logged:
            self._logged = failure
            log.error("no chat is answered: %s", failure)

    def _hand_over(self, theirs: socket.socket) -> bool:
        return self._child is not None and self._child.hand_over(theirs)

    def _start_with(self, theirs: socket.socket) -> None:
        with self._starting:
            if self._hand_over(theirs):  # another question has just started it
                return
            if self._child is not None and (how := self._child.failure()) and self._child.is_young:
                raise ChildProcessError(how)
            self.end()
            self._child = model_child.start()
            self._child.hand_over(theirs)


SHARED = ModelProcess()


class RemoteModel:
    """A `port.ChatModel`."""

    def __init__(self, config: ModelConfig, process: ModelProcess = SHARED) -> None:
        self._config = config
        self._process = process
        self._uses = set[asyncio.Task[None]]()  # of tools

    async def answer(
        self, turn: ModelTurn, listener: Listener, stop: StopSignal
    ) -> ModelAnswer | TurnFailure:
        tools = {one.description.name: one for one in turn.tools}
        described = [one.description for one in turn.tools]
        asked = AnswerRequest(
            self._config, turn.instructions, turn.history, turn.text, described, turn.client_tools
        )
        try:
            return await self._answer(asked, tools, listener, stop)
        except OSError as error:  # it cannot be started
            self._process.tell(str(error))
            return TurnFailure("model_unavailable", _BROKEN, _unknown_use(self._config), str(error))

    async def _answer(
        self, asked: AnswerRequest, tools: Mapping[str, ModelTool], listener: Listener, stop: StopSignal
    ) -> ModelAnswer | TurnFailure:
        async with _asking(self._process, asked) as talk:
            stop.then(lambda: _stop(talk))
            while frame := await talk.hear():
                match frame:
                    case TextPiece(text):
                        listener.text(text)
                    case ToolNotice(name):
                        listener.tool(name)
                    case ToolRequest(number, name, given):
                        self._begin(_use(talk, tools[name], number, given))
                    case ModelAnswer() | TurnFailure():
                        return frame
                    case SetupMistake(message):
                        raise ConfigurationError(message)
        if stop.asked:
            return TurnFailure("stopped", "The answer was stopped.", _unknown_use(self._config))
        failure = await self._process.failure()
        message = _BROKEN if failure else _AWAY
        return TurnFailure("model_unavailable", message, _unknown_use(self._config), failure or _GONE)

    def _begin(self, use: Coroutine[Any, Any, None]) -> None:
        task = background.start(use, "what a tool does for a model")
        self._uses.add(task)
        task.add_done_callback(self._uses.discard)


class RemoteChatReader:
    """A `reader.ChatReader`."""

    def __init__(self, config: ModelConfig, process: ModelProcess = SHARED) -> None:
        self._config = config
        self._process = process

    async def sum_up_chat(self, text: str) -> ChatAnswer | Failure:
        with contextlib.suppress(OSError):  # it cannot be started
            async with _asking(self._process, SummaryRequest(self._config, text)) as talk:
                match await talk.hear():
                    case ChatAnswer() | Failure() as said:
                        return said
                    case SetupMistake(message):
                        raise ConfigurationError(message)
        return Failure(_GONE, _unknown_use(self._config), away=True)


@contextlib.asynccontextmanager
async def _asking(
    process: ModelProcess, asked: AnswerRequest | SummaryRequest
) -> AsyncIterator[Line[FromModel]]:
    talk = await process.line()
    latest = asked.config.timeout + _GRACE
    watchdog = asyncio.get_running_loop().call_later(latest, process.kill)
    talk.tell(asked)
    try:
        yield talk
    finally:
        watchdog.cancel()
        talk.close()


def _stop(talk: Line[FromModel]) -> None:
    """Wait no longer than a moment for a process that hangs."""
    talk.tell(StopRequest())
    asyncio.get_running_loop().call_later(_STOPPING, talk.close)


async def _use(talk: Line[FromModel], tool: ModelTool, number: int, given: Mapping[str, Any]) -> None:
    talk.tell(ToolResult(number, await tool.use(given)))


def _unknown_use(config: ModelConfig) -> ModelUse:
    return ModelUse(config.model.partition(",")[0])
