"""ElevenLabs' pre-call request and our answer. Pure.

The fields: docs/explanation/elevenlabs-contract.md, pre-call request.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from voice_server.domain.agent import Agent, VariableValue
from voice_server.domain.event import PreCall
from voice_server.platforms.elevenlabs import fields

ANONYMOUS = "anonymous"  # the user id of a caller who hides


class _PreCallBody(Struct):
    """Fields of any type: a wrong one must not fail the call."""

    agent_id: Any = ""
    caller_id: Any = ""
    called_number: Any = ""
    conversation_id: Any = ""
    call_sid: Any = None


_pre_call_decoder = msgspec.json.Decoder(_PreCallBody)


def parse_pre_call(body: bytes) -> PreCall | None:
    """Return None when the body is no JSON object. WhatsApp and SMS have an empty `call_sid`."""
    try:
        asked = _pre_call_decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return PreCall(
        agent_id=fields.identifier(asked.agent_id),
        caller=fields.text(asked.caller_id),
        called=fields.text(asked.called_number),
        conversation_id=fields.identifier(asked.conversation_id),
        messaging=asked.call_sid == "",
    )


def reply(
    agent: Agent,
    *,
    prompt: str,
    memory: str,
    version: str,
    user_id: str,
    known: bool,
    conversations: int,
    name: str = "",
) -> bytes:
    """Write a complete answer, because a missing variable ends the call
    (docs/explanation/elevenlabs-contract.md, pre-call answer). Without `name` the variable `user_name` has
    the agent's own value."""
    facts: dict[str, VariableValue] = {"caller_known": known, "call_count": conversations}
    if name:
        facts["user_name"] = name
    variables = {name: facts.get(name, value) for name, value in agent.variables.items()}
    answer: dict[str, Any] = {
        "type": "conversation_initiation_client_data",
        "user_id": user_id,
        "dynamic_variables": {**variables, "prompt_version": version},
    }
    if agent.delivery == "variable":
        answer["dynamic_variables"]["memory"] = memory
    else:
        answer["conversation_config_override"] = {"agent": {"prompt": {"prompt": prompt}}}
    return msgspec.json.encode(answer)


def told(answer: Mapping[str, Any]) -> str:
    override = fields.mapping(fields.mapping(answer.get("conversation_config_override")).get("agent"))
    prompt = fields.mapping(override.get("prompt")).get("prompt")
    return str(prompt or fields.mapping(answer.get("dynamic_variables")).get("memory", ""))
