"""The process that owns both services, run as a program; it imports the standard library alone."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import IO

from voice_server.embedded.account import choose_account, claim_folder
from voice_server.embedded.layout import (
    FAST_TICK,
    SLOW_TICK,
    EmbeddedError,
    Layout,
    last_lines,
    open_log,
    take_lock,
    try_lock,
)
from voice_server.embedded.programs import find_programs
from voice_server.embedded.protocol import RefusedError, ask_postgres, ask_versions
from voice_server.embedded.server import (
    Service,
    Spawner,
    check_major,
    make_cluster,
    postgres_command,
    postgres_service,
    postgres_settings,
    valkey_command,
    valkey_service,
)

_CANNOT_START = (EmbeddedError, OSError, subprocess.SubprocessError)
LOG_LIMIT = 10_000_000  # bytes, per log; as much again is kept of what came before


def bound(log: Path) -> None:
    """Keep a log within LOG_LIMIT; its writers append, so they go on at the new end."""
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        with contextlib.suppress(OSError):  # a disk that is full: better no earlier log than no services
            keep(log, log.with_suffix(".log.1"))
        os.truncate(log, 0)


def keep(log: Path, earlier: Path) -> None:
    with log.open("rb") as source, open_log(earlier) as target:
        target.truncate(0)
        shutil.copyfileobj(source, target)


class Supervisor:
    def __init__(self, layout: Layout, lock: IO[bytes], *, durable: bool, memory: int) -> None:
        self._layout = layout
        self._lock = lock
        self._durable = durable
        self._memory = memory  # Valkey's, in MB
        # without programs, until they are found: enough to end what an earlier supervisor has left
        self._services = [postgres_service([], layout), valkey_service([], layout)]
        self._spawner = Spawner(choose_account(layout.cluster))
        self._published = False
        self._told_to_stop = False

    def run(self) -> None:
        """Return when both are stopped. Raises EmbeddedError when they cannot be started."""
        signal.signal(signal.SIGTERM, self._stop_soon)
        signal.signal(signal.SIGINT, self._stop_soon)
        self._layout.state.unlink(missing_ok=True)
        with contextlib.ExitStack() as held:
            try:
                self._prepare()
                self._settle()
                self._watch(held)
            finally:
                self._shut_down()

    def _stop_soon(self, _signal: int, _frame: FrameType | None) -> None:
        self._told_to_stop = True

    def _prepare(self) -> None:
        layout, spawner = self._layout, self._spawner
        programs = find_programs(spawner.account, layout)
        claim_folder(layout.run, spawner.account)
        if not layout.cluster.exists():
            if (layout.upgrade / "pg").exists():
                raise EmbeddedError(
                    "an upgrade was interrupted: run `voice-server upgrade-postgres` once more"
                )
            make_cluster(layout, spawner, programs.postgres / "initdb", durable=self._durable)
        check_major(layout.cluster)
        cluster, run = spawner.path_of(layout.cluster), spawner.path_of(layout.run)
        settings = postgres_settings(durable=self._durable)
        postgres, valkey = self._services
        postgres.command = postgres_command(programs.postgres / "postgres", cluster, run, settings)
        valkey.command = valkey_command(programs.valkey, run, self._memory)

    def _settle(self) -> None:
        """Adopt what a killed supervisor left, or start anew. A service that was started here and ends is an
        error; one that was adopted may have been ending already, and later each is restarted."""
        adopted = [service for service in self._services if service.adopt()]
        for service in self._services:
            if service not in adopted:
                service.start(self._spawner)
        while not self._told_to_stop and not self._publish():
            for service in filter(Service.died, self._services):
                if service not in adopted:
                    raise EmbeddedError(f"{service.name} ended: {last_lines(service.log)}")
                adopted.remove(service)
                service.start(self._spawner)
            time.sleep(FAST_TICK)

    def _watch(self, held: contextlib.ExitStack) -> None:
        while not (self._told_to_stop or self._displaced() or self._deserted(held)):
            self._revive()
            time.sleep(SLOW_TICK)
            for name in ("supervisor", "postgres", "valkey"):
                bound(self._layout.log(name))

    def _deserted(self, held: contextlib.ExitStack) -> bool:
        """Tell whether nobody uses the services. If so, nobody can start to before `held` ends."""
        with contextlib.ExitStack() as locks:
            for name in ("start", "users"):
                lock = try_lock(self._layout.lock(name), fcntl.LOCK_EX)
                if lock is None:
                    return False
                locks.enter_context(lock)
            held.push(locks.pop_all())
        return True

    def _displaced(self) -> bool:
        path = self._layout.lock("supervisor")
        return not path.exists() or not os.path.samestat(path.stat(), os.fstat(self._lock.fileno()))

    def _revive(self) -> None:
        for service in filter(Service.died, self._services):
            self._withdraw()
            say(f"{service.name} ended by itself; starting it again")
            try:
                service.start(self._spawner)
            except _CANNOT_START as error:  # tried again at the next tick; the other one is left in peace
                say(str(error))
        if not self._published:
            self._publish()

    def _publish(self) -> bool:
        try:
            versions = self._ask_versions()
        except OSError:  # not up yet: asked again at the next tick
            return False
        pids = {service.name: service.pid for service in self._services}
        state = {"pids": {"supervisor": os.getpid()} | pids, "versions": versions}
        unfinished = self._layout.state.with_suffix(".new")
        unfinished.write_text(json.dumps(state))
        unfinished.rename(self._layout.state)
        self._published = True
        return True

    def _ask_versions(self) -> dict[str, str]:
        run, no_such_database = self._layout.run, "3D000"
        try:
            return ask_versions(run)
        except RefusedError as refusal:
            if refusal.code != no_such_database:
                raise
            ask_postgres(run, "postgres", "CREATE DATABASE app")
            return ask_versions(run)

    def _withdraw(self) -> None:
        self._published = False
        self._layout.state.unlink(missing_ok=True)

    def _shut_down(self) -> None:
        if self._displaced():
            for service in self._services:
                service.abandon()
            return
        self._withdraw()
        for service in reversed(self._services):
            service.end()
        with contextlib.suppress(OSError):  # never made, or something else is in it
            self._layout.run.rmdir()


def say(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n")


def supervise(layout: Layout, *, durable: bool, memory: int) -> int:
    """Fork, and return in the parent as soon as the child has the lock."""
    os.umask(0o022)
    try:
        with take_lock(layout.lock("supervisor"), fcntl.LOCK_EX, time.monotonic() + 1) as lock:
            lock.truncate(0)
            if os.fork():
                return 0
            with _named(lock):
                return _supervise(Supervisor(layout, lock, durable=durable, memory=memory))
    except _CANNOT_START as error:
        say(str(error))
        return 1


def _supervise(supervisor: Supervisor) -> int:
    """Say what went wrong while the lock is held: who waits for the lock reads the log next."""
    try:
        supervisor.run()
    except _CANNOT_START as error:
        say(str(error))
        return 1
    return 0


@contextlib.contextmanager
def _named(lock: IO[bytes]) -> Iterator[None]:
    """Keep our process id in the lock until we end by ourselves: an id in a lock that nobody holds was
    killed."""
    os.write(lock.fileno(), b"%d" % os.getpid())
    try:
        yield
    finally:
        lock.truncate(0)


if __name__ == "__main__":
    folder, mode, megabytes = sys.argv[1:]
    sys.exit(supervise(Layout(Path(folder)), durable=mode == "durable", memory=int(megabytes)))
