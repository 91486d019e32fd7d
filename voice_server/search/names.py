"""What user and agent are called, and whom of them a query names."""

import re
from collections.abc import Sequence

from msgspec import Struct

from voice_server.search.lexemes import Word, is_unspaced, without_accents

Names = tuple[str, str]  # the user's and the agent's; "" for one that is not known

_WORDS = re.compile(r"\w+")
# Letters, at most, of what stands between two who are named as one: "Ada and Robin", "Ada y Robin".
_JOINED = 3


class Mention(Struct, frozen=True):
    begin: int
    end: int
    by_user: bool


def bearers(word: Word, text: str, names: Names) -> set[bool]:
    """Return who is called so: True for the user, False for the agent."""
    return {
        by_user for name, by_user in zip(names, (True, False), strict=True) if _is_called(word, text, name)
    }


def speaker(text: str, mentions: Sequence[Mention]) -> bool | None:
    """Return whose words are looked for: the user's (True), the agent's (False), anybody's (None). Of two who
    are named the first counts (“What did Ada tell Robin?”), unless they are named together (“Ada and Robin”).
    """
    ordered = sorted(mentions, key=lambda one: one.begin)
    if not ordered:
        return None
    first = ordered[0]
    other = next((one for one in ordered if one.by_user != first.by_user), None)
    return None if other is not None and _is_joined(text[first.end : other.begin]) else first.by_user


def _is_called(word: Word, text: str, name: str) -> bool:
    if is_unspaced(name):
        return name in text and all(lexeme in name for lexeme in word.lexemes)
    written = without_accents(word.written)
    return _is_meant(word.written, text) and bool(
        _parts(name) & {written.lower(), written.lower().removesuffix("s")}
    )


def _parts(name: str) -> set[str]:
    """Leave out what names nobody by itself: “van”, “de” and the like."""
    found = _WORDS.findall(without_accents(name))
    return {part.lower() for at, part in enumerate(found) if not at or not part.islower()}


def _is_meant(written: str, text: str) -> bool:
    """Tell whether the name is meant: who begins other words with a capital does so with a name, too."""
    return not written.islower() or not any(_is_capital(one) for one in _WORDS.findall(text)[1:])


def _is_capital(word: str) -> bool:
    return len(word) > 1 and word[0].isupper()


def _is_joined(between: str) -> bool:
    return len(re.sub(r"^['’]s\b", "", between).strip(" ,")) <= _JOINED
