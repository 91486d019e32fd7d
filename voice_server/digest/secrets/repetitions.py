"""The same secret again: read back by the agent, handed to a tool, told by a summary."""

import re
from collections.abc import Iterator, Mapping, Sequence

from voice_server.digest.secrets.findings import Findings, KnownSecret, Span
from voice_server.digest.secrets.lexicon import Kind
from voice_server.digest.secrets.payment import checks
from voice_server.digest.secrets.scan import is_counted

_NEIGHBOURS = 4  # turns in which a part of what was said is said again
_SHORTEST = 3  # digits of such a part
_KNOWN = 4  # digits of a value by which it is known again anywhere
_CARD_PART = 6  # the same, as a part of a card number
_LONG = 8  # digits that are no other number by chance, whatever they are called


def find_again(findings: Findings) -> None:
    known = findings.known.once(_Repetitions)
    for number, (turn, one) in enumerate(zip(findings.turns, findings.scans, strict=True)):
        for run in one.runs:
            stays = findings.stays(number, run) or is_counted(one.units, run)
            if kind := known.kind_of(run.digits, number, stays=stays, agent=turn.speaker == "agent"):
                findings.take(number, run.groups, kind)
        findings.spans[number] += known.words_in(one.folded.text, number)


class _Repetitions:
    def __init__(self, known: Sequence[KnownSecret]) -> None:
        self._exact = {one.value: one for one in known if one.value.isdigit()}
        self._long = [one for one in self._exact.values() if len(one.value) >= checks.SHORTEST_CARD]
        self._near: dict[int, list[KnownSecret]] = {}
        for one in known:
            for turn in {later for said in one.turns for later in range(said, said + _NEIGHBOURS + 1)}:
                self._near.setdefault(turn, []).append(one)
        words = {one.value: one for one in known if not one.value.isdigit() and len(one.value) >= _KNOWN}
        self._words = {value: one for value, one in words.items() if not value.isalpha()}
        self._pattern = _any_of(self._words)

    def kind_of(self, said: str, turn: int, *, stays: bool, agent: bool) -> Kind | None:
        """Know digits that were called something else (`stays`) only when they are many."""
        near = self._near.get(turn, ())
        exact = self._exact.get(said)
        if exact and (len(said) >= _LONG or (not stays and (len(said) >= _KNOWN or exact in near))):
            return exact.kind
        if len(said) >= _CARD_PART and any(said in one.value or one.value in said for one in self._long):
            return next(one.kind for one in self._long if said in one.value or one.value in said)
        return None if stays else next((one.kind for one in near if _is_part(said, one, agent=agent)), None)

    def words_in(self, text: str, turn: int) -> Iterator[Span]:
        """Find passwords said again; common words only right after."""
        if self._pattern:
            for match in self._pattern.finditer(text):
                yield Span(*match.span(), self._words[match[0]].kind)
        for one in self._near.get(turn, ()):
            if one.value.isalpha() and len(one.value) >= _KNOWN and one.value in text:
                yield from _literal(text, one)


def _literal(text: str, known: KnownSecret) -> Iterator[Span]:
    for match in re.finditer(rf"(?<!\w){re.escape(known.value)}(?!\w)", text):
        yield Span(*match.span(), known.kind)


def _any_of(values: Mapping[str, KnownSecret]) -> re.Pattern[str] | None:
    longest = sorted(values, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)") if values else None


def _is_part(said: str, known: KnownSecret, *, agent: bool) -> bool:
    if known.kind in ("card number", "IBAN"):
        return len(said) >= _SHORTEST and said in known.value
    return agent and _is_misheard(said, known.value)


def _is_misheard(said: str, value: str) -> bool:
    """Tell whether no more than one digit in four differs."""
    wrong = sum(a != b for a, b in zip(said, value, strict=False))
    return len(said) == len(value) >= _KNOWN and wrong <= len(value) // _KNOWN
