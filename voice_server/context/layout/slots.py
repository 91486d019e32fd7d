"""A prompt cached with slots: the platform's whole answer, already JSON, cut where a value of the moment
goes, so that to serve it is a few concatenations.

    {"type":…"prompt":"…It is ▒PART_OF_DAY▒, ▒TIME▒ on ▒DATE▒…▒day▒…▒redial▒…"}
                                                             └ until midnight:       [TODAY SO FAR]…
                                                               until the next one:   [YESTERDAY]…
                                                               from then on:         nothing

In text a slot is one private-use character, which conversation text never contains (hygiene.neutralise
removes it).
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from voice_server.context.layout import formatting
from voice_server.runtime.timezones import zone

FORMAT = 1  # of CachedPrompt; an entry of another format is a miss
FOREVER = 2**53
_FIRST = 0xE000
_FIRST_CHOICE, _CHOICES = 5, 2

TIME, DATE, PART_OF_DAY, SINCE_LAST, USER_ID = (chr(_FIRST + slot) for slot in range(5))
# The longest each can get, in tokens: what a budget must reserve. (A test walks the clock to prove it.)
WIDEST = {
    TIME: "23:59",
    DATE: "Wednesday 30 September 2026",
    PART_OF_DAY: "afternoon",
    SINCE_LAST: "23 minutes",
    USER_ID: "usr_0123456789abcdefghij",
}
_MARK_TEXT = re.compile("[\ue000-\ue03f]")
_MARK = re.compile(rb"(\xee\x80[\x80-\xbf])")  # the same, as UTF-8

# With their limits in the types the decoder itself refuses an entry that could not be filled.
ValueSlot = Annotated[int, Meta(ge=0, lt=_FIRST_CHOICE)]
Slot = Annotated[int, Meta(ge=0, lt=_FIRST_CHOICE + _CHOICES)]
Piece = bytes | Slot


class Option(Struct, frozen=True, array_like=True):
    """One variant and until when it holds: unix seconds, but of a redial choice 1 for a redial, else 0."""

    until: int
    pieces: list[bytes | ValueSlot]


class CachedPrompt(Struct, frozen=True, array_like=True):
    """The cached prompt. `last_contact` is in unix seconds, 0 for never. `body` and `choices` are literal
    bytes and slot numbers; from `_FIRST_CHOICE` on these name a choice. `choices[0]` goes by the day,
    `choices[1]` by redial."""

    format: int
    version: str
    user_id: str
    timezone: str
    last_contact: int
    recent_calls: list[str]
    body: list[Piece]
    choices: Annotated[list[Annotated[list[Option], Meta(min_length=2)]], Meta(min_length=_CHOICES)]


class Call(Struct, frozen=True):
    """The moment of serving: `now` in unix seconds; `user_id` for a prompt that has none of its own."""

    now: float
    redial: bool = False
    user_id: str = ""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(CachedPrompt)


def pack(prompt: CachedPrompt) -> bytes:
    return _encoder.encode(prompt)


def unpack(entry: bytes) -> CachedPrompt | None:
    """Return None for another format, or garbage."""
    try:
        prompt = _decoder.decode(entry)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return prompt if prompt.format == FORMAT else None


def choice(number: int) -> str:
    return chr(_FIRST + _FIRST_CHOICE + number)


def cut(json: bytes) -> list[Piece]:
    if json.isascii():  # most texts: no slot is
        return [json] if json else []
    pieces = _MARK.split(json)
    return [_slot(piece) if n % 2 else piece for n, piece in enumerate(pieces) if piece]


def escape(text: str) -> bytes:
    return msgspec.json.encode(text)[1:-1]


def fill(prompt: CachedPrompt, call: Call) -> bytes:
    return _filled(prompt.body, _chosen(prompt.choices, _values(prompt, call), call))


def fill_texts(
    texts: Sequence[str], choices: Sequence[Sequence[tuple[int, str]]], prompt: CachedPrompt, call: Call
) -> list[str]:
    """Fill parts of a prompt's text as the model reads it, for people and snapshots."""
    options = [[Option(until, cut(variant.encode())) for until, variant in each] for each in choices]
    values = _chosen(options, [value.encode() for value in _plain_values(prompt, call)], call)
    return [text if text.isascii() else _filled(cut(text.encode()), values).decode() for text in texts]


def widest(text: str) -> str:
    """Put every slot at its longest, for counting."""
    return _MARK_TEXT.sub(lambda mark: WIDEST.get(mark.group(), ""), text)


def _slot(mark: bytes) -> int:
    return ord(mark.decode()) - _FIRST


def _chosen(choices: list[list[Option]], values: list[bytes], call: Call) -> list[bytes]:
    by_day, by_redial = choices[:_CHOICES]
    day = _filled(_holding(by_day, call.now).pieces, values)
    redial = _filled(by_redial[call.redial].pieces, values)
    return [*values, day, redial]


def _filled(pieces: Sequence[Piece], values: list[bytes]) -> bytes:
    return b"".join([piece if isinstance(piece, bytes) else values[piece] for piece in pieces])


def _holding(options: list[Option], now: float) -> Option:
    for option in options:
        if now < option.until:
            return option
    return options[-1]


def _values(prompt: CachedPrompt, call: Call) -> list[bytes]:
    user_id = b"" if prompt.user_id else escape(call.user_id)
    return [*_local(prompt.timezone, int(call.now // 60)), _since(prompt, call), user_id]


def _plain_values(prompt: CachedPrompt, call: Call) -> list[str]:
    local = [value.decode() for value in _local(prompt.timezone, int(call.now // 60))]
    return [*local, _since(prompt, call).decode(), prompt.user_id or call.user_id]


def _since(prompt: CachedPrompt, call: Call) -> bytes:
    return _span(int(call.now - prompt.last_contact) // 60) if prompt.last_contact else b""


@lru_cache(maxsize=4096)
def _span(minutes: int) -> bytes:
    """Take whole minutes, so that a day of calls needs few of them."""
    return formatting.span(max(0, minutes) * 60.0).encode()


@lru_cache(maxsize=1024)
def _local(timezone: str, minute: int) -> tuple[bytes, bytes, bytes]:
    """Take UTC for an unknown zone: a call is answered all the same."""
    moment = datetime.fromtimestamp(minute * 60, zone(timezone) or UTC)
    return (
        formatting.time_of_day(moment).encode(),
        formatting.long_date(moment.date()).encode(),
        formatting.part_of_day(moment).encode(),
    )
