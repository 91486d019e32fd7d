"""Claims: what of a conversation is worth knowing in months, chosen without a model.

    sentences, ranked → those that tell of somebody and stand alone → the best of them, in the third person and with
    absolute dates, each with what the same message goes on to say

Three kinds: what the user said about themselves, what the agent said about itself, and what one did for the other.
Precision before recall: "It was amazing." says nothing to whoever reads it later, and what can only be quoted is no
claim.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct

from voice_server.context.hygiene import is_suspicious
from voice_server.digest.dates import in_full, spoken_dates
from voice_server.digest.plans import plan
from voice_server.digest.ranking import Ranked
from voice_server.digest.stems import content_stems, word_count
from voice_server.digest.third_person import is_quoted, rewrite, tell
from voice_server.digest.utterance import Utterance
from voice_server.digest.verbs import is_past
from voice_server.digest.word_lists import word_set
from voice_server.domain.fact import About, Claim

_MOST = 8  # of one conversation: fewer carry less of what is asked later, more do not carry more
_CERTAINTY = 0.6  # of what was chosen by weight and grammar alone; a model is surer
_LEAST_WORTH = 0.25
_LONGEST = 40  # words: what a message goes on to say costs less than a line of its own
_MOST_AFTER = 3  # sentences
_FEWEST_STEMS, _MANY_STEMS = 2, 12  # "I live in Zagreb" is a fact
_ALIKE = 0.6
_NAMED = 1.2  # names and numbers are what people come back to

_SELF = re.compile(r"\b(?:I|me|my|we|our)\b", re.IGNORECASE)  # "i'm" too: chats have no capitals
_YOU = re.compile(r"\b(?:you|you're|you've|you'll|you'd|your|yours)\b", re.IGNORECASE)
_NAME_OR_NUMBER = re.compile(
    r"(?<=[a-z,;] )(?!I\b)[A-Z][\w'-]+|\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice)\b"
)
_POINTING = re.compile(
    r"""^(?:it|this|that|they|these|those|he|she|there|such|one|both|some|most|which|who)\b
    |\b(?:like|than)\ (?:this|that|these|those)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_SHOWING = re.compile(
    r"\b(?:here's|here is|here are|take a look|look at|check (?:it|this|that|them) out)\b", re.IGNORECASE
)
_REACTING = re.compile(
    r"""I(?:'m|\ am|'ve|\ was)?\ (?:(?:totally|completely|really|so|just|definitely|very)\ )*
    (?:agree|bet|see|understand|get\ (?:it|that)|hear|glad|sorry)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_BETWEEN_BOTH = re.compile(
    r"""\b[Yy]ou(?:'ve|\ have)?\ (?:(?:always|really|already|also|just)\ )?(?:helped|told|gave|given|recommended|suggested
        |encouraged|inspired|supported|taught|showed|shown|reminded|lent|sent|promised|invited|introduced|saved
        |convinced)\b.*\b(?:me|my|I|us)\b
    |\bI(?:'ve|\ have)?\ (?:(?:always|really|already|also|just)\ )?(?:told|showed|shown|gave|given|sent|promised|invited
        |recommended|booked|scheduled|moved|cancelled|canceled|reserved|ordered|refunded|updated)\b.*\b(?:you|your)\b
    |\b[Ww]e(?:'ve|\ have)?\ (?:met|agreed|decided|discussed|argued|talked\ about|spoke\ about)\b""",
    re.VERBOSE,
)
# What can have one value at a time.
_TOPICS: Mapping[str, re.Pattern[str]] = {
    "home": re.compile(
        r"""\b(?:I|[Ww]e)(?:'ve|\ have)?\ (?:(?:now|just|recently|finally|currently)\ )*(?:live|moved|relocated)(?:\ back)?
        \ (?:in|to)\ [A-Z]""",
        re.VERBOSE,
    ),
    "job": re.compile(
        r"""\bI\ (?:(?:now|just|recently|finally|currently)\ )*(?:work|started\ working|started\ a\ new\ job)
        \ (?:as|at|for)\ (?:an?|the|[A-Z])(?!.*\b(?:volunteer|part-time|weekends?)\b)""",
        re.VERBOSE,
    ),
}
_LEAD = re.compile(
    r"""(?:plus|btw|also|anyway|besides|honestly|hopefully|fortunately|luckily|unfortunately|sadly|actually|basically
    |speaking\ of(?:\ \w+){1,4}|by\ the\ way|to\ be\ honest|in\ fact|as\ for\ me|for\ me|guess\ what|in\ the\ end
    |i\ (?:must|have\ to|gotta)\ (?:say|admit)|you\ know(?:\ what)?|i\ mean|of\ course|lately|recently|nowadays
    |these\ days|well|so|oh|yeah|hey|wow|man)\s*[,!:;–—-]+\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_VERDICT = re.compile(
    r"""\s*(?:[,;–—]|\s-+|\band\b)\s*(?:and\s+|but\s+)?(?:it|that|this|which|they)
    (?:'s|'re|\ (?:is|was|are|were|has\ been|feels|felt|made))\b(?:\s+[\w']+){1,7}[.!]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_BEEN = re.compile(r"(?:(?:just|also|already|still)\s+)?been\s+\w+", re.IGNORECASE)
_DENYING = word_set("haven't hadn't didn't couldn't")
_ELIDED = re.compile(
    r"""(?:(?:just|also|already|still|finally|even|actually|recently)\s+)*(?P<verb>[\w']+)\s+
    (?:(?:up|off|out|back|into|to|for|with)\s+)?
    (?:a|an|the|my|our|some|this|that|these|those|him|her|them|it|lots|home|around|together|two|three|[A-Z]\w+|\w+ing
    |\w+ed|seen|been|gone)\b""",
    re.VERBOSE | re.IGNORECASE,
)


class _Part(Struct, frozen=True):
    """A statement without what leads in and trails behind. `about` is None when it does not stand alone."""

    utterance: Utterance
    short: str
    stems: frozenset[str]
    about: About | None
    worth: float


class _Told(Struct, frozen=True):
    """A claim in the making: what was said of one thing, and how it is told."""

    parts: tuple[_Part, ...]
    text: str


def claims(ranked: Ranked, said: Sequence[Utterance]) -> tuple[Claim, ...]:
    """The claims of an English conversation in the order said; `said` are the sentences that were ranked."""
    parts = [_part(utterance, score) for utterance, score in zip(said, ranked.scores, strict=True)]
    chosen: list[_Told] = []
    for part in sorted(_standing_alone(parts), key=lambda part: -part.worth):
        if len(chosen) < _MOST and not _is_told(part, chosen) and (told := _told(part, parts)):
            chosen.append(told)
    return tuple(sorted(map(_claim, chosen), key=lambda claim: claim.positions))


def _part(utterance: Utterance, score: float) -> _Part:
    short = _with_subject(_short(utterance.sentence.text))
    stems = frozenset(content_stems(short))
    return _Part(utterance, short, stems, _about(short, utterance, stems), _worth(short, stems, score))


def _standing_alone(parts: Iterable[_Part]) -> Iterator[_Part]:
    return (part for part in parts if part.about and part.worth >= _LEAST_WORTH)


def _about(short: str, utterance: Utterance, stems: frozenset[str]) -> About | None:
    """Whom a sentence tells of, if it says enough without those around it."""
    if utterance.sentence.mood == "question" or len(stems) < _FEWEST_STEMS or not _SELF.search(short):
        return None
    if _POINTING.search(short) or _SHOWING.search(short) or _REACTING.match(short):
        return None
    if _YOU.search(short):
        return "relationship" if _BETWEEN_BOTH.search(short) else None
    return "user" if utterance.sentence.said_by == "user" else "agent"


def _worth(short: str, stems: frozenset[str], score: float) -> float:
    """How telling it is, from 0 to 1: within its conversation, by how much it says, by names and numbers."""
    fullness = math.sqrt(min(1.0, len(stems) / _MANY_STEMS))
    return min(1.0, score * fullness * (_NAMED if _NAME_OR_NUMBER.search(short) else 1))


def _is_told(part: _Part, chosen: Iterable[_Told]) -> bool:
    return any(part is other or _is_alike(part, other) for told in chosen for other in told.parts)


def _is_alike(one: _Part, other: _Part) -> bool:
    return len(one.stems & other.stems) >= _ALIKE * min(len(one.stems), len(other.stems))


def _told(part: _Part, parts: Sequence[_Part]) -> _Told | None:
    """The telling of a sentence, with those that follow in the same message while there is room; None when its
    grammar is not certain."""
    text = _tell(part)
    if text is None or word_count(text) > _LONGEST:
        return None
    told, clauses = [part], [text.rstrip(" .")]
    for after in [] if _topic(part) else _after(part, parts):
        clause = _clause(after)
        if clause and word_count(" ".join([*clauses, clause])) <= _LONGEST:
            told.append(after)
            clauses.append(clause)
    return _Told(tuple(told), f"{'; '.join(clauses)}.")


def _after(part: _Part, parts: Sequence[_Part]) -> Iterator[_Part]:
    """The next sentences of its message; of the next, when its speaker goes on, those that do not stand alone."""
    before = part.utterance.sentence
    for after in parts[before.index + 1 : before.index + 1 + _MOST_AFTER]:
        sentence = after.utterance.sentence
        if sentence.said_by != before.said_by or sentence.position > before.position + 1 or _topic(after):
            return
        if sentence.position != part.utterance.sentence.position and after.about:
            return
        yield after
        before = sentence


def _tell(part: _Part) -> str | None:
    told = tell(_dated(part), part.utterance.speaker, part.utterance.listener)
    return None if is_quoted(told) else told


def _clause(part: _Part) -> str | None:
    """What a sentence says, as it goes on after a semicolon."""
    if len(part.stems) < _FEWEST_STEMS or _YOU.search(part.short) or _SHOWING.search(part.short):
        return None
    if _tell(part) is None:
        return None
    told = rewrite(_dated(part), part.utterance.speaker, part.utterance.listener)
    return _small(told.rstrip(" .!…")) if told else None


def _dated(part: _Part) -> str:
    return in_full(part.short, part.utterance.said_on)


def _claim(told: _Told) -> Claim:
    part, utterance = told.parts[0], told.parts[0].utterance
    return Claim(
        about=part.about or "user",
        text=told.text,
        said_on=utterance.said_on,
        positions=tuple(dict.fromkeys(one.utterance.sentence.position for one in told.parts)),
        topic=_topic(part),
        certainty=_CERTAINTY,
        salience=round(part.worth, 2),
        valid_from=_since(part) if _topic(part) else None,
        due=utterance.due if plan(utterance) else None,
        flagged=any(is_suspicious(one.utterance.sentence.text) for one in told.parts),
    )


def _topic(part: _Part) -> str:
    """What the user says there is one of, and which: where they live, where they work."""
    return topic_of(part.short) if part.about == "user" else ""


def topic_of(sentence: str) -> str:
    """What a sentence in the first person says there is one of: `home`, `job`; "" when there may be many."""
    return next((topic for topic, pattern in _TOPICS.items() if pattern.search(sentence)), "")


def _since(part: _Part) -> date | None:
    return since(part.short, part.utterance.said_on)


def since(sentence: str, said_on: date) -> date | None:
    """The first day up to `said_on` that a sentence names: from then on it holds."""
    return next((day.first for day in spoken_dates(sentence, said_on) if day.first <= said_on), None)


def _short(text: str) -> str:
    """Without what leads in, and without a verdict that trails behind."""
    plain = _VERDICT.sub(".", text)
    while (lead := _LEAD.match(plain)) and lead.end() < len(plain):
        plain = plain[lead.end() :]
    return plain[:1].upper() + plain[1:]


def _with_subject(text: str) -> str:
    """“Took a trip to the sea" is "I took a trip to the sea": talk leaves the subject out."""
    if _BEEN.match(text):
        return f"I've {_small(text)}"
    found = _ELIDED.match(text)
    verb = found["verb"].lower() if found else ""
    return f"I {_small(text)}" if verb and (is_past(verb) or verb in _DENYING) else text


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
