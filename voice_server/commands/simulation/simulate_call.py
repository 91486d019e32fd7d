"""A phone call, or a dialogue, played against the running server as the platform would."""

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import httpx2
import msgspec
from msgspec import Struct

from voice_server.commands import secrets_file
from voice_server.commands.simulation import dialogue
from voice_server.commands.simulation.dialogue import Dialogue, Turn, read_turns
from voice_server.commands.simulation.simulated_platform import (
    AGENTS_NUMBER,
    Answer,
    EndedCall,
    Platform,
    Request,
    Target,
    new_call,
    version,
    without_conversation,
)
from voice_server.domain.addresses.address import is_withheld, normalise
from voice_server.errors import ConfigurationError, ParseError
from voice_server.platforms import registry
from voice_server.settings import Settings

_CALLER = "+14155550101"
_FIRST_YEAR = 2015  # what is older is no call to the server
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,4})?")
_LINES_KEPT = 500


class Script(Struct, frozen=True):
    """What to play. `history` is the file of lines typed in earlier calls."""

    caller: str = ""
    agent: str = "agent_demo"
    file: Path | None = None
    payload: Path | None = None
    play: str = ""
    on: str = ""
    language: str = ""
    summary: str = ""
    history: Path | None = None


def target(settings: Settings, url: str) -> Target:
    """Take the secrets from the environment, else from the server's start. Raises ConfigurationError without
    any."""
    kept = {
        **secrets_file.load(settings.data_dir),
        **{name: value for name, value in os.environ.items() if value},
    }
    try:
        token, secret = kept["PLATFORM_TOKEN"], kept["ELEVENLABS_WEBHOOK_SECRET"]
    except KeyError as missing:
        raise ConfigurationError(
            f"{missing.args[0]} is neither set nor in {secrets_file.path_in(settings.data_dir)}: "
            "start scripts/run first"
        ) from None
    url = url.rstrip("/") or settings.local_url
    return Target(
        url, token.split(",")[0], secret.split(",")[0], settings.default_timezone, settings.default_region
    )


def listing() -> Iterator[str]:
    for name, sample in dialogue.samples().items():
        calls = "1 call" if len(sample.calls) == 1 else f"{len(sample.calls)} calls"
        yield f"{name:<12}{sample.language}, {calls:<9}{sample.title}"


def run(server: Target, script: Script) -> int:
    try:
        with httpx2.Client(base_url=server.url, timeout=30) as client:
            return play(Platform(client, server), script)
    except httpx2.TransportError as error:
        raise ConfigurationError(
            f"{server.url} does not answer ({error}): start it with scripts/run"
        ) from None


def play(platform: Platform, script: Script) -> int:
    """Return the exit code. Raises ConfigurationError."""
    _require_one_source(script)
    if script.payload:
        return _payload(platform, script.payload)
    if script.play:
        return _dialogue(platform, script, dialogue.read(script.play))
    return _call(platform, script)


def _require_one_source(script: Script) -> None:
    sources = {"--file": script.file, "--payload": script.payload, "--play": script.play}
    given = [name for name, value in sources.items() if value]
    if len(given) > 1:
        raise ConfigurationError(f"{given[0]} and {given[1]} do not go together: each is a conversation")
    details = {"--on": script.on, "--language": script.language, "--summary": script.summary}
    told = [name for name, value in details.items() if value]
    if told and (script.payload or script.play):
        raise ConfigurationError(f"{told[0]} does not go with {given[0]}, which has its own")


def _call(platform: Platform, script: Script) -> int:
    began = beginning(script.on, platform.now()) if script.on else None
    language = _language(script.language)
    said = None if script.file is None else _file_turns(script.file)
    request = new_call(_caller(script.caller, platform.target.region), script.agent)
    before = platform.ask(request)
    _show("The agent is told", before)
    turns = _turns(script) if said is None else said
    if not turns:
        print("Nothing was said; the call is not reported.")
        return 0
    print()
    if not platform.report_call(request, before, EndedCall(turns, began, language, script.summary)):
        return 1
    return _show_next(_next_prompt(platform, request, before), before)


def beginning(on: str, now: datetime) -> datetime:
    """Read 2026-11-20T18:30, in the time zone of `now` unless it names its own, or 2026-11-20 at this time of
    day. Raises ConfigurationError."""
    try:
        began = _moment(on, now)
    except ValueError:
        raise ConfigurationError(f"--on {on} is no date: write 2026-11-20 or 2026-11-20T18:30") from None
    if began.year < _FIRST_YEAR:
        raise ConfigurationError(f"--on {on} is too long ago: the first calls were in {_FIRST_YEAR}")
    if began > now:
        raise ConfigurationError(f"--on {on} is still to come: here it is {now:%Y-%m-%dT%H:%M}")
    return began


def _moment(on: str, now: datetime) -> datetime:
    with contextlib.suppress(ValueError):
        return datetime.combine(date.fromisoformat(on), now.time(), now.tzinfo)
    moment = datetime.fromisoformat(on)
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _language(code: str) -> str:
    if code and not _LANGUAGE.fullmatch(code):
        raise ConfigurationError(f"--language {code} is no language: write its ISO 639 code, as de")
    return code


