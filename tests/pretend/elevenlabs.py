"""The pretend platform: it calls and signs as ElevenLabs does, with payloads of the documented shape.

The cast: Ada calls often, Grace called once, and there is a number nobody knows.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx2

from voice_server.webhooks.signature import sign

PAYLOADS = Path(__file__).parent.parent / "payloads"
PRE_CALL, POST_CALL = "/webhooks/elevenlabs/pre-call", "/webhooks/elevenlabs/post-call"
ADA, GRACE, NOBODY_KNOWS = "+14155550101", "+442079460123", "+4930901820"
AGENT, AGENTS_NUMBER = "agent_robin", "+14155550199"

Event = dict[str, Any]


def payload(name: str) -> Event:
    loaded: Event = json.loads((PAYLOADS / f"{name}.json").read_text())
    return loaded


def ended_call(  # noqa: PLR0913 (what a call is made of)
    conversation: str,
    said: Sequence[str] = ("agent: Hello!", "user: I need the recipe for the plum cake."),
    *,
    ended: float,
    caller: str = ADA,
    agent: str = AGENT,
    summary: str | None = None,
    user_id: str | None = None,
    duration: int = 60,
    prompt_version: str | None = None,
) -> Event:
    """A post-call event for a call that ended at `ended`; `said` as `role: text`."""
    start = int(ended) - duration
    turns = [line.partition(": ") for line in said]
    return {
        "type": "post_call_transcription",
        "event_timestamp": int(ended),
        "data": {
            "agent_id": agent,
            "conversation_id": conversation,
            "status": "done",
            "user_id": user_id,
            "transcript": [
                {
                    "role": role,
                    "message": text,
                    "time_in_call_secs": second,
                    "tool_calls": [],
                    "tool_results": [],
                }
                for second, (role, _, text) in enumerate(turns)
            ],
            "metadata": {
                "start_time_unix_secs": start,
                "call_duration_secs": duration,
                "phone_call": {
                    "type": "twilio",
                    "direction": "inbound",
                    "agent_number": AGENTS_NUMBER,
                    "external_number": caller,
                },
                "main_language": "en",
            },
            "analysis": {"call_successful": "success", "transcript_summary": summary} if summary else None,
            "conversation_initiation_client_data": {
                "user_id": user_id,
                "dynamic_variables": {"prompt_version": prompt_version, "system__caller_id": caller},
            },
        },
    }


class Platform:
    def __init__(
        self,
        client: httpx2.Client,
        token: str,
        secret: str,
        clock: Callable[[], float],
        metrics_token: str = "",
    ) -> None:
        self.client = client
        self.token = token
        self.secret = secret
        self.clock = clock
        self.metrics_token = metrics_token

    def pre_call(
        self, caller: str = ADA, *, agent: str = AGENT, conversation: str | None = None, **more: Any
    ) -> Any:
        """Ask who is calling; the answer's JSON."""
        request = {
            "caller_id": caller,
            "called_number": AGENTS_NUMBER,
            "agent_id": agent,
            "call_sid": "CA1",
            **more,
        }
        if conversation:
            request["conversation_id"] = conversation
        response = self.post_pre_call(json.dumps(request).encode())
        assert response.status_code == httpx2.codes.OK, response.text
        return response.json()

    def post_pre_call(self, body: bytes, token: str | None = None) -> httpx2.Response:
        """Post any body to the pre-call webhook."""
        authorization = f"Bearer {self.token if token is None else token}"
        return self.client.post(PRE_CALL, content=body, headers={"authorization": authorization})

    def told(self, caller: str = ADA, *, agent: str = AGENT, conversation: str | None = None) -> str:
        """What the agent would be told."""
        return prompt_of(self.pre_call(caller, agent=agent, conversation=conversation))

    def post_call(self, event: Event | bytes) -> httpx2.Response:
        """Report an ended call, signed now."""
        body = event if isinstance(event, bytes) else json.dumps(event, ensure_ascii=False).encode()
        signature = sign(body, self.secret, int(self.clock()))
        return self.client.post(POST_CALL, content=body, headers={"elevenlabs-signature": signature})

    def post_signed(self, body: bytes, signature: str | None) -> httpx2.Response:
        """Post any body to the post-call webhook, under any signature."""
        headers = {} if signature is None else {"elevenlabs-signature": signature}
        return self.client.post(POST_CALL, content=body, headers=headers)

    def counted(self, metric: str, outcome: str) -> int:
        """What /metrics shows, as `voice_<metric>_total{outcome="<outcome>"}`."""
        headers = {"authorization": f"Bearer {self.metrics_token}"}
        start = f'voice_{metric}_total{{outcome="{outcome}"}} '
        lines = self.client.get("/metrics", headers=headers).text.splitlines()
        return int(float(next(line for line in lines if line.startswith(start)).removeprefix(start)))


def prompt_of(answer: Any) -> str:
    """The prompt in an answer, whichever way it is delivered."""
    override = answer.get("conversation_config_override", {}).get("agent", {}).get("prompt", {}).get("prompt")
    return str(override or answer["dynamic_variables"].get("memory", ""))
