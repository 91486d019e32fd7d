"""ElevenLabs Agents: its JSON ⇄ our nouns. Pure.

The platform moves: unknown fields, event types and enum values pass, missing ones get a default.
What each field is: elevenlabs/CONTRACT, sections 1 (pre-call) and 2 (post-call).
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, TypeGuard
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct

from voice_server.domain.address import Address, app_address, normalise
from voice_server.domain.agent import Agent, VariableValue
from voice_server.domain.conversation import Conversation, Message, Role
from voice_server.domain.event import EndedCall, Envelope, EventKind, FailedCall, PreCall
from voice_server.errors import ParseError

PLATFORM = "elevenlabs"
ANONYMOUS = "anonymous"  # the user id of a caller who hides
_OUR_USER = re.compile(r"usr_[0-9a-z]{20}")  # store.users makes them so

_KINDS: Mapping[str, EventKind] = {
    "post_call_transcription": "conversation",
    "post_call_audio": "audio",
    "call_initiation_failure": "failure",
}
# Turns of any other role are no utterances: what a client injected must not be taken for speech.
_SPEAKERS: Mapping[str, Role] = {"user": "user", "agent": "agent", "assistant": "agent"}
_LINES = ("phone_call", "whatsapp", "sms")
_ID_LENGTH = 128  # no id of the platform is longer; what is, is junk
_DIGITS = re.compile(r"[0-9]{1,15}")
_LARGEST = 2**53
_LONGEST_CALL = 10 * 86_400  # seconds
_DAY = 86_400
_EARLIEST = 1_420_070_400  # the year 2015, unix seconds: no platform of this kind is older
_LATEST = 4_102_444_800  # the year 2100, unix seconds: what comes later is nonsense
_SCHEMES = ("tel:", "sip:", "whatsapp:")
_NOTED_LENGTH = 300  # characters of one collected value


# -- pre-call


class _PreCallBody(Struct):
    """The request's fields, of any type: a wrong one must not fail the call."""

    agent_id: Any = ""
    caller_id: Any = ""
    called_number: Any = ""
    conversation_id: Any = ""
    call_sid: Any = None


_pre_call_decoder = msgspec.json.Decoder(_PreCallBody)


def parse_pre_call(body: bytes) -> PreCall | None:
    """The request, or None when the body is no JSON object. WhatsApp and SMS have an empty `call_sid`."""
    try:
        fields = _pre_call_decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return PreCall(
        agent_id=_id(fields.agent_id),
        caller=_text(fields.caller_id),
        called=_text(fields.called_number),
        conversation_id=_id(fields.conversation_id),
        messaging=fields.call_sid == "",
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
) -> bytes:
    """The answer to a pre-call: complete, because a missing variable ends the call (CONTRACT 1.5, 1.6)."""
    facts: dict[str, VariableValue] = {"caller_known": known, "call_count": conversations}
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


# -- post-call: the outside


class _EnvelopeData(Struct):
    conversation_id: Any = ""
    agent_id: Any = ""


class _EnvelopeBody(Struct):
    type: Any = ""
    event_timestamp: Any = 0
    data: Any = None


_envelope_decoder = msgspec.json.Decoder(_EnvelopeBody)


def read_envelope(body: bytes) -> Envelope:
    """The outside of an event; of a body that is no JSON object, just its fingerprint."""
    try:
        outside = _outside(body)
    except ParseError:
        return Envelope(PLATFORM, "unknown", "", _fingerprint(body))
    data = msgspec.convert(_object(outside.data), _EnvelopeData)
    type_, conversation_id = _id(outside.type), _id(data.conversation_id)
    timestamp = _whole(outside.event_timestamp)
    known = type_ and conversation_id and timestamp
    return Envelope(
        platform=PLATFORM,
        kind=_KINDS.get(type_, "unknown"),
        type=type_,
        key=f"{type_}:{conversation_id}:{timestamp}" if known else _fingerprint(body),
        conversation_id=conversation_id,
        agent_id=_id(data.agent_id),
        timestamp=timestamp,
    )


def _outside(body: bytes) -> _EnvelopeBody:
    try:
        return _envelope_decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return msgspec.convert(_object(_decode(body)), _EnvelopeBody)


