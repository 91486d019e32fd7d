"""The digest of a conversation, put together from its windows. These overlap: what two of them found counts
once, and on what is open the latest has the last word."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from voice_server.digest.grounding.grounding import GroundedFindings, PriorKnowledge
from voice_server.digest.grounding.own_words import in_own_words, with_days
from voice_server.digest.person_names.given import as_name
from voice_server.digest.rules.quotes import run
from voice_server.domain.digest import Digest, KeyMoment, ModelUse, OpenThread
from voice_server.domain.fact import Claim
from voice_server.domain.person import CallerName
from voice_server.domain.relationship import RelationshipDelta
from voice_server.domain.thought import NewThought

_MOST_MOMENTS, _MOST_THREADS, _MOST_CLAIMS, _MOST_THOUGHTS = 8, 10, 40, 4
_DELTA = 0.1

_Item = TypeVar("_Item", KeyMoment, OpenThread, Claim, NewThought)
_Quoted = TypeVar("_Quoted", OpenThread, Claim)


def known_by(parts: Sequence[GroundedFindings], known: PriorKnowledge) -> PriorKnowledge:
    """Drop what is closed by now; add the threads that earlier windows opened, as N1, N2…, and the caller's
    name."""
    closed = _closed(parts)
    threads = {**known.threads, **{label: thread.text for label, thread in _opened(parts).items()}}
    return replace(
        known,
        threads={label: text for label, text in threads.items() if label not in closed},
        caller=known.caller or _last([part.caller_name for part in parts]),
    )


def merged(
    parts: Sequence[GroundedFindings], provisional: Digest, threads: Mapping[str, int], use: ModelUse
) -> Digest:
    """Return the model's digest. `threads` are the ids of the known threads by label. What the model left
    empty is the provisional digest's; so are its findings, when the model found none. Where no summary of the
    model's holds, the quotes tell."""
    private = frozenset[int]().union(*(part.private for part in parts))  # a later window may find it so
    closed = _closed(parts)
    opened = _threads(parts, _shown(provisional.open_threads, private), private)
    moments = [one for part in parts for one in part.key_moments if one.position not in private]
    claims = _shown((one for part in parts for one in part.claims), private)
    claims += in_own_words(_shown(provisional.claims, private), claims, _not_kept(parts, "fact"))
    thoughts = [one for part in parts for one in part.thoughts if private.isdisjoint(one.positions)]
    settled = tuple(sorted(threads[label] for label in closed if label in threads))
    name = as_name(_last([part.caller_name for part in parts]))
    if not (moments or opened or claims or thoughts or closed or private):
        moments, opened = list(provisional.key_moments), list(provisional.open_threads)
        claims = list(provisional.claims)
        settled = provisional.closes
    summary = _last([part.summary for part in parts])
    if not summary:
        quotes = [one for one in provisional.key_moments if private.isdisjoint((one.position, *one.also))]
        moments = quotes or moments
        summary = run(quotes) if private else provisional.summary
    return replace(
        provisional,
        source="model",
        summary=summary,
        key_moments=tuple(sorted(_once(moments, _MOST_MOMENTS), key=lambda moment: moment.position)),
        open_threads=_once(opened, _MOST_THREADS),
        language=_last([part.language for part in parts]) or provisional.language,
        closes=settled,
        follow_ups=tuple(one for one in provisional.follow_ups if private.isdisjoint(one.positions)),
        claims=_once(claims, _MOST_CLAIMS),
        thoughts=_once(thoughts, _MOST_THOUGHTS),
        relationship=_summed([part.relationship for part in parts]),
        use=use,
        caller_name=CallerName(name, source="model") if name else provisional.caller_name,
    )


def _shown(quoted: Iterable[_Quoted], private: frozenset[int]) -> list[_Quoted]:
    return [one for one in quoted if private.isdisjoint(one.positions)]


def _threads(
    parts: Sequence[GroundedFindings], quoted: Sequence[OpenThread], private: frozenset[int]
) -> list[OpenThread]:
    closed = _closed(parts)
    found = (one for label, one in _opened(parts).items() if label not in closed)
    opened = with_days(_shown(found, private), quoted)
    return [*opened, *in_own_words(quoted, opened, _not_kept(parts, "thread"))]


def _not_kept(parts: Sequence[GroundedFindings], kind: str) -> frozenset[int]:
    return frozenset[int]().union(*(part.not_kept(kind) for part in parts))


def _opened(parts: Sequence[GroundedFindings]) -> dict[str, OpenThread]:
    opened = [thread for part in parts for thread in part.opened]
    return {f"N{number}": thread for number, thread in enumerate(opened, 1)}


def _closed(parts: Sequence[GroundedFindings]) -> set[str]:
    return {label for part in parts for label in (*part.closed, *part.replaces) if label}


def _once(items: Iterable[_Item], most: int) -> tuple[_Item, ...]:
    """Keep each text as it was found last; of too many the latest."""
    by_text: dict[str, _Item] = {}
    for item in items:
        by_text.pop(item.text.casefold(), None)
        by_text[item.text.casefold()] = item
    return tuple(by_text.values())[-most:]


def _last(texts: Sequence[str]) -> str:
    return next((text for text in reversed(texts) if text), "")


def _summed(deltas: Sequence[RelationshipDelta]) -> RelationshipDelta:
    """One conversation changes no more than a window may."""
    return RelationshipDelta(
        score=min(max(sum(delta.score for delta in deltas), -_DELTA), _DELTA),
        emotional_state=_last([delta.emotional_state for delta in deltas]),
        conflict_state=_last([delta.conflict_state for delta in deltas]),
    )
