"""What a person excluded is told nowhere, whoever says it in which words.

    excluded                                           not told either
    "I fell off my bike and hurt my left knee."        what else was said in the messages it rests on
                                                       "You hurt your left knee falling off your bike?"
    in any other conversation                          "Since I fell off my bike and hurt my left knee, …"

In the conversations it rests on, a text with most of its words is left out; elsewhere only one with all of
them. What a conversation that is understood anew makes of the same: see `digest.facts.reconcile`.
"""

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from voice_server.context.layout.budget import sentences
from voice_server.digest.facts.other_words import Words, tells_most, undated_form, wordings, words_of
from voice_server.digest.facts.similarity import Form, is_same
from voice_server.domain.days import summary_section
from voice_server.domain.digest import KeyMoment
from voice_server.domain.fact import WithheldFact
from voice_server.domain.memory import (
    KnownFollowUp,
    KnownThread,
    Memory,
    RememberedConversation,
    SummarisedDay,
    without_follow_ups,
)

_FEWEST = 2  # words that are found again in other conversations: "Promise." is said of anything


class ExclusionFilter:
    def __init__(self, facts: Sequence[WithheldFact]) -> None:
        self._forms = [undated_form(one.text) for one in facts]
        self._messages = {
            (source.conversation_id, position)
            for one in facts
            for source in one.sources
            for position in source.positions
        }
        self._words: defaultdict[int, list[Words]] = defaultdict(list)
        for one in facts:
            for source in one.sources:
                self._words[source.conversation_id] += wordings(one.text)

    def __bool__(self) -> bool:
        return bool(self._forms)

    def tells(self, text: str, *conversations: int) -> bool:
        """Tell whether a text of these conversations, or of none, tells any of it."""
        said = undated_form(text)
        return any(_has(said, fact) for fact in self._forms) or any(
            tells_most(words_of(said), fact) for id_ in conversations for fact in self._words.get(id_, ())
        )

    def rests_on(self, conversation_id: int, position: int) -> bool:
        return (conversation_id, position) in self._messages


def without_excluded(memory: Memory) -> Memory:
    """Leave out what tells of excluded facts: quotes, sentences of summaries, days, open threads,
    thoughts."""
    hidden = ExclusionFilter([one for one in memory.withheld if one.excluded])
    if not hidden:
        return memory
    return replace(
        memory,
        open_threads=without_follow_ups(
            (one for one in memory.open_threads if not _thread_tells(one, hidden)),
            lambda said: _follow_up_tells(said, hidden),
        ),
        thoughts=tuple(one for one in memory.thoughts if not hidden.tells(one.text)),
        days=tuple(one for one in memory.days if not _day_tells(one, hidden)),
        latest=tuple(_kept(one, hidden) for one in memory.latest),
    )


def _day_tells(day: SummarisedDay, hidden: ExclusionFilter) -> bool:
    return any(hidden.tells(one, *day.conversations) for one in sentences(summary_section(day.summary)))


def _thread_tells(thread: KnownThread, hidden: ExclusionFilter) -> bool:
    return hidden.tells(thread.text, *[id_ for id_ in [thread.conversation_id] if id_ is not None])


def _follow_up_tells(said: KnownFollowUp, hidden: ExclusionFilter) -> bool:
    rests_on_it = any(hidden.rests_on(said.conversation_id, position) for position in said.positions)
    return rests_on_it or hidden.tells(said.text, said.conversation_id)


def _kept(conversation: RememberedConversation, hidden: ExclusionFilter) -> RememberedConversation:
    id_ = conversation.id

    def tells(moment: KeyMoment) -> bool:
        positions = (moment.position, *moment.also)
        return any(hidden.rests_on(id_, one) for one in positions) or hidden.tells(moment.text, id_)

    kept = (one for one in sentences(conversation.summary) if not hidden.tells(one, id_))
    return replace(
        conversation,
        summary="".join(kept).strip(),
        noted=tuple(one for one in conversation.noted if not hidden.tells(one, id_)),
        key_moments=tuple(one for one in conversation.key_moments if not tells(one)),
    )


def _has(said: Form, fact: Form) -> bool:
    words = words_of(fact)
    return is_same(said, fact) or (len(words) >= _FEWEST and words <= words_of(said))
