"""Templates are checked when they are loaded: a mistake is never heard on a call. In `default/` it stops the
start, in an agent's folder it concerns that agent alone."""

import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from voice_server.context.layout import tokens
from voice_server.context.layout.budget import BUDGETS
from voice_server.context.prompt_builder import GUARDRAIL, ORDER, READING
from voice_server.context.working_memory import HistoryRules
from voice_server.domain.agent import Budget, Limits
from voice_server.errors import ConfigurationError, RebuildError
from voice_server.templates.library import SECTIONS, TemplateLibrary
from voice_server.tools import catalogue

_IS_SETTING = re.compile(
    r"# (?:order =|\[(?:budgets|limits|history)\]|\w+ = (?:\[\d+, \d+\]|\d+\b)(?!.*default))"
)

DEFAULTS = Path(__file__).parents[2] / "prompt_templates"
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
        path.parent.mkdir(parents=True, exist_ok=True)
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
    style = library.agent("agent_robin").render("response_style", {})
    assert GUARDRAIL in style
    assert READING in style
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


def test_of_budgets_and_limits_an_agent_names_only_what_differs(root: Path, write: Write) -> None:
    write("default/agent.toml", "[budgets]\nlast_time = [1, 2]\npersona = [3, 4000]\n[limits]\nthoughts = 1")
    write("agent_robin/agent.toml", "[budgets]\nlast_time = [5, 6]\n[limits]\nfacts_max = 20")

    agent = load(root).agent("agent_robin").agent

    assert agent.budgets == {"last_time": Budget(5, 6), "persona": Budget(3, 4000)}
    assert agent.limits == Limits(thoughts=1, facts_max=20)


def test_what_an_agent_does_not_set_is_as_the_context_stack_has_it(root: Path) -> None:
    agent = load(root).agent("agent_robin").agent

    assert (agent.budgets, agent.limits, agent.order) == ({}, Limits(5, 3, 10, 30), ())


def test_the_collected_items_of_the_example_are_in_order(root: Path, write: Write) -> None:
    lines = (root / "default" / "agent.toml").read_text().splitlines()
    begin = lines.index("# [collected]")
    example = [line.removeprefix("# ") for line in lines[begin : lines.index("", begin)]]
    write("agent_robin/agent.toml", "\n".join(example))

    library = load(root)

    assert library.errors == {}
    assert library.agent("agent_robin").agent.collected["preferred_branch"] == "fact:branch"


def test_the_defaults_written_down_in_agent_toml_are_the_defaults(root: Path, write: Write) -> None:
    """Taken out of their comments they change nothing."""
    path = root / "default" / "agent.toml"
    settings = [line.removeprefix("# ") for line in path.read_text().splitlines() if _IS_SETTING.match(line)]
    write("agent_robin/agent.toml", "\n".join(settings))

    library = load(root)

    agent = library.agent("agent_robin").agent
    assert library.errors == {}
    assert HistoryRules().of(agent) == HistoryRules()
    assert (agent.order, agent.budgets, agent.limits) == (ORDER, BUDGETS, Limits())


