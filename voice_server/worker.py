"""The worker process: the queue and every job it runs."""

import asyncio
import contextlib
import math
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.cache import redis_client
from voice_server.context.layout import tokens
from voice_server.digest import preparation
from voice_server.jobs import index, rebuild
from voice_server.jobs.day_summaries import DaySegments
from voice_server.jobs.digest_conversations import DigestJob
from voice_server.jobs.digest_with_model import DigestWithModel, ModelBounds
from voice_server.jobs.embed import AT_ONCE, Embed
from voice_server.jobs.forget_address import ForgetAddress
from voice_server.jobs.index import Index
from voice_server.jobs.ingest import Ingest, Rules
from voice_server.jobs.late_notes import LateNotes
from voice_server.jobs.periodic import upkeep
from voice_server.jobs.periodic.expiry import Expiry, ThreadLifetimes
from voice_server.jobs.periodic.quiet_chats import QuietChats
from voice_server.jobs.periodic.retention import Retention, RetentionDays
from voice_server.jobs.periodic.timekeeping import Timekeeping
from voice_server.jobs.periodic.upkeep import Intervals, Upkeep
from voice_server.jobs.rebuild import Rebuild
from voice_server.jobs.summarise_chat import SummariseChat
from voice_server.jobs.summarise_day import SummariseDay
from voice_server.operations.chats.sum_up_chat import ChatSummaries, summing_rules
from voice_server.operations.readers import reader_of, summary_reader_of
from voice_server.queue.names import (
    DAY_SUMMARIES,
    DIGEST_CONVERSATIONS,
    DIGEST_CONVERSATIONS_LATER,
    DIGEST_WITH_MODEL,
    EMBED,
    FORGET_ADDRESS,
    INDEX,
    INGEST,
    INGEST_LATER,
    LATE_NOTES,
    REBUILD,
    SUMMARISE_CHAT,
    SUMMARISE_DAY,
)
from voice_server.queue.queue import CoalescedJob, PassJob, PlainJob, Queue, Retries
from voice_server.queue.rounds import Pace
from voice_server.runtime import background, collector
from voice_server.runtime.histogram import Histogram
from voice_server.runtime.quiet_hours import quiet_hours
from voice_server.search.embedding.registry import embedder_of
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.store.timings import Key
from voice_server.templates.library import TemplateLibrary

_SETTLED = 60.0  # seconds after its start until a worker looks for the first time at all there is
_READY = 5.0  # seconds after its start, when calls that waited have begun: then it gets ready for others
_YOUNG = 14_000  # objects: nobody waits for a worker while the collector walks what is young
_CATCH_UP = 3600.0  # seconds between two looks for talk that is not indexed, people without a prompt
_LOOKING = Pace(timedelta(seconds=_CATCH_UP), rest=1.0)
_WAKE = 30.0  # seconds between two looks for what awaits the model, or the embedder
# Old calls ingested, and users whose old calls are digested, at a time, in all workers together.
_BACKLOGS = 2
_QUIET = 20.0  # seconds between two looks for chats in which nobody writes any more
_LAST_WORDS = 2.0  # seconds that an end waits for Postgres to take them
_TIMES = 5.0  # seconds between two times that it tells how long its work took
_DAY = 86_400.0  # seconds between two times that what is old goes
_AFTER_TROUBLE = 600.0  # seconds until the next try of that when Postgres was away
_NIGHT = 300.0  # seconds between two looks for days that are over, in every time zone


