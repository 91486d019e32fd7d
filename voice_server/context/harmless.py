"""A memory without what reads like an instruction. Digests and facts are screened before they are kept; what
platforms and earlier releases kept is not."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from voice_server.context.layout.budget import Omission
from voice_server.context.screening.hygiene import is_instruction, neutralise
from voice_server.context.sections import (
    inner_life,
    last_time,
    long_term_memory,
    open_threads,
    today_so_far,
)
from voice_server.domain.conversation import message_id
from voice_server.domain.memory import Memory, RememberedConversation, without_follow_ups
from voice_server.runtime.remembered_checks import RememberedChecks

RULE = "reads like an instruction"
_Count = Callable[[str], int]
_T = TypeVar("_T")


# A prompt is made again and again, and little of it is new.
_instructs = RememberedChecks(is_instruction, 50_000).of


def harmless(memory: Memory, count: _Count) -> tuple[Memory, tuple[Omission, ...]]:
    """Return the harmless memory, and what was left out."""
    kept = replace(
        memory,
        user_name="" if _instructs(memory.user_name) else neutralise(memory.user_name),
        user_nickname="" if _instructs(memory.user_nickname) else neutralise(memory.user_nickname),
        latest=tuple(map(_harmless, memory.latest)),
        days=_without(memory.days, lambda one: one.summary),
        open_threads=without_follow_ups(
            _without(memory.open_threads, lambda one: one.text), lambda said: _instructs(said.text)
        ),
    )
    return kept, tuple(left_out(memory, kept, count, RULE))


def _harmless(conversation: RememberedConversation) -> RememberedConversation:
    return replace(
        conversation,
        summary="" if _instructs(conversation.summary) else conversation.summary,
        noted=_without(conversation.noted, str),
        key_moments=tuple(one for one in conversation.key_moments if one.said_by or not _instructs(one.text)),
    )


def _without(items: Iterable[_T], text: Callable[[_T], str]) -> tuple[_T, ...]:
    return tuple(one for one in items if not _instructs(text(one)))


def left_out(memory: Memory, kept: Memory, count: _Count, rule: str) -> Iterator[Omission]:
    for before, after in zip(memory.latest, kept.latest, strict=True):
        source = f"conversations/{before.id}"
        if before.summary != after.summary:
            yield Omission(last_time.NAME, source, count(before.summary) - count(after.summary), rule)
        for text in _gone(before.noted, after.noted):
            yield Omission(last_time.NAME, source, count(text), rule)
        for moment in _gone(before.key_moments, after.key_moments):
            yield Omission(
                today_so_far.NAME, f"messages/{before.id}:{moment.position}", count(moment.text), rule
            )
    for day in _gone(memory.days, kept.days):
        yield Omission(today_so_far.NAME, f"day_segments/{day.id}", count(day.summary), rule)
    yield from _threads_left_out(memory, kept, count, rule)
    for thought in _gone(memory.thoughts, kept.thoughts):
        yield Omission(inner_life.NAME, f"thoughts/{thought.id}", count(thought.text), rule)
    for fact in _gone(memory.facts, kept.facts):
        yield Omission(long_term_memory.NAME, f"facts/{fact.id}", count(fact.text), rule)


def _threads_left_out(memory: Memory, kept: Memory, count: _Count, rule: str) -> Iterator[Omission]:
    told = {thread.id: thread for thread in kept.open_threads}
    for thread in memory.open_threads:
        said = thread.follow_up
        if thread.id not in told:
            yield Omission(open_threads.NAME, f"open_threads/{thread.id}", count(thread.text), rule)
        elif said and told[thread.id].follow_up is None:
            source = f"messages/{message_id(said.conversation_id, said.position)}"
            yield Omission(open_threads.NAME, source, count(said.text), rule)


def _gone(before: Sequence[_T], after: Sequence[_T]) -> Sequence[_T]:
    return () if before == after else [one for one in before if one not in after]
