"""What stands before every page of the console.

host ──→ 421 · not from our own pages ──→ 403 · nobody knows who asks ──→ the login · the page, with headers
"""

import re
from urllib.parse import unquote, urlencode, urlsplit

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voice_server.console import view
from voice_server.console.session import COOKIE, Sessions
from voice_server.store import session

HOME, LOGIN, LOGOUT = "/console/", "/console/login", "/console/logout"
_OPEN = (LOGIN, "/console/static/")
_SAFE = ("GET", "HEAD")
# What Postgres takes for no text and no id. An agent's id may be anything.
_IS_NOWHERE = re.compile(r"\0|^/console/(?!(?:api/)?agents/)[^?]*/\d{19}")
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


class ConsoleRules(Struct, frozen=True):
    """`hosts` are the names by which the server is asked; `patience` is what Postgres may take, in
    seconds."""

    hosts: frozenset[str]
    read_only: bool
    patience: float


class Guard:
    def __init__(self, app: ASGIApp, sessions: Sessions, rules: ConsoleRules) -> None:
        self._app = app
        self._sessions = sessions
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = await self._refusal(Request(scope))
        began = False

        async def guarded(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, guarded)
            return
        view.read_only.set(self._rules.read_only)
        try:
            await session.Patience(self._rules.patience).bear(self._app(scope, receive, guarded))
        except TimeoutError:
            if not began:
                await away()(scope, receive, guarded)

    async def _refusal(self, request: Request) -> Response | None:
        if not self._sessions.is_there:
            return PlainTextResponse("There is nothing here: set CONSOLE_PASSWORD or CONSOLE_SECRET.", 404)
        if _host(request.headers) not in self._rules.hosts:
            return PlainTextResponse("The console has another name: set CONSOLE_HOSTS.", 421)
        is_safe, path = request.method in _SAFE, request.scope["path"]
        if not is_safe and not _is_from_here(request.headers):
            return PlainTextResponse("This came from another page. Send it from the console itself.", 403)
        if path.startswith(_OPEN) or await self._sessions.knows(request.cookies.get(COOKIE, "")):
            if _IS_NOWHERE.search(f"{path}?{unquote(request.url.query)}"):
                return view.error_page(404, "Not there", "There is no such page.")
            return None if is_safe or path in (LOGIN, LOGOUT) else self._read_only()
        return _to_login(request)

    def _read_only(self) -> Response | None:
        if self._rules.read_only:
            return PlainTextResponse("Nothing can be changed here: CONSOLE_READ_ONLY is set.", 403)
        return None


def away() -> Response:
    message = "Postgres or Redis does not answer. Load the page again in a moment."
    return view.error_page(503, "Away", message)


def _to_login(request: Request) -> Response:
    if "hx-request" in request.headers:  # a script asks: the page around it is to go there
        return PlainTextResponse("Log in again.", 401, {"hx-redirect": LOGIN})
    asked = request.scope["path"] + (f"?{request.url.query}" if request.url.query else "")
    is_nowhere = asked == HOME or request.method not in _SAFE
    return RedirectResponse(LOGIN if is_nowhere else f"{LOGIN}?{urlencode({'to': asked})}", 303)


def _host(headers: Headers) -> str:
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def _is_from_here(headers: Headers) -> bool:
    """Tell whether a request comes from our pages; the origin says so where a browser is older."""
    if site := headers.get("sec-fetch-site"):
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] == headers.get("host")
