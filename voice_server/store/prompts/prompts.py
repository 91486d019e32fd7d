"""Prompts that were built, and the durable copies of the cached ones."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from msgspec import Struct, json
from msgspec.structs import astuple
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import Address
from voice_server.store import session
from voice_server.store.prompts import prompt_history
from voice_server.store.session import Statement
from voice_server.store.tables import addresses, cached_voice_prompts, conversations, generated_prompts

# In the order of their keys, as everything that locks several of these rows: no deadlock.
# An entry begins with the calls that its prompt knows: no more of it is looked at. Who has a first copy may
# have had one before, under another name or until a backup was restored: what was ingested of late is news.
_HEAD = 2048  # bytes
_SAVE = f"""
with built as (
    select * from unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[],
        $8::timestamptz[], $9::timestamptz[]
    ) as b (user_id, agent_id, version, template_version, prompt, snapshot, entry, fresh_until, built_at)
    order by user_id, agent_id
), generated as (
    insert into generated_prompts (user_id, agent_id, version, prompt, context_snapshot)
    select user_id, agent_id, version, prompt, snapshot::jsonb from built on conflict do nothing
), saved as (
insert into cached_voice_prompts as cached
    (user_id, agent_id, version, template_version, entry, in_cache, fresh_until, built_at, talked_at)
select user_id, agent_id, version, template_version, entry, true, fresh_until, built_at, (
    select max(c.started_at) from conversations c
    where c.user_id = built.user_id and c.agent_id = built.agent_id
) from built
on conflict (user_id, agent_id) do update set
    version = excluded.version, template_version = excluded.template_version, entry = excluded.entry,
    in_cache = excluded.in_cache, fresh_until = excluded.fresh_until, built_at = excluded.built_at,
    talked_at = excluded.talked_at
)
select cast(extract(epoch from clock_timestamp() - e.received_at) as float8) as waited
from built
cross join lateral (
    select platform_id, event_id, created_at from conversations c
    where c.user_id = built.user_id and c.agent_id = built.agent_id order by started_at desc, id desc limit 5
) call
join webhook_events e on e.id = call.event_id
left join cached_voice_prompts replaced
    on replaced.user_id = built.user_id and replaced.agent_id = built.agent_id
cross join convert_to(call.platform_id, 'utf8') as name
where call.created_at > now() - interval '1 day'
    and position(name in substring(built.entry for {_HEAD})) > 0
    and position(name in coalesce(substring(replaced.entry for {_HEAD}), '')) = 0
