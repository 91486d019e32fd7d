"""Vectors from a server with an OpenAI-compatible API: a provider's, or your own (Ollama, vLLM, llama.cpp,
TEI)."""

from collections.abc import Sequence

import httpx2
import msgspec
import numpy as np
from msgspec import Struct

from voice_server.errors import EmbeddingError
from voice_server.search.embedding.embedder import Vector

_REFUSED = (400, 413, 422)  # what a server says of a text it does not take, a too long one for instance
_ABOUT_TEXT_OR_SERVER = 500  # and above: it broke, which a text may have caused


class _Embedding(Struct, frozen=True):
    embedding: list[float]
    index: int = -1


class _Answer(Struct, frozen=True):
    data: list[_Embedding]


_ANSWER = msgspec.json.Decoder(_Answer)


class HttpEmbedder:
    """One model of one server. `dimensions` 0: as many as the model has. `batch` is of texts in one request,
    `timeout` in seconds for one answer."""

    def __init__(
        self, model: str, *, base_url: str, api_key: str, dimensions: int, batch: int, timeout: float
    ) -> None:
        self.name = f"openai:{model}"
        self.dimensions = dimensions
        self._model = model
        self._wanted = dimensions
        self._batch = batch
        self._url = f"{base_url.rstrip('/')}/embeddings"
        headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx2.AsyncClient(headers=headers, timeout=timeout)

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        parts = [texts[start : start + self._batch] for start in range(0, len(texts), self._batch)]
        return [vector for part in parts for vector in await self._ask(part)]

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask(self, texts: Sequence[str]) -> list[Vector]:
        body: dict[str, object] = {"model": self._model, "input": list(texts)}
        if self._wanted:
            body["dimensions"] = self._wanted
        try:
            response = await self._client.post(self._url, json=body)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            suspect = isinstance(error, httpx2.ReadTimeout)
            raise EmbeddingError(self._said(f"{type(error).__name__} {error}"), suspect=suspect) from None
        if response.status_code != httpx2.codes.OK:
            raise self._refusal(response)
        vectors = [_normalised(one) for one in self._read(response.content, len(texts))]
        self._require_one_length(vectors)
        return vectors

    def _refusal(self, response: httpx2.Response) -> EmbeddingError:
        code = response.status_code
        return EmbeddingError(
            self._said(f"{code} {response.text}"),
            away=code not in _REFUSED,
            suspect=code >= _ABOUT_TEXT_OR_SERVER,
        )

    def _read(self, body: bytes, count: int) -> list[list[float]]:
        """Order the embeddings as their texts are, which not every server does."""
        try:
            data = _ANSWER.decode(body).data
        except msgspec.MsgspecError as error:
            raise EmbeddingError(self._said(f"no embeddings in what it sent: {error}")) from None
        if len(data) != count:
            raise EmbeddingError(self._said(f"{len(data)} embeddings for {count} texts"))
        if sorted(one.index for one in data) == list(range(count)):
            data = sorted(data, key=lambda one: one.index)
        return [one.embedding for one in data]

    def _require_one_length(self, vectors: Sequence[Vector]) -> None:
        lengths = {len(vector) for vector in vectors}
        expected = self.dimensions or max(lengths, default=0)
        if lengths - {expected}:
            raise EmbeddingError(
                self._said(f"vectors of {max(lengths - {expected})} numbers where {expected} are expected")
            )
        self.dimensions = expected

    def _said(self, reason: str) -> str:
        return " ".join(f"{self.name} at {self._url}: {reason}".split())[:300]


def _normalised(numbers: Sequence[float]) -> Vector:
    vector: Vector = np.asarray(numbers, dtype=np.float32)
    length = float(np.linalg.norm(vector)) if vector.size else 0.0
    if not 0.0 < length < np.inf:
        raise EmbeddingError(
            "the server sent a vector without a direction: it is no embedding model, or broken"
        )
    return vector / np.float32(length)
