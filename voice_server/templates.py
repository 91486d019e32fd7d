"""The prompt templates: found, compiled once, checked when loaded, reloaded when edited.

    prompt_templates/default/<section>.jinja   what every agent gets
    prompt_templates/<agent>/<section>.jinja   what this agent has instead
    prompt_templates/<agent>/agent.toml        how this agent is served

A broken template never reaches a call: at the start it stops the start, later the last good set
stays and the error is logged.
"""

import hashlib
import logging
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from jinja2.sandbox import ImmutableSandboxedEnvironment
from msgspec.structs import replace

from voice_server.context.budget import Count
from voice_server.context.prompt import GUARDRAIL
from voice_server.domain.agent import Agent
from voice_server.errors import ConfigurationError

SECTIONS = ("persona", "situation", "last_time", "today_so_far", "open_threads", "response_style")
DEFAULT = "default"

log = logging.getLogger(__name__)

_LINE = {"label": "promise, 10 Nov 2026", "text": "You said you'd send the recipe."}
# What each section is rendered with when it is checked, and nothing else: an undefined name is found at load.
_SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "persona": {},
    "situation": {
        "time": "09:12", "date": "Tuesday 17 November 2026", "part_of_day": "morning",
        "since_last": "3 hours", "conversations": 4, "known": True, "redial": True,
    },
    "last_time": {
        "date": "Tuesday 17 November 2026", "time": "09:12", "channel": "phone",
        "duration": "6 minutes", "summary": "Ada asked for the recipe.", "noted": ["callback needed: yes"],
    },
    "today_so_far": {
        "summary": "Ada asked for the recipe.", "key_moments": [_LINE],
        "yesterday_date": "Monday 16 November 2026", "yesterday_summary": "Ada called.",
    },
    "open_threads": {"items": [_LINE]},
    "response_style": {},
}  # fmt: skip


class AgentTemplates:
    """The compiled sections of one agent, and how it is served. `version` changes with any edit."""

    def __init__(self, agent: Agent, sections: Mapping[str, jinja2.Template], version: str) -> None:
        self.agent = agent
        self.version = version
        self._sections = sections

    def render(self, section: str, values: Mapping[str, Any]) -> str:
        """The section's text without surrounding blank lines; "" for nothing."""
        return self._sections[section].render(values).strip()

    def for_agent(self, agent_id: str) -> "AgentTemplates":
        """The same templates, served as the agent with this id."""
        return AgentTemplates(replace(self.agent, id=agent_id), self._sections, self.version)


class TemplateLibrary:
    """All templates below one folder. Call `refresh()` now and then to take up edits."""

    def __init__(self, root: Path, *, limit: int, count: Count) -> None:
        """Compile and check everything. Raises ConfigurationError naming the file that is wrong."""
        self._root = root
        self._limit = limit
        self._count = count
        self._stamp = self._stamped()
        self._agents = self._load()
        self.error = ""

    def agent(self, agent_id: str) -> AgentTemplates:
        """The templates for an agent: its own where it has some, else the default ones."""
        found = self._agents.get(agent_id)
        return found or self._agents[DEFAULT].for_agent(agent_id)

    @property
    def agent_ids(self) -> list[str]:
        """The ids of the agents that have a folder."""
        return [id_ for id_ in self._agents if id_ != DEFAULT]

    def refresh(self) -> bool:
        """Take up edited files; whether anything changed. A broken edit is logged, the last good set stays."""
        stamp = self._stamped()
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        try:
            self._agents, self.error = self._load(), ""
        except ConfigurationError as error:
            self.error = str(error)
            log.exception("prompt templates were edited but cannot be used; the last good ones stay")
            return False
        return True

    def _stamped(self) -> list[tuple[str, int, int]]:
        stats = [(path, path.stat()) for path in sorted(self._root.glob("*/*")) if path.is_file()]
        return [(str(path), stat.st_mtime_ns, stat.st_size) for path, stat in stats]

    def _load(self) -> dict[str, AgentTemplates]:
        if not (self._root / DEFAULT).is_dir():
            raise ConfigurationError(
                f"no folder {DEFAULT!r} in {self._root}: set PROMPT_TEMPLATES to the folder of the templates"
            )
        folders = [path for path in sorted(self._root.iterdir()) if path.is_dir()]
        loaded = [templates for folder in folders for templates in self._load_folder(folder)]
        return {templates.agent.id: templates for templates in loaded}

    def _load_folder(self, folder: Path) -> list[AgentTemplates]:
        agent, ids = _read_agent(self._root, folder)
        sources = {section: _read_section(self._root, folder, section) for section in SECTIONS}
        compiled = {section: _compile(path, text) for section, (path, text) in sources.items()}
        version = _version(agent, sources)
        templates = AgentTemplates(agent, compiled, version)
        self._check(templates, sources)
        return [templates.for_agent(id_) for id_ in ids]

    def _check(self, templates: AgentTemplates, sources: Mapping[str, tuple[Path, str]]) -> None:
        """Every section renders; the guardrail is there; what is never cut fits by itself (truncation 4)."""
        rendered = {section: _try(templates, section, sources[section][0]) for section in SECTIONS}
        if GUARDRAIL not in rendered["response_style"]:
            raise ConfigurationError(f"{sources['response_style'][0]} must contain the line {GUARDRAIL!r}")
        limit = templates.agent.token_limit or self._limit
        uncut = sum(
            self._count(rendered[name] + "\n\n") for name in ("persona", "situation", "response_style")
        )
        if uncut > limit:
            raise ConfigurationError(
                f"persona, situation and response_style of {sources['persona'][0].parent} are {uncut} tokens,"
                f" which alone is over the limit of {limit}: shorten them or raise the limit"
            )


def _read_agent(root: Path, folder: Path) -> tuple[Agent, list[str]]:
    """The agent a folder describes (default's values under its own) and the ids it goes by."""
    values = {**_read_toml(root / DEFAULT / "agent.toml"), **_read_toml(folder / "agent.toml")}
    ids = values.pop("ids", None) or [folder.name]
    try:
        agent = msgspec.convert({"id": folder.name, "name": folder.name, **values}, Agent)
        return agent, msgspec.convert(ids if folder.name != DEFAULT else [DEFAULT], list[str])
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{folder / 'agent.toml'}: {error}") from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from None


def _read_section(root: Path, folder: Path, section: str) -> tuple[Path, str]:
    for place in (folder, root / DEFAULT):
        path = place / f"{section}.jinja"
        if path.exists():
            try:
                return path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError as error:
                raise ConfigurationError(f"{path} is not UTF-8: {error}") from None
    raise ConfigurationError(f"{root / DEFAULT / section}.jinja is missing")


def _compile(path: Path, text: str) -> jinja2.Template:
    try:
        return _environment().from_string(text)
    except jinja2.TemplateSyntaxError as error:
        raise ConfigurationError(f"{path} line {error.lineno}: {error.message}") from None


def _environment() -> jinja2.Environment:
    """Sandboxed and strict. What is rendered is a prompt, not HTML: nothing to escape."""
    return ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )


def _try(templates: AgentTemplates, section: str, path: Path) -> str:
    try:
        return templates.render(section, _SAMPLES[section])
    except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError) as error:
        raise ConfigurationError(f"{path} cannot be rendered: {error}") from None


def _version(agent: Agent, sources: Mapping[str, tuple[Path, str]]) -> str:
    content = repr((msgspec.json.encode(agent), sorted((name, text) for name, (_, text) in sources.items())))
    return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()
