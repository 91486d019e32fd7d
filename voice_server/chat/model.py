"""The model that answers, asked through PydanticAI. Loading that takes a second, and hearing a piece half a
millisecond: in a process of its own."""

import json
import logging
import time
from collections.abc import AsyncIterable, Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from pydantic_ai import (
    Agent,
    CancellationToken,
    DeferredToolRequests,
    ExternalToolset,
    FunctionToolset,
    ModelSettings,
    RunUsage,
    Tool,
    ToolDefinition,
)
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelRequestRejectedError,
    ModelTimeoutError,
    RunCancelled,
    RunTimedOut,
    UserError,
)
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
    repair_messages,
)
from pydantic_ai.models import Model
from pydantic_ai.run import AgentRunResult
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import UsageLimits

from voice_server.chat.port import (
    ClientCall,
    FailureCode,
    Listener,
    ModelAnswer,
    ModelTool,
    ModelTurn,
    StopSignal,
    TurnFailure,
)
from voice_server.context.layout.budget import Count
from voice_server.digest.model import provider
from voice_server.digest.model.reader import ModelConfig
from voice_server.domain.bounds import storable
from voice_server.domain.conversation import ChatMessage
from voice_server.domain.digest import ModelUse
from voice_server.errors import ConfigurationError

log = logging.getLogger(__name__)

_REQUESTS, _CALLS = 6, 6  # of the model and of tools, in one turn
_FIRST_SHARE = 0.5  # of the time, until the first of two models has to begin
_BETWEEN = "\n\n"  # texts with a tool between them
_LONGEST_NAME = 100  # characters of a tool's name that a model made up

_SENTENCES: dict[FailureCode, str] = {
    "stopped": "The answer was stopped.",
    "model_unavailable": "The model cannot be reached just now. Send it again in a moment.",
    "model_refused": "The model does not take this. The server's log says why.",
    "model_timeout": "The model took too long. Send it again.",
    "model_wrong": "The model gave no answer that can be read. Send it again.",
}


class PydanticModel:
    """One model, or a second for when the first fails before it says or does anything. (The library's own
    fallback asks the first again at each step, and accepts an empty answer.)"""

    def __init__(self, models: Sequence[Model], config: ModelConfig, count: Count) -> None:
        self._models = models
        self._count = count
        self._timeout = config.timeout
        self._settings = ModelSettings(max_tokens=config.answer_tokens)
        self._agent = Agent()

    async def answer(
        self, turn: ModelTurn, listener: Listener, stop: StopSignal
    ) -> ModelAnswer | TurnFailure:
        token, ends = CancellationToken(), time.monotonic() + self._timeout
        stop.then(token.cancel)
        *others, last = self._models
        for model in others:
            streaming = _Streaming(listener)
            said = await self._ask(model, turn, streaming, token, ends, begins=self._timeout * _FIRST_SHARE)
            if isinstance(said, ModelAnswer) or said.code == "stopped" or streaming.has_begun:
                return said
            log.warning("the first of two models did not answer: %s", said.detail or said.code)
        return await self._ask(last, turn, _Streaming(listener), token, ends)

    async def _ask(
        self,
        model: Model,
        turn: ModelTurn,
        streaming: "_Streaming",
        token: CancellationToken,
        ends: float,
        *,
        begins: float | None = None,
    ) -> ModelAnswer | TurnFailure:
        """Answer until `ends` (monotonic), and begin within so many seconds."""
        usage, name = RunUsage(), f"{model.system}:{model.model_name}"
        try:
            result = await self._run(model, turn, streaming, usage, token, ends, begins)
        except (AgentRunError, UserError, OSError) as error:
            code = _code(error)
            detail = "" if code == "stopped" else " ".join(f"{type(error).__name__}: {error}".split())[:300]
            return TurnFailure(code, _SENTENCES[code], self._use(turn, usage, streaming.text, name), detail)
        rows = tuple(_rows(result.new_messages()))
        wrote = "".join(one.content for one in rows if one.role != "tool_result")
        return ModelAnswer(rows, self._use(turn, usage, wrote, name), _client_calls(result.output))

    async def _run(
        self,
        model: Model,
        turn: ModelTurn,
        streaming: "_Streaming",
        usage: RunUsage,
        token: CancellationToken,
        ends: float,
        begins: float | None,
    ) -> AgentRunResult[str | DeferredToolRequests]:
        settings = self._settings if begins is None else {**self._settings, "first_event_timeout": begins}
        # Events through a handler: those of `run_stream_events` come by way of a task of their own, which
        # takes the event loop two more turns for each piece.
        return await self._agent.run(
            turn.text,
            output_type=[str, DeferredToolRequests] if turn.client_tools else str,
            instructions=turn.instructions or None,
            # Ours needs no repair; that of a client may.
            message_history=repair_messages(ModelMessagesTypeAdapter.validate_python(turn.history)),
            model=model,
            model_settings=settings,
            toolsets=_toolsets(turn),
            usage=usage,
            usage_limits=UsageLimits(request_limit=_REQUESTS, tool_calls_limit=_CALLS),
            cancellation_token=token,
            timeout=max(0.0, ends - time.monotonic()),
            event_stream_handler=streaming.hear_all,
        )

    def _use(self, turn: ModelTurn, usage: RunUsage, wrote: str, name: str) -> ModelUse:
        """Count tokens ourselves where the provider does not tell."""
        sent = turn.instructions + json.dumps(turn.history) + (turn.text or "")
        return ModelUse(
            name, usage.input_tokens or self._count(sent), usage.output_tokens or self._count(wrote)
        )


