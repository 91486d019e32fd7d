"""What a conversation says of a thread that it does not settle, as far as anybody can tell by its words: told
beside the thread, it lets the agent see what became of it. “The one on the twenty-first” – “I'm afraid we had
to pull the workshop.”
"""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import Self
from zoneinfo import ZoneInfo

from msgspec import Struct

from voice_server.digest.dates.dates import undated, written
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.threads.closing.earlier import ThreadWords, is_promised_call
from voice_server.digest.threads.speech.phrases import Kind, Phrases, folded
from voice_server.digest.threads.speech.references import without_names
from voice_server.domain.digest import EarlierThread, FollowUp, KeyMoment, Speaker, ThreadKind, checksum
from voice_server.domain.quote import answer

_MOST = 8  # of one conversation
_LONGEST = 140  # characters of a quote that is told once more
_A_WEEK = 7  # days, in which a weekday is the one that was named
_SENTENCE = 5  # words of an answer that says enough by itself
_SURE = 2  # words in common, where it is not said how something stands
# What says how something stands: one word in common is enough beside it.
_STANDS: tuple[Kind, ...] = (
    "done", "received", "turned_up", "not_done", "missed", "cancelled", "moved", "works", "came", "fetched",
    "fits", "thanked", "asked_whether_done", "called_about", "waiting", "promise",
)  # fmt: skip
_ANEW: tuple[Kind, ...] = ("after_all", "by_now")
_COUNTED: tuple[ThreadKind, ...] = ("plan", "request")
_THERE: tuple[Kind, ...] = ("done", "received")
_MISSED: tuple[Kind, ...] = ("not_done", "missed")
_OF_ITS_OWN: tuple[Kind, ...] = ("promise", "waiting")  # may be of what was just said: “I'll check that”


def follow_ups(
    threads: Sequence[ThreadWords],
    quotes: Sequence[KeyMoment],
    names: frozenset[str],
    phrases: Phrases,
    timezone: ZoneInfo,
) -> Iterator[FollowUp]:
    """Yield for threads the quote that shares most with each; a quote is of one thread alone. `names`, in
    small letters, tell nothing: people greet by them."""
    called = phrases.matters(folded(" ".join(names)))
    said = [_QuoteWords.of(one, text, called, phrases, timezone) for one in quotes for text in _texts(one)]
    pairs = [(quote.worth(one), quote, one.thread) for one in threads for quote in said if quote.is_of(one)]
    followed, told = set[int](), set[int]()
    for _, quote, thread in sorted(pairs, key=lambda pair: pair[0], reverse=True):
        if thread.id not in followed and quote.position not in told and len(told) < _MOST:
            followed.add(thread.id)
            told.add(quote.position)
            wording = checksum(thread.text)
            by, on = quote.said_by, quote.said_on
            is_owed = thread.kind == "promise" and (quote.is_missed or quote.misses_call(thread))
            yield FollowUp(thread.id, quote.position, by, on, quote.text, wording, quote.also, is_owed)


def _numbers(text: str, tag: str) -> frozenset[str]:
    return frozenset(filter(manner(tag).is_number, words(text)))


def _texts(quote: KeyMoment) -> Iterator[str]:
    """Yield a quote that is short enough, and of one with a question its answer, where that is a sentence:
    “How are you?” – “That parcel of mine is a mystery.”"""
    if len(quote.text) <= _LONGEST:
        yield quote.text
        told = answer(quote.text)
        if told != quote.text and told.count(" ") >= _SENTENCE - 1:
            yield told


