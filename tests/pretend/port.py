"""A real port on which a pretend service answers."""

import contextlib
import threading
import time
from collections.abc import Iterator

import uvicorn
from starlette.applications import Starlette

_PATIENCE = 30  # seconds for it to start, and to stop


@contextlib.contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """The URL under which the app answers. Whoever still talks to it at the end is cut off."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + _PATIENCE
    while not server.started:
        assert time.monotonic() < end, "the pretend service did not start"
        time.sleep(0.005)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    server.force_exit = True
    thread.join(_PATIENCE)
