"""The floor: uvicorn with an app that reads the body and returns fixed bytes.

python bare_server.py PORT SIZE
"""

import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn

Message = MutableMapping[str, Any]


class Bare:
    def __init__(self, size: int) -> None:
        self._body = b"x" * size
        self._headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % size)]

    async def __call__(
        self,
        _scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        while (await receive()).get("more_body", False):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": self._headers})
        await send({"type": "http.response.body", "body": self._body})


if __name__ == "__main__":
    port, size = map(int, sys.argv[1:])
    uvicorn.run(
        Bare(size),
        port=port,
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_level="warning",
        lifespan="off",
        # the switches of our own web process: what they save must not count for us
        proxy_headers=False,
        server_header=False,
    )
