"""The prompt templates: found, compiled once, checked when loaded, reloaded when edited.

    prompt_templates/default/<section>.jinja   what every agent gets
    prompt_templates/<agent>/<section>.jinja   what this agent has instead
    prompt_templates/<agent>/agent.toml        how this agent is served
    prompt_templates/<agent>/text/<section>.jinja  the same in writing, where that is told otherwise
    prompt_templates/default/tools.jinja       when to use our tools: below response_style, where any are

A broken template never reaches a call. A mistake in one agent's folder concerns that agent alone: it keeps
its last good templates, else gets the default ones, and the error is logged. A mistake in `default/` stops
the start; later the last good set of all stays.
"""

import contextlib
import hashlib
import logging
import math
import re
import tomllib
import traceback
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import jinja2.meta
import jinja2.nodes
import msgspec
from jinja2.sandbox import ImmutableSandboxedEnvironment
from msgspec.structs import replace

from voice_server.context.layout.budget import BUDGETS, Count
from voice_server.context.layout.slots import DATE, PART_OF_DAY, SINCE_LAST, TIME, WIDEST
from voice_server.context.prompt_builder import GUARDRAIL, ORDER
from voice_server.digest.analysis import uses
from voice_server.domain.agent import Agent
from voice_server.errors import ConfigurationError, SectionError
from voice_server.runtime.timezones import zone

SECTIONS = ("persona", *ORDER, "response_style")
TOOLS = "tools"  # the partial told to agents that have our tools
DEFAULT, AGENT = "default", "agent.toml"
TEXT = "text"  # the folder of the sections as they are told in writing
# Tables of which an agent's own file need only name what differs.
_MERGED = ("budgets", "limits", "history", "collected")

# The file and the text of each section.
Sources = dict[str, tuple[Path, str]]

_RENDERING = (jinja2.TemplateError, TypeError, ValueError, LookupError, ArithmeticError)

# Of a line of TOML: the table that begins, the key that is set.
_HEADER = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([\w.\"' -]+?)\s*=")

_RESERVED = re.compile("[\ue000-\ue03f]")
_RESERVED_USED = "has a character from U+E000 to U+E03F: those stand for the slots of a cached prompt"

log = logging.getLogger(__name__)

_LINE = {"label": "promise, 10 Nov 2026", "text": "You said you'd send the recipe."}
_FACT = {"label": "since Mar 2026", "text": "Ada lives in Lisbon."}
_RELATIONSHIP = {
    "chapter": "old friends", "closeness": "0.62",
    "metrics": "intimacy 0.40, passion 0.00, trust 0.70, secureness 0.55", "engagement": "calls every day",
    "emotional_state": "hopeful", "conflict_state": "none", "backstory": "They met in spring.",
}  # fmt: skip
_SITUATION = {
    "time": WIDEST[TIME], "date": WIDEST[DATE], "part_of_day": WIDEST[PART_OF_DAY],
    "since_last": WIDEST[SINCE_LAST], "last_date": WIDEST[DATE], "conversations": 4, "known": True,
    "redial": True, "name": "Ada Lovelace", "nickname": "Countess",
}  # fmt: skip
_LAST_TIME = {
    "date": "Tuesday 17 November 2026", "time": "09:12", "channel": "phone", "duration": "6 minutes",
    "summary": "Ada asked for the recipe.", "quotes": [{"label": "", "text": 'Ada: "I need the recipe."'}],
    "noted": ["callback needed: yes"],
}  # fmt: skip
_EARLIER = {"date": "16 Nov 2026", "lines": ['Ada: "I live in Lisbon."']}
_DAY = {
    "summary": "Ada asked for the recipe.", "key_moments": [_LINE],
    "yesterday_date": "Monday 16 November 2026", "yesterday_summary": "Ada called.",
}  # fmt: skip
# What each section is rendered with when it is checked: every case a template tells apart, and no
# other name, so that a misspelt one is found at load and not on a call.
_SAMPLES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "persona": [{}],
    "relationship": [
        _RELATIONSHIP,
        *({**dict.fromkeys(_RELATIONSHIP, ""), name: "x"} for name in _RELATIONSHIP),
    ],
    "situation": [
        _SITUATION,
        {**_SITUATION, "redial": False, "conversations": 1, "nickname": ""},
        {**_SITUATION, "name": "", "nickname": ""},
        {**_SITUATION, "conversations": 0, "since_last": "", "last_date": ""},
        {**_SITUATION, "conversations": 0, "since_last": "", "last_date": "", "known": False},
    ],
    "last_time": [
        _LAST_TIME,
        {**_LAST_TIME, "noted": []},
        {**_LAST_TIME, "summary": ""},
        {**_LAST_TIME, "quotes": []},
    ],
    "today_so_far": [
        _DAY,
        {**_DAY, "yesterday_summary": ""},
        {**_DAY, "summary": "", "yesterday_summary": ""},
        {**_DAY, "summary": "", "key_moments": []},
    ],
    "open_threads": [{"items": [_LINE]}],
    "inner_life": [{"items": [_LINE]}, {"items": [{**_LINE, "label": ""}]}],
    "long_term_memory": [
        {"user_facts": [_FACT], "episodes": [_LINE], "agent_events": [_LINE], "earlier": [_EARLIER]},
        {"user_facts": [{**_FACT, "label": ""}], "episodes": [], "agent_events": [], "earlier": []},
        {"user_facts": [], "episodes": [_LINE], "agent_events": [], "earlier": []},
        {"user_facts": [], "episodes": [], "agent_events": [_LINE], "earlier": []},
        {"user_facts": [], "episodes": [], "agent_events": [], "earlier": [_EARLIER]},
    ],
    "response_style": [{}],
    TOOLS: [{}],
}


