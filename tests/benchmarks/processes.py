"""Server processes under measurement: pinned to a core of their own, watched through /proc (so: Linux).

With two cores or more, what is measured has the first one to itself and everything else (load, Redis,
Postgres, the benchmark) shares the second. On one core the figures are of little worth.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
_STARTING = 30.0
_OF_THE_SCHEDULER = 2  # kind of clock of a process


class ProcessError(Exception):
    """A process did not come up; the message has what it last said."""


class Measured:
    """One process we started, with what the kernel knows of it."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self.port = port
        self._process = process
        self._proc = Path(f"/proc/{process.pid}")

    def cpu_seconds(self) -> float:
        """CPU used so far by it and its children, with the threads that have ended, to the nanosecond."""
        return sum(_cpu_seconds(one) for one in (self._proc, *self._children()))

    def memory_of_children(self) -> int:
        return sum(_status(one, "VmRSS") for one in self._children())

    def memory(self) -> int:
        return _status(self._proc, "VmRSS")

    def peak_memory(self) -> int:
        """Bytes resident at most since the start or `forget_peak`."""
        return _status(self._proc, "VmHWM")

    def forget_peak(self) -> None:
        """Begin `peak_memory` anew."""
        (self._proc / "clear_refs").write_text("5")

    def stop(self) -> None:
        """Ask it to end, and see to it."""
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _children(self) -> list[Path]:
        """Return where the kernel tells of those there are now."""
        told = (one.read_text().split() for one in self._proc.glob("task/*/children"))
        return [Path(f"/proc/{pid}") for pids in told for pid in pids]


def _cpu_seconds(process: Path) -> float:
    """Read the clock that `clock_getcpuclockid(3)` gives of another process: Python has no name for it."""
    return time.clock_gettime((~int(process.name) << 3) | _OF_THE_SCHEDULER)


def _status(process: Path, name: str) -> int:
    lines = (process / "status").read_text().splitlines()
    return int(next(one for one in lines if one.startswith(f"{name}:")).split()[1]) * 1024


@contextmanager
def running(
    command: list[str], environment: Mapping[str, str], *, log: Path, port: int = 0, measured: bool = True
) -> Iterator[Measured]:
    """Run a command while this is open; with a `port`, once it accepts connections there."""
    with log.open("ab") as output, on_core(0 if measured else 1):
        process = subprocess.Popen(
            command, env={**os.environ, **environment}, stdout=output, stderr=output, stdin=subprocess.DEVNULL
        )
    started = Measured(process, port)
    try:
        if port:
            _wait_for(process, port, log)
        yield started
    finally:
        started.stop()


def python(*words: str) -> list[str]:
    """A command for the Python we run on."""
    return [sys.executable, "-P", *words]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def stand_aside() -> None:
    """Move this process, and all it starts from now on, to the core that is not measured."""
    if len(_CORES) > 1:
        os.sched_setaffinity(0, {_CORES[1]})


def let_pass() -> None:
    """Have what this process started stand aside: the threads it has by now, not those it starts later."""
    for thread in Path("/proc/self/task").glob("*"):
        if int(thread.name) != os.getpid():
            os.sched_setscheduler(int(thread.name), os.SCHED_IDLE, os.sched_param(0))


@contextmanager
def on_core(index: int) -> Iterator[None]:
    """A process starts on the core its parent is on at that moment, and stays there."""
    if len(_CORES) == 1 or not _CORES:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {_CORES[index]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _wait_for(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    until = time.monotonic() + _STARTING
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    last = "\n".join(log.read_text(errors="replace").splitlines()[-8:])
    raise ProcessError(f"a server on port {port} did not come up; it last said:\n{last}")
