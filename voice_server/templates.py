"""The prompt templates: found, compiled once, checked when loaded, reloaded when edited.

    prompt_templates/default/<section>.jinja   what every agent gets
    prompt_templates/<agent>/<section>.jinja   what this agent has instead
    prompt_templates/<agent>/agent.toml        how this agent is served

A broken template never reaches a call: at the start it stops the start, later the last good set
stays and the error is logged.
"""

import hashlib
import logging
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import jinja2
import jinja2.meta
import msgspec
from jinja2.sandbox import ImmutableSandboxedEnvironment
from msgspec.structs import replace

from voice_server.context.budget import Count
from voice_server.context.prompt import GUARDRAIL
from voice_server.context.slots import DATE, PART_OF_DAY, SINCE_LAST, TIME, WIDEST
from voice_server.domain.agent import Agent
from voice_server.errors import ConfigurationError, RebuildError

SECTIONS = ("persona", "situation", "last_time", "today_so_far", "open_threads", "response_style")
DEFAULT, AGENT = "default", "agent.toml"

_RENDERING = (jinja2.TemplateError, TypeError, ValueError, LookupError, ArithmeticError)

_RESERVED = re.compile("[\ue000-\ue03f]")
_RESERVED_USED = "has a character from U+E000 to U+E03F: those stand for the slots of a cached prompt"

log = logging.getLogger(__name__)

_LINE = {"label": "promise, 10 Nov 2026", "text": "You said you'd send the recipe."}
_SITUATION = {
    "time": WIDEST[TIME], "date": WIDEST[DATE], "part_of_day": WIDEST[PART_OF_DAY],
    "since_last": WIDEST[SINCE_LAST], "last_date": WIDEST[DATE], "conversations": 4, "known": True, "redial": True,
}  # fmt: skip
_LAST_TIME = {
    "date": "Tuesday 17 November 2026", "time": "09:12", "channel": "phone", "duration": "6 minutes",
    "summary": "Ada asked for the recipe.", "noted": ["callback needed: yes"],
}  # fmt: skip
_DAY = {
    "summary": "Ada asked for the recipe.", "key_moments": [_LINE],
    "yesterday_date": "Monday 16 November 2026", "yesterday_summary": "Ada called.",
}  # fmt: skip
# What each section is rendered with when it is checked: every case a template tells apart, and no
# other name, so that a misspelt one is found at load and not on a call.
_SAMPLES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "persona": [{}],
    "situation": [
        _SITUATION,
        {**_SITUATION, "redial": False, "conversations": 1},
        {**_SITUATION, "conversations": 0, "since_last": "", "last_date": ""},
        {**_SITUATION, "conversations": 0, "since_last": "", "last_date": "", "known": False},
    ],
    "last_time": [_LAST_TIME, {**_LAST_TIME, "noted": []}, {**_LAST_TIME, "summary": ""}],
    "today_so_far": [
        _DAY,
        {**_DAY, "yesterday_summary": ""},
        {**_DAY, "summary": "", "yesterday_summary": ""},
        {**_DAY, "summary": "", "key_moments": []},
    ],
    "open_threads": [{"items": [_LINE]}],
    "response_style": [{}],
}


class AgentTemplates:
    """The compiled sections of one agent, and how it is served. `version` changes with any edit."""

    def __init__(self, agent: Agent, sections: Mapping[str, jinja2.Template], version: str) -> None:
        self.agent = agent
        self.version = version
        self._sections = sections

    def render(self, section: str, values: Mapping[str, Any]) -> str:
        """The section's text without surrounding blank lines; "" for nothing.

        Raises RebuildError when the template cannot make anything of these values.
        """
        try:
            return self._sections[section].render(values).strip()
        except _RENDERING as error:
            raise RebuildError(
                f"{section}.jinja of agent {self.agent.id} cannot be rendered: {error}"
            ) from error

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
        loaded: dict[str, AgentTemplates] = {}
        for folder in sorted(path for path in self._root.glob("[!.]*") if path.is_dir()):
            for templates in self._load_folder(folder):
                if templates.agent.id in loaded:
                    raise ConfigurationError(
                        f"{folder / AGENT}: another folder is for agent {templates.agent.id} already"
                    )
                loaded[templates.agent.id] = templates
        return loaded

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
        if GUARDRAIL not in rendered["response_style"][0]:
            raise ConfigurationError(f"{sources['response_style'][0]} must contain the line {GUARDRAIL!r}")
        limit = templates.agent.token_limit or self._limit
        uncut = sum(
            max(self._count(f"{text}\n\n") for text in rendered[name])
            for name in ("persona", "situation", "response_style")
        )
        if uncut > limit:
            raise ConfigurationError(
                f"persona, situation and response_style of {sources['persona'][0].parent} are {uncut} tokens,"
                f" which alone is over the limit of {limit}: shorten them or raise the limit"
            )