class AgentTemplates:
    """The compiled sections of one agent, and how it is served. `version` changes with any edit; templates of
    one version are equal. `written` are those for writing, with a version of their own: editing them makes no
    cached prompt stale."""

    def __init__(
        self,
        agent: Agent,
        sections: Mapping[str, jinja2.Template],
        version: str,
        written: "AgentTemplates | None" = None,
    ) -> None:
        self.agent = agent
        self.version = version
        self._sections = sections
        self._written = written

    @property
    def in_writing(self) -> "AgentTemplates":
        return self._written or self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AgentTemplates) and other.version == self.version

    def __hash__(self) -> int:
        return hash(self.version)

    def render(self, section: str, values: Mapping[str, Any]) -> str:
        """Return the section's text without surrounding blank lines. Raises SectionError when the template
        cannot make anything of these values."""
        if section == "response_style" and self.agent.tools:
            return f"{self._render(section, values)}\n\n{self._render(TOOLS, {})}"
        return self._render(section, values)

    def _render(self, section: str, values: Mapping[str, Any]) -> str:
        try:
            return self._sections[section].render(values).strip()
        except _RENDERING as error:
            raise SectionError(
                section, f"{section}.jinja of agent {self.agent.id} cannot be rendered: {error}"
            ) from error

    def for_agent(self, agent_id: str) -> "AgentTemplates":
        return self.served_as(replace(self.agent, id=agent_id))

    def writing_by(self, written: "AgentTemplates") -> "AgentTemplates":
        return AgentTemplates(self.agent, self._sections, self.version, written.served_as(self.agent))

    def served_as(self, agent: Agent) -> "AgentTemplates":
        written = self._written.served_as(agent) if self._written else None
        return AgentTemplates(agent, self._sections, self.version, written)


class _LoadedFolders(NamedTuple):
    agents: dict[str, AgentTemplates]
    folders: dict[str, list[AgentTemplates]]
    errors: dict[str, str]
    substituted: set[str]  # ids of agents served with others' templates for want of good ones

    def add(self, folder: Path, own: list[AgentTemplates]) -> None:
        """Serve the agents of a folder with these, unless they have templates already."""
        for templates in own:
            id_ = templates.agent.id
            if self.agents.setdefault(id_, templates) is not templates:
                self.errors[folder.name] = f"{folder / AGENT}: another folder is for agent {id_} already"


