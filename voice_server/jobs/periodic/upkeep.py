"""Upkeep: what keeps the cache true when something was down. Runs in every worker; twice at once does no
harm."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.jobs import ingest
from voice_server.operations import fill_cache
from voice_server.operations.cache_size import CacheSize
from voice_server.queue import digest_requests, prompt_requests, queue
from voice_server.runtime.quiet_hours import QuietHours
from voice_server.store import rounds, session
from voice_server.store.people import users
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import Templates
from voice_server.templates.library import DEFAULT, TemplateLibrary

log = logging.getLogger(__name__)

_BATCH = 500


class Intervals(Struct, frozen=True):
    """Seconds between two runs of each."""

    refill: float = 2.0
    refresh: float = 5.0
    sweep: float = 30.0
    measure: float = 3600.0
    prune: float = 3600.0


class Upkeep:
    """The upkeep of one worker. `clock` gives unix seconds. At most `waiting` rebuilds of stale prompts
    wait. What an upgrade leaves to be digested anew is, within `quiet` hours, some at a time."""

    def __init__(
        self,
        engine: AsyncEngine,
        redis: Redis,
        templates: TemplateLibrary,
        clock: Callable[[], float],
        *,
        waiting: int = _BATCH,
        quiet: QuietHours | None = None,
    ) -> None:
        self._engine = engine
        self._redis = redis
        self._templates = templates
        self._clock = clock
        self._waiting = waiting
        self._quiet = quiet
        self._size = CacheSize(engine, redis)

    def loops(self, every: Intervals) -> list[Coroutine[Any, Any, None]]:
        """Return loops, each for a task of its own: who cancels a group hears that it has ended while some
        still work."""
        return [
            repeat(self.refill, every.refill),
            repeat(self.refresh, every.refresh),
            repeat(self.sweep, every.sweep),
            repeat(self.measure, every.measure),
            repeat(lambda: queue.prune(self._engine), every.prune),
        ]

    async def refill(self) -> None:
        """Put into Redis what it lost or never took: after a restart, everything."""
        if not await prompt_cache.is_filled(self._redis):
            await self._refill_all()
        await self._put_left_out()

    async def sweep(self) -> None:
        await self.refresh()
        await self.wake()

    async def refresh(self) -> None:
        """Ask for rebuilds of stale prompts, as many as there is room for: a midnight, or an edit that
        concerns everybody, is spread over time. One worker at a time."""
        self._templates.refresh()
        now = datetime.fromtimestamp(self._clock(), UTC)
        templates = Templates(self._templates.versions, DEFAULT)
        async with self._engine.begin() as connection:
            if not await rounds.alone(connection, "stale prompts"):
                return
            room = self._waiting - await prompt_requests.waiting(connection, self._waiting)
            for target in sorted(
                await prompts.stale(connection, templates, now, room)
            ):  # sorted: no deadlock
                await prompt_requests.request(connection, target.user_id, target.agent_id, trigger="upkeep")

    async def measure(self) -> None:
        if shortage := await self._size.shortage():
            log.warning("the cache is %s", shortage)

    async def wake(self) -> None:
        """Have done what no job is alive for: a job is put aside when Postgres cannot write that it is to be
        tried again."""
        await ingest.wake(self._engine)
        await digest_requests.wake(self._engine, later=self._anew())
        await queue.wake_forgotten(self._engine)

    def _anew(self) -> int | None:
        if self._quiet is None:
            return None
        return _BATCH if self._quiet.hold(datetime.fromtimestamp(self._clock(), UTC)) else 0

    async def _refill_all(self) -> None:
        started = time.monotonic()
        count = await fill_cache.fill_all(self._engine, self._redis)
        if count:
            log.info("refilled %d cached prompts in %.1f s", count, time.monotonic() - started)

    async def _put_left_out(self) -> None:
        """Lock the copies that were built while Redis was away, so that no rebuild comes in between."""
        async with self._engine.begin() as connection:
            left_out = await prompts.not_in_cache(connection, _BATCH)
            for target, entry in left_out:
                known_as = await users.addresses_of(connection, target.user_id)
                await prompt_cache.put(self._redis, [(target.agent_id, one, entry) for one in known_as])
            if left_out:
                await prompts.set_in_cache(connection, [target for target, _ in left_out], in_cache=True)


async def repeat(
    work: Callable[[], Awaitable[object]], seconds: float, after_trouble: float | None = None
) -> None:
    """Log what fails once per outage, and try again, `after_trouble` seconds later where that is given."""
    failing = False
    while True:
        try:
            await work()
            failing = False
        except (*session.ERRORS, RedisError) as error:
            if not failing:
                log.warning("upkeep has to wait: %r", error)
            failing = True
        await asyncio.sleep(after_trouble if failing and after_trouble else seconds)
