"""The worker process: the queue and every job it runs."""

import asyncio
import contextlib
import time
from collections.abc import Callable

from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server import redis_client, tokens
from voice_server.jobs.digest import DigestJob
from voice_server.jobs.ingest import DIGEST, INGEST, Ingest, Rules
from voice_server.jobs.queue import Queue, Retries
from voice_server.jobs.rebuild import REBUILD, Rebuild
from voice_server.jobs.upkeep import Every, Upkeep
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.templates import TemplateLibrary


class Worker:
    """Everything one worker needs. Connects to nothing before it is used; `close` when done."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        """Raises ConfigurationError when a template is wrong. `clock` gives unix seconds."""
        count = tokens.counter()
        self.engine: AsyncEngine = session.connect(settings.database_url, settings.database_pool)
        self.redis = redis_client.connect(settings.redis_url)
        self.templates = TemplateLibrary(
            settings.prompt_templates, limit=settings.prompt_token_limit, count=count
        )
        self.rebuild = Rebuild(
            self.redis,
            self.templates,
            count,
            clock,
            limit=settings.prompt_token_limit,
            default_timezone=settings.default_timezone,
        )
        self.upkeep = Upkeep(self.engine, self.redis, self.templates, clock)
        self.queue = Queue(
            self.engine,
            Retries(settings.job_max_attempts, settings.job_heartbeat_seconds, settings.worker_concurrency),
        )
        self._register_jobs(settings)

    def _register_jobs(self, settings: Settings) -> None:
        rules = Rules(settings.default_region, settings.min_call_seconds, settings.register_agents)
        ingest = Ingest(self.engine, self.redis, self.templates, rules)
        digest = DigestJob(self.engine, self.templates, settings.default_timezone)
        self.queue.job(INGEST, ingest.run, exhausted=ingest.give_up)
        self.queue.job(DIGEST, digest.run)
        self.queue.coalesced(REBUILD, self.rebuild.prepare)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set. A mistake of ours in the upkeep ends the worker: without it the cache
        would silently stay as it is."""
        upkeep = asyncio.create_task(self.upkeep.run(Every()))
        upkeep.add_done_callback(lambda _: stop.set())
        try:
            await self.queue.run(stop)
        finally:
            upkeep.cancel()
            await self.close()
        with contextlib.suppress(asyncio.CancelledError):
            await upkeep

    async def close(self) -> None:
        """Let go of Postgres and Redis."""
        await self.redis.aclose()
        await self.engine.dispose()
