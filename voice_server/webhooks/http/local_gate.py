"""What is open on this machine alone; from elsewhere it takes a token.

listens on 127.0.0.1, and no proxy says that it asks for somebody else → open
anything else → Authorization: Bearer <token>, or a browser's Basic with the token as password
"""

import base64
import ipaddress
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response

from voice_server.webhooks.http.bearer import is_one_of

_FORWARDED = (
    "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via",
    "cf-connecting-ip", "true-client-ip",
)  # fmt: skip
_CHALLENGE = {"www-authenticate": 'Bearer realm="voice-server", Basic realm="voice-server"'}


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class LocalGate:
    """`variable` names the setting of the tokens; `always` wants a token on this machine, too."""

    def __init__(self, host: str, tokens: Sequence[str], variable: str, *, always: bool = False) -> None:
        self._is_open = is_loopback(host) and not always
        self._tokens = tokens
        self._variable = variable

    def refusal(self, headers: Headers) -> Response | None:
        if self._is_open and not any(name in headers for name in _FORWARDED):
            return None
        if not self._tokens:
            why = f"This is open on the server's own machine alone, until {self._variable} is set."
            return JSONResponse({"error": "forbidden", "message": why}, 403)
        if not _has_token(headers.get("authorization", ""), self._tokens):
            why = f"Send the header Authorization: Bearer <{self._variable}>."
            return JSONResponse({"error": "unauthorized", "message": why}, 401, _CHALLENGE)
        return None


def _has_token(authorization: str, tokens: Sequence[str]) -> bool:
    """Take Basic here, not on `/api`: a browser sends it by itself, for any page."""
    scheme, _, given = authorization.partition(" ")
    token = {"bearer": given, "basic": _password(given)}.get(scheme.lower(), "")
    return is_one_of(token.encode(), [one.encode() for one in tokens])


def _password(credentials: str) -> str:
    try:
        return base64.b64decode(credentials, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""
