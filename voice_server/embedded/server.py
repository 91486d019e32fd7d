"""How Postgres and Valkey are started, and ended, whoever started them."""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from voice_server.embedded.account import Account, claim_folder, within_reach
from voice_server.embedded.layout import (
    FAST_TICK,
    POSTGRES_SOCKET,
    VALKEY_SOCKET,
    EmbeddedError,
    Layout,
    is_held,
    is_process,
    last_lines,
    open_log,
    take_lock,
)
from voice_server.embedded.programs import POSTGRES_MAJOR

POSTGRES_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "max_wal_size": "512MB",  # bounds the disk it takes, and the time it takes to recover
    "wal_level": "minimal",  # no replicas here
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "io_method": "sync",  # three processes fewer
    "max_parallel_workers_per_gather": "0",  # parallel queries want more shared memory than containers give
    "max_parallel_maintenance_workers": "0",
    "jit": "off",
    "TimeZone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
}
_OPEN_FOLDER = re.compile(r"(?<=/proc/self/fd/)\d+")
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off"}  # commits stay in order: kill -9 loses nothing
VALKEY_SETTINGS = {
    "port": "0",
    "save": "",  # Redis holds only what can be rebuilt
    "appendonly": "no",
    # Who called longest ago goes first; never the mark that says whether all is there, which does not expire.
    "maxmemory-policy": "volatile-lru",
    "databases": "64",  # a test takes one of its own
    "unixsocketperm": "700",
}
INITDB_OPTIONS = (
    "--username=postgres",
    "--auth-local=trust",  # the folder of the socket is the owner's alone
    "--auth-host=reject",
    "--encoding=UTF8",
    "--locale-provider=builtin",  # never the system's locales: the one in LANG may not be installed
    "--builtin-locale=C.UTF-8",
    "--locale=C",
)


