"""Whom the services run as, and what that user can reach."""

import os
import pwd
import stat
from pathlib import Path
from typing import NamedTuple

from voice_server.embedded.layout import EmbeddedError


class Account(NamedTuple):
    """The user the services run as when we are root: Postgres refuses to be root."""

    uid: int
    gid: int


def choose_account(cluster: Path) -> Account | None:
    """None for an ordinary user. For root: whoever owns the data already there, else `nobody`."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwuid(cluster.stat().st_uid) if cluster.exists() else pwd.getpwnam("nobody")
    except KeyError as error:
        raise EmbeddedError(
            f"Postgres does not run as root, and the user to run it as does not exist ({error.args[0]}): "
            f"run as an ordinary user, or give {cluster} to a user that exists (chown -R)"
        ) from error
    return Account(entry.pw_uid, entry.pw_gid)


def within_reach(path: Path, account: Account | None) -> bool:
    """Whether `account` may pass through every folder above `path`, going by the classic modes."""
    return account is None or all(may_enter(folder.stat(), account) for folder in path.resolve().parents)


def may_enter(folder: os.stat_result, account: Account) -> bool:
    if folder.st_uid == account.uid:
        return bool(folder.st_mode & stat.S_IXUSR)
    if folder.st_gid == account.gid:
        return bool(folder.st_mode & stat.S_IXGRP)
    return bool(folder.st_mode & stat.S_IXOTH)


def claim_folder(path: Path, account: Account | None) -> None:
    """Make `path` the services' own folder. Raises EmbeddedError when it belongs to somebody else."""
    path.mkdir(mode=0o700, exist_ok=True)
    uid, gid = account or Account(os.geteuid(), os.getegid())
    now = path.lstat()
    if not stat.S_ISDIR(now.st_mode) or now.st_uid not in {os.geteuid(), uid}:
        raise EmbeddedError(f"{path} belongs to another user: remove it, then try again")
    os.chown(path, uid, gid)
    path.chmod(0o700)
