"""`[LAST TIME]`: the latest ended conversation."""

from voice_server.context import words
from voice_server.context.budget import Content, Item, Section
from voice_server.context.hygiene import neutralise
from voice_server.context.occasion import Occasion, telling
from voice_server.domain.memory import Remembered

NAME = "last_time"
_CHANNELS = {"voice": "phone", "text": "text", "continuous": "text"}


def section(occasion: Occasion) -> Section:
    """Its summary, and what the platform noted."""
    latest = occasion.memory.last_time

    def render(_variant: int, content: Content) -> str:
        if latest is None or not content:
            return ""
        noted = [item.text for item in content.items]
        values = {**heading(latest, occasion), "summary": content.prose, "noted": noted}
        return occasion.templates.render(NAME, values)

    return Section(NAME, render, (_content(latest),), occasion.budget(NAME))


def heading(conversation: Remembered, occasion: Occasion) -> dict[str, str]:
    """When a conversation was, where and how long."""
    started = conversation.started_at.astimezone(occasion.zone)
    return {
        "date": words.long_date(started.date()),
        "time": words.time_of_day(started),
        "channel": _CHANNELS[conversation.channel],
        "duration": words.duration(conversation.duration),
    }


def _content(latest: Remembered | None) -> Content:
    if latest is None:
        return Content()
    source = f"conversations/{latest.id}"
    noted = telling(Item(neutralise(text), source) for text in latest.noted)
    return Content(neutralise(latest.summary), noted, source)