@dataclass
class Spawner:
    account: Account | None
    folders: list[int] = field(default_factory=list)

    def path_of(self, folder: Path) -> str:
        """Return a path that the services' user can take. `nobody` has none below a home of mode 700: root
        opens the folder and hands it over, and /proc/self/fd leads past the folders above."""
        if within_reach(folder, self.account):
            return str(folder)
        if not Path("/proc/self/fd").is_dir():
            raise EmbeddedError(
                f"Postgres runs as `nobody`, which cannot get to {folder}: "
                "set DATA_DIR to a folder open to it, or run as an ordinary user"
            )
        self.folders.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
        return f"/proc/self/fd/{self.folders[-1]}"

    def spawn(
        self,
        command: list[str],
        log: Path,
        held: tuple[int, ...] = (),
        before: Callable[[], object] | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start a program that keeps the files `held`; `before` runs first in its process."""
        with open_log(log) as output:
            return subprocess.Popen(  # noqa: S603 (programs of our own wheels)
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd="/",
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
                pass_fds=(*held, *self.folders),
                user=self.account and self.account.uid,
                group=self.account and self.account.gid,
                extra_groups=[] if self.account else None,
                preexec_fn=before,  # noqa: PLW1509 (the supervisor has no threads)
            )


@dataclass
class Service:
    """A server, or what makes a cluster. Only its processes hold its lock, which says which of them is the
    first, and how it was started."""

    name: str
    command: list[str]
    lock: Path
    log: Path
    stale: tuple[Path, ...]  # what a killed one leaves, and a new one might stumble over
    farewells: tuple[tuple[signal.Signals, float], ...]  # signals to end it, and seconds to wait for each
    process: subprocess.Popen[bytes] | None = None
    adopted: int = 0  # the process id of one that an earlier supervisor started

    @property
    def pid(self) -> int:
        """The first of its processes; 0 before the start."""
        return self.process.pid if self.process else self.adopted

    def adopt(self) -> bool:
        """Take over what an earlier supervisor left running, if we would start it in the same way."""
        first, how = self._told()
        if first and how == self._how() and is_process(first) and is_held(self.lock):
            self.adopted = first
        return self.adopted != 0

    def start(self, spawner: Spawner) -> subprocess.Popen[bytes]:
        """Raise EmbeddedError when what an earlier start left does not end."""
        self.end()
        lock = take_lock(self.lock, fcntl.LOCK_EX, time.monotonic() + 1)
        with lock:
            for path in self.stale:
                path.unlink(missing_ok=True)
            lock.truncate(0)
            told, how = lock.fileno(), self._how()
            # by itself, before it holds anything: were we killed now, nobody could end it
            before = partial(_tell, told, how)
            self.process = spawner.spawn(self.command, self.log, held=(told,), before=before)
            self.adopted = 0
            return self.process

    def end(self) -> None:
        """End all its processes, whoever started them."""
        for number, patience in self.farewells:
            if self._ended(number, patience):
                break
        if self.process:
            self.process.wait()

    def abandon(self) -> None:
        """End the process started here, and leave the lock's file alone: it is another server's by now."""
        if self.process is None:
            self._abandon_adopted()
            return
        self.process.send_signal(self.farewells[0][0])
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def died(self) -> bool:
        if self.process:
            return self.process.poll() is not None
        return self.adopted != 0 and not (is_process(self.adopted) and is_held(self.lock))

    def _abandon_adopted(self) -> None:
        if self.adopted:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.adopted, self.farewells[0][0])

    def _told(self) -> tuple[int, str]:
        first, _, how = self.lock.read_text().partition(" ") if self.lock.exists() else ("", "", "")
        return int(first or 0), how

    def _how(self) -> str:
        """Differ for other arguments, and for another program in the same place."""
        program = Path(self.command[0]).stat()
        command = _OPEN_FOLDER.sub("", " ".join(self.command))  # its number is another one in each supervisor
        told = repr((command, program.st_ino, program.st_mtime_ns))
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def _ended(self, number: signal.Signals, patience: float) -> bool:
        if not is_held(self.lock):
            return True
        first, _ = self._told()
        if first:
            with contextlib.suppress(ProcessLookupError):  # it is gone, its children are about to follow
                os.kill(first, number)
        deadline = time.monotonic() + patience
        while is_held(self.lock) and time.monotonic() < deadline:
            time.sleep(FAST_TICK)
        return not is_held(self.lock)


def _tell(lock: int, how: str) -> None:
    os.write(lock, f"{os.getpid()} {how}".encode())


def postgres_command(program: Path, cluster: str, run: str, settings: Mapping[str, str]) -> list[str]:
    """Name `cluster` and `run` as the service does."""
    folders = {"unix_socket_directories": '"' + run + '"'}  # quoted, or a comma would split it
    options = [word for name, value in {**settings, **folders}.items() for word in ("-c", f"{name}={value}")]
    return [str(program), "-D", cluster, *options]


def postgres_settings(*, durable: bool) -> dict[str, str]:
    return POSTGRES_SETTINGS | ({} if durable else NOT_DURABLE)


def postgres_service(command: list[str], layout: Layout) -> Service:
    return Service(
        name="postgres",
        command=command,
        lock=layout.lock("postgres"),
        log=layout.log("postgres"),
        stale=(
            layout.cluster / "postmaster.pid",
            layout.run / f"{POSTGRES_SOCKET}.lock",
            layout.run / POSTGRES_SOCKET,
        ),
        farewells=(
            (signal.SIGINT, 60),
            (signal.SIGQUIT, 10),
            (signal.SIGKILL, 10),
        ),  # fast, at once, by force
    )


def valkey_command(program: Path, run: str, memory: int) -> list[str]:
    """Name `run` as the service does; `memory` is in MB."""
    folders = {"dir": run, "unixsocket": f"{run}/{VALKEY_SOCKET}"}
    settings = VALKEY_SETTINGS | {"maxmemory": f"{memory}mb"} | folders
    return [str(program), *(word for name, value in settings.items() for word in (f"--{name}", value))]


def valkey_service(command: list[str], layout: Layout) -> Service:
    return Service(
        name="valkey",
        command=command,
        lock=layout.lock("valkey"),
        log=layout.log("valkey"),
        stale=(layout.run / VALKEY_SOCKET,),
        farewells=((signal.SIGTERM, 10), (signal.SIGKILL, 10)),
    )


def make_cluster(layout: Layout, spawner: Spawner, initdb: Path, *, durable: bool) -> None:
    """Make an empty cluster in one step, as seen from outside: one that is there is whole."""
    unfinished = layout.cluster.with_name("pg.new")
    making = _initdb(layout)
    making.end()  # one that a killed supervisor has left would go on writing into the folder
    shutil.rmtree(unfinished, ignore_errors=True)
    claim_folder(unfinished, spawner.account)
    durability = [] if durable else ["--no-sync"]
    making.command = [str(initdb), "--pgdata", spawner.path_of(unfinished), *INITDB_OPTIONS, *durability]
    if making.start(spawner).wait() != 0:
        raise EmbeddedError(f"initdb failed: {last_lines(making.log)}")
    unfinished.rename(layout.cluster)


def _initdb(layout: Layout) -> Service:
    return Service(
        name="initdb",
        command=[],
        lock=layout.lock("initdb"),
        log=layout.log("initdb"),
        stale=(),
        farewells=((signal.SIGINT, 10), (signal.SIGKILL, 10)),
    )


def major_of(cluster: Path) -> str:
    return (cluster / "PG_VERSION").read_text().strip()


def check_major(cluster: Path) -> None:
    if (found := major_of(cluster)) != POSTGRES_MAJOR:
        raise EmbeddedError(
            f"the data in {cluster} are of Postgres {found}, and this release brings {POSTGRES_MAJOR}: "
            "run `voice-server upgrade-postgres`, which carries them over"
        )
