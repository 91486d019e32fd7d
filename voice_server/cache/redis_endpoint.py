"""Where Redis is and how to log in: a URL read as redis-py reads it, without redis-py."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

import hiredis

from voice_server.errors import ConfigurationError


def encode(*parts: bytes) -> bytes:
    """Return one command as Redis reads it (RESP), to be joined with others."""
    return cast("bytes", hiredis.pack_command(cast("tuple[str]", parts)))  # its stub knows 1-tuples only


PING = encode(b"PING")


@dataclass(frozen=True)
class Endpoint:
    """A place and a login. As text it never shows the password."""

    host: str
    port: int
    path: str  # of a Unix socket; empty for TCP
    database: int
    username: str
    password: str = field(repr=False)
    tls: ssl.SSLContext | None

    def __str__(self) -> str:
        place = self.path or f"{self.host}:{self.port}"
        return f"{place} (database {self.database})"

    @property
    def greeting(self) -> list[bytes]:
        """The commands that begin a connection. The PING tells of a missing password or a server still
        loading."""
        commands = [PING]
        if self.database:
            commands.insert(0, encode(b"SELECT", b"%d" % self.database))
        if self.username or self.password:
            login = [self.username, self.password] if self.username else [self.password]
            commands.insert(0, encode(b"AUTH", *[part.encode() for part in login]))
        return commands

    async def connect(self, protocol: Callable[[], asyncio.Protocol]) -> None:
        """Open a connection for the protocol. Raises OSError, ssl.SSLError among them."""
        loop = asyncio.get_running_loop()
        if self.path:
            await loop.create_unix_connection(protocol, self.path)
            return
        transport, _ = await loop.create_connection(protocol, self.host, self.port, ssl=self.tls)
        _keep_alive(transport.get_extra_info("socket"))


def _keep_alive(tcp: socket.socket) -> None:
    """Have the kernel notice within a minute that the other end is gone while nobody asks anything."""
    tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", 30),
        ("TCP_KEEPALIVE", 30),
        ("TCP_KEEPINTVL", 5),
        ("TCP_KEEPCNT", 3),
    ):
        if hasattr(socket, name):  # macOS says TCP_KEEPALIVE for what Linux calls TCP_KEEPIDLE
            tcp.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


TLS_CERTIFICATE_RULES = {"none": ssl.CERT_NONE, "optional": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}
TLS_OPTIONS = {
    "ssl_cert_reqs",
    "ssl_check_hostname",
    "ssl_ca_certs",
    "ssl_ca_path",
    "ssl_ca_data",
    "ssl_certfile",
    "ssl_keyfile",
    "ssl_password",
}


def parse_url(url: str) -> Endpoint:
    """Read a Redis URL as redis-py does. Raises ConfigurationError, whose message never repeats the password.

    Options of redis-py's own pool (`max_connections`, `socket_timeout` …) are ignored. An unknown `ssl_`
    option is refused: ignoring it could weaken what was asked for.
    """
    parts = _split(url)
    options = {name: values[0] for name, values in parse_qs(parts.query).items()}
    return Endpoint(
        host=_host(parts),
        port=_port(parts),
        path=_path(parts),
        database=_database(parts, options),
        username=unquote(parts.username or "") or options.get("username", ""),
        password=unquote(parts.password or "") or options.get("password", ""),
        tls=_tls(parts, options),
    )


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
    except ValueError:  # an unclosed [ of an IPv6 address
        raise _bad_url("it is not a URL") from None
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise _bad_url("it must begin with redis://, rediss:// or unix://")
    if parts.fragment or "#" in url:
        raise _bad_url("it has a '#'; write %23 where one is meant, in a password for example")
    if "\0" in unquote(parts.path) + unquote(parts.hostname or ""):
        raise _bad_url("it has a NUL character")
    return parts


def _host(parts: SplitResult) -> str:
    host = unquote(parts.hostname or "")
    if host and parts.scheme == "unix":
        raise _bad_url("a socket's path begins with a third slash, as in unix:///run/redis.sock")
    try:
        host.encode("idna")
    except UnicodeError:
        raise _bad_url("the host name is not one") from None
    return host or "localhost"


def _port(parts: SplitResult) -> int:
    try:
        return parts.port or 6379
    except ValueError:  # its message repeats what may be part of a password
        raise _bad_url(
            "the port is not one; '/', '?' and '@' in a password are written %2F, %3F and %40"
        ) from None


def _path(parts: SplitResult) -> str:
    if parts.scheme != "unix":
        return ""
    if parts.path in ("", "/"):
        raise _bad_url("unix:// needs the path of a socket, as in unix:///run/redis.sock")
    return unquote(parts.path)


def _database(parts: SplitResult, options: dict[str, str]) -> int:
    in_path = "" if parts.scheme == "unix" else unquote(parts.path).strip("/")
    text = options.get("db", in_path) or "0"
    if not (text.isascii() and text.isdigit()):
        raise _bad_url("the database must be a number, as in redis://localhost:6379/0")
    return int(text)


def _tls(parts: SplitResult, options: dict[str, str]) -> ssl.SSLContext | None:
    wanted = {name: value for name, value in options.items() if name.startswith("ssl_")}
    if parts.scheme != "rediss":
        if wanted:
            raise _bad_url(f"{min(wanted)} needs rediss://")
        return None
    if unknown := wanted.keys() - TLS_OPTIONS:
        raise _bad_url(f"{min(unknown)} is not an option known here")
    try:
        return _tls_context(wanted)
    except (OSError, ValueError) as error:  # a file that is missing or is no certificate
        raise _bad_url(f"its TLS options do not work: {error}") from error


def _tls_context(options: dict[str, str]) -> ssl.SSLContext:
    rule = options.get("ssl_cert_reqs", "required")
    if rule not in TLS_CERTIFICATE_RULES:
        raise _bad_url(f"ssl_cert_reqs must be one of {', '.join(TLS_CERTIFICATE_RULES)}")
    context = ssl.create_default_context()
    context.check_hostname = rule != "none" and _is_true(options.get("ssl_check_hostname", "true"))
    context.verify_mode = TLS_CERTIFICATE_RULES[rule]
    authorities = [options.get(name) for name in ("ssl_ca_certs", "ssl_ca_path", "ssl_ca_data")]
    if any(authorities):
        context.load_verify_locations(*authorities)
    if "ssl_certfile" in options:
        context.load_cert_chain(
            options["ssl_certfile"], options.get("ssl_keyfile"), options.get("ssl_password")
        )
    return context


def _is_true(text: str) -> bool:
    return text.upper() not in ("0", "F", "FALSE", "N", "NO")


def _bad_url(what: str) -> ConfigurationError:
    return ConfigurationError(f"REDIS_URL: {what}")
