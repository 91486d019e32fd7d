"""Which model at which provider, from what a person set."""

from collections.abc import Callable
from typing import Any

from pydantic_ai.models import Model, infer_model
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from voice_server.digest.model.reader import ModelConfig
from voice_server.errors import ConfigurationError


def model_of(config: ModelConfig) -> Model:
    """Choose the model; nothing is sent yet. Raise ConfigurationError, or what the library does, which
    `explained` explains."""
    if not config.base_url:
        return infer_model(config.model, lambda name: _provider(name, config.api_key))
    protocol, _, name = config.model.partition(":")
    if protocol == "openai-chat":
        server = OpenAICompatibleProvider("llm", base_url=config.base_url, api_key=config.api_key or None)
        return OpenAIChatModel(name, provider=server)
    if protocol == "openai":
        key = config.api_key or "none"  # else the library would send the key of somebody's own account
        return OpenAIResponsesModel(name, provider=OpenAIProvider(base_url=config.base_url, api_key=key))
    raise ConfigurationError(
        f"{config.setting}={config.model}: with LLM_BASE_URL it must be openai-chat:<name of the model "
        "there>, or openai:<name> for a server that has the Responses API"
    )


def _provider(name: str, api_key: str) -> Provider[Any]:
    make: Callable[..., Provider[Any]] = infer_provider_class(name)
    return make(api_key=api_key) if api_key else infer_provider(name)


def explained(error: Exception) -> str:
    """Return the library's words, without its hint at tests, and with our name for the key."""
    reason = str(error).partition(" To try Pydantic AI")[0]
    return f"{reason} Or set LLM_API_KEY." if "API_KEY" in reason else reason
