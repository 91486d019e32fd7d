"""A phone call played against the running server, exactly as the platform would: pre-call request,
conversation, signed post-call webhook. Shows what the agent was told, and what it will be told next time.
"""

import os
import secrets
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import msgspec
from msgspec import Struct

from voice_server import secrets_file
from voice_server.errors import ConfigurationError, ParseError
from voice_server.settings import Settings
from voice_server.webhooks.paths import POST_CALL, PRE_CALL
from voice_server.webhooks.platforms.elevenlabs import post_call as elevenlabs_post_call
from voice_server.webhooks.platforms.elevenlabs import pre_call as elevenlabs
from voice_server.webhooks.signature import sign

_SECONDS_PER_TURN = 6
_PATIENCE = 15.0  # seconds for the next prompt
_AGENT_MARKS = ("agent:", "a:")
_CALLER_MARKS = ("caller:", "user:", "c:", "u:")


class Target(Struct, frozen=True):
    """The server and the secrets it shares with the platform."""

    url: str
    token: str
    secret: str


class Script(Struct, frozen=True):
    """The call to play: who calls whom, and where what is said comes from."""

    caller: str
    agent: str
    file: Path | None = None
    payload: Path | None = None
    summary: str = ""


class Turn(Struct, frozen=True):
    """One thing said."""

    role: str
    text: str


def target(settings: Settings, url: str) -> Target:
    """The running server: the environment's secrets, else those its start made. Raises ConfigurationError without any."""
    kept = {
        **secrets_file.load(settings.data_dir),
        **{name: value for name, value in os.environ.items() if value},
    }
    try:
        token, secret = kept["PLATFORM_TOKEN"], kept["ELEVENLABS_WEBHOOK_SECRET"]
    except KeyError as missing:
        raise ConfigurationError(
            f"{missing.args[0]} is neither set nor in {secrets_file.path_in(settings.data_dir)}: start scripts/run first"
        ) from None
    return Target(url.rstrip("/") or settings.local_url, token.split(",")[0], secret.split(",")[0])


def run(server: Target, script: Script) -> int:
    """Play the call; the exit code."""
    try:
        with httpx2.Client(base_url=server.url, timeout=30) as client:
            return _payload(client, server, script) if script.payload else _call(client, server, script)
    except httpx2.TransportError as error:
        raise ConfigurationError(
            f"{server.url} does not answer ({error}): start it with scripts/run"
        ) from None


def read_turns(lines: Iterable[str]) -> Iterator[Turn]:
    """`agent: …` is said by the agent, anything else by the caller; an empty line and `#` say nothing."""
    for line in lines:
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        mark = next((one for one in (*_AGENT_MARKS, *_CALLER_MARKS) if text.lower().startswith(one)), "")
        said = text[len(mark) :].strip()
        if said:
            yield Turn("agent" if mark in _AGENT_MARKS else "user", said)


def _call(client: httpx2.Client, server: Target, script: Script) -> int:
    conversation_id = f"conv_sim_{secrets.token_hex(12)}"
    request = {
        "caller_id": script.caller,
        "called_number": "+14155550199",
        "agent_id": script.agent,
        "call_sid": f"CA{secrets.token_hex(16)}",
        "conversation_id": conversation_id,
    }
    before = _ask(client, server, request)
    _show("The agent is told", before)
    turns = _turns(script.file)
    if not turns:
        print("Nothing was said; the call is not reported.")
        return 0
    event = _event(request, before, turns, script.summary)
    if not _deliver(client, server, msgspec.json.encode(event)):
        return 1
    return _show_next(
        client, server, {name: request[name] for name in ("caller_id", "called_number", "agent_id")}, before
    )


def _payload(client: httpx2.Client, server: Target, script: Script) -> int:
    """Post a captured payload as it is, signed now."""
    body = _read(script.payload)
    _require_event(script.payload, body)
    request = _caller_of(body)
    before = _ask(client, server, request) if request else {}
    _show("The agent is told", before)
    if not _deliver(client, server, body):
        return 1
    return _show_next(client, server, request, before) if request else 0


def _read(path: Path | None) -> bytes:
    try:
        return path.read_bytes() if path else b""
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None


def _require_event(path: Path | None, body: bytes) -> None:
    """The server stores whatever is signed, to be looked into; here it is a mistake that is better told at once."""
    try:
        event = elevenlabs_post_call.parse_post_call(body)
    except ParseError as error:
        raise ConfigurationError(f"{path} is no post-call event: {error}") from None
    if event is None and b'"post_call_audio"' not in body:
        raise ConfigurationError(
            f"{path} is no post-call event: its `type` is none of post_call_transcription, post_call_audio and "
            "call_initiation_failure"
        )


def _caller_of(body: bytes) -> dict[str, str]:
    """The pre-call request that belongs to a payload, without its conversation: asking leaves no trace."""
    try:
        data = msgspec.json.decode(body).get("data") or {}
        number = ((data.get("metadata") or {}).get("phone_call") or {}).get("external_number", "")
        return {"caller_id": number, "agent_id": data["agent_id"]} if number else {}
    except (msgspec.DecodeError, AttributeError, KeyError):
        return {}


