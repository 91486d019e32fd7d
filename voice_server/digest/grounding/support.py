"""What was never said at all: a digest may use other words, but not only such.

A fact about one person must have one telling word from the talk beside the names; any text more than a
quarter of its telling words, names, numbers and days; a reason that it gives (“because of a fall”) half of
its own.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from voice_server.digest.grounding.stance import Stance, is_form, is_telling, stance
from voice_server.digest.grounding.vocabulary import Vocabulary, plain, vocabulary

_WORD = re.compile(r"[^\W\d_]+|\d+")
_END = re.compile(r"[,;:.!?()]\s|[.!?]?$")
_ADDED = re.compile(r" ?\([^()]*\b(?:19|20)\d\d\)")
_LEAST, _OF_REASON = 0.25, 0.5
_FEWEST = {True: 2, False: 4}  # telling words that were not said, of what somebody is or has, and of all else


def unheard(
    text: str,
    said: Iterable[str],
    elsewhere: Iterable[str],
    language: str,
    names: frozenset[str],
    *,
    of_state: bool,
) -> str:
    """Return the first unsaid word of a text, or of a reason in it, that has too few that were said, or "".
    `said` are the folded words it rests on; those `elsewhere` count only in a reason; `names` are of the two
    who talk."""
    known, words = stance(language), vocabulary(language)
    if known is None or words is None:
        return ""
    folded, there, anywhere = plain(_ADDED.sub("", text)), tuple(dict.fromkeys(said)), tuple(elsewhere)
    judged = _found(folded, there, known, words, names)
    found = [(word, is_said) for word, is_said in judged if is_said or not _is_among(word, anywhere)]
    unsaid = [word for word, is_said in found if not is_said]
    # What is not so is seldom said in the words that tell it.
    denies = known.denials.search(folded)
    if not denies and len(unsaid) >= _FEWEST[of_state] and len(found) - len(unsaid) <= _LEAST * len(found):
        return unsaid[0]
    for reason in _reasons(folded, known):
        given = list(_found(reason, anywhere, known, words, names | words.relatives.keys()))
        unsaid = [word for word, is_said in given if not is_said]
        if unsaid and len(given) - len(unsaid) < _OF_REASON * len(given):
            return unsaid[0]
    return ""


def is_bare(text: str, anywhere: Iterable[str], language: str, persons: frozenset[str]) -> str:
    """Return the first telling word when none, beside `persons`, was said at all; else ""."""
    known, words = stance(language), vocabulary(language)
    if known is None or words is None:
        return ""
    found = list(_found(plain(_ADDED.sub("", text)), tuple(anywhere), known, words, persons))
    return found[0][0] if found and not any(is_said for _, is_said in found) else ""


def _reasons(folded: str, known: Stance) -> Iterator[str]:
    for match in known.reasons.finditer(folded):
        end = _END.search(folded, match.end())
        yield folded[match.end() : end.start() if end else len(folded)]


def _found(
    folded: str, there: Sequence[str], known: Stance, words: Vocabulary, names: frozenset[str]
) -> Iterator[tuple[str, bool]]:
    for word in _WORD.findall(folded):
        if word[0].isdigit() or word in words.numbers or word in words.weekdays or word in words.months:
            yield word, True
        elif word not in names and is_telling(word, known, words) and not _is_idle(word, known, words):
            yield word, _is_among(word, there)


def _is_among(word: str, there: Sequence[str]) -> bool:
    return any(is_form(one, word) for one in there)


def _is_idle(word: str, known: Stance, words: Vocabulary) -> bool:
    if any(words.has(kind, word) for kind in ("telling", "reported", "between")):
        return True
    return any(one.fullmatch(word) for one in (known.cautious, known.lacking, known.denials))
