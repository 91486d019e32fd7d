"""What the web process and the one that asks models say to each other, over a socket for each question.

    web process ──AnswerRequest──→ model process
               ←──TextPiece, ToolNotice, ToolRequest──
                ──ToolResult, StopRequest──→
               ←──ModelAnswer or TurnFailure──

To sum up a chat, it is a SummaryRequest, and ChatAnswer or Failure. The socket is closed when the question is
over, or either side is gone.
"""

import asyncio
import contextlib
import json
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from voice_server.chat.port import ClientTool, ModelAnswer, TurnFailure
from voice_server.digest.model.reader import ChatAnswer, Failure, ModelConfig
from voice_server.domain.tool import ToolDescription

_SIZE = 4  # bytes that say how many follow


class AnswerRequest(Struct, frozen=True, tag=True):
    """A `port.ModelTurn`, with what is told of its tools instead of them."""

    config: ModelConfig
    instructions: str
    history: Sequence[Mapping[str, Any]]
    text: str | None
    tools: Sequence[ToolDescription]
    client_tools: Sequence[ClientTool]


class SummaryRequest(Struct, frozen=True, tag=True):
    """Asks to sum up a chat."""

    config: ModelConfig
    text: str


class ToolResult(Struct, frozen=True, tag=True):
    number: int
    result: Mapping[str, Any]


class StopRequest(Struct, frozen=True, tag=True):
    """Asks to end the answer."""


class TextPiece(Struct, frozen=True, tag=True):
    text: str


class ToolNotice(Struct, frozen=True, tag=True):
    """Says that the model uses a tool, ours or not."""

    name: str


class ToolRequest(Struct, frozen=True, tag=True):
    number: int
    name: str
    given: Mapping[str, Any]


class SetupMistake(Struct, frozen=True, tag=True):
    """Says what is wrong with a `ModelConfig`."""

    message: str


ToModel = AnswerRequest | SummaryRequest | ToolResult | StopRequest
FromModel = (
    TextPiece | ToolNotice | ToolRequest | ModelAnswer | TurnFailure | ChatAnswer | Failure | SetupMistake
)
_Heard = TypeVar("_Heard")


class Line(Generic[_Heard]):
    """One end. What is said is JSON of Python's own library, which takes whatever a model writes: a number of
    any size, half a character."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        read_as: Callable[[object], _Heard],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._read_as = read_as

    def tell(self, frame: Struct) -> None:
        """Say it, unless nobody hears it any more."""
        if not self._writer.is_closing():
            data = json.dumps(msgspec.to_builtins(frame)).encode()
            self._writer.write(len(data).to_bytes(_SIZE) + data)

    async def hear(self) -> _Heard | None:
        """Return what is said next; None when nothing will be any more."""
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            size = int.from_bytes(await self._reader.readexactly(_SIZE))
            return self._read_as(json.loads(await self._reader.readexactly(size)))
        return None

    def close(self) -> None:
        self._writer.close()


async def to_model(ours: socket.socket) -> Line[FromModel]:
    def read_as(data: object) -> FromModel:
        frame: FromModel = msgspec.convert(data, FromModel)
        return frame

    return Line(*await asyncio.open_unix_connection(sock=ours), read_as)


async def to_asker(ours: socket.socket) -> Line[ToModel]:
    def read_as(data: object) -> ToModel:
        frame: ToModel = msgspec.convert(data, ToModel)
        return frame

    return Line(*await asyncio.open_unix_connection(sock=ours), read_as)