class TemplateLibrary:
    """All templates below one folder. Call `refresh()` now and then to take up edits."""

    def __init__(self, root: Path, *, limit: int, count: Count, quiet: bool = False) -> None:
        """Compile and check everything. Raises ConfigurationError naming all mistakes in the default
        templates, a line each; those in an agent's own folder are in `errors`, by folder, and in the log
        unless `quiet`."""
        self._root = root
        self._limit = limit
        self._count = count
        self._quiet = quiet
        self.errors: Mapping[str, str] = {}
        self._folders: Mapping[str, list[AgentTemplates]] = {}
        self._stamp = self._stamped()
        self._take_up(self._load())

    def agent(self, agent_id: str) -> AgentTemplates:
        found = self._agents.get(agent_id)
        return found or self._agents[DEFAULT].for_agent(agent_id)

    @property
    def agent_ids(self) -> list[str]:
        return [id_ for id_ in self._agents if id_ != DEFAULT]

    def errors_of(self, agent_id: str) -> list[str]:
        """Return the mistakes in an agent's own templates and in the default ones, each with its file and,
        where it is known, the line."""
        its = {DEFAULT, agent_id, self.agent(agent_id).agent.name}
        its |= {name for name, own in self._folders.items() if any(one.agent.id == agent_id for one in own)}
        return [line for name, error in self.errors.items() if name in its for line in error.splitlines()]

    @property
    def versions(self) -> dict[str, str | None]:
        """None for an agent whose templates are wrong and whose last good ones this process never saw:
        prompts made from those are better than any made now."""
        unseen = self._substituted
        return {id_: None if id_ in unseen else one.version for id_, one in self._agents.items()}

    def refresh(self) -> bool:
        """Take up edited files and return whether anything changed. A broken edit is logged; what was good
        stays."""
        stamp = self._stamped()
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        before = self._versions()
        try:
            self._take_up(self._load())
        except ConfigurationError as error:
            self.errors = {**self.errors, DEFAULT: str(error)}
            log.error("the edited templates cannot be used, the last good ones stay: %s", error)  # noqa: TRY400 (the message names file and line; a traceback names ours)
            return False
        return self._versions() != before

    def _versions(self) -> dict[str, str]:
        return {id_: templates.version for id_, templates in self._agents.items()}

    def _take_up(self, loaded: "_LoadedFolders") -> None:
        for folder, error in loaded.errors.items():
            if self.errors.get(folder) != error and not self._quiet:
                instead = "its last good ones stay" if folder in self._folders else "it gets the default ones"
                log.error("the templates of agent %s cannot be used, %s: %s", folder, instead, error)
        self._agents, self._folders, self.errors = loaded.agents, loaded.folders, loaded.errors
        self._substituted = loaded.substituted

    def _stamped(self) -> list[tuple[str, int, int]]:
        files = sorted([*self._root.glob("*/*"), *self._root.glob(f"*/{TEXT}/*")])
        stats = [(path, path.stat()) for path in files if path.is_file()]
        return [(str(path), stat.st_mtime_ns, stat.st_size) for path, stat in stats]

    def _load(self) -> "_LoadedFolders":
        default = self._root / DEFAULT
        if not default.is_dir():
            raise ConfigurationError(
                f"no folder {DEFAULT!r} in {self._root}: set PROMPT_TEMPLATES to the folder of the templates"
            )
        [spoken] = self._load_folder(default)
        defaults = spoken.writing_by(self._load_written(default, spoken.agent))
        loaded = _LoadedFolders({DEFAULT: defaults}, {}, {}, set())
        for folder in sorted(path for path in self._root.glob("[!.]*") if path.is_dir() and path != default):
            try:
                own = self._load_folder(folder)
            except ConfigurationError as error:
                loaded.errors[folder.name] = str(error)
                own = self._instead(folder, defaults, loaded)
            else:
                own = loaded.folders[folder.name] = self._with_written(folder, own, defaults, loaded)
            loaded.add(folder, own)
        return loaded

    def _with_written(
        self, folder: Path, own: list[AgentTemplates], defaults: AgentTemplates, loaded: "_LoadedFolders"
    ) -> list[AgentTemplates]:
        """Cost no call its templates for a mistake there: in writing the last good ones go on, else the
        default ones."""
        try:
            written = self._load_written(folder, own[0].agent)
        except ConfigurationError as error:
            loaded.errors[folder.name] = str(error)
            written = self._folders.get(folder.name, [defaults])[0].in_writing
        return [one.writing_by(written) for one in own]

    def _instead(
        self, folder: Path, defaults: AgentTemplates, loaded: "_LoadedFolders"
    ) -> list[AgentTemplates]:
        """Return the last good templates, else the default ones under what is in order of `agent.toml`: a
        missing variable ends a call."""
        if last_good := self._folders.get(folder.name):
            loaded.folders[folder.name] = last_good
            return last_good
        agent, ids = _salvage(self._root, folder, defaults.agent)
        loaded.substituted.update(ids)
        return [defaults.served_as(replace(agent, id=id_)) for id_ in ids]

    def _load_folder(self, folder: Path) -> list[AgentTemplates]:
        problems: list[str] = []
        with _noting(problems):
            agent, ids = _read_agent(self._root, folder)
        with _noting(problems):
            sources = _read_sections([folder, self._root / DEFAULT])
        if problems:
            raise ConfigurationError("\n".join(problems))
        templates = self._checked(agent, sources)
        return [templates.for_agent(id_) for id_ in ids]

    def _load_written(self, folder: Path, agent: Agent) -> AgentTemplates:
        default = self._root / DEFAULT
        return self._checked(agent, _read_sections([folder / TEXT, folder, default / TEXT, default]))

    def _checked(self, agent: Agent, sources: Sources) -> AgentTemplates:
        compiled = {section: _compile(*source) for section, source in sources.items()}
        templates = AgentTemplates(agent, compiled, _version(agent, sources))
        _check(templates, tuple(sources.items()), self._limit, self._count)
        return templates


