"""A few words of each service's protocol, so that starting them needs no driver."""

import contextlib
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from voice_server.embedded.layout import POSTGRES_SOCKET, VALKEY_SOCKET


class RefusedError(OSError):
    """An error of Postgres; `code` is its SQLSTATE."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code


def ask_versions(run: Path) -> dict[str, str]:
    """Raise OSError when a service does not answer."""
    return {"postgres": ask_postgres(run, "app"), "valkey": ask_valkey(run)}


def ask_valkey(run: Path) -> str:
    with dial(run / VALKEY_SOCKET) as wire:
        wire.write(b"INFO server\r\n")
        wire.flush()
        size = int(wire.readline()[1:] or 0)
        info = wire.read(size).decode()
    found = re.search(r"valkey_version:(\S+)", info)
    if not found:
        raise ConnectionError("valkey closed the connection")
    return found[1]


def ask_postgres(run: Path, database: str, statement: str = "") -> str:
    """Run `statement`, and return the server's version. Raises OSError; RefusedError says why."""
    with dial(run / POSTGRES_SOCKET) as wire:
        protocol_3 = (196608).to_bytes(4)
        send(wire, b"", protocol_3 + b"user\0postgres\0database\0" + database.encode() + b"\0\0")
        version = read_until_ready(wire)
        if statement:
            send(wire, b"Q", statement.encode() + b"\0")
            read_until_ready(wire)
        send(wire, b"X", b"")
    return version


@contextlib.contextmanager
def dial(path: Path) -> Iterator[Any]:
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(10)
        wire.connect(str(path))
        with wire.makefile("rwb") as file:
            yield file


def send(wire: IO[bytes], kind: bytes, body: bytes) -> None:
    wire.write(kind + (len(body) + 4).to_bytes(4) + body)
    wire.flush()


def read_until_ready(wire: IO[bytes]) -> str:
    version = ""
    for kind, body in messages(wire):
        if kind == b"E":
            fields = {part[:1]: part[1:].decode(errors="replace") for part in body.split(b"\0")}
            raise RefusedError(fields[b"C"], fields[b"M"])
        if kind == b"S" and body.startswith(b"server_version\0"):
            version = body.split(b"\0")[1].decode()
        if kind == b"Z":
            return version
    raise ConnectionError("postgres closed the connection")


def messages(wire: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    while len(header := wire.read(5)) == 5:  # noqa: PLR2004 (a letter and the length)
        yield header[:1], wire.read(int.from_bytes(header[1:]) - 4)