def connect(config: ModelConfig, count: Count) -> PydanticModel:
    """Make one model, or two with a comma between them; sends nothing yet. Raises ConfigurationError for an
    unknown model, a missing key or provider."""
    try:
        models = [provider.model_of(replace(config, model=name)) for name in config.model.split(",")]
        return PydanticModel(models, config, count)
    except (UserError, ValueError, TypeError, ImportError) as error:
        raise ConfigurationError(f"{config.setting}={config.model}: {provider.explained(error)}") from None


class _Streaming:
    """Parts texts that have a call of a tool between them."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.text = ""
        self.has_begun = False  # to say something, or to use a tool

    async def hear_all(self, _context: object, events: AsyncIterable[object]) -> None:
        async for event in events:
            self._hear(event)

    def _hear(self, event: object) -> None:
        if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
            between = _BETWEEN if self.text and event.part.content else ""
            self._tell(between + event.part.content)
        elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
            self._tell(event.delta.content_delta)
        elif isinstance(event, FunctionToolCallEvent):
            self.has_begun = True
            self._listener.tool(event.part.tool_name)

    def _tell(self, more: str) -> None:
        if told := storable(more):
            self.has_begun = True
            self.text += told
            self._listener.text(told)


def _toolsets(turn: ModelTurn) -> list[AbstractToolset[object]]:
    ours = FunctionToolset[object]([_tool(one) for one in turn.tools])
    theirs = ExternalToolset[object](
        [
            ToolDefinition(name=one.name, description=one.description, parameters_json_schema=one.schema)
            for one in turn.client_tools
        ]
    )
    return [tools for tools, given in ((ours, turn.tools), (theirs, turn.client_tools)) if given]


def _client_calls(output: object) -> tuple[ClientCall, ...]:
    if not isinstance(output, DeferredToolRequests):
        return ()
    return tuple(ClientCall(one.tool_call_id, one.tool_name, one.args_as_json_str()) for one in output.calls)


def _tool(tool: ModelTool) -> Tool[object]:
    async def use(**given: Any) -> Any:
        return await tool.use(given)

    described = tool.description
    make: Callable[..., Tool[object]] = Tool.from_schema
    return make(use, described.plain_name, described.description, described.schema)


def _rows(messages: Iterable[ModelMessage]) -> Iterator[ChatMessage]:
    """Leave out the user's own words."""
    for message in messages:
        for part in message.parts:
            if isinstance(message, ModelResponse) and isinstance(part, TextPart) and part.content:
                yield ChatMessage("agent", storable(part.content))
            elif isinstance(part, ToolCallPart):
                yield ChatMessage("tool_call", storable(part.args_as_json_str()), tool_name=_name(part))
            elif isinstance(message, ModelRequest) and isinstance(part, ToolReturnPart):
                yield ChatMessage("tool_result", storable(_text(part.content)), tool_name=_name(part))


def _name(part: ToolCallPart | ToolReturnPart) -> str:
    return storable(part.tool_name)[:_LONGEST_NAME] or "tool"


def _text(content: object) -> str:
    return content if isinstance(content, str) else msgspec.json.encode(content).decode()


def _code(error: Exception) -> FailureCode:
    match error:
        case RunTimedOut() | ModelTimeoutError():
            return "model_timeout"
        case RunCancelled():
            return "stopped"
        case ModelRequestRejectedError():
            return "model_refused"
        case ModelAPIError() | OSError():
            return "model_unavailable"
    return "model_wrong"