def _read_agent(root: Path, folder: Path) -> tuple[Agent, list[str]]:
    """The agent a folder describes (default's values under its own) and the ids it goes by."""
    default, own = _read_toml(root / DEFAULT / AGENT), _read_toml(folder / AGENT)
    ids = own.pop("ids", None) or [folder.name]
    default.pop("ids", None)
    try:
        agent = msgspec.convert({"id": folder.name, "name": folder.name, **default, **own}, Agent)
        ids = msgspec.convert(ids, list[str])
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{folder / AGENT}: {error}") from None
    if problem := _problem(agent):
        raise ConfigurationError(f"{folder / AGENT}: {problem}")
    return agent, ids if folder.name != DEFAULT else [DEFAULT]


def _problem(agent: Agent) -> str:
    """What would only show on a call, or ""."""
    if agent.timezone and not _is_timezone(agent.timezone):
        return f"{agent.timezone!r} is no IANA time zone; write one like Europe/Berlin"
    if agent.token_limit < 0:
        return "`token_limit` must not be negative"
    for name, value in agent.variables.items():
        if name.startswith("system__"):
            return f"variable {name!r}: names with system__ are the platform's own and cannot be set"
        if isinstance(value, float) and not math.isfinite(value):
            return f"variable {name!r} has no number that JSON can carry"
        if _RESERVED.search(f"{name}{value}"):
            return f"variable {name!r} {_RESERVED_USED}"
    return ""


def _is_timezone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigurationError(f"{path}: {error}") from None


def _read_section(root: Path, folder: Path, section: str) -> tuple[Path, str]:
    for place in (folder, root / DEFAULT):
        path = place / f"{section}.jinja"
        if path.exists():
            try:
                return path, path.read_text(encoding="utf-8")
            except (UnicodeDecodeError, OSError) as error:
                raise ConfigurationError(f"{path} cannot be read: {error}") from None
    raise ConfigurationError(f"{root / DEFAULT / section}.jinja is missing")


@lru_cache(maxsize=4096)  # most folders hold few sections of their own, and an edit changes one: 5 ms each
def _compile(path: Path, text: str) -> jinja2.Template:
    try:
        unknown = jinja2.meta.find_undeclared_variables(_environment().parse(text))
        compiled = _environment().from_string(text)
    except jinja2.TemplateSyntaxError as error:
        raise ConfigurationError(f"{path} line {error.lineno}: {error.message}") from None
    if unknown := unknown - _SAMPLES[path.stem][0].keys() - _environment().globals.keys():
        raise ConfigurationError(f"{path}: nothing is called {' or '.join(sorted(unknown))} here")
    if _RESERVED.search(text):
        raise ConfigurationError(f"{path} {_RESERVED_USED}")
    return compiled


@cache
def _environment() -> jinja2.Environment:
    """Sandboxed and strict. What is rendered is a prompt, not HTML: nothing to escape."""
    return ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )


def _try(templates: AgentTemplates, section: str, path: Path) -> list[str]:
    try:
        return [templates.render(section, sample) for sample in _SAMPLES[section]]
    except RebuildError as error:
        raise ConfigurationError(f"{path} cannot be rendered: {error.__cause__}") from None


def _version(agent: Agent, sources: Mapping[str, tuple[Path, str]]) -> str:
    content = repr((msgspec.json.encode(agent), sorted((name, text) for name, (_, text) in sources.items())))
    return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()
