"""The models, asked by a process of its own: to hear a piece of an answer takes their library half a
millisecond of CPU, for which calls would wait.

    started at the first question ─→ answers ─→ ends by itself when this process is gone
    └── gone: its answers break off, and the next question starts another ──┘
"""

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping
from pathlib import Path
from typing import Any

from voice_server.chat import line
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
from voice_server.chat.port import Listener, ModelAnswer, ModelTool, ModelTurn, StopSignal, TurnFailure
from voice_server.digest.model.reader import ChatAnswer, Failure, ModelConfig
from voice_server.domain.digest import ModelUse
from voice_server.errors import ConfigurationError
from voice_server.runtime import background

_PROJECT = Path(__file__).parents[2]  # -P keeps the caller's folder out of the process's path
_MODULE = "voice_server.chat.model_process"
_STDIN = 0
_NICE = 10  # calls go first
_GRACE = 30.0  # seconds beyond the model's own, for a process that has to load its library
_STOPPING = 2.0  # seconds
_AWAY = "The model cannot be reached just now. Send it again in a moment."
_GONE = "the process that asks models is gone"


class ModelProcess:
    """Its standard input is a socket over which it is handed others, one for each question. When that is
    closed it ends, also after a death of this process of which nobody could tell it."""

    def __init__(self) -> None:
        self._pid = 0  # 0: there is none
        self._control: socket.socket | None = None
        self._starting = threading.Lock()

    async def line(self) -> Line[FromModel]:
        """Begin to talk with it; start it if it is not there."""
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
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)

    def end(self) -> None:
        if self._control is not None:
            self._control.close()
        self.kill()
        if self._pid:
            os.waitpid(self._pid, 0)
        self._control, self._pid = None, 0

    def _hand_over(self, theirs: socket.socket) -> bool:
        if self._control is None:
            return False
        try:
            socket.send_fds(self._control, [b"."], [theirs.fileno()])
        except OSError:
            return False
        return True

    def _start_with(self, theirs: socket.socket) -> None:
        with self._starting:
            if not self._hand_over(theirs):  # else another question has just started it
                self.end()
                self._start()
                self._hand_over(theirs)

    def _start(self) -> None:
        path = os.pathsep.join(filter(None, (str(_PROJECT), os.environ.get("PYTHONPATH"))))
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with contextlib.ExitStack() as unless_started, theirs:
            unless_started.callback(ours.close)
            self._pid = os.posix_spawn(
                sys.executable,
                [sys.executable, "-P", "-m", _MODULE],
                {**os.environ, "PYTHONPATH": path},
                file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), _STDIN)],
            )
            unless_started.pop_all()
        # Only root may start one that goes before itself.
        os.setpriority(os.PRIO_PROCESS, self._pid, max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))
        self._control = ours


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
            return TurnFailure("model_unavailable", _AWAY, _unknown_use(self._config), str(error))

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
        return TurnFailure("model_unavailable", _AWAY, _unknown_use(self._config), _GONE)

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