"""  # noqa: S608 (the number is ours)


class BuiltPrompt(Struct, frozen=True):
    """A prompt to keep: its text and snapshot for people, its entry for the cache."""

    user_id: str
    agent_id: str
    version: str
    template_version: str
    prompt: str
    snapshot: str
    entry: bytes
    fresh_until: datetime | None
    built_at: datetime


class WrittenPrompt(Struct, frozen=True):
    version: str
    prompt: str
    snapshot: dict[str, Any]


class Target(Struct, frozen=True, order=True):
    user_id: str
    agent_id: str


class LastTalk(Struct, frozen=True):
    at: datetime
    user_id: str
    agent_id: str


LATEST = LastTalk(datetime.max.replace(tzinfo=UTC), "", "")  # nobody's: before it is everybody


class Copy(Struct, frozen=True):
    """A durable copy, with one of the addresses under which to cache it."""

    agent_id: str
    address: Address
    entry: bytes


async def save(connection: AsyncConnection, built: Sequence[BuiltPrompt]) -> list[float]:
    """Keep prompts and make them the durable copies. Return, for each call that these copies know and those
    before did not, how many seconds ago its event came in. This is never the first statement of its
    transaction. Until that ends, nobody puts older copies into Redis: `copies_for` leaves out what is being
    replaced."""
    driver = await session.driver(connection)
    columns = zip(*(astuple(one) for one in built), strict=True)
    return [waited for (waited,) in await driver.fetch(_SAVE, *map(list, columns))]


async def copy_of(connection: AsyncConnection, target: Target) -> bytes | None:
    cached = cached_voice_prompts.c
    ours = (cached.user_id == target.user_id) & (cached.agent_id == target.agent_id)
    return (await connection.execute(sa.select(cached.entry).where(ours))).scalar_one_or_none()


async def forget_copies(connection: AsyncConnection, user_ids: Sequence[str]) -> None:
    """Drop the durable copies of these users. From now on, only who has reserved it puts one into Redis, and
    a reservation goes with the entry."""
    theirs = cached_voice_prompts.c.user_id.in_(user_ids)
    await connection.execute(sa.delete(cached_voice_prompts).where(theirs))


async def keep_written(
    connection: AsyncConnection, target: Target, told: WrittenPrompt, conversation_id: int
) -> None:
    """Keep what was told in a chat; its sitting began with that, unless it did so with another one."""
    values = {
        "user": target.user_id,
        "agent": target.agent_id,
        "version": told.version,
        "prompt": told.prompt,
        "snapshot": json.encode(told.snapshot).decode(),
        "conversation": conversation_id,
    }
    await _KEEP_WRITTEN.rows(connection, values)


async def served_in(connection: AsyncConnection, conversation_id: int) -> str:
    """Return the text of the prompt a conversation began with; "" when it is not known, or kept no more."""
    asked = {"conversation": conversation_id}
    return (await connection.execute(_SERVED_IN, asked)).scalar_one_or_none() or ""


async def forget_old(
    connection: AsyncConnection, before: datetime, after: int, limit: int
) -> tuple[int, int | None]:
    """Look at the `limit` prompts that follow the id `after`; return how many were forgotten, and the last
    id, None where no older ones follow. The newest and the cached one of each user and agent stay, and any
    served in a conversation since."""
    made = generated_prompts.c
    page = (
        sa.select(made.id, made.created_at).where(made.id > after).order_by(made.id).limit(limit).subquery()
    )
    looked_at = sa.select(sa.func.max(page.c.id), sa.func.min(page.c.created_at) < before)
    last, has_old_ones = (await connection.execute(looked_at)).one()
    if not has_old_ones:  # ids are given in the order of time: none that follow are older
        return 0, None
    newer, cached, call = generated_prompts.alias().c, cached_voice_prompts.c, conversations.c
    is_replaced = sa.exists().where(
        newer.user_id == made.user_id, newer.agent_id == made.agent_id, newer.id > made.id
    )
    is_cached = sa.exists().where(
        cached.user_id == made.user_id, cached.agent_id == made.agent_id, cached.version == made.version
    )
    was_served = sa.exists().where(  # whoever's call it is by now
        call.agent_id == made.agent_id, call.prompt_version == made.version, call.started_at >= before
    )
    old = (made.id > after, made.id <= last, made.created_at < before)
    gone = sa.delete(generated_prompts).where(*old, is_replaced, ~is_cached, ~was_served)
    return (await connection.execute(gone)).rowcount, last


async def targets(connection: AsyncConnection, user_id: str, agent_id: str | None) -> list[Target]:
    statement = (
        sa.select(conversations.c.user_id, conversations.c.agent_id)
        .where(conversations.c.user_id == user_id)
        .distinct()
        .order_by("user_id", "agent_id")
    )
    if agent_id:
        statement = statement.where(conversations.c.agent_id == agent_id)
    return [Target(*row) for row in await connection.execute(statement)]


class Templates(Struct, frozen=True):
    """The versions of the templates that prompts are built from now, by agent id; that of `default` counts
    for all others. With None, it does not matter what a prompt was built from."""

    versions: Mapping[str, str | None]
    default: str

    @property
    def arguments(self) -> dict[str, object]:
        versions = self.versions
        return {
            "agents": list(versions),
            "versions": list(versions.values()),
            "usual": versions[self.default],
        }


COUNTED = 10_000  # stale prompts, at most


class StaleCounts(Struct, frozen=True):
    """How many prompts the clock, and how many other templates have made stale, each up to COUNTED."""

    clock: int
    templates: int


async def stale(connection: AsyncConnection, templates: Templates, now: datetime, limit: int) -> list[Target]:
    """Return stale prompts: first those that the clock made stale, the longest first; then those of other
    templates, the latest built first: who called lately is likely to call again. Without those for which a
    rebuild is asked for."""
    with_the_clock = (await connection.execute(_GONE_STALE, {"now": now, "limit": limit})).all()
    left = limit - len(with_the_clock)
    asked = {**templates.arguments, "limit": left}
    of_others = (await connection.execute(_OF_OTHER_TEMPLATES, asked)).all() if left else []
    return [Target(*row) for row in dict.fromkeys(map(tuple, (*with_the_clock, *of_others)))]


async def stale_after(
    connection: AsyncConnection, templates: Templates, now: datetime, after: Target, limit: int
) -> tuple[list[Target], Target | None]:
    """Return the stale ones among the `limit` prompts that follow `after`, and the last of all these; None
    without any."""
    place = {"user": after.user_id, "agent": after.agent_id}
    asked = {**templates.arguments, **place, "now": now, "limit": limit}
    rows = (await connection.execute(_LOOKED_AT, asked)).all()
    found = [Target(user_id, agent_id) for user_id, agent_id, is_stale in rows if is_stale]
    return found, Target(rows[-1][0], rows[-1][1]) if rows else None


async def count_stale(connection: AsyncConnection, templates: Templates) -> StaleCounts:
    asked = {**templates.arguments, "most": COUNTED}
    return StaleCounts(*(await connection.execute(_COUNT_STALE, asked)).one())


# Whether a rebuild of this prompt is due anyway.
_ASKED_FOR = """exists (
    select from pending_work w
    where w.kind = 'rebuild' and w.key = c.user_id || '|' || c.agent_id and w.requested > w.done
)"""
_GONE_STALE = sa.text(f"""
select user_id, agent_id from cached_voice_prompts c where fresh_until <= :now and not {_ASKED_FOR}
order by fresh_until limit :limit
""")  # noqa: S608 (our own words)
_CURRENT = """current as (
    select * from unnest(cast(:agents as text[]), cast(:versions as text[])) as t (agent_id, version)
)"""
_IS_OLD = "{version} <> case when current.agent_id is null then cast(:usual as text) else current.version end"
# From one group of prompts, of one agent and version, to the next: as many steps as there are groups.
_OLD_GROUPS = f"""
recursive groups as (
    (select agent_id, template_version from cached_voice_prompts order by 1, 2 limit 1)
    union all
    select following.* from groups g cross join lateral (
        select agent_id, template_version from cached_voice_prompts
        where (agent_id, template_version) > (g.agent_id, g.template_version) order by 1, 2 limit 1
    ) following
), {_CURRENT}, old as (
    select g.* from groups g left join current using (agent_id)
    where {_IS_OLD.format(version="g.template_version")}
)"""  # noqa: S608 (our own words)
_OF_OTHER_TEMPLATES: sa.TextClause = sa.text(f"""
with {_OLD_GROUPS}
select latest.user_id, latest.agent_id from old cross join lateral (
    select user_id, agent_id, built_at from cached_voice_prompts c
    where c.agent_id = old.agent_id and c.template_version = old.template_version and not {_ASKED_FOR}
    order by built_at desc limit :limit
) latest order by latest.built_at desc, user_id, agent_id limit :limit
""")  # noqa: S608 (our own words)
_COUNT_STALE = sa.text(f"""
with {_OLD_GROUPS}
select (
    select count(*) from (select from cached_voice_prompts where fresh_until <= now() limit :most) outdated
) as clock, (
    select count(*) from (
        select from old cross join lateral (
            select from cached_voice_prompts c
            where c.agent_id = old.agent_id and c.template_version = old.template_version limit :most
        ) group_of_one limit :most
    ) built_before
) as templates
""")  # noqa: S608 (our own words)
_LOOKED_AT = sa.text(f"""
with {_CURRENT}, page as (
    select * from cached_voice_prompts
    where (user_id, agent_id) > (:user, :agent) order by user_id, agent_id limit :limit
)
select c.user_id, c.agent_id, (coalesce(c.fresh_until <= :now, false)
    or coalesce({_IS_OLD.format(version="c.template_version")}, false)) and not {_ASKED_FOR}
