"""Quotes as threads store them: in straight marks, short, never cut within a date."""

from itertools import pairwise

from voice_server.digest.dates.dates import spoken_dates
from voice_server.digest.threads.speech.talk import Remark

ANSWERED = '" – '  # between what was asked and the answer
_MOST_WORDS = 30
_MOST_ASKED = 14  # words of what an answer answers
_CLAUSES = ",;:!?–—"  # a full stop within a sentence is an abbreviation’s
_CUT = "…"
_FULL_STOPS = (".", "!", "?", _CUT)


def quote(remark: Remark, start: int = 0) -> str:
    """Quote a remark; of a long one what begins around the offset `start`."""
    return _marked(excerpt(remark, start))


def sentences(*remarks: Remark) -> str:
    """Quote sentences of one speaker, shortened where there are several. Dots stand for others' words between
    two that nobody punctuated."""
    if len(remarks) == 1:
        return quote(remarks[0])
    said = shortened(remarks[0].text)
    for before, remark in pairwise(remarks):
        goes_on = remark.position == before.position or before.text.endswith(_FULL_STOPS)
        said += (" " if goes_on else f" {_CUT} ") + shortened(remark.text)
    return _marked(said)


def together(*texts: str) -> str:
    """Quote texts of one speaker, one after another."""
    return _marked(" ".join(texts))


def exchange(*said: str) -> str:
    """Quote what two say by turns."""
    return " – ".join(map(_marked, said))


def answered(text: str, more: str) -> str:
    """Add the other party's words to a stored quote; in an exchange they take the answer's place."""
    asked, answer, _ = text.partition(ANSWERED)
    return joined(asked, more) if answer else exchange(text.strip('"'), more)


def joined(text: str, more: str) -> str:
    """Let a stored quote, or the answer of an exchange, go on in its speaker's words."""
    room = _MOST_WORDS - len(more.split())
    opening, _, last = text.rpartition(" – ")
    words = last.strip('"').split()
    kept = " ".join(words[: max(room, _MOST_ASKED)])
    said = _marked(f"{kept} {_CUT} {more}")
    return f"{opening} – {said}" if opening.endswith('"') else said


def shortened(text: str, most: int = _MOST_ASKED) -> str:
    words = text.split()
    return text if len(words) <= most else f"{' '.join(words[:most])} {_CUT}"


def excerpt(remark: Remark, start: int = 0, most: int = _MOST_WORDS) -> str:
    """Take at most so many words from the clause around `start` on, cutting no date."""
    text = remark.text
    if len(text.split()) <= most:
        return text
    begin = _clause_start(text, start)
    words = list(_words(text, begin))
    end = _uncut(remark, words[min(most, len(words)) - 1][1])
    return f"{_CUT + ' ' if begin else ''}{text[begin:end].strip()}{' ' + _CUT if end < len(text) else ''}"


def clause(text: str, at: int) -> str:
    ends = [end for mark in _CLAUSES if (end := text.find(mark, at)) >= 0]
    return text[max(text.rfind(mark, 0, at) for mark in _CLAUSES) + 1 : min(ends, default=len(text))]


def from_clause(text: str, at: int) -> tuple[str, str]:
    """Split a text before the clause at an offset."""
    begin = max(text.rfind(mark, 0, at) for mark in _CLAUSES) + 1
    return text[:begin], text[begin:]


def _clause_start(text: str, start: int) -> int:
    clause = max(text.rfind(mark, 0, start) for mark in _CLAUSES) + 1
    before = [begin for begin, _ in _words(text, 0) if begin <= start]
    return max(clause, before[-3] if len(before) > 2 else 0)  # noqa: PLR2004 (two words lead into it)


def _words(text: str, start: int) -> list[tuple[int, int]]:
    spans, at = [], start
    for word in text[start:].split():
        begin = text.index(word, at)
        at = begin + len(word)
        spans.append((begin, at))
    return spans


def _uncut(remark: Remark, end: int) -> int:
    named = spoken_dates(remark.text, remark.said_on)
    return next((day.end for day in named if day.start < end < day.end), end)


def _marked(text: str) -> str:
    return '"' + " ".join(text.replace('"', "'").split()).rstrip(",") + '"'
