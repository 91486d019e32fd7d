"""Findings about “the caller” as a prompt tells them: by name, once it is known.

A platform's model, and a model before the name fell, write “The caller has moved to Leeds”. Only what is said
of nobody else counts: “the client” may be the caller's own.
"""

import re

#: How models call whoever they listened to, at the beginning of a sentence.
CALLERS = {
    "en": "The caller|The user",
    "de": "Der Anrufer|Die Anruferin",
    "es": "El llamante|La llamante|Quien llama",
    "fr": "L['’]appelante?",
    "it": "Il chiamante|La chiamante|Chi chiama",
    "pt": "O chamador|A chamadora|Quem ligou|A pessoa que ligou",
    "nl": "De beller",
}
_CALLER = re.compile(
    rf"(?:^|(?<=[.!?;] ))(?:{'|'.join(CALLERS.values())})(?=['’\s])|\bthe caller\b(?! (?:id|ID)\b)"
)
_WORD = re.compile(r"\w+")


def by_name(text: str, name: str) -> str:
    """Call the caller by name, but for a text that has it already (“The caller is called Marta”)."""
    if not name or _CALLER.search(text) is None:
        return text
    known = {word.casefold() for word in _WORD.findall(name)}
    if not known.isdisjoint(word.casefold() for word in _WORD.findall(text)):
        return text
    return _CALLER.sub(lambda _: name, text)
