"""Our data-collection items as ElevenLabs wants them (`platform_settings.data_collection`: SDK
analysis_property, Oct 2026). Pure."""

from collections.abc import Sequence
from typing import Any

from voice_server.digest.analysis.items import Item


def settings(items: Sequence[Item], *, llm: str = "", summary_language: str = "") -> dict[str, Any]:
    """Return the body of `PATCH /v1/convai/agents/{id}`. An empty `llm` is the agent's own analysis model; an
    empty `summary_language` is the spoken one."""
    model = {"llm": llm} if llm else {}
    collected = {item.id: {"type": "string", "description": item.prompt, **model} for item in items}
    language = {"summary_language": summary_language} if summary_language else {}
    return {"platform_settings": {"data_collection": collected, **language}}
