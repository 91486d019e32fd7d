"""The digest without a model: what was said, chosen by weight and told in the third person.

Pure: messages in, a digest out. The choice follows `ranking`, the telling `third_person`, the open threads
`threads`. Languages other than English get a summary of quotations and keywords, nothing that needs grammar.
"""

import re
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from voice_server.context.hygiene import is_instruction, is_suspicious
from voice_server.digest.claims import claims
from voice_server.digest.dates import undated
from voice_server.digest.echoes import without_echoes
from voice_server.digest.languages import is_english, spoken_language
from voice_server.digest.ranking import Ranked, choose, keywords, rank
from voice_server.digest.sentences import Sentence, sentences, spoken
from voice_server.digest.stems import word_count
from voice_server.digest.third_person import is_quoted, quote
from voice_server.digest.threads import open_threads
from voice_server.digest.utterance import Parties, told, utterances
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Digest, KeyMoment

_KEYWORDS = 60
_MOST_MOMENTS = 6
_SENTENCES_PER_MOMENT = 4
_MOMENT_WORDS = (5, 25)
_OVERLONG = 1.2
_MOMENT_STEMS = 3
_TELLING_SCORE = 0.35  # of the best sentence's
_QUOTED = 0.6  # what could only be quoted is often a fragment
_POINTING_BACK = 0.6  # "It was amazing": what was?
_PRONOUN_FIRST = re.compile(r"(?:it|this|that|they|these|those|he|she)\b", re.IGNORECASE)


def digest(  # noqa: PLR0913 - keywords only, and each is one thing known about the conversation
    messages: Sequence[Message],
    *,
    user: str,
    agent: str,
    timezone: ZoneInfo,
    platform_summary: str = "",
    language: str = "",
    document_frequencies: Mapping[str, int] = {},
    documents: int = 1,
    words: int = 120,
    served: str = "",
) -> Digest:
    """Summary, key moments, open threads and keywords of one conversation.

    `user` and `agent` are the names to tell it with; "you" is told in the second person. `platform_summary`
    is taken as the summary when there is one that gives no instructions. `document_frequencies` counts, per stem of
    `stems.content_stems`, the `documents` earlier conversations of the user that hold it. `words` bounds an
    extractive summary. `served` is the prompt the agent had: turns that read it aloud are left out. Never raises
    on any text.
    """
    messages = without_echoes(messages, served)
    parties = Parties(user.strip() or "The caller", agent.strip() or "The agent")
    tongue = spoken_language([m.content for m in spoken(messages)], language)
    english = is_english(tongue)
    found = sentences(messages, (parties.user, parties.agent), english=english)
    ranked = rank(found, english=english, document_frequencies=document_frequencies, documents=documents)
    said = list(utterances(found, parties, timezone)) if english else []
    retold = [told(u) for u in said] if english else [_quoted(s, parties) for s in found]
    given = "" if is_instruction(platform_summary) else " ".join(platform_summary.split())
    return Digest(
        summary=given or _summary(ranked, retold, words),
        source="platform" if given else "extractive",
        key_moments=_key_moments(ranked, retold) if english else (),
        open_threads=open_threads(said, messages),
        keywords=keywords(ranked, _KEYWORDS),
        stems=tuple(sorted(set().union(*ranked.weights))),
        language=tongue,
        claims=claims(ranked, said) if english else (),
    )


def _quoted(sentence: Sentence, parties: Parties) -> str:
    return quote(sentence.text, parties.speaker_and_listener(sentence)[0])


def _summary(ranked: Ranked, retold: Sequence[str], words: int) -> str:
    """Sentences in the order said. Dates we added cost no choice; all in all a fifth over `words` at most."""
    chosen = _chosen(ranked, retold, words)
    while chosen and sum(word_count(retold[i]) for i in chosen) > words * _OVERLONG:
        chosen.pop()
    return " ".join(retold[i] for i in sorted(chosen))


def _chosen(ranked: Ranked, retold: Sequence[str], words: int) -> list[int]:
    """What reads like an instruction only when there is nothing else to choose. Looked at when chosen: it costs."""
    lengths = [word_count(undated(text)) for text in retold]
    chosen, harmless = choose(ranked, lengths, words), ranked
    while suspicious := [i for i in chosen if is_suspicious(ranked.sentences[i].text)]:
        scores = tuple(0.0 if i in suspicious else score for i, score in enumerate(harmless.scores))
        harmless = replace(harmless, scores=scores)
        others = choose(harmless, lengths, words)
        if not others:
            break
        chosen = others
    return chosen


def _key_moments(ranked: Ranked, retold: Sequence[str]) -> tuple[KeyMoment, ...]:
    fitting = [i for i, s in enumerate(ranked.sentences) if _is_moment(s, retold[i], len(ranked.weights[i]))]
    worth = {i: ranked.scores[i] * _clarity(ranked.sentences[i], retold[i]) for i in fitting}
    count = min(_MOST_MOMENTS, -(-len(ranked.sentences) // _SENTENCES_PER_MOMENT))
    best = sorted(worth, key=lambda i: (-worth[i], i))[:count]
    return tuple(_moment(ranked.sentences[i], retold[i]) for i in sorted(best) if worth[i] >= _TELLING_SCORE)


def _is_moment(sentence: Sentence, told: str, stems: int) -> bool:
    shortest, longest = _MOMENT_WORDS
    fits = sentence.mood == "statement" and shortest <= word_count(told) <= longest and stems >= _MOMENT_STEMS
    return fits and not (is_suspicious(sentence.text) or is_suspicious(told))


def _clarity(sentence: Sentence, told: str) -> float:
    """How well a sentence stands alone."""
    return (_QUOTED if is_quoted(told) else 1) * (
        _POINTING_BACK if _PRONOUN_FIRST.match(sentence.text) else 1
    )


def _moment(sentence: Sentence, told: str) -> KeyMoment:
    return KeyMoment(sentence.said_at, told, sentence.position)
