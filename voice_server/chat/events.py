"""What happens in a turn, for listeners now or later."""

import asyncio
from typing import Any, Literal

import msgspec
from msgspec import Struct

Name = Literal["turn", "text", "tool", "done", "error"]


# What JSON leaves as it is, and some clients take for the end of a line.
_LINE_ENDS = {"\u2028".encode(): b"\\u2028", "\u2029".encode(): b"\\u2029", "\x85".encode(): b"\\u0085"}


_TOGETHER = 0.05  # seconds


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
    """The events of one turn. A late listener hears all; a listener that leaves stops nobody.

    The first text is heard at once, and what follows within a moment together: a listener costs as much for a
    word as for a line.
    """

    def __init__(self) -> None:
        self._all = list[TurnEvent]()
        self._heard = 0  # of them: the last may be text that waits for more
        self._news = asyncio.Event()
        self._waits: asyncio.TimerHandle | None = None
        self._next_text = 0.0  # when it may be heard, by the clock of the event loop

    def tell(self, name: Name, /, **data: Any) -> None:
        if name == "text":
            self._tell_text(str(data["text"]))
        else:
            self._all.append(TurnEvent(name, data))
            self._let_hear()

    def _tell_text(self, more: str) -> None:
        if self._waits is not None:
            self._all[-1] = TurnEvent("text", {"text": self._all[-1].data["text"] + more})
            return
        self._all.append(TurnEvent("text", {"text": more}))
        loop = asyncio.get_running_loop()
        if loop.time() >= self._next_text:
            self._let_hear_text()
        else:
            self._waits = loop.call_at(self._next_text, self._let_hear_text)

    def _let_hear_text(self) -> None:
        self._next_text = asyncio.get_running_loop().time() + _TOGETHER
        self._let_hear()

    def _let_hear(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None
        self._heard = len(self._all)
        self._news.set()
        self._news = asyncio.Event()

    async def after(self, number: int, patience: float) -> list[TurnEvent]:
        """Return the events after the first `number` once there are any; none when that takes too long."""
        news = self._news
        if self._heard <= number:
            try:
                async with asyncio.timeout(patience):
                    await news.wait()
            except TimeoutError:
                return []
        return self._all[number : self._heard]

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