class Worker:
    """Everything one worker needs. Connects to nothing before it is used; `close` when done."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        """Raise ConfigurationError when a template is wrong, or the model or embedder is none. `clock` gives
        unix seconds."""
        count = tokens.counter()
        # What a job does is done again if it is lost, and what callers, writers or operators were told is
        # done stands on disk by then, by a web process or a command.
        self.engine: AsyncEngine = session.connect(
            settings.database_url, settings.database_pool, for_worker=True
        )
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
            day_pause=settings.day_pause_hours,
        )
        waiting = math.ceil(settings.stale_prompts_per_second * Intervals().refresh)
        quiet = quiet_hours(settings.quiet_hours, settings.default_timezone)
        self.upkeep = Upkeep(self.engine, self.redis, self.templates, clock, waiting=waiting, quiet=quiet)
        kept = RetentionDays(
            settings.events_kept_days,
            settings.prompts_kept_days,
            settings.failed_jobs_kept_days,
            settings.merge_undo_days,
        )
        self.retention = Retention(self.engine, kept, clock)
        open_for = ThreadLifetimes(
            settings.promises_open_days,
            settings.requests_open_days,
            settings.questions_open_days,
            settings.plans_open_days,
            settings.topics_open_days,
        )
        self.expiry = Expiry(self.engine, open_for, clock)
        self.queue = Queue(
            self.engine,
            Retries(settings.job_max_attempts, settings.job_heartbeat_seconds, settings.worker_concurrency),
        )
        self.timekeeping = Timekeeping(self.engine, self._histograms)
        self.reader = reader_of(settings, count)
        self.summary_reader = summary_reader_of(settings, count) if settings.summary_model else self.reader
        self.digest_with_model: DigestWithModel | None = None
        self.summarise_day: SummariseDay | None = None
        self.days = DaySegments(
            self.engine,
            self.templates,
            clock,
            default_timezone=settings.default_timezone,
            pause=timedelta(hours=settings.day_pause_hours),
            has_model=self.reader is not None and settings.llm_day_summaries,
        )
        self.chats = QuietChats(self.engine, clock, pause=timedelta(hours=settings.day_pause_hours))
        self.embedder = embedder_of(settings, timeout=settings.embedding_timeout_seconds)
        self.embed = Embed(self.engine, self.embedder, tokens.counter(), clock) if self.embedder else None
        self.digest = DigestJob(
            self.engine,
            self.templates,
            settings.default_timezone,
            has_model=self.reader is not None,
            pause=timedelta(seconds=settings.backlog_pause_seconds),
            tries=settings.job_max_attempts,
            digested=self.embed.ask if self.embed else None,
        )
        if self.reader is not None:
            bounds = ModelBounds(
                settings.llm_tokens_per_day,
                settings.llm_window_tokens,
                settings.llm_windows,
                reviews=settings.llm_review,
            )
            self.digest_with_model = DigestWithModel(
                self.engine, self.digest, self.reader, tokens.counter(), clock, bounds
            )
            self.summarise_day = SummariseDay(
                self.engine,
                self.reader,
                self.digest_with_model,
                tokens.counter(),
                clock,
                tokens=settings.llm_window_tokens,
            )
        self.queue.register(*self._jobs(settings, clock))

    def _jobs(
        self, settings: Settings, clock: Callable[[], float]
    ) -> tuple[PlainJob | CoalescedJob | PassJob, ...]:
        rules = Rules(
            settings.default_region,
            settings.min_call_seconds,
            settings.register_agents,
            settings.redact_transcripts,
        )
        chats = ChatSummaries(
            self.engine,
            self.templates,
            self.summary_reader,
            summing_rules(settings),
            tokens.counter(),
            lambda: datetime.fromtimestamp(clock(), UTC),
        )
        ingest = Ingest(self.engine, self.redis, self.templates, rules)
        late_notes = LateNotes(self.engine, self.templates, clock, settings.default_timezone)
        with_model = self.digest_with_model.run if self.digest_with_model else None
        summarise = self.summarise_day.run if self.summarise_day else None
        embed = self.embed.run if self.embed else None
        return (
            PlainJob(INGEST, ingest.run, ingest.give_up),
            PlainJob(INGEST_LATER, ingest.run, ingest.give_up, at_once=_BACKLOGS),
            PassJob(DIGEST_CONVERSATIONS, self.digest.run),
            PassJob(DIGEST_CONVERSATIONS_LATER, self.digest.catch_up, at_once=_BACKLOGS),
            PlainJob(DIGEST_WITH_MODEL, with_model, at_once=settings.llm_concurrency),
            CoalescedJob(DAY_SUMMARIES, self.days.prepare),
            PlainJob(SUMMARISE_DAY, summarise, at_once=settings.llm_concurrency),
            PlainJob(SUMMARISE_CHAT, SummariseChat(chats).run, at_once=settings.llm_concurrency),
            PassJob(LATE_NOTES, late_notes.run),
            CoalescedJob(INDEX, Index().prepare),
            PlainJob(EMBED, embed, at_once=AT_ONCE),
            CoalescedJob(REBUILD, self.rebuild.prepare),
            PassJob(FORGET_ADDRESS, ForgetAddress(self.engine, self.redis, settings.default_region).run),
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set. A mistake of ours in the upkeep ends the worker: without it the cache
        would silently stay as it is."""
        works = [*self.upkeep.loops(Intervals())]
        works.append(upkeep.repeat(self.retention.prune, _DAY, _AFTER_TROUBLE))
        works.append(upkeep.repeat(self.expiry.expire, _DAY, _AFTER_TROUBLE))
        works.append(upkeep.repeat(self.days.wake, _NIGHT))
        works.append(upkeep.repeat(self.chats.wake, _QUIET))
        works.append(upkeep.repeat(self.timekeeping.tell, _TIMES))
        works.append(_catch_up(lambda: index.catch_up(self.engine, _LOOKING)))
        works.append(_catch_up(lambda: rebuild.catch_up(self.engine, _LOOKING)))
        if self.digest_with_model is not None:
            works.append(upkeep.repeat(self.digest_with_model.wake, _WAKE))
        if self.summarise_day is not None:
            works.append(upkeep.repeat(self.summarise_day.wake, _WAKE))
        if self.embed is not None:
            works.append(upkeep.repeat(self.embed.wake, _WAKE))
        beside = [asyncio.create_task(work) for work in works]
        for task in beside:
            task.add_done_callback(lambda _: stop.set())
        background.start_thread(_ready, "what calls are digested with", after=_READY)
        try:
            await self.queue.run(stop)
        finally:
            await background.end(*beside)
            await self._tell_times_last()
            await self.close()
        for task in beside:
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _tell_times_last(self) -> None:
        with contextlib.suppress(*session.ERRORS):
            async with asyncio.timeout(_LAST_WORDS):
                await self.timekeeping.tell()

    def _histograms(self) -> dict[Key, Histogram]:
        jobs: dict[Key, Histogram] = {("job", name): seconds for name, seconds in self.queue.seconds.items()}
        return {**jobs, ("freshness", ""): self.rebuild.freshness}

    async def close(self) -> None:
        if self.embedder is not None:
            await self.embedder.close()
        for reader in (self.reader, self.summary_reader):
            if reader is not None:
                await reader.close()
        await self.redis.aclose()
        await self.engine.dispose()


def _ready() -> Iterator[Callable[[], object]]:
    """Yield what reads what digests are made with, and has the collector leave it alone: to walk it takes a
    fifth of a second, in which no job goes on."""
    yield from preparation.parts()
    yield partial(collector.settle, _YOUNG)


async def _catch_up(work: Callable[[], Awaitable[object]]) -> None:
    """Begin later: talk from before there was an index waits better than the calls that ended meanwhile."""
    await asyncio.sleep(_SETTLED)
    await upkeep.repeat(work, _CATCH_UP)