def test_what_is_never_cut_and_over_its_budget_is_told_once(
    root: Path, write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    path = write("agent_robin/persona.jinja", "You are Robin, a very small bird. " * 200)
    library = load(root)
    write("agent_robin/situation.jinja", "It is {{ time }}.")
    library.refresh()

    [told] = [one.getMessage() for one in caplog.records]
    assert told.startswith(f"{path} is 1800 tokens")
    assert told.endswith(
        "over its budget of 1200. It is never cut: shorten it, or raise `persona` in [budgets] of agent.toml"
    )


def test_an_agent_with_tools_is_told_when_to_use_them_and_no_other(root: Path, write: Write) -> None:
    write("agent_a/agent.toml", "tools = true\n")
    write("agent_a/response_style.jinja", f"Short.\n{GUARDRAIL}")
    library = load(root)

    with_tools, without = (library.agent(one).render("response_style", {}) for one in ("agent_a", "agent_b"))

    assert with_tools.startswith("Short.")
    assert all(tool.plain_name in with_tools for tool in catalogue.TOOLS)
    assert "memory_add" not in without


def test_an_agent_may_have_its_own_words_about_tools(root: Path, write: Write) -> None:
    write("agent_a/agent.toml", "tools = true\n")
    write("agent_a/tools.jinja", "Look nothing up.")

    assert load(root).agent("agent_a").render("response_style", {}).endswith("\n\nLook nothing up.")


def test_a_hidden_folder_is_no_agent(root: Path, write: Write) -> None:
    write(".git/persona.jinja", "{{")

    assert load(root).agent_ids == []


def test_the_version_changes_with_any_edit_and_only_then(root: Path, write: Write) -> None:
    before, again = load(root).agent("a").version, load(root).agent("a").version

    write("default/persona.jinja", "You are someone else.")

    assert before == again
    assert load(root).agent("a").version != before


# -- in writing


def written(library: TemplateLibrary, agent: str, section: str = "persona") -> str:
    return library.agent(agent).in_writing.render(section, {})


def test_in_writing_a_section_of_the_folder_text_is_told_instead(root: Path, write: Write) -> None:
    write("agent_robin/persona.jinja", "You are Robin.")
    write("agent_robin/text/persona.jinja", "You are Robin, who writes.")

    library = load(root)

    assert (persona(library, "agent_robin"), written(library, "agent_robin")) == (
        "You are Robin.",
        "You are Robin, who writes.",
    )


def test_an_agents_own_section_goes_before_the_written_one_of_the_default(root: Path, write: Write) -> None:
    write("agent_robin/persona.jinja", "You are Robin.")

    library = load(root)

    assert written(library, "agent_robin") == "You are Robin."
    assert written(library, "agent_robin", "response_style") == written(library, "a", "response_style")
    assert written(library, "a", "response_style") != library.agent("a").render("response_style", {})


def test_a_folder_of_templates_without_text_writes_as_it_speaks(root: Path) -> None:
    shutil.rmtree(root / "default" / "text")

    library = load(root)

    assert written(library, "a") == persona(library, "a")


def test_an_edit_of_what_is_written_is_taken_up_and_outdates_no_cached_prompt(
    root: Path, write: Write
) -> None:
    library = load(root)
    before = library.versions
    write("default/text/persona.jinja", "You are someone who writes.")

    library.refresh()

    assert written(library, "a") == "You are someone who writes."
    assert library.versions == before


def test_a_mistake_in_what_is_written_costs_no_call_its_templates(root: Path, write: Write) -> None:
    write("agent_robin/persona.jinja", "You are Robin.")
    path = write("agent_robin/text/persona.jinja", "You are {{ nmae }}")

    library = load(root)

    assert persona(library, "agent_robin") == "You are Robin."
    assert written(library, "agent_robin") == written(library, "a")
    assert str(path) in library.errors["agent_robin"]


def test_a_broken_edit_of_what_is_written_leaves_the_last_good_one(root: Path, write: Write) -> None:
    write("agent_robin/text/persona.jinja", "You are Robin, who writes.")
    library = load(root)
    write("agent_robin/text/persona.jinja", "You are {{ nmae }}")

    library.refresh()

    assert written(library, "agent_robin") == "You are Robin, who writes."


def test_a_mistake_in_what_is_written_by_default_is_refused(root: Path, write: Write) -> None:
    path = write("default/text/response_style.jinja", "No guardrail.")

    assert str(path) in refused(root)


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
        ("[budgets]\nsituation = [1, 2]", "[budgets] situation: there are budgets for persona, relationship"),
        ("[budgets]\nlast_time = [251, 250]", "the target 251 must not be above the cap 250"),
        ("[budgets]\nlast_time = [-1, 250]", "budgets"),
        ("[collected]\nwish = 'thread'", "[collected] wish: 'thread' lacks its kind"),
        ("[collected]\nwish = 1", "collected"),
        ("[budgets]\nlast_time = 250", "budgets"),
        ("[budgets]\nlast_time = [1]", "budgets"),
        ("budgets = 5", "budgets"),
        ("[limits]\nopen_thread = 5", "open_thread"),
        ("[limits]\nthoughts = 51", "$.limits.thoughts"),
        ("[limits]\nthoughts = -1", "$.limits.thoughts"),
        ("[limits]\nfacts_min = 31", "`facts_min` must not be above `facts_max`"),
        ('order = ["last_time", "lost_time"]', "there is no section 'lost_time'; it may name relationship,"),
        ('order = ["persona"]', "there is no section 'persona'"),
        ('order = ["last_time", "last_time"]', "'last_time' is named twice"),
        ('order = "last_time"', "order"),
        ("delivery = ", "Invalid value"),
        ("delivery = 'a'\ndelivery = 'b'", "Cannot overwrite a value"),
    ],
)
def test_a_wrong_line_in_agent_toml_is_refused_naming_the_file(
    root: Path, write: Write, toml: str, reason: str
) -> None:
    path = write("default/agent.toml", toml)

    message = refused(root)

    assert str(path) in message
    assert reason in message


