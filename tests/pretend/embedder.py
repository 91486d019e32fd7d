"""The pretend embedder: a small server with an OpenAI-compatible API whose vectors are the words of a text,
hashed. It answers as it is told to, well, badly or not at all."""

import asyncio
import contextlib
import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pretend import port
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Asked = dict[str, Any]
Reply = Callable[[Asked], Response]

DIMENSIONS = 64


def hashed(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """A vector in which texts with the same words are near; of any length but 1."""
    vector = [0.01] * dimensions
    for word in re.findall(r"\w+", text.lower()):
        place = hashlib.sha256(word.encode()).digest()
        vector[place[0] % dimensions] += 1.0 if place[1] % 2 else -1.0
    return vector


def well(asked: Asked) -> Response:
    """Answers as it should, in another order than it was asked."""
    dimensions = asked.get("dimensions", DIMENSIONS)
    data = [
        {"object": "embedding", "index": index, "embedding": hashed(text, dimensions)}
        for index, text in enumerate(asked["input"])
    ]
    return JSONResponse({"object": "list", "data": data[::-1], "model": asked["model"]})


def status(code: int) -> Reply:
    return lambda _asked: JSONResponse({"error": {"message": "not now"}}, code)


def body(text: str) -> Reply:
    """Answers with this, whatever was asked."""
    return lambda _asked: Response(text, media_type="application/json")


def one_too_few(asked: Asked) -> Response:
    """Forgets the last text."""
    return well({**asked, "input": asked["input"][:-1]})


def of_many_lengths(asked: Asked) -> Response:
    """Each vector is longer than the one before."""
    data = [{"index": i, "embedding": hashed(text, 8 + i)} for i, text in enumerate(asked["input"])]
    return JSONResponse({"data": data})


def without_direction(asked: Asked) -> Response:
    """Nothing but zeros."""
    return JSONResponse(
        {"data": [{"index": i, "embedding": [0.0] * 8} for i, _ in enumerate(asked["input"])]}
    )


def refusing(longer_than: int) -> Reply:
    """Refuses a batch with a text of more characters."""
    refused = status(400)
    return lambda asked: (refused if any(len(one) > longer_than for one in asked["input"]) else well)(asked)


def about(word: str, reply: Reply) -> Reply:
    """Answers so when it is sent this word, else well."""
    return lambda asked: (reply if word in json.dumps(asked) else well)(asked)


@dataclass
class PretendEmbedder:
    """What it was asked, and what it answers: what is next in `replies`, then always `otherwise`."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    replies: deque[Reply] = field(default_factory=deque)
    otherwise: Reply = well
    meanwhile: Callable[[], None] | None = None  # happens once, while it computes
    delay: float = 0.0

    def forget(self) -> None:
        vars(self).update(vars(PretendEmbedder(url=self.url)))

    @property
    def read(self) -> list[str]:
        """The texts it was sent."""
        return [text for each in self.asked for text in each["input"]]

    async def embed(self, request: Request) -> Response:
        asked = await request.json()
        self.asked.append(asked)
        self.keys.append(request.headers.get("authorization", ""))
        if happens := self.meanwhile:
            self.meanwhile = None
            await asyncio.to_thread(happens)
        await asyncio.sleep(self.delay)
        reply = self.replies.popleft() if self.replies else self.otherwise
        return reply(asked)


@contextlib.contextmanager
def serving() -> Iterator[PretendEmbedder]:
    embedder = PretendEmbedder()
    app = Starlette(routes=[Route("/v1/embeddings", embedder.embed, methods=["POST"])])
    with port.serving(app) as url:
        embedder.url = f"{url}/v1"
        yield embedder
