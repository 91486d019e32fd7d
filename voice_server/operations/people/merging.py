"""Merging two users, and parting them again, with what that means for prompts and the cache. Each function is
the first thing its transaction does.

A call that goes on meanwhile loses nothing: its binding and redial mark go by its address, and the id that
comes back with it means whom it has to mean by then (`users.resolve`).
"""

from datetime import datetime

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.operations.people import revoke
from voice_server.queue import digest_requests
from voice_server.store.conversations import chat_summaries
from voice_server.store.knowledge import day_segments
from voice_server.store.lifecycle import merges
from voice_server.store.lifecycle.merges import Merge
from voice_server.store.people import users


async def merge(
    connection: AsyncConnection, redis: Redis, from_user: str, into_user: str, *, now: datetime
) -> Merge:
    """Make one user of two: all of `from_user` is `into_user`'s. The id of a merged user means their
    survivor. Raises NotFound, and Conflict when they are one already."""
    await users.move(connection)
    from_user = await users.require(connection, from_user)
    into_user = await users.require(connection, into_user)
    await revoke.hold(connection, from_user, into_user)
    async with revoke.withdrawing(connection, redis, from_user):
        made = await merges.merge(connection, from_user, into_user, now=now)
        await day_segments.withdraw_strangers(connection, [from_user, into_user])
    await digest_requests.request_latest(connection, into_user)
    await revoke.renew(connection, into_user, from_user)
    return made


async def undo(
    connection: AsyncConnection, redis: Redis, merge_id: int, *, now: datetime, days: int
) -> Merge:
    """Make two users of one again; `store.lifecycle.merges` says what goes where. Raises NotFound; Conflict
    when it was undone before, is over `days` ago (MERGE_UNDO_DAYS), or later merges have to be undone
    first."""
    await users.move(connection)
    made = await merges.get(connection, merge_id)
    both = made.from_user, made.into_user
    await revoke.hold(connection, *both)
    async with revoke.withdrawing(connection, redis, *both):
        await chat_summaries.remove_all(connection, both)  # some may tell of both
        made = await merges.undo(connection, merge_id, now=now, days=days)
        await day_segments.withdraw_strangers(connection, both)
    for user_id in both:
        await digest_requests.request_latest(connection, user_id)
    await revoke.renew(connection, *both)
    return made
