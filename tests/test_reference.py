"""The reference pages say what the code says, row for row; and what comments refer to is there."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route
from typer.main import get_command

from voice_server import cli, errors
from voice_server.api import application, reference
from voice_server.api.completions import endpoint
from voice_server.app import create_app
from voice_server.cache.multiplexed import Counters
from voice_server.context import working_memory
from voice_server.context.layout.budget import BUDGETS, GIVES_WAY
from voice_server.domain.agent import Agent, HistoryLimits, Limits
from voice_server.queue import names
from voice_server.search.embedding import query_vectors
from voice_server.settings import Settings
from voice_server.store.tables import metadata
from voice_server.templates.library import SECTIONS
from voice_server.tools import speech, toolbox
from voice_server.tools.catalogue import TOOLS
from voice_server.webhooks import post_call, pre_call

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "voice_server"
DOCS = ROOT / "docs"


def rows(page: str, heading: str = "") -> list[list[str]]:
    """The cells of all tables of a page below `docs`, or of its part under a heading, without their heads."""
    text = (DOCS / page).read_text(encoding="utf-8")
    part = re.split(r"^## ", text, flags=re.MULTILINE)
    chosen = next(one for one in part if one.startswith(f"{heading}\n")) if heading else text
    lines = chosen.splitlines()
    heads = {n - 1 for n, line in enumerate(lines) if re.match(r"\|[-:| ]+\|$", line)}
    told = [line for n, line in enumerate(lines) if line.startswith("|") and not {n, n - 1} & heads]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in told]


def quoted(cell: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]+)`", cell)


# -- settings


def test_every_setting_has_its_row_with_its_default() -> None:
    told = {
        quoted(name)[0]: (quoted(default) or [""])[0] for name, default, _ in rows("reference/settings.md")
    }

    assert told == {name.upper(): _as_written(field.default) for name, field in Settings.model_fields.items()}


def test_a_setting_is_described_as_in_the_code() -> None:
    """The page may say more: a backtick, a word of where it is set already."""
    told = {quoted(name)[0]: plain(meaning) for name, _, meaning in rows("reference/settings.md")}

    assert [
        name
        for name, field in Settings.model_fields.items()
        if plain(field.description or "") not in told[name.upper()]
    ] == []


def _as_written(default: Any) -> str:
    if default is None:
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def plain(text: str) -> str:
    """Without what only marks it up."""
    return text.replace("`", "")


# -- routes


@pytest.fixture(scope="module")
def app_routes() -> list[BaseRoute]:
    """The lines of the routes table."""
    settings = Settings(
        database_url="postgresql+asyncpg://nobody@127.0.0.1:1/none",
        redis_url="redis://127.0.0.1:1",
        prompt_templates=ROOT / "prompt_templates",
    )
    router = create_app(settings).router
    assert isinstance(router, Starlette)
    return list(router.routes)


def test_every_route_has_its_row(app_routes: list[BaseRoute]) -> None:
    told = {
        path.rpartition(" ")[2]
        for cells in rows("reference/routes.md", "The server")
        for path in quoted(cells[0])
    }
    there = {one.path for one in app_routes if isinstance(one, Route | Mount)} - {"/v1"}
    there |= {f"/v1{one.path}" for one in endpoint.router.routes if isinstance(one, Route)}

    assert {path.removesuffix("/…") for path in told} == there


def test_every_request_of_the_api_has_its_row() -> None:
    told = [
        tuple(quoted(cells[0])[0].split(" "))
        for cells in rows("reference/routes.md", "The API")
        if quoted(cells[0])
    ]
    document = reference.document(_api())

    assert sorted(told) == sorted(
        (method.upper(), f"/api{path}") for path, requests in document["paths"].items() for method in requests
    )


def _api() -> FastAPI:
    return application.application()


# -- commands


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, set[str]]]:
    """Every command that does something, by its words, with the options that are no secret of ours."""
    options = {
        option
        for parameter in command.params
        if parameter.param_type_name == "option" and not getattr(parameter, "hidden", False)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    below = getattr(command, "commands", {})
    if path and (not below or command.invoke_without_command):
        yield " ".join(path), options
    for name, one in below.items():
        yield from commands(one, (*path, name))


def test_every_command_has_its_row_with_all_its_options() -> None:
    told = {
        re.sub(r" [A-Z]+$", "", quoted(name)[0]): set(quoted(options))
        for name, options, _ in rows("reference/commands.md")
    }

    assert told == dict(commands(get_command(cli.app)))
    assert isinstance(cli.app, typer.Typer)


# -- tools


def test_every_tool_has_its_row_with_all_its_arguments() -> None:
    told = {quoted(name)[0]: set(quoted(asks)) for name, asks, _ in rows("reference/tools.md")}

    assert told == {tool.name: set(tool.arguments.__struct_fields__) for tool in TOOLS}


# -- prompt sections


def test_every_section_has_its_row_with_its_budget() -> None:
    told = {
        quoted(name)[0]: (target, cap)
        for name, target, cap, _, _ in rows("reference/prompt-sections.md", "In their order")
    }
    budgets = {name: (str(budget.target), str(budget.cap)) for name, budget in BUDGETS.items()}

    assert told == {name: budgets.get(name, ("", "")) for name in (*SECTIONS, working_memory.NAME)}
    assert list(told)[:-1] == list(SECTIONS)


def test_the_sections_give_way_as_their_rows_say() -> None:
    turns = ["first", "second", "third, after `inner_life`", "third", "fourth", "fifth", "last"]
    told = {quoted(cells[0])[0]: cells[3] for cells in rows("reference/prompt-sections.md", "In their order")}

    assert {name: told[name] for name in GIVES_WAY} == dict(zip(GIVES_WAY, turns, strict=True))
    assert {told[name] for name in told.keys() - set(GIVES_WAY)} == {"never"}


def test_every_key_of_an_agents_file_has_its_row() -> None:
    told = {
        key.removeprefix("[limits] ").removeprefix("[history] ").strip("[]")
        for cells in rows("reference/prompt-sections.md", "What an agent sets differently")
        for key in quoted(cells[0])
    }
    keys = {*Agent.__struct_fields__} - {"id", "name", "limits", "history"}

    assert told == keys | {*Limits.__struct_fields__} | {*HistoryLimits.__struct_fields__} | {"ids"}


# -- metrics


def made_metrics() -> set[str]:
    """The metrics as `/metrics` names them."""
    source = (PACKAGE / "health.py").read_text(encoding="utf-8")
    made = re.findall(r'(_counter|\w+MetricFamily)\(\s*"(voice_\w+)"', source)
    as_named = ("GaugeMetricFamily", "HistogramMetricFamily")
    return {name if kind in as_named else f"{name}_total" for kind, name in made}


def test_every_metric_has_its_row() -> None:
    told = {quoted(cells[0])[0].partition("{")[0] for cells in rows("reference/metrics.md")}

    assert {name for name in told if name.startswith("voice_")} == made_metrics()


@pytest.mark.parametrize(
    ("metric", "outcomes"),
    [
        ("voice_pre_calls_total", vars(pre_call.Counts())),
        ("voice_pre_call_prompts_total", pre_call.SOURCES),
        ("voice_durable_reads_total", vars(pre_call.Reads())),
        ("voice_post_calls_total", vars(post_call.Counts())),
        ("voice_tool_calls_total", vars(toolbox.Counts())),
        ("voice_query_vectors_total", vars(query_vectors.Counts())),
        ("voice_redis_line_total", vars(Counters())),
    ],
)
def test_every_outcome_that_is_counted_is_explained(metric: str, outcomes: Iterable[str]) -> None:
    row = next(cells for cells in rows("reference/metrics.md") if cells[0].startswith(f"`{metric}{{"))

    assert [outcome for outcome in outcomes if f"`{outcome}`" not in row[2]] == []


# -- errors


def test_every_error_that_is_answered_has_its_row() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    told = {
        quoted(cells[1])[0]
        for cells in rows("reference/errors.md", "Of the webhooks and of what the operator asks")
        if len(cells) == 3
    }

    assert told == set(re.findall(r'"error": ?"([a-z_]+)"', source))


def test_every_fate_of_an_event_that_was_taken_has_its_row() -> None:
    source = (PACKAGE / "webhooks" / "post_call.py").read_text(encoding="utf-8")
    part = rows("reference/errors.md", "Of the webhooks and of what the operator asks")
    told = {quoted(cells[0])[0] for cells in part if len(cells) == 2}

    assert told == set(re.findall(r'"status": "([a-z]+)"', source))


def test_every_status_of_the_api_has_its_row() -> None:
    told = {cells[0] for cells in rows("reference/errors.md", "Of the API")}
    answers = {
        status
        for requests in reference.document(_api())["paths"].values()
        for request in requests.values()
        for status in request["responses"]
    }

    assert told == {status for status in answers if status >= "400"}


def test_every_sentence_of_a_tool_that_has_no_answer_has_its_row() -> None:
    told = {
        sentence for cells in rows("reference/errors.md", "Of the tools") for sentence in quoted(cells[0])
    }
    said = {
        value
        for name, value in vars(speech).items()
        if name.isupper() and isinstance(value, str) and name[0] != "_"
    }

    assert said - told == set()
    assert len(said) > 5


def test_every_error_of_ours_has_its_row() -> None:
    told = [quoted(cells[0])[0] for cells in rows("reference/errors.md", "In the log, and of commands")]
    tree = ast.parse((PACKAGE / "errors.py").read_text(encoding="utf-8"))

    assert sorted(told) == sorted(one.name for one in tree.body if isinstance(one, ast.ClassDef))
    assert all(issubclass(getattr(errors, name), errors.VoiceServerError) for name in told)


# -- tables


def test_every_table_that_an_erased_person_is_in_has_its_place() -> None:
    told = {
        name for cells in rows("explanation/privacy-and-erasing.md", "Erasing") for name in quoted(cells[1])
    }

    assert told & {*metadata.tables} == {*_going_with("users"), "sittings", "pending_work"}


def test_merging_two_people_says_what_becomes_of_each_column() -> None:
    text = (PACKAGE / "store" / "lifecycle" / "merges.py").read_text(encoding="utf-8")
    filled = text[text.index("), filled as (") : text.index("), known_as as (")]
    stays = {"id", "external_id", "merged_into", "created_at"}

    columns = {column.name for column in metadata.tables["users"].columns}
    assert columns - set(re.findall(r"\w+", filled)) == stays - {"id"}
    assert stays <= columns


def _going_with(table: str) -> set[str]:
    """A table, and all whose rows go with its rows."""
    inner = {
        one.name
        for one in metadata.tables.values()
        for key in one.foreign_keys
        if key.ondelete == "CASCADE" and key.column.table.name == table and one.name != table
    }
    return {table}.union(*map(_going_with, inner))


# -- layers


def test_every_package_has_its_place_among_the_layers() -> None:
    told = [name for cells in rows("explanation/architecture.md", "Layers") for name in quoted(cells[0])]

    ours = {path.stem for path in PACKAGE.iterdir() if path.suffix in ("", ".py")}
    assert sorted(told) == sorted(ours - {"__init__", "__pycache__"})


# -- platforms


def test_whatever_takes_the_default_platform_stands_in_the_recipe_for_another() -> None:
    page = (DOCS / "contributing.md").read_text(encoding="utf-8")
    recipe = page.partition("### Add a platform\n")[2].partition("\n### ")[0]
    taking = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for path in PACKAGE.rglob("*.py")
        if re.search(r"\bregistry(\.| import )DEFAULT\b", path.read_text(encoding="utf-8"))
    }

    assert taking - {*quoted(recipe)} == set()
    assert len(taking) > 5


# -- jobs


def test_every_job_has_its_row_and_the_picture_names_no_other() -> None:
    page = (DOCS / "explanation" / "architecture.md").read_text(encoding="utf-8")
    told = [name for cells in rows("explanation/architecture.md", "Jobs") for name in quoted(cells[0])]
    picture = re.search(r"## Jobs.*?```\n(.*?)```", page, re.DOTALL)
    jobs = {job for name, job in vars(names).items() if name.isupper() and name != "INGEST_KEY"}

    assert sorted(told) == sorted(jobs)
    assert picture
    assert set(re.findall(r"\w+", picture[1])) - jobs == {"post_call"}


# -- what comments refer to


@cache
def headings(page: Path) -> Sequence[str]:
    """The headings of a page, in small letters."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [heading.lower() for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]


