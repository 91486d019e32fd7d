"""A chat that goes on is embedded as it goes: what was said since, and no word twice but in the last windows.
What comes of it is what comes of embedding it at once. Over real HTTP and Postgres."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pretend import embedder as pretend
from pretend.embedder import PretendEmbedder
from pretend.talk import ADA, ROBIN, Talk

from voice_server.errors import EmbeddingError
from voice_server.jobs.embed import Embed
from voice_server.search.embedding.http import HttpEmbedder
from voice_server.store import session
from voice_server.store.search import nearest, vectors
from voice_server.store.search.nearest import Neighbour, Space

MODEL, DIMENSIONS = "openai:pretend", pretend.DIMENSIONS
WORDS = ["river", "bakery", "meadow", "violin", "window", "harbour", "letter"]
FORGET, FORGET_THE_BOAT = (
    "user: Please don't remember that.",
    "user: Please forget what I said about my boat.",
)
REFUSED = "Lisbon"  # a text with this word has no vector
Stored = tuple[set[tuple[Any, ...]], set[tuple[int, bytes]]]


def line(number: int, words: int = 40) -> str:
    """A message of so many words, none like another."""
    role = "user" if number % 2 == 0 else "agent"
    words_said = [f"said{number}", *(WORDS[(number + n) % len(WORDS)] for n in range(words - 1))]
    return f"{role}: {' '.join(words_said)}"


def count(text: str) -> int:
    return len(text.split())


class Chat:
    """Ada's chat with Robin, and the job that embeds it; `id` is the latest one's."""

    def __init__(self, talk: Talk, embedder: PretendEmbedder) -> None:
        self.talk = talk
        self.embedder = embedder
        self.id = 0
        self._said = 0
        self._models: list[HttpEmbedder] = []
        self.open()

    def open(self, dimensions: int = 0) -> None:
        """A worker that knows nothing yet."""
        url = self.embedder.url
        model = HttpEmbedder(
            "pretend", base_url=url, api_key="", dimensions=dimensions, batch=64, timeout=20.0
        )
        self._models.append(model)
        self.job = Embed(self.talk.engine, model, count, lambda: 0.0)

    async def close(self) -> None:
        for model in self._models:
            await model.close()

    async def begin(self) -> None:
        """Nothing is said yet."""
        self.id, self._said = await self.talk.call("2026-11-10 09:00"), 0

    async def write(self, *said: str) -> None:
        lines = [one.partition(": ") for one in said]
        await self.talk.query(
            "insert into messages (conversation_id, position, role, content, said_at)"
            " select :id, :said + n - 1, role, text, now()"
            " from unnest(cast(:roles as text[]), cast(:texts as text[]))"
            " with ordinality as one (role, text, n)",
            id=self.id,
            said=self._said,
            roles=[role for role, _, _ in lines],
            texts=[text for _, _, text in lines],
        )
        self._said += len(said)

    async def embed(self) -> list[str]:
        """The texts that the embedder is sent."""
        before = len(self.embedder.read)
        await self.job.run({"conversation_id": self.id})
        return self.embedder.read[before:]

    async def grow(self, *said: str) -> list[str]:
        """Somebody says so, and it is embedded: the texts that the embedder is sent."""
        await self.write(*said)
        return await self.embed()

    async def at_once(self) -> None:
        """Embed it as if it had not been before."""
        await self.talk.query("delete from embeddings where conversation_id = :id", id=self.id)
        await self.embed()

    async def stored(self) -> Stored:
        """Its vectors; its positions, each with its code."""
        rows = await self.talk.query(
            "select kind, first_position, last_position, embedding::text from vectors"
            " where conversation_id = :id",
            id=self.id,
        )
        [(positions, codes)] = await self.talk.query(
            "select positions, codes from embeddings where complete and conversation_id = :id", id=self.id
        )
        places, size = np.frombuffer(positions, "<i4").tolist(), DIMENSIONS // 8
        assert len(places) * size == len(codes)
        return set(rows), {(place, codes[n * size : (n + 1) * size]) for n, place in enumerate(places)}

    async def places(self, kind: str) -> list[tuple[int, int]]:
        """Which messages, or windows, have vectors."""
        rows = await self.talk.query(
            "select first_position, last_position from vectors"
            " where conversation_id = :id and kind = :kind order by 1",
            id=self.id,
            kind=kind,
        )
        return [(first, last) for first, last in rows]

    async def found(self, text: str) -> list[list[Neighbour]]:
        """Messages and windows that a search finds, nearest first."""
        vector = np.array(pretend.hashed(text), np.float32)
        vector /= np.linalg.norm(vector)
        async with self.talk.engine.connect() as connection:
            space = Space(ADA, ROBIN, MODEL, len(vector))
            found = (nearest.messages, nearest.windows)
            return [await search(connection, space, vector, 20) for search in found]


@pytest.fixture
async def chat(database_url: str, embedder: PretendEmbedder) -> AsyncIterator[Chat]:
    """A chat in which nothing is said yet."""
    engine = session.connect(database_url, 5)
    made = Chat(await Talk(engine).begin(), embedder)
    await made.begin()
    yield made
    await made.close()
    await engine.dispose()


async def test_what_is_sent_grows_with_what_is_said_and_not_with_its_square(chat: Chat) -> None:
    """60 messages, two at a time: embedded whole each time, it would be a thousand texts."""
    sent = [len(await chat.grow(line(n), line(n + 1))) for n in range(0, 60, 2)]

    assert max(sent) <= 4, "the two, the last window, and one that begins"
    assert len(await chat.places("message")) == 60
    assert len(await chat.places("window")) >= 3


async def test_a_message_is_sent_once(chat: Chat) -> None:
    sent = [await chat.grow(line(n)) for n in range(12)]

    alone = [text for texts in sent for text in texts if not text.startswith(("user: ", "agent: "))]
    assert alone == [line(n).partition(": ")[2] for n in range(12)]


SAYINGS = st.one_of(
    st.integers(1, 350).map(lambda words: ("words", words)),
    st.sampled_from([("as it is", FORGET), ("as it is", FORGET_THE_BOAT), ("as it is", "tool_call: {}")]),
    st.sampled_from([("as it is", "user: My boat is green."), ("as it is", f"user: I moved to {REFUSED}.")]),
)


@given(steps=st.lists(st.lists(SAYINGS, min_size=1, max_size=6), min_size=2, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_a_chat_embedded_as_it_grows_is_stored_and_found_as_one_embedded_at_once(
    chat: Chat, steps: Sequence[Sequence[tuple[str, Any]]]
) -> None:
    await chat.talk.query("truncate conversations cascade")
    await chat.begin()
    chat.embedder.otherwise = pretend.about(REFUSED, pretend.status(400))
    number = 0
    for step in steps:
        await chat.grow(
            *(what if how == "as it is" else line(number + n, what) for n, (how, what) in enumerate(step))
        )
        number += len(step)
    grown = await chat.stored(), await chat.found("the boat in the harbour")

    await chat.at_once()

    assert grown == (await chat.stored(), await chat.found("the boat in the harbour"))


async def test_what_is_taken_back_is_in_no_vector_any_more(chat: Chat) -> None:
    """The window is of the same messages as before, but for those in its middle."""
    await chat.grow(
        "user: I play the violin.", "agent: Nice.", "user: My boat is green.", "user: The tea is ready."
    )

    sent = await chat.grow(FORGET_THE_BOAT)

    assert not [text for text in sent if "boat" in text]
    assert await chat.places("message") == [(0, 0), (1, 1), (3, 3)]
    assert await chat.places("window") == [(0, 3)]
    grown = await chat.stored()
    await chat.at_once()
    assert grown == await chat.stored()


async def test_a_refused_message_that_is_taken_back_leaves_the_windows_too(chat: Chat) -> None:
    """It is refused by itself, and not in the window: of that, what is sent is another text."""
    secret = "user: My boat is green."
    alone = secret.partition(": ")[2]
    refused = pretend.status(400)
    chat.embedder.otherwise = lambda asked: (refused if alone in asked["input"] else pretend.well)(asked)
    await chat.grow("user: I play the violin.", secret, "user: The tea is ready.")
    assert await chat.places("message") == [(0, 0), (2, 2)]

    sent = await chat.grow(FORGET_THE_BOAT)

    assert "user: I play the violin.\nuser: The tea is ready." in sent


async def test_what_has_a_vector_and_is_not_to_have_one_any_more_goes_for_whatever_reason(chat: Chat) -> None:
    await chat.grow(line(0), line(1), line(2))
    await chat.talk.query("delete from messages where position = 1")

    await chat.grow(line(3))

    assert await chat.places("message") == [(0, 0), (2, 2), (3, 3)]
    grown = await chat.stored()
    await chat.at_once()
    assert grown == await chat.stored()


async def test_what_is_taken_back_loses_its_vectors_while_the_embedder_is_away(chat: Chat) -> None:
    await chat.grow(line(0), "user: My boat is green.", line(2))
    chat.embedder.otherwise = pretend.status(503)

    with pytest.raises(EmbeddingError):
        await chat.grow(FORGET_THE_BOAT)

    assert await chat.places("message") == await chat.places("window") == []


async def test_a_refused_message_is_asked_for_again_and_the_rest_is_not(chat: Chat) -> None:
    chat.embedder.otherwise = pretend.about(REFUSED, pretend.status(400))
    await chat.grow(line(0), f"user: I moved to {REFUSED}.", line(2))
    chat.embedder.otherwise = pretend.well

    sent = await chat.grow(line(3))

    assert sent[:2] == [f"I moved to {REFUSED}.", line(3).partition(": ")[2]]
    assert len(sent) == 3, "and the window"
    assert await chat.places("message") == [(0, 0), (1, 1), (2, 2), (3, 3)]


async def test_where_only_tools_were_used_since_nothing_is_sent(chat: Chat) -> None:
    await chat.grow(line(0))

    assert await chat.grow("tool_call: {}", "tool_result: 21 degrees") == []
    async with chat.talk.engine.connect() as connection:
        assert await vectors.is_complete(connection, chat.id, MODEL)


async def test_what_was_embedded_stays_found_while_the_embedder_breaks(chat: Chat) -> None:
    await chat.grow(line(0), line(1))
    chat.embedder.otherwise = pretend.status(500)
    with pytest.raises(EmbeddingError):
        await chat.grow(line(2))
    [messages, windows] = await chat.found(line(0))
    chat.embedder.otherwise = pretend.well

    assert [(len(messages), len(windows)), len(await chat.embed())] == [(2, 1), 2]
    assert await chat.talk.query("select tries from embeddings") == [(0,)]


async def test_vectors_of_another_length_are_not_built_upon(chat: Chat) -> None:
    """The first worker knows how long they are to be, the second finds out."""
    await chat.grow(line(0), line(1))
    chat.open(dimensions=96)
    await chat.grow(line(2))
    lengths = "select distinct vector_dims(embedding), (select length from embeddings) from vectors"
    assert await chat.talk.query(lengths) == [(96, 96)]

    chat.open()
    await chat.grow(line(3))

    assert await chat.talk.query(lengths) == [(DIMENSIONS, DIMENSIONS)]
    assert len(await chat.places("message")) == 4


async def test_what_another_worker_embedded_meanwhile_is_built_upon(chat: Chat) -> None:
    """And more was said since."""
    await chat.grow(line(0))
    loop = asyncio.get_running_loop()

    async def another() -> None:
        other = Chat(chat.talk, chat.embedder)
        other.id = chat.id
        await other.embed()
        await other.close()
        await chat.write(line(2))

    chat.embedder.meanwhile = lambda: asyncio.run_coroutine_threadsafe(another(), loop).result(20)
    await chat.grow(line(1))
    grown = await chat.stored()

    await chat.at_once()

    assert len(grown[1]) == 3
    assert grown == await chat.stored()


async def test_a_chat_that_is_told_anew_is_embedded_whole(chat: Chat) -> None:
    await chat.grow(line(0), line(1))
    await chat.talk.query("update messages set content = 'Something else.' where position = 0")
    async with chat.talk.engine.begin() as connection:
        await vectors.remove(connection, chat.id)

    sent = await chat.grow(line(2))

    assert sent[0] == "Something else."
    assert len(sent) == 4


@pytest.mark.parametrize("begun", [0, 10])
async def test_what_is_said_while_the_embedder_thinks_costs_no_text_twice(chat: Chat, begun: int) -> None:
    loop = asyncio.get_running_loop()
    await chat.begin()
    await chat.write(*(line(number) for number in range(begun)))
    await chat.embed()
    await chat.write(*(line(number) for number in range(begun, 30)))
    chat.embedder.meanwhile = lambda: asyncio.run_coroutine_threadsafe(chat.write(line(30)), loop).result(20)

    sent = await chat.embed()

    alone = [text for text in sent if text.startswith("said")]
    assert len(alone) == len(set(alone)) == 31 - begun


async def test_what_is_taken_back_while_the_embedder_thinks_is_in_no_vector(chat: Chat) -> None:
    loop = asyncio.get_running_loop()
    await chat.begin()
    await chat.write(line(0), "user: My boat leaks.")
    chat.embedder.meanwhile = lambda: asyncio.run_coroutine_threadsafe(chat.write(FORGET), loop).result(20)

    await chat.embed()

    rows = await chat.talk.query("select first_position from vectors where kind = 'message'")
    assert [row[0] for row in rows] == [0]
