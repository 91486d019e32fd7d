"""Erasing a conversation, or a whole user: from the commit on, nothing tells of it. Each function is the
first thing its transaction does.

    users.move → hold → withdrawing: (facts, digest, days, prompts, events, the rows themselves) → renew

Jobs that had read it find it gone, or their work superseded; events not ingested yet, or still to come, are
emptied. What was understood otherwise because of it (facts, threads, the relationship, how common a word is)
is as if it had never been.
"""

import asyncio
import logging
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import NamedTuple, get_args

import sqlalchemy as sa
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.cache import prompt_cache
from voice_server.cache.prompt_cache import BoundCall
from voice_server.domain.addresses.address import Address
from voice_server.errors import ParseError
from voice_server.operations.people import revoke
from voice_server.platforms import registry
from voice_server.queue import day_requests, digest_requests, index_requests, queue
from voice_server.queue.names import DAY_SUMMARIES, INDEX, REBUILD, timeline_key
from voice_server.store.knowledge import digests, facts, forgotten, relationships
from voice_server.store.lifecycle import erasures
from voice_server.store.lifecycle.erasures import Call, ErasableConversation, WaitingEvent
from voice_server.store.people import agents, names, users
from voice_server.tools.tool import Allowance

log = logging.getLogger(__name__)

_PAGE = 100  # events read at a time
_TOOLS: Sequence[str] = get_args(Allowance)


async def conversation(connection: AsyncConnection, redis: Redis, id_: int) -> None:
    """Erase a conversation, with all that was learned from it alone. Raises NotFound."""
    await users.move(connection)
    concerned = (await erasures.find(connection, id_)).concerned
    await revoke.hold(connection, *concerned)
    await index_requests.supersede(connection, *concerned)
    call = await erasures.find(connection, id_)  # it may have been digested while we waited
    known_as = await _known_as(connection, concerned)
    async with revoke.withdrawing(connection, redis, *concerned):
        await _unlearn(connection, call)
        await erasures.forget_prompts(connection, concerned, call)
        await erasures.delete(connection, call)
        for one in concerned:
            await names.refresh(connection, one)
        await _forget_call(redis, call, known_as)
    await revoke.renew(connection, *concerned)


async def user(connection: AsyncConnection, redis: Redis, user_id: str, *, region: str) -> None:
    """Erase a user and all who were merged into them. `region` is where national phone numbers are from.
    Raises NotFound; Conflict for a user who was merged into another."""
    bound = await _bound(connection, redis, user_id)  # before any lock: both take their time
    before = await _waiting(connection, *await _who(connection, user_id), region, 0)
    await users.move(connection)
    theirs = await erasures.everybody(connection, user_id)
    known_as = await _known_as(connection, theirs)
    since = await _waiting(connection, {*theirs}, {*known_as}, region, before.last)
    waiting = [*before.events, *since.events]
    calls = [*await erasures.calls_of(connection, theirs), *(one.call for one in waiting if one.call.id)]
    calls += await erasures.not_others(connection, theirs, [_call(one) for one in bound or []])
    known = await agents.ids(connection)
    await revoke.hold(connection, *theirs)
    await index_requests.supersede(connection, *theirs)
    async with revoke.withdrawing(connection, redis, *theirs):
        await erasures.delete_user(connection, theirs, calls)
        await erasures.empty(connection, [one.event_id for one in waiting])
        await _forget_work(connection, theirs, known)
        if not await _forget_user(redis, theirs, known, known_as, calls, bound):
            now: datetime = (await connection.execute(sa.select(sa.func.now()))).scalar_one()
            await revoke.forget_later(connection, known_as, erased_at=now)


async def _unlearn(connection: AsyncConnection, call: ErasableConversation) -> None:
    for one in call.concerned:
        await day_requests.withdraw(connection, one, call.agent_id, call.id)
        await erasures.forget_facts(connection, call, one)
    await forgotten.keep_with_user(connection, call.id)
    if await digests.remove(connection, call.id) and call.digest_of:
        await digest_requests.request_later_ones(connection, call.digest_of, call.started_at)
    for one in call.concerned:
        if one != call.digest_of:
            await facts.refresh(connection, one, call.agent_id)
            await relationships.refresh(connection, one, call.agent_id)


async def _who(connection: AsyncConnection, user_id: str) -> tuple[set[str], set[Address]]:
    theirs = await erasures.everybody(connection, user_id)
    return {*theirs}, {*await _known_as(connection, theirs)}


