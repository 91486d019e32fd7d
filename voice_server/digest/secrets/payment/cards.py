"""Card numbers, which are secret by their check digit, also said over several turns."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from voice_server.digest.secrets.findings import Findings, Speaker
from voice_server.digest.secrets.payment import card_codes, checks
from voice_server.digest.secrets.scan import Group, Run

_NEIGHBOURS = 4  # turns after which a number does not go on
_PART = 3  # digits of a card number that are said in one turn
_BETWEEN = 14  # words of a turn that only keeps the other side talking
_FOURS = 4  # digits of a group, and groups of a card number, as people say them
_OF_CARDS = "3456"  # with which the numbers of cards begin
_REST = 8  # digits behind a card number that belong to it: its expiry, its code


class _Part(NamedTuple):
    turn: int
    run: Run
    at: int

    @property
    def group(self) -> Group:
        return self.run.groups[self.at]


def find_cards(findings: Findings) -> None:
    for chain in _chains(findings):
        parts = [_Part(turn, run, at) for turn, run in chain for at in range(len(run.groups))]
        first = 0
        while first < len(parts):
            end = _card_end(findings, parts, first)
            first = _take(findings, parts, first, end) if end else first + 1


_Chain = list[tuple[int, Run]]


def _chains(findings: Findings) -> Iterator[_Chain]:
    chains: dict[Speaker, _Chain] = {"user": [], "agent": []}
    for number, (turn, one) in enumerate(zip(findings.turns, findings.scans, strict=True)):
        chain = chains[turn.speaker]
        if chain and not one.runs and len(turn.text.split()) > _BETWEEN:
            yield chain
            chain = []
        for run in one.runs:
            if chain and not _goes_on(findings, chain[-1], number, run):
                yield chain
                chain = []
            chain.append((number, run))
        chains[turn.speaker] = chain
    yield from (chain for chain in chains.values() if chain)


def _goes_on(findings: Findings, before: tuple[int, Run], number: int, run: Run) -> bool:
    """Tell whether a number may go on here: with enough digits and nothing else. Numbers counted up turn by
    turn would now and then be a card's."""
    turn, last = before
    if not turn < number <= turn + _NEIGHBOURS or min(len(last.digits), len(run.digits)) < _PART:
        return False
    there, here = findings.scans[turn], findings.scans[number]
    beside = [
        *there.words_between(last.last + 1, len(there.units)),
        *here.words_between(0, run.first),
        *here.words_between(run.last + 1, len(here.units)),
    ]
    return last is there.runs[-1] and all(unit.leads for unit in beside)


def _card_end(findings: Findings, parts: Sequence[_Part], first: int) -> int:
    """Return the part behind the longest card number from `first` on; 0 when none begins."""
    digits, end = "", 0
    opens = parts[first].at == 0 and (first == 0 or parts[first - 1].turn != parts[first].turn)
    for last, part in enumerate(parts[first : first + checks.LONGEST_CARD], start=first):
        digits += part.group.digits
        if len(digits) > checks.LONGEST_CARD:
            break
        whole = opens and last == len(parts) - 1
        if checks.is_card(digits, whole=whole, stays=findings.stays(part.turn, part.run)):
            end = last + 1
    return end or (first + _FOURS if _is_misheard(findings, parts[first : first + _FOURS]) else 0)


def _is_misheard(findings: Findings, parts: Sequence[_Part]) -> bool:
    """Tell whether these are four digits four times, near talk of a card, with one of them wrong."""
    in_fours = len(parts) == _FOURS and all(len(part.group.digits) == _FOURS for part in parts)
    if not in_fours or parts[0].group.digits[0] not in _OF_CARDS:
        return False
    turn, run = parts[0].turn, parts[0].run
    is_of_card = any(
        card_codes.speaks_of_card(findings.scans[at]) for at in range(max(0, turn - 1), turn + 1)
    )
    return is_of_card and not findings.stays(turn, run)


def _take(findings: Findings, parts: Sequence[_Part], first: int, end: int) -> int:
    digits = "".join(part.group.digits for part in parts[first:end])
    behind = parts[end - 1].at + 1
    rest = parts[end - 1].run.groups[behind : behind + _REST + 1]  # no more than tell that they are too many
    if sum(len(group.digits) for group in rest) <= _REST:
        end += len(rest)
    turns = sorted({part.turn for part in parts[first:end]})
    for turn in turns:
        findings.take(turn, [part.group for part in parts[first:end] if part.turn == turn], "card number")
    findings.remember("card number", digits, *turns)
    return end
