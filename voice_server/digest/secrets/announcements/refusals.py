"""Codes that nobody announced and the agent did not want: “It's 4491.” – “I'd rather not take that over the
phone.”, “the codes four seven one nine” – “Please don't read those out.”"""

import re
from itertools import pairwise

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.person_names.lexicon import is_given
from voice_server.digest.secrets.announcements.spelling import password_end, word_behind
from voice_server.digest.secrets.findings import Findings, Scans
from voice_server.digest.secrets.lexicon import LANGUAGES, pattern, read
from voice_server.digest.secrets.scan import Run, Scan, Unit, is_counted, is_entered
from voice_server.digest.secrets.text import fold
from voice_server.runtime.once import once

_FEWEST, _MOST = 4, 8  # digits
_DATES = MONTHS_OF_ALL | WEEKDAYS_OF_ALL
_YEAR = re.compile(r"(?:19|20)\d\d")


def find_unwanted(findings: Findings, scans: Scans) -> None:
    """Take the digits before each such answer that were called nothing else. Where they are not to be said
    aloud, whatever led to them, and the word behind a memorable one, too."""
    refused = (pattern("refused"), _forms("refused_forms"))
    unwanted = (pattern("unwanted"), _forms("unwanted_forms"))
    password = pattern("refused_password")
    for number, turn in enumerate(findings.turns):
        if number > 0 and turn.speaker == "agent" and findings.turns[number - 1].speaker == "user":
            folded = fold(turn.text).text
            is_refused = any(one.search(folded) for one in refused)
            if is_refused or any(one.search(folded) for one in unwanted):
                _take(findings, scans, number - 1, is_refused=is_refused)
            if password.search(folded):
                _take_password(findings, scans, number - 1)


def _take(findings: Findings, scans: Scans, number: int, *, is_refused: bool) -> None:
    scan = findings.scans[number] = scans.in_full(findings.turns[number].text)
    for run in scan.runs:
        is_other = findings.stays(number, run) or is_counted(scan.units, run) or _YEAR.fullmatch(run.digits)
        is_meant = is_refused or _is_led_to(scan, run)
        if _FEWEST <= len(run.digits) <= _MOST and not is_other and is_meant:
            findings.take(number, run.groups, "code")
            findings.remember("code", run.digits, number)
    for place, unit in enumerate(scan.units if is_refused else ()):
        start = word_behind(scan, place + 1) if unit.has("contracted") else None
        if start is not None:
            findings.take_words(number, start, password_end(scan, start), "password")


def _take_password(findings: Findings, scans: Scans, number: int) -> None:
    """“says wrong password but its heron fifty two” – “Please don't tell me your password.” Who only says
    who they are (“It's Marta, I can't log in”) has said none."""
    scan = findings.scans[number] = scans.in_full(findings.turns[number].text)
    said = (at for at, one in enumerate(scan.units) if one.meaning.announces == "password")
    announced = next(said, None)
    if announced is None:
        return
    for place, (before, unit) in enumerate(pairwise(scan.units), 1):
        if place > announced and before.has("points") and _may_be_password(unit):
            findings.take_words(number, place, password_end(scan, place), "password")


def _may_be_password(unit: Unit) -> bool:
    is_name = is_given(unit.text) or unit.text in _DATES
    return unit.is_word and not is_name and not unit.has("no_value")


def _is_led_to(scan: Scan, run: Run) -> bool:
    """Tell whether a code is led to; “the roof will be 3400” leads to none."""
    before = [unit for unit in scan.units[: run.first] if unit.is_word]
    return not before or before[-1].has("points") or is_entered(scan, run)


@once
def _forms(name: str) -> re.Pattern[str]:
    forms = [form for language in LANGUAGES for form in read(language).get(name, ())]
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
