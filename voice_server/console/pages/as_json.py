"""What a page shows, as the API answers it: to whoever is let into the console, to be read, and no more of
the API than pages link to."""

import re

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from voice_server.api.application import application
from voice_server.api.http.dependencies import IN_SCOPE
from voice_server.console import connections, view

_SHOWN = re.compile(
    r"/(users/[^/]+(/(facts|threads|thoughts|relationship|prompt-preview|prompts/[^/]+|days/\d+(/messages)?))?"
    r"|facts/\d+|conversations/\d+(/prompt)?|events/\d+|agents/[^/]+)"
)


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope)
    if request.method != "GET":
        await PlainTextResponse("To be read only.", 405, {"allow": "GET"})(scope, receive, send)
    elif not _SHOWN.fullmatch(scope["path"].removeprefix(scope["root_path"])):
        missing = view.error_page(404, "Not there", "No page shows this.")
        await missing(scope, receive, send)
    else:
        with_dependencies = {**scope, IN_SCOPE: connections.dependencies(request)}
        await application()(with_dependencies, receive, send)
