"""The digest by quotes with what a platform's analysis found, as far as the talk bears it out. Where nothing
of a kind does, the quotes stay. Pure."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.analysis.evidence import is_said, words_of
from voice_server.digest.analysis.matters import settled
from voice_server.digest.analysis.report import CitedFinding, Report
from voice_server.digest.grounding.findings import Findings, FoundFact, OpenedThread
from voice_server.digest.grounding.grounding import GroundedFindings, PriorKnowledge, ground
from voice_server.digest.grounding.own_words import in_own_words, with_days
from voice_server.digest.grounding.transcript import Line, Window
from voice_server.digest.language.stems import words
from voice_server.digest.person_names.given import as_name
from voice_server.domain.digest import Digest, OpenThread
from voice_server.domain.fact import Claim
from voice_server.domain.person import CallerName

_MOST_CLAIMS, _MOST_THREADS = 20, 10
_NEARLY = 0.85  # of two words for one name: "martha", "marta", not "dora", "nora"


def digest(
    quoted: Digest, report: Report, lines: Window, threads: Mapping[int, str]
) -> tuple[Digest, tuple[str, ...]]:
    """Return the digest by quotes with what the report found, and why some of that is not kept. `threads` are
    the texts, by id, of those open when the conversation began. Never raise on any report."""
    caller = _named(report, lines) or quoted.caller_name
    known = PriorKnowledge(caller=caller.name if caller else "")
    about = ground(report.about, lines, known, language=quoted.language)
    ours, theirs = (_standing(some, lines, known, quoted.language) for some in (report.ours, report.theirs))
    closed = settled(report.closed, threads, [one.text for one in ours.opened], quoted.language)
    stands = bool(ours.facts or ours.opened or closed)
    nothing = report.nothing if stands else frozenset()
    claims = () if ours.facts or "facts" in nothing else quoted.claims
    opened = ours.opened if ours.opened or "threads" in nothing else quoted.open_threads
    if ours.opened:
        opened += (*in_own_words(quoted.open_threads, ours.opened, ours.not_kept),)
    dated = with_days(opened, quoted.open_threads)
    wished = (one for one in theirs.opened if not any(_says_it(said, one) for said in dated))
    made = replace(
        quoted,
        source="platform" if stands or theirs.facts or theirs.opened else quoted.source,
        claims=(*claims, *ours.claims, *theirs.claims),
        open_threads=(*dated, *wished),
        closes=tuple(sorted({*quoted.closes, *closed})),
        relationship=about.relationship,
        language=about.language,
        caller_name=caller,
        metadata=dict(report.metadata),
    )
    return made, (*ours.reasons, *theirs.reasons)


def _says_it(said: OpenThread, thread: OpenThread) -> bool:
    """Tell whether a thread has all words of another of its turn: an operator's “Call back about the boiler”
    is “Could you call me back about the boiler?”."""
    of_one_turn = said.kind == thread.kind and not set(said.positions).isdisjoint(thread.positions)
    return of_one_turn and set(words(thread.text)) <= set(words(said.text))


class _ConfirmedFindings(Struct, frozen=True):
    """`not_kept` are the positions of turns of which a thread is not borne out as it is worded; `reasons` say
    what of all is not, and why."""

    claims: tuple[Claim, ...]
    opened: tuple[OpenThread, ...]
    not_kept: frozenset[int]
    reasons: tuple[str, ...]

    @property
    def facts(self) -> bool:
        """Whether a claim may be told."""
        return any(not claim.flagged for claim in self.claims)


def _standing(
    reported: Iterable[CitedFinding], lines: Window, known: PriorKnowledge, language: str
) -> _ConfirmedFindings:
    shown = {line.position: line for line in lines}
    parts = [_grounded(one, shown, known, language) for one in reported]
    claims = tuple(claim for part in parts for claim in part.claims)
    opened = tuple(thread for part in parts for thread in part.opened)
    not_kept = frozenset[int]().union(*(part.not_kept("thread") for part in parts))
    reasons = tuple(str(one) for part in parts for one in part.left_out)
    return _ConfirmedFindings(claims[:_MOST_CLAIMS], opened[:_MOST_THREADS], not_kept, reasons)


def _grounded(
    reported: CitedFinding, shown: Mapping[int, Line], known: PriorKnowledge, language: str
) -> GroundedFindings:
    """Hold against `wider` what does not stand by the turns it cites."""
    cited = _held(reported.found, reported.cited, shown, known, language)
    if cited.claims or cited.opened or reported.wider == reported.cited:
        return cited
    wider = _held(reported.found, reported.wider, shown, known, language)
    first = shown.get(next(iter(reported.cited), -1))
    opened = (replace(one, said_by=first.said_by, said_on=first.said_on) for one in wider.opened if first)
    return replace(wider, opened=tuple(opened))


def _held(
    found: FoundFact | OpenedThread,
    positions: Sequence[int],
    shown: Mapping[int, Line],
    known: PriorKnowledge,
    language: str,
) -> GroundedFindings:
    lines = tuple(shown[position] for position in positions if position in shown)
    one = dataclasses.replace(found, messages=[*positions])
    facts, opened = ([one], []) if isinstance(one, FoundFact) else ([], [one])
    return ground(Findings(summary="", facts=facts, opened=opened), lines, known, language=language)


def _named(report: Report, lines: Window) -> CallerName | None:
    name = next((as_name(one) for one in report.names if _is_said(one, lines)), "")
    return CallerName(name, source="platform") if name else None


def _is_said(name: str, lines: Window) -> bool:
    """Tell whether it is said outside the agent's greeting, where a name is mostly its own; who reads it may
    spell it better than whoever wrote down what was heard."""
    heard = [line.text for line in lines if line.said_by == "user" or line != lines[0]]
    if is_said(name, heard):
        return True
    said = frozenset[str]().union(*map(words_of, heard))
    return all(any(_is_nearly(word, one) for one in said) for word in words_of(name))


def _is_nearly(word: str, said: str) -> bool:
    return SequenceMatcher(None, word, said).ratio() >= _NEARLY
