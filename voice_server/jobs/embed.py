"""Embed: vectors of what was said in a conversation, for the search.

gather: what was said, without what is to be forgotten · ask the embedder, with no transaction open · apply, if it is
still said so and by the same user

Nothing waits for this: what has no vectors is found by its words. A conversation counts as embedded only once all
its vectors are stored, and no longer when it is told anew, goes on, or the model is another one; `wake` looks for
those that do not. So nothing is lost when the embedder is away, and setting EMBEDDING_MODEL embeds what was said
before.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context.budget import Count
from voice_server.digest import consent
from voice_server.digest.sentences import spoken
from voice_server.domain.conversation import Message
from voice_server.errors import EmbeddingError
from voice_server.jobs import queue
from voice_server.jobs.circuit import Circuit
from voice_server.search.embedding import Embedder, Vector
from voice_server.search.windows import windows
from voice_server.store import conversations, users, vectors
from voice_server.store.vectors import MESSAGE, WINDOW, Embedded

EMBED = "embed"
AT_ONCE = 4  # conversations being embedded, of all workers together

log = logging.getLogger(__name__)

_ENOUGH = 12  # times that the server broke, or was too slow, for one conversation
_BATCH = 200  # conversations that one look finds
_NEWEST = 200  # conversations that every look reads; all of them, for which 100,000 take half a second,
_WHOLE = 3600.0  # only after so many seconds, and while there is a reason to
_LONGEST, _SHORTEST = 8000, 250  # characters of a text that is sent, and of one that is not shortened further


class _Said(Struct, frozen=True):
    """What is to be embedded of a conversation up to the position `until`, and whose it is."""

    user_id: str
    agent_id: str
    messages: tuple[Message, ...]
    until: int


class _Text(Struct, frozen=True):
    kind: str
    first_position: int
    last_position: int
    text: str


class Embed:
    """The embed job. `clock` gives unix seconds."""

    def __init__(
        self, engine: AsyncEngine, embedder: Embedder, count: Count, clock: Callable[[], float]
    ) -> None:
        self._engine = engine
        self._embedder = embedder
        self._count = count
        self._clock = clock
        self._prepared = False
        self._whole_at = 0.0  # when all conversations are to be looked at
        self.circuit = Circuit(clock)

    async def run(self, payload: queue.Payload) -> None:
        """Embed the conversation with the id in the payload, unless that is done. Raises EmbeddingError while the
        circuit is closed: the queue tries again, with growing pauses."""
        conversation_id: int = payload["conversation_id"]
        async with self._engine.connect() as connection:
            said = await self._gather(connection, conversation_id)
        while said is not None and not self.circuit.is_open:
            embedded = await self._embed(conversation_id, said)
            if embedded is None:
                return
            said = await self._apply(conversation_id, said, embedded)

    async def ask(self, payload: queue.Payload) -> None:
        """Enqueue the job for the conversation with the id in the payload, once, unless it is done."""
        conversation_id: int = payload["conversation_id"]
        async with self._engine.begin() as connection:
            if not await vectors.is_complete(connection, conversation_id, self._embedder.name):
                await _enqueue(connection, conversation_id)

    async def wake(self) -> None:
        """Enqueue what is not embedded: the embedder may be back, or be another one. Every call is embedded after
        its digest without this: so all conversations are looked at now and then, after trouble, and while many are
        found. Raises ConfigurationError where Postgres cannot keep vectors."""
        if not self._prepared:
            async with self._engine.begin() as connection:
                await vectors.prepare(connection)
            self._prepared = True
        if self.circuit.is_open:
            return
        now = self._clock()
        newest = _NEWEST if now < self._whole_at else None
        async with self._engine.begin() as connection:
            found = await vectors.awaiting(connection, self._embedder.name, _ENOUGH, _BATCH, newest=newest)
            for conversation_id in found:
                await _enqueue(connection, conversation_id)
        if newest is None and len(found) < _BATCH:
            self._whole_at = now + _WHOLE

    async def _gather(self, connection: AsyncConnection, conversation_id: int) -> _Said | None:
        told = await conversations.to_digest(connection, conversation_id)
        if told is None or await vectors.is_complete(connection, conversation_id, self._embedder.name):
            return None
        until = told.messages[-1].position if told.messages else -1
        return _Said(told.user_id, told.agent_id, tuple(spoken(consent.kept(told.messages))), until)

    async def _embed(self, conversation_id: int, said: _Said) -> list[Embedded] | None:
        """The vectors; None when the embedder is to be left alone for a while."""
        texts = await asyncio.to_thread(lambda: list(_texts(said.messages, self._count)))
        try:
            found = await self._vectors(tuple(one.text for one in texts))
        except EmbeddingError as error:
            await self._failed(conversation_id, said, error)
            return None
        self.circuit.worked()
        return [
            Embedded(one.kind, one.first_position, one.last_position, vector)
            for one, vector in zip(texts, found, strict=True)
            if vector is not None
        ]

    async def _vectors(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector for each text, None for one that is refused. Of a refused batch each half is tried, of a refused
        text its first half: some servers refuse what is longer than their model reads."""
        try:
            return list(await self._embedder.embed(texts))
        except EmbeddingError as error:
            if error.away:
                raise
            log.info("%s", error)
        if len(texts) > 1:
            half = len(texts) // 2
            return [*await self._vectors(texts[:half]), *await self._vectors(texts[half:])]
        if len(texts[0]) <= _SHORTEST:
            return [None]
        return await self._vectors([texts[0][: len(texts[0]) // 2]])

    async def _failed(self, conversation_id: int, said: _Said, error: EmbeddingError) -> None:
        is_news = not self.circuit.is_open  # else another one found out while this one was under way
        self.circuit.failed()
        self._whole_at = 0.0
        if error.suspect and is_news:
            async with self._engine.begin() as connection:
                await users.lock(connection, said.user_id)
                if await self._gather(connection, conversation_id) == said:
                    name = self._embedder.name
                    await vectors.count_try(connection, conversation_id, said.user_id, said.agent_id, name)
        if not self.circuit.is_open:
            raise error
        log.warning("the embedder is left alone for a while: %s", error)

    async def _apply(self, conversation_id: int, said: _Said, embedded: Sequence[Embedded]) -> _Said | None:
        """Keep the vectors; or what to embed instead, when the conversation was retold or moved meanwhile."""
        async with self._engine.begin() as connection:
            await users.lock(connection, said.user_id)
            now = await self._gather(connection, conversation_id)
            if now is None or now != said:
                return now
            name = self._embedder.name
            whose = (said.user_id, said.agent_id, name)
            await vectors.save(connection, conversation_id, *whose, embedded, until=said.until)
        return None


async def _enqueue(connection: AsyncConnection, conversation_id: int) -> None:
    payload = {"conversation_id": conversation_id}
    await queue.enqueue(connection, EMBED, payload, key=f"{EMBED}:{conversation_id}")


def _texts(messages: Sequence[Message], count: Count) -> Iterator[_Text]:
    """Each message by itself, and windows of several."""
    for one in messages:
        yield _Text(MESSAGE, one.position, one.position, one.content[:_LONGEST])
    for window in windows(messages, count):
        yield _Text(WINDOW, window.first_position, window.last_position, window.text[:_LONGEST])
