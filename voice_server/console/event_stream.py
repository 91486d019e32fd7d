"""Server-sent events for the pages' scripts: new content, or the name of what happened."""

from time import monotonic

from markupsafe import Markup
from starlette.requests import Request

from voice_server.console.session import COOKIE, Sessions
from voice_server.runtime.shutdown import Shutdown

STREAM = "text/event-stream"
CHANGED = "changed"  # the page is to be asked for again
AT_ONCE = {"x-accel-buffering": "no"}  # a proxy is not to wait for more
ALIVE = b": still there\n\n"
_EACH = 2.0  # seconds between questions whether a session goes on


def content(shown: Markup) -> bytes:
    """Write what replaces the content of the element that listens."""
    lines = "".join(f"data: {line}\n" for line in str(shown).splitlines() or [""])
    return f"{lines}\n".encode()


def named(name: str) -> bytes:
    return f"event: {name}\ndata: \n\n".encode()


class Listener:
    """A page that hears a stream: while the server runs, and its session goes on."""

    def __init__(self, request: Request) -> None:
        self._shutdown: Shutdown = request.app.state.shutdown
        self._sessions: Sessions = request.app.state.sessions
        self._cookie = request.cookies.get(COOKIE, "")
        self._next = monotonic() + _EACH

    @property
    def server_stops(self) -> bool:
        return self._shutdown.is_asked

    async def is_let_in(self) -> bool:
        """Tell whether its session goes on. One that does not asks for its page again, and is led to the
        login."""
        if monotonic() < self._next:
            return True
        self._next = monotonic() + _EACH
        return await self._sessions.still_knows(self._cookie)
