"""The web process: lifespan, one routes table, and the pre-call ahead of it. Read this and you know the server."""

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from voice_server import background, health, redis_client, tokens
from voice_server.api import application as api
from voice_server.api.edge import Edge
from voice_server.jobs import rebuild
from voice_server.redis_line import RedisLine
from voice_server.search import embedding_query
from voice_server.search.meaning import Semantics
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.templates import TemplateLibrary
from voice_server.tools import catalogue, toolbox
from voice_server.tools.toolbox import Toolbox
from voice_server.webhooks import post_call, pre_call
from voice_server.webhooks.between_calls import BetweenCalls
from voice_server.webhooks.default_prompts import DefaultPrompts
from voice_server.webhooks.mcp_endpoint import McpEndpoint
from voice_server.webhooks.paths import MCP, POST_CALL, PRE_CALL, TOOLS
from voice_server.webhooks.post_call import PostCall
from voice_server.webhooks.pre_call import Defaults, PreCallApp
from voice_server.webhooks.signature import Tolerance
from voice_server.webhooks.tool_call import ToolCall

_REDIS_AT_START = 1.0  # seconds a start waits for Redis; calls are answered without it


def create_app(settings: Settings, clock: Callable[[], float] = time.time) -> "VoiceApp":
    """The ASGI application. Connects to nothing before its lifespan starts. `clock` gives unix seconds.

    Raises ConfigurationError when a template, the Redis URL or the embedder is wrong.
    """
    engine = session.connect(
        settings.database_url, settings.database_pool, settings.database_deadline_seconds
    )
    redis = redis_client.connect(settings.redis_url)
    line = RedisLine(settings.redis_url, deadline=settings.pre_call_deadline_ms / 1000)
    count = tokens.counter()
    templates = TemplateLibrary(settings.prompt_templates, limit=settings.prompt_token_limit, count=count)
    defaults = DefaultPrompts(
        templates, count, clock, limit=settings.prompt_token_limit, timezone=settings.default_timezone
    )
    before = PreCallApp(line, settings.tokens, Defaults(defaults.of("")), _pre_call_limits(settings), clock)
    defaults.refresh(
        before.defaults, set()
    )  # agents with templates of their own: theirs from the first call on
    direct = session.Direct(settings.database_url, settings.database_pool, settings.database_deadline_seconds)
    after = PostCall(
        direct, settings.webhook_secrets, _tolerance(settings), _post_call_limits(settings), clock
    )
    queries = embedding_query.connect(settings)
    tools = Toolbox(
        engine,
        redis,
        templates,
        count,
        clock,
        partial(rebuild.request, trigger="tool"),
        _tool_rules(settings),
        semantics=None if queries is None else Semantics(queries, settings.search_vector_share),
    )
    meanwhile = ToolCall(tools, settings.tokens, settings.tool_body_limit)
    mcp = McpEndpoint(tools, settings.tokens, settings.tool_token_secrets, settings.tool_body_limit, clock)
    between = BetweenCalls(engine, redis, before, defaults, register=settings.register_agents)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await line.open()
        with contextlib.suppress(TimeoutError):  # the first call after a start should find its prompt
            async with asyncio.timeout(_REDIS_AT_START):
                await line.ready()
        task = background.start(
            between.run(settings.default_refresh_seconds), "what the web process does between calls"
        )
        if queries is not None:
            queries.warm()
        gc.collect()
        gc.freeze()  # what is loaded by now stays: the collector need not walk it on a call
        yield
        task.cancel()
        await asyncio.wait([task])
        await mcp.close()
        await tools.close()
        if queries is not None:
            await queries.close()
        await line.close()
        await redis.aclose()
        direct.close()
        await engine.dispose()

    edge = Edge(
        engine,
        redis,
        templates,
        before.defaults,
        clock,
        region=settings.default_region,
        timezone=settings.default_timezone,
        merge_undo_days=settings.merge_undo_days,
    )
    routes = [
        Route(PRE_CALL, before),
        Route(POST_CALL, after),
        Route(f"{TOOLS}{{name}}", meanwhile),
        Route(MCP, mcp),
        Route("/healthz", health.healthz),
        Route("/readyz", health.Readiness(engine, redis, templates).__call__),
        Route(
            "/metrics",
            health.Metrics(
                engine,
                line,
                before.counts,
                after.counts,
                tools.counts,
                templates,
                settings.metrics_token,
                queries.counts if queries else None,
            ).__call__,
        ),
        *api.routes(edge, settings.api_tokens, settings.api_body_limit),
    ]
    router = Starlette(routes=routes, lifespan=lifespan, exception_handlers=_ERRORS)
    return VoiceApp(before, after, meanwhile, router)


class VoiceApp:
    """The ASGI application: the platform's webhooks ahead of everything else, because the router costs the
    pre-call a third of its requests per second. `webhooks.pre_call_protocol` takes `before` further ahead still."""

    def __init__(self, before: PreCallApp, after: PostCall, tools: ToolCall, router: Starlette) -> None:
        self.before = before
        self.router = router
        meanwhile = dict.fromkeys((f"{TOOLS}{name}" for name in catalogue.BY_NAME), tools)
        self._ahead: Mapping[str, ASGIApp] = {PRE_CALL: before, POST_CALL: after, **meanwhile}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        ahead = self._ahead.get(scope["path"]) if scope["type"] == "http" else None
        await (ahead or self.router)(scope, receive, send)


def _pre_call_limits(settings: Settings) -> pre_call.Limits:
    return pre_call.Limits(
        settings.pre_call_body_limit, settings.binding_ttl, settings.redial_window, settings.default_region
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