class _QuoteWords(Struct, frozen=True, dict=True):
    """A quote with the stems of its matters and the weekdays it names; as `marked`, `phrases` read it."""

    text: str
    said_by: Speaker
    said_on: date
    position: int
    also: tuple[int, ...]
    matters: frozenset[str]
    weekdays: frozenset[int]
    marked: str
    phrases: Phrases

    @classmethod
    def of(
        cls, quote: KeyMoment, text: str, names: frozenset[str], phrases: Phrases, timezone: ZoneInfo
    ) -> Self:
        plain = phrases.plain(undated(text))
        marked = phrases.marked(plain)
        dates = phrases.matters(" ".join(phrases.days(plain, marked)))  # a month in common is no matter
        return cls(
            text,
            quote.said_by or "user",
            quote.said_at.astimezone(timezone).date(),
            quote.position,
            quote.also,
            phrases.telling(phrases.matters(without_names(plain)) - names - dates),
            frozenset() if phrases.is_recurring(plain) else phrases.weekdays(plain),
            marked,
            phrases,
        )

    @cached_property
    def stands(self) -> bool:
        """Tell whether it says how something stands, or asks. Few quotes have anything to do with a thread,
        and it takes longer to find out than all else."""
        kinds = (kind for kind in _STANDS if kind not in _OF_ITS_OWN or not self._is_of_its_own)
        return "?" in self.text or any(self.phrases.has(kind, self.marked) for kind in kinds)

    @property
    def is_missed(self) -> bool:
        """“The invoice hasn't come yet”, or “Any word?” – “Not yet.” of who promised it; not “The invoice
        came, but it isn't right.”"""
        there, missed = (any(self.phrases.has(kind, self.marked) for kind in of) for of in (_THERE, _MISSED))
        return missed and not there

    def misses_call(self, thread: EarlierThread) -> bool:
        """“Nobody's rung me” is of the call that was due by then."""
        is_due = thread.due is not None and thread.due <= self.said_on
        is_untold = is_due and self.said_by == "user" and self._is_untold
        return is_untold and is_promised_call(thread, self.phrases)

    @cached_property
    def _is_untold(self) -> bool:
        return self.phrases.has("not_told", self.marked)

    @cached_property
    def _counts_anew(self) -> frozenset[str]:
        """Return the numbers of “It's thirty-five after all, the crèche wants some, too.”, which says of what
        by “it” alone."""
        is_anew = self.said_by == "user" and any(self.phrases.has(kind, self.marked) for kind in _ANEW)
        first = self.text.strip('" ').partition(",")[0] if is_anew else ""
        numbers = _numbers(first, self.phrases.tag)
        beside = self.phrases.plain(" ".join(word for word in words(first) if word not in numbers))
        for kind in _ANEW:
            beside = self.phrases.plain_besides(kind, beside, beside)
        matters = self.phrases.matters(beside)
        return frozenset() if matters else numbers

    def _is_another_count(self, thread: EarlierThread) -> bool:
        counted = _numbers(undated(thread.text), self.phrases.tag)
        return bool(counted) and counted.isdisjoint(self._counts_anew)

    @cached_property
    def _is_of_its_own(self) -> bool:
        """“I'll check that with Dan” is of what was just said, though “check the wheel” has the same word."""
        return self.said_by == "agent" and self.phrases.has("pointer", self.marked)

    def is_of(self, one: ThreadWords) -> bool:
        """Tell whether it shares the thread's day, or enough words: one, where it is half of them or beside
        what says how something stands. By what led to it alone, a plan is meant: “the one on the 21st” is the
        workshop. Who promised something may have spoken of much before."""
        if one.thread.kind == "request" and self.phrases.has("request", self.marked):
            return False  # “Please remind me to buy bread.” is of another thing than milk, or replaces it
        own, around = self._shared(one)
        is_enough = own >= _SURE or (own and (own * 2 >= len(one.own) or self.stands))
        if is_enough or self._is_of_its_day(one.thread.due) or self.misses_call(one.thread):
            return True
        if self._counts_anew and one.thread.kind in _COUNTED and self._is_another_count(one.thread):
            return True
        return one.thread.kind == "plan" and around >= _SURE

    def worth(self, one: ThreadWords) -> tuple[int, bool, bool, bool, int, int]:
        """Rank what is of a thread by what it shares: then of a plan what names a day, then what says how it
        stands, the user's, the latest, the shortest."""
        names_a_day = one.thread.kind == "plan" and (bool(self.weekdays) or undated(self.text) != self.text)
        shared = sum(self._shared(one)) + self._is_of_its_day(one.thread.due) + self.misses_call(one.thread)
        by_user = self.said_by == "user"
        return shared, names_a_day, self.stands, by_user, self.position, -len(self.text)

    def _shared(self, one: ThreadWords) -> tuple[int, int]:
        return len(self.matters & one.own), len(self.matters & one.around - one.own)

    def _is_of_its_day(self, due: date | None) -> bool:
        """Tell whether the user names the thread's day. A weekday beside its date is no other day; what the
        agent names may be anybody's."""
        if due is None or self.said_by == "agent":
            return False
        is_this_week = 0 < (due - self.said_on).days < _A_WEEK  # “Monday” said on a Monday is no today
        is_bare = undated(self.text) == self.text
        return written(due) in self.text or (is_bare and is_this_week and due.weekday() in self.weekdays)