@contextlib.contextmanager
def _noting(problems: list[str]) -> Iterator[None]:
    try:
        yield
    except ConfigurationError as error:
        problems.append(str(error))


@lru_cache(maxsize=4096)  # an edit changes few folders: 5 ms each
def _check(
    templates: AgentTemplates, files: tuple[tuple[str, tuple[Path, str]], ...], limit: int, count: Count
) -> None:
    """Check that every section renders, the guardrail is there, and what is never cut fits by itself (rule
    4)."""
    paths = {section: path for section, (path, _) in files}
    problems: list[str] = []
    rendered: dict[str, list[str]] = {}
    for section in SECTIONS:
        with _noting(problems):
            rendered[section] = _try(templates, section, paths[section])
    if problems:
        raise ConfigurationError("\n".join(problems))
    if not rendered["persona"][0]:  # as while a file is being saved
        raise ConfigurationError(f"{paths['persona']} is empty: say who the agent is")
    if GUARDRAIL not in rendered["response_style"][0]:
        raise ConfigurationError(f"{paths['response_style']} must contain the line {GUARDRAIL!r}")
    limit = templates.agent.token_limit or limit
    uncut = sum(
        max(count(f"{text}\n\n") for text in rendered[name])
        for name in ("persona", "situation", "response_style")
    )
    if uncut > limit:
        raise ConfigurationError(
            f"persona, situation and response_style of {paths['persona'].parent} are {uncut} tokens,"
            f" which alone is over the limit of {limit}: shorten them or raise the limit"
        )
    for name in ("persona", "response_style"):
        cap = templates.agent.budgets.get(name, BUDGETS[name]).cap
        if (tokens := count(rendered[name][0])) > cap:
            _warn_once(
                f"{paths[name]} is {tokens} tokens, over its budget of {cap}. It is never cut: shorten it,"
                f" or raise `{name}` in [budgets] of {AGENT}"
            )


def _read_agent(root: Path, folder: Path) -> tuple[Agent, list[str]]:
    """Return the agent, default's values under its own, and its ids."""
    default, own = _defaults(root, folder), _read_toml(folder / AGENT)
    if problems := list(_problems(folder, default, own)):
        raise ConfigurationError("\n".join(problems))
    return _agent_of(folder, default, own)