@pytest.mark.parametrize(
    ("toml", "lines"),
    [
        ('# Robin\ndelvery = "override"', {2: "delvery"}),
        ('timezone = "UTC"\n[limits]\nturns = 8\nturnz = 9', {4: "turnz"}),
        ("[limitz]\nturns = 8", {1: "limitz"}),
        ("tools = true\nlimits = {turns = 2}", {2: "$.limits.turns"}),
        ("limits.thoughts = 3\nlimits.turns = 2", {2: "$.limits.turns"}),
        ('[collected]\n"my wish" = "thread"', {2: "lacks its kind"}),
        ('"de.livery" = 1', {1: "de.livery"}),
        (
            "delvery = 1\ntoolz = true\ntimezone = 5\n[variables]\nborn = 2026-11-17\n[limits]\nturnz = 9",
            {1: "delvery", 2: "toolz", 3: "$.timezone", 5: "variables", 7: "turnz"},
        ),
    ],
)
@pytest.mark.parametrize("folder", ["default", "agent_robin"])
def test_every_wrong_entry_of_agent_toml_is_named_with_its_line(
    root: Path, write: Write, folder: str, toml: str, lines: Mapping[int, str]
) -> None:
    path = write(f"{folder}/agent.toml", toml)

    told = (refused(root) if folder == "default" else load(root).errors[folder]).splitlines()

    named = {int(re.findall(rf"^{re.escape(str(path))} line (\d+): ", one)[0]): one for one in told}
    assert sorted(named) == sorted(lines)
    assert all(word in named[number] for number, word in lines.items())


def test_all_that_is_wrong_in_a_folder_is_named(root: Path, write: Write) -> None:
    write("agent_robin/agent.toml", "delvery = 1")
    write("agent_robin/persona.jinja", "{{ nmae }}")
    write("agent_robin/last_time.jinja", "{{ sumary }}")

    told = load(root).errors["agent_robin"].splitlines()

    assert [one.partition(" line ")[0].rpartition("/")[2] for one in told] == [
        "agent.toml",
        "persona.jinja",
        "last_time.jinja",
    ]


def test_all_sections_that_cannot_be_rendered_are_named(root: Path, write: Write) -> None:
    write("agent_robin/persona.jinja", "{{ 1 / 0 }}")
    write("agent_robin/last_time.jinja", "{{ 1 / 0 }}")

    assert load(root).errors["agent_robin"].count("cannot be rendered") == 2


def test_of_two_folders_for_one_agent_the_first_counts(root: Path, write: Write) -> None:
    write("one/agent.toml", 'ids = ["agent_robin"]')
    write("one/persona.jinja", "You are Robin.")
    path = write("two/agent.toml", 'ids = ["agent_robin", "agent_wren"]')
    write("two/persona.jinja", "You are Wren.")

    library = load(root)

    assert library.errors == {"two": f"{path}: another folder is for agent agent_robin already"}
    assert persona(library, "agent_robin") == "You are Robin."
    assert persona(library, "agent_wren") == "You are Wren."


