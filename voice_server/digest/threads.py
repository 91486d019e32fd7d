"""Open threads: promises, requests, questions and plans that a conversation leaves behind.

Precision before recall: no thread is better than a silly one. Each kind has its module; here they are put
together, and what the same conversation fulfils, withdraws or repeats is taken out.
"""

import re
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from voice_server.context.hygiene import is_suspicious
from voice_server.digest.clauses import is_negated
from voice_server.digest.plans import plan
from voice_server.digest.promises import promise
from voice_server.digest.questions import question
from voice_server.digest.requests import request
from voice_server.digest.sentences import spoken
from voice_server.digest.stems import content_stems
from voice_server.digest.utterance import Utterance
from voice_server.domain.conversation import Message
from voice_server.domain.digest import OpenThread, ThreadKind

_MOST = 5
_SAME = 0.5
_SOON_AFTER = 3  # messages
_FIRST_KINDS: tuple[ThreadKind, ...] = ("promise", "request", "question", "plan")
_WITHDRAWN = re.compile(
    r"\b(?:never ?mind|scratch that|forget (?:it|about it|that)|on second thou?ght|changed my mind|no wait)\b",
    re.IGNORECASE,
)
_DECLINED = re.compile(
    r"""\b(?:no\ need|don't\ bother|not\ necessary|don't\ have\ to|don't\ need\ to|no\ thanks|no,?\ thank\ you
    |please\ don't|rather\ not)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_DONE = re.compile(
    r"""\b(?:I|we)(?:'ve|\ have)?\ (?:just\ |already\ )?(?:sent|texted|e-?mailed|messaged|forwarded|shared|asked|found\ out
    |ordered|arranged|reminded|checked\ with|spoken\ to|talked\ to)\b|\bhere\ (?:you\ go|it\ is|they\ are)\b
    |\bthere\ you\ go\b|\bit's\ (?:been\ )?(?:sent|done)\b|\ball\ done\b""",
    re.IGNORECASE | re.VERBOSE,
)


class _Candidate(Struct, frozen=True):
    thread: OpenThread
    utterance: Utterance
    stems: frozenset[str]


def open_threads(said: Sequence[Utterance], messages: Sequence[Message]) -> tuple[OpenThread, ...]:
    """What is left open, in the order said, at most five: dated ones first, then by kind, newest first.

    `said` are the sentences of `messages`.
    """
    spoken_messages = spoken(messages)
    found = [c for u in said if (c := _candidate(u, spoken_messages))]
    closing = [u for u in said if _can_close(u)]
    standing = [c for c in found if not _settled(c, closing)]
    kept = sorted(_merged(standing), key=_importance)[:_MOST]
    return tuple(sorted((c.thread for c in kept), key=lambda t: t.positions))


def _candidate(utterance: Utterance, messages: Sequence[Message]) -> _Candidate | None:
    sentence = utterance.sentence
    if is_suspicious(sentence.text):  # an instruction to the model is no matter between the two
        return None
    for kind, text in _readings(utterance, messages):
        if text is not None and not is_suspicious(text):
            due = utterance.due
            thread = OpenThread(kind, sentence.said_by, text, utterance.said_on, (sentence.position,), due)
            return _Candidate(thread, utterance, frozenset(content_stems(sentence.text)))
    return None


def _readings(utterance: Utterance, messages: Sequence[Message]) -> Sequence[tuple[ThreadKind, str | None]]:
    return (
        ("request", request(utterance)),
        ("promise", promise(utterance)),
        ("plan", plan(utterance)),
        ("question", question(utterance, messages)),
    )


def _can_close(utterance: Utterance) -> bool:
    text = utterance.sentence.text
    return is_negated(text) or any(pattern.search(text) for pattern in (_WITHDRAWN, _DECLINED, _DONE))


def _settled(candidate: _Candidate, closing: Sequence[Utterance]) -> bool:
    """Whether the rest of the conversation fulfils, withdraws or declines it."""
    here = candidate.utterance.sentence
    return any(_settles(candidate, later) for later in closing if later.sentence.index > here.index)


def _settles(candidate: _Candidate, later: Utterance) -> bool:
    here, there = candidate.utterance.sentence, later.sentence
    soon = there.position - here.position <= _SOON_AFTER
    if there.said_by != here.said_by:
        unwanted = _DECLINED.search(there.text) or _WITHDRAWN.search(there.text)
        return soon and candidate.thread.kind == "promise" and unwanted is not None
    if soon and _WITHDRAWN.search(there.text):
        return True
    if candidate.thread.kind == "promise" and _DONE.search(there.text):
        return True
    return is_negated(there.text) and later.due is not None and later.due == candidate.thread.due


def _merged(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    kept: list[_Candidate] = []
    for candidate in candidates:
        twin = next((i for i, other in enumerate(kept) if _same(other, candidate)), None)
        if twin is None:
            kept.append(candidate)
        else:
            kept[twin] = _joined(kept[twin], candidate)
    return kept


def _same(a: _Candidate, b: _Candidate) -> bool:
    """The same matter twice, or a request that the other party promised to meet."""
    shared, either = len(a.stems & b.stems), len(a.stems | b.stems)
    dates_agree = a.thread.due == b.thread.due or not (a.thread.due and b.thread.due)
    return bool(shared) and dates_agree and shared / either >= _SAME


def _joined(first: _Candidate, second: _Candidate) -> _Candidate:
    """The more definite of the two (dated, then the later one, which confirms), with both positions."""
    better, other = (first, second) if first.thread.due and not second.thread.due else (second, first)
    positions = tuple(sorted({*better.thread.positions, *other.thread.positions}))
    return msgspec.structs.replace(better, thread=msgspec.structs.replace(better.thread, positions=positions))


def _importance(candidate: _Candidate) -> tuple[bool, int, int]:
    thread = candidate.thread
    return thread.due is None, _FIRST_KINDS.index(thread.kind), -thread.positions[-1]
