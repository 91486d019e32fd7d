"""What a conversation says of a thread that it does not settle, as far as anybody can tell by its words: told
beside the thread, it lets the agent see what became of it. “The one on the twenty-first” – “I'm afraid we had
to pull the workshop.”
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Self
from zoneinfo import ZoneInfo

from msgspec import Struct

from voice_server.digest.dates.dates import undated, written
from voice_server.digest.threads.earlier import ThreadWords, without_names
from voice_server.digest.threads.phrases import Phrases, folded
from voice_server.domain.digest import FollowUp, KeyMoment, Speaker
from voice_server.domain.quote import answer

_LONGEST = 200  # characters of a quote that is told once more
_A_WEEK = 7  # days, in which a weekday is the one that was named
_SENTENCE = 5  # words of an answer that says enough by itself
_SURE = 2  # words of what led to a plan


def follow_ups(
    threads: Sequence[ThreadWords],
    quotes: Sequence[KeyMoment],
    names: frozenset[str],
    phrases: Phrases,
    timezone: ZoneInfo,
) -> Iterator[FollowUp]:
    """Yield for each thread the quote that shares most with it, of those that share a word of it or its day.
    `names`, in small letters, tell nothing: people greet by them."""
    called = phrases.matters(folded(" ".join(names)))
    said = [_QuoteWords.of(one, text, called, phrases, timezone) for one in quotes for text in _texts(one)]
    for one in threads:
        telling = [quote for quote in said if quote.shares(one)]
        if telling:
            best = max(telling, key=lambda quote: (quote.shares(one), *quote.worth(one)))
            yield FollowUp(one.thread.id, best.position, best.said_by, best.said_on, best.text)


def _texts(quote: KeyMoment) -> Iterator[str]:
    """Yield a quote that is short enough, and of one with a question its answer, where that is a sentence:
    “How are you?” – “That parcel of mine is a mystery.”"""
    if len(quote.text) <= _LONGEST:
        yield quote.text
        told = answer(quote.text)
        if told != quote.text and told.count(" ") >= _SENTENCE - 1:
            yield told


class _QuoteWords(Struct, frozen=True):
    """A quote with the stems of its matters and the weekdays it names."""

    text: str
    said_by: Speaker
    said_on: date
    position: int
    matters: frozenset[str]
    weekdays: frozenset[int]

    @classmethod
    def of(
        cls, quote: KeyMoment, text: str, names: frozenset[str], phrases: Phrases, timezone: ZoneInfo
    ) -> Self:
        plain = phrases.plain(undated(text))
        return cls(
            text,
            quote.said_by or "user",
            quote.said_at.astimezone(timezone).date(),
            quote.position,
            frozenset(phrases.matters(without_names(plain)) - names),
            phrases.weekdays(plain),
        )

    def worth(self, one: ThreadWords) -> tuple[bool, bool, int, int]:
        """Rank those that share as much with it: of a plan what names a day, then the user's, the latest, the
        shortest."""
        names_a_day = one.thread.kind == "plan" and (bool(self.weekdays) or undated(self.text) != self.text)
        return names_a_day, self.said_by == "user", self.position, -len(self.text)

    def shares(self, one: ThreadWords) -> int:
        """Count what it shares with a thread. By what led to it alone, a plan is meant, by two words: “the
        one on the 21st” is the workshop. Who promised something may have spoken of much before."""
        own = len(self.matters & one.own) + self._is_of_its_day(one.thread.due)
        around = len(self.matters & one.around - one.own)
        return own + around if own or (one.thread.kind == "plan" and around >= _SURE) else 0

    def _is_of_its_day(self, due: date | None) -> bool:
        if due is None:
            return False
        is_this_week = 0 <= (due - self.said_on).days < _A_WEEK
        return written(due) in self.text or (is_this_week and due.weekday() in self.weekdays)
