"""The `voice-server` command."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from msgspec import Struct

from voice_server import settings
from voice_server.commands import running, secrets_file, serve
from voice_server.embedded.layout import EmbeddedError
from voice_server.errors import ConfigurationError, VoiceServerError
from voice_server.runtime.release import VERSION

_NAME = "voice-server"
_DAY = 86_400  # seconds
_NOT_THERE = ("42P01", "42703")  # SQLSTATE: no such table, no such column

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
Parent = Annotated[int, typer.Option("--parent", hidden=True, help="Stop when this process is gone.")]


def _print_version(*, wanted: bool) -> None:
    if wanted:
        print(f"{_NAME} {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Run a voice-agent server with memory."""


@app.command("serve")
def serve_command() -> None:
    """Set up what is missing and run everything: web, worker, and Postgres and Valkey unless they are
    given."""
    sys.exit(serve.serve())


@app.command()
def web(
    parent: Parent = 0, host: Annotated[str, typer.Option(help="Address to listen on, instead of HOST.")] = ""
) -> None:
    """Run one web process. Needs DATABASE_URL and REDIS_URL."""
    settled = running.process_settings(parent)
    if host:
        settled = settled.model_copy(update={"host": host})
    with running.loading():
        from voice_server.commands import web_server
    if not web_server.run(settled):
        raise typer.Exit(3)  # as uvicorn's own command does


@app.command()
def worker(parent: Parent = 0) -> None:
    """Run one worker process. Needs DATABASE_URL and REDIS_URL."""
    settled = running.process_settings(parent)
    with running.loading():
        import uvloop

        from voice_server.worker import Worker
    uvloop.run(running.until_stopped(Worker(settled).run))


@app.command("migrate")
def migrate_command() -> None:
    """Bring the database to the newest revision."""
    from voice_server.store.migrate import migrate

    migrated = running.with_services(lambda settled: migrate(settled.database_url), makes_data=True)
    print("migrated" if migrated else "up to date")


Programs = Annotated[
    Path | None,
    typer.Option("--programs", help="Folder of pg_dump, pg_restore and psql to use instead of ours."),
]


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to; `-`: the standard output.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    programs: Programs = None,
) -> None:
    """Save the whole database in one file, while calls go on or not."""
    from voice_server.commands.data import dumps
    from voice_server.commands.data.backup import run

    running.require_data(settings.load())
    _tidy_up_on_sigterm()
    with serve.services(dict(os.environ), ("DATABASE_URL",)) as (variables, _):
        settled = serve.resolved(variables)
        saved = run(settled.database_url, file, dumps.programs(programs), overwrite=force)
        _say(asyncio.run(saved))
    secrets = secrets_file.path_in(settled.data_dir.resolve())
    if secrets.exists():
        _say(f"the secrets are not in it: keep a copy of {secrets}, too")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `backup` wrote; `-`: the standard input.")],
    programs: Programs = None,
) -> None:
    """Put a backup into a database that knows nobody yet. The server must not run."""
    from voice_server.commands.data import dumps
    from voice_server.commands.data.restore import run

    _tidy_up_on_sigterm()
    with serve.services(dict(os.environ)) as (variables, _):
        settled = serve.resolved(variables)
        _say(asyncio.run(run(settled.database_url, settled.redis_url, file, dumps.programs(programs))))


@app.command("upgrade-postgres")
def upgrade_postgres(
    old_programs: Annotated[
        Path | None,
        typer.Option("--old-programs", help="Folder of the programs of the Postgres that wrote the data."),
    ] = None,
) -> None:
    """Carry the embedded data over to this release's Postgres. The server must not run."""
    from voice_server.commands.data.upgrade_postgres import run

    _tidy_up_on_sigterm()
    _say(run(settings.load().data_dir, old_programs))


