"""Numbers that are secret by themselves: payment cards by their check digit, also said over several turns;
IBANs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from voice_server.digest.secrets import checks
from voice_server.digest.secrets.findings import Findings, Speaker
from voice_server.digest.secrets.scan import Group, Run, Scan
from voice_server.digest.secrets.spelling import leads

_NEIGHBOURS = 4  # turns after which a number does not go on
_PART = 3  # digits of a card number that are said in one turn
_BETWEEN = 14  # words of a turn that only keeps the other side talking
_COUNTRY = 2  # letters
_APART = 4  # units between two characters of an account
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


def find_accounts(findings: Findings) -> None:
    for number, one in enumerate(findings.scans):
        for start, end in checks.ibans(one.folded.text) if one.units else ():
            findings.take_text(number, start, end, "IBAN")
        for first, last in _spoken_ibans(one) if one.runs else ():
            findings.take_words(number, first, last + 1, "IBAN")


def _spoken_ibans(one: Scan) -> Iterator[tuple[int, int]]:
    """The first and last units of accounts that are said letter by letter: "D E eight nine three seven …"."""
    digits = {run.groups[0].first: run for run in one.runs}
    for run in one.runs:
        letters = _letters_before(one, run.first)
        if letters is None:
            continue
        first, written = letters
        last = _account_end(one, digits, run.first, written)
        if last is not None:
            yield first, last


def _letters_before(one: Scan, place: int) -> tuple[int, str] | None:
    """The two letters of a country before some digits, with the unit where they begin."""
    letters, at = "", place
    while at > 0 and place - at < _APART and len(letters) < _COUNTRY:
        at -= 1
        text = one.units[at].text
        if len(text) <= _COUNTRY and text.isascii() and text.isalpha() and len(text + letters) <= _COUNTRY:
            letters = text + letters
        elif not leads(one.units[at]) and one.units[at].is_word:
            return None
    return (at, letters) if len(letters) == _COUNTRY else None


def _account_end(one: Scan, digits: Mapping[int, Run], at: int, written: str) -> int | None:
    """The unit with which an account ends whose letters and digits go on from here."""
    length, between = checks.iban_length(written), 0
    while at < len(one.units) and len(written) < length and between <= _APART:
        unit, run = one.units[at], digits.get(at)
        if run is not None:
            written, between = written + run.digits, 0
            at = run.last
        elif len(unit.text) == 1 and unit.text.isascii() and unit.text.isalnum():
            written, between = written + unit.text, 0
        elif unit.is_word and not leads(unit):
            return None
        else:
            between += 1
        at += 1
    return at - 1 if length and len(written) == length and checks.is_iban(written) else None


_Chain = list[tuple[int, Run]]


def _chains(findings: Findings) -> Iterator[_Chain]:
    """Rows of digits that may go on in the same side's next turn, the other having said little between."""
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
    """Whether a row goes on in another turn, which says nothing but its digits, and enough of these. Else
    numbers that are counted up, turn by turn, would be a card's now and then."""
    turn, last = before
    if not turn < number <= turn + _NEIGHBOURS or min(len(last.digits), len(run.digits)) < _PART:
        return False
    there, here = findings.scans[turn], findings.scans[number]
    beside = [
        *there.words_between(last.last + 1, len(there.units)),
        *here.words_between(0, run.first),
        *here.words_between(run.last + 1, len(here.units)),
    ]
    return last is there.runs[-1] and all(map(leads, beside))


def _card_end(findings: Findings, parts: Sequence[_Part], first: int) -> int:
    """The part behind the longest card number that begins with a part; 0 when none does."""
    digits, end = "", 0
    opens = parts[first].at == 0 and (first == 0 or parts[first - 1].turn != parts[first].turn)
    for last, part in enumerate(parts[first : first + checks.LONGEST_CARD], start=first):
        digits += part.group.digits
        if len(digits) > checks.LONGEST_CARD:
            break
        whole = opens and last == len(parts) - 1
        if checks.is_card(digits, whole=whole, stays=findings.stays(part.turn, part.run)):
            end = last + 1
    return end


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
