"""Secrets said aloud give way to marks (`[card number]`, `[PIN]`) before anything is kept, indexed or sent to
a model. Pure.

    turns ── scan (words, rows of digits) ── who announced what, over turns ──→ spans
    spans ── the same values elsewhere ──→ text

A number is a secret when either side announced it (“What's your PIN?” “Four seven one one”), or when its
check digits make it a card's or an account's. What is announced as something else, or counts something,
stays.
"""

from collections.abc import Sequence

from msgspec import Struct

from voice_server.digest.secrets.announcements.announcement import STAYS, Announced, find_announced
from voice_server.digest.secrets.announcements.refusals import find_unwanted
from voice_server.digest.secrets.findings import Findings, KnownSecret, Scans, Secrets, Span, Turn
from voice_server.digest.secrets.lexicon import KINDS, Kind, lexicon
from voice_server.digest.secrets.payment.accounts import find_accounts
from voice_server.digest.secrets.payment.cards import find_cards
from voice_server.digest.secrets.repetitions import find_again
from voice_server.digest.secrets.scan import Scan, read
from voice_server.digest.secrets.situations.groups import find_groups
from voice_server.digest.secrets.situations.numbers import find_situated
from voice_server.digest.secrets.text import fold

_TIMES = 5  # readings until nothing changes
_SHORTEST = 3  # digits of a number that tells something


class Redaction(Struct, frozen=True):
    """Texts in the order of the turns, and the secrets known by now."""

    texts: tuple[str, ...]
    known: Secrets


def says_number(text: str) -> bool:
    """Tell whether digits stand in a row, typed or spoken, of whatever it is the number."""
    return bool(numbers_said(text))


def numbers_said(text: str) -> frozenset[str]:
    """Return the digits of each such row."""
    runs = Scans(lexicon()).of(text, answers=True).runs
    return frozenset(run.digits for run in runs if len(run.digits) >= _SHORTEST)


def redact(turns: Sequence[Turn], known: Sequence[KnownSecret] = ()) -> Redaction:
    """Mask the secrets of a conversation. Doing it again changes nothing."""
    scans = Scans(lexicon())
    for _ in range(_TIMES):
        found = _redact_once(turns, known, scans)
        known = found.known
        if found.texts == tuple(turn.text for turn in turns):
            break
        turns = [Turn(turn.speaker, text) for turn, text in zip(turns, found.texts, strict=True)]
    return Redaction(tuple(turn.text for turn in turns), found.known)


def _redact_once(turns: Sequence[Turn], known: Sequence[KnownSecret], scans: Scans) -> Redaction:
    findings = Findings(turns, known, scans)
    find_announced(findings, scans)
    find_unwanted(findings, scans)
    find_situated(findings, scans)
    find_groups(findings, scans)
    find_cards(findings)
    find_accounts(findings)
    find_again(findings)
    found = zip(turns, findings.scans, findings.spans, strict=True)
    texts = tuple(_without(turn.text, one, spans) for turn, one, spans in found)
    return Redaction(texts, findings.known)


def redacted(text: str, known: Sequence[KnownSecret] = (), *, stays: bool = False) -> str:
    """Mask the secrets of one text, and those known from its conversation. `stays`: its number was called
    something else."""
    asked = [Turn("agent", "Order number?")] if stays else []
    return redact([*asked, Turn("user", text)], known).texts[-1]


def announced_by(name: str) -> Announced | None:
    """Return what a field's name, in words, announces."""
    units = read(fold(name), lexicon()).units
    said = [STAYS if unit.has("stay") else unit.meaning.announces for unit in units]
    return next((kind for kind in said if kind), None)


def placeholder(kind: Kind) -> str:
    return f"[{kind}]"


def is_redacted(text: str) -> bool:
    return any(placeholder(kind) in text for kind in KINDS)


def _without(text: str, one: Scan, spans: Sequence[Span]) -> str:
    """Where spans overlap, the longest says what they are."""
    pieces, end = [], 0
    for span in _merged(spans):
        first, last = one.folded.place(span.start), one.folded.place(span.end - 1) + 1
        pieces += [text[end:first], placeholder(span.kind)]
        end = last
    return "".join([*pieces, text[end:]])


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            before = merged[-1]
            longer = max(before, span, key=lambda each: each.end - each.start)
            merged[-1] = Span(before.start, max(before.end, span.end), longer.kind)
        else:
            merged.append(span)
    return merged
