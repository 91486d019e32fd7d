"""The HTTP API that the host application calls: one module per resource, all listed here.

Guard (token, size of the body) → FastAPI (values, route) → resource → store → asks for one rebuild
"""

from collections.abc import Sequence
from functools import cache

from fastapi import Depends, FastAPI
from fastapi.security import HTTPBearer
from starlette.routing import BaseRoute, Mount

from voice_server.api.http import problem, rebuilding
from voice_server.api.http.auth import ApiGate, Guard
from voice_server.api.http.dependencies import Dependencies
from voice_server.api.http.on_behalf import UserTokens
from voice_server.api.routes import (
    agents,
    events,
    prompts,
    search,
    statistics,
    text_context,
    voice_context,
)
from voice_server.api.routes.conversations import chat, chat_summaries, chats, conversations
from voice_server.api.routes.knowledge import days, facts, forgotten_topics, relationship, thoughts, threads
from voice_server.api.routes.people import addresses, merges, tool_tokens, users

_RESOURCES = (
    chat,  # first: routes are looked through one after the other, and people wait for an answer
    users,
    addresses,
    merges,
    agents,
    voice_context,
    text_context,
    relationship,
    facts,
    threads,
    thoughts,
    forgotten_topics,
    conversations,
    chats,
    chat_summaries,
    days,
    search,
    prompts,
    rebuilding,
    events,
    statistics,
    tool_tokens,
)
_ABOUT = """What the agents know of the people who call, to be read and to be changed.

Every request carries `Authorization: Bearer <API_TOKEN>`; a user's own token opens their chats. Errors are problem+json (RFC 9457). Lists come a page at
a time: `next` of one is the `cursor` of the following. What can be changed has a version, which is its ETag:
sent back as `If-Match`, it keeps you from overwriting what somebody else changed meanwhile. A change that makes a
difference to a prompt has it rebuilt, once, however many there are.
"""  # noqa: E501 (the document's introduction, line by line)


def routes(
    dependencies: Dependencies, tokens: Sequence[str], body_limit: int, patience: float
) -> list[BaseRoute]:
    """`body_limit` is in bytes, `patience` in seconds of waiting for Postgres."""
    gate = ApiGate(tokens, UserTokens(dependencies.tool_token_secrets, dependencies.clock))
    return [Mount("/api", Guard(application(), dependencies, gate, body_limit, patience))]


@cache
def application() -> FastAPI:
    """Build the application once per process: FastAPI takes 60 ms to look at the resources. Each request
    brings its dependencies."""
    api = FastAPI(
        title="voice-server",
        description=_ABOUT,
        version="1",
        servers=[{"url": "/api"}],
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(HTTPBearer(auto_error=False, description="API_TOKEN"))],
        responses=problem.documented(401, 404, 413, 422, 503),
    )
    for resource in _RESOURCES:
        api.include_router(resource.router)
    problem.install(api)
    return api
