"""A query as the search understands it: its words, who is named, which days, what kind of answer.

"When did Melanie go camping in July?"  →  words: go camp juli · said by: Melanie · days: July · asks for a time
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from voice_server.search.lexemes import lexemes, names_in
from voice_server.search.passages import USER
from voice_server.search.ranking import Asked, Corpus
from voice_server.search.when import spans

_LONGEST = 40  # words of a query that are looked for
_TIME = re.compile(
    r"\b(?:when|since when|how long|(?:what|which) (?:date|day|month|year|time|week|season))\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\bhow (?:many|much|old|often|long|far|tall|big)\b", re.IGNORECASE)
_USER = re.compile(r"\bthe (?:user|caller|customer|client|guest|patient)\b", re.IGNORECASE)
_AGENT = re.compile(r"\bthe (?:agent|assistant)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w-]*")
_OFTEN, _MOSTLY = 2, 0.8  # passages in which somebody is called so; the share of it that one of the two says


class Question(Struct, frozen=True):
    """A query before it is known who is called what. `words` are its lexemes, each once; `names` those of them
    that may be a name, with the marks under which somebody may be called so."""

    text: str
    words: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]

    @property
    def wanted(self) -> list[str]:
        """All lexemes whose places are needed to answer it."""
        return list(dict.fromkeys([*self.words, *(mark for marks in self.names.values() for mark in marks)]))


def understand(text: str, languages: Iterable[str]) -> Question:
    """A query over talk in these languages."""
    plain = _AGENT.sub(" ", _USER.sub(" ", text))
    words: dict[str, None] = {}
    names: dict[str, tuple[str, ...]] = {}
    for language in sorted(set(languages)) or [""]:
        words.update(dict.fromkeys(lexemes(plain, language)))
        names.update(names_in(plain, language))
    return Question(text, tuple(words)[:_LONGEST], names)


def ask(
    question: Question, corpus: Corpus, places: Mapping[str, bytes], now: datetime, zone: ZoneInfo
) -> Asked:
    """The query, with the places of its lexemes in this corpus. `now` is when it is asked."""
    named = {word: _who(corpus, places, marks) for word, marks in question.names.items()}
    called = {who for who in named.values() if who is not None} | _roles(question.text)
    words = [word for word in question.words if named.get(word) is None]
    return Asked(
        [places.get(word, b"") for word in words or question.words],
        by_user=called.pop() if len(called) == 1 else None,
        days=_days(question.text, now.astimezone(zone)),
        asks_time=bool(_TIME.search(question.text)),
        asks_number=bool(_NUMBER.search(question.text)),
        text=_without(question.text, [word for word, who in named.items() if who is not None]),
    )


def _without(text: str, names: Sequence[str]) -> str:
    """A query without the names of the two whose talk it is: to a vector, each message is about them."""
    spoken = [name for name in _WORD.findall(text) if any(lexeme in names for lexeme in names_in(name, "en"))]
    for name in spoken:
        text = re.sub(rf"\b{re.escape(name)}(?:['’]s)?\b", " ", text)
    return " ".join(text.split())


def _roles(text: str) -> set[bool]:
    return {by_user for by_user, role in ((True, _USER), (False, _AGENT)) if role.search(text)}


def _who(corpus: Corpus, places: Mapping[str, bytes], marks: Sequence[str]) -> bool | None:
    """Whether somebody called so is the user (True) or the agent (False): it is the other one who calls them so,
    again and again. None: neither, or it cannot be told."""
    at = corpus.find(b"".join(places.get(mark, b"") for mark in marks))
    passages = set(corpus.passage[at].tolist())
    if len(passages) < _OFTEN:
        return None
    by_user = float(corpus.has(USER)[at].mean())
    if by_user >= _MOSTLY:
        return False
    return True if by_user <= 1 - _MOSTLY else None


def _days(text: str, local: datetime) -> list[tuple[int, int]]:
    """The days a query names as unix seconds, from and to."""
    named = spans(text, local.date())
    return [(_midnight(span.first, local), _midnight(span.last + timedelta(days=1), local)) for span in named]


def _midnight(day: date, local: datetime) -> int:
    return int(datetime.combine(day, time(), local.tzinfo).timestamp())
