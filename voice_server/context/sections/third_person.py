"""Findings about “the caller” as a prompt tells them: by name, once it is known.

A platform's model, and a model before the name fell, write “The caller has moved to Leeds”. Only what is said
of nobody else counts: “the client” may be the caller's own, “the user manual” is a book, and “the caller from
yesterday” is another caller. In one text all are named, or none: two words for one read as two persons.
"""

import re

# At the beginning of a sentence; elsewhere most languages put a case on them.
_CALLERS = (
    "The caller|Der Anrufer|Die Anruferin|[EL][la] llamante|L['’]appelante?|(?:Il|La) chiamante"
    "|O chamador|A chamadora|De beller"
)
_ANYWHERE = r"\bthe caller\b|\b(?:anrufer|llamante|appelant|chiamante|chamador|beller)\w*"
# Makes it another caller, or none: “the caller before her”, “the caller ID”.
_OTHER = (
    "id|display|number|list|log|line|name|tune|from|before|after|who|whose|that|of|at|in|on|with"
    "|von|vom|aus|vor|der|die|das|van|uit|voor|dat|de|del|du|des|qui|que|di|da|do|dos|che|prima|antes|avant"
)
_NAMED = re.compile(rf"(?:(?:^|(?<=[.!?;] ))(?:{_CALLERS})|\bthe caller)(?![-\w])(?! (?i:{_OTHER})\b)")
_MENTIONED = re.compile(_ANYWHERE, re.IGNORECASE)
_QUOTED = re.compile('["“”„«»]')
_WORD = re.compile(r"\w+")


def by_name(text: str, name: str) -> str:
    """Call the caller by name; leave a text that has it (“The caller is called Marta”), or quotes."""
    if not name or _NAMED.search(text) is None or _QUOTED.search(text) is not None:
        return text
    known = {word.casefold() for word in _WORD.findall(name)}
    is_there = not known.isdisjoint(word.casefold() for word in _WORD.findall(text))
    named, count = _NAMED.subn(lambda _: name, text)
    return text if is_there or count < len(_MENTIONED.findall(text)) else named
