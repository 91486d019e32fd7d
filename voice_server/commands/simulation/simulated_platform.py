"""The platform's part in a call, played against a running server."""

import secrets
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx2
import msgspec
from msgspec import Struct

from voice_server.commands.simulation.dialogue import Turn
from voice_server.errors import ConfigurationError
from voice_server.platforms import registry
from voice_server.webhooks.paths import POST_CALL, PRE_CALL
from voice_server.webhooks.signature import sign

AGENTS_NUMBER = "+14155550199"
_SECONDS_PER_TURN = 6
_PATIENCE = 15.0  # seconds for the next prompt
# Seconds until the prompt is asked for again, twice as long each time: every question counts as a pre-call.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0

Answer = dict[str, Any]
Request = dict[str, str]


class Target(Struct, frozen=True):
    """The server, and the secrets it shares with the platform. Numbers of `region` need no country code."""

    url: str
    token: str
    secret: str
    timezone: str = "UTC"
    region: str = "US"


class EndedCall(Struct, frozen=True):
    """A call that is over; it never ends in the future. `language` and `summary` are the platform's."""

    turns: list[Turn]
    began: datetime | None = None  # None: it ended just now
    language: str = ""
    summary: str = ""


class Platform(Struct, frozen=True):
    """Calls the server's webhooks. `clock` gives unix seconds; `say` gets what became of each call."""

    client: httpx2.Client
    target: Target
    clock: Callable[[], float] = time.time
    say: Callable[[str], None] = print

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.clock(), ZoneInfo(self.target.timezone))

    def ask(self, request: Request) -> Answer:
        """Raise ConfigurationError when the pre-call is refused."""
        authorization = f"Bearer {self.target.token}"
        response = self.client.post(PRE_CALL, json=request, headers={"authorization": authorization})
        if response.status_code != httpx2.codes.OK:
            raise ConfigurationError(
                f"the pre-call was answered {response.status_code}: {response.text[:300]}"
            )
        answer: Answer = response.json()
        return answer

    def report(self, body: bytes) -> bool:
        """Post an event, signed now; tell whether it was taken."""
        headers = {
            registry.DEFAULT.signature_header.decode(): sign(body, self.target.secret, int(self.clock())),
            "content-type": "application/json",
        }
        started = time.perf_counter()
        response = self.client.post(POST_CALL, content=body, headers=headers)
        took = (time.perf_counter() - started) * 1000
        self.say(f"── The call was reported: {response.status_code} in {took:.0f} ms, {response.text[:200]}")
        return response.status_code == httpx2.codes.OK

    def report_call(self, request: Request, before: Answer, call: EndedCall) -> bool:
        return self.report(msgspec.json.encode(_event(request, before, call, self.now())))

    def next_prompt(self, request: Request, before: Answer) -> Answer | None:
        """Return None when the prompt stays as `before` for longer than anybody would wait."""
        started, pause = time.monotonic(), _FIRST_PAUSE
        while time.monotonic() - started < _PATIENCE:
            after = self.ask(without_conversation(request))
            if version(after) != version(before):
                self.say(f"── The next prompt was ready after {time.monotonic() - started:.1f} s")
                return after
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        self.say(
            f"The prompt did not change within {_PATIENCE:.0f} s"
            " (was this event known already? `voice-server events` tells)."
        )
        return None


def new_call(caller: str, agent: str) -> Request:
    return {
        "caller_id": caller,
        "called_number": AGENTS_NUMBER,
        "agent_id": agent,
        "call_sid": f"CA{secrets.token_hex(16)}",
        "conversation_id": f"conv_sim_{secrets.token_hex(12)}",
    }


def without_conversation(request: Request) -> Request:
    """Ask the same without a call, which leaves no trace."""
    return {name: value for name, value in request.items() if name not in ("call_sid", "conversation_id")}


def version(answer: Answer) -> str:
    return str(answer.get("dynamic_variables", {}).get("prompt_version", ""))


def _event(request: Request, before: Answer, call: EndedCall, now: datetime) -> dict[str, Any]:
    duration = timedelta(seconds=len(call.turns) * _SECONDS_PER_TURN)
    ended = min(call.began + duration, now) if call.began else now
    data = {
        "agent_id": request["agent_id"],
        "conversation_id": request["conversation_id"],
        "status": "done",
        "user_id": before.get("user_id"),
        "transcript": [_said(turn, position) for position, turn in enumerate(call.turns)],
        "metadata": {
            **_metadata(request, ended=int(ended.timestamp()), duration=int(duration.total_seconds())),
            **({"main_language": call.language} if call.language else {}),
        },
        "analysis": {"call_successful": "success", "transcript_summary": call.summary}
        if call.summary
        else None,
        "conversation_initiation_client_data": _initiation(request, before),
    }
    return {"type": "post_call_transcription", "event_timestamp": int(ended.timestamp()), "data": data}


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


def _metadata(request: Request, *, ended: int, duration: int) -> dict[str, Any]:
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


def _initiation(request: Request, before: Answer) -> dict[str, Any]:
    own = {"system__caller_id": request["caller_id"], "system__conversation_id": request["conversation_id"]}
    return {
        "user_id": before.get("user_id"),
        "dynamic_variables": {**before.get("dynamic_variables", {}), **own},
    }
