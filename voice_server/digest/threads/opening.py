"""Open threads: the promises, requests, plans and questions that a conversation leaves behind.

remarks → candidates → without those that the same conversation settles, each matter once, as it stands at its end
"""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from voice_server.digest.threads import quoting
from voice_server.digest.threads.candidates import Candidate, candidates
from voice_server.digest.threads.due import due_day
from voice_server.digest.threads.phrases import phrases_of
from voice_server.digest.threads.settling import is_settled
from voice_server.digest.threads.talk import Remark, Talk
from voice_server.domain.conversation import Message
from voice_server.domain.digest import OpenThread, ThreadKind

_MOST = 5
_SAME = 0.5
_SOON = 3  # messages
_FIRST_KINDS: tuple[ThreadKind, ...] = ("promise", "request", "question", "plan", "topic")


def open_threads(messages: Sequence[Message], language: str, timezone: ZoneInfo) -> tuple[OpenThread, ...]:
    """What a conversation leaves open, as quotes in the order said, at most five: dated ones first, then by kind,
    newest first. Nothing in a language (BCP 47) that has no phrases."""
    phrases = phrases_of(language)
    return left_open(Talk(messages, phrases, timezone)) if phrases else ()


def left_open(talk: Talk) -> tuple[OpenThread, ...]:
    """The same of a talk."""
    corrected = _corrected(talk, candidates(talk))
    standing = [one for one in corrected if not is_settled(one, talk)]
    kept = sorted(_merged(_replaced(talk, standing)), key=_importance)[:_MOST]
    return tuple(sorted((one.thread for one in kept), key=lambda thread: thread.positions))


def _corrected(talk: Talk, found: list[Candidate]) -> list[Candidate]:
    """Each candidate with what corrects it soon after: "No, make it ten."""
    for remark in talk.remarks:
        if talk.has(remark, "correction") and not any(remark.place in one.places for one in found):
            before = [i for i, one in enumerate(found) if _may_correct(remark, one)]
            if before:
                found[before[-1]] = _with_correction(talk, found[before[-1]], remark)
    return found


def _may_correct(remark: Remark, one: Candidate) -> bool:
    return (
        one.place < remark.place and remark.position - one.position <= _SOON and one.thread.kind != "question"
    )


def _with_correction(talk: Talk, one: Candidate, remark: Remark) -> Candidate:
    thread = one.thread
    same_speaker = remark.said_by == thread.said_by
    text = (
        quoting.joined(thread.text, quoting.shortened(remark.text))
        if same_speaker or " – " in thread.text
        else quoting.exchange(thread.text.strip('"'), quoting.shortened(remark.text))
    )
    changed = replace(
        thread,
        text=text,
        said_by=thread.said_by if " – " in thread.text else remark.said_by,
        positions=tuple(sorted({*thread.positions, remark.position})),
        due=due_day(remark, talk.phrases) or thread.due,
    )
    return replace(
        one,
        thread=changed,
        places=(*one.places, remark.place),
        times=one.times | talk.phrases.times(remark.plain),
    )


def _replaced(talk: Talk, found: list[Candidate]) -> list[Candidate]:
    """Of an appointment that was moved in between, the latest; it keeps the day when only the hour was changed."""
    kept: list[Candidate] = []
    for one in found:
        old = [other for other in kept if one.appointment and other.appointment and _moved(talk, other, one)]
        if old:
            kept = [other for other in kept if other not in old]
        due = one.thread.due or next((other.thread.due for other in reversed(old) if other.thread.due), None)
        kept.append(replace(one, thread=replace(one.thread, due=due)))
    return kept


def _moved(talk: Talk, old: Candidate, new: Candidate) -> bool:
    between = talk.remarks[old.places[0] : new.place + 1]
    return any(talk.has(remark, "moved", "correction") for remark in between)


def _merged(found: Sequence[Candidate]) -> list[Candidate]:
    kept: list[Candidate] = []
    for one in found:
        twin = next((i for i, other in enumerate(kept) if _same(other, one)), None)
        if twin is None:
            kept.append(one)
        else:
            kept[twin] = _joined(kept[twin], one)
    return kept


def _same(first: Candidate, second: Candidate) -> bool:
    """The same matter twice: said again, or asked by one party and promised by the other right after."""
    if set(first.places) & set(second.places) or _only_confirms(first, second):
        return True
    if first.thread.due and second.thread.due and first.thread.due != second.thread.due:
        return False
    a, b = first.matters | first.times, second.matters | second.times
    shared = len(a & b)
    if shared and shared / len(a | b) >= _SAME:
        return True
    soon = second.thread.positions[0] - first.position <= _SOON - 1
    others = first.thread.said_by != second.thread.said_by or " – " in first.thread.text
    return soon and others and bool(shared) and (bool(first.matters & second.matters) or first.appointment)


def _only_confirms(first: Candidate, second: Candidate) -> bool:
    """“Ten it is.”"""
    near = second.thread.positions[0] - first.position < _SOON
    return second.appointment and not second.matters and second.thread.due is None and near


def _joined(first: Candidate, second: Candidate) -> Candidate:
    """The more definite of the two: what is dated, what says more, in more words, then the later one."""
    better = max(first, second, key=_definiteness)
    positions = tuple(sorted({*first.thread.positions, *second.thread.positions}))
    due = second.thread.due or first.thread.due
    places = tuple(sorted({*first.places, *second.places}))
    return replace(better, places=places, thread=replace(better.thread, positions=positions, due=due))


def _definiteness(one: Candidate) -> tuple[bool, int, int, int]:
    is_dated = one.thread.due is not None and bool(one.times or one.matters)
    return is_dated, len(one.matters), len(one.thread.text), one.place


def _importance(one: Candidate) -> tuple[bool, int, int]:
    thread = one.thread
    return thread.due is None, _FIRST_KINDS.index(thread.kind), -thread.positions[-1]
