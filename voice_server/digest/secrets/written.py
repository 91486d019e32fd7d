"""Passwords that are written in one, where somebody cannot get in: “It keeps saying wrong login.” – “Are you
sure?” – “its mossyotter22”."""

import re

from voice_server.digest.secrets.findings import Findings
from voice_server.digest.secrets.lexicon import LANGUAGES, read
from voice_server.digest.secrets.text import fold
from voice_server.runtime.once import once

_WRITTEN = re.compile(r"(?<![\w@.-])(?=\w{8,})[a-z]{4,}\d{2,}\w*(?![\w@-])")
_NEAR = 3  # messages before, in which the login is spoken of
_LEAD = 30  # characters before, in which something else may be named


def find_written(findings: Findings) -> None:
    """Take letters and digits in one of a user's turn, where a login or password is spoken of. In capitals
    they are a reference."""
    for number, turn in enumerate(findings.turns):
        if turn.speaker == "user" and _WRITTEN.search(turn.text.lower()) and _is_of_access(findings, number):
            folded = fold(turn.text)
            for one in _WRITTEN.finditer(folded.text):
                said = turn.text[folded.place(one.start()) : folded.place(one.end())]
                lead = folded.text[max(0, one.start() - _LEAD) : one.start()]
                if not (said.isupper() or _named().search(lead)):
                    findings.take_text(number, *one.span(), "password")


def _is_of_access(findings: Findings, number: int) -> bool:
    near = findings.turns[max(0, number - _NEAR) : number + 1]
    return any(_access().search(fold(turn.text).text) for turn in near)


@once
def _access() -> re.Pattern[str]:
    return _words("access")


@once
def _named() -> re.Pattern[str]:
    return _words("named")


def _words(name: str) -> re.Pattern[str]:
    said = {fold(word).text for language in LANGUAGES for word in read(language).get(name, ())}
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(said, key=len, reverse=True)))})(?!\w)")
