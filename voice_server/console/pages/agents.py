"""Is the agent set up right? Templates are files, which can be read here."""

from starlette.requests import Request
from starlette.responses import Response

from voice_server.api.http import paging
from voice_server.console import connections, portions, view
from voice_server.console.pages import prompt
from voice_server.context.section_budgets import budgets
from voice_server.store.conversations import conversation_views
from voice_server.store.people import agents
from voice_server.store.prompts import prompt_history

_SHOWN = 100
_ROW = 380  # bytes of an agent in the list beside its id and its numbers


async def show(request: Request) -> Response:
    dependencies = connections.dependencies(request)
    after = paging.after(request.query_params.get("cursor"), str) or ""
    midnight = dependencies.now().replace(hour=0, minute=0, second=0, microsecond=0)
    async with connections.connection(request) as connection:
        known = await agents.page(connection, after=after, limit=_SHOWN + 1)
        begun = await conversation_views.begun_with_agents(connection, midnight)
    page = paging.page(known, portions.fitting(map(_size, known[:_SHOWN])), lambda row: row.id)
    configured = {one.id: dependencies.templates.agent(one.id).agent for one in page["items"]}
    return await view.page(
        "agents.html",
        agents=page["items"],
        following=page["next"],
        configured=configured,
        begun=begun,
        errors=dependencies.templates.errors,
        wrong={one.id for one in known if dependencies.templates.errors_of(one.id)},
    )


def _size(agent: agents.RegisteredAgent) -> int:
    return _ROW + portions.weight(agent.id, agent.id, *agent.numbers)


async def one(request: Request) -> Response:
    dependencies, agent_id = connections.dependencies(request), request.path_params["agent_id"]
    async with connections.connection(request) as connection:
        known = await agents.require(connection, agent_id)
    templates = dependencies.templates.agent(agent_id)
    return await view.page(
        "agent.html",
        agent=known,
        configured=templates.agent,
        written=templates.in_writing.agent,
        version=templates.version,
        errors=dependencies.templates.errors_of(agent_id),
        sections=budgets(templates.agent),
        limit=templates.agent.token_limit or dependencies.contexts.rules.limit,
        timezone=templates.agent.timezone or dependencies.timezone,
    )


async def default_prompt(request: Request) -> Response:
    async with connections.connection(request) as connection:
        known = await agents.require(connection, request.path_params["agent_id"])
        record = await prompt_history.of_strangers(connection, known.id)
        return await prompt.shown(request, connection, record, None)
