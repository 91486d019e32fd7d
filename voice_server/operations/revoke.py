"""Revoking: before an address or what is known of somebody changes hands, what is cached of it is taken back,
so that nobody is told another one's memory in between.

    users.move → hold → withdrawing: (check, and change what has to change) → renew, in one transaction

A rebuild or a refill that had read what was before is either done when the entries are forgotten, or finds
that its work is superseded. Redis goes last before the commit: what is refused takes nobody's prompt away,
and if the commit fails, the next call finds no entry, which is put again. When Redis does not answer, a job
forgets the entries as soon as it does.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.cache import prompt_cache
from voice_server.domain.address import Address
from voice_server.queue import day_requests, index_requests, prompt_requests, queue
from voice_server.queue.names import FORGET_ADDRESS
from voice_server.store.people import agents, users
from voice_server.store.prompts import prompts

_ERASED = "erased "  # and when: why an address is to be forgotten
REDIS_PATIENCE = 1.5  # seconds for one look at it: while it hangs, what is to be done is done all the same

log = logging.getLogger(__name__)


async def hold(connection: AsyncConnection, *user_ids: str) -> None:
    """Until the transaction ends, nothing is recorded of these users, no day summed up and no prompt
    built. Names all users of the transaction at once, after `users.move` and before any other lock."""
    await users.lock(connection, *user_ids)
    await day_requests.supersede(connection, user_ids)
    await prompt_requests.supersede(connection, user_ids, await agents.ids(connection))


@contextlib.asynccontextmanager
async def withdrawing(connection: AsyncConnection, redis: Redis, *user_ids: str) -> AsyncIterator[None]:
    """Around a change: forget what is cached for these users, who are held, under all the addresses they
    had before it; nothing when the change is refused."""
    known_as = [one for user_id in user_ids for one in await users.addresses_of(connection, user_id)]
    await prompts.forget_copies(connection, user_ids)
    yield
    await _forget(connection, redis, known_as)


async def renew(connection: AsyncConnection, *user_ids: str) -> None:
    """Ask for all days, prompts and the search index of these users, who are held: as everything is when the
    transaction has ended."""
    for user_id in sorted(set(user_ids)):
        for agent_id in await users.agents_of(connection, user_id):
            await day_requests.request(connection, user_id, agent_id, "edit")
            await prompt_requests.request(connection, user_id, agent_id)
    await index_requests.request_all(connection, *user_ids)


async def _forget(connection: AsyncConnection, redis: Redis, addresses: Sequence[Address]) -> None:
    try:
        async with asyncio.timeout(REDIS_PATIENCE):
            await prompt_cache.remove(redis, await agents.ids(connection), addresses)
    except (RedisError, OSError) as error:
        log.warning("entries of %d addresses are forgotten later: Redis: %s", len(addresses), error)
        await forget_later(connection, addresses)


async def forget_marks(connection: AsyncConnection, redis: Redis, address: Address) -> None:
    """Have the next call over an address be nobody's redial: it may be somebody else. Without Redis the mark
    stays for its `REDIAL_WINDOW`."""
    try:
        async with asyncio.timeout(REDIS_PATIENCE):
            await prompt_cache.forget_marks(redis, await agents.ids(connection), address)
    except (RedisError, OSError) as error:
        log.warning("the redial mark of an address that changed hands stays: Redis: %s", error)


async def forget_later(
    connection: AsyncConnection, addresses: Sequence[Address], *, erased_at: datetime | None = None
) -> None:
    """Have what Redis has of these addresses forgotten when it answers; `erased_at`: their user was erased,
    and so are the calls from them that began before."""
    why = f"{_ERASED}{erased_at.isoformat()}" if erased_at else ""
    for address in sorted(addresses):
        await queue.request(connection, queue.Request(FORGET_ADDRESS, address, why))


def erased_at(why: str) -> datetime | None:
    """When the user of an address was erased, if that is why it is to be forgotten."""
    return datetime.fromisoformat(why.removeprefix(_ERASED)) if why.startswith(_ERASED) else None
