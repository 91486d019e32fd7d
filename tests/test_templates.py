"""Templates are checked when they are loaded: a mistake stops the start or leaves the last good set, and is never heard on a call."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from voice_server import tokens
from voice_server.context.prompt import GUARDRAIL
from voice_server.errors import ConfigurationError, RebuildError
from voice_server.templates import SECTIONS, TemplateLibrary

DEFAULTS = Path(__file__).parent.parent / "prompt_templates"
Write = Callable[[str, str], Path]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of templates of the test's own."""
    return Path(shutil.copytree(DEFAULTS, tmp_path / "templates"))


@pytest.fixture
def write(root: Path) -> Write:
    """Writes one file below it; every write is newer than the one before."""
    written = [1_794_911_400_000_000_000]

    def write_one(name: str, text: str) -> Path:
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written[0] += 1_000_000_000
        os.utime(path, ns=(written[0], written[0]))
        return path

    return write_one


def load(root: Path, limit: int = 6150) -> TemplateLibrary:
    return TemplateLibrary(root, limit=limit, count=tokens.counter())


def persona(library: TemplateLibrary, agent: str) -> str:
    return library.agent(agent).render("persona", {})


def refused(root: Path, **more: Any) -> str:
    """Why these templates cannot be loaded."""
    with pytest.raises(ConfigurationError) as caught:
        load(root, **more)
    return str(caught.value)


# -- whose templates


def test_an_agent_without_a_folder_gets_the_default_templates(root: Path) -> None:
    library = load(root)

    assert persona(library, "agent_new") == persona(library, "agent_other")
    assert library.agent("agent_new").agent.id == "agent_new"
    assert library.agent_ids == []


def test_a_folder_with_an_agents_id_overrides_what_it_holds_and_nothing_else(
    root: Path, write: Write
) -> None:
    write("agent_robin/persona.jinja", "You are Robin.")

    library = load(root)

    assert persona(library, "agent_robin") == "You are Robin."
    assert persona(library, "agent_other") != "You are Robin."
    assert GUARDRAIL in library.agent("agent_robin").render("response_style", {})
    assert library.agent_ids == ["agent_robin"]


def test_a_folder_may_be_for_several_agents_by_their_ids(root: Path, write: Write) -> None:
    write("robin/persona.jinja", "You are Robin.")
    write("robin/agent.toml", 'ids = ["agent_1", "agent_2"]\ndelivery = "variable"')

    library = load(root)

    assert library.agent_ids == ["agent_1", "agent_2"]
    for id_ in library.agent_ids:
        assert persona(library, id_) == "You are Robin."
        assert (library.agent(id_).agent.id, library.agent(id_).agent.delivery) == (id_, "variable")


def test_an_agent_has_the_defaults_values_under_its_own(root: Path, write: Write) -> None:
    write("default/agent.toml", 'ids = ["not for others"]\ntimezone = "Europe/Berlin"\ndelivery = "variable"')
    write("agent_robin/agent.toml", 'delivery = "override"\n[variables]\ncaller_name = ""')

    agent = load(root).agent("agent_robin").agent

    assert (agent.timezone, agent.delivery, agent.variables) == (
        "Europe/Berlin",
        "override",
        {"caller_name": ""},
    )


def test_a_hidden_folder_is_no_agent(root: Path, write: Write) -> None:
    write(".git/persona.jinja", "{{")

    assert load(root).agent_ids == []


def test_the_version_changes_with_any_edit_and_only_then(root: Path, write: Write) -> None:
    before, again = load(root).agent("a").version, load(root).agent("a").version

    write("default/persona.jinja", "You are someone else.")

    assert before == again
    assert load(root).agent("a").version != before


# -- what is refused


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ('delivry = "override"', "delivry"),
        ('delivery = "pigeon"', "pigeon"),
        ("token_limit = 'many'", "token_limit"),
        ("token_limit = -1", "token_limit"),
        ('timezone = "Mars/Olympus"', "Mars/Olympus"),
        ("ids = 'agent_1'", "array"),
        ("ids = [1]", "str"),
        ("[variables]\ncaller_name = []", "variables"),
        ("[variables]\nborn = 2026-11-17", "variables"),
        ("[variables]\nsystem__caller_id = 'x'", "system__caller_id"),
        ("[variables]\nsize = nan", "size"),
        ("[variables]\nsize = inf", "size"),
        ('[variables]\nname = "\\uE001"', "U+E000"),
        ("delivery = ", "Invalid value"),
        ("delivery = 'a'\ndelivery = 'b'", "Cannot overwrite a value"),
    ],
)
def test_a_wrong_line_in_agent_toml_is_refused_naming_the_file(
    root: Path, write: Write, toml: str, reason: str
) -> None:
    path = write("agent_robin/agent.toml", toml)

    message = refused(root)

    assert str(path) in message
    assert reason in message


def test_two_folders_for_one_agent_are_refused(root: Path, write: Write) -> None:
    write("one/agent.toml", 'ids = ["agent_robin"]')
    path = write("two/agent.toml", 'ids = ["agent_robin"]')

    assert f"{path}: another folder is for agent agent_robin already" in refused(root)


