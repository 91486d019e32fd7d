"""Logging in, by a link or the password, and out."""

import re

from redis.exceptions import RedisError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.console import forms, view
from voice_server.console.guard import HOME, LOGIN
from voice_server.console.session import COOKIE, HOURS, Sessions
from voice_server.webhooks.http.local_gate import is_loopback

_LEFT_HERE = (
    "This browser is logged out. Redis does not answer, so a copy of its session opens the console until it "
    f"is {HOURS} hours old."
)
_OURS = re.compile(r"/console/[!-~]{0,2000}")


async def show(request: Request) -> Response:
    """Log in with a link's token; without, ask for the password."""
    sessions = _sessions(request)
    token = request.query_params.get("token", "")
    if token and request.method != "HEAD":  # who only looks whether it is there opens nothing
        if await sessions.opens(token):
            return _welcome(request, sessions)
        return await _ask(sessions, "This link was used before, or is more than ten minutes old.", 403)
    return await _ask(sessions, "", 200, _path(request.query_params.get("to", "")))


async def enter(request: Request) -> Response:
    sessions = _sessions(request)
    form = await forms.fields(request)
    given, path = form.get("password", ""), _path(form.get("to", ""))
    if not await sessions.may_try(_client(request)):
        return await _ask(sessions, "Five passwords a minute may be tried. Wait a minute.", 429, path)
    if not sessions.is_password(given):
        return await _ask(sessions, "This is not the password.", 403, path)
    return _welcome(request, sessions, path)


async def leave(request: Request) -> Response:
    """End the session, at the least in this browser."""
    response: Response = RedirectResponse(LOGIN, 303)
    try:
        await _sessions(request).end(request.cookies.get(COOKIE, ""))
    except (TimeoutError, RedisError, OSError):
        response = view.error_page(503, "Left here alone", _LEFT_HERE)
    response.delete_cookie(COOKIE, path="/console")
    return response


async def _ask(sessions: Sessions, message: str, status: int, path: str = HOME) -> Response:
    shown = {"message": message, "has_password": sessions.has_password, "path": path}
    return await view.page("login.html", status, **shown)


def _welcome(request: Request, sessions: Sessions, path: str = HOME) -> Response:
    response = RedirectResponse(path, 303)
    response.set_cookie(
        COOKIE,
        sessions.cookie(),
        max_age=HOURS * 3600,
        path="/console",
        secure="https" in f"{request.url.scheme} {request.headers.get('x-forwarded-proto', '')}",
        httponly=True,
        samesite="lax",
    )
    return response


def _path(asked: str) -> str:
    """Accept only pages of ours."""
    return asked if _OURS.fullmatch(asked) else HOME


def _client(request: Request) -> str:
    """Believe a proxy on this machine, which names the client last, and nobody else."""
    peer = request.client.host if request.client else ""
    forwarded = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    return forwarded[:64] if forwarded and is_loopback(peer) else peer


def _sessions(request: Request) -> Sessions:
    found: Sessions = request.app.state.sessions
    return found
