"""What befalls services: they are killed, they hang, they answer nonsense. And what befalls processes of
ours."""

import asyncio
import contextlib
import http.client
import os
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Self

import asyncpg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from voice_server.embedded.layout import is_process
from voice_server.embedded.services import EmbeddedServices

ROOT = Path(__file__).parent.parent.parent


async def until(true: Callable[[], bool] | Callable[[], Awaitable[bool]], patience: float = 60) -> None:
    """Return soon after `true()` is. Fails the test when that takes longer than `patience` seconds. Looks
    ever less often: what is looked at has its own work to do."""
    end = time.monotonic() + patience
    pause = 0.01
    while True:
        answer = true()
        if answer if isinstance(answer, bool) else await answer:
            return
        assert time.monotonic() < end, f"not within {patience} s"
        await asyncio.sleep(pause)
        pause = min(1.2 * pause, 0.1)


class Trouble:
    """Makes trouble for embedded services that no other test uses."""

    def __init__(self, services: EmbeddedServices) -> None:
        self.services = services
        self._frozen: list[int] = []

    def freeze(self, name: str) -> None:
        """`postgres`, `valkey` or `supervisor` hangs: connections stand, nothing is answered."""
        pid = self.services.pids()[name]
        self._stop(pid)  # first: from now on it starts none that would be missed
        for one in descendants(pid) if name != "supervisor" else ():
            self._stop(one)

    def _stop(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            os.kill(pid, signal.SIGSTOP)
            self._frozen.append(pid)

    def take_down(self, name: str) -> None:
        """`postgres` or `valkey` is gone, and stays away until `mend`."""
        pid = self.services.pids()[name]
        self.freeze("supervisor")
        for one in (pid, *descendants(pid)):
            with contextlib.suppress(ProcessLookupError):  # it has just ended, maybe because the first did
                os.kill(one, signal.SIGKILL)

    async def restart(self, name: str) -> None:
        """`postgres` or `valkey` is killed and comes back; Valkey empty."""
        self.take_down(name)
        await self.mend()

    async def refuse_writes(self) -> None:
        """Postgres answers, and writes nothing: as when its disk is full."""
        await self._configure("alter system set default_transaction_read_only = on")

    async def allow_writes(self) -> None:
        """Postgres writes again."""
        await self._configure("alter system reset default_transaction_read_only")

    async def _configure(self, statement: str) -> None:
        connection = await asyncpg.connect(self.services.database_url.replace("+asyncpg", ""), timeout=5)
        await connection.execute("set default_transaction_read_only = off")
        await connection.execute(statement)
        await connection.execute("select pg_reload_conf()")
        await connection.close()
        await asyncio.sleep(0.1)  # until every backend has heard of it

    async def mend(self) -> None:
        """Everything works again."""
        for pid in reversed(self._frozen):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self._frozen.clear()
        await until(self._answers)

    async def _answers(self) -> bool:
        """Both answer, and are the ones that run now."""
        try:
            connection = await asyncpg.connect(self.services.database_url.replace("+asyncpg", ""), timeout=5)
            await connection.close()
            async with Redis.from_url(self.services.redis_url) as redis:
                await redis.ping()
        except (OSError, asyncpg.PostgresError, RedisError):
            return False
        return "valkey" in self.services.pids() and all(map(_alive, self.services.pids().values()))


class Nonsense(contextlib.AbstractContextManager["Nonsense"]):
    """Something that listens where Redis should, and answers whatever it is sent with the same bytes."""

    def __init__(self, answer: bytes) -> None:
        class Answer(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with contextlib.suppress(OSError):
                    while self.request.recv(65536):
                        self.request.sendall(answer)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer)
        self._server.daemon_threads = True
        self.url = f"redis://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class Process:
    """One of our own commands as a process of its own: `serve`, `web`, `worker`, `rebuild --all`…"""

    def __init__(self, *arguments: str, environment: Mapping[str, str], log: Path) -> None:
        inherited = {"PATH": os.environ["PATH"], "HOME": str(log.parent)}
        self.log = log
        with log.open("ab") as output:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-m", "voice_server.cli", *arguments],
                env={**inherited, "PROMPT_TEMPLATES": str(ROOT / "prompt_templates"), **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=log.parent,
                start_new_session=True,
            )
        self.pid = self._popen.pid

    @property
    def said(self) -> str:
        """All it wrote so far."""
        return self.log.read_text(errors="replace")

    def tree(self) -> list[int]:
        """It and everything it started."""
        return [self.pid, *descendants(self.pid)]

    def send(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def wait(self, patience: float = 60) -> int:
        """Its exit code."""
        return self._popen.wait(patience)

    @property
    def ended(self) -> bool:
        return self._popen.poll() is not None

    def end(self) -> None:
        """Away with it, and all it started, whatever state they are in."""
        for pid in self.tree():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._popen.wait(10)


def descendants(pid: int) -> list[int]:
    """The processes below one."""
    table = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="],  # noqa: S607 (wherever the system has it)
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    pairs = [tuple(map(int, line.split())) for line in table.splitlines()]
    found, below = [], {pid}
    while below:
        below = {one for one, parent in pairs if parent in below}
        found += sorted(below)
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(url: str) -> bool:
    """Whether a server is there. A client for each look would take 50 ms of the processor: it reads
    certificates."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def gone(pids: list[int]) -> bool:
    """Whether none of these processes is left."""
    return not any(map(_alive, pids))


def _alive(pid: int) -> bool:
    if not is_process(pid):
        return False
    state = subprocess.run(
        ["ps", "-o", "state=", "-p", str(pid)],  # noqa: S607 (wherever the system has it)
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return bool(state) and not state.startswith("Z")


@contextlib.contextmanager
def processes() -> Iterator[list[Process]]:
    """A list to put processes into; they are gone afterwards."""
    started: list[Process] = []
    try:
        yield started
    finally:
        for one in started:
            one.end()
