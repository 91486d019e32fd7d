"""IBANs, which are secret by their check digits, written or said letter by letter."""

from collections.abc import Iterator, Mapping

from voice_server.digest.secrets.findings import Findings
from voice_server.digest.secrets.payment import checks
from voice_server.digest.secrets.scan import Run, Scan

_COUNTRY = 2  # letters
_APART = 4  # units between two characters


def find_accounts(findings: Findings) -> None:
    for number, one in enumerate(findings.scans):
        for start, end in checks.ibans(one.folded.text) if one.units else ():
            findings.take_text(number, start, end, "IBAN")
        for first, last in _spoken_ibans(one) if one.runs else ():
            findings.take_words(number, first, last + 1, "IBAN")


def _spoken_ibans(one: Scan) -> Iterator[tuple[int, int]]:
    """“D E eight nine three seven …”"""
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
    letters, at = "", place
    while at > 0 and place - at < _APART and len(letters) < _COUNTRY:
        at -= 1
        text = one.units[at].text
        if len(text) <= _COUNTRY and text.isascii() and text.isalpha() and len(text + letters) <= _COUNTRY:
            letters = text + letters
        elif not one.units[at].leads and one.units[at].is_word:
            return None
    return (at, letters) if len(letters) == _COUNTRY else None


def _account_end(one: Scan, digits: Mapping[int, Run], at: int, written: str) -> int | None:
    length, between = checks.iban_length(written), 0
    while at < len(one.units) and len(written) < length and between <= _APART:
        unit, run = one.units[at], digits.get(at)
        if run is not None:
            written, between = written + run.digits, 0
            at = run.last
        elif len(unit.text) == 1 and unit.text.isascii() and unit.text.isalnum():
            written, between = written + unit.text, 0
        elif unit.is_word and not unit.leads:
            return None
        else:
            between += 1
        at += 1
    return at - 1 if length and len(written) == length and checks.is_iban(written) else None
