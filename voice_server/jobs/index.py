"""Index: what was said becomes findable.

    what there is to do (state) ── search.passages (pure, in a thread) ──→ passages, places of each lexeme

What came in, or went on, is added. Where something was taken away (told anew, another user's, erased), the
whole timeline is indexed anew, so that no word of it is left behind.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message
from voice_server.queue import index_requests, queue, rounds
from voice_server.queue.names import timeline_of
from voice_server.queue.rounds import AT_ONCE, Look, Pace
from voice_server.search import lexemes, passages
from voice_server.search.passages import IndexedPassages
from voice_server.store.search import search_index
from voice_server.store.search.search_index import IndexGaps, NewPassage, State, UnindexedConversation

_PAGE = 10_000  # conversations, or timelines, looked at in one transaction
_BATCH = 500  # asked for in it at most


async def catch_up(engine: AsyncEngine, pace: Pace = AT_ONCE) -> None:
    """Ask for the index of talk from before there was an index, and of what was changed behind our back."""
    await rounds.go(engine, "index of conversations", _asking(search_index.behind), pace)
    await rounds.go(engine, "index of timelines", _asking(search_index.with_gaps), pace)


def _asking(find: Callable[[AsyncConnection, int, int, int], Awaitable[IndexGaps]]) -> Look:
    """Ask for what `find` finds, in the order of the keys: no deadlock."""

    async def look(connection: AsyncConnection, position: str) -> str:
        found = await find(connection, int(position or 0), _PAGE, _BATCH)
        for user_id, agent_id in found.timelines:
            await index_requests.request(connection, user_id, agent_id)
        return "" if found.last is None else str(found.last)

    return look


class _Work(Struct, frozen=True):
    state: State
    indexed: tuple[IndexedPassages, ...]


class Index:
    async def prepare(self, connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        works = {key: await self._prepare(connection, key) for key in keys}

        async def apply(connection: AsyncConnection, due: Sequence[str]) -> None:
            for key in due:
                await _apply(connection, works[key])

        return apply

    async def _prepare(self, connection: AsyncConnection, key: str) -> _Work:
        user_id, agent_id = timeline_of(key)
        state = await search_index.state(connection, user_id, agent_id)
        # in threads: a year of talk takes seconds, and heartbeats must go on
        if await asyncio.to_thread(_take_back, state.unindexed):
            state = await search_index.state(connection, user_id, agent_id, whole=True)
        return _Work(state, await asyncio.to_thread(_index, state))


def _index(state: State) -> tuple[IndexedPassages, ...]:
    return tuple(passages.index([_sayings(one, state.users_language) for one in state.unindexed]))


def _take_back(unindexed: Sequence[UnindexedConversation]) -> bool:
    return any(map(_takes_back, unindexed))


def _takes_back(one: UnindexedConversation) -> bool:
    """Tell whether it asks for something to be forgotten that is indexed already."""
    before = [message for message in one.messages if message.position <= one.until]
    withheld = consent.withheld(one.messages) - consent.withheld(before)
    return any(position <= one.until for position in withheld)


def _sayings(one: UnindexedConversation, users_language: str) -> tuple[list[Message], str]:
    kept = consent.kept(one.messages)
    language = lexemes.language_of(
        [message.content for message in one.messages], one.language, users_language
    )
    return [message for message in kept if message.position > one.until], language


async def _apply(connection: AsyncConnection, work: _Work) -> None:
    state = work.state
    if not state.whole and not state.unindexed:
        return
    timeline_id, base = await search_index.begin(connection, state.user_id, state.agent_id, whole=state.whole)
    if state.unindexed:
        words = passages.joined(work.indexed, base)
        await search_index.add(connection, timeline_id, base, state.unindexed, _passages(work, base), words)


def _passages(work: _Work, base: int) -> list[NewPassage]:
    made: list[NewPassage] = []
    offset = 0
    for conversation, indexed in zip(work.state.unindexed, work.indexed, strict=True):
        for one in indexed.passages:
            packed = (one.positions, one.seconds, one.lengths, one.kinds)
            new = NewPassage(conversation.id, offset, one.size, one.starts_at, one.language, *packed)
            made.append(_going_on(new, conversation, base) or new)
            offset += one.size
    return made


def _going_on(new: NewPassage, conversation: UnindexedConversation, base: int) -> NewPassage | None:
    """Join it to the passage before: in a chat, an answer would else stand apart from its question."""
    last = conversation.last
    if last is None or base + new.offset != last.base + last.size or new.language != last.language:
        return None
    said = [one.said_at for one in conversation.messages if one.position <= conversation.until]
    if new.starts_at - said[-1] >= passages.PAUSE or last.size + new.size > passages.LONGEST:
        return None
    seconds = passages.later(new.seconds, new.starts_at - last.starts_at)
    return replace(new, offset=new.offset - last.size, starts_at=last.starts_at, seconds=seconds)
