"""The web process: lifespan, one routes table, and the pre-call ahead of it. Read this and you know the
server."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from voice_server import health
from voice_server.api import application, reference
from voice_server.api.completions import endpoint
from voice_server.api.completions.identity import Door, Keys
from voice_server.api.http.dependencies import Dependencies
from voice_server.cache import redis_client
from voice_server.cache.multiplexed import RedisLine
from voice_server.chat.claims import Claims
from voice_server.chat.recorder import TurnRecorder
from voice_server.chat.remote_model import RemoteChatReader, RemoteModel
from voice_server.chat.room import Room
from voice_server.chat.runner import LEASE, TurnRunner
from voice_server.chat.stateless import StatelessTurns
from voice_server.chat.turns import TurnRules, Turns
from voice_server.console import site
from voice_server.console.guard import ConsoleRules
from voice_server.console.session import Sessions
from voice_server.context.layout import tokens
from voice_server.context.screening import hygiene
from voice_server.digest.privacy import preparation
from voice_server.operations import model_configs
from voice_server.operations.chats.sum_up_chat import ChatSummaries, history_rules, summing_rules
from voice_server.operations.chats.text_context import TextContexts, WritingRules
from voice_server.platforms import registry
from voice_server.queue import prompt_requests
from voice_server.runtime import background, collector, right_of_way
from voice_server.runtime.shutdown import Shutdown
from voice_server.search.embedding import query_vectors
from voice_server.search.embedding.query_vectors import QueryVectors
from voice_server.search.hybrid import Semantics
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.templates.library import TemplateLibrary
from voice_server.tools import toolbox
from voice_server.tools.toolbox import Toolbox
from voice_server.webhooks import post_call, pre_call
from voice_server.webhooks.default_prompts import DefaultPrompts
from voice_server.webhooks.durable_copies import DurableCopies
from voice_server.webhooks.housekeeping import Housekeeping
from voice_server.webhooks.http.local_gate import LocalGate
from voice_server.webhooks.mcp.endpoint import McpEndpoint
from voice_server.webhooks.paths import MCP, POST_CALL, PRE_CALL, TOOLS
from voice_server.webhooks.post_call import PostCall
from voice_server.webhooks.pre_call import Defaults, PreCallApp
from voice_server.webhooks.signature import Tolerance
from voice_server.webhooks.tool_call import ToolCall

_LOOK = 0.5  # seconds between looks whether the process is to end
_FINISHING = 4.0  # seconds that answers under way then have: some give a process ten in all
_SETTLED = 5.0  # seconds after which a start is over
_REDIS_SHARE = 2 / 3  # of the pre-call's deadline; the rest is for the durable copy, which takes a few ms
_REDIS_AT_START = 1.0  # seconds a start waits for Redis; calls are answered without it


def create_app(settings: Settings, clock: Callable[[], float] = time.time) -> "VoiceApp":
    """Return the ASGI application, which connects to nothing before its lifespan starts. `clock` gives unix
    seconds. Raises ConfigurationError when a template, the Redis URL or the embedder is wrong."""
    services = _services(settings, clock)
    router = Starlette(
        routes=_routes(services), lifespan=lambda _app: _lifespan(services), exception_handlers=_ERRORS
    )
    return VoiceApp(services, router)


@dataclass(frozen=True)
class Chats:
    """What answers in writing, and sums that up."""

    turns: Turns
    stateless: StatelessTurns
    summaries: ChatSummaries

    def stop(self) -> None:
        self.turns.stop_all()
        self.stateless.stop_all()

    async def close(self) -> None:
        await self.turns.close()
        await self.stateless.close()


@dataclass(frozen=True)
class Services:
    """What the web process is made of. `queries` is None where nothing is searched by meaning."""

    settings: Settings
    clock: Callable[[], float]
    engine: AsyncEngine
    redis: Redis
    line: RedisLine
    durable: DurableCopies
    direct: session.DirectConnections
    queries: QueryVectors | None
    templates: TemplateLibrary
    pre_call: PreCallApp
    post_call: PostCall
    toolbox: Toolbox
    tools: ToolCall
    contexts: TextContexts
    chats: Chats
    mcp: McpEndpoint
    housekeeping: Housekeeping
    shutdown: Shutdown


def _services(settings: Settings, clock: Callable[[], float]) -> Services:
    database = (settings.database_url, settings.database_pool, settings.database_deadline_seconds)
    engine, direct = session.connect(*database), session.DirectConnections(*database)
    redis = redis_client.connect(settings.redis_url)
    line = RedisLine(settings.redis_url, deadline=_REDIS_SHARE * settings.pre_call_deadline_ms / 1000)
    durable = DurableCopies(settings.database_url)
    queries = query_vectors.connect(settings)
    templates = TemplateLibrary(
        settings.prompt_templates, limit=settings.prompt_token_limit, count=tokens.counter()
    )
    pre_calls, defaults = _pre_call(settings, clock, line, durable, templates)
    post_calls = PostCall(
        registry.DEFAULT,
        direct,
        settings.webhook_secrets,
        _tolerance(settings),
        _post_call_limits(settings),
        clock,
    )
    tools = _toolbox(settings, clock, engine, redis, templates, queries)
    contexts = TextContexts(
        engine,
        session.single_statements(engine),
        redis,
        templates,
        _writing_rules(settings),
        tokens.counter(),
        lambda: datetime.fromtimestamp(clock(), UTC),
    )
    return Services(
        settings=settings,
        clock=clock,
        engine=engine,
        redis=redis,
        line=line,
        durable=durable,
        direct=direct,
        queries=queries,
        templates=templates,
        pre_call=pre_calls,
        post_call=post_calls,
        toolbox=tools,
        contexts=contexts,
        chats=_chats(settings, contexts, tools),
        tools=ToolCall(tools, settings.tokens, settings.tool_body_limit),
        mcp=McpEndpoint(tools, settings.tokens, settings.tool_token_secrets, settings.tool_body_limit, clock),
        housekeeping=Housekeeping(engine, redis, pre_calls, defaults, register=settings.register_agents),
        shutdown=Shutdown(),
    )


def _pre_call(
    settings: Settings,
    clock: Callable[[], float],
    line: RedisLine,
    durable: DurableCopies,
    templates: TemplateLibrary,
) -> tuple[PreCallApp, DefaultPrompts]:
    defaults = DefaultPrompts(
        templates,
        tokens.counter(),
        clock,
        limit=settings.prompt_token_limit,
        timezone=settings.default_timezone,
    )
    limits = _pre_call_limits(settings)
    pre_calls = PreCallApp(
        registry.DEFAULT, line, settings.tokens, Defaults(defaults.of("")), limits, clock, durable
    )
    # Agents with templates of their own: theirs from the first call on.
    defaults.refresh(pre_calls.defaults, set())
    return pre_calls, defaults


def _toolbox(
    settings: Settings,
    clock: Callable[[], float],
    engine: AsyncEngine,
    redis: Redis,
    templates: TemplateLibrary,
    queries: QueryVectors | None,
) -> Toolbox:
    return Toolbox(
        engine,
        redis,
        templates,
        tokens.counter(),
        clock,
        partial(prompt_requests.request, trigger="tool"),
        _tool_rules(settings),
        semantics=_semantics(settings, queries),
    )


def _semantics(settings: Settings, queries: QueryVectors | None) -> Semantics | None:
    return None if queries is None else Semantics(queries, settings.search_vector_share)


def _chats(settings: Settings, contexts: TextContexts, toolbox: Toolbox) -> Chats:
    answering, summing_up = model_configs.answering(settings), model_configs.summing_up(settings)
    patience = settings.database_deadline_seconds
    pause = timedelta(hours=settings.day_pause_hours)
    recorder = TurnRecorder(contexts, pause, settings.redact_transcripts)
    model = RemoteModel(answering) if answering else None
    runner = TurnRunner(recorder, toolbox, model, patience) if model else None
    room = Room(settings.chat_concurrency)
    claims = Claims(contexts.engine, recorder, LEASE, settings.llm_tokens_per_day, contexts.now)
    turns = Turns(contexts.engine, claims, runner, TurnRules(settings.chat_wait_seconds, patience), room)
    stateless = StatelessTurns(contexts, toolbox, model, claims, room, turns.figures, patience)
    summaries = ChatSummaries(
        contexts.engine,
        contexts.templates,
        RemoteChatReader(summing_up) if summing_up else None,
        summing_rules(settings),
        contexts.count,
        contexts.now,
    )
    return Chats(turns, stateless, summaries)


@contextlib.asynccontextmanager
async def _lifespan(services: Services) -> AsyncIterator[None]:
    tasks = await _start(services)
    yield
    await background.end(*tasks)
    await _close(services)


async def _start(services: Services) -> list[asyncio.Task[None]]:
    right_of_way.spread()
    await services.line.open()
    with contextlib.suppress(TimeoutError):  # the first call after a start should find its prompt
        async with asyncio.timeout(_REDIS_AT_START):
            await services.line.ready()
    tasks = [
        background.start(
            services.housekeeping.run(services.settings.default_refresh_seconds),
            "what the web process does between calls",
        ),
        background.start(services.durable.stay_connected(), "what keeps durable copies at hand"),
        background.start(_stop_answers(services), "what stops answers when the process ends"),
    ]
    if services.queries is not None:
        services.queries.warm()
    # Two seconds of CPU: not while calls wait for the process to start.
    background.start_thread(preparation.parts, "what a chat or a note is looked through with", after=_SETTLED)
    hygiene.is_suspicious("")  # reads its phrases, which takes 0.1 s: not while a call waits
    collector.settle()
    return tasks


async def _stop_answers(services: Services) -> None:
    """Whoever waits for an answer is cut off in the end: what there is by then is told before."""
    while True:
        await asyncio.sleep(_LOOK)
        if services.shutdown.is_asked:
            break
    await asyncio.sleep(_FINISHING)
    services.chats.stop()


async def _close(services: Services) -> None:
    await services.chats.close()
    await services.mcp.close()
    await services.toolbox.close()
    if services.queries is not None:
        await services.queries.close()
    await services.line.close()
    await services.redis.aclose()
    services.durable.close()
    services.direct.close()
    await services.engine.dispose()


def _routes(services: Services) -> list[BaseRoute]:
    """`VoiceApp` takes the first four before this table is looked at."""
    settings = services.settings
    edge = _edge(services)
    bounds = (settings.api_body_limit, settings.database_deadline_seconds)
    return [
        Route(PRE_CALL, services.pre_call),
        Route(POST_CALL, services.post_call),
        Route(f"{TOOLS}{{name}}", services.tools),
        Route(MCP, services.mcp),
        Route("/healthz", health.healthz),
        Route("/readyz", health.Readiness(services.engine, services.redis, services.templates).__call__),
        Route("/metrics", _metrics(services).__call__),
        *application.routes(edge, settings.api_tokens, *bounds),
        *endpoint.routes(edge, _door(services), *bounds),
        *site.routes(edge, _sessions(services), _console_rules(settings), services.shutdown),
        *reference.routes(
            application.application(), LocalGate(settings.host, settings.api_tokens, "API_TOKEN")
        ),
    ]


def _console_rules(settings: Settings) -> ConsoleRules:
    here = ("localhost", "127.0.0.1", "::1", settings.host)
    names = frozenset(settings.console_names or here)
    return ConsoleRules(names, settings.console_read_only, settings.database_deadline_seconds)


def _sessions(services: Services) -> Sessions:
    settings = services.settings
    return Sessions(settings.console_secrets, settings.console_password, services.redis)


def _door(services: Services) -> Door:
    settings = services.settings
    keys = Keys(settings.api_tokens, settings.tokens, settings.tool_token_secrets)
    return Door(keys, services.clock)


def _metrics(services: Services) -> health.Metrics:
    counted = health.Counters(
        services.pre_call,
        services.post_call,
        services.toolbox,
        services.chats.turns.figures,
        services.queries.counts if services.queries else None,
    )
    gate = _metrics_gate(services.settings)
    return health.Metrics(services.engine, services.line, counted, services.templates, gate)


def _metrics_gate(settings: Settings) -> LocalGate:
    token = settings.metrics_token
    return LocalGate(settings.host, [token] if token else [], "METRICS_TOKEN", always=bool(token))


def _edge(services: Services) -> Dependencies:
    return Dependencies(
        services.engine,
        services.redis,
        services.templates,
        services.pre_call.defaults,
        services.clock,
        tokens.counter(),
        region=services.settings.default_region,
        timezone=services.settings.default_timezone,
        tokens_per_day=services.settings.llm_tokens_per_day,
        merge_undo_days=services.settings.merge_undo_days,
        day_pause=timedelta(hours=services.settings.day_pause_hours),
        redact_transcripts=services.settings.redact_transcripts,
        tool_token_secrets=services.settings.tool_token_secrets,
        contexts=services.contexts,
        turns=services.chats.turns,
        stateless=services.chats.stateless,
        summaries=services.chats.summaries,
        semantics=_semantics(services.settings, services.queries),
    )


class VoiceApp:
    """The platform's webhooks ahead of everything else: the router adds a fifth to the CPU of a pre-call. All
    below /tools/ goes to the tools, and /mcp/ where /mcp does: the router would redirect a slash too many
    without asking who it is."""

    def __init__(self, services: Services, router: Starlette) -> None:
        self.pre_call = services.pre_call
        self.shutdown = services.shutdown
        self.router = router
        self._tools = services.tools
        self._ahead: Mapping[str, ASGIApp] = {
            PRE_CALL: services.pre_call,
            POST_CALL: services.post_call,
            MCP: services.mcp,
            f"{MCP}/": services.mcp,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ahead = self._of(scope["path"]) if scope["type"] == "http" else None
        if ahead is None:
            await self.pre_call.right_of_way.let_pass(self.router(scope, receive, send))
        else:
            await ahead(scope, receive, send)

    def _of(self, path: str) -> ASGIApp | None:
        return self._ahead.get(path) or (self._tools if path.startswith(TOOLS) else None)


def _pre_call_limits(settings: Settings) -> pre_call.Limits:
    return pre_call.Limits(
        settings.pre_call_body_limit,
        settings.binding_ttl,
        settings.redial_window,
        settings.default_region,
        settings.pre_call_deadline_ms / 1000,
    )


def _post_call_limits(settings: Settings) -> post_call.Limits:
    return post_call.Limits(settings.post_call_body_limit, settings.audio_body_limit)


def _tool_rules(settings: Settings) -> toolbox.Rules:
    return toolbox.Rules(
        settings.tool_deadline_ms / 1000,
        settings.tool_answer_tokens,
        settings.binding_ttl,
        settings.tool_token_uses_per_hour,
        settings.default_timezone,
    )


def _writing_rules(settings: Settings) -> WritingRules:
    return WritingRules(
        settings.text_context_deadline_ms / 1000,
        settings.prompt_token_limit,
        settings.default_timezone,
        settings.day_pause_hours,
        history_rules(settings),
    )


def _tolerance(settings: Settings) -> Tolerance:
    return Tolerance(settings.signature_tolerance_past, settings.signature_tolerance_future)


def _not_found(request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": "not_found", "message": f"There is nothing at {request.url.path}."}, 404)


def _wrong_method(request: Request, error: Exception) -> Response:
    headers = error.headers if isinstance(error, HTTPException) else None
    message = f"{request.url.path} does not take {request.method}."
    return JSONResponse({"error": "method_not_allowed", "message": message}, 405, headers=headers)


def _failed(_request: Request, _error: Exception) -> Response:
    message = "The server failed; its log says why. Send it again."
    return JSONResponse({"error": "internal", "message": message}, 500)


_ERRORS = {404: _not_found, 405: _wrong_method, 500: _failed}
