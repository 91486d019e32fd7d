"""Which model does what, as the settings say."""

from voice_server.digest.model.reader import ModelConfig
from voice_server.settings import Settings


def digesting(settings: Settings) -> ModelConfig | None:
    return _reading(settings, "llm_model")


def summing_up(settings: Settings) -> ModelConfig | None:
    return _reading(settings, "summary_model" if settings.summary_model else "llm_model")


def answering(settings: Settings) -> ModelConfig | None:
    name = settings.chat_model or settings.llm_model
    if not name:
        return None
    return ModelConfig(
        name,
        settings.llm_base_url,
        settings.llm_api_key,
        timeout=settings.chat_timeout_seconds,
        answer_tokens=settings.chat_answer_tokens,
        setting="CHAT_MODEL" if settings.chat_model else "LLM_MODEL",
    )


def _reading(settings: Settings, setting: str) -> ModelConfig | None:
    name = getattr(settings, setting)
    if not name:
        return None
    return ModelConfig(
        name,
        settings.llm_base_url,
        settings.llm_api_key,
        output=settings.llm_output,
        timeout=settings.llm_timeout_seconds,
        answer_tokens=settings.llm_answer_tokens,
        setting=setting.upper(),
    )