@pytest.mark.parametrize(
    ("section", "text", "reason"),
    [
        ("persona", "Hello\n{{ nmae }}", "line 2: nothing is called nmae here"),
        (
            "situation",
            "{% if not known %}{% if redial %}{{ tiem }}{% endif %}{% endif %}",
            "nothing is called tiem",
        ),
        ("open_threads", "{% for thread in items %}{{ thread.txt }}{% endfor %}", "txt"),
        ("inner_life", "{% for thought in items %}{{ thought.title }}{% endfor %}", "title"),
        ("long_term_memory", "{{ items }}", "nothing is called items here"),
        ("long_term_memory", "{% if not user_facts %}{{ episodes[0].day }}{% endif %}", "day"),
        ("relationship", "{{ chapter }}{{ score }}", "nothing is called score here"),
        ("relationship", "{{ 1 // (closeness | length) }}", "cannot be rendered"),
        ("last_time", "{{ summary | upcase }}", "line 1: No filter named 'upcase'"),
        ("last_time", "one\ntwo {% if %}", "line 2"),
        ("last_time", "{{ summary", "line 1"),
        ("last_time", "{{ noted[7] }}", "cannot be rendered"),
        ("last_time", '{{ "{} {}".format(1) }}', "cannot be rendered"),
        ("last_time", "one\ntwo {{ 1 / 0 }}", "line 2 cannot be rendered"),
        ("last_time", '{% include "/etc/passwd" %}', "cannot be rendered"),
        ("last_time", "{{ summary.__class__.__mro__ }}", "cannot be rendered"),
        ("last_time", "{{ ''.__class__.__base__.__subclasses__() }}", "cannot be rendered"),
        ("last_time", "{{ ''['__cla' ~ 'ss__'] }}", "cannot be rendered"),
        ("last_time", "{{ (summary | attr('__class__')) }}", "cannot be rendered"),
        ("last_time", "{{ '{0.__class__}'.format(summary) }}", "cannot be rendered"),
        ("last_time", "{{ cycler.__init__.__globals__ }}", "cannot be rendered"),
        ("last_time", "{% for n in range(10 ** 9) %}x{% endfor %}", "cannot be rendered"),
        ("last_time", "{{ noted.append('x') }}", "cannot be rendered"),
        ("persona", "a slot\n\ue000 of its own", "line 2 has a character from U+E000"),
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


def test_an_agent_that_is_nobody_is_refused(root: Path, write: Write) -> None:
    """Nor is it taken up: a file that is just being saved is empty for a moment."""
    write("default/persona.jinja", " \n")

    assert "persona.jinja is empty" in refused(root)


def test_a_folder_without_default_templates_is_refused_naming_the_setting(tmp_path: Path) -> None:
    assert "PROMPT_TEMPLATES" in refused(tmp_path)


def test_what_is_never_cut_must_fit_the_limit_alone(root: Path, write: Write) -> None:
    assert "over the limit of 200" in refused(root, limit=200)

    path = write("agent_robin/persona.jinja", "You are Robin. " * 2000)

    assert str(path.parent) in load(root).errors["agent_robin"]


def test_an_agents_own_limit_counts_for_its_templates(root: Path, write: Write) -> None:
    write("agent_robin/agent.toml", "token_limit = 100")

    assert "over the limit of 100" in load(root).errors["agent_robin"]


def test_a_template_that_fails_on_some_values_only_fails_that_prompt(root: Path, write: Write) -> None:
    write(
        "default/last_time.jinja",
        "{{ 1 / (summary | length) if summary else 0 }}{{ noted[0] if noted | length > 1 and noted[5] else "
        "'' }}",
    )
    templates = load(root).agent("a")

    with pytest.raises(RebuildError, match=r"last_time\.jinja of agent a cannot be rendered"):
        templates.render("last_time", {"summary": "x", "noted": ["a", "b"]})


# -- a mistake in one agent's folder


@pytest.fixture
def two_agents(root: Path, write: Write) -> TemplateLibrary:
    """Robin's persona cannot be used, Wren's can."""
    write("robin/agent.toml", 'ids = ["agent_robin"]\ndelivery = "variable"\n[variables]\nplan = "basic"')
    write("robin/persona.jinja", "You are Robin.\n{{ nmae }}")
    write("agent_wren/persona.jinja", "You are Wren.")
    return load(root)


def test_a_start_serves_it_with_the_default_templates(two_agents: TemplateLibrary) -> None:
    assert persona(two_agents, "agent_robin") == persona(two_agents, "agent_new")


def test_its_variables_are_sent_all_the_same(two_agents: TemplateLibrary) -> None:
    agent = two_agents.agent("agent_robin").agent

    assert (agent.id, agent.delivery, agent.variables) == ("agent_robin", "variable", {"plan": "basic"})


def test_all_other_agents_are_served_as_usual(two_agents: TemplateLibrary) -> None:
    assert persona(two_agents, "agent_wren") == "You are Wren."


def test_it_is_logged_naming_file_and_line(
    root: Path, two_agents: TemplateLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    assert f"{root}/robin/persona.jinja line 2: nothing is called nmae here" in two_agents.errors["robin"]
    assert [one.levelname for one in caplog.get_records("setup")] == ["ERROR"]


def test_it_is_told_once_and_not_with_every_look(
    write: Write, two_agents: TemplateLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    write("agent_wren/persona.jinja", "You are Wren, the small one.")

    assert two_agents.refresh()
    assert caplog.records == []


def test_a_wrong_entry_of_its_toml_leaves_the_others(root: Path, write: Write) -> None:
    write(
        "robin/agent.toml",
        'ids = ["agent_robin"]\ndelivery = "variable"\norder = ["last_time", "bogus"]\n'
        '[variables]\nplan = "basic"\nsystem__time = "now"\nclinic = "North"',
    )

    agent = load(root).agent("agent_robin").agent

    assert (agent.delivery, agent.variables) == ("variable", {"plan": "basic", "clinic": "North"})


def test_prompts_made_from_its_good_templates_are_not_called_stale(two_agents: TemplateLibrary) -> None:
    versions = two_agents.versions

    assert versions["agent_robin"] is None
    assert versions["agent_wren"] == two_agents.agent("agent_wren").version


def test_an_agent_whose_toml_cannot_be_read_is_known_by_its_folder(root: Path, write: Write) -> None:
    path = write("agent_robin/agent.toml", "delivery = ")

    library = load(root)

    assert str(path) in library.errors["agent_robin"]
    assert library.agent_ids == ["agent_robin"]
    assert persona(library, "agent_robin") == persona(library, "agent_new")


def test_a_broken_edit_of_one_agent_leaves_its_last_good_templates(root: Path, write: Write) -> None:
    write("agent_robin/persona.jinja", "You are Robin.")
    library = load(root)
    write("agent_robin/persona.jinja", "You are {{ nmae }}")
    write("default/situation.jinja", "It is {{ time }}.")

    assert library.refresh()

    assert persona(library, "agent_robin") == "You are Robin."
    assert library.agent("agent_new").render("situation", {"time": "noon"}) == "It is noon."
    assert list(library.errors) == ["agent_robin"]


def test_whose_mistake_it_is_is_known_by_each_of_a_folders_agents(root: Path, write: Write) -> None:
    write("robin/agent.toml", 'ids = ["agent_robin", "agent_ruby"]')
    library = load(root)
    path = write("robin/agent.toml", 'ids = ["agent_robin", "agent_ruby"]\ntimezone = "Berlin"')

    library.refresh()

    for agent in ("agent_robin", "agent_ruby"):
        [told] = library.errors_of(agent)
        assert told.startswith(f"{path} line 2: ")
    assert library.errors_of("agent_wren") == []


def test_of_two_folders_for_one_agent_it_knows_both(root: Path, write: Write) -> None:
    write("robin/agent.toml", 'ids = ["agent_robin"]')
    second = write("ruby/agent.toml", 'ids = ["agent_robin"]')

    [told] = load(root).errors_of("agent_robin")

    assert told.startswith(str(second))


def test_a_mistake_in_the_default_templates_is_everybodys(root: Path, write: Write) -> None:
    library = load(root)
    path = write("default/persona.jinja", "You are {{ nmae }}")

    library.refresh()

    assert library.errors_of("agent_wren") == library.errors["default"].splitlines()
    assert str(path) in library.errors["default"]


def test_mended_it_is_served_again(write: Write, two_agents: TemplateLibrary) -> None:
    write("robin/persona.jinja", "You are Robin.")

    assert two_agents.refresh()
    assert persona(two_agents, "agent_robin") == "You are Robin."
    assert two_agents.errors == {}


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
    assert str(path) in library.errors["default"]

    write("default/persona.jinja", "You are Robin.")

    assert library.refresh()
    assert persona(library, "a") == "You are Robin."
    assert library.errors == {}


def test_templates_that_vanish_leave_the_last_good_set(root: Path) -> None:
    library = load(root)

    shutil.rmtree(root)

    assert not library.refresh()
    assert "PROMPT_TEMPLATES" in library.errors["default"]
    assert persona(library, "a")
