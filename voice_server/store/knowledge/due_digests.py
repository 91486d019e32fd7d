"""Which conversations are to be digested. Kept with each of them, so that no lost job leaves one without.

due      it has just ended
later    there is no hurry: later ones were there before it, or it is to be weighed anew
done     until something changes
failed   put aside: its digest could not be made, tried as often as any job
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.session import Statement
from voice_server.store.tables import conversations

Hurry = Literal["due", "later"]

_WINDOW = 50  # conversations after one, whose words its own make more or less common


class DueDigest(Struct, frozen=True):
    id: int
    user_id: str
    agent_id: str
    started_at: datetime


class WaitingTimes(Struct, frozen=True):
    """How long conversations have waited that may: the first, and the one asked for last."""

    first: timedelta
    last: timedelta


class Failure(Struct, frozen=True):
    """A conversation that was put aside, with the event that told it (None when that is gone)."""

    conversation_id: int
    platform_id: str
    event_id: int | None
    failed_at: datetime
    reason: str


async def ask(connection: AsyncConnection, conversation_id: int) -> Hurry | None:
    """Have a conversation digested; return how soon, None when there is nothing to digest. After
    `users.lock`."""
    rows = await _ASK.rows(connection, {"conversation": conversation_id})
    return next((hurry for (hurry,) in rows), None)


async def ask_after(connection: AsyncConnection, user_id: str, started_at: datetime) -> list[str]:
    """Have the digested conversations that started next digested again, without hurry; return their
    agents."""
    asked = {"user": user_id, "after": started_at, "window": _WINDOW}
    return sorted({agent_id for (agent_id,) in await _ASK_AFTER.rows(connection, asked)})


async def ask_before(connection: AsyncConnection, user_id: str, started_at: datetime | None) -> list[str]:
    """Have the latest conversations that started before (None: all) digested again, without hurry, also those
    of which nothing was kept; return their agents."""
    asked = {"user": user_id, "before": started_at, "window": _WINDOW}
    return sorted(set((await connection.execute(_ASK_BEFORE, asked)).scalars()))


async def ask_again(connection: AsyncConnection, conversation_id: int) -> None:
    await connection.execute(_ASK_ONE, {"conversation": conversation_id})


async def ask_latest(connection: AsyncConnection, user_id: str) -> list[str]:
    """Have the latest digested conversations digested again, without hurry; return their agents."""
    asked = {"user": user_id, "window": _WINDOW}
    return sorted(set((await connection.execute(_ASK_LATEST, asked)).scalars()))


async def ask_failed(connection: AsyncConnection) -> list[tuple[str, str]]:
    """Have digested what was put aside, without hurry; return the user and agent of each."""
    return [(user_id, agent_id) for user_id, agent_id in await connection.execute(_ASK_FAILED)]


async def slow_down(connection: AsyncConnection, user_id: str, agent_id: str, most: int) -> bool:
    """Let all but the latest `most` that are due wait; return whether there were more."""
    asked = {"user": user_id, "agent": agent_id, "most": most}
    return (await connection.execute(_SLOW_DOWN, asked)).first() is not None


async def following(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str,
    hurry: Hurry,
    after: DueDigest | None,
    limit: int,
) -> list[DueDigest]:
    place = {"started_at": after.started_at, "id": after.id} if after else {"started_at": None, "id": None}
    asked = {"user": user_id, "agent": agent_id, "hurry": hurry, "limit": limit, **place}
    return [DueDigest(*row) for row in await _FOLLOWING.rows(connection, asked)]


async def waiting(connection: AsyncConnection, user_id: str, agent_id: str) -> WaitingTimes | None:
    row = (await connection.execute(_WAITING, {"user": user_id, "agent": agent_id})).one()
    return None if row.first is None else WaitingTimes(row.first, row.last)


async def finish(connection: AsyncConnection, conversation_id: int) -> None:
    await _FINISH.rows(connection, {"conversation": conversation_id})


async def count_try(connection: AsyncConnection, conversation_id: int, error: str, most: int) -> bool:
    """Count a failed try; return whether the conversation is put aside, after `most` tries."""
    tries = conversations.c.digest_tries + 1
    values = {
        "digest_tries": tries,
        "digest_error": error[:2000],
        "digest_asked_at": sa.func.now(),
        "digest_state": sa.case((tries >= most, "failed"), else_=conversations.c.digest_state),
    }
    ours = (conversations.c.id == conversation_id) & conversations.c.digest_state.in_(("due", "later"))
    statement = sa.update(conversations).where(ours).values(values)
    state = await connection.execute(statement.returning(conversations.c.digest_state))
    return bool(state.scalar_one_or_none() == "failed")


async def unasked(connection: AsyncConnection, hurry: Hurry, kind: str, limit: int) -> list[tuple[str, str]]:
    """Return users and agents with conversations to be digested for which nobody asks. `kind` is the job that
    does it."""
    rows = await connection.execute(_UNASKED, {"hurry": hurry, "kind": kind, "limit": limit})
    return [(user_id, agent_id) for user_id, agent_id in rows]


async def failures(connection: AsyncConnection, limit: int) -> list[Failure]:
    columns = [
        conversations.c.id,
        conversations.c.platform_id,
        conversations.c.event_id,
        conversations.c.digest_asked_at,
        conversations.c.digest_error,
    ]
    failed = conversations.c.digest_state == "failed"
    statement = sa.select(*columns).where(failed).order_by(conversations.c.id.desc()).limit(limit)
    return [Failure(*row) for row in await connection.execute(statement)]


async def counts(connection: AsyncConnection) -> Mapping[str, int]:
    rows = (await connection.execute(_COUNTS)).all()
    found: dict[str, int] = {row.state: row.number for row in rows}
    return {state: found.get(state, 0) for state in ("due", "later", "failed")}


# As in `conversations.to_digest`, and in the index.
_DIGESTIBLE = "c.outcome = 'talked' and c.user_id is not null"
_ASK = Statement(f"""
update conversations c set digest_state = case when exists (
        select from conversations o where o.user_id = c.user_id and o.agent_id = c.agent_id
            and o.started_at >= c.ended_at and o.id <> c.id and o.outcome = 'talked'
    ) then 'later' else 'due' end, digest_asked_at = now(), digest_tries = 0, digest_error = ''
