"""For the operator: is the process alive, can it work, and what has it done?"""

import asyncio
import platform
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

import sqlalchemy as sa
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from voice_server.cache import prompt_cache
from voice_server.cache.multiplexed import RedisLine
from voice_server.chat.turn import TurnFigures
from voice_server.operations.cache_size import CacheSize
from voice_server.queue import queue
from voice_server.runtime.histogram import Bucket
from voice_server.runtime.release import VERSION
from voice_server.search.embedding import query_vectors
from voice_server.store import model_usage, session, timings
from voice_server.store.knowledge import digests, due_digests
from voice_server.store.lifecycle import webhook_events
from voice_server.store.model_usage import Usage
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import Templates
from voice_server.store.timings import Key
from voice_server.templates.library import DEFAULT, TemplateLibrary
from voice_server.tools.toolbox import Toolbox
from voice_server.webhooks import pre_call
from voice_server.webhooks.http.local_gate import LocalGate
from voice_server.webhooks.post_call import PostCall

_PATIENCE = 2.0  # seconds for each to answer: who asks does not wait much longer
_COUNTING = 4.0  # seconds for Postgres to count; Prometheus waits for ten
_IS_READY = sa.text("select from webhook_events limit 1")
_FAILED = (SQLAlchemyError, RedisError, OSError, TimeoutError)


async def healthz(_request: Request) -> Response:
    return PlainTextResponse("ok")


class Readiness:
    """Whether Postgres and Redis answer. Pre-calls are served without either."""

    def __init__(self, engine: AsyncEngine, redis: Redis, templates: TemplateLibrary) -> None:
        self._engine = engine
        self._redis = redis
        self._templates = templates
        self._size = CacheSize(engine, redis)

    async def __call__(self, _request: Request) -> Response:
        """Answer 200 when both answer, else 503. Wrong templates and a cache that is too small are named, and
        stop nobody."""
        postgres, redis, room = await asyncio.gather(self._postgres(), self._answers(), self._room())
        parts = {"postgres": postgres, "redis": redis, "cache": room, "templates": self._wrong_templates()}
        return JSONResponse(parts, 200 if postgres == redis == "ok" else 503)

    def _wrong_templates(self) -> str:
        wrong = ", ".join(sorted(self._templates.errors))
        return f"wrong: {wrong} (the log says where)" if wrong else "ok"

    async def _postgres(self) -> str:
        try:
            await session.within(_PATIENCE, self._ask())
        except ProgrammingError:
            return "not migrated: run `voice-server migrate`"
        except _FAILED as error:
            return f"{type(error).__name__}"
        return "ok"

    async def _ask(self) -> None:
        async with self._engine.connect() as connection:
            await connection.execute(_IS_READY)

    async def _room(self) -> str:
        try:
            return await session.within(_PATIENCE, self._size.shortage()) or "ok"
        except _FAILED as error:
            return f"{type(error).__name__}"

    async def _answers(self) -> str:
        try:
            async with asyncio.timeout(_PATIENCE):
                await prompt_cache.ping(self._redis)
        except _FAILED as error:
            return f"{type(error).__name__}"
        return "ok"


class Counters(NamedTuple):
    """What a web process counts for itself. `queries` is None where nothing is searched by meaning."""

    pre_calls: pre_call.PreCallApp
    post_calls: PostCall
    tools: Toolbox
    turns: TurnFigures
    queries: query_vectors.Counts | None


