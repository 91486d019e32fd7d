"""What commands run in: their settings, the services, and their log."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from voice_server import settings
from voice_server.commands import serve
from voice_server.embedded.layout import Layout
from voice_server.errors import ConfigurationError, VoiceServerError
from voice_server.runtime import logs
from voice_server.settings import Settings

_T = TypeVar("_T")


def process_settings(parent: int) -> Settings:
    """Return what a process of the server is told, and have it log; it stops with its `parent`, unless 0."""
    if parent:
        serve.stop_with_parent(parent)
    settled = serve.required(settings.load())
    _log_to_stderr(settled)
    return settled


def with_services(work: Callable[[Settings], Coroutine[Any, Any, _T]], *, makes_data: bool = False) -> _T:
    """Do the work with the services of a running server, or with those that are started for it."""
    if not makes_data:
        require_data(settings.load())
    with serve.environment(dict(os.environ)) as (variables, _):
        settled = serve.resolved(variables)
        _log_to_stderr(settled)
        return asyncio.run(work(settled))


def require_data(settled: Settings) -> None:
    """Refuse to make an embedded Postgres where there is none: it was looked for in the wrong place."""
    if not settled.database_url and not Layout(settled.data_dir).cluster.exists():
        raise ConfigurationError(
            f"there are no data in {settled.data_dir.resolve()}: DATA_DIR says where they are"
        )


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Load what stays: looking through it for garbage again and again would be a fifth of a start."""
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


async def until_stopped(work: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await work(stop)


class _OurErrorsInOneLine(logging.Filter):
    """An error of ours says what was wrong; where in our code it was raised helps nobody."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, VoiceServerError):
            record.msg, record.args, record.exc_info = f"{record.getMessage()}: {error}", (), None
        return True


def _log_to_stderr(settled: Settings) -> None:
    logs.to_stderr(settled.log_level, settled.log_format)
    # at this level the queue has a line for each job, and the MCP library one for each request
    for noisy in ("pgqueuer", "alembic", "mcp"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    logging.getLogger("pgqueuer").addFilter(_OurErrorsInOneLine())
