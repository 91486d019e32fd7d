"""The record of a prompt: what went in, what was left out and why (docs/explanation/prompt-stack.md,
snapshot)."""

from collections.abc import Mapping
from typing import Any

from voice_server.context.layout.tokens import TOKENIZER
from voice_server.context.prompt_builder import Prompt, SectionReport
from voice_server.domain.memory import Memory


def snapshot(memory: Memory, prompt: Prompt, template_version: str) -> dict[str, Any]:
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
        "tokenizer": TOKENIZER,
        "template_version": template_version,
        "sections": prompt.sections,
        "dropped": prompt.dropped,
    }


def _is_told(sections: Mapping[str, SectionReport], name: str) -> bool:
    return name in sections and sections[name].tokens > 0


def _items(sections: Mapping[str, SectionReport], name: str) -> int:
    return sections[name].items_kept if name in sections else 0