@pytest.mark.parametrize(
    ("section", "text", "reason"),
    [
        ("persona", "Hello {{ nmae }}", "nothing is called nmae here"),
        (
            "situation",
            "{% if not known %}{% if redial %}{{ tiem }}{% endif %}{% endif %}",
            "nothing is called tiem",
        ),
        ("open_threads", "{% for thread in items %}{{ thread.txt }}{% endfor %}", "txt"),
        ("last_time", "{{ summary | upcase }}", "line 1: No filter named 'upcase'"),
        ("last_time", "one\ntwo {% if %}", "line 2"),
        ("last_time", "{{ summary", "line 1"),
        ("last_time", "{{ noted[7] }}", "cannot be rendered"),
        ("last_time", '{{ "{} {}".format(1) }}', "cannot be rendered"),
        ("last_time", "{{ 1 / 0 }}", "cannot be rendered"),
        ("last_time", '{% include "/etc/passwd" %}', "cannot be rendered"),
        ("last_time", "{{ summary.__class__.__mro__ }}", "cannot be rendered"),
        ("last_time", "{{ ''.__class__.__base__.__subclasses__() }}", "cannot be rendered"),
        ("last_time", "{{ ''['__cla' ~ 'ss__'] }}", "cannot be rendered"),
        ("last_time", "{{ (summary | attr('__class__')) }}", "cannot be rendered"),
        ("last_time", "{{ '{0.__class__}'.format(summary) }}", "cannot be rendered"),
        ("last_time", "{{ cycler.__init__.__globals__ }}", "cannot be rendered"),
        ("last_time", "{% for n in range(10 ** 9) %}x{% endfor %}", "cannot be rendered"),
        ("last_time", "{{ noted.append('x') }}", "cannot be rendered"),
        ("persona", "a slot \ue000 of its own", "U+E000"),
        ("response_style", "Be brief.", "must contain the line"),
    ],
)
def test_a_wrong_template_is_refused_naming_the_file(
    root: Path, write: Write, section: str, text: str, reason: str
) -> None:
    path = write(f"default/{section}.jinja", text)

    message = refused(root)

    assert str(path) in message
    assert reason in message


def test_a_template_that_is_no_utf8_is_refused(root: Path) -> None:
    (root / "default" / "persona.jinja").write_bytes(b"\xff")

    assert "persona.jinja cannot be read" in refused(root)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_missing_default_template_is_refused(root: Path, section: str) -> None:
    (root / "default" / f"{section}.jinja").unlink()

    assert f"{section}.jinja is missing" in refused(root)


def test_a_folder_without_default_templates_is_refused_naming_the_setting(tmp_path: Path) -> None:
    assert "PROMPT_TEMPLATES" in refused(tmp_path)


def test_what_is_never_cut_must_fit_the_limit_alone(root: Path, write: Write) -> None:
    assert "over the limit of 200" in refused(root, limit=200)

    path = write("agent_robin/persona.jinja", "You are Robin. " * 2000)

    assert str(path.parent) in refused(root)


def test_an_agents_own_limit_counts_for_its_templates(root: Path, write: Write) -> None:
    write("agent_robin/agent.toml", "token_limit = 100")

    assert "over the limit of 100" in refused(root)


def test_a_template_that_fails_on_some_values_only_fails_that_prompt(root: Path, write: Write) -> None:
    write(
        "default/last_time.jinja",
        "{{ 1 / (summary | length) if summary else 0 }}{{ noted[0] if noted | length > 1 and noted[5] else '' }}",
    )
    templates = load(root).agent("a")

    with pytest.raises(RebuildError, match=r"last_time\.jinja of agent a cannot be rendered"):
        templates.render("last_time", {"summary": "x", "noted": ["a", "b"]})


# -- edits


def test_an_edit_is_taken_up(root: Path, write: Write) -> None:
    library = load(root)
    assert not library.refresh()

    write("default/persona.jinja", "You are someone new.")

    assert library.refresh()
    assert persona(library, "a") == "You are someone new."
    assert not library.refresh()


def test_a_new_folder_is_taken_up_and_a_removed_one_is_gone(root: Path, write: Write) -> None:
    library = load(root)

    write("agent_robin/persona.jinja", "You are Robin.")

    assert library.refresh()
    assert library.agent_ids == ["agent_robin"]
    shutil.rmtree(root / "agent_robin")
    assert library.refresh()
    assert library.agent_ids == []


def test_a_broken_edit_leaves_the_last_good_set_and_says_what_is_wrong(root: Path, write: Write) -> None:
    library = load(root)
    before = persona(library, "a")

    path = write("default/persona.jinja", "You are {{ nmae }}")

    assert not library.refresh()
    assert persona(library, "a") == before
    assert str(path) in library.error

    write("default/persona.jinja", "You are Robin.")

    assert library.refresh()
    assert persona(library, "a") == "You are Robin."
    assert library.error == ""


def test_templates_that_vanish_leave_the_last_good_set(root: Path) -> None:
    library = load(root)

    shutil.rmtree(root)

    assert not library.refresh()
    assert "PROMPT_TEMPLATES" in library.error
    assert persona(library, "a")