def references() -> list[tuple[str, str, str]]:
    """What the code refers to in the documentation: by which file, to which page, to which heading."""
    files = [
        path
        for folder in ("voice_server", "tests", "scripts", "prompt_templates")
        for path in (ROOT / folder).rglob("*")
    ]
    found = []
    for path in files:
        if (
            not path.is_file()
            or path.suffix not in (".py", ".toml", ".jinja", "")
            or "__pycache__" in path.parts
        ):
            continue
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"\s+(?:# )?", " ", text) if "docs/" in text else ""  # most name no page
        for page, heading in re.findall(r"\b(docs/[\w/-]+\.md)(?:, ([^).:;,\"]+))?", text):
            found.append((path.name, page, heading.lower()))
    return found


def test_what_comments_refer_to_is_in_the_documentation() -> None:
    found = references()
    lost = [
        (name, page, heading)
        for name, page, heading in found
        if not (ROOT / page).exists() or not any(one.startswith(heading) for one in headings(ROOT / page))
    ]

    assert lost == []
    assert sum(heading != "" for _, _, heading in found) > 15


def test_the_rules_that_comments_number_are_those_of_the_prompt_stack() -> None:
    numbered = {
        number
        for path in PACKAGE.rglob("*.py")
        for number in re.findall(r"\(rule (\d)\)", path.read_text(encoding="utf-8"))
    }
    rules = [one for one in headings(DOCS / "explanation" / "prompt-stack.md") if one.startswith("rule ")]

    assert [one[:6] for one in rules] == [f"rule {number}" for number in range(1, 7)]
    assert numbered
    assert numbered <= set("123456")


