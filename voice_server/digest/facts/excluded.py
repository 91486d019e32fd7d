"""What a person excluded is told nowhere, whoever says it in which words.

    excluded                                           not told either
    "I fell off my bike and hurt my left knee."        what else was said in the messages it rests on
                                                       "You hurt your left knee falling off your bike?"
    in any other conversation                          "Since I fell off my bike and hurt my left knee, …"

In the conversations it rests on, what shares most of its words is left out: they may be told again there in
others. Elsewhere it takes all of them. Other facts each have a row of their own: a person excludes them by
themselves. But a conversation that is understood anew, as by a model, may make one fact more of the same: of
such a one an excluded fact names no message any more (`digest.facts.reconcile`).
"""

from collections import defaultdict
from collections.abc import Sequence
from math import ceil

from msgspec.structs import replace

from voice_server.context.layout.budget import sentences
from voice_server.context.sections.quotes import undated
from voice_server.digest.facts.similarity import Form, form, is_same
from voice_server.domain.days import summary_section
from voice_server.domain.digest import KeyMoment
from voice_server.domain.fact import Fact, WithheldFact
from voice_server.domain.memory import Memory, RememberedConversation, SummarisedDay
from voice_server.domain.quote import answer

_MOST = 0.6  # of the words of the shorter of two texts: rather too much is left out than too little
_FEWEST = 2  # words that are found again in other conversations: "Promise." is said of anything


class ExclusionFilter:
    def __init__(self, facts: Sequence[WithheldFact]) -> None:
        self._forms = [_form(one.text) for one in facts]
        self._messages = {
            (source.conversation_id, position)
            for one in facts
            for source in one.sources
            for position in source.positions
        }
        self._words: defaultdict[int, list[frozenset[str]]] = defaultdict(list)
        self._anew: defaultdict[int, list[frozenset[str]]] = defaultdict(list)
        for one in facts:
            words = [_words(wording) for wording in _wordings(one.text)]
            for source in one.sources:
                self._words[source.conversation_id] += words
                self._anew[source.conversation_id] += () if source.positions else words

    def __bool__(self) -> bool:
        return bool(self._forms)

    def tells(self, text: str, *conversations: int) -> bool:
        """Whether a text of these conversations, or of none, tells any of it."""
        said = _form(text)
        return any(_has(said, fact) for fact in self._forms) or any(
            _has_most(_words(said), fact) for id_ in conversations for fact in self._words.get(id_, ())
        )

    def tells_anew(self, fact: Fact) -> bool:
        """Whether a fact is one of these in other words, of conversations that were understood anew."""
        said = _words(_form(fact.text))
        return bool(fact.sources) and all(
            any(_has_most(said, one) for one in self._anew.get(source.conversation_id, ()))
            for source in fact.sources
        )

    def rests_on(self, conversation_id: int, position: int) -> bool:
        """Whether any of it rests on this message."""
        return (conversation_id, position) in self._messages


def without_excluded(memory: Memory) -> Memory:
    """Leave out what tells of the excluded facts: what a model made of the same, quotes, sentences of
    summaries, days, open threads, thoughts."""
    hidden = ExclusionFilter([one for one in memory.withheld if one.excluded])
    if not hidden:
        return memory
    return replace(
        memory,
        facts=tuple(one for one in memory.facts if one.pinned or not hidden.tells_anew(one)),
        open_threads=tuple(one for one in memory.open_threads if not hidden.tells(one.text)),
        thoughts=tuple(one for one in memory.thoughts if not hidden.tells(one.text)),
        days=tuple(one for one in memory.days if not _day_tells(one, hidden)),
        latest=tuple(_kept(one, hidden) for one in memory.latest),
    )


def _day_tells(day: SummarisedDay, hidden: ExclusionFilter) -> bool:
    return any(hidden.tells(one, *day.conversations) for one in sentences(summary_section(day.summary)))


def _kept(conversation: RememberedConversation, hidden: ExclusionFilter) -> RememberedConversation:
    id_ = conversation.id

    def tells(moment: KeyMoment) -> bool:
        return hidden.rests_on(id_, moment.position) or hidden.tells(moment.text, id_)

    kept = (one for one in sentences(conversation.summary) if not hidden.tells(one, id_))
    return replace(
        conversation,
        summary="".join(kept).strip(),
        noted=tuple(one for one in conversation.noted if not hidden.tells(one, id_)),
        key_moments=tuple(one for one in conversation.key_moments if not tells(one)),
    )


def _wordings(text: str) -> set[Form]:
    """What a fact says, and what its answer alone does: retold, an answer rarely has its question."""
    return {_form(text), _form(answer(text))}


def _form(text: str) -> Form:
    """What a text says, whether or not the day it names is beside it."""
    return form(undated(text))


def _has(said: Form, fact: Form) -> bool:
    words = _words(fact)
    return is_same(said, fact) or (len(words) >= _FEWEST and words <= _words(said))


def _words(said: Form) -> frozenset[str]:
    return said.stems.union(said.exact)


def _has_most(said: frozenset[str], fact: frozenset[str]) -> bool:
    """Whether they share most of the words of the shorter: a model may make two of one."""
    return len(said & fact) >= max(1, ceil(_MOST * min(len(said), len(fact))))
