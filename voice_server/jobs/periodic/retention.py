"""Retention: what has been kept for as long as the settings say goes, once a day, in small transactions.

    raw events that were ingested or ignored   their bodies; what arrived and what became of it stays
    prompts built, default ones too            all but those in use now, or spoken with in that time
    which prompts were erased                  all, after a month
    what a merge moved, once it stays          the merge itself stays
    jobs put aside as failed                   deleted; a failed event itself waits for its replay

Runs beside the queue in every worker; several at once share the work.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.queue import queue, rounds
from voice_server.queue.rounds import Pace
from voice_server.store.lifecycle import erasures, merges, webhook_events
from voice_server.store.prompts import default_prompts, prompts

log = logging.getLogger(__name__)

_UNDER_WAY = 30  # days; no call takes so long, nor does its event
_BATCH = 500
_PAGE = 2000  # prompts looked at in one transaction
_REST = 0.05  # seconds between two batches: calls and jobs go first

Forget = Callable[[AsyncConnection, datetime, int, int], Awaitable[list[int]]]


class RetentionDays(Struct, frozen=True):
    """Days for which each is kept; 0 is for ever. `merges`: what it takes to undo one."""

    events: int = 30
    prompts: int = 90
    failed_jobs: int = 90
    merges: int = 30


class Retention:
    def __init__(self, engine: AsyncEngine, kept: RetentionDays, clock: Callable[[], float]) -> None:
        self._engine = engine
        self._kept = kept
        self._clock = clock

    async def prune(self) -> None:
        kept = self._kept
        await self._prune("bodies of events", kept.events, webhook_events.forget_bodies)
        await self._prune_prompts(kept.prompts)
        await self._prune("default prompts", kept.prompts, default_prompts.forget_old)
        await self._prune("merges' notes of what they moved", kept.merges, merges.forget_moved)
        await self._prune("names of erased prompts", _UNDER_WAY, erasures.forget_old_prompts)
        await self._prune("spans of erased talk", _UNDER_WAY, erasures.forget_old_spans)
        await self._prune("failed jobs", kept.failed_jobs, queue.forget_failed)

    async def _prune(self, what: str, days: int, forget: Forget) -> None:
        if not days:
            return
        before = self._before(days)
        last, count, batch = 0, 0, [0] * _BATCH
        while len(batch) == _BATCH:
            async with self._engine.begin() as connection:
                batch = await forget(connection, before, last, _BATCH)
            last, count = max(batch, default=last), count + len(batch)
            await asyncio.sleep(_REST)
        _tell(count, what, days)

    async def _prune_prompts(self, days: int) -> None:
        """Look at all that are old, in pages: the newest of everybody stays."""
        if not days:
            return
        before, gone = self._before(days), 0

        async def look(connection: AsyncConnection, position: str) -> str:
            nonlocal gone
            count, last = await prompts.forget_old(connection, before, int(position or 0), _PAGE)
            gone += count
            return "" if last is None else str(last)

        await rounds.go(self._engine, "old prompts", look, Pace(rest=_REST))
        _tell(gone, "prompts", days)

    def _before(self, days: int) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC) - timedelta(days=days)


def _tell(count: int, what: str, days: int) -> None:
    if count:
        log.info("%d %s were older than %d days and are gone", count, what, days)
