"""A query as the search understands it: its words, who is named, which days, what kind of answer.

"When did Melanie go camping in July?"  →  words: go camp juli · said by: Melanie · days: July · asks for a time
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from voice_server.search.lexemes import SHORTEST_NAME, Word, words
from voice_server.search.passages import PLACE, USER
from voice_server.search.ranking import Asked, Corpus
from voice_server.search.when import midnight, spans

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
        """All lexemes whose places are needed to answer it."""
        return list(dict.fromkeys(one for word in self.words for one in (*word.lexemes, *word.marks)))

    @property
    def is_uncased(self) -> bool:
        """Whether it is written without capitals, as recognisers do: any word may be a name then."""
        return self.text == self.text.lower()

    @property
    def lexemes(self) -> frozenset[str]:
        """What its words look like in a text."""
        return frozenset(one for word in self.words for one in word.lexemes)


class Names(Struct, frozen=True):
    """What the two are called whose talk is searched; "" where nobody knows."""

    user: str = ""
    agent: str = ""

    def whose(self, word: Word) -> bool | None:
        """Whether a word of a query names the user (True) or the agent (False); None for neither, and for both."""
        spoken = word.written.casefold()
        user, agent = (_is_part_of(spoken, name) for name in (self.user, self.agent))
        return user if user != agent else None


def understand(text: str, languages: Iterable[str]) -> Question:
    """A query over talk in these languages."""
    spoken = tuple(sorted(set(languages)))
    return Question(text, tuple(words(text, spoken or ("",))[:_LONGEST]), spoken)


def ask(
    question: Question,
    corpus: Corpus,
    places: Mapping[str, bytes],
    now: datetime,
    zone: ZoneInfo,
    names_of_two: Names = Names(),  # noqa: B008 (frozen)
) -> Asked:
    """The query, with the places of its lexemes in this corpus. `now` is when it is asked."""
    named = {
        word.written: _who(corpus, places, word, names_of_two)
        for word in question.words
        if word.marks or question.is_uncased
    }
    names = {written for written, who in named.items() if who is not None}
    called = {who for who in named.values() if who is not None} | _roles(question.text)
    asked = [word for word in question.words if word.written not in names] or question.words
    return Asked(
        [_said(word, places) for word in asked],
        by_user=called.pop() if len(called) == 1 else None,
        days=_days(question, now.astimezone(zone)),
        asks_time=bool(_TIME.search(question.text)),
        asks_number=bool(_NUMBER.search(question.text)),
        text=_without(question.text, names) or question.text,
    )


def _is_part_of(spoken: str, name: str) -> bool:
    """Whether a word is one of a name's, or the short form of one: "mel" of "Melanie"."""
    parts = name.casefold().split()
    return spoken in parts or (len(spoken) >= SHORTEST_NAME and any(one.startswith(spoken) for one in parts))


def _said(word: Word, places: Mapping[str, bytes]) -> bytes:
    """Where a word was said, in whichever language: each message was indexed in its own."""
    return b"".join(places.get(lexeme, b"") for lexeme in word.lexemes)


def _without(text: str, names: Iterable[str]) -> str:
    """A query without the names of the two whose talk it is: to a vector, each message is about them."""
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}(?:['’]s)?\b", " ", text)
    return " ".join(text.split())


def _roles(text: str) -> set[bool]:
    return {by_user for by_user, role in ((True, _USER), (False, _AGENT)) if role.search(text)}


def _who(corpus: Corpus, places: Mapping[str, bytes], word: Word, names: Names) -> bool | None:
    """Whether somebody called so is the user (True) or the agent (False). None: neither, or it cannot be told."""
    known = names.whose(word)
    return _heard_as(corpus, places, word) if known is None else known


def _heard_as(corpus: Corpus, places: Mapping[str, bytes], word: Word) -> bool | None:
    """The same from the talk: it is the other one who calls them so, again and again, and who hardly says the word
    otherwise."""
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
    """The days a query names as unix seconds, from and to."""
    named = spans(question.text, local.date(), question.languages)
    return [
        (midnight(span.first, local.tzinfo), midnight(span.last + timedelta(days=1), local.tzinfo))
        for span in named
    ]