class Metrics:
    """Prometheus metrics of this process, and the queue's and events' state in Postgres."""

    def __init__(
        self,
        engine: AsyncEngine,
        line: RedisLine,
        counted: Counters,
        templates: TemplateLibrary,
        gate: LocalGate,
    ) -> None:
        self._engine = engine
        self._line = line
        self._templates = templates
        self._before = counted.pre_calls
        self._after = counted.post_calls
        self._tools = counted.tools
        self._turns = counted.turns
        self._queries = counted.queries
        self._gate = gate

    async def __call__(self, request: Request) -> Response:
        if refusal := self._gate.refusal(request.headers):
            return refusal
        registry = CollectorRegistry()
        registry.register(_Families([*self._own(), *self._times(), *await self._stored()]))
        ProcessCollector(registry=registry)
        return Response(generate_latest(registry), media_type="text/plain; version=0.0.4; charset=utf-8")

    def _own(self) -> Iterator[Metric]:
        yield _counter("voice_pre_calls", "Pre-calls by how they were answered", vars(self._before.counts))
        yield _counter(
            "voice_pre_call_prompts", "Prompts told, by where they came from", self._before.sources
        )
        if self._before.durable is not None:
            reads = vars(self._before.durable.counts)
            yield _counter("voice_durable_reads", "Prompts that a call asked of Postgres", reads)
        yield _counter(
            "voice_post_calls", "Post-call deliveries by what became of them", vars(self._after.counts)
        )
        yield _counter("voice_tool_calls", "Uses of tools by how they went", vars(self._tools.counts))
        yield _counter("voice_chat_turns", "Turns of chats by how they ended", self._turns.outcomes)
        yield _counter(
            "voice_chat_messages",
            "Messages of chats, by what their history made of them",
            self._turns.messages,
        )
        yield _counter(
            "voice_chat_context_part_seconds",
            "To make what turns of chats are told, by part",
            self._turns.context_parts,
            label="part",
        )
        if self._queries is not None:
            yield _counter(
                "voice_query_vectors", "Queries by how their vectors were had", vars(self._queries)
            )
        yield _counter("voice_redis_line", "The pre-call's connection to Redis", vars(self._line.counters))
        wrong = len(self._templates.errors)
        yield GaugeMetricFamily("voice_wrong_templates", "Folders of templates that cannot be used", wrong)
        release = GaugeMetricFamily("voice_build_info", "What runs here", labels=["version", "python"])
        release.add_metric([VERSION, platform.python_version()], 1)
        yield release

    def _times(self) -> Iterator[Metric]:
        before = HistogramMetricFamily(
            "voice_pre_call_duration_seconds", "From a pre-call's request to its answer", labels=[]
        )
        after = HistogramMetricFamily(
            "voice_post_call_duration_seconds", "From the head of an event to its answer", labels=[]
        )
        first = HistogramMetricFamily(
            "voice_chat_first_text_seconds", "From a turn of a chat to the first of its answer", labels=[]
        )
        whole = HistogramMetricFamily(
            "voice_chat_turn_duration_seconds", "From a turn of a chat to its end", labels=[]
        )
        context = HistogramMetricFamily(
            "voice_chat_context_seconds", "To read and build what a turn of a chat is told", labels=[]
        )
        yield _histogram(before, {"": self._before.seconds})
        yield _histogram(after, {"": self._after.seconds})
        yield _histogram(first, {"": self._turns.first_text})
        yield _histogram(whole, {"": self._turns.whole})
        yield _histogram(context, {"": self._turns.context})
        yield _histogram(
            HistogramMetricFamily(
                "voice_tool_call_duration_seconds", "From a use of a tool to its answer", labels=["tool"]
            ),
            self._tools.seconds,
        )

    async def _stored(self) -> list[Metric]:
        try:
            return await session.within(_COUNTING, self._ask())
        except _FAILED:
            return []

    async def _ask(self) -> list[Metric]:
        async with self._engine.connect() as connection:
            jobs = await queue.counts(connection)
            waited = await queue.oldest(connection)
            last = await webhook_events.last_received(connection)
            times = await timings.total(connection)
            events = await webhook_events.counts(connection, ("received", "failed"))
            model = await model_usage.total(connection)
            awaiting = await digests.count_awaiting(connection)
            due = await due_digests.counts(connection)
            stale = await prompts.count_stale(connection, Templates(self._templates.versions, DEFAULT))
        by_job = GaugeMetricFamily("voice_jobs", "Jobs by name and status", labels=["job", "status"])
        for (name, status), count in sorted(jobs.items()):
            by_job.add_metric([name, status], count)
        by_event = GaugeMetricFamily("voice_events", "Events not yet ingested, or failed", labels=["status"])
        for status, count in events.items():
            by_event.add_metric([status], count)
        by_state = GaugeMetricFamily(
            "voice_digests", "Conversations to digest: due, later, or put aside as failed", labels=["state"]
        )
        for state, count in due.items():
            by_state.add_metric([state], count)
        by_cause = GaugeMetricFamily(
            "voice_stale_prompts",
            "Prompts to be made anew: by the clock, or of other templates",
            labels=["cause"],
        )
        by_cause.add_metric(["clock"], stale.clock)
        by_cause.add_metric(["templates"], stale.templates)
        return [
            by_job,
            *_of_jobs(waited, times),
            *([] if last is None else [_last_post_call(last.timestamp())]),
            by_event,
            by_state,
            by_cause,
            CounterMetricFamily("voice_model_calls", "Calls of the model", model.calls),
            _counter("voice_model_tokens", "Tokens it read and wrote", _tokens(model), label="direction"),
            GaugeMetricFamily(
                "voice_digests_awaiting_model", "Digests to be made by the model yet", awaiting
            ),
        ]


class _Families(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterable[Metric]:
        return self._families


def _of_jobs(waited: Mapping[str, float], times: Mapping[Key, Iterable[Bucket]]) -> Iterator[Metric]:
    oldest = GaugeMetricFamily(
        "voice_oldest_job_seconds", "For how long the oldest waiting job has waited", labels=["job"]
    )
    for name, seconds in sorted(waited.items()):
        oldest.add_metric([name], seconds)
    yield oldest
    yield _histogram(
        HistogramMetricFamily("voice_job_duration_seconds", "From a job's start to its end", labels=["job"]),
        {label: buckets for (name, label), buckets in times.items() if name == "job"},
    )
    yield _histogram(
        HistogramMetricFamily(
            "voice_webhook_to_prompt_seconds", "From an event to the prompt that knows its call", labels=[]
        ),
        {label: buckets for (name, label), buckets in times.items() if name == "freshness"},
    )


def _last_post_call(at: float) -> Metric:
    return GaugeMetricFamily("voice_last_post_call_timestamp_seconds", "When the latest event came in", at)


def _histogram(
    family: HistogramMetricFamily, by_label: Mapping[str, Iterable[Bucket]]
) -> HistogramMetricFamily:
    for label, buckets in sorted(by_label.items()):
        bounds, times, seconds = zip(*buckets, strict=True)
        counted = zip(map(floatToGoString, bounds), map(float, accumulate(times)), strict=True)
        family.add_metric([label] if label else [], list(counted), sum(seconds))
    return family


def _tokens(used: Usage) -> dict[str, int]:
    return {"in": used.tokens_in, "out": used.tokens_out}


def _counter(name: str, documentation: str, counts: Mapping[str, float], label: str = "outcome") -> Metric:
    family = CounterMetricFamily(name, documentation, labels=[label])
    for outcome, count in counts.items():
        family.add_metric([outcome], count)
    return family
