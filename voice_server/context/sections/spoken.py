"""Quotes as a prompt tells them: with who said the words."""

import re
from collections.abc import Iterable

from voice_server.domain.digest import Speaker

_CALLER = "Caller"
_QUOTE = '"'
_SPEAKER = re.compile(r'([^"]+): (?="[^"]*"$)')  # before a single quote
_LAST_SPEAKER = re.compile(r'(?:^|" )([^"]+): (?:"[^"]*" )*"[^"]*"$')
_EXCHANGE = re.compile(r'"(?P<asked>[^"]+)" – "(?P<answered>[^"]+)"')


def told(text: str, said_by: Speaker, user_name: str = "") -> str:
    """A quote with its speaker, an exchange with both; prose as it is. `user_name` "": not known. What
    went before an answer is told as asked when it ends like a question, else as said."""
    if not text.startswith(_QUOTE):
        return text
    user = " ".join(user_name.split()) or _CALLER
    speaker, other = (user, "You") if said_by == "user" else ("You", user)
    exchange = _EXCHANGE.fullmatch(text)
    if exchange is None:
        return f"{speaker}: {text}"
    asked = exchange["asked"]
    opening = f"{other} asked" if asked.endswith("?") else f"{other}:"
    return f'{opening} "{asked}" {speaker}: "{exchange["answered"]}"'


def joined(lines: Iterable[str]) -> list[str]:
    """Put what one person goes on to say into one line, quote after quote: who speaks is told once."""
    kept: list[str] = []
    for line in lines:
        speaker = _SPEAKER.match(line)
        before = _LAST_SPEAKER.search(kept[-1]) if kept and speaker else None
        if speaker and before and before[1] == speaker[1]:
            kept[-1] = f"{kept[-1]} {line[speaker.end() :]}"
        else:
            kept.append(line)
    return kept
