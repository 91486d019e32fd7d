"""Texts as vectors, whatever makes them. Their inner product is their similarity, from -1 to 1."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from voice_server.settings import Settings

Vector = npt.NDArray[np.float32]

LOCAL = "local"


class Embedder(Protocol):
    """What makes vectors. Only vectors of one name and one length compare with each other."""

    @property
    def name(self) -> str:
        """The setting's, as `openai:text-embedding-3-small`."""

    @property
    def dimensions(self) -> int:
        """The length of a vector; 0 before the first answer."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector of length 1 for each text, in their order. Raises EmbeddingError."""

    async def close(self) -> None:
        """Let go of connections and threads."""


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
