"""The user that the services run as, and what that user can reach."""

import contextlib
import os
import pwd
import shlex
import stat
from pathlib import Path
from typing import NamedTuple

from voice_server.embedded.layout import EmbeddedError, Layout


class Account(NamedTuple):
    """The services' user when we are root: Postgres refuses to be root."""

    uid: int
    gid: int


def choose_account(cluster: Path) -> Account | None:
    """Return None for an ordinary user. For root: the owner of the data already there, else of their folder,
    else `nobody`."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwuid(cluster.stat().st_uid) if cluster.exists() else future_owner(cluster.parent)
    except KeyError as error:
        raise EmbeddedError(
            f"Postgres does not run as root, and the user to run it as does not exist ({error.args[0]}): "
            f"run as an ordinary user, or give {cluster} to a user that exists (chown -R)"
        ) from error
    return Account(entry.pw_uid, entry.pw_gid)


def future_owner(data: Path) -> pwd.struct_passwd:
    """Return the folder's owner; `nobody` when that is root or unknown. Raises KeyError without `nobody`."""
    owner = data.stat().st_uid
    with contextlib.suppress(KeyError):
        return pwd.getpwuid(owner) if owner else pwd.getpwnam("nobody")
    return pwd.getpwnam("nobody")


def require_owner(layout: Layout, user: int) -> None:
    """Raise EmbeddedError, with the command that mends it, where `user` cannot use the data: what root copies
    is root's afterwards."""
    if user == 0:
        _require_owner_to_run_as(layout)
        return
    inside = foreign(user, layout.cluster, layout.locks, layout.logs, layout.data / "run")
    if found := inside or _closed_to(user, layout.data):
        us = user_name(user)
        raise EmbeddedError(
            f"{found} belongs to {owner_name(found)}, and this runs as {us}: "
            f"run `sudo chown -R {us}: {shlex.quote(str(layout.data))}`, then start again"
        )


def _require_owner_to_run_as(layout: Layout) -> None:
    if not layout.cluster.exists():
        return
    owner = layout.cluster.stat().st_uid
    if found := foreign(owner, layout.cluster) if owner else layout.cluster:
        user = user_name(owner) if owner else future_owner(layout.data).pw_name
        raise EmbeddedError(
            f"{found} belongs to {owner_name(found)}, and Postgres, which does not run as root, "
            f"runs as {user}: run `chown -R {user}: {shlex.quote(str(layout.cluster))}`, then start again"
        )


def _closed_to(user: int, data: Path) -> Path | None:
    there = filter(Path.exists, (data, data / "secrets.env"))
    return next((path for path in there if not (belongs(path, user) or _is_shared(path))), None)


def _is_shared(path: Path) -> bool:
    return bool(path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def foreign(user: int, *folders: Path) -> Path | None:
    """Return the first of these folders, or of what is directly in them, that is not `user`'s."""
    for folder in filter(Path.exists, folders):
        for path in (folder, *folder.iterdir()) if belongs(folder, user) else (folder,):
            if not belongs(path, user):
                return path
    return None


def belongs(path: Path, user: int) -> bool:
    """Return True for what is gone by now: running services make and remove files."""
    try:
        return path.lstat().st_uid == user
    except FileNotFoundError:
        return True


def owner_name(path: Path) -> str:
    return user_name(path.lstat().st_uid)


def user_name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def within_reach(path: Path, account: Account | None) -> bool:
    """Tell whether the account gets in, by the classic modes of every folder above `path`."""
    return account is None or all(may_enter(folder.stat(), account) for folder in path.resolve().parents)


def may_enter(folder: os.stat_result, account: Account) -> bool:
    if folder.st_uid == account.uid:
        return bool(folder.st_mode & stat.S_IXUSR)
    if folder.st_gid == account.gid:
        return bool(folder.st_mode & stat.S_IXGRP)
    return bool(folder.st_mode & stat.S_IXOTH)


def claim_folder(path: Path, account: Account | None) -> None:
    """Make `path` the services' own folder. Raises EmbeddedError when it is somebody else's."""
    path.mkdir(mode=0o700, exist_ok=True)
    uid, gid = account or Account(os.geteuid(), os.getegid())
    now = path.lstat()
    if not stat.S_ISDIR(now.st_mode) or now.st_uid not in {os.geteuid(), uid}:
        raise EmbeddedError(f"{path} belongs to another user: remove it, then try again")
    os.chown(path, uid, gid)
    path.chmod(0o700)