def _tidy_up_on_sigterm() -> None:
    """Stop as on Ctrl-C: no half of a file is left, and no program that goes on with it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def _say(text: str) -> None:
    """Print for the person: the standard output may be a backup."""
    print(text, file=sys.stderr)


@app.command()
def rebuild(
    user: Annotated[str, typer.Option(help="Of this user.")] = "",
    address: Annotated[
        str, typer.Option(help="Of the user with this address (+14155550101, app:customer-17).")
    ] = "",
    agent: Annotated[str, typer.Option(help="Of this agent.")] = "",
    all_: Annotated[bool, typer.Option("--all", help="Of everybody.")] = False,
    stale: Annotated[bool, typer.Option(help="Only those that would be built differently now.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the prompts, keep nothing.")] = False,
    diff: Annotated[bool, typer.Option(help="Print what changes, keep nothing.")] = False,
) -> None:
    """Rebuild cached voice prompts by hand."""
    from voice_server.commands.rebuild_prompts import Selection, run

    selection = Selection(user, address, agent, everybody=all_, stale=stale)
    failed = running.with_services(
        lambda settled: run(settled, selection, show="diff" if diff else "prompt" if dry_run else "")
    )
    sys.exit(1 if failed else 0)


@app.command("understand")
def backfill_digests_command(
    since: Annotated[str, typer.Option(help="Conversations since this day, as 2026-11-01.")] = "",
    user: Annotated[str, typer.Option(help="Of this user.")] = "",
    all_: Annotated[bool, typer.Option("--all", help="All there are.")] = False,
) -> None:
    """Let the model (LLM_MODEL) read conversations of the time before it was set."""
    from voice_server.commands.backfill_digests import Selection, run

    print(running.with_services(lambda settled: run(settled, Selection(since, user, everybody=all_))))


@app.command("simulate-call")
def simulate_call_command(  # noqa: PLR0913 (an argument for each option)
    *,
    caller: Annotated[
        str, typer.Option("--from", help="The caller's number; default: +14155550101, or the dialogue's.")
    ] = "",
    agent: Annotated[str, typer.Option(help="The agent's id.")] = "agent_demo",
    file: Annotated[
        Path | None, typer.Option(help="Read the conversation from a file instead of the terminal.")
    ] = None,
    play: Annotated[
        str, typer.Option(help="Play a sample dialogue of this name, or the one in this TOML file.")
    ] = "",
    list_: Annotated[bool, typer.Option("--list", help="List the sample dialogues.")] = False,
    payload: Annotated[
        Path | None, typer.Option(help="Post this captured post-call payload instead.")
    ] = None,
    on: Annotated[
        str, typer.Option(help="When the call began, as 2026-11-20 or 2026-11-20T18:30, in DEFAULT_TIMEZONE.")
    ] = "",
    language: Annotated[str, typer.Option(help="The language the platform would name, as de.")] = "",
    summary: Annotated[str, typer.Option(help="The summary the platform would send along.")] = "",
    url: Annotated[str, typer.Option(help="Where the server is; default: this machine, PORT.")] = "",
) -> None:
    """Play a phone call against the running server, as the platform would."""
    from voice_server.commands.simulation import simulate_call

    if list_:
        print(*simulate_call.listing(), sep="\n")
        return
    settled = settings.load()
    script = simulate_call.Script(
        caller=caller,
        agent=agent,
        file=file,
        payload=payload,
        play=play,
        on=on,
        language=language,
        summary=summary,
        history=settled.data_dir / "typed_calls",
    )
    sys.exit(simulate_call.run(simulate_call.target(settled, url), script))


@app.command("demo")
def demo_command(
    *,
    remove: Annotated[bool, typer.Option("--remove", help="Erase the three people again.")] = False,
    anyway: Annotated[bool, typer.Option("--anyway", help="Also beside people there are already.")] = False,
    url: Annotated[str, typer.Option(help="Where the server is; default: this machine, PORT.")] = "",
) -> None:
    """Fill an empty server with two months of three people's calls and chats."""
    from voice_server.commands import api_client
    from voice_server.commands.simulation import demo, simulate_call

    settled = settings.load()
    server, api = simulate_call.target(settled, url), api_client.target(settled, url)
    sys.exit(demo.run(server, api, remove=remove, anyway=anyway))


@app.command("chat")
def chat_command(
    *,
    user: Annotated[str, typer.Option(help="Who writes, by id.")] = "",
    address: Annotated[str, typer.Option(help="Who writes, by number, or app:… for an id of yours.")] = "",
    me: Annotated[str, typer.Option(help="Who writes, by any name; default: your login name.")] = "",
    agent: Annotated[str, typer.Option(help="The agent's id; default: the one there is.")] = "",
    resume: Annotated[str, typer.Option(help="Go on with the chat of this id, or with the `latest`.")] = "",
    once: Annotated[str | None, typer.Option(help="Write this, print the answer, and leave.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each answer as a JSON object.")] = False,
    url: Annotated[str, typer.Option(help="Where the server is; default: this machine, PORT.")] = "",
) -> None:
    """Chat with an agent of the running server; /help lists what else can be typed."""
    from voice_server.commands import api_client
    from voice_server.commands.chat import terminal

    settled = settings.load()
    wishes = terminal.ChatWishes(
        user=user,
        address=address,
        me=me,
        agent=agent,
        resume=resume,
        once=once,
        as_json=as_json,
        history=settled.data_dir / "typed_chats",
    )
    sys.exit(terminal.run(api_client.target(settled, url), wishes))


