"""The prompts of callers nobody knows, rendered between calls."""

from collections.abc import Callable
from datetime import UTC, datetime

from voice_server.context.layout.budget import Count
from voice_server.context.layout.slots import CachedPrompt
from voice_server.jobs import rebuild
from voice_server.store.prompts.default_prompts import SHARED, DefaultPrompt
from voice_server.templates.library import TemplateLibrary
from voice_server.webhooks.pre_call import Defaults


class DefaultPrompts:
    """Renders default prompts. `clock` gives unix seconds, `limit` is in tokens.

    `unkept` are those that `webhooks.housekeeping` has still to keep, by agent id and version: after two
    edits within a moment both were served.
    """

    def __init__(
        self,
        templates: TemplateLibrary,
        count: Count,
        clock: Callable[[], float],
        *,
        limit: int,
        timezone: str,
    ) -> None:
        self._templates = templates
        self._count = count
        self._clock = clock
        self._limit = limit
        self._timezone = timezone
        self.unkept: dict[tuple[str, str], DefaultPrompt] = {}

    def of(self, agent_id: str) -> CachedPrompt:
        now = datetime.fromtimestamp(self._clock(), UTC)
        templates = self._templates.agent(agent_id)
        entry, to_keep = rebuild.default_prompt(
            templates, self._count, now=now, limit=self._limit, timezone=self._timezone
        )
        self.unkept[agent_id or SHARED, to_keep.version] = to_keep
        return entry

    def refresh(self, defaults: Defaults, agent_ids: set[str]) -> None:
        changed = self._templates.refresh()
        wanted = agent_ids | set(self._templates.agent_ids)
        if changed:
            defaults.fallback = self.of("")
        if changed or wanted != defaults.by_agent.keys():
            # the same entry for all agents without templates of their own: it names no agent
            own = {agent_id: self.of(agent_id) for agent_id in self._templates.agent_ids}
            defaults.by_agent = {**dict.fromkeys(wanted, defaults.fallback), **own}