def _turns(file: Path | None) -> list[Turn]:
    if file:
        return list(read_turns(_read(file).decode(errors="replace").splitlines()))
    if sys.stdin.isatty():
        print("Speak as the caller; begin a line with `agent:` for the agent. An empty line hangs up.\n")
        return list(read_turns(_typed()))
    return list(read_turns(sys.stdin))


def _typed() -> Iterator[str]:
    while True:
        try:
            line = input("> ")
        except EOFError:
            return
        if not line.strip():
            return
        yield line


def _ask(client: httpx2.Client, server: Target, request: dict[str, str]) -> dict[str, Any]:
    response = client.post(PRE_CALL, json=request, headers={"authorization": f"Bearer {server.token}"})
    if response.status_code != httpx2.codes.OK:
        raise ConfigurationError(f"the pre-call was answered {response.status_code}: {response.text[:300]}")
    answer: dict[str, Any] = response.json()
    return answer


def _event(
    request: dict[str, str], before: dict[str, Any], turns: list[Turn], summary: str
) -> dict[str, Any]:
    """A post-call event as the platform sends it, for a call that ended just now."""
    now = int(time.time())
    data = {
        "agent_id": request["agent_id"],
        "conversation_id": request["conversation_id"],
        "status": "done",
        "user_id": before.get("user_id"),
        "transcript": [_said(turn, position) for position, turn in enumerate(turns)],
        "metadata": _metadata(request, ended=now, duration=len(turns) * _SECONDS_PER_TURN),
        "analysis": {"call_successful": "success", "transcript_summary": summary} if summary else None,
        "conversation_initiation_client_data": _initiation(request, before),
    }
    return {"type": "post_call_transcription", "event_timestamp": now, "data": data}


def _said(turn: Turn, position: int) -> dict[str, Any]:
    return {
        "role": turn.role,
        "message": turn.text,
        "time_in_call_secs": position * _SECONDS_PER_TURN,
        "tool_calls": [],
        "tool_results": [],
        "interrupted": False,
        "original_message": None,
    }


def _metadata(request: dict[str, str], *, ended: int, duration: int) -> dict[str, Any]:
    phone_call = {
        "type": "twilio",
        "direction": "inbound",
        "agent_number": request["called_number"],
        "external_number": request["caller_id"],
        "call_sid": request["call_sid"],
    }
    return {
        "start_time_unix_secs": ended - duration,
        "call_duration_secs": duration,
        "phone_call": phone_call,
        "termination_reason": "Call ended by remote party",
    }


def _initiation(request: dict[str, str], before: dict[str, Any]) -> dict[str, Any]:
    """What the platform was told before the call, and the variables it adds itself."""
    own = {
        "system__caller_id": request["caller_id"],
        "system__conversation_id": request["conversation_id"],
    }
    return {
        "user_id": before.get("user_id"),
        "dynamic_variables": {**before.get("dynamic_variables", {}), **own},
    }


def _deliver(client: httpx2.Client, server: Target, body: bytes) -> bool:
    """Post the event, signed; whether it was taken."""
    headers = {
        "elevenlabs-signature": sign(body, server.secret, int(time.time())),
        "content-type": "application/json",
    }
    started = time.perf_counter()
    response = client.post(POST_CALL, content=body, headers=headers)
    took = (time.perf_counter() - started) * 1000
    print(f"\n── The call was reported: {response.status_code} in {took:.0f} ms, {response.text[:200]}")
    return response.status_code == httpx2.codes.OK


def _show_next(client: httpx2.Client, server: Target, request: dict[str, str], before: dict[str, Any]) -> int:
    """Wait for the next prompt and show it, new lines marked."""
    if before.get("user_id") == elevenlabs.ANONYMOUS:
        print(
            "── A caller without a number has no memory: the call is recorded, and the next one starts anew"
        )
        return 0
    started = time.monotonic()
    while time.monotonic() - started < _PATIENCE:
        after = _ask(client, server, request)
        if _version(after) != _version(before):
            print(f"── The next prompt was ready after {time.monotonic() - started:.1f} s")
            _show("Next time the agent is told", after, known=set(elevenlabs.told(before).splitlines()))
            return 0
        time.sleep(0.1)
    print(
        f"The prompt did not change within {_PATIENCE:.0f} s (was this event known already? `voice-server events` tells)."
    )
    return 1


def _version(answer: dict[str, Any]) -> str:
    return str(answer.get("dynamic_variables", {}).get("prompt_version", ""))


def _show(title: str, answer: dict[str, Any], known: set[str] | None = None) -> None:
    print(f"── {title} ({answer.get('user_id', '?')}, {_version(answer)})")
    for line in elevenlabs.told(answer).splitlines():
        print(f"{'+' if known is not None and line and line not in known else ' '} {line}")
    print()
