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
from collections.abc import Mapping, Sequence
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
    """One end."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        decoder: "msgspec.json.Decoder[_Heard]",
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._decoder = decoder

    def tell(self, frame: Struct) -> None:
        """Say it, unless nobody hears it any more."""
        if not self._writer.is_closing():
            data = _encoded(frame)
            self._writer.write(len(data).to_bytes(_SIZE) + data)

    async def hear(self) -> _Heard | None:
        """Return what is said next; None when nothing will be any more."""
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            size = int.from_bytes(await self._reader.readexactly(_SIZE))
            return _decoded(await self._reader.readexactly(size), self._decoder)
        return None

    def close(self) -> None:
        self._writer.close()


async def to_model(ours: socket.socket) -> Line[FromModel]:
    return Line(*await asyncio.open_unix_connection(sock=ours), _FROM_MODEL)


async def to_asker(ours: socket.socket) -> Line[ToModel]:
    return Line(*await asyncio.open_unix_connection(sock=ours), _TO_MODEL)


_FROM_MODEL = msgspec.json.Decoder[FromModel](FromModel)
_TO_MODEL = msgspec.json.Decoder[ToModel](ToModel)


def _encoded(frame: Struct) -> bytes:
    try:
        return msgspec.json.encode(frame)
    except UnicodeEncodeError:  # a model wrote half a character
        return json.dumps(msgspec.to_builtins(frame)).encode()


def _decoded(data: bytes, decoder: "msgspec.json.Decoder[_Heard]") -> _Heard:
    try:
        return decoder.decode(data)
    except msgspec.DecodeError:
        heard: _Heard = msgspec.convert(json.loads(data), decoder.type)
        return heard
