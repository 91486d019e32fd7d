"""An ElevenLabs event without the secrets that were said in the call. Pure.

What people and models wrote is read: transcript, tool calls and results, summaries, collected data, dynamic
variables, the prompt. Ids, numbers, times and who was on the line are left as they are.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from voice_server.digest.secrets.findings import KnownSecret, Turn
from voice_server.digest.secrets.payload import hidden
from voice_server.digest.secrets.redaction import redact
from voice_server.errors import ParseError
from voice_server.platforms.elevenlabs import fields
from voice_server.platforms.elevenlabs.post_call import SPEAKERS, decode

_LEFT = frozenset({"metadata", "conversation_id", "agent_id", "user_id", "full_audio"})
# Of a turn; the rest is what the platform measured.
_WRITTEN = (
    "tool_calls", "tool_results", "reasoning", "rag_retrieval_info", "feedback", "file_input",
    "platform_event",
)  # fmt: skip


def without_secrets(body: bytes) -> bytes:
    """Return the same object when there is no secret in it, or when it is no JSON."""
    try:
        event = decode(body)
    except ParseError:
        return body
    if not isinstance(event, dict) or not isinstance(event.get("data"), dict):
        return body
    data = _redacted(event["data"])
    return body if data == event["data"] else _encode({**event, "data": data})


def _encode(event: Any) -> bytes:
    try:
        return msgspec.json.encode(event)
    except UnicodeEncodeError:  # half an emoji: JSON can write it, UTF-8 cannot
        return json.dumps(event).encode()


def _redacted(data: Mapping[str, Any]) -> dict[str, Any]:
    turns = fields.mappings(data.get("transcript"))
    told, known = _told(turns)
    others = {
        name: value if name in _LEFT or name == "transcript" else hidden(value, known, name)
        for name, value in data.items()
    }
    if not turns:
        return others
    without = iter([_turn(turn, said, known) for turn, said in zip(turns, told, strict=True)])
    transcript = [next(without) if isinstance(turn, dict) else turn for turn in data["transcript"]]
    return {**others, "transcript": transcript}


def _turn(turn: Mapping[str, Any], said: Mapping[str, Any], known: Sequence[KnownSecret]) -> dict[str, Any]:
    written = {name: hidden(turn[name], known, name) for name in _WRITTEN if name in turn}
    return {**turn, **written, **said}


def _told(turns: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], Sequence[KnownSecret]]:
    """Return each turn's texts by field, and the secrets in them. What an interrupted turn was to say, and
    the parts of several voices, are read as other accounts of the same call."""
    told: list[dict[str, Any]] = [{} for _ in turns]
    known: Sequence[KnownSecret] = ()
    for field in ("message", "original_message"):
        if field == "message" or any(isinstance(turn.get(field), str) for turn in turns):
            result = redact([_said(turn, field) for turn in turns], known)
            known = result.known
            for turn, ours, text in zip(turns, told, result.texts, strict=True):
                if isinstance(turn.get(field), str):
                    ours[field] = text
    if any(_parts(turn) for turn in turns):
        known = _tell_parts(turns, told, known)
    return told, known


def _tell_parts(
    turns: Sequence[Mapping[str, Any]], told: Sequence[dict[str, Any]], known: Sequence[KnownSecret]
) -> Sequence[KnownSecret]:
    pieces = [piece for turn in turns for piece in _pieces(turn)]
    result = redact(pieces, known)
    texts = iter(result.texts)
    for turn, ours in zip(turns, told, strict=True):
        own = [next(texts) for _ in _pieces(turn)]
        if _parts(turn):
            parts = [{**part, "text": text} for part, text in zip(_parts(turn), own, strict=True)]
            ours["multivoice_message"] = {**turn["multivoice_message"], "parts": parts}
    return result.known


def _pieces(turn: Mapping[str, Any]) -> Iterator[Turn]:
    speaker = _said(turn, "message").speaker
    if parts := _parts(turn):
        yield from (Turn(speaker, part["text"]) for part in parts)
    else:
        yield _said(turn, "message")


def _parts(turn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    parts = fields.mappings(fields.mapping(turn.get("multivoice_message")).get("parts"))
    return parts if all(isinstance(part.get("text"), str) for part in parts) else []


def _said(turn: Mapping[str, Any], field: str) -> Turn:
    text = turn.get(field)
    written = text if isinstance(text, str) else turn.get("message")
    speaker = SPEAKERS.get(fields.text(turn.get("role")).lower())
    return Turn("user" if speaker == "user" else "agent", written if isinstance(written, str) else "")
