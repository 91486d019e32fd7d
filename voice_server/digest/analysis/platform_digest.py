"""The digest that a platform's analysis makes of the one by quotes: of each kind what it found, held against what was
said; where nothing of a kind stands, the quotes. Pure.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from voice_server.digest.analysis.evidence import is_said
from voice_server.digest.analysis.report import Closed, Report
from voice_server.digest.analysis.roots import roots
from voice_server.digest.grounding import Known, ground
from voice_server.digest.person_names.given import as_name
from voice_server.digest.transcript import Window
from voice_server.domain.digest import Digest
from voice_server.domain.person import CallerName

_SHARED = 2  # roots, at least, that what settles a thread shares with it
_OF_THREAD = 0.5  # of the thread's roots


def digest(quoted: Digest, report: Report, lines: Window, threads: Mapping[int, str]) -> Digest:
    """The digest of a conversation, `quoted` being the one by quotes. `threads` are the texts, by id, of those that were
    open when it began. Never raises on any report."""
    known = Known({f"T{id_}": text for id_, text in threads.items()})
    findings = dataclasses.replace(report.findings, closed=[*_settled(report.closed, known.threads)])
    ours = ground(findings, lines, known, language=quoted.language)
    theirs = ground(report.own, lines, known, language=quoted.language)
    stands = bool(ours.claims or ours.opened or ours.closed)
    nothing = report.nothing if stands else frozenset()
    claims = ours.claims if ours.claims or "facts" in nothing else quoted.claims
    opened = ours.opened if ours.opened or "threads" in nothing else quoted.open_threads
    return replace(
        quoted,
        source="platform" if stands or theirs.claims or theirs.opened else quoted.source,
        claims=(*claims, *theirs.claims),
        open_threads=(*opened, *theirs.opened),
        closes=tuple(sorted({*quoted.closes, *(int(label[1:]) for label in ours.closed)})),
        relationship=ours.relationship,
        language=ours.language,
        caller_name=_named(report, lines) or quoted.caller_name,
        metadata=dict(report.metadata),
    )


def _named(report: Report, lines: Window) -> CallerName | None:
    name = next((as_name(one) for one in report.names if _is_said(one, lines)), "")
    return CallerName(name, source="platform") if name else None


def _is_said(name: str, lines: Window) -> bool:
    return is_said(name, (line.text for line in lines))


def _settled(closed: Iterable[Closed], threads: Mapping[str, str]) -> Iterator[str]:
    """Labels of the threads that are meant: those of which at least half the words come up again."""
    about = {label: roots(text) for label, text in threads.items()}
    for one in closed:
        told = roots(one.text, one.quoted)
        shared = {label: len(told & words) for label, words in about.items()}
        best = max(shared, key=lambda label: shared[label] / max(1, len(about[label])), default="")
        if best and shared[best] >= max(_SHARED, _OF_THREAD * len(about[best])):
            yield best
