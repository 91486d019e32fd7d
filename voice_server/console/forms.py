"""What a form of the console sends."""

from urllib.parse import parse_qs

from starlette.requests import Request

from voice_server.domain.bounds import storable
from voice_server.errors import Conflict

ROOM = 4096  # bytes of all that is short


async def fields(request: Request, longest: int = ROOM) -> dict[str, str]:
    """Return the first value of each field, with lines ended by a newline. Raises Conflict above `longest`
    bytes."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > longest:
            raise Conflict("What was sent is too long. Go back and shorten it.")
    read = parse_qs(body.decode(errors="replace"), keep_blank_values=True)
    return {storable(name): _kept(values[0]) for name, values in read.items()}


def _kept(value: str) -> str:
    return storable(value).replace("\r\n", "\n")
