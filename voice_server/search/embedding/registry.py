"""Finds the embedder that the settings name, and loads no other."""

from voice_server.search.embedding.embedder import LOCAL, Embedder
from voice_server.settings import Settings


def embedder_of(settings: Settings, *, timeout: float) -> Embedder | None:
    """Return None when there is to be no embedder; nothing is sent yet. `timeout` is in seconds, for one
    answer. Raises ConfigurationError when there is no such embedder, or what it needs is not installed."""
    if not settings.embedding_model:
        return None
    protocol, _, model = settings.embedding_model.partition(":")
    if protocol == LOCAL:
        from voice_server.search.embedding import local_model  # noqa: PLC0415 (loaded by who has one)

        return local_model.connect(model)
    from voice_server.search.embedding.http import HttpEmbedder  # noqa: PLC0415 (loaded by who has one)

    return HttpEmbedder(
        model,
        base_url=settings.embedding_base_url or "https://api.openai.com/v1",
        api_key=settings.embedding_api_key,
        dimensions=settings.embedding_dimensions,
        batch=settings.embedding_batch,
        timeout=timeout,
    )
