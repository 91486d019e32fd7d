"""Passwords that are written in one, where somebody cannot get in: “It keeps saying wrong login.” – “Are you
sure?” – “its mossyotter22”."""

import re

from voice_server.digest.secrets.findings import Findings
from voice_server.digest.secrets.lexicon import pattern
from voice_server.digest.secrets.text import FoldedText, fold

_WRITTEN = re.compile(r"(?<![\w@.-])(?=\w{8,})[a-z]{4,}\d{2,}\w*(?![\w@-])")
_NEAR = 3  # messages before, in which the login is spoken of
_LEAD = 30  # characters before, in which something else may be named


def find_written(findings: Findings) -> None:
    """Take letters and digits in one of a user's turn, where a login or password is spoken of. In capitals
    they are a reference."""
    for number, turn in enumerate(findings.turns):
        written = _written(turn.text) if turn.speaker == "user" else []
        if written and _is_of_access(findings, number):
            for span in written:
                findings.take_text(number, *span, "password")


def _written(text: str) -> list[tuple[int, int]]:
    folded = fold(text)
    return [one.span() for one in _WRITTEN.finditer(folded.text) if _may_be_password(text, folded, one)]


def _may_be_password(text: str, folded: FoldedText, found: re.Match[str]) -> bool:
    said = text[folded.place(found.start()) : folded.place(found.end())]
    lead = folded.text[max(0, found.start() - _LEAD) : found.start()]
    return not said.isupper() and pattern("named").search(lead) is None


def _is_of_access(findings: Findings, number: int) -> bool:
    near = findings.turns[max(0, number - _NEAR) : number + 1]
    return any(pattern("access").search(fold(turn.text).text) for turn in near)
