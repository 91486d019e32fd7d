"""The process that asks models, as the one sees it that started it.

Its standard input is a socket over which it is handed others, one for each question. When that is closed it
ends, also after a death of this process of which nobody could tell it.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

_PROJECT = Path(__file__).parents[2]  # -P keeps the caller's folder out of the process's path
_MODULE = "voice_server.chat.model_process"
_STDIN = 0
_NICE = 10  # calls go first
_YOUNG = 10.0  # seconds within which one that fails is not started again: that takes a second of CPU
_ENDING = 1.0  # seconds from the end of its sockets to its own
_BY_OTHERS = (0, -signal.SIGKILL, -signal.SIGTERM)


class ModelChild:
    """A thread waits for its end: a process that ends unasked would be left over until the next question."""

    def __init__(self, pid: int, control: socket.socket) -> None:
        self.pid = pid
        self._control = control
        self._began = time.monotonic()
        self._exit_code: int | None = None
        self._waiting = threading.Thread(target=self._wait, name="model process", daemon=True)
        self._waiting.start()

    @property
    def is_there(self) -> bool:
        return self._exit_code is None

    @property
    def is_young(self) -> bool:
        return time.monotonic() - self._began < _YOUNG

    def hand_over(self, theirs: socket.socket) -> bool:
        try:
            socket.send_fds(self._control, [b"."], [theirs.fileno()])
        except OSError:
            return False
        return True

    def kill(self) -> None:
        if self.is_there:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def end(self) -> None:
        self._control.close()
        self.kill()
        self._waiting.join()

    def failure(self) -> str:
        """Return how it ended by itself, waiting a moment for that; "" when it was killed, or is there."""
        self._waiting.join(_ENDING)
        if self._exit_code is None or self._exit_code in _BY_OTHERS:
            return ""
        return f"the process that asks models ended with exit code {self._exit_code}"

    def _wait(self) -> None:
        _, status = os.waitpid(self.pid, 0)
        self._exit_code = os.waitstatus_to_exitcode(status)


def start() -> ModelChild:
    """Start one. Raises OSError when it cannot be."""
    path = os.pathsep.join(filter(None, (str(_PROJECT), os.environ.get("PYTHONPATH"))))
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with contextlib.ExitStack() as unless_started, theirs:
        unless_started.callback(ours.close)
        try:
            pid = os.posix_spawn(
                sys.executable,
                [sys.executable, "-P", "-m", _MODULE],
                {**os.environ, "PYTHONPATH": path},
                file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), _STDIN)],
            )
        except OSError as error:
            raise ChildProcessError(f"the process that asks models cannot be started: {error}") from error
        unless_started.pop_all()
    child = ModelChild(pid, ours)
    with contextlib.suppress(ProcessLookupError):  # it has ended already
        # Only root may start one that goes before itself.
        os.setpriority(os.PRIO_PROCESS, pid, max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    return child
