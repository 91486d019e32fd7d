"""The model, asked through PydanticAI. Only this, `provider` and `voice_server.chat.model` load that library,
which takes a second: only processes that have a model do."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from pydantic_ai import Agent, ModelSettings, NativeOutput, PromptedOutput, RunUsage, ToolOutput
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    RunTimedOut,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse
from pydantic_ai.models import Model

from voice_server.context.layout.budget import Count
from voice_server.digest.grounding.findings import ChatFindings, DayFindings, Findings, Judgements
from voice_server.digest.model import chat_prompt, conversation_prompt, day_prompt, provider, review_prompt
from voice_server.digest.model.conversation_prompt import Brief
from voice_server.digest.model.day_prompt import DayBrief
from voice_server.digest.model.reader import (
    Answer,
    ChatAnswer,
    DayAnswer,
    Failure,
    ModelConfig,
    ReviewAnswer,
)
from voice_server.digest.model.review_prompt import ReviewBrief
from voice_server.domain.digest import ModelUse
from voice_server.errors import ConfigurationError

_SECOND_CHANCES = 1  # for an answer of the wrong shape: the model is told what was wrong with it
_OUTPUTS = {"tool": ToolOutput, "native": NativeOutput, "prompted": PromptedOutput}
# The provider has nothing against this conversation, but against us, now.
_ABOUT_US = (ModelAuthenticationError, ModelNotFoundError, ModelQuotaExceededError)

# What answered was no model but, with status 200, a page: a gateway's login, a proxy's excuse. The library
# has no class of its own for that; a test holds it to these words.
_NO_MODEL = "Invalid response from "

_Findings = TypeVar("_Findings", Findings, Judgements, DayFindings, ChatFindings)


@dataclass(frozen=True)
class _Reply(Generic[_Findings]):
    output: _Findings
    use: ModelUse
    talk: tuple[object, ...]


class Llm:
    def __init__(self, model: Model, config: ModelConfig, count: Count) -> None:
        self.name = f"{model.system}:{model.model_name}"
        self._count = count
        self._timeout = config.timeout
        self._model = model
        self._settings = _settings(model, config)
        self._provider = model.provider
        self._conversations = _agent(config.output, Findings, conversation_prompt.INSTRUCTIONS)
        self._reviews = _agent(config.output, Judgements, review_prompt.INSTRUCTIONS)
        self._days = _agent(config.output, DayFindings, day_prompt.INSTRUCTIONS)
        self._output = config.output

    async def read(self, brief: Brief) -> Answer | Failure:
        """Ask no longer than the timeout, second chances included. Raise nothing that a model or a provider
        can cause."""
        found = await self._ask(self._conversations, conversation_prompt.INSTRUCTIONS, brief.text)
        return found if isinstance(found, Failure) else Answer(found.output, found.use, found.talk)

    async def read_again(self, brief: Brief, answer: Answer, complaint: str) -> Answer | Failure:
        """Say what was wrong with the answer. Raise as little as `read`."""
        talk = [one for one in answer.talk if isinstance(one, ModelRequest | ModelResponse)]
        instructions = conversation_prompt.INSTRUCTIONS + brief.text
        found = await self._ask(self._conversations, instructions, complaint, talk)
        return found if isinstance(found, Failure) else Answer(found.output, found.use, found.talk)

    async def review(self, brief: ReviewBrief) -> ReviewAnswer | Failure:
        found = await self._ask(self._reviews, review_prompt.INSTRUCTIONS, brief.text)
        return (
            found if isinstance(found, Failure) else ReviewAnswer(tuple(found.output.judgements), found.use)
        )

    async def sum_up(self, brief: DayBrief) -> DayAnswer | Failure:
        found = await self._ask(self._days, day_prompt.INSTRUCTIONS, brief.text)
        return found if isinstance(found, Failure) else DayAnswer(found.output, found.use)

    async def sum_up_chat(self, text: str) -> ChatAnswer | Failure:
        agent = _agent(self._output, ChatFindings, chat_prompt.INSTRUCTIONS)  # few processes need it
        found = await self._ask(agent, chat_prompt.INSTRUCTIONS, text)
        return found if isinstance(found, Failure) else ChatAnswer(found.output, found.use)

    async def _ask(
        self,
        agent: "Agent[None, _Findings]",
        before: str,
        text: str,
        talk: Sequence[ModelMessage] = (),
    ) -> "_Reply[_Findings] | Failure":
        """Count `before` too: the model reads it before the text."""
        usage = RunUsage()
        try:
            result = await agent.run(
                text,
                message_history=list(talk),
                model=self._model,
                model_settings=self._settings,
                usage=usage,
                timeout=self._timeout,
            )
        except RunTimedOut:
            asked = ModelUse(self.name, max(usage.input_tokens, self._count(text)), usage.output_tokens)
            return Failure(f"no answer within {self._timeout:g} s", asked, away=True, suspect=True)
        except (AgentRunError, UserError, OSError) as error:  # UserError: no such output with this model
            use = self._use(usage, before + text)
            return Failure(_said(error), use, away=_is_away(error), suspect=_is_suspect(error))
        use = self._use(usage, before + text, result.output)
        return _Reply(result.output, use, tuple(result.all_messages()))

    async def close(self) -> None:
        if self._provider is not None:
            async with self._provider:
                pass  # it closes what it opened when the last one leaves

    def _use(self, usage: RunUsage, sent: str, output: object = "") -> ModelUse:
        """Count tokens where the provider does not tell."""
        read = usage.input_tokens or (usage.requests and self._count(sent))
        wrote = usage.output_tokens or (usage.requests and self._count(str(output)))
        return ModelUse(self.name, read, wrote)


def connect(config: ModelConfig, count: Count) -> Llm:
    """Connect to a model; nothing is sent yet. Raise ConfigurationError when there is no such model, its key
    is missing, or what its provider needs is not installed."""
    try:
        return Llm(provider.model_of(config), config, count)
    except (UserError, ValueError, TypeError, ImportError) as error:
        raise ConfigurationError(f"{config.setting}={config.model}: {provider.explained(error)}") from None


@cache
def _agent(output: str, findings: type[_Findings], instructions: str) -> "Agent[None, _Findings]":
    """Its schema takes 80 ms to make."""
    return Agent(
        output_type=_OUTPUTS[output](findings) if output in _OUTPUTS else findings,
        instructions=instructions,
        retries={"output": _SECOND_CHANCES},
    )


def _settings(model: Model, config: ModelConfig) -> ModelSettings:
    settings = ModelSettings(max_tokens=config.answer_tokens)
    if "max_retries" not in model.unsupported_settings:
        settings["max_retries"] = 0  # the job tries again, with pauses
    return settings


def _is_away(error: BaseException) -> bool:
    """Tell whether it would fail the same way with any other conversation."""
    if isinstance(error, ModelRequestRejectedError):
        return isinstance(error, _ABOUT_US)
    if isinstance(error, UnexpectedModelBehavior):
        return str(error).startswith(_NO_MODEL)
    return isinstance(error, ModelAPIError | UserError | OSError)


def _is_suspect(error: BaseException) -> bool:
    """Tell whether the model broke, which a conversation may cause."""
    return isinstance(error, ModelHTTPError) and error.status_code >= 500  # noqa: PLR2004 (the server errors)


def _said(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