@app.command("console")
def console_command() -> None:
    """Print a link that opens the console, once, within ten minutes."""
    from voice_server.commands import console_link

    print(console_link.link(settings.load()))


AsJson = Annotated[bool, typer.Option("--json", help="A JSON object in each line.")]


def _list(rows: Sequence[Struct], *, as_json: bool, nothing: str) -> None:
    from voice_server.commands import listing

    for line in listing.lines(rows, as_json=as_json):
        print(line)
    if not rows and not as_json:
        _say(nothing)


events = typer.Typer()
app.add_typer(events, name="events")


@events.callback(invoke_without_command=True)
def events_list(
    context: typer.Context,
    *,
    failed: Annotated[bool, typer.Option("--failed", help="Only what was put aside.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="How many at most, of each kind.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the latest webhook events and what became of them; with --failed, the latest events, digests and
    jobs that were put aside."""
    if context.invoked_subcommand:
        return

    from voice_server.commands import event_log

    find = event_log.failures if failed else event_log.listing
    rows = running.with_services(lambda settled: find(settled, limit=limit))
    _list(rows, as_json=as_json, nothing="nothing was put aside" if failed else "no event has come in")


@events.command("show")
def events_show(
    event: Annotated[int, typer.Argument(help="The event's number, as `events` lists it.")],
) -> None:
    """Show an event whole: what came in, and what became of it."""
    from voice_server.commands import event_log, listing

    shown, body = running.with_services(lambda settled: event_log.shown(settled, event))
    print(*listing.fields(shown), "", body or "What came in is no longer kept.", sep="\n")


users = typer.Typer()
app.add_typer(users, name="users")


@users.callback(invoke_without_command=True)
def users_list(
    context: typer.Context,
    *,
    address: Annotated[str, typer.Option(help="Only who is known by it (+14155550101).")] = "",
    after: Annotated[str, typer.Option(help="Those that follow this id.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List users, in the order of their ids."""
    if context.invoked_subcommand:
        return

    from voice_server.commands import user_records

    found = running.with_services(
        lambda settled: user_records.listing(settled, address=address, after=after, limit=limit)
    )
    _list(found, as_json=as_json, nothing="no user is found")
    if len(found) == limit:
        _say(f"there may be more: --after {found[-1].user}")


@users.command("show")
def users_show(
    who: Annotated[str, typer.Argument(help="The user's id, address, or the host application's id.")],
) -> None:
    """Show a user, and the prompts that their next calls get."""
    from voice_server.commands import listing, user_records

    found, prompts = running.with_services(lambda settled: user_records.shown(settled, who))
    print(*listing.fields(found), sep="\n")
    for one in prompts:
        print(
            f"\n── with {one.agent_id}, {one.version}, made {one.created_at:%Y-%m-%d %H:%M:%S}\n\n"
            f"{one.prompt}"
        )


templates = typer.Typer(no_args_is_help=True, help="The templates of the prompts.")
app.add_typer(templates, name="templates")


@templates.command("check")
def templates_check() -> None:
    """Check all templates and agent.toml files below PROMPT_TEMPLATES; exit with 1 when one is wrong."""
    from voice_server.context.layout import tokens
    from voice_server.templates.library import TemplateLibrary

    settled = settings.load()
    limit, count = settled.prompt_token_limit, tokens.counter()
    try:
        library = TemplateLibrary(settled.prompt_templates, limit=limit, count=count, quiet=True)
    except ConfigurationError as error:
        _refuse([str(error)])
    if library.errors:
        _refuse(library.errors.values())
    served = ", ".join(library.agent_ids) or "none"
    print(f"agents with templates of their own: {served}; all others have the default ones")


def _refuse(problems: Iterable[str]) -> NoReturn:
    """Print problems, which may be several lines each, and exit with 1."""
    for line in "\n".join(problems).splitlines():
        _say(f"{_NAME}: {line}")
    sys.exit(1)


@app.command()
def replay(
    event: Annotated[int, typer.Argument(help="The event's number, as `events` shows it.")] = 0,
    failed: Annotated[bool, typer.Option("--failed", help="All that was put aside.")] = False,
) -> None:
    """Ingest a stored event again; with --failed, all events and digests that were put aside."""
    from voice_server.commands import event_log

    if failed:
        print(running.with_services(event_log.replay_failed))
        return
    found = running.with_services(lambda settled: event_log.replay(settled, event))
    print(
        f"event {event} is queued again"
        if found
        else f"there is no event {event}, or its body is no longer kept"
    )
    sys.exit(0 if found else 1)


_FILL_IN = "<secret_id>"  # by whoever installs them

tools = typer.Typer(
    no_args_is_help=True, help="What an agent looks up during a call: install it, hand it out."
)
app.add_typer(tools, name="tools")


@tools.command("schema")
def tools_schema(
    url: Annotated[str, typer.Option(help="Where the platform reaches this server: https://….")],
    secret_id: Annotated[
        str, typer.Option("--secret-id", help="The platform's secret with `Bearer <PLATFORM_TOKEN>`.")
    ] = "",
    only: Annotated[str, typer.Option(help="conversation or memory: a sub-agent gets memory alone.")] = "",
) -> None:
    """Print the ElevenLabs tool configurations: POST each to /v1/convai/tools."""
    import json

    from voice_server.platforms import registry
    from voice_server.tools import catalogue

    chosen = [tool.describe() for tool in catalogue.TOOLS if tool.name.startswith(only)]
    if not chosen:
        names = ", ".join(tool.name for tool in catalogue.TOOLS)
        raise ConfigurationError(f"--only {only}: there are {names}")
    print(
        json.dumps(
            registry.DEFAULT.tool_configurations(chosen, url, secret_id or _FILL_IN),
            indent=2,
            ensure_ascii=False,
        )
    )


@tools.command("analysis")
def tools_analysis(
    agent_name: Annotated[
        str, typer.Option("--agent-name", help="What the agent calls itself: never the caller's name.")
    ] = "",
    llm: Annotated[
        str, typer.Option(help="The platform's model that fills the items; default: the agent's.")
    ] = "",
    summary_language: Annotated[
        str, typer.Option("--summary-language", help="Of the platform's summaries; default: the one spoken.")
    ] = "",
) -> None:
    """Print what has ElevenLabs' analysis find facts and open threads: PATCH it to /v1/convai/agents/<agent
    id>."""
    import json

    from voice_server.digest.analysis.items import items
    from voice_server.platforms import registry

    body = registry.DEFAULT.analysis_settings(items(agent_name), llm=llm, summary_language=summary_language)
    print(json.dumps(body, indent=2, ensure_ascii=False))


@tools.command("token")
def tools_token(
    user: Annotated[str, typer.Option(help="Whose memory: usr_….")],
    agent: Annotated[str, typer.Option(help="With which agent.")],
    days: Annotated[int, typer.Option(min=1, max=3650, help="For how long.")] = 30,
) -> None:
    """Print a token with which a client of /mcp uses the tools for one user with one agent."""
    import time

    from voice_server.commands import user_records
    from voice_server.tools import user_token

    settled = settings.load()
    kept = secrets_file.load(settled.data_dir).get("TOOL_TOKEN_SECRET", "")
    secrets = settled.tool_token_secrets or tuple(kept.split())
    if not secrets:
        raise ConfigurationError("TOOL_TOKEN_SECRET is neither set nor made yet: start scripts/run first")
    running.with_services(lambda settled: user_records.require(settled, user, agent))
    expires = int(time.time()) + days * _DAY
    print(user_token.make(user_token.TokenClaims(user, agent, expires), secrets[0]))


def main() -> None:
    """Run the command; an error of ours is a sentence, not a traceback."""
    try:
        app(prog_name=_NAME)
    except (VoiceServerError, EmbeddedError) as error:
        print(f"voice-server: {error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        if not _is_about_services(error):
            raise
        print(f"voice-server: {_said(error)}", file=sys.stderr)
        sys.exit(2)


def _said(error: Exception) -> str:
    from sqlalchemy.exc import ProgrammingError

    if isinstance(error, ProgrammingError) and getattr(error.orig, "sqlstate", "") in _NOT_THERE:
        return "the database is empty or of an older release: run scripts/migrate"
    return f"Postgres or Redis: {error or type(error).__name__}"


def _is_about_services(error: Exception) -> bool:
    """Ask only when something failed: the libraries take half a second to load."""
    from redis.exceptions import RedisError

    from voice_server.store import session

    return isinstance(error, (*session.ERRORS, RedisError))


if __name__ == "__main__":
    main()