def test_every_module_that_is_named_is_there() -> None:
    """In backticks, in pages, comments and docstrings, by its path or its dotted name; and at the head of a
    module as it is."""
    texts = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *PACKAGE.rglob("*.py")]

    named = [(path.name, name) for path in texts for name in _named(path.read_text(encoding="utf-8"))]

    assert [(page, name) for page, name in named if not _is_there(name)] == []
    assert len(named) > 150


def test_a_module_that_a_page_names_is_named_whole() -> None:
    """From the package on: `users.lock` may be of either of two."""
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]

    named = [(page.name, name) for page in pages for name in _named(page.read_text(encoding="utf-8"))]

    assert [(page, name) for page, name in named if not _is_whole(name)] == []


def _is_whole(name: str) -> bool:
    first, *rest = name.split(".")
    is_path = "/" in name or first[0].isupper()
    return is_path or _is_column(name) or name in _TOOLS or _has(PACKAGE, first, *rest)


@pytest.mark.parametrize(
    "text", ["`context.prompt.build`", "`notes.hodl`", "`Grounded.left_out`", "`tests/no.py`"]
)
def test_a_module_that_is_named_and_not_there_is_found(text: str) -> None:
    assert [name for name in _named(text) if not _is_there(name)] == [text.strip("`")]


