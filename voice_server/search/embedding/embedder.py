"""Texts as vectors, as whoever wants them sees it, whatever makes them.

Vectors have length 1: their inner product is their similarity, from -1 to 1.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from voice_server.settings import Settings

Vector = npt.NDArray[np.float32]

LOCAL = "local"


class Embedder(Protocol):
    """Makes vectors. `name` is the setting's, `openai:text-embedding-3-small`: only vectors of one name and
    one length compare with each other. `dimensions` is that length, 0 as long as it is not known."""

    @property
    def name(self) -> str:
        """Whose vectors these are."""

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has; 0: not known before the first answer."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 for each text, in their order. Raises EmbeddingError."""

    async def close(self) -> None:
        """Let go of connections and threads."""


def embedder_of(settings: Settings, *, timeout: float) -> Embedder | None:
    """Sends nothing yet; None when there is to be none. `timeout` in seconds is for one answer. Raises
    ConfigurationError when there is no such embedder, or what it needs is not installed."""
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
