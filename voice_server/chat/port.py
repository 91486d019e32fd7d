"""A model that answers in a chat, whichever library asks it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from voice_server.domain.conversation import ChatMessage
from voice_server.domain.digest import ModelUse
from voice_server.domain.tool import ToolDescription

FailureCode = Literal["stopped", "model_unavailable", "model_refused", "model_timeout", "model_wrong"]


class ModelTool(Struct, frozen=True):
    """`use` never raises."""

    description: ToolDescription
    use: Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class ClientTool(Struct, frozen=True):
    """A tool of the client: the model may call it, and the client uses it."""

    name: str
    description: str
    schema: dict[str, Any]


class ClientCall(Struct, frozen=True):
    """A call of the client's tool; `arguments` are JSON."""

    id: str
    name: str
    arguments: str


class ModelTurn(Struct, frozen=True):
    """`history` is as PydanticAI reads it; `text` is None when the history ends with results of tools."""

    instructions: str
    history: Sequence[Mapping[str, Any]]
    text: str | None
    tools: Sequence[ModelTool] = ()
    client_tools: Sequence[ClientTool] = ()


class ModelAnswer(Struct, frozen=True, tag=True):
    """`messages` has tool calls and results in order; `calls` are left to the client."""

    messages: tuple[ChatMessage, ...]
    use: ModelUse
    calls: tuple[ClientCall, ...] = ()


class TurnFailure(Struct, frozen=True, tag=True):
    """Why there is no answer, or no more of it. `message` is for people, `detail` for the log."""

    code: FailureCode
    message: str
    use: ModelUse
    detail: str = ""


class Listener(Protocol):
    """Hears an answer while it is made."""

    def text(self, more: str) -> None:
        """Hear more of it."""

    def tool(self, name: str) -> None:
        """Hear that a tool is used."""


class ChatModel(Protocol):
    """`stop` ends an answer under way, as a failure “stopped”."""

    async def answer(
        self, turn: ModelTurn, listener: Listener, stop: "StopSignal"
    ) -> ModelAnswer | TurnFailure:
        """Answer; nothing that a model or a provider causes is raised. Raises ConfigurationError when it is
        set up wrong."""


class StopSignal:
    """Stops an answer under way, as its maker says in `then`."""

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
