"""Whose call it is, said by a tool or the host application, also after its event came in. What was understood
from it is taken back from whoever it was taken for, and understood anew."""

import contextlib
import logging
from collections.abc import AsyncIterator, Sequence

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.cache import prompt_cache
from voice_server.domain.addresses.address import Address
from voice_server.errors import Conflict
from voice_server.operations import learning, settle_notes
from voice_server.operations.people import revoke
from voice_server.queue import note_requests
from voice_server.store.conversations import conversations
from voice_server.store.conversations.conversations import StoredConversation
from voice_server.store.knowledge import notes
from voice_server.store.people import agents, identifications, shared_lines, users

log = logging.getLogger(__name__)


class Call(Struct, frozen=True):
    """A conversation by its platform's id; it may not have ended yet."""

    platform: str
    id: str


async def identify(
    connection: AsyncConnection,
    redis: Redis,
    call: Call,
    user_id: str,
    *,
    agent_id: str = "",
    anywhere: bool = False,
) -> str:
    """Note that this user is on the line; return who they are now. The first thing its transaction does; the
    latest word counts.

    Only the owner of the line, or a member of a shared line, can be named: no caller talks themselves into a
    stranger's memory. `anywhere` lifts that, for a host application that knows: somebody calls from a
    friend's phone. `agent_id` says with whom they talk where the platform did not ask us, so that tools work.
    Raises NotFound for an unknown user or agent, Conflict when the user is no member.
    """
    await users.move(connection)
    user = await users.require(connection, user_id)
    if agent_id:
        await agents.require(connection, agent_id)
    known = await conversations.find(connection, call.platform, call.id)
    if not anywhere:
        await _require_member(connection, await _line(redis, call, known), user)
    noted_for = await notes.owners(connection, call.platform, call.id)
    await identifications.put(connection, call.platform, call.id, user_id, agent_id)
    if known is not None and known.user_id != user:
        await _reassign(connection, redis, call, known, user, noted_for)
    elif noted_for not in ([], [user]):
        await _take_over(connection, redis, call, user, noted_for)
    return user


async def _require_member(connection: AsyncConnection, line: Address | None, user: str) -> None:
    if line is None:
        raise Conflict(
            "It is not known over which line this call came: no call of that id was asked about yet."
        )
    theirs = await users.find(connection, [line]) == user
    if not theirs and not await shared_lines.has_member(connection, line, user):
        raise Conflict(
            f"User {user} cannot be named: the call came over {line}, of which they are no member. Make it a "
            "shared line and them a member, or let the host application say that it may be anywhere."
        )


async def _line(redis: Redis, call: Call, known: StoredConversation | None) -> Address | None:
    if known is not None:
        return Address(known.known_as) if known.known_as else None
    try:
        bound = await prompt_cache.binding(redis, call.id)
    except (RedisError, OSError) as error:
        log.warning("no binding for %s: Redis: %s", call.id, error)
        return None
    return bound.address if bound else None


async def _reassign(
    connection: AsyncConnection,
    redis: Redis,
    call: Call,
    known: StoredConversation,
    user: str,
    noted_for: Sequence[str],
) -> None:
    if known.user_id is None and not noted_for:
        await users.lock(connection, user)
        await conversations.move(connection, known.id, user)
    else:
        before = [known.user_id] if known.user_id else []
        async with _handing_over(connection, redis, user, *before, *noted_for):
            await conversations.move(connection, known.id, user)
            await settle_notes.follow(connection, call.platform, call.id, user)
            for one in before:
                await learning.unlearn(connection, known.id, one, known)
    await learning.learn(connection, known.id, user, known, known.outcome)
    await note_requests.request(connection, call.platform, call.id)


async def _take_over(
    connection: AsyncConnection, redis: Redis, call: Call, user: str, noted_for: Sequence[str]
) -> None:
    async with _handing_over(connection, redis, user, *noted_for):
        changed = await settle_notes.follow(connection, call.platform, call.id, user)
    await settle_notes.tell(connection, [one for one in changed if one[0] == user])


@contextlib.asynccontextmanager
async def _handing_over(
    connection: AsyncConnection, redis: Redis, user: str, *before: str
) -> AsyncIterator[None]:
    others = sorted({*before} - {user})
    await revoke.hold(connection, user, *others)
    async with revoke.withdrawing(connection, redis, *others):
        yield
    await revoke.renew(connection, *others)