def _defaults(root: Path, folder: Path) -> dict[str, Any]:
    return {} if folder.name == DEFAULT else _read_toml(root / DEFAULT / AGENT)


def _problems(folder: Path, default: dict[str, Any], own: dict[str, Any]) -> Iterator[str]:
    """Yield each mistake with its line. To blame is the first entry without which the problem is another."""
    while problem := _first_problem(folder, default, own):
        entry = next((one for one in _entries(own) if _is_to_blame(one, problem, folder, default, own)), ())
        line = _line_of(".".join(entry), (folder / AGENT).read_text(encoding="utf-8"))
        yield f"{folder / AGENT}{f' line {line}' if line else ''}: {problem}"
        if not entry:
            return
        own = _without(own, entry)


def _first_problem(folder: Path, default: dict[str, Any], own: dict[str, Any]) -> str:
    try:
        _agent_of(folder, default, own)
    except ConfigurationError as error:
        return str(error)
    return ""


def _is_to_blame(
    entry: tuple[str, ...], problem: str, folder: Path, default: dict[str, Any], own: dict[str, Any]
) -> bool:
    return _first_problem(folder, default, _without(own, entry)) != problem


def _entries(own: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, value in own.items():
        yield from ((name, key) for key in (value if isinstance(value, dict) else ()))
        yield (name,)


def _without(own: Mapping[str, Any], entry: tuple[str, ...]) -> dict[str, Any]:
    name, *inner = entry
    rest = {one: value for one, value in own.items() if one != name}
    return {**rest, name: _without(own[name], tuple(inner))} if inner else rest


def _line_of(entry: str, text: str) -> int:
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = f"{_plain(header[1])}."
            if table == f"{_plain(entry)}.":
                return number
        elif (key := _KEY.match(line)) and f"{_plain(entry)}.".startswith(f"{table}{_plain(key[1])}."):
            return number
    return 0


def _plain(name: str) -> str:
    return re.sub(r"[\s\"']", "", name)


def _salvage(root: Path, folder: Path, default: Agent) -> tuple[Agent, list[str]]:
    """Keep what is in order of the folder's `agent.toml`, entry by entry; `default` alone when it is no
    TOML."""
    try:
        entries = _read_toml(folder / AGENT)
    except ConfigurationError:
        return replace(default, id=folder.name), [folder.name]
    found = replace(default, id=folder.name), [folder.name]
    kept: dict[str, Any] = {}
    for entry in _one_by_one(entries):
        with contextlib.suppress(ConfigurationError):
            candidate = {**kept, **{name: _joined(kept.get(name), value) for name, value in entry.items()}}
            found = _agent_of(folder, _defaults(root, folder), candidate)
            kept = candidate
    return found


def _one_by_one(entries: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in entries.items():
        parts = [{key: part} for key, part in value.items()] if isinstance(value, dict) else [value]
        yield from ({name: part} for part in parts)


def _joined(before: Any, value: Any) -> Any:
    return {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value


def _agent_of(folder: Path, default: dict[str, Any], own: dict[str, Any]) -> tuple[Agent, list[str]]:
    default, own = {**default}, {**own}
    ids = own.pop("ids", None) or [folder.name]
    default.pop("ids", None)
    merged = {name: {**default[name], **own[name]} for name in _MERGED if _are_tables(default, own, name)}
    try:
        agent = msgspec.convert({"id": folder.name, "name": folder.name, **default, **own, **merged}, Agent)
        ids = msgspec.convert(ids, list[str])
    except msgspec.ValidationError as error:
        raise ConfigurationError(str(error)) from None
    if problem := _problem(agent):
        raise ConfigurationError(problem)
    return agent, ids if folder.name != DEFAULT else [DEFAULT]


def _problem(agent: Agent) -> str:
    """Return what would only show on a call, or ""."""
    if agent.timezone and zone(agent.timezone) is None:
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
    return uses.problem(agent.collected) or _layout_problem(agent)


def _layout_problem(agent: Agent) -> str:
    for name, budget in agent.budgets.items():
        if name not in BUDGETS:
            return f"[budgets] {name}: there are budgets for {', '.join(BUDGETS)}"
        if budget.target > budget.cap:
            return f"[budgets] {name}: the target {budget.target} must not be above the cap {budget.cap}"
    if agent.limits.facts_min > agent.limits.facts_max:
        return "[limits] `facts_min` must not be above `facts_max`"
    for name in agent.order:
        if name not in ORDER:
            return f"order: there is no section {name!r}; it may name {', '.join(ORDER)}"
        if agent.order.count(name) > 1:
            return f"order: {name!r} is named twice"
    return ""


def _are_tables(default: Mapping[str, Any], own: Mapping[str, Any], name: str) -> bool:
    return isinstance(default.get(name), dict) and isinstance(own.get(name), dict)


@cache
def _warn_once(message: str) -> None:
    """Warn once, not with every look at the files."""
    log.warning(message)


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigurationError(f"{path}: {error}") from None


def _read_sections(places: Sequence[Path]) -> Sources:
    """Read each section from the first folder that has it."""
    problems: list[str] = []
    sources: Sources = {}
    for section in (*SECTIONS, TOOLS):
        with _noting(problems):
            sources[section] = _read_section(places, section)
            _compile(*sources[section])
    if problems:
        raise ConfigurationError("\n".join(problems))
    return sources


def _read_section(places: Sequence[Path], section: str) -> tuple[Path, str]:
    for place in places:
        path = place / f"{section}.jinja"
        if path.exists():
            try:
                return path, path.read_text(encoding="utf-8")
            except (UnicodeDecodeError, OSError) as error:
                raise ConfigurationError(f"{path} cannot be read: {error}") from None
    raise ConfigurationError(f"{places[-1] / section}.jinja is missing")


def _compile(path: Path, text: str) -> jinja2.Template:
    try:
        return _compiled(path.stem, text)
    except ConfigurationError as error:
        raise ConfigurationError(f"{path} {error}") from None


@lru_cache(maxsize=4096)  # most folders hold few sections of their own, and an edit changes one: 5 ms each
def _compiled(section: str, text: str) -> jinja2.Template:
    """Raise ConfigurationError with the line of a mistake."""
    try:
        parsed = _environment().parse(text)
        compiled = _environment().from_string(text)
    except jinja2.TemplateSyntaxError as error:
        raise ConfigurationError(f"line {error.lineno}: {error.message}") from None
    known = _SAMPLES[section][0].keys()
    if unknown := jinja2.meta.find_undeclared_variables(parsed) - known - _environment().globals.keys():
        line = min(name.lineno for name in parsed.find_all(jinja2.nodes.Name) if name.name in unknown)
        there = f", but {', '.join(sorted(known))}" if known else ""
        raise ConfigurationError(f"line {line}: nothing is called {' or '.join(sorted(unknown))} here{there}")
    if slot := _RESERVED.search(text):
        raise ConfigurationError(f"line {text.count(chr(10), 0, slot.start()) + 1} {_RESERVED_USED}")
    compiled.globals = dict(compiled.globals)  # each rendering copies them: of Jinja's own map that is slow
    return compiled


class _Sandbox(ImmutableSandboxedEnvironment):
    """A sandbox in which entries of dicts come first. Jinja looks for them among the methods of a dict, and
    pays an exception each time: a third of what a section costs."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


@cache
def _environment() -> jinja2.Environment:
    """Sandboxed and strict. A prompt is no HTML: nothing to escape."""
    return _Sandbox(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)


def _try(templates: AgentTemplates, section: str, path: Path) -> list[str]:
    try:
        return [templates.render(section, sample) for sample in _SAMPLES[section]]
    except SectionError as error:
        raise ConfigurationError(
            f"{path}{_line(error.__cause__)} cannot be rendered: {error.__cause__}"
        ) from None


def _line(error: BaseException | None) -> str:
    """Jinja puts the template's lines into the traceback."""
    frames = traceback.extract_tb(error.__traceback__) if error else []
    return next((f" line {frame.lineno}" for frame in reversed(frames) if frame.filename == "<template>"), "")


def _version(agent: Agent, sources: Sources) -> str:
    content = repr((msgspec.json.encode(agent), sorted((name, text) for name, (_, text) in sources.items())))
    return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()
