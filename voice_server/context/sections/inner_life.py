"""`[INNER LIFE]`: what the agent carries into the conversation. Its budget is what the open threads leave."""

from collections.abc import Iterator
from datetime import datetime

from voice_server.context.layout import formatting
from voice_server.context.layout.budget import Content, Item, Section
from voice_server.context.layout.prompt_input import PromptInput, is_dated, lines, telling
from voice_server.context.screening.hygiene import neutralise
from voice_server.context.sections import open_threads
from voice_server.domain.thought import Thought

NAME = "inner_life"


def section(given: PromptInput) -> Section:
    current = [thought for thought in given.memory.thoughts if thought.expires_at > given.now]
    ranked = sorted(current, key=lambda one: (not one.pinned, -one.created_at.timestamp(), -one.id))
    first: dict[str, Item] = {}
    for thought in ranked:
        first.setdefault(neutralise(thought.text), _item(thought, given))
    items = telling(first.values())
    limit = given.templates.agent.limits.thoughts
    return Section(
        NAME,
        lines(NAME, given.templates),
        (Content(items=items[:limit]),),
        given.budget(open_threads.NAME),
        shares=open_threads.NAME,
        left_out=tuple((item, f"limits: {limit} thoughts") for item in items[limit:]),
    )


def changes_at(given: PromptInput) -> Iterator[datetime]:
    return (thought.expires_at for thought in given.memory.thoughts)


def _item(thought: Thought, given: PromptInput) -> Item:
    text = neutralise(thought.text)
    had = "" if is_dated(text) else formatting.short_date(given.local_day(thought.created_at))
    return Item(text, f"thoughts/{thought.id}", had)
