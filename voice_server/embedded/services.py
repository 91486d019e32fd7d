"""Postgres and Valkey out of wheels, so that one command starts everything on a bare machine.

    with EmbeddedServices(Path(".data")) as services:
        serve(services.database_url, services.redis_url)

Who keeps what alive (POSIX only):

    web ────┐ each holds users.lock, shared; the kernel lets go of it however the process ends
    worker ─┤
    shell ──┘
    supervisor   takes users.lock alone as soon as nobody is left; then stops both and ends
      ├ postgres   holds postgres.lock ┐ inherited by every process of the service, so a free lock
      └ valkey     holds valkey.lock   ┘ proves that none is alive; a process id in a file proves nothing

After a kill, the next start finds by the locks what is left over. It adopts what runs as it should, and ends
and restarts the rest; a long-lived user has a Keeper that does so at once. Only the standard library is
imported: the supervisor is a small process.
"""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any, Self
from urllib.parse import quote

from voice_server.embedded.account import require_owner
from voice_server.embedded.layout import (
    FAST_TICK,
    VALKEY_SOCKET,
    DataGoneError,
    EmbeddedError,
    Layout,
    is_held,
    last_lines,
    open_log,
    take_lock,
    try_lock,
)
from voice_server.embedded.machine_memory import share_for_valkey
from voice_server.embedded.protocol import ask_versions
from voice_server.embedded.server import check_major

_SUPERVISOR = "voice_server.embedded.supervisor"
_CODE = str(Path(__file__).parents[2])  # where it finds that module, wherever it runs


