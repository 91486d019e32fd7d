"""A model that answers in a chat, as whoever asks it sees it, whatever library does so."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from voice_server.domain.digest import ModelUse
from voice_server.domain.tool import ToolDescription
from voice_server.operations.record_chat import ChatMessage

FailureCode = Literal["stopped", "model_unavailable", "model_refused", "model_timeout", "model_wrong"]


class ModelTool(Struct, frozen=True):
    """A tool that the model may use, and what that does."""

    description: ToolDescription
    use: Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class ClientTool(Struct, frozen=True):
    """A tool of whoever asks: the model may call it, and they use it."""

    name: str
    description: str
    schema: dict[str, Any]


class ClientCall(Struct, frozen=True):
    """A call of such a tool; `arguments` are JSON."""

    id: str
    name: str
    arguments: str


class ModelTurn(Struct, frozen=True):
    """What a model is asked: the prompt, the history (as PydanticAI reads it), the user's words (None when
    the history ends with results of tools), and with what it may answer them."""

    instructions: str
    history: Sequence[Mapping[str, Any]]
    text: str | None
    tools: Sequence[ModelTool] = ()
    client_tools: Sequence[ClientTool] = ()


class ModelAnswer(Struct, frozen=True):
    """What a model answered, with the calls of tools and their results, in order; what it cost; and which
    tools of whoever asked it calls."""

    messages: tuple[ChatMessage, ...]
    use: ModelUse
    calls: tuple[ClientCall, ...] = ()


class TurnFailure(Struct, frozen=True):
    """Why there is no answer, or no more of it, in a sentence for people; the log has the `detail`."""

    code: FailureCode
    message: str
    use: ModelUse
    detail: str = ""


class Listener(Protocol):
    """Hears an answer while it is made."""

    def text(self, more: str) -> None:
        """More of it."""

    def tool(self, name: str) -> None:
        """A tool is used."""


class ChatModel(Protocol):
    """`stop` ends an answer under way, as a failure of that name."""

    async def answer(
        self, turn: ModelTurn, listener: Listener, stop: "StopSignal"
    ) -> ModelAnswer | TurnFailure:
        """Raises nothing that a model or a provider can cause."""

    async def close(self) -> None:
        """Let go of connections."""


class StopSignal:
    """How an answer under way is stopped: whoever makes it says what is to be done then."""

    def __init__(self) -> None:
        self.asked = False
        self._then: Callable[[], None] | None = None

    def now(self) -> None:
        self.asked = True
        if self._then:
            self._then()

    def then(self, do: Callable[[], None]) -> None:
        self._then = do
        if self.asked:
            do()