where c.id = :conversation and {_DIGESTIBLE} returning digest_state
""")  # noqa: S608 (our own words)
_ASK_AGAIN = f"""
update conversations c set digest_state = 'later', digest_asked_at = now()
where id in (
    select o.id from conversations o {{which}} limit :window
) and digest_state = 'done' and {_DIGESTIBLE} returning agent_id
"""  # noqa: S608 (our own words)
_DIGESTED = "join digests d on d.conversation_id = o.id where d.user_id = :user"
_BEFORE = "where o.user_id = :user and (cast(:before as timestamptz) is null or o.started_at < :before)"
_ASK_AFTER = Statement(
    _ASK_AGAIN.format(which=f"{_DIGESTED} and o.started_at > :after order by o.started_at, o.id")
)
_ASK_BEFORE = sa.text(_ASK_AGAIN.format(which=f"{_BEFORE} order by o.started_at desc, o.id desc"))
_ASK_LATEST = sa.text(_ASK_AGAIN.format(which=f"{_DIGESTED} order by o.started_at desc, o.id desc"))
_ASK_ONE = sa.text("""
update conversations set digest_state = 'later', digest_asked_at = now()
where id = :conversation and digest_state = 'done'
""")
_ASK_FAILED: sa.TextClause = sa.text(f"""
update conversations c set digest_state = 'later', digest_asked_at = now(), digest_tries = 0,
    digest_error = ''
where digest_state = 'failed' and {_DIGESTIBLE} returning user_id, agent_id
""")  # noqa: S608 (our own words)
_FOLLOWING: Statement = Statement(f"""
select id, user_id, agent_id, started_at from conversations c
where user_id = :user and agent_id = :agent and digest_state = :hurry and {_DIGESTIBLE} and (
    cast(:started_at as timestamptz) is null
    or (started_at, id) > (cast(:started_at as timestamptz), cast(:id as bigint))
)
order by started_at, id limit :limit
""")  # noqa: S608 (our own words)
_SLOW_DOWN = sa.text(f"""
update conversations set digest_state = 'later' where id in (
    select id from conversations c
    where user_id = :user and agent_id = :agent and digest_state = 'due' and {_DIGESTIBLE}
    order by started_at desc, id desc offset :most
) and digest_state = 'due' returning id
""")  # noqa: S608 (our own words)
_WAITING = sa.text(f"""
select now() - min(digest_asked_at) as first, now() - max(digest_asked_at) as last from conversations c
where user_id = :user and agent_id = :agent and digest_state = 'later' and digest_tries = 0 and {_DIGESTIBLE}
""")  # noqa: S608 (our own words)
_UNASKED: sa.TextClause = sa.text(f"""
select distinct c.user_id, c.agent_id from conversations c
where c.digest_state in ('due', 'later') and c.digest_state = cast(:hurry as text) and {_DIGESTIBLE}
    and not exists (
        select from pending_work w where w.key = c.user_id || '|' || c.agent_id and w.requested > w.done
            and w.kind = cast(:kind as text)
    ) order by 1, 2 limit :limit
""")  # noqa: S608 (our own words)
_COUNTS: sa.Executable = sa.text(f"""
select digest_state as state, count(*) as number from conversations c
where digest_state in ('due', 'later', 'failed') and {_DIGESTIBLE} group by 1
""")  # noqa: S608 (our own words)
_FINISH = Statement("""
update conversations set digest_state = 'done', digest_tries = 0, digest_error = '' where id = :conversation
""")
