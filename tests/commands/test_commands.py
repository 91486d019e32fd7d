"""What a person asks the command line: events, users, templates, tools. In this process, on real services."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from conftest import SECRET, TOKEN, House
from pretend.elevenlabs import ADA, AGENT, ended_call
from typer.testing import CliRunner, Result

from voice_server.cli import app
from voice_server.errors import ConfigurationError, NotFound
from voice_server.tools import user_token

TOOL_TOKEN_SECRET = "the-secret-of-the-tools"
Run = Callable[..., Awaitable[Result]]


def environment(house: House) -> Mapping[str, str]:
    return {
        "PLATFORM_TOKEN": TOKEN,
        "ELEVENLABS_WEBHOOK_SECRET": SECRET,
        "DATABASE_URL": house.settings.database_url,
        "REDIS_URL": house.settings.redis_url,
        "PROMPT_TEMPLATES": str(house.settings.prompt_templates),
        "TOOL_TOKEN_SECRET": TOOL_TOKEN_SECRET,
    }


@pytest.fixture
def run(house: House) -> Run:
    """Runs a command on the services of the house, in a thread: it has an event loop of its own."""

    async def run_one(*words: str) -> Result:
        return await asyncio.to_thread(CliRunner().invoke, app, words, env=environment(house))

    return run_one


@pytest.fixture
async def heard(house: House) -> House:
    house.platform.post_call(
        ended_call(
            "conv_1", ("user: I moved to Lisbon last month, with my sister Maria.",), ended=house.clock()
        )
    )
    await house.work()
    return house


async def user_of(house: House, number: str) -> str:
    [(id_,)] = await house.query("select user_id from addresses where address = $1", f"tel:{number}")
    return str(id_)


def test_it_tells_its_name_and_version() -> None:
    ran = CliRunner().invoke(app, ["--version"], prog_name="voice-server")

    assert ran.output.startswith("voice-server 0.")


@pytest.mark.parametrize("command", ["", "events", "rebuild", "replay"])
def test_a_flag_is_shown_without_a_value(command: str) -> None:
    shown = CliRunner().invoke(app, [*command.split(), "--help"]).output

    assert "--help" in shown
    assert "<bool>" not in shown


@pytest.mark.usefixtures("heard")
async def test_events_are_listed_under_the_names_of_their_columns(run: Run) -> None:
    listed = (await run("events")).output.splitlines()

    assert listed[0].split() == ["EVENT", "AT", "STATUS", "TYPE", "CONVERSATION", "REASON"]
    assert "ingested" in listed[1]
    assert "conv_1" in listed[1]
    assert len(listed) == 2


@pytest.mark.usefixtures("heard")
async def test_events_are_listed_as_json(run: Run) -> None:
    [listed] = (await run("events", "--json")).output.splitlines()

    assert json.loads(listed)["conversation"] == "conv_1"


@pytest.mark.usefixtures("heard")
async def test_an_event_is_shown_under_the_names_it_is_listed_under(run: Run) -> None:
    [listed] = (await run("events", "--json")).output.splitlines()
    event = json.loads(listed)

    shown = (await run("events", "show", str(event["event"]))).output

    assert [line.split()[0] for line in shown.splitlines()[: len(event)]] == list(event)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("events", "no event has come in"),
        ("events --failed", "nothing was put aside"),
        ("users", "no user is found"),
    ],
)
async def test_where_there_is_nothing_to_list_the_person_is_told(run: Run, command: str, said: str) -> None:
    listed = await run(*command.split())
    as_json = await run(*command.split(), "--json")

    assert (listed.stdout, listed.stderr) == ("", f"{said}\n")
    assert (as_json.stdout, as_json.stderr) == ("", "")


async def test_an_event_is_shown_with_what_came_in(heard: House, run: Run) -> None:
    [(id_,)] = await heard.query("select id from webhook_events")

    shown = (await run("events", "show", str(id_))).output

    assert "ingested" in shown
    assert '"message": "I moved to Lisbon last month, with my sister Maria."' in shown


async def test_an_event_whose_body_is_gone_is_shown_without(heard: House, run: Run) -> None:
    [(id_,)] = await heard.query("update webhook_events set body = '' returning id")

    assert "What came in is no longer kept." in (await run("events", "show", str(id_))).output


async def test_an_event_that_is_not_json_is_shown_as_it_came(heard: House, run: Run) -> None:
    [(id_,)] = await heard.query("update webhook_events set body = '\\xff7b' returning id")

    assert "\\xff{" in (await run("events", "show", str(id_))).output


async def test_an_event_that_is_not_there_is_an_error(run: Run) -> None:
    ran = await run("events", "show", "4711")

    assert isinstance(ran.exception, NotFound)


async def test_users_are_listed_and_found_by_address(heard: House, run: Run) -> None:
    listed = (await run("users")).output
    found = (await run("users", "--address", "+1 (415) 555-0101", "--json")).output
    nobody = (await run("users", "--address", "+14155559999")).stdout

    assert await user_of(heard, ADA) in listed
    assert json.loads(found)["addresses"] == [f"tel:{ADA}"]
    assert nobody == ""


async def test_a_list_of_users_that_is_cut_says_how_it_goes_on(heard: House, run: Run) -> None:
    told = await run("users", "--limit", "1")

    assert f"there may be more: --after {await user_of(heard, ADA)}" in told.stderr
    assert "there may be more" not in (await run("users")).output


async def test_users_are_listed_from_one_on(heard: House, run: Run) -> None:
    assert (await run("users", "--after", await user_of(heard, ADA))).stdout == ""


@pytest.mark.parametrize("by", ["id", "number", "external id"])
async def test_a_user_is_shown_with_the_prompt_of_the_next_call(heard: House, run: Run, by: str) -> None:
    user_id = await user_of(heard, ADA)
    await heard.query("update users set external_id = 'crm-17'")
    who = {"id": user_id, "number": ADA, "external id": "crm-17"}[by]

    shown = (await run("users", "show", who)).output

    assert user_id in shown
    assert f"── with {AGENT}" in shown
    assert "I moved to Lisbon last month" in shown


async def test_a_user_nobody_knows_is_an_error(run: Run) -> None:
    assert isinstance((await run("users", "show", "crm-18")).exception, NotFound)


async def test_a_line_of_several_is_none_of_them(heard: House, run: Run) -> None:
    await heard.query("insert into users (id) values ('usr_other')")
    await heard.query("update addresses set shared = true, user_id = null")
    await heard.query("insert into shared_lines (address, user_id) select address, id from addresses, users")

    error = (await run("users", "show", ADA)).exception

    assert isinstance(error, ConfigurationError)
    assert "usr_other" in str(error)


def check(templates: Path) -> Result:
    return CliRunner().invoke(app, ["templates", "check"], env={"PROMPT_TEMPLATES": str(templates)})


def test_templates_in_order_are_said_to_be(templates: Path) -> None:
    checked = check(templates)

    assert checked.exit_code == 0
    assert "all others have the default ones" in checked.output


@pytest.mark.parametrize("folder", ["default", "agent_robin"])
def test_a_template_that_is_wrong_is_named_with_its_line_and_the_names_there_are(
    templates: Path, folder: str
) -> None:
    (templates / folder).mkdir(exist_ok=True)
    (templates / folder / "last_time.jinja").write_text("[LAST TIME]\n{{ sumary }}\n")

    checked = check(templates)

    assert checked.exit_code == 1
    names = "channel, date, duration, noted, quotes, summary, time"
    assert f"last_time.jinja line 2: nothing is called sumary here, but {names}\n" in checked.output


def test_all_that_is_wrong_with_templates_is_said_once(templates: Path) -> None:
    (templates / "agent_robin").mkdir()
    (templates / "agent_robin" / "agent.toml").write_text('tools = true\ndelvery = "override"\n')
    (templates / "agent_robin" / "persona.jinja").write_text("{{ nmae }}\n")

    program = Path(sys.executable).with_name("voice-server")
    variables = {**os.environ, "PROMPT_TEMPLATES": str(templates)}
    checked = subprocess.run(
        [program, "templates", "check"],
        env=variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    folder = f"voice-server: {templates}/agent_robin"
    first, second = checked.stderr.splitlines()
    assert first == f"{folder}/agent.toml line 2: Object contains unknown field `delvery`"
    assert second == f"{folder}/persona.jinja line 1: nothing is called nmae here"
    assert (checked.returncode, checked.stdout) == (1, "")


def test_a_folder_without_templates_is_refused(tmp_path: Path) -> None:
    checked = check(tmp_path)

    assert checked.exit_code == 1
    assert checked.stderr.startswith("voice-server: no folder 'default'")


async def test_a_broken_folder_shows_no_other_prompt_in_its_place(
    heard: House, run: Run, templates: Path
) -> None:
    (templates / AGENT).mkdir()
    (templates / AGENT / "persona.jinja").write_text("{{ nobody }}")
    heard.settings = heard.settings.model_copy(update={"prompt_templates": templates})

    shown = await run("rebuild", "--agent", AGENT, "--dry-run")

    assert isinstance(shown.exception, ConfigurationError)
    assert "persona.jinja line 1" in str(shown.exception)


def test_tools_that_are_not_there_are_an_error() -> None:
    ran = CliRunner().invoke(app, ["tools", "schema", "--url", "https://memory.example.com", "--only", "foo"])

    assert isinstance(ran.exception, ConfigurationError)
    assert "conversation.search" in str(ran.exception)


async def test_a_token_is_made_that_counts(heard: House, run: Run) -> None:
    user_id = await user_of(heard, ADA)

    made = (await run("tools", "token", "--user", user_id, "--agent", AGENT, "--days", "1")).output.strip()

    read = user_token.read(made, (TOOL_TOKEN_SECRET,), 0)
    assert isinstance(read, user_token.TokenClaims)
    assert (read.user_id, read.agent_id) == (user_id, AGENT)


@pytest.mark.parametrize(("user", "agent"), [("usr_nobody", AGENT), ("", "agent_unheard")])
async def test_no_token_is_made_for_who_is_not_there(heard: House, run: Run, user: str, agent: str) -> None:
    whose = user or await user_of(heard, ADA)

    assert isinstance((await run("tools", "token", "--user", whose, "--agent", agent)).exception, NotFound)
