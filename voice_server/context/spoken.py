"""Quotes as a prompt tells them: with who said the words."""

import re

from voice_server.domain.digest import Speaker

_CALLER = "Caller"
_QUOTE = '"'
_EXCHANGE = re.compile(r'"(?P<asked>[^"]+)" – "(?P<answered>[^"]+)"')


def told(text: str, said_by: Speaker, user_name: str = "") -> str:
    """Tell a quote with its speaker, an exchange with both; prose stays as it is. `user_name` "": the caller's is
    not known.

    What went before an answer is told as asked when it ends like a question, else as said.
    """
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
