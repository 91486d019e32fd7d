"""Tasks that run beside everything else, until they are cancelled."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from threading import Timer
from typing import Any

log = logging.getLogger(__name__)

_AGAIN = 0.2  # seconds
_BREATH = 0.1  # seconds


def start(work: Coroutine[Any, Any, None], what: str) -> asyncio.Task[None]:
    """Start `work`, and log a crash with `what` as the subject: nobody awaits it, and a mistake of ours would
    pass for an outage."""
    task = asyncio.create_task(work, name=what)
    task.add_done_callback(_tell_of_a_crash)
    return task


def start_thread(parts: Callable[[], Iterable[Callable[[], object]]], what: str, *, after: float) -> None:
    """Do one part after another in a thread after so many seconds. The end of the process does not wait for
    it, and what shares the interpreter goes on between two parts."""

    def work() -> None:
        for part in parts():
            part()
            time.sleep(_BREATH)

    timer = Timer(after, work)
    timer.name, timer.daemon = what, True
    timer.start()


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel these tasks until all have ended. A task that is cancelled in the middle of a statement may hear
    instead that its connection broke, and go on as after any outage."""
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=_AGAIN)


def _tell_of_a_crash(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.critical("%s has crashed and stays down", task.get_name(), exc_info=error)