class EmbeddedServices:
    """Postgres and Valkey under `data_dir`, running for as long as somebody uses them. Any number of
    processes may start the same directory; the end of the last user, whichever way, takes them down.
    `durable=False` gives up safety against power failure for speed; `memory` is Valkey's most, in MB. Both
    count for the process that brings the services up."""

    def __init__(self, data_dir: Path, *, durable: bool = True, memory: int | None = None) -> None:
        self.data_dir = data_dir.expanduser().resolve()
        self._durable = durable
        self._memory = memory or share_for_valkey()
        self._layout = Layout(self.data_dir)
        self._users: IO[bytes] | None = None

    @property
    def database_url(self) -> str:
        """For SQLAlchemy and asyncpg."""
        return f"postgresql+asyncpg://postgres@/app?host={quote(str(self._layout.run))}"

    @property
    def redis_url(self) -> str:
        """For redis-py; the path is percent-encoded."""
        return f"unix://{quote(str(self._layout.run / VALKEY_SOCKET))}"

    def start(self, timeout: float = 60.0) -> Self:
        """Return once both answer, started here or elsewhere. Raises EmbeddedError."""
        deadline = time.monotonic() + timeout
        self._make_layout()
        with (
            take_lock(self._layout.lock("start"), fcntl.LOCK_EX, deadline),
            contextlib.ExitStack() as on_failure,
        ):
            on_failure.callback(self.stop, 0)
            self._users = self._users or take_lock(self._layout.lock("users"), fcntl.LOCK_SH, deadline)
            self._bring_up(deadline)
            on_failure.pop_all()
        return self

    def stop(self, timeout: float = 10.0) -> None:
        """Let go of the services, and wait for their end unless others use them."""
        if self._users is None:
            return
        self._users.close()
        self._users = None
        deadline = time.monotonic() + timeout
        self._adopt_orphans()
        while time.monotonic() < deadline and self._stopping():
            time.sleep(FAST_TICK)

    def is_up(self) -> bool:
        """Tell by their locks whether the supervisor and both services live."""
        living = (is_held(self._layout.lock(name)) for name in ("supervisor", "postgres", "valkey"))
        try:
            return self._layout.state.exists() and all(living)
        except OSError:  # the folder is going away under us
            return False

    def bring_back(self, timeout: float = 60.0) -> None:
        """Return once both answer again. Raises EmbeddedError when they do not in time, DataGoneError when
        trying again is of no use."""
        deadline = time.monotonic() + timeout
        try:
            self._require_data()
            with take_lock(self._layout.lock("start"), fcntl.LOCK_EX, deadline):
                self._bring_up(deadline)
        except OSError as error:
            raise EmbeddedError(f"the embedded services cannot be started: {error}") from error

    def kill_supervisor(self) -> None:
        """Kill a supervisor that hangs; the next supervisor adopts its services."""
        lock = self._layout.lock("supervisor")
        if is_held(lock) and (pid := lock.read_bytes()):
            with contextlib.suppress(OSError):  # it has ended just now; or is somebody else's, and stays
                os.kill(int(pid), signal.SIGKILL)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def pids(self) -> dict[str, int]:
        return dict(self._state().get("pids", {}))

    def describe(self) -> str:
        state = self._state()
        if not state:
            return f"embedded services in {self.data_dir} (not running)"
        parts = [
            f"{title} {state['versions'][name]} (process {state['pids'][name]})"
            for name, title in (("postgres", "Postgres"), ("valkey", "Valkey"))
        ]
        return f"{' and '.join(parts)}, data in {self.data_dir}, logs in {self._layout.logs}"

    def _make_layout(self) -> None:
        try:
            require_owner(self._layout, os.geteuid())
            if self._layout.cluster.exists():
                check_major(self._layout.cluster)
            self._layout.make()
        except OSError as error:
            raise EmbeddedError(
                f"{self.data_dir} cannot be used ({error}): set DATA_DIR to a folder you own"
            ) from error

    def _require_data(self) -> None:
        """Refuse to make data anew: to a process that served a moment ago that would be an empty memory."""
        users = self._layout.lock("users")
        ours = (
            self._users and users.exists() and os.path.samestat(users.stat(), os.fstat(self._users.fileno()))
        )
        if not ours or not self._layout.cluster.exists():
            raise DataGoneError(
                f"{self.data_dir} was removed or replaced while in use: put it back, then start again"
            )

    def _bring_up(self, deadline: float) -> None:
        launched = False
        supervisor = self._layout.lock("supervisor")
        while not self._ready():
            if not is_held(supervisor):
                gave_up = launched and not self._was_killed()
                launched = True
                if gave_up or (self._launch() > 0 and not is_held(supervisor)):
                    raise self._failure("could not start")
            if time.monotonic() > deadline:
                raise self._failure("did not answer in time")
            time.sleep(FAST_TICK)

    def _was_killed(self) -> bool:
        """Tell by the name in its lock, which a supervisor that ends by itself takes out."""
        return self._layout.lock("supervisor").stat().st_size > 0

    def _launch(self) -> int:
        """Start a supervisor that outlives us. It holds its lock when this returns 0, else it has failed."""
        self._layout.state.unlink(missing_ok=True)
        mode = "durable" if self._durable else "fast"
        command = [sys.executable, "-P", "-m", _SUPERVISOR, str(self.data_dir), mode, str(self._memory)]
        with open_log(self._layout.log("supervisor")) as log:
            started = subprocess.run(  # noqa: S603 (our own file)
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env={**os.environ, "PYTHONPATH": _CODE},
                start_new_session=True,
                check=False,
            )
        return started.returncode

    def _ready(self) -> bool:
        if not self._layout.state.exists() or not is_held(self._layout.lock("supervisor")):
            return False
        try:
            ask_versions(self._layout.run)
        except OSError:  # killed a moment ago: the supervisor is about to notice
            return False
        return True

    def _adopt_orphans(self) -> None:
        if not self._layout.locks.exists():  # removed while in use: what ran there ends by itself
            return
        locks = [self._layout.lock(name) for name in ("postgres", "valkey")]
        with try_lock(self._layout.lock("users"), fcntl.LOCK_EX) or contextlib.nullcontext() as alone:
            orphaned = alone and not is_held(self._layout.lock("supervisor")) and any(map(is_held, locks))
        if orphaned:
            self._launch()

    def _stopping(self) -> bool:
        """Tell whether a supervisor still runs that nobody keeps. The users' lock is looked at first and
        last: between two looks the supervisor takes it, or lets go."""
        if not is_held(self._layout.lock("supervisor")):
            return False
        lock = self._layout.lock("users")
        return is_held(lock) or self._is_free(lock) or is_held(lock)

    @staticmethod
    def _is_free(lock: Path) -> bool:
        taken = try_lock(lock, fcntl.LOCK_EX)
        if taken is not None:
            taken.close()
        return taken is not None

    def _state(self) -> dict[str, Any]:
        try:
            state: dict[str, Any] = json.loads(self._layout.state.read_bytes())
        except FileNotFoundError:
            return {}
        return state

    def _failure(self, what: str) -> EmbeddedError:
        told = last_lines(self._layout.log("supervisor")) or last_lines(self._layout.log("postgres"))
        return EmbeddedError(
            f"the embedded services {what}; they last said:\n{told}\n"
            f"All of it is in {self._layout.logs}. "
            "To use servers of your own instead, set DATABASE_URL and REDIS_URL."
        )
