"""Text from a conversation, made unable to act as structure or instruction (docs/explanation/hygiene.md).

It cannot open or close a section, reach the template engine or the platform's `{{variables}}`, pass for a
token of a model's chat template (`<|im_start|>`), hide characters or turn the reading direction; a line
break inside an item becomes a space.
"""

import re
import unicodedata
from collections.abc import Iterator

from voice_server.context.screening import disguise, instructions

_SECTIONS = (
    "RELATIONSHIP", "LAST TIME", "TODAY SO FAR", "YESTERDAY", "OPEN THREADS", "INNER LIFE",
    "LONG-TERM MEMORY",
)  # fmt: skip
# Square brackets and what looks like them, around anything that reads like a marker.
_OPEN, _CLOSE = "[\\[［【〔⁅❲⟦〚]", "[\\]］】〕⁆❳⟧〛]"
_NO_BRACKET = "[^\\[［【〔⁅❲⟦〚\\]］】〕⁆❳⟧〛]"
_MARKER = re.compile(f"{_OPEN} ?([/\\\\∕⁄／]?) ?({_NO_BRACKET}+?) ?{_CLOSE}")
_HALF_MARKER = re.compile(
    f"{_OPEN}(?= ?[/\\\\∕⁄／]? ?(?:{'|'.join(_SECTIONS)})\\b(?!{_NO_BRACKET}*{_CLOSE}))", re.IGNORECASE
)
_ROUND = {**dict.fromkeys(map(ord, "[［【〔⁅❲⟦〚"), "("), **dict.fromkeys(map(ord, "]］】〕⁆❳⟧〛"), ")")}
_REDACTED = frozenset({"PIN", "IBAN"})  # digest.privacy: [PIN]; its other marks are in small letters
_NESTED = 8  # brackets within brackets that are looked at one by one; nobody speaks deeper ones
_BRACES = re.compile(r"\{(?=[{%#])|(?<=[}%#])\}")
# What begins a token of a chat template: <|im_start|>, <｜User｜>, <<SYS>>, </s>, <start_of_turn>. ([INST]
# goes as any marker does; other tags mean nothing to a model.)
_TOKEN = re.compile(
    r"<(?= ?(?:[|｜<]|/ ?<"
    r"|/? ?(?:s|bos|eos|pad|unk|think|system|user|assistant|tool_\w+|function\w*|(?:start|end)_of_\w+) ?>))",
    re.IGNORECASE,
)
# Nothing below finds anything in it: most of what is said in our languages, in a tenth of the time.
_PLAIN = re.compile(r"(?! )[ !-;=-Z\\^-z|~¡§«°·»¿À-ɏ–—‘-”…€]*(?<! )")
_BLANKS = re.compile(r"[^\S\n]+")
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")  # control characters too
# Zero-width characters, bidirectional controls, soft hyphen, tag characters, private use
# (private use is also where the slots of a cached prompt live).
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff\ud800-\udfff]"
)

# Our own markers, and tokens of chat templates.
_IMITATION = re.compile(
    f"{_OPEN} ?[/\\\\∕⁄／]? ?(?:{'|'.join(_SECTIONS)}) ?(?:{_CLOSE}|:|$)|{_TOKEN.pattern}", re.IGNORECASE
)


def is_suspicious(text: str) -> bool:
    """Tell whether a text instructs a model or imitates markup, also in disguise. Ask before anything is kept
    as durable memory: what is flagged is never told."""
    return any(_is_suspicious(reading) for reading in _readings(text))


def is_instruction(text: str) -> bool:
    """Tell whether the words alone instruct a model: imitated markup is told, as `neutralise` leaves it."""
    return any(instructions.is_instruction(instructions.spelled(reading)) for reading in _readings(text))


def is_order(text: str) -> bool:
    """Tell whether a note says what to do, or what somebody may have, rather than how somebody lives; also in
    disguise."""
    return any(instructions.is_order(instructions.spelled(reading)) for reading in _readings(text))


def _readings(text: str) -> Iterator[str]:
    plain = text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    # what is printable has no other blanks than spaces
    yield plain if plain.isprintable() and "  " not in plain else _BLANKS.sub(" ", plain)
    yield from disguise.readings(plain)


def _is_suspicious(text: str) -> bool:
    return _IMITATION.search(text) is not None or instructions.is_suspicious(instructions.spelled(text))


def neutralise(text: str) -> str:
    """Return `text` on one line, unable to act on the prompt. Idempotent."""
    if _PLAIN.fullmatch(text) and "  " not in text:
        return text
    visible = _INVISIBLE.sub("", text)
    flat = _SPACE.sub(" ", visible).strip()
    return _apart(_unmarked(flat))


def _unmarked(text: str) -> str:
    """In `[[LAST TIME]]` the outer pair becomes a marker once the inner is none."""
    for _ in range(_NESTED):
        without = _HALF_MARKER.sub("(", _MARKER.sub(_unmark, text))
        if without == text:
            return text
        text = without
    return text.translate(_ROUND)


def _unmark(match: re.Match[str]) -> str:
    slash, name = match.groups()
    return f"({slash}{name})" if slash or _reads_like_marker(name) else match.group()


def _reads_like_marker(name: str) -> bool:
    """Tell whether it reads like a marker: anything in capitals does, for an imitation need not be exact to
    work; the mask of a secret does not."""
    if name in _REDACTED:
        return False
    plain = re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", name)).strip()
    known = {re.sub(r"\W+", " ", section) for section in _SECTIONS}
    return plain.upper() in known or (len(plain) > 1 and plain == plain.upper() and plain != plain.lower())


def _apart(text: str) -> str:
    """Part `{{`, `{%`, `{#` and their ends by a space; `<` of a token becomes a quotation mark."""
    return _TOKEN.sub("‹", _BRACES.sub(lambda brace: "{ " if brace.group() == "{" else " }", text))
