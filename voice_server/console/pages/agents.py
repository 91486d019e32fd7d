"""Is the agent set up right? Its templates are files: here they are read."""

from starlette.requests import Request
from starlette.responses import Response

from voice_server.console import reading, view
from voice_server.store.people import agents

_MOST = 200


async def show(request: Request) -> Response:
    dependencies = reading.dependencies(request)
    async with reading.connection(request) as connection:
        known = await agents.page(connection, limit=_MOST)
    configured = {one.id: dependencies.templates.agent(one.id).agent for one in known}
    return view.page("agents.html", agents=known, configured=configured, errors=dependencies.templates.errors)
