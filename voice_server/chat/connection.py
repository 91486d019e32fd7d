"""The way to the model, made when it is first asked, and how many it answers at once."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator

from voice_server.chat.port import ChatModel


class ModelConnection:
    """`connect` makes the model, which takes a second."""

    def __init__(self, connect: Callable[[], ChatModel]) -> None:
        self._connect = connect
        self._model: ChatModel | None = None
        self._connecting = asyncio.Lock()

    async def model(self) -> ChatModel:
        """Raises ConfigurationError when it is set up wrong."""
        async with self._connecting:
            if self._model is None:
                self._model = await asyncio.to_thread(self._connect)
        return self._model

    async def close(self) -> None:
        if self._model is not None:
            await self._model.close()


class Room:
    """For so many answers at once in this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0

    @property
    def is_there(self) -> bool:
        return self._taken < self._most

    def take(self) -> None:
        self._taken += 1

    def leave(self) -> None:
        self._taken -= 1

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        self.take()
        try:
            yield
        finally:
            self.leave()