def _dialogue(platform: Platform, script: Script, played: Dialogue) -> int:
    """Play each call as soon as the prompt knows the one before it."""
    caller = _caller(script.caller or played.caller, platform.target.region)
    first = platform.ask(without_conversation(new_call(caller, script.agent)))
    print(f"── {played.title}")
    latest: Answer | None = first
    today = played.counted_from(platform.now())
    for call in played.calls:
        ended = EndedCall(call.turns, call.began(today), played.language, call.summary)
        latest = _played(platform, new_call(caller, script.agent), ended)
        if latest is None:
            return 1
    return _show_next(latest, first)


def _played(platform: Platform, request: Request, call: EndedCall) -> Answer | None:
    before = platform.ask(request)
    print(f"\n── {call.began:%A %d %B %Y, %H:%M}")
    for turn in call.turns:
        print(f"  {'agent' if turn.role == 'agent' else 'caller'}: {turn.text}")
    if not platform.report_call(request, before, call):
        return None
    return _next_prompt(platform, request, before)


def _payload(platform: Platform, path: Path) -> int:
    body = _read(path)
    _require_event(path, body)
    request = _caller_of(body)
    before = platform.ask(request) if request else {}
    _show("The agent is told", before)
    if not platform.report(body):
        return 1
    return _show_next(_next_prompt(platform, request, before), before) if request else 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None


def _require_event(path: Path, body: bytes) -> None:
    """Refuse here what the server would store, whatever it is."""
    try:
        event = registry.DEFAULT.parse_post_call(body, "US")
    except ParseError as error:
        raise ConfigurationError(f"{path} is no post-call event: {error}") from None
    if event is None and b'"post_call_audio"' not in body:
        raise ConfigurationError(
            f"{path} is no post-call event: its `type` is none of post_call_transcription, post_call_audio "
            "and call_initiation_failure"
        )


def _caller_of(body: bytes) -> Request:
    """Leave out the conversation: asking leaves no trace."""
    try:
        data = msgspec.json.decode(body).get("data") or {}
        number = ((data.get("metadata") or {}).get("phone_call") or {}).get("external_number", "")
        return {"caller_id": number, "agent_id": data["agent_id"]} if number else {}
    except (msgspec.DecodeError, AttributeError, KeyError):
        return {}


def _caller(number: str, region: str) -> str:
    """Raise ConfigurationError for what the server would take for a caller who hides, and for the agent's own
    number."""
    address = normalise(number, region)
    if number and not is_withheld(number) and address is None:
        raise ConfigurationError(
            f"--from {number} is no phone number: write it with its country, as {_CALLER}; "
            "--from anonymous is a caller who hides"
        )
    if address == normalise(AGENTS_NUMBER):
        raise ConfigurationError(f"--from {number} is the agent's own number: call it from another one")
    return number or _CALLER


def _file_turns(path: Path) -> list[Turn]:
    return list(read_turns(_read(path).decode(errors="replace").splitlines()))


def _turns(script: Script) -> list[Turn]:
    if not sys.stdin.isatty():
        return list(read_turns(sys.stdin))
    print("Speak as the caller; begin a line with `agent:` for the agent. An empty line hangs up.\n")
    with _line_editing(script.history):
        return list(read_turns(_typed()))


def _typed() -> Iterator[str]:
    while True:
        try:
            line = input("> ")
        except EOFError:
            return
        if not line.strip():
            return
        yield line


@contextlib.contextmanager
def _line_editing(history: Path | None) -> Iterator[None]:
    """Import readline only now: it prepares the terminal at once."""
    try:
        import readline  # noqa: PLC0415 (it prepares the terminal)
    except ImportError:
        history = None
    if history is None:
        yield
        return
    readline.set_history_length(_LINES_KEPT)
    with contextlib.suppress(OSError):  # there is none yet
        readline.read_history_file(history)
    yield
    with contextlib.suppress(OSError):  # a server elsewhere has no folder of data here
        readline.write_history_file(history)


def _next_prompt(platform: Platform, request: Request, before: Answer) -> Answer | None:
    """Wait, but not for a caller who hides: they are told the same."""
    return before if _is_hidden(before) else platform.next_prompt(request, before)


def _show_next(after: Answer | None, before: Answer) -> int:
    if after is None:
        return 1
    if _is_hidden(before):
        print(
            "── A caller without a number has no memory: the call is recorded, and the next one starts anew"
        )
    else:
        _show("Next time the agent is told", after, set(registry.DEFAULT.told(before).splitlines()))
    return 0


def _is_hidden(answer: Answer) -> bool:
    return answer.get("user_id") == registry.DEFAULT.anonymous


def _show(title: str, answer: Answer, known: set[str] | None = None) -> None:
    print(f"── {title} ({answer.get('user_id', '?')}, {version(answer)})")
    for line in registry.DEFAULT.told(answer).splitlines():
        print(f"{'+' if known is not None and line and line not in known else ' '} {line}")
    print()
