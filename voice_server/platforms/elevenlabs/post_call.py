"""ElevenLabs' post-call events in our nouns. Pure.

The fields: docs/explanation/elevenlabs-contract.md, events.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, TypeGuard

import msgspec
from msgspec import Struct

from voice_server.digest.analysis.uses import OURS
from voice_server.digest.person_names.given import as_name
from voice_server.digest.privacy import consent
from voice_server.domain.addresses.address import Address, app_address, normalise
from voice_server.domain.agent import VariableValue
from voice_server.domain.conversation import Conversation, Message, Role
from voice_server.domain.event import EndedCall, Envelope, EventKind, FailedCall, Parties
from voice_server.errors import ParseError
from voice_server.platforms.elevenlabs import fields
from voice_server.runtime.timezones import zone

PLATFORM = "elevenlabs"
_OUR_USER = re.compile(r"usr_[0-9a-z]{20}")  # store.people.users makes them so

_KINDS: Mapping[str, EventKind] = {
    "post_call_transcription": "conversation",
    "post_call_audio": "audio",
    "call_initiation_failure": "failure",
}
# Turns of any other role are no utterances: what a client injected must not be taken for speech.
SPEAKERS: Mapping[str, Role] = {"user": "user", "agent": "agent", "assistant": "agent"}
_LINES = ("phone_call", "whatsapp", "sms")
_LONGEST_CALL = 10 * 86_400  # seconds
_DAY = 86_400
_EARLIEST = 1_420_070_400  # the year 2015, unix seconds: no platform of this kind is older
_SCHEMES = ("tel:", "sip:", "whatsapp:")
_LONGEST_INT = 4000  # digits; Python reads no more than 4300
_MOST_COLLECTED = 200  # items; an agent has a few dozen
_OURS_LENGTH, _COLLECTED_LENGTH = 8000, 2000  # characters of one value: ours list facts, one a line


# -- the outside


class _EnvelopeData(Struct):
    conversation_id: Any = ""
    agent_id: Any = ""
    user_id: Any = ""
    metadata: Any = None
    conversation_initiation_client_data: Any = None


class _EnvelopeBody(Struct):
    type: Any = ""
    event_timestamp: Any = 0
    data: _EnvelopeData | None = None


_envelope_decoder = msgspec.json.Decoder(_EnvelopeBody)  # skips the transcript: a third of reading it


def read_envelope(body: bytes) -> Envelope:
    """Read the outside of an event; of a body that is no JSON object, only its fingerprint."""
    try:
        outside = _outside(body)
    except ParseError:
        return Envelope(PLATFORM, "unknown", "", _fingerprint(body))
    data = outside.data or _EnvelopeData()
    type_, conversation_id = fields.identifier(outside.type), fields.identifier(data.conversation_id)
    timestamp = fields.whole(outside.event_timestamp)
    client = fields.mapping(data.conversation_initiation_client_data)
    user_id = fields.identifier(data.user_id) or fields.identifier(client.get("user_id"))
    known = type_ and conversation_id and timestamp
    return Envelope(
        platform=PLATFORM,
        kind=_KINDS.get(type_, "unknown"),
        type=type_,
        key=f"{type_}:{conversation_id}:{timestamp}" if known else _fingerprint(body),
        conversation_id=conversation_id,
        agent_id=fields.identifier(data.agent_id),
        timestamp=timestamp,
        ended_at=_ended_at(fields.mapping(data.metadata)),
        caller=user_id or _number(fields.mapping(data.metadata)),
        user_id=user_id,
        prompt_version=fields.identifier(
            fields.mapping(client.get("dynamic_variables")).get("prompt_version")
        ),
    )


def _number(metadata: Mapping[str, Any]) -> str:
    return fields.identifier(fields.mapping(metadata.get("phone_call")).get("external_number"))


def _ended_at(metadata: Mapping[str, Any]) -> int:
    started = fields.whole(metadata.get("start_time_unix_secs"))
    return started + fields.whole(metadata.get("call_duration_secs")) if started else 0


def _outside(body: bytes) -> _EnvelopeBody:
    try:
        return _envelope_decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        event = fields.mapping(decode(body))
        data = fields.mapping(event.get("data"))
        names = _EnvelopeData.__struct_fields__
        inside = _EnvelopeData(**{name: data[name] for name in names if name in data})
        return _EnvelopeBody(event.get("type"), event.get("event_timestamp"), inside)


def _fingerprint(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


# -- the inside


def parse_post_call(body: bytes, region: str = "US") -> EndedCall | FailedCall | None:
    """Return None for an unknown type. Raises ParseError when a known type lacks what makes it one."""
    event = fields.mapping(decode(body))
    data = fields.mapping(event.get("data"))
    kind = _KINDS.get(fields.text(event.get("type")), "unknown")
    if kind in ("unknown", "audio"):
        return None
    if not fields.identifier(data.get("conversation_id")) or not fields.identifier(data.get("agent_id")):
        raise ParseError(
            "the event has no data.conversation_id or no data.agent_id: is it really from ElevenLabs?"
        )
    sent_at = fields.whole(event.get("event_timestamp"))
    return _failed_call(data, sent_at, region) if kind == "failure" else _ended_call(data, sent_at, region)


def parties(body: bytes, region: str = "US") -> Parties:
    """Return whose an event seems to be, even if it cannot be ingested. Raises ParseError for no JSON."""
    event = fields.mapping(decode(body))
    data = fields.mapping(event.get("data"))
    if _KINDS.get(fields.text(event.get("type")), "unknown") == "failure":
        address = normalise(_dialled(data), region)
        return Parties("", (address,) if address else ())
    user_id, addresses, _ = _callers(data, region)
    return Parties(user_id, addresses)


def failed_conversation(call: FailedCall) -> Conversation:
    return Conversation(
        id=call.conversation_id,
        platform=PLATFORM,
        agent_id=call.agent_id,
        channel="voice",
        started_at=fields.moment(call.sent_at),
        duration=0,
    )


def decode(body: bytes) -> Any:
    """Read an event's JSON, also where it is not quite JSON. Raises ParseError."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _decode_leniently(body)


