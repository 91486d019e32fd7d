"""Stylesheet and scripts, each under an address that changes with it, so that browsers may keep them."""

import hashlib
from functools import cache
from importlib import resources

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from voice_server.errors import NotFound

_TYPES = {
    "console.css": "text/css",
    "console.js": "text/javascript",
    "vendor/htmx.min.js": "text/javascript",
    "vendor/hx-sse.min.js": "text/javascript",
}
_KEPT = "private, max-age=31536000, immutable"


class Asset(Struct, frozen=True):
    content: bytes
    media_type: str
    version: str


def show(request: Request) -> Response:
    asset = _asset(request.path_params["name"])
    is_current = request.url.query == asset.version
    headers = {"cache-control": _KEPT if is_current else "no-store"}
    return Response(asset.content, media_type=asset.media_type, headers=headers)


def address(name: str) -> str:
    return f"/console/static/{name}?{_asset(name).version}"


@cache
def _asset(name: str) -> Asset:
    if name not in _TYPES:
        raise NotFound("There is no such page.")
    content = resources.files(__package__).joinpath("static", name).read_bytes()
    return Asset(content, _TYPES[name], hashlib.sha256(content).hexdigest()[:12])
