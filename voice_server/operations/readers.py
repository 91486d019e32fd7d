"""The models that read what was said, as the settings name them."""

from voice_server.context.layout.budget import Count
from voice_server.digest.model.reader import ModelConfig, Reader
from voice_server.operations import model_configs
from voice_server.settings import Settings


def reader_of(settings: Settings, count: Count) -> Reader | None:
    """Return the model that digests conversations. Raises ConfigurationError."""
    return _connect(model_configs.digesting(settings), count)


def summary_reader_of(settings: Settings, count: Count) -> Reader | None:
    """Return the model that sums up chats. Raises ConfigurationError."""
    return _connect(model_configs.summing_up(settings), count)


def _connect(config: ModelConfig | None, count: Count) -> Reader | None:
    if config is None:
        return None
    from voice_server.digest.model import llm  # noqa: PLC0415 (it takes a second to load)

    return llm.connect(config, count)
