"""Texts as vectors, whatever makes them. Their inner product is their similarity, from -1 to 1."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

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
