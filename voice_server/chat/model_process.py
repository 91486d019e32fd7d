"""The process that asks models for `remote_model`. It ends when its standard input does, and then only: a
signal to the whole group is meant for who started it, who may want to end answers first."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import uvloop
from msgspec import Struct

from voice_server import settings
from voice_server.chat import line, model
from voice_server.chat.line import (
    AnswerRequest,
    Line,
    SetupMistake,
    StopRequest,
    SummaryRequest,
    TextPiece,
    ToModel,
    ToolNotice,
    ToolRequest,
    ToolResult,
)
from voice_server.chat.model import PydanticModel
from voice_server.chat.port import ModelAnswer, ModelTool, ModelTurn, StopSignal, TurnFailure
from voice_server.context.layout import tokens
from voice_server.digest.model import llm
from voice_server.digest.model.llm import Llm
from voice_server.digest.model.reader import ModelConfig
from voice_server.domain.tool import ToolDescription
from voice_server.errors import ConfigurationError
from voice_server.runtime import collector, logs

_TOGETHER = 0.05  # seconds

log = logging.getLogger(__name__)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    settled = settings.load()
    logs.to_stderr(settled.log_level, settled.log_format)
    collector.settle()
    uvloop.run(_serve(socket.socket(fileno=sys.stdin.fileno())))


async def _serve(control: socket.socket) -> None:
    ended, tasks = asyncio.Event(), set[asyncio.Task[None]]()

    def take() -> None:
        _, handed_over, _, _ = socket.recv_fds(control, 1, 1)
        for one in handed_over:
            task = asyncio.create_task(_attend(socket.socket(fileno=one)))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        if not handed_over:
            ended.set()

    asyncio.get_running_loop().add_reader(control, take)
    await ended.wait()


async def _attend(ours: socket.socket) -> None:
    ours.setblocking(False)
    talk = await line.to_asker(ours)
    asker = _Asker(talk)
    try:
        match await talk.hear():
            case AnswerRequest() as asked:
                asker.tell(await _answer(asker, asked))
            case SummaryRequest(config, text):
                asker.tell(await _reader(config).sum_up_chat(text))
    except ConfigurationError as error:
        asker.tell(SetupMistake(str(error)))
    except Exception:
        log.exception("a model was asked in vain; please report this")
    finally:
        talk.close()


async def _answer(asker: "_Asker", asked: AnswerRequest) -> ModelAnswer | TurnFailure:
    tools = [ModelTool(one, partial(asker.use, one)) for one in asked.tools]
    turn = ModelTurn(asked.instructions, asked.history, asked.text, tools, asked.client_tools)
    hearing = asyncio.create_task(asker.hear_all())
    try:
        return await _model(asked.config).answer(turn, asker, asker.stop)
    finally:
        hearing.cancel()


class _Asker:
    """Whoever asks hears the answer, uses tools for it, and may stop it.

    The first text is told at once, and what follows within a moment together: to hear a piece costs as much
    as to hear many.
    """

    def __init__(self, talk: Line[ToModel]) -> None:
        self.stop = StopSignal()
        self._talk = talk
        self._text = ""  # that waits for more
        self._next = 0.0  # when it may be told, by the clock of the event loop
        self._waits: asyncio.TimerHandle | None = None
        self._wanted = list[asyncio.Future[Mapping[str, Any]]]()  # of tools, by number

    async def hear_all(self) -> None:
        """Hear what follows the question. Who is gone wants no answer any more."""
        while frame := await self._talk.hear():
            if isinstance(frame, ToolResult) and not self._wanted[frame.number].done():
                self._wanted[frame.number].set_result(frame.result)
            elif isinstance(frame, StopRequest):
                self.stop.now()
        self.stop.now()

    async def use(self, tool: ToolDescription, given: Mapping[str, Any]) -> Mapping[str, Any]:
        wanted: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._wanted.append(wanted)
        self.tell(ToolRequest(len(self._wanted) - 1, tool.name, given))
        return await wanted

    def tool(self, name: str) -> None:
        self.tell(ToolNotice(name))

    def text(self, more: str) -> None:
        os.sched_yield()  # to calls: the kernel lets whoever runs go on for milliseconds, however nice
        self._text += more
        loop = asyncio.get_running_loop()
        if loop.time() >= self._next:
            self._tell_text()
        elif self._waits is None:
            self._waits = loop.call_at(self._next, self._tell_text)

    def tell(self, frame: Struct) -> None:
        self._tell_text()
        self._talk.tell(frame)

    def _tell_text(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None
        if self._text:
            self._talk.tell(TextPiece(self._text))
            self._text = ""
            self._next = asyncio.get_running_loop().time() + _TOGETHER


def _count(text: str) -> int:
    """Count tokens, which few providers leave to us: the vocabulary is loaded when one does."""
    return tokens.counter()(text)


@cache
def _model(config: ModelConfig) -> PydanticModel:
    return model.connect(config, _count)


@cache
def _reader(config: ModelConfig) -> Llm:
    return llm.connect(config, _count)


if __name__ == "__main__":
    main()
