"""`[RELATIONSHIP]`: how the two stand with each other. Its budget is what the situation leaves."""

from collections.abc import Iterator

from voice_server.context.layout.budget import ELLIPSIS, Content, Item, Section, sentences
from voice_server.context.layout.prompt_input import PromptInput, telling
from voice_server.context.screening.hygiene import neutralise
from voice_server.domain.relationship import Metrics, Relationship

NAME = "relationship"
_BACKSTORY = "backstory"
# As the template has them, "" where there is nothing to say; in order of priority.
_VALUES = ("chapter", "closeness", "metrics", "engagement", "emotional_state", "conflict_state", _BACKSTORY)


def section(given: PromptInput) -> Section:
    """Tell the backstory last, sentence by sentence, because it is the longest."""
    source = f"relationships/{given.memory.user_id}"
    items = telling(Item(text, source, label) for label, text in _said(given.memory.relationship))

    def render(_variant: int, content: Content) -> str:
        if not content:
            return ""
        cut = content.items and content.items[-1].label == _BACKSTORY and len(content.items) < len(items)
        return given.templates.render(NAME, _values(content.items, ELLIPSIS if cut else ""))

    return Section(NAME, render, (Content(items=items),), given.budget(NAME), shares="situation")


def _said(relationship: Relationship | None) -> Iterator[tuple[str, str]]:
    if relationship is None:
        return
    yield "chapter", neutralise(relationship.chapter)
    yield "closeness", f"{relationship.score:.2f}" if relationship.score else ""
    yield "metrics", _measured(relationship.metrics)
    yield "engagement", neutralise(relationship.engagement)
    yield "emotional_state", neutralise(relationship.emotional_state)
    yield "conflict_state", neutralise(relationship.conflict_state)
    for sentence in sentences(neutralise(relationship.backstory)):
        yield _BACKSTORY, sentence


def _measured(metrics: Metrics) -> str:
    if metrics == Metrics():
        return ""
    return ", ".join(f"{name} {getattr(metrics, name):.2f}" for name in metrics.__struct_fields__)


def _values(items: tuple[Item, ...], mark: str) -> dict[str, str]:
    said = dict.fromkeys(_VALUES, "")
    for item in items:
        said[item.label] += item.text
    return {**said, _BACKSTORY: said[_BACKSTORY] + mark}
