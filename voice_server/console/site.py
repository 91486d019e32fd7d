"""The console: what an operator sees of the server. Each page is whole and works without a script; the
functions behind it also answer the API."""

import logging

from redis.exceptions import RedisError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from voice_server.api.http import problem
from voice_server.api.http.dependencies import Dependencies
from voice_server.console import assets, view
from voice_server.console.guard import ConsoleRules, Guard, away
from voice_server.console.pages import (
    agents,
    as_json,
    changes,
    composer,
    conversation,
    events,
    knowledge,
    live,
    login,
    overview,
    person,
    prompt,
    search,
    timeline,
)
from voice_server.console.session import Sessions
from voice_server.errors import AgentNotFound, ChatRefused, Conflict, NotFound
from voice_server.runtime.shutdown import Shutdown
from voice_server.store import session

log = logging.getLogger(__name__)


def routes(
    dependencies: Dependencies, sessions: Sessions, rules: ConsoleRules, shutdown: Shutdown
) -> list[BaseRoute]:
    pages = Starlette(
        routes=[
            Route("/", overview.show),
            Route("/live", live.listen),
            Route("/login", login.show, methods=["GET"]),
            Route("/login", login.enter, methods=["POST"]),
            Route("/logout", login.leave, methods=["POST"]),
            Route("/people", person.everybody),
            Route("/people/{user_id}", person.show),
            Route("/people/{user_id}/timeline", timeline.pick),
            Route("/people/{user_id}/timeline/{which}", timeline.show),
            Route("/people/{user_id}/timeline/{which}/summaries", timeline.earlier_versions),
            Route("/people/{user_id}/timeline/{which}/summary", timeline.renew, methods=["POST"]),
            Route("/people/{user_id}/days", timeline.all_days),
            Route("/people/{user_id}/messages", composer.write, methods=["POST"]),
            Route("/people/{user_id}/answer", composer.listen),
            Route("/people/{user_id}/answer/stop", composer.stop, methods=["POST"]),
            Route("/people/{user_id}/prompts/{version}", prompt.of_user),
            Route("/people/{user_id}/search", search.show),
            Route("/people/{user_id}/facts", knowledge.of_facts),
            Route("/people/{user_id}/facts/{fact_id:int}", knowledge.of_fact),
            Route("/people/{user_id}/threads", knowledge.of_threads),
            Route("/people/{user_id}/thoughts", knowledge.of_thoughts),
            Route("/people/{user_id}/relationship", knowledge.of_relationship, methods=["GET"]),
            Route("/people/{user_id}/relationship", changes.of_relationship, methods=["POST"]),
            Route("/remember", changes.remember, methods=["POST"]),
            Route("/facts/{fact_id:int}", changes.of_fact, methods=["POST"]),
            Route("/threads/{thread_id:int}", changes.of_thread, methods=["POST"]),
            Route("/thoughts/{thought_id:int}", changes.of_thought, methods=["POST"]),
            Route("/conversations/{conversation_id:int}", conversation.show),
            Route("/conversations/{conversation_id:int}/messages/{position:int}", conversation.one_message),
            Route("/conversations/{conversation_id:int}/prompt", prompt.of_conversation),
            Route("/events", events.show),
            Route("/events/retry", events.ask, methods=["GET"]),
            Route("/events/retry", events.retry, methods=["POST"]),
            Route("/events/{event_id:int}", events.whole),
            Route("/events/{event_id:int}/replay", events.replay, methods=["POST"]),
            Route("/agents", agents.show),
            Route("/agents/{agent_id:path}/prompt", agents.default_prompt),
            Route("/agents/{agent_id:path}", agents.one),
            Mount("/api", as_json.answer),
            Route("/static/{name:path}", assets.show),
        ],
        exception_handlers={
            NotFound: _not_found,
            AgentNotFound: _not_found,
            Conflict: _conflict,
            ChatRefused: _refused,
            404: _no_page,
            422: _unreadable,
            500: _failed,
            **dict.fromkeys((*session.ERRORS, RedisError, OSError), _unavailable),
        },
    )
    pages.state.dependencies = dependencies
    pages.state.sessions = sessions
    pages.state.read_only = rules.read_only
    pages.state.shutdown = shutdown
    pages.state.lines = set()
    return [Mount("/console", Guard(pages, sessions, rules))]


def _not_found(request: Request, error: Exception) -> Response:
    response = view.error_page(404, "Not there", str(error))
    if "hx-request" in request.headers:  # what the page shows is gone: it is loaded anew, and says so
        response.headers["hx-refresh"] = "true"
    return response


def _no_page(_request: Request, _error: Exception) -> Response:
    return view.error_page(404, "Not there", "There is no such page.")


def _unreadable(_request: Request, _error: Exception) -> Response:
    """Answer for a cursor that is none, which pages read as the API does."""
    return view.error_page(422, "Not so", "The link to this part of a list is not whole. Begin at its start.")


def _conflict(_request: Request, error: Exception) -> Response:
    return view.error_page(409, "Not so", str(error))


def _refused(_request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, ChatRefused) else 503
    return view.error_page(status, "Not now", str(error))


def _unavailable(_request: Request, error: Exception) -> Response:
    problem.check_theirs(error)
    log.error("a page of the console failed: %r", error)
    return away()


def _failed(_request: Request, _error: Exception) -> Response:
    return view.error_page(500, "Failed", "The server failed; its log says why.")
