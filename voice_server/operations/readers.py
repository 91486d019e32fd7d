"""The models that read what was said, as the settings name them."""

from voice_server.context.layout.budget import Count
from voice_server.digest.model.reader import ModelConfig, Reader
from voice_server.settings import Settings


def reader_of(settings: Settings, count: Count) -> Reader | None:
    """Return the model that digests conversations. Raises ConfigurationError."""
    return _connect(settings, "llm_model", count)


def summary_reader_of(settings: Settings, count: Count) -> Reader | None:
    """Return the model that sums up chats. Raises ConfigurationError."""
    return _connect(settings, "summary_model" if settings.summary_model else "llm_model", count)


def _connect(settings: Settings, setting: str, count: Count) -> Reader | None:
    if not getattr(settings, setting):
        return None
    from voice_server.digest.model import llm  # noqa: PLC0415 (it takes a second to load)

    config = ModelConfig(
        model=getattr(settings, setting),
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key,
        output=settings.llm_output,
        timeout=settings.llm_timeout_seconds,
        answer_tokens=settings.llm_answer_tokens,
        setting=setting.upper(),
    )
    return llm.connect(config, count)
