"""Revoking: before an address or what is known of somebody changes hands, what is cached of it is taken back,
so that nobody is told another's memory in between.

    users.move → hold → withdrawing: (check, and change what has to change) → renew, in one transaction

A rebuild or refill that had read what was before is done when the entries are forgotten, or finds its work
superseded. Redis goes behind all that may be refused: a refused change takes nobody's prompt away. Without
Redis, a job forgets the entries later.
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
from voice_server.domain.addresses.address import Address
from voice_server.queue import day_requests, index_requests, prompt_requests, queue
from voice_server.queue.names import FORGET_ADDRESS
from voice_server.store.people import agents, users
from voice_server.store.prompts import prompts

_ERASED = "erased "  # and when: why an address is to be forgotten
REDIS_PATIENCE = 1.5  # seconds for one look at it: while it hangs, what is to be done is done all the same

log = logging.getLogger(__name__)


async def hold(connection: AsyncConnection, *user_ids: str) -> None:
    """Keep anything of these users from being recorded, summed up or built until the transaction ends. Name
    all users of the transaction at once, after `users.move` and before any other lock."""
    await users.lock(connection, *user_ids)
    await day_requests.supersede(connection, user_ids)
    await prompt_requests.supersede(connection, user_ids, await agents.ids(connection))


@contextlib.asynccontextmanager
async def withdrawing(connection: AsyncConnection, redis: Redis, *user_ids: str) -> AsyncIterator[None]:
    """Forget, after the change inside, what is cached for these users, who are held, under the addresses they
    had before."""
    known_as = [one for user_id in user_ids for one in await users.addresses_of(connection, user_id)]
    await prompts.forget_copies(connection, user_ids)
    yield
    await _forget(connection, redis, known_as)


async def renew(connection: AsyncConnection, *user_ids: str) -> None:
    """Ask for the days, prompts and search index of these users, who are held."""
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
    """Have the next call over an address be nobody's redial. Without Redis the mark stays for its
    `REDIAL_WINDOW`."""
    try:
        async with asyncio.timeout(REDIS_PATIENCE):
            await prompt_cache.forget_marks(redis, await agents.ids(connection), address)
    except (RedisError, OSError) as error:
        log.warning("the redial mark of an address that changed hands stays: Redis: %s", error)


async def forget_later(
    connection: AsyncConnection, addresses: Sequence[Address], *, erased_at: datetime | None = None
) -> None:
    """Have addresses forgotten when Redis answers. With `erased_at`, the calls from them that began before
    are erased, too."""
    why = f"{_ERASED}{erased_at.isoformat()}" if erased_at else ""
    for address in sorted(addresses):
        await queue.request(connection, queue.Request(FORGET_ADDRESS, address, why))


def erased_at(why: str) -> datetime | None:
    """Return when the user of an address was erased, if that is why it is to be forgotten."""
    return datetime.fromisoformat(why.removeprefix(_ERASED)) if why.startswith(_ERASED) else None