def _decode_leniently(body: bytes) -> Any:
    """Do not lose the call to half an emoji, NaN, a number of thousands of digits, a byte order mark or a
    byte that is no UTF-8."""
    try:
        return json.loads(body.decode("utf-8-sig", "replace"), strict=False, parse_int=_int)
    except (ValueError, RecursionError) as error:
        raise ParseError(f"the event is no JSON: {error}") from None


def _int(written: str) -> int | str:
    return int(written) if len(written) <= _LONGEST_INT else written


def _ended_call(data: Mapping[str, Any], sent_at: int, region: str) -> EndedCall:
    metadata, client = (
        fields.mapping(data.get("metadata")),
        fields.mapping(data.get("conversation_initiation_client_data")),
    )
    phone, sms = fields.mapping(metadata.get("phone_call")), fields.mapping(metadata.get("sms"))
    variables = fields.mapping(client.get("dynamic_variables"))
    user_id, addresses, party = _callers(data, region)
    ours = normalise(
        fields.text(phone.get("agent_number")) or fields.text(sms.get("agent_phone_number")), region
    )
    return EndedCall(
        conversation=_conversation(data, metadata, variables, sent_at),
        sent_at=sent_at,
        user_id=user_id,
        addresses=addresses,
        own_number=ours if ours != party else None,  # nobody calls themselves
        outbound=_is_outbound(metadata),
        timezone=_timezone(
            fields.text(metadata.get("timezone")) or fields.text(variables.get("system__timezone"))
        ),
        served=_served(client, variables),
    )


