"""The record of a prompt: what went in, what was left out and why (docs/explanation/prompt-stack.md,
snapshot)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from voice_server.context.layout import slots
from voice_server.context.layout.budget import SEPARATOR
from voice_server.context.layout.slots import CachedPrompt, Call
from voice_server.context.layout.tokens import TOKENIZER
from voice_server.context.prompt_builder import ORDER, PREFACE, Prompt, SectionReport
from voice_server.domain.memory import Memory


class ToldText(Struct, frozen=True):
    """What a model reads of a prompt, and where in it each section begins and ends (in characters); empty
    sections are nowhere."""

    text: str
    places: Mapping[str, tuple[int, int]]


def told_text(prompt: Prompt, entry: CachedPrompt, call: Call, *, whole: bool = True) -> ToldText:
    """Return the text of this moment; not `whole` for an agent that keeps persona and style at its
    platform."""
    parts = [one for one in prompt.pieces if whole or one[0] in ORDER]
    filled = slots.fill_texts([piece for _, piece in parts], prompt.choices, entry, call)
    text, places = "" if whole else PREFACE, dict[str, tuple[int, int]]()
    for (name, _), piece in zip(parts, filled, strict=True):
        if said := piece.removeprefix(SEPARATOR):
            text += f"{SEPARATOR if text else ''}{said}"
            places[name] = len(text) - len(said), len(text)
    return ToldText(text, places)


def snapshot(memory: Memory, prompt: Prompt, template_version: str, told: ToldText) -> dict[str, Any]:
    sections = {section.name: section for section in prompt.sections}
    return {
        # none on the phone: the platform keeps the call's own
        "message_history_count": len(prompt.history.messages),
        "message_history_tokens": prompt.history.tokens,
        "today_summary_present": _is_told(sections, "today_so_far"),
        "last_conversation_present": _is_told(sections, "last_time"),
        "relationship_present": _is_told(sections, "relationship"),
        "open_threads_count": _items(sections, "open_threads"),
        "thoughts_count": _items(sections, "inner_life"),
        "facts_count": _items(sections, "long_term_memory"),
        "conversations": memory.conversations,
        "tokens": prompt.tokens,
        "limit": prompt.limit,
        "tokenizer": TOKENIZER,
        "template_version": template_version,
        "sections": [_placed(section, told) for section in prompt.sections],
        "dropped": prompt.dropped,
    }


def _placed(section: SectionReport, told: ToldText) -> dict[str, Any]:
    begins, ends = told.places.get(section.name, (None, None))
    return {**asdict(section), "begins": begins, "ends": ends}


def _is_told(sections: Mapping[str, SectionReport], name: str) -> bool:
    return name in sections and sections[name].tokens > 0


def _items(sections: Mapping[str, SectionReport], name: str) -> int:
    return sections[name].items_kept if name in sections else 0
