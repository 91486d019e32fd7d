"""The summary of a day without a model: what its conversations were understood to be about, in sections.

Pure. Nothing is understood anew but goals and decisions, which conversations are not digested for; and what was
said in a conversation that is not digested yet, or of which only a part belongs to the day.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from voice_server.context import words
from voice_server.context.hygiene import is_suspicious, neutralise
from voice_server.digest import extractive
from voice_server.digest.decisions import is_decision
from voice_server.digest.goals import is_goal
from voice_server.digest.languages import is_english, spoken_language
from voice_server.digest.sentences import Sentence, sentences, split, spoken
from voice_server.digest.utterance import Parties, told, utterances
from voice_server.domain.conversation import Message
from voice_server.domain.day import DaySummary
from voice_server.domain.digest import ThreadKind

KEYWORDS = 60
_SENTENCES, _FEWEST_SENTENCES = 24, 2  # of all conversations together, and of each
_MOST_ITEMS = 6  # of one section
_FIRST_RANKS = 10.0  # what comes first weighs more, but not all
_NEXT: frozenset[ThreadKind] = frozenset({"promise", "plan"})


class Thread(Struct, frozen=True):
    """What a conversation of the day left open."""

    kind: ThreadKind
    text: str


class DaysTalk(Struct, frozen=True):
    """What one conversation has to do with a day: the messages of it that were said that day and may be remembered,
    and what was understood from it; nothing ("" and empty) while it is not digested. `whole`: the day has all of
    it."""

    messages: tuple[Message, ...]
    zone: ZoneInfo
    language: str = ""
    whole: bool = True
    digested: bool = False
    summary: str = ""
    keywords: tuple[str, ...] = ()
    threads: tuple[Thread, ...] = ()

    @property
    def began(self) -> datetime:
        """When, on the user's clocks."""
        return self.messages[0].said_at.astimezone(self.zone)


class Understood(Struct, frozen=True):
    """A day's summary, and the stems that make it findable, most telling first."""

    summary: DaySummary
    keywords: tuple[str, ...]


def understand(talks: Sequence[DaysTalk], *, user: str, agent: str) -> Understood:
    """What a day was about: its conversations in the order they began. Never raises on any text."""
    parties = Parties(user, agent)
    known = [_known(one, parties) for one in talks]
    threads = [thread for one in known for thread in one.threads]
    said = [(one.zone, _sentences(one, parties)) for one in known]
    summary = DaySummary(
        summary=tuple(_summaries(known)),
        goals=_stated(said, parties, is_goal),
        decisions=_stated(said, parties, is_decision),
        open_loops=_items(thread.text for thread in threads if thread.kind not in _NEXT),
        next_steps=_items(thread.text for thread in threads if thread.kind in _NEXT),
    )
    return Understood(summary, _keywords(known))


def _known(talk: DaysTalk, parties: Parties) -> DaysTalk:
    """The conversation as understood: by its digest, or here, as far as it belongs to the day."""
    if talk.digested and talk.whole:
        return talk
    made = extractive.digest(
        talk.messages, user=parties.user, agent=parties.agent, timezone=talk.zone, language=talk.language
    )
    threads = tuple(Thread(one.kind, one.text) for one in made.open_threads)
    return replace(talk, summary=made.summary, keywords=made.keywords, threads=threads)


def _summaries(talks: Sequence[DaysTalk]) -> Iterator[str]:
    """Of several conversations each with the time it began; the more there are, the less of each."""
    most = max(_FEWEST_SENTENCES, _SENTENCES // max(1, len(talks)))
    for one in talks:
        text = neutralise(" ".join(split(one.summary)[:most]))
        if text and len(talks) > 1:
            yield f"{words.time_of_day(one.began)}: {text}"
        elif text:
            yield text


def _sentences(talk: DaysTalk, parties: Parties) -> list[Sentence]:
    """The user's. In English: of other languages we understand no cues."""
    said = [one for one in spoken(talk.messages) if one.role == "user"]
    if not is_english(spoken_language([one.content for one in said], talk.language)):
        return []
    harmless = [one for one in said if not is_suspicious(one.content)]
    return sentences(harmless, (parties.user, parties.agent))


def _stated(
    said: Iterable[tuple[ZoneInfo, list[Sentence]]], parties: Parties, cue: Callable[[Sentence], bool]
) -> tuple[str, ...]:
    """What matches a cue, as it is told."""
    found = ((zone, [one for one in there if cue(one)]) for zone, there in said)
    return _items(told(one) for zone, there in found for one in utterances(there, parties, zone))


def _items(texts: Iterable[str]) -> tuple[str, ...]:
    """Each once; of too many the latest."""
    clean = (neutralise(one) for one in texts)
    once = dict.fromkeys(one for one in clean if one and not is_suspicious(one))
    return tuple(once)[-_MOST_ITEMS:]


def _keywords(talks: Sequence[DaysTalk]) -> tuple[str, ...]:
    """Of all conversations together, by how far ahead they stand in each."""
    weights: defaultdict[str, float] = defaultdict(float)
    for one in talks:
        for rank, stem in enumerate(one.keywords):
            weights[stem] += 1 / (_FIRST_RANKS + rank)
    return tuple(sorted(weights, key=lambda stem: (-weights[stem], stem))[:KEYWORDS])
