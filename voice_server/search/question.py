"""A query as the search understands it: its words, who is named, which days, what kind of answer.

"When did Melanie go camping in July?" → words: go camp juli · said by: Melanie · days: July · asks for a time
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from voice_server.search.dates.date_query import midnight, spans
from voice_server.search.lexemes import Word, is_unspaced, words
from voice_server.search.names import Mention, Names, bearers, speaker
from voice_server.search.passages import PLACE, USER
from voice_server.search.ranking import Corpus, RankingQuery

_LONGEST = 24  # words of a query that are looked for
_TIME = re.compile(
    r"\b(?:when|since when|how long|(?:what|which) (?:date|day|month|year|time|week|season))\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\bhow (?:many|much|old|often|long|far|tall|big)\b", re.IGNORECASE)
_USER = re.compile(r"\bthe (?:user|caller)\b", re.IGNORECASE)
_AGENT = re.compile(r"\bthe (?:agent|assistant)\b", re.IGNORECASE)
_OFTEN, _MOSTLY = 2, 0.8  # passages in which somebody is called so; the share of it that one of the two says
_OTHERWISE = 3  # times as often a name may be said at all


class Question(Struct, frozen=True):
    """A query before it is known who is called what."""

    text: str
    words: tuple[Word, ...]
    languages: tuple[str, ...]  # of the talk

    @property
    def wanted(self) -> list[str]:
        return list(dict.fromkeys(one for word in self.words for one in (*word.lexemes, *word.marks)))

    @property
    def lexemes(self) -> frozenset[str]:
        return frozenset(one for word in self.words for one in word.lexemes)


def parse(text: str, languages: Iterable[str]) -> Question:
    spoken = tuple(sorted(set(languages)))
    return Question(text, tuple(words(text, spoken or ("",))[:_LONGEST]), spoken)


def ask(
    question: Question,
    corpus: Corpus,
    places: Mapping[str, bytes],
    now: datetime,
    zone: ZoneInfo,
    *,
    names: Names = ("", ""),
) -> RankingQuery:
    """Return the query with the places of its lexemes. `now` is when it is asked. `names` are the user's and
    the agent's, as far as known: others are learned from the talk."""
    named = {word: _bearers(corpus, places, word, question.text, names) for word in question.words}
    called = [word for word, bearers in named.items() if bearers]
    mentioned = [*mentions_of(question.text, named), *roles(question.text)]
    return RankingQuery(
        [_said(word, places) for word in question.words if word not in called or len(called) == len(named)],
        by_user=speaker(question.text, mentioned),
        days=_days(question, now.astimezone(zone)),
        asks_time=bool(_TIME.search(question.text)),
        asks_number=bool(_NUMBER.search(question.text)),
        text=_without(question.text, {word.written for word in called if not is_unspaced(word.written)})
        or question.text,
    )


def _bearers(corpus: Corpus, places: Mapping[str, bytes], word: Word, text: str, names: Names) -> set[bool]:
    if known := bearers(word, text, names):
        return known
    learned = _who(corpus, places, word) if word.marks else None
    return set() if learned is None else {learned}


def mentions_of(text: str, named: Mapping[Word, set[bool]]) -> Iterator[Mention]:
    """Yield where the two are named; a name that both have says nothing."""
    for word, who in named.items():
        if len(who) == 1 and (at := text.find(word.written)) >= 0:
            yield Mention(at, at + len(word.written), *who)


def _said(word: Word, places: Mapping[str, bytes]) -> bytes:
    """Search every language: each message was indexed in its own."""
    return b"".join(places.get(lexeme, b"") for lexeme in word.lexemes)


def _without(text: str, names: Iterable[str]) -> str:
    """Drop the names of the two: to a vector, each message is about them."""
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}(?:['’]s)?\b", " ", text)
    return " ".join(text.split())


def roles(text: str) -> list[Mention]:
    """Return where a query says “the caller” or “the agent”."""
    found = ((role.search(text), by_user) for role, by_user in ((_USER, True), (_AGENT, False)))
    return [Mention(*match.span(), by_user) for match, by_user in found if match]


def _who(corpus: Corpus, places: Mapping[str, bytes], word: Word) -> bool | None:
    """Learn whether it names the user (True) or the agent (False): the other calls them so again and again,
    and the word is hardly said otherwise. None: neither, or it cannot be told."""
    at = corpus.find(b"".join(places.get(mark, b"") for mark in word.marks))
    if (
        len(set(corpus.passage[at].tolist())) < _OFTEN
        or len(_said(word, places)) > _OTHERWISE * len(at) * PLACE.itemsize
    ):
        return None
    by_user = float(corpus.has(USER)[at].mean())
    if by_user >= _MOSTLY:
        return False
    return True if by_user <= 1 - _MOSTLY else None


def _days(question: Question, local: datetime) -> list[tuple[int, int]]:
    named = spans(question.text, local.date(), question.languages)
    return [
        (midnight(span.first, local.tzinfo), midnight(span.last + timedelta(days=1), local.tzinfo))
        for span in named
    ]