def _fingerprint(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


# -- post-call: the inside


def parse_post_call(body: bytes, region: str = "US") -> EndedCall | FailedCall | None:
    """What an event says: an ended call, a failed one, or None for a type we know nothing about.

    Raises ParseError when a known type lacks what makes it one.
    """
    event = _object(_decode(body))
    data = _object(event.get("data"))
    kind = _KINDS.get(_text(event.get("type")), "unknown")
    if kind in ("unknown", "audio"):
        return None
    if not _id(data.get("conversation_id")) or not _id(data.get("agent_id")):
        raise ParseError(
            "the event has no data.conversation_id or no data.agent_id: is it really from ElevenLabs?"
        )
    sent_at = _whole(event.get("event_timestamp"))
    return _failed_call(data, sent_at, region) if kind == "failure" else _ended_call(data, sent_at, region)


def failed_conversation(call: FailedCall) -> Conversation:
    """A failed call as a conversation in which nothing was said."""
    return Conversation(
        id=call.conversation_id,
        platform=PLATFORM,
        agent_id=call.agent_id,
        channel="voice",
        started_at=_moment(call.sent_at),
        duration=0,
    )


def is_timezone(name: str) -> bool:
    """Whether the platform named a real IANA time zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _decode(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _decode_leniently(body)


def _decode_leniently(body: bytes) -> Any:
    """Half an emoji, NaN or a byte that is no UTF-8 somewhere in a transcript must not lose the call."""
    try:
        return json.loads(body.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError) as error:
        raise ParseError(f"the event is no JSON: {error}") from None


def _ended_call(data: Mapping[str, Any], sent_at: int, region: str) -> EndedCall:
    metadata, client = _object(data.get("metadata")), _object(data.get("conversation_initiation_client_data"))
    phone, sms = _object(metadata.get("phone_call")), _object(metadata.get("sms"))
    variables = _object(client.get("dynamic_variables"))
    user_id = _text(data.get("user_id")) or _text(client.get("user_id"))
    party = _other_party(metadata, variables)
    return EndedCall(
        conversation=_conversation(data, metadata, variables, sent_at),
        sent_at=sent_at,
        user_id=user_id if _OUR_USER.fullmatch(user_id) else "",
        addresses=tuple(_addresses(user_id, party, region, metadata)),
        own_number=normalise(
            _text(phone.get("agent_number")) or _text(sms.get("agent_phone_number")), region
        ),
        outbound=_is_outbound(metadata),
        timezone=_text(metadata.get("timezone")) or _text(variables.get("system__timezone")),
    )


def _addresses(user_id: str, party: str, region: str, metadata: Mapping[str, Any]) -> Iterator[Address]:
    """The caller's addresses, most certain first (CONTRACT 2.8): what we or the host application
    called them, then the number on the line. Our own user id is none; on outbound calls, what comes
    back of an address that we sent is our own number."""
    echoed = user_id.startswith(_SCHEMES)
    if user_id and not _OUR_USER.fullmatch(user_id) and not (echoed and _is_outbound(metadata)):
        named = normalise(user_id, region) if echoed else app_address(user_id)
        if named:
            yield named
    on_the_line = normalise(party, region, whatsapp=bool(metadata.get("whatsapp")))
    if on_the_line:
        yield on_the_line


def _other_party(metadata: Mapping[str, Any], variables: Mapping[str, Any]) -> str:
    """The other end of the line. On outbound calls `system__caller_id` is our own number."""
    phone, whatsapp, sms = (_object(metadata.get(line)) for line in _LINES)
    return (
        _text(phone.get("external_number"))
        or _text(whatsapp.get("whatsapp_user_id"))
        or _text(sms.get("sms_user_phone_number"))
        or _text(variables.get("system__called_number" if _is_outbound(metadata) else "system__caller_id"))
    )


def _is_outbound(metadata: Mapping[str, Any]) -> bool:
    return any(_text(_object(metadata.get(line)).get("direction")) == "outbound" for line in _LINES)


def _conversation(
    data: Mapping[str, Any], metadata: Mapping[str, Any], variables: Mapping[str, Any], sent_at: int
) -> Conversation:
    duration = min(max(0, _whole(metadata.get("call_duration_secs"))), _LONGEST_CALL)
    started = _start(_whole(metadata.get("start_time_unix_secs")), sent_at, duration)
    analysis = _object(data.get("analysis"))
    return Conversation(
        id=_text(data["conversation_id"]),
        platform=PLATFORM,
        agent_id=_text(data["agent_id"]),
        channel="text" if metadata.get("text_only") is True or _object(metadata.get("sms")) else "voice",
        started_at=_moment(started),
        duration=duration,
        messages=tuple(_messages(data.get("transcript"), started)),
        summary=_text(analysis.get("transcript_summary")),
        language=_text(metadata.get("main_language")),
        prompt_version=_text(variables.get("prompt_version")),
        voicemail=_is_voicemail(metadata),
        collected=_collected(analysis),
    )


def _start(told: int, sent_at: int, duration: int) -> int:
    """When a call began, unix seconds. Milliseconds are taken as such; a time before this product or
    after the event itself is nonsense that would rank above or below every other call for ever."""
    seconds = told // 1000 if told > _LATEST else told
    latest = sent_at + _DAY if sent_at > _EARLIEST else _LATEST
    return seconds if _EARLIEST < seconds < latest else max(0, sent_at - duration)


def _messages(transcript: Any, started: int) -> Iterator[Message]:
    """Utterances and tool turns in order. A tool call and its result are turns of their own, without text (CONTRACT 0.9)."""
    position = 0
    for turn in _objects(transcript):
        said_at = _said_at(turn, started)
        for role, content, tool_name in _parts(turn):
            yield Message(position, role, content, said_at, tool_name)
            position += 1


def _parts(turn: Mapping[str, Any]) -> Iterator[tuple[Role, str, str | None]]:
    speaker = _SPEAKERS.get(_text(turn.get("role")).lower())
    if speaker and (text := _spoken(turn)):
        yield speaker, text, None
    for call in _objects(turn.get("tool_calls")):
        yield "tool_call", _text(call.get("params_as_json")), _text(call.get("tool_name"))
    for result in _objects(turn.get("tool_results")):
        yield "tool_result", _text(result.get("result_value")), _text(result.get("tool_name"))


def _spoken(turn: Mapping[str, Any]) -> str:
    """What was heard: of an interrupted turn `message`, not `original_message`."""
    parts = [
        _text(part.get("text")) for part in _objects(_object(turn.get("multivoice_message")).get("parts"))
    ]
    text = _text(turn.get("message")) or " ".join(parts)
    return text if any(character.isalnum() for character in text) else ""


def _said_at(turn: Mapping[str, Any], started: int) -> datetime:
    milliseconds = _whole(turn.get("created_at_unix_ms"))
    return _moment(milliseconds / 1000 if milliseconds else started + _whole(turn.get("time_in_call_secs")))


def _is_voicemail(metadata: Mapping[str, Any]) -> bool:
    detection = _object(_object(metadata.get("features_usage")).get("voicemail_detection"))
    reason = _text(metadata.get("termination_reason")).lower()
    return detection.get("used") is True or "voicemail" in reason or "answering machine" in reason


def _collected(analysis: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    """The values of the agent's data collection that were found."""
    results = _object(analysis.get("data_collection_results"))
    values = {_text(name): _object(result).get("value") for name, result in results.items()}
    cleaned = {
        name: _text(value)[:_NOTED_LENGTH] if isinstance(value, str) else value
        for name, value in values.items()
    }
    return {name: value for name, value in cleaned.items() if name and _can_be_kept(value)}


def _can_be_kept(value: Any) -> TypeGuard[VariableValue]:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str | int | bool) and value != ""


def _failed_call(data: Mapping[str, Any], sent_at: int, region: str) -> FailedCall:
    body = _object(_object(data.get("metadata")).get("body"))
    number = _text(body.get("To")) or _text(body.get("Called")) or _text(body.get("to_number"))
    return FailedCall(
        conversation_id=_text(data["conversation_id"]),
        agent_id=_text(data["agent_id"]),
        reason=_text(data.get("failure_reason")) or "unknown",
        sent_at=sent_at,
        address=normalise(number, region),
    )


# -- leniently typed fields


def _text(value: Any) -> str:
    """A string field; a number, where a string was documented, is taken as written. Surrogates and NUL
    cannot be stored and go."""
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "ignore").decode().strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _id(value: Any) -> str:
    text = _text(value)
    return text if len(text) <= _ID_LENGTH else ""


def _whole(value: Any) -> int:
    """A whole number; of a string its digits, of anything else 0."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return int(value)
    return 0


def _moment(seconds: float) -> datetime:
    """Unix seconds as UTC; nonsense counts as the beginning of time rather than as an error."""
    try:
        return datetime.fromtimestamp(min(max(0.0, seconds), _LATEST), UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