async def _known_as(connection: AsyncConnection, user_ids: Sequence[str]) -> list[Address]:
    return [address for one in user_ids for address in await users.addresses_of(connection, one)]


async def _bound(connection: AsyncConnection, redis: Redis, user_id: str) -> list[BoundCall] | None:
    """Return the calls bound at pre-call: some go on, of others the event is not in. None without Redis: then
    they are known by what their events will name."""
    known_as = await _known_as(connection, await erasures.everybody(connection, user_id))
    try:
        async with asyncio.timeout(revoke.REDIS_PATIENCE):
            return await prompt_cache.calls_from(redis, {*known_as})
    except (RedisError, OSError) as error:
        log.warning("which calls of a user are under way is not known: Redis: %r", error)
        return None


def _call(bound: BoundCall) -> Call:
    return Call(registry.DEFAULT.name, bound.id)


class _WaitingEvents(NamedTuple):
    """Events that tell of somebody. `last` is the id up to which events were looked at."""

    events: list[WaitingEvent]
    last: int


async def _waiting(
    connection: AsyncConnection,
    user_ids: AbstractSet[str],
    known_as: AbstractSet[Address],
    region: str,
    after: int,
) -> _WaitingEvents:
    """Read each event: an address may be spelled in many ways."""
    found, last = list[WaitingEvent](), after
    while page := await erasures.waiting(connection, last, _PAGE):
        # in a thread: an event has up to 10 MB
        found += await asyncio.to_thread(_theirs, page, user_ids, known_as, region)
        last = page[-1].event_id
    return _WaitingEvents(found, last)


def _theirs(
    events: Sequence[WaitingEvent], user_ids: AbstractSet[str], known_as: AbstractSet[Address], region: str
) -> list[WaitingEvent]:
    return [one for one in events if _is_theirs(one, user_ids, known_as, region)]


def _is_theirs(
    event: WaitingEvent, user_ids: AbstractSet[str], known_as: AbstractSet[Address], region: str
) -> bool:
    if event.user_id is not None:
        return event.user_id in user_ids
    try:
        said = registry.of(event.call.platform).parties(event.body, region)
    except ParseError:
        names = [*user_ids, *(one.partition(":")[2].removeprefix("+") for one in known_as)]
        return any(name.encode() in event.body for name in names)
    return said.user_id in user_ids if said.user_id else not known_as.isdisjoint(said.addresses)


async def _forget_work(
    connection: AsyncConnection, user_ids: Sequence[str], agent_ids: Sequence[str]
) -> None:
    keys = [timeline_key(user_id, agent_id) for user_id in user_ids for agent_id in agent_ids]
    await queue.forget(connection, [*digest_requests.KINDS, DAY_SUMMARIES, REBUILD, INDEX], keys)


async def _forget_call(redis: Redis, call: ErasableConversation, known_as: Sequence[Address]) -> None:
    try:
        async with asyncio.timeout(revoke.REDIS_PATIENCE):
            await prompt_cache.forget_bindings(redis, [call.platform_id])
            await prompt_cache.forget_counts(redis, _TOOLS, [f"{call.platform}:{call.platform_id}"])
            for address in {*known_as, Address(call.known_as)}:
                await prompt_cache.forget_mark(redis, call.agent_id, address, call.platform_id)
    except (RedisError, OSError) as error:
        log.warning("what Redis has of conversation %d goes when its time is over: %r", call.id, error)


async def _forget_user(
    redis: Redis,
    user_ids: Sequence[str],
    agent_ids: Sequence[str],
    known_as: Sequence[Address],
    calls: Sequence[Call],
    bound: Sequence[BoundCall] | None,
) -> bool:
    """Forget what Redis has of a user; return whether that was all. Calls that were `bound` also tell with
    which agents that nobody knows."""
    tokens = [f"token:{user_id}:{agent_id}" for user_id in user_ids for agent_id in agent_ids]
    called = sorted({*agent_ids, *(one.agent_id for one in bound or [])})
    ids = [*(one.id for one in calls), *(one.id for one in bound or [])]
    try:
        async with asyncio.timeout(revoke.REDIS_PATIENCE):
            await prompt_cache.forget_bindings(redis, ids)
            await prompt_cache.forget_counts(redis, _TOOLS, [f"{one.platform}:{one.id}" for one in calls])
            await prompt_cache.forget_counts(redis, _TOOLS, tokens)
            await prompt_cache.forget_traces(redis, called, {*known_as})
    except (RedisError, OSError) as error:
        log.warning("what Redis has of a user is forgotten when it answers: %r", error)
        return False
    return bound is not None
