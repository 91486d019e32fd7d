"""What a form of the console's pages sends."""

from urllib.parse import parse_qs

from starlette.requests import Request

_LONGEST = 4096  # bytes


async def fields(request: Request, longest: int = _LONGEST) -> dict[str, str]:
    """The first value of each; nothing of one that is too long."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > longest:
            return {}
    return {name: values[0] for name, values in parse_qs(body.decode(errors="replace")).items()}
