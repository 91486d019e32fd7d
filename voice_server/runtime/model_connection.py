"""A connection to a model, made in a thread when it is first needed: loading what asks the model takes a
second."""

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from voice_server.runtime import collector


class _Closeable(Protocol):
    async def close(self) -> None: ...


_Model = TypeVar("_Model", bound=_Closeable)


class ModelConnection(Generic[_Model]):
    def __init__(self, connect: Callable[[], _Model]) -> None:
        self._connect = connect
        self._model: _Model | None = None
        self._connecting = asyncio.Lock()

    async def model(self) -> _Model:
        """Return the model. Raises ConfigurationError when it is set up wrong."""
        async with self._connecting:
            if self._model is None:
                self._model = await asyncio.to_thread(collector.loaded, self._connect)
        return self._model

    async def close(self) -> None:
        if self._model is not None:
            await self._model.close()
