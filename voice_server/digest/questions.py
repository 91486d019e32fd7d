"""Questions that got no answer before the conversation ended. Very conservative: nearly all get one."""

import re
from collections.abc import Sequence

from voice_server.digest.sentences import Sentence
from voice_server.digest.stems import content_stems, word_count
from voice_server.digest.third_person import quote
from voice_server.digest.utterance import Utterance
from voice_server.domain.conversation import Message

_SHORTEST = 5
_REAL = re.compile(
    r"(?:what|when|where|which|who|whose|why|how|is|are|do|does|did|can|could|will|would|should|has|have|was|were)\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"""\b(?:how\ (?:are|is|was|have|has|do|'s|about|come|cool|great|awesome)|how's|what'?s\ (?:up|new|going\ on)|what\ about
    |what\ do\ you\ (?:think|say|mean)|anything\ else|something\ else|help\ you|assist|still\ there|hear\ me|you\ know
    |(?:isn't|aren't|don't|doesn't|won't)\ (?:it|you|they|that)|would\ you\ like|do\ you\ want|any\ (?:other|more)|right\?|ok(?:ay)?\?
    |who\ knows|guess\ what|why\ not|can\ you\ (?:imagine|believe)|sound\ good|is\ that\ (?:ok|okay|all|right)|does\ that)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_FAREWELL = re.compile(
    r"\b(?:bye|goodbye|take care|see you|good night|talk (?:to you )?(?:soon|later)|chat soon)\b",
    re.IGNORECASE,
)
_DEFERRED = re.compile(
    r"""\b(?:(?:I|we)(?:'ll|'d|\ will|\ would)\ (?:have\ to\ |need\ to\ )?(?:find\ out|check\ with|ask\ (?:the|my|our|him|her|them|dr))
    |(?:have|need)\ to\ (?:check|ask)|get\ back\ to\ you|don't\ have\ that\ information|call\ you\ back)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def question(utterance: Utterance, messages: Sequence[Message]) -> str | None:
    """The telling of a question nobody answered; `messages` are the spoken ones of the whole conversation."""
    sentence = utterance.sentence
    if sentence.mood != "question" or not is_real_question(sentence.text):
        return None
    replies = [m for m in messages if m.position > sentence.position and m.role != sentence.said_by]
    if _asked_at_the_end(sentence, messages, replies) or _put_off(sentence, replies):
        return quote(utterance.dated, utterance.speaker, verb="asked")
    return None


def is_real_question(text: str) -> bool:
    """Whether a question wants to know something: no small talk, offer or tag."""
    return word_count(text) >= _SHORTEST and bool(_REAL.match(text)) and not _SMALL_TALK.search(text)


def _asked_at_the_end(sentence: Sentence, messages: Sequence[Message], replies: Sequence[Message]) -> bool:
    """No word of the other party after it, who had not taken leave either."""
    earlier = [m for m in messages if m.position < sentence.position and m.role != sentence.said_by]
    parting = any(
        _FAREWELL.search(m.content) for m in messages if m.position >= sentence.position or m in earlier[-1:]
    )
    return not replies and bool(earlier) and not parting


def _put_off(sentence: Sentence, replies: Sequence[Message]) -> bool:
    """“I'd have to ask”: and nothing later that touches the matter."""
    if not replies or not _DEFERRED.search(replies[0].content):
        return False
    matter = set(content_stems(sentence.text))
    return not any(matter & set(content_stems(later.content)) for later in replies[1:])
