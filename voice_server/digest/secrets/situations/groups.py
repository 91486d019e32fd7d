"""A card's number in groups of four, with whatever between: “5412” – “Yes.” – “7534, get down, Monty!”. Pure.

Nobody may have named the card: somebody is to pay, or answers with all four groups at once, and they are
called nothing else.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from voice_server.digest.secrets.common_words import is_common
from voice_server.digest.secrets.findings import Findings, Scans
from voice_server.digest.secrets.scan import Run, is_counted
from voice_server.digest.secrets.situation_phrases import Role
from voice_server.digest.secrets.situations.numbers import OF_CARDS
from voice_server.digest.secrets.situations.reading import Reading

_FOUR = 4  # digits of a group, and groups of a number
_MOST = 6  # groups, when some are said anew
_NEXT = 4  # turns from a group to the next
_PAYING = 6  # turns from talk of paying to the number
_LABEL = 4  # words from a label to its number


class _Group(NamedTuple):
    turn: int
    run: Run


def find_groups(findings: Findings, scans: Scans) -> None:
    for said in _rows(list(_groups(findings, scans))):
        if _is_card(findings, scans, said):
            for turn, run in said:
                findings.take(turn, run.groups, "card number")
                findings.remember("card number", run.digits, turn)


def _groups(findings: Findings, scans: Scans) -> Iterator[_Group]:
    """Find digits in fours that are called nothing else."""
    for number, turn in enumerate(findings.turns):
        runs = findings.scans[number].runs if turn.speaker == "user" else ()
        if not any(map(_is_in_fours, runs)):
            continue
        said = Reading.of(findings, scans, number)
        for run in filter(_is_in_fours, said.scan.runs):
            is_called = findings.stays(number, run) or is_counted(said.units, run)
            is_labelled = said.label_before(run.first, _LABEL) or (
                said.label_behind(run.last) and not _is_valid_until(said, run.last)
            )
            if not (is_called or is_labelled or said.units[run.first].has_shape):
                yield _Group(number, run)


def _is_valid_until(said: Reading, last: int) -> bool:
    """“… 9012, valid until”: a label that tells a card."""
    return any(said.has(at, "paying") for at in range(last + 1, min(last + 1 + _LABEL, len(said.units))))


def _is_answer(findings: Findings, scans: Scans, group: _Group) -> bool:
    """Tell whether a turn of the agent's is answered with it: “The number on the front?” – “5412 …”"""
    if group.turn == 0 or findings.turns[group.turn - 1].speaker == "user":
        return False
    asked = Reading.of(findings, scans, group.turn - 1)
    if any(asked.has(at, "ordinary") and not asked.has(at, "pay") for at in range(len(asked.units))):
        return False
    before = Reading.of(findings, scans, group.turn).units[: group.run.first]
    return all(is_common(unit.text) or unit.has("fill") or not unit.is_word for unit in before)


def _is_in_fours(run: Run) -> bool:
    return len(run.digits) % _FOUR == 0


def _rows(groups: Sequence[_Group]) -> Iterator[list[_Group]]:
    row: list[_Group] = []
    for one in groups:
        if row and one.turn > row[-1].turn + _NEXT:
            yield row
            row = []
        row.append(one)
    yield row


def _are_amounts(fours: Sequence[str]) -> bool:
    """Tell whether all are the same or round: “in four parts, 3250, 3250, 3250 and 3250”."""
    return len(set(fours)) == 1 or all(one.endswith("0") for one in fours)


def _is_card(findings: Findings, scans: Scans, said: Sequence[_Group]) -> bool:
    digits = "".join(one.run.digits for one in said)
    fours = [digits[at : at + _FOUR] for at in range(0, len(digits), _FOUR)]
    if not _FOUR <= len(fours) <= _MOST or digits[0] not in OF_CARDS or _are_amounts(fours):
        return False
    if len(said) == 1 and _is_answer(findings, scans, said[0]):  # hardly ever anything else
        return True
    first, last = max(said[0].turn - _PAYING, 0), said[-1].turn + 1
    near = [scans.mentions(turn.text) for turn in findings.turns[first : last + 1]]
    roles: tuple[Role, ...] = ("pay", "paying", "back")
    return any(one.role in roles for mentions in near for one in mentions)
