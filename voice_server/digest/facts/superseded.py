"""What holds no more is quoted no more, though its conversation is told on.

    20 Sep: "What's your number?" – "01632 960112."   not told, nor the agent's "01632 960112, thanks."
    16 Nov: "I have a new number."                    told

Two values of one conversation are both told: somebody may have two numbers, and a correction stands with what
it puts right.
"""

from collections import defaultdict
from collections.abc import Mapping

from msgspec.structs import replace

from voice_server.digest.facts.other_words import undated_form, words
from voice_server.digest.facts.similarity import Form, is_same
from voice_server.digest.language.manner import LANGUAGES, manner
from voice_server.digest.secrets.redaction import numbers_said
from voice_server.domain.digest import KeyMoment
from voice_server.domain.fact import SupersededFact
from voice_server.domain.memory import Memory, RememberedConversation
from voice_server.domain.quote import answer

_ONE_AT_A_TIME, _OF_A_TIME = ("address", "phone", "email"), ("home", "job")
_NEARLY_ALL = 0.8
_Said = defaultdict[tuple[int, int], list[Form]]  # by conversation and message


def without_superseded(memory: Memory) -> Memory:
    """Leave out the quotes that say what another fact took the place of."""
    if not memory.superseded:
        return memory
    said: _Said = defaultdict(list)
    numbers = defaultdict[tuple[int, int], frozenset[str]](frozenset)
    for one in filter(_is_surely_over, memory.superseded):
        for conversation, position in one.outdated:
            said[conversation, position].append(undated_form(one.text))
            numbers[conversation, position + 1] |= numbers_said(one.text)
    return replace(memory, latest=tuple(_current(one, said, numbers) for one in memory.latest))


def _is_surely_over(fact: SupersededFact) -> bool:
    """Take a new way to reach somebody that is told as theirs (an answer may be another's), and what says
    nearly all that is so no more: “I take three tablets now” is of two. Of homes and work people tell the
    past, too: these are over where somebody moves or changes."""
    if fact.topic and fact.by_topic == fact.topic:
        is_told = answer(fact.by) == fact.by
        return is_told and (
            fact.topic in _ONE_AT_A_TIME or (fact.topic in _OF_A_TIME and _tells_a_change(fact.by))
        )
    said, by = words(fact.text), words(fact.by)
    kept = said & by
    others = [word for word in said - by if not _is_number(word)]
    return len(kept) >= _NEARLY_ALL * (len(kept) + len(others))


def _tells_a_change(text: str) -> bool:
    return any(manner(language).changes.search(text) for language in LANGUAGES)


def _is_number(word: str) -> bool:
    return any(manner(language).is_number(word) for language in LANGUAGES)


def _current(
    conversation: RememberedConversation, said: _Said, numbers: Mapping[tuple[int, int], frozenset[str]]
) -> RememberedConversation:
    def holds(moment: KeyMoment) -> bool:
        place = conversation.id, moment.position
        gone = said.get(place, ())
        is_over = any(is_same(undated_form(moment.text), one) for one in gone)
        return not (is_over or _reads_back(moment, numbers.get(place, frozenset())))

    return replace(conversation, key_moments=tuple(filter(holds, conversation.key_moments)))


def _reads_back(moment: KeyMoment, numbers: frozenset[str]) -> bool:
    """“01632 960112, thanks.”"""
    return moment.said_by == "agent" and not numbers.isdisjoint(numbers_said(moment.text) if numbers else ())