def _callers(data: Mapping[str, Any], region: str) -> tuple[str, tuple[Address, ...], Address | None]:
    """Return our id of the caller (empty when none came back), their addresses, and the other end of the
    line."""
    metadata = fields.mapping(data.get("metadata"))
    client = fields.mapping(data.get("conversation_initiation_client_data"))
    variables = fields.mapping(client.get("dynamic_variables"))
    user_id = fields.text(data.get("user_id")) or fields.text(client.get("user_id"))
    party = normalise(_other_party(metadata, variables), region, whatsapp=bool(metadata.get("whatsapp")))
    addresses = tuple(_addresses(user_id, party, region, metadata))
    return user_id if _OUR_USER.fullmatch(user_id) else "", addresses, party


def _served(client: Mapping[str, Any], variables: Mapping[str, Any]) -> str:
    agent = fields.mapping(fields.mapping(client.get("conversation_config_override")).get("agent"))
    prompt = fields.text(fields.mapping(agent.get("prompt")).get("prompt"))
    return "\n".join(filter(None, (prompt, fields.text(variables.get("memory")))))


def _addresses(
    user_id: str, party: Address | None, region: str, metadata: Mapping[str, Any]
) -> Iterator[Address]:
    """Yield the caller's addresses, most certain first (docs/explanation/elevenlabs-contract.md, finding the
    caller): what we or the host application called them, then the number on the line. Our user id is no
    address; on outbound calls, an address that comes back is our own number."""
    echoed = user_id.startswith(_SCHEMES)
    if user_id and not _OUR_USER.fullmatch(user_id) and not (echoed and _is_outbound(metadata)):
        named = normalise(user_id, region) if echoed else app_address(user_id)
        if named:
            yield named
    if party:
        yield party


def _other_party(metadata: Mapping[str, Any], variables: Mapping[str, Any]) -> str:
    """Mind outbound calls: there `system__caller_id` is our own number."""
    phone, whatsapp, sms = (fields.mapping(metadata.get(line)) for line in _LINES)
    return (
        fields.text(phone.get("external_number"))
        or fields.text(whatsapp.get("whatsapp_user_id"))
        or fields.text(sms.get("sms_user_phone_number"))
        or fields.text(
            variables.get("system__called_number" if _is_outbound(metadata) else "system__caller_id")
        )
    )


def _timezone(name: str) -> str:
    return name if zone(name) else ""


def _is_outbound(metadata: Mapping[str, Any]) -> bool:
    return any(
        fields.text(fields.mapping(metadata.get(line)).get("direction")) == "outbound" for line in _LINES
    )


def _conversation(
    data: Mapping[str, Any], metadata: Mapping[str, Any], variables: Mapping[str, Any], sent_at: int
) -> Conversation:
    duration = min(max(0, fields.whole(metadata.get("call_duration_secs"))), _LONGEST_CALL)
    started = _start(fields.whole(metadata.get("start_time_unix_secs")), sent_at, duration)
    analysis = fields.mapping(data.get("analysis"))
    collected = _collected(analysis)
    return Conversation(
        id=fields.text(data["conversation_id"]),
        platform=PLATFORM,
        agent_id=fields.text(data["agent_id"]),
        channel="text"
        if metadata.get("text_only") is True or fields.mapping(metadata.get("sms"))
        else "voice",
        started_at=fields.moment(started),
        duration=duration,
        messages=tuple(_messages(data.get("transcript"), started)),
        summary=fields.text(analysis.get("transcript_summary")),
        language=fields.text(metadata.get("main_language")),
        prompt_version=fields.identifier(variables.get("prompt_version")),
        voicemail=_is_voicemail(metadata),
        declined=consent.declined(collected, variables),
        collected=collected,
        caller_name=_caller_name(variables),
    )


def _caller_name(variables: Mapping[str, Any]) -> str:
    """Ignore the name where our own answer came back: it may be ours."""
    echoed = fields.identifier(variables.get("prompt_version"))
    return "" if echoed else as_name(variables.get("user_name"))


