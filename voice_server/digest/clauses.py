"""Clauses that commit somebody: where they start and end, and what makes them not count."""

import re
from functools import lru_cache

from voice_server.digest.stems import content_stems
from voice_server.digest.third_person import inline, quote, rewrite
from voice_server.digest.utterance import Utterance

# What a commitment may follow within its sentence: "Sure, I'll …", "When I'm home I'll …"; never "he said I'll".
_CLEAR_START = re.compile(
    r"""^(?:.*[,;:.!–—]\s*|.*\s-\s+|.*\b(?:and|but|so|then)\s+|(?:i\ think|i\ guess|yes|sure|ok|okay)\s+
    |(?:when|once|as\ soon\ as|after|tomorrow|tonight|later|today|next|on|this)\b.*\s)?$""",
    re.IGNORECASE | re.VERBOSE,
)
_DOUBTFUL = re.compile(
    r"""\b(?:if|unless|whether|maybe|perhaps|might|possibly|probably|hopefully|wish|would|could|should|guess|someday
    |one\ day|not\ sure|imagine|suppose|supposed|hoping|thinking|considering|wondering|'d)\b|'d\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NEGATED = re.compile(
    r"(?<!\bca)n't\b|\bcan't\b(?!\s+wait)|\b(?:not|never|no\ longer|cannot|cancel(?:l?ed|ling)?|without|unable)\b",
    re.IGNORECASE,
)
_WITHIN_THE_CALL = re.compile(
    r"""\b(?:now|right\ away|straight\ away|immediately|in\ a\ (?:moment|second|sec|minute|bit)|one\ (?:moment|second|sec)
    |just\ a\ (?:moment|second|sec|minute)|a\ (?:moment|second)|hold\ on|hang\ on|quickly|real\ quick|let\ me(?!\ (?:know|forget))|while
    |put\ you\ through|transfer|momentarily|in\ (?:\w+)\ (?:minutes|seconds))\b""",
    re.IGNORECASE | re.VERBOSE,
)
_CLAUSE_END = re.compile(
    r"""\s*(?:[;!?–—]|\s-\s|(?<!Dr)(?<!Mr)(?<!Ms)(?<!Mrs)\.(?:\s|$)|,(?!\s*\d{4})
    |\s(?:and|but|so|because|cause|since)\s+(?:I|you|we|it|that|then|hope|hopefully|let|maybe|see|the[ny]|this|he|she|thanks?)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_EMPTY_WORDS = """go goes gone get thing things definitely sure really back know try way ones lot happen need want
    anything something everything else help questions question more change start started do next time turns"""
_POLITE = re.compile(
    r"\bif\s+(?:I|you|we|they|there|anything|something)\b(?:'s)?\s*(?:ever\s+)?(?:need|want|have|are|is|any|changes|comes)",
    re.IGNORECASE,
)
_ABOUT_ONESELF = re.compile(r"\b(?:I|I'm|I've|I'll|my|we|we're|our)\b", re.IGNORECASE)
_PROMISING = re.compile(r"'ll\b|\bwill\b", re.IGNORECASE)
_THANKS = re.compile(r"\b(?:thank|thanks|appreciate|glad|grateful|hope|means a lot)\b", re.IGNORECASE)


def clearly_starts(prefix: str) -> bool:
    """Whether a clause after these words of its sentence is the speaker's own and stands by itself."""
    return bool(_CLEAR_START.match(prefix)) and not is_doubtful(prefix)


def is_doubtful(text: str) -> bool:
    """Whether something is only imagined or weighed."""
    return bool(_DOUBTFUL.search(text))


def is_negated(text: str) -> bool:
    return bool(_NEGATED.search(text))


def is_within_the_call(text: str) -> bool:
    """Whether something is being done while the parties wait for it."""
    return bool(_WITHIN_THE_CALL.search(text))


def is_polite(text: str) -> bool:
    """Whether a condition makes a phrase of courtesy: "if you need anything"."""
    return bool(_POLITE.search(text))


def clause(text: str) -> str:
    """The first clause of a text: up to punctuation or to a conjunction that starts anew."""
    end = _CLAUSE_END.search(text)
    return (text[: end.start()] if end else text).strip()


def has_content(text: str) -> bool:
    """Whether a clause says what it is about, not only "it" or "that"."""
    return any(stem not in _empty_stems() for stem in content_stems(text))


@lru_cache(maxsize=1)
def _empty_stems() -> frozenset[str]:
    return frozenset(content_stems(_EMPTY_WORDS))


def would(speaker: str) -> str:
    """“You said you'd”, "The caller said they'd"."""
    name = inline(speaker)
    return f"{name[:1].upper()}{name[1:]} said {'you' if name == 'you' else 'they'}'d"


def told_clause(opening: str, said: str, utterance: Utterance) -> str:
    """`opening` and the clause in the person of a report; the whole sentence quoted when that is not certain."""
    told = rewrite(said, utterance.speaker, utterance.listener)
    if told is None:
        return quote(utterance.dated, utterance.speaker)
    return f"{opening} {told.rstrip(' .!')}."


def with_context(text: str, before: str) -> str | None:
    """A telling that only says "it", with the statement that "it" points to; None when that one says no more."""
    if _THANKS.search(before) or _PROMISING.search(before) or not has_content(before):
        return None
    quoted = before.replace('"', "'")
    return f'{text.rstrip(".")}, after saying "{quoted}"' if _ABOUT_ONESELF.search(before) else None
