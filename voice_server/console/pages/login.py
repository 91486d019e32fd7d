"""Coming in, by a link or the password, and leaving."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.console import forms, view
from voice_server.console.guard import HOME, LOGIN
from voice_server.console.session import COOKIE, HOURS, Sessions
from voice_server.webhooks.local_gate import is_loopback


async def show(request: Request) -> Response:
    """With a link's token, come in; without, ask for the password."""
    sessions = _sessions(request)
    token = request.query_params.get("token", "")
    if token and request.method != "HEAD":  # who only looks whether it is there opens nothing
        if await sessions.opens(token):
            return _welcome(request, sessions)
        return _ask(sessions, "This link was used before, or is more than ten minutes old.", 403)
    return _ask(sessions, "", 200)


async def enter(request: Request) -> Response:
    sessions = _sessions(request)
    given = (await forms.fields(request)).get("password", "")
    if not await sessions.may_try(_client(request)):
        return _ask(sessions, "Five passwords a minute may be tried. Wait a minute.", 429)
    if not sessions.is_password(given):
        return _ask(sessions, "This is not the password.", 403)
    return _welcome(request, sessions)


async def leave(_request: Request) -> Response:
    response = RedirectResponse(LOGIN, 303)
    response.delete_cookie(COOKIE, path="/console")
    return response


def _ask(sessions: Sessions, message: str, status: int) -> Response:
    return view.page("login.html", status, message=message, has_password=sessions.has_password)


def _welcome(request: Request, sessions: Sessions) -> Response:
    response = RedirectResponse(HOME, 303)
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


def _client(request: Request) -> str:
    """Who asks. A proxy on this machine says for whom it does, last; whoever else says so is not believed."""
    peer = request.client.host if request.client else ""
    forwarded = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    return forwarded[:64] if forwarded and is_loopback(peer) else peer


def _sessions(request: Request) -> Sessions:
    found: Sessions = request.app.state.sessions
    return found