_TOOLS = {tool.name for tool in TOOLS}
# A file of the operator's, as `agent.toml`; a row, as `facts/12`.
_OF_THE_OPERATOR = re.compile(r"^[^/]*\.(jinja|env|toml)$|/\d+$")


def _named(text: str) -> Iterator[str]:
    """Names of our classes, and those whose first part is one of ours: `search/ranking.py`, `notes.hold`."""
    head = re.match(r'"""(.*?)"""', text, re.DOTALL)
    yield from re.findall(r"`([A-Z]\w+\.\w+)(?:\([^`]*\))?`", text)
    for name in (
        *re.findall(r"`(?:voice_server[./])?([a-z_]+[./][\w./]*)(?:\([^`]*\))?`", text),
        *(re.findall(r"(?<![\w./`@])([a-z_]+(?:\.\w+)+)(?![\w/`@])", head[1]) if head else ()),
    ):
        is_ours = re.split(r"[./]", name)[0] in {"tests", *_modules()}
        if is_ours and not _OF_THE_OPERATOR.search(name):
            yield name


@cache
def _modules() -> Mapping[str, Sequence[Path]]:
    """Our folders and modules, by the last part of their names."""
    found: dict[str, list[Path]] = {}
    for path in PACKAGE.rglob("*"):
        if path.suffix == ".py" or (path.is_dir() and path.name != "__pycache__"):
            found.setdefault(path.stem, []).append(path)
    return found


@cache
def _is_there(name: str) -> bool:
    """Whether it is a tool, a column, a folder, a file, or a class or module that has what follows its
    name."""
    first, *rest = name.split(".")
    if "/" in name or not rest:
        return (ROOT / name).exists() or any(PACKAGE.rglob(name.rstrip("/")))
    if first[0].isupper():
        return any(_has(path, first, *rest) for path in PACKAGE.rglob("*.py"))
    return _is_column(name) or name in _TOOLS or any(_has(one, *rest) for one in _modules()[first])


def _is_column(name: str) -> bool:
    table, _, column = name.partition(".")
    return table in metadata.tables and column in metadata.tables[table].c


def _has(path: Path, *names: str) -> bool:
    """Whether there is a module of the first of these names in a folder; in a module, whether it has them."""
    while path.is_dir() and names:
        inner, names = path / names[0], names[1:]
        path = inner if inner.is_dir() else inner.with_suffix(".py")
    if not names:
        return path.exists()
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if names[0][0].isupper() and not re.search(rf"^(class )?{names[0]}\b", text, re.MULTILINE):
        return False
    return all(re.search(rf"\b{name}\b", text) for name in names)