def _start(told: int, sent_at: int, duration: int) -> int:
    """Return unix seconds, also of milliseconds. A time before this product or after the event is nonsense
    that would rank above or below every other call for ever."""
    seconds = told // 1000 if told > fields.LATEST else told
    latest = sent_at + _DAY if sent_at > _EARLIEST else fields.LATEST
    return seconds if _EARLIEST < seconds < latest else max(0, sent_at - duration)


def _messages(transcript: Any, started: int) -> Iterator[Message]:
    """Give a tool call and its result positions of their own (docs/explanation/elevenlabs-contract.md,
    turns)."""
    position = 0
    for turn in fields.mappings(transcript):
        said_at = _said_at(turn, started)
        for role, content, tool_name in _parts(turn):
            yield Message(position, role, content, said_at, tool_name)
            position += 1


def _parts(turn: Mapping[str, Any]) -> Iterator[tuple[Role, str, str | None]]:
    speaker = SPEAKERS.get(fields.text(turn.get("role")).lower())
    if speaker and (text := _spoken(turn)):
        yield speaker, text, None
    for call in fields.mappings(turn.get("tool_calls")):
        yield "tool_call", fields.text(call.get("params_as_json")), fields.text(call.get("tool_name"))
    for result in fields.mappings(turn.get("tool_results")):
        yield "tool_result", fields.text(result.get("result_value")), fields.text(result.get("tool_name"))


def _spoken(turn: Mapping[str, Any]) -> str:
    """Take what was heard: `message` of an interrupted turn, not `original_message`."""
    parts = [
        fields.text(part.get("text"))
        for part in fields.mappings(fields.mapping(turn.get("multivoice_message")).get("parts"))
    ]
    text = fields.text(turn.get("message")) or " ".join(parts)
    return text if any(character.isalnum() for character in text) else ""


def _said_at(turn: Mapping[str, Any], started: int) -> datetime:
    milliseconds = fields.whole(turn.get("created_at_unix_ms"))
    return fields.moment(
        milliseconds / 1000 if milliseconds else started + fields.whole(turn.get("time_in_call_secs"))
    )


def _is_voicemail(metadata: Mapping[str, Any]) -> bool:
    detection = fields.mapping(fields.mapping(metadata.get("features_usage")).get("voicemail_detection"))
    reason = fields.text(metadata.get("termination_reason")).lower()
    return detection.get("used") is True or "voicemail" in reason or "answering machine" in reason


def _collected(analysis: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    listed = fields.mappings(analysis.get("data_collection_results_list"))  # the same, for who has no mapping
    results = fields.mapping(analysis.get("data_collection_results")) or {
        fields.text(one.get("data_collection_id")): one for one in listed
    }
    values = ((fields.text(name), fields.mapping(result).get("value")) for name, result in results.items())
    cleaned = ((name, _cleaned(name, value)) for name, value in values)
    found = ((name, value) for name, value in cleaned if name and _can_be_kept(value))
    return dict(islice(found, _MOST_COLLECTED))


def _cleaned(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return fields.text(value)[: _OURS_LENGTH if name in OURS else _COLLECTED_LENGTH]


def _can_be_kept(value: Any) -> TypeGuard[VariableValue]:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str | int | bool) and value != ""


def _failed_call(data: Mapping[str, Any], sent_at: int, region: str) -> FailedCall:
    return FailedCall(
        conversation_id=fields.text(data["conversation_id"]),
        agent_id=fields.text(data["agent_id"]),
        reason=fields.text(data.get("failure_reason")) or "unknown",
        sent_at=sent_at,
        address=normalise(_dialled(data), region),
    )


def _dialled(data: Mapping[str, Any]) -> str:
    body = fields.mapping(fields.mapping(data.get("metadata")).get("body"))
    return (
        fields.text(body.get("To")) or fields.text(body.get("Called")) or fields.text(body.get("to_number"))
    )
