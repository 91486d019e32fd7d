"""What happens in a turn, for listeners now or later."""

import asyncio
from typing import Any, Literal

import msgspec
from msgspec import Struct

Name = Literal["turn", "text", "tool", "done", "error"]


# What JSON leaves as it is, and some clients take for the end of a line.
_LINE_ENDS = {"\u2028".encode(): b"\\u2028", "\u2029".encode(): b"\\u2029", "\x85".encode(): b"\\u0085"}


class TurnEvent(Struct, frozen=True):
    name: Name
    data: dict[str, Any]

    def encoded(self) -> bytes:
        data = msgspec.json.encode(self.data)
        for end, escaped in _LINE_ENDS.items():
            data = data.replace(end, escaped)
        return b"event: %s\ndata: %s\n\n" % (self.name.encode(), data)

    @property
    def is_last(self) -> bool:
        return self.name in ("done", "error")


class TurnEvents:
    """The events of one turn. A late listener hears all; a listener that leaves stops nobody."""

    def __init__(self) -> None:
        self._all = list[TurnEvent]()
        self._news = asyncio.Event()

    def tell(self, name: Name, /, **data: Any) -> None:
        self._all.append(TurnEvent(name, data))
        self._news.set()
        self._news = asyncio.Event()

    async def after(self, number: int, patience: float) -> list[TurnEvent]:
        """Return the events after the first `number` once there are any; none when that takes too long."""
        news = self._news
        if len(self._all) <= number:
            try:
                async with asyncio.timeout(patience):
                    await news.wait()
            except TimeoutError:
                return []
        return self._all[number:]

    @property
    def chat_id(self) -> str:
        """Empty before the first event."""
        return str(self._all[0].data.get("chat_id", "")) if self._all else ""

    @property
    def has_ended(self) -> bool:
        return bool(self._all) and self._all[-1].is_last

    async def last(self) -> TurnEvent:
        while not self.has_ended:
            await self._news.wait()
        return self._all[-1]

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(one.data["text"] for one in self._all if one.name == "text")
