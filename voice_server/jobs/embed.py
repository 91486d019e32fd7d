"""Embed: vectors of what was said in a conversation, for the search.

gather: what was said, and what of it has vectors · decide what is to have some · ask the embedder, with no
transaction open · apply, if it is still said so and by the same user

Of a chat that goes on only what is new is embedded, and the last window, which grows. Where that takes back
what was said before, all its vectors are forgotten at once.

Nothing waits for this: what has no vectors is found by its words. `wake` looks for what was told anew, goes
on, or has another model's vectors: so setting EMBEDDING_MODEL embeds what was said before.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context.layout.budget import Count
from voice_server.digest.language.sentences import spoken
from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message
from voice_server.errors import EmbeddingError
from voice_server.queue import queue, rounds
from voice_server.queue.names import EMBED
from voice_server.queue.rounds import Pace
from voice_server.runtime.circuit_breaker import CircuitBreaker
from voice_server.search.chunking import windows
from voice_server.search.embedding.embedder import Embedder, Vector
from voice_server.store.conversations import conversations
from voice_server.store.people import users
from voice_server.store.search import vectors
from voice_server.store.search.vectors import MESSAGE, WINDOW, EmbeddedSpan, Place, StoredVectors

AT_ONCE = 4  # conversations being embedded, of all workers together

log = logging.getLogger(__name__)

_ENOUGH = 12  # times that the server broke, or was too slow, for one conversation
_WAITING = 200  # jobs that wait at most before a round goes on
_NEWEST = 200  # conversations that every look reads; all of them by rounds, in pages of so many
_PAGE = 5000
_ROUND = "conversations without vectors"
_EVERY, _REST = timedelta(hours=1), 1.0  # seconds
_LONGEST, _SHORTEST = 8000, 250  # characters of a text that is sent, and of one that is not shortened further


class _Transcript(Struct, frozen=True):
    user_id: str
    agent_id: str
    messages: tuple[Message, ...]
    stored: StoredVectors | None

    @property
    def until(self) -> int:
        return self.messages[-1].position if self.messages else -1


class _Text(Struct, frozen=True):
    place: Place
    text: str


class _Plan(Struct, frozen=True):
    texts: tuple[_Text, ...]
    gone: frozenset[Place]


class _Change(Struct, frozen=True):
    embedded: tuple[EmbeddedSpan, ...]
    gone: frozenset[Place]


class Embed:
    """`clock` gives unix seconds."""

    def __init__(
        self, engine: AsyncEngine, embedder: Embedder, count: Count, clock: Callable[[], float]
    ) -> None:
        self._engine = engine
        self._embedder = embedder
        self._count = count
        self._clock = clock
        self._prepared = False
        self._was_trouble = False  # since the beginning of the last round
        self.circuit = CircuitBreaker(clock)

    async def run(self, payload: queue.Payload) -> None:
        """Embed a conversation, unless that is done. Raises EmbeddingError while the circuit is closed, to be
        tried again."""
        conversation_id: int = payload["conversation_id"]
        while (said := await self._look(conversation_id)) is not None and not self.circuit.is_open:
            change = await self._embed(conversation_id, said)
            if change is None or await self._apply(conversation_id, said, change):
                return

    async def ask(self, conversation_id: int) -> None:
        async with self._engine.begin() as connection:
            if not await vectors.is_complete(connection, conversation_id, self._embedder.name):
                await _enqueue(connection, conversation_id)

    async def wake(self) -> None:
        """Enqueue what is not embedded: the embedder may be back, or be another. Calls are embedded after
        their digest without this: so all conversations are looked at hourly, and after trouble, a page at a
        time and while few jobs wait. Raises ConfigurationError where Postgres cannot keep vectors."""
        if not self._prepared:
            async with self._engine.begin() as connection:
                await vectors.prepare(connection)
            self._prepared = True
        if self.circuit.is_open:
            return
        async with self._engine.begin() as connection:
            await self._enqueue_awaiting(connection, _NEWEST, vectors.LATEST, _NEWEST)
        pace = Pace(timedelta(0) if self._was_trouble else _EVERY, _REST)
        await rounds.go(self._engine, _ROUND, self._look_at_page, pace)

    async def _look_at_page(self, connection: AsyncConnection, position: str) -> str:
        """Keep the position while the embedder is away, or has enough to do."""
        below = int(position) if position else vectors.LATEST
        room = _WAITING - await queue.waiting(connection, EMBED, queue.BACKGROUND, _WAITING)
        if self.circuit.is_open or room <= 0:
            return str(below)
        self._was_trouble &= below != vectors.LATEST
        following = await self._enqueue_awaiting(connection, room, below, _PAGE)
        return str(following) if following else ""

    async def _enqueue_awaiting(self, connection: AsyncConnection, limit: int, below: int, page: int) -> int:
        model = self._embedder.name
        found, following = await vectors.awaiting(connection, model, _ENOUGH, limit, below=below, page=page)
        for conversation_id in found:
            await _enqueue(connection, conversation_id)
        return following

    async def _look(self, conversation_id: int) -> _Transcript | None:
        """Return None when it is done. Forget vectors of what was taken back now: the embedder may be
        away."""
        async with self._engine.connect() as connection:
            said = await self._gather(connection, conversation_id)
        # in a thread, here and below: of a chat of years it takes a while, and heartbeats must go on
        if said is None or await asyncio.to_thread(_holds, said):
            return said
        async with self._engine.begin() as connection:
            await users.lock(connection, said.user_id)
            if await self._gather(connection, conversation_id) == said:
                await vectors.remove(connection, conversation_id)
        return await self._look(conversation_id)

    async def _gather(self, connection: AsyncConnection, conversation_id: int) -> _Transcript | None:
        told = await conversations.to_digest(connection, conversation_id)
        model = self._embedder.name
        if told is None or await vectors.is_complete(connection, conversation_id, model):
            return None
        stored = await vectors.stored(connection, conversation_id, model, self._embedder.dimensions)
        return _Transcript(told.user_id, told.agent_id, told.messages, stored)

    async def _embed(self, conversation_id: int, said: _Transcript) -> _Change | None:
        """Return None when the embedder is to be left alone for a while."""
        plan = await asyncio.to_thread(_plan, said, self._count)
        try:
            found = await self._vectors([one.text for one in plan.texts])
        except EmbeddingError as error:
            await self._failed(conversation_id, said, error)
            return None
        if plan.texts:
            self.circuit.worked()
        return _Change(tuple(_embedded(plan.texts, found)), plan.gone)

    async def _vectors(self, texts: Sequence[str]) -> list[Vector | None]:
        """Return None for a refused text. Try each half of a refused batch, and the first half of a refused
        text: some servers refuse what is longer than their model reads."""
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

    async def _failed(self, conversation_id: int, said: _Transcript, error: EmbeddingError) -> None:
        is_news = not self.circuit.is_open  # else another one found out while this one was under way
        self.circuit.failed()
        self._was_trouble = True
        if error.suspect and is_news:
            async with self._engine.begin() as connection:
                await users.lock(connection, said.user_id)
                if await self._gather(connection, conversation_id) == said:
                    name = self._embedder.name
                    await vectors.count_try(connection, conversation_id, said.user_id, said.agent_id, name)
        if not self.circuit.is_open:
            raise error
        log.warning("the embedder is left alone for a while: %s", error)

    async def _apply(self, conversation_id: int, said: _Transcript, change: _Change) -> bool:
        """Return whether that is all. Keep nothing when the conversation was retold, moved, got vectors, or
        lost words meanwhile."""
        async with self._engine.begin() as connection:
            await users.lock(connection, said.user_id)
            now = await self._gather(connection, conversation_id)
            if now is None or not await asyncio.to_thread(_went_on, said, now):
                return False
            if said.stored is None:
                whose = (said.user_id, said.agent_id, self._embedder.name)
                await vectors.save(connection, conversation_id, *whose, change.embedded, until=said.until)
            else:
                await vectors.extend(
                    connection, conversation_id, change.embedded, gone=change.gone, until=said.until
                )
        return now == said


async def _enqueue(connection: AsyncConnection, conversation_id: int) -> None:
    payload = {"conversation_id": conversation_id}
    key = f"{EMBED}:{conversation_id}"
    await queue.enqueue(connection, EMBED, payload, key=key, priority=queue.BACKGROUND)


def _holds(said: _Transcript) -> bool:
    if said.stored is None:
        return True
    alone = {one.first_position for one in said.stored.places if one.kind == MESSAGE}
    then, now = _kept_until(said, said.stored.until)
    return then == now and alone <= now


def _went_on(said: _Transcript, now: _Transcript) -> bool:
    if now == said:
        return True
    then, kept = _kept_until(now, said.until)
    whose = (said.user_id, said.agent_id, said.stored) == (now.user_id, now.agent_id, now.stored)
    return whose and now.messages[: len(said.messages)] == said.messages and then == kept


def _kept_until(said: _Transcript, until: int) -> tuple[set[int], set[int]]:
    then = _positions(_kept([one for one in said.messages if one.position <= until]))
    return then, _positions(one for one in _kept(said.messages) if one.position <= until)


def _positions(messages: Iterable[Message]) -> set[int]:
    return {one.position for one in messages}


def _kept(messages: Sequence[Message]) -> list[Message]:
    return spoken(consent.kept(messages))


def _plan(said: _Transcript, count: Count) -> _Plan:
    """Messages never change: what has a vector keeps it. What was refused before is asked for again."""
    wanted = list(_texts(_kept(said.messages), count))
    there = said.stored.places if said.stored else frozenset[Place]()
    missing = tuple(one for one in wanted if one.place not in there)
    return _Plan(missing, there.difference(one.place for one in wanted))


def _texts(messages: Sequence[Message], count: Count) -> Iterator[_Text]:
    for one in messages:
        yield _Text(Place(MESSAGE, one.position, one.position), one.content[:_LONGEST])
    for window in windows(messages, count):
        yield _Text(Place(WINDOW, window.first_position, window.last_position), window.text[:_LONGEST])


def _embedded(texts: Sequence[_Text], found: Sequence[Vector | None]) -> Iterator[EmbeddedSpan]:
    for one, vector in zip(texts, found, strict=True):
        if vector is not None:
            yield EmbeddedSpan(one.place.kind, one.place.first_position, one.place.last_position, vector)