from page c left join current using (agent_id) order by c.user_id, c.agent_id
""")  # noqa: S608 (our own words)


async def talked_with(connection: AsyncConnection, after: Target | None, limit: int) -> list[Target]:
    whose = conversations.c.user_id, conversations.c.agent_id
    statement = sa.select(*whose).where(conversations.c.user_id.is_not(None)).group_by(*whose)
    if after is not None:
        statement = statement.where(sa.tuple_(*whose) > (after.user_id, after.agent_id))
    rows = await connection.execute(statement.order_by(*whose).limit(limit))
    return [Target(user_id, agent_id) for user_id, agent_id in rows]


async def without(connection: AsyncConnection, targets: Sequence[Target]) -> list[Target]:
    """Return those that have no prompt and no rebuild asked for."""
    asked = {"users": [one.user_id for one in targets], "agents": [one.agent_id for one in targets]}
    return [Target(user_id, agent_id) for user_id, agent_id in await connection.execute(_WITHOUT, asked)]


async def not_in_cache(connection: AsyncConnection, limit: int) -> list[tuple[Target, bytes]]:
    """Return durable copies that Redis did not take, locked until the transaction ends: no rebuild in
    between."""
    cached = cached_voice_prompts.c
    statement = (
        sa.select(cached.user_id, cached.agent_id, cached.entry)
        .where(~cached.in_cache)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return [(Target(user, agent), entry) for user, agent, entry in await connection.execute(statement)]


async def set_in_cache(connection: AsyncConnection, targets: Sequence[Target], *, in_cache: bool) -> None:
    """Note whether Redis has these. They must be locked by this transaction."""
    pairs = sa.tuple_(cached_voice_prompts.c.user_id, cached_voice_prompts.c.agent_id)
    named = pairs.in_([(one.user_id, one.agent_id) for one in targets])
    await connection.execute(sa.update(cached_voice_prompts).where(named).values(in_cache=in_cache))


async def copies_for(connection: AsyncConnection, callers: Sequence[tuple[str, Address]]) -> list[Copy]:
    """Return copies, without those that somebody is about to replace or erase. None is locked. One that
    somebody has merely locked looks the same and is left out, too: see `locked_copies_for`."""
    return await _copies(connection, _COPIES.where(_NAMED.in_(callers), _NOBODY_REPLACES))


async def locked_copies_for(
    connection: AsyncConnection, callers: Sequence[tuple[str, Address]]
) -> list[Copy]:
    """Return copies, locked until the transaction ends, without those that others have locked. To lock a row
    is to write it: only for what `copies_for` leaves out."""
    locking = _COPIES.with_for_update(read=True, skip_locked=True, of=cached_voice_prompts)
    return await _copies(connection, locking.where(_NAMED.in_(callers)))


_WITHOUT: sa.TextClause = sa.text("""
select user_id, agent_id
from unnest(cast(:users as text[]), cast(:agents as text[])) as whose (user_id, agent_id)
where not exists (
    select from cached_voice_prompts c where c.user_id = whose.user_id and c.agent_id = whose.agent_id
) and not exists (
    select from pending_work w
    where w.kind = 'rebuild' and w.key = whose.user_id || '|' || whose.agent_id and w.requested > w.done
) order by user_id, agent_id
""")
_SERVED = prompt_history.served(sa.bindparam("conversation", type_=sa.BigInteger)).subquery()
_KEEP_WRITTEN = Statement("""
with kept as (
    insert into generated_prompts (user_id, agent_id, version, prompt, context_snapshot)
    values (:user, :agent, :version, :prompt, cast(:snapshot as jsonb)) on conflict do nothing
)
update conversations set prompt_version = :version where id = :conversation and prompt_version = ''
""")
_SERVED_IN = sa.select(_SERVED.c.prompt)
_NAMED = sa.tuple_(cached_voice_prompts.c.agent_id, addresses.c.address)
_COPIES = (
    sa.select(*_NAMED.clauses, cached_voice_prompts.c.entry)
    .join(addresses, addresses.c.user_id == cached_voice_prompts.c.user_id)
    .order_by(cached_voice_prompts.c.user_id, cached_voice_prompts.c.agent_id, addresses.c.address)
)
# Postgres writes into a row (xmax) which transaction is about to replace or delete it, or has locked it.
# Where that is the one that wrote it (as "on conflict do update" leaves it), or none, nobody is: who comes
# later has not been to Redis yet.
_NOBODY_REPLACES = sa.text("cached_voice_prompts.xmax::text in ('0', cached_voice_prompts.xmin::text)")


async def last_to_talk(
    connection: AsyncConnection, before: LastTalk, limit: int
) -> tuple[list[tuple[str, Address]], LastTalk | None]:
    """Return the agents and addresses of the `limit` copies whose users talked last before `before`, and the
    last of these talks; None when no more follow."""
    place = {"at": before.at, "user": before.user_id, "agent": before.agent_id}
    rows = (await connection.execute(_LAST_TO_TALK, {**place, "limit": limit})).all()
    callers = [(agent_id, Address(address)) for _, _, agent_id, address, _ in rows if address is not None]
    return callers, LastTalk(*rows[-1][:3]) if rows and rows[-1].copies == limit else None


async def size_of_copies(connection: AsyncConnection) -> tuple[int, int]:
    """Count the durable copies, one for each address, and their bytes."""
    cached = cached_voice_prompts.c
    size = sa.func.coalesce(sa.func.sum(sa.func.octet_length(cached.entry)), 0)  # known without reading it
    statement = sa.select(sa.func.count(), size).join_from(
        cached_voice_prompts, addresses, addresses.c.user_id == cached.user_id
    )
    copies, total = (await connection.execute(statement)).one()
    return int(copies), int(total)


_LAST_TO_TALK: sa.TextClause = sa.text("""
with page as (
    select coalesce(talked_at, built_at) as at, user_id, agent_id from cached_voice_prompts
    where (coalesce(talked_at, built_at), user_id, agent_id) < (:at, :user, :agent)
    order by 1 desc, 2 desc, 3 desc limit :limit
)
select page.*, theirs.address, (select count(*) from page) as copies from page left join lateral (
    select address from addresses a where a.user_id = page.user_id order by address
) theirs on true order by 1 desc, 2 desc, 3 desc, 4
""")


async def _copies(connection: AsyncConnection, statement: sa.Select[Any]) -> list[Copy]:
    return [Copy(*row) for row in await connection.execute(statement)]
