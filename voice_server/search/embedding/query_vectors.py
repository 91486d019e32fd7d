"""The vector of a query, in time or not at all: the search goes on without it."""

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass

from voice_server.search.embedding.embedder import Embedder, Vector
from voice_server.search.embedding.registry import embedder_of
from voice_server.settings import Settings

log = logging.getLogger(__name__)

_KEPT = 1000  # vectors: a few MB
_PATIENCE = 5.0  # seconds for an answer: too late for its query, not for the next that asks the same
_ANY = "hello"
_AT_ONCE = 16  # queries being embedded; more than that would only wait in a line that is too long already


@dataclass
class Counts:
    """What became of the queries that asked for a vector."""

    cached: int = 0
    embedded: int = 0
    late: int = 0
    failed: int = 0
    busy: int = 0


class QueryVectors:
    """Vectors of queries, the last ones kept. `deadline` is in seconds, for each; what comes too late is kept
    for the next time the same is asked. `close` closes the embedder, too."""

    def __init__(self, embedder: Embedder, deadline: float) -> None:
        self.counts = Counts()
        self._embedder = embedder
        self._deadline = deadline
        self._kept: OrderedDict[str, Vector] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[Vector | None]] = {}
        self._failing = False

    @property
    def model(self) -> str:
        return self._embedder.name

    async def of(self, text: str) -> Vector | None:
        """Return None when the vector cannot be had in time. Raises nothing that an embedder can cause."""
        if (vector := self._kept.get(text)) is not None:
            self._kept.move_to_end(text)
            self.counts.cached += 1
            return vector
        task = self._under_way.get(text) or self._begin(text)
        if task is None:
            self.counts.busy += 1
            return None
        await asyncio.wait((task,), timeout=self._deadline)
        if not task.done():
            self.counts.late += 1
            return None
        return self._counted(task.result())

    def warm(self) -> None:
        """Let a model be loaded, or a connection be made, before the first query waits for it."""
        self._begin(_ANY)

    async def close(self) -> None:
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._embedder.close()

    def _begin(self, text: str) -> asyncio.Task[Vector | None] | None:
        if len(self._under_way) >= _AT_ONCE:
            return None
        task = asyncio.create_task(self._embed(text))
        self._under_way[text] = task
        task.add_done_callback(lambda _: self._under_way.pop(text, None))
        return task

    async def _embed(self, text: str) -> Vector | None:
        try:
            [vector] = await self._embedder.embed([text])
        except Exception as error:  # noqa: BLE001 (whoever made the embedder: a search goes on without it)
            if not self._failing:
                log.warning("queries are searched for by their words alone: %r", error)
            self._failing = True
            return None
        self._failing = False
        self._keep(text, vector)
        return vector

    def _keep(self, text: str, vector: Vector) -> None:
        self._kept[text] = vector
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def _counted(self, vector: Vector | None) -> Vector | None:
        if vector is None:
            self.counts.failed += 1
        else:
            self.counts.embedded += 1
        return vector


def connect(settings: Settings) -> QueryVectors | None:
    """Return None when there is to be no embedder. Raises ConfigurationError like `embedder_of`."""
    deadline = settings.embedding_deadline_ms / 1000
    embedder = embedder_of(settings, timeout=max(_PATIENCE, deadline))
    return None if embedder is None else QueryVectors(embedder, deadline)
