"""A turn of a chat: what a user wrote, and its answer while it is made."""

import logging
import time
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from voice_server.chat.events import TurnEvents
from voice_server.chat.port import StopSignal
from voice_server.domain.digest import ModelUse
from voice_server.runtime import logs
from voice_server.runtime.histogram import Histogram
from voice_server.store.conversations.chat_turns import Attempt, TurnKey, TurnResult
from voice_server.store.conversations.chats import Chat

_BROKEN_OFF = " […]"
# What became of the messages of a chat, in one turn's history: as /metrics counts it, and as the turn tells.
_MESSAGES = {
    "told": "message_history_count",
    "trimmed": "message_history_trimmed",
    "summed_up": "message_history_summed_up",
    "left_out": "message_history_left_out",
}
# What its context took, in parts: history is of what was read, counting of what was built.
_PARTS = {"reading": "read_ms", "history": "history_ms", "building": "build_ms", "counting": "count_ms"}
_CONTEXT_BUCKETS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5)  # seconds
_BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)  # seconds


log = logging.getLogger(__name__)


def broken_off(text: str) -> str:
    """Mark an answer that is not whole, once."""
    said = text.rstrip()
    return said if said.endswith(_BROKEN_OFF) else f"{said}{_BROKEN_OFF}"


class TurnFigures:
    """How turns went, for /metrics."""

    def __init__(self) -> None:
        self.outcomes = {"done": 0, "interrupted": 0, "failed": 0}
        self.messages = dict.fromkeys(_MESSAGES, 0)
        self.context_parts = dict.fromkeys(_PARTS, 0.0)
        self.context = Histogram(_CONTEXT_BUCKETS)
        self.first_text = Histogram(_BUCKETS)
        self.whole = Histogram(_BUCKETS)


class NewTurn(Struct, frozen=True):
    user_id: str
    agent_id: str
    chat_id: str
    turn_id: str
    text: str

    @property
    def key(self) -> TurnKey:
        return TurnKey(self.chat_id, self.turn_id)


class LiveAnswer:
    def __init__(self) -> None:
        self.events = TurnEvents()
        self.stop = StopSignal()
        self.began = time.monotonic()
        self.seen: float | None = None  # seconds until the first of the answer

    def text(self, more: str) -> None:
        if self.seen is None:
            self.seen = time.monotonic() - self.began
        self.events.tell("text", text=more)

    def tool(self, name: str) -> None:
        self.events.tell("tool", name=name)


class LiveTurn(LiveAnswer):
    def __init__(
        self, asked: NewTurn, user_id: str, attempt: Attempt, place: int | None, chat: Chat | None
    ) -> None:
        super().__init__()
        self.asked = asked
        self.user_id = user_id
        self.attempt = attempt
        self.place = place  # of the user's words; None until they are written down
        self.chat = chat  # as it was found, or with them


def observe(figures: TurnFigures, live: LiveAnswer, result: TurnResult) -> None:
    seconds = time.monotonic() - live.began
    figures.outcomes[result.status] += 1
    figures.whole.observe(seconds)
    if live.seen is not None:
        figures.first_text.observe(live.seen)
    if result.context:
        _observe_context(figures, result.context)
    logs.tell(
        log,
        logging.INFO,
        "chat turn",
        status=result.status,
        error=result.error,
        ms=logs.milliseconds(seconds),
        first_ms=logs.milliseconds(live.seen or 0),
        history=result.context.get("message_history_count", 0),
        left_out=result.context.get("message_history_left_out", 0),
        trimmed=result.context.get("message_history_trimmed", 0),
        summed_up=result.context.get("message_history_summed_up", 0),
        dropped=_by_rule(result.context),
        prompt_tokens=result.context.get("tokens", 0),
        history_tokens=result.context.get("message_history_tokens", 0),
        read_ms=result.context.get("read_ms", 0),
        history_ms=result.context.get("history_ms", 0),
        build_ms=result.context.get("build_ms", 0),
        count_ms=result.context.get("count_ms", 0),
        tokens_in=result.usage.get("input_tokens", 0),
        tokens_out=result.usage.get("output_tokens", 0),
    )


def _by_rule(context: Mapping[str, Any]) -> str:
    """Say how many messages each rule left out, of those that were looked at."""
    dropped: Mapping[str, int] = context.get("message_history_dropped", {})
    return ", ".join(f"{rule} ({number})" for rule, number in dropped.items())


def _observe_context(figures: TurnFigures, context: Mapping[str, Any]) -> None:
    for what, name in _MESSAGES.items():
        figures.messages[what] += context[name]
    for part, name in _PARTS.items():
        figures.context_parts[part] += context[name] / 1000
    figures.context.observe((context["read_ms"] + context["build_ms"]) / 1000)


def usage_of(use: ModelUse) -> dict[str, Any]:
    return {"model": use.model, "input_tokens": use.tokens_in, "output_tokens": use.tokens_out}
