"""Is what somebody said, and is asked for later, carried by a prompt?

Of a message that answers a question, the sentence that is needed is the one which shares most with question
and answer; the rest of the message is greeting, echo, or about something else. It is carried when one line of
the prompt holds at least a given share of its content stems: words without endings, function words and
courtesies, with numbers and names. Within one line, because words gathered from all over a prompt tell
nothing. A stricter way for whoever wants the whole: the same with all sentences of the message.

The measure is the same for whatever made the prompt. It is blunt: a paraphrase in other words does not count,
a denial in the same words would. How much is due to chance shows what another dialogue's prompt seems to
carry.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from benchmarks.memory.dialogues import Dialogue, Question

from voice_server.digest.language.sentences import split
from voice_server.digest.language.stems import content_stems

Stems = frozenset[str]
_NEXT_QUOTE = re.compile(r'(?<=") (?=")')
_FEWEST = 2  # stems of a sentence that says something


def lines(prompt: str) -> list[Stems]:
    """What each line of a prompt is about; of one that goes on quoting, each quote."""
    said = (quote for line in prompt.splitlines() for quote in _NEXT_QUOTE.split(line))
    return [stems(quote) for quote in said if quote.strip()]


def stems(text: str) -> Stems:
    return frozenset(content_stems(text))


def needed_sentences(dialogue: Dialogue, now: datetime) -> list[Stems]:
    """Of every message that answers a question asked then: what the sentence is about that does; each
    once."""
    said = {turn.id: turn.text for turn in dialogue.turns(now)}
    return _each_once(
        (id_, _needed(said[id_], question))
        for question in dialogue.asked(now)
        for id_ in question.evidence
        if id_ in said
    )


def needed_messages(dialogue: Dialogue, now: datetime) -> list[Stems]:
    """Of every message that answers a question asked then: what all of it is about; each once."""
    wanted = {id_ for question in dialogue.asked(now) for id_ in question.evidence}
    return _each_once((turn.id, stems(turn.text)) for turn in dialogue.turns(now) if turn.id in wanted)


def count_carried(needed: Iterable[Stems], prompt: Sequence[Stems], threshold: float) -> int:
    """Of how many some line holds `threshold` of the stems or more."""
    return sum(any(len(about & line) >= threshold * len(about) for line in prompt) for about in needed)


def _needed(message: str, question: Question) -> Stems:
    asked = stems(f"{question.text} {question.answer}")
    told = [about for sentence in split(message) if len(about := stems(sentence)) >= _FEWEST]
    return max(told or [stems(message)], key=lambda about: (len(about & asked), len(about)))


def _each_once(found: Iterable[tuple[str, Stems]]) -> list[Stems]:
    return [about for _, about in dict.fromkeys(found) if about]
