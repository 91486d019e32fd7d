"""Open threads: opened and closed by digests, changed by hand, expired when nobody came back to them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal, TypedDict, Unpack

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.digest import OpenThread, Speaker, ThreadKind
from voice_server.store.json_rows import inserting, packed
from voice_server.store.knowledge import editing
from voice_server.store.session import Statement
from voice_server.store.tables import conversations, open_threads

Status = Literal["open", "closed", "expired", "excluded"]
_AROUND = 3  # messages before a thread: what is wrong, a question, an answer; then the promise


class Row(Struct, frozen=True):
    """A thread as a person sees it, by the columns of `tables.open_threads`. It rests on the messages
    `positions`."""

    id: int
    user_id: str
    agent_id: str
    conversation_id: int | None
    positions: tuple[int, ...]
    kind: ThreadKind
    said_by: Speaker
    text: str
    said_on: date
    due: date | None
    status: Status
    pinned: bool
    touched_at: datetime
    closed_at: datetime | None
    closed_by: int | None
    by_hand: bool
    version: int


class Changes(TypedDict, total=False):
    text: str
    kind: ThreadKind
    due: date | None
    status: Status
    pinned: bool


async def page(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str | None = None,
    *,
    after: int = 0,
    limit: int = 50,
    status: Status | None = None,
) -> list[Row]:
    wanted = editing.listed(open_threads, user_id, agent_id, after=after, limit=limit)
    if status is not None:
        wanted = wanted.where(open_threads.c.status == status)
    return await editing.rows(connection, wanted, Row)


async def latest(connection: AsyncConnection, user_id: str, *, limit: int) -> list[Row]:
    """Return threads, whatever became of them: pinned ones first, then those touched last."""
    columns = (open_threads.c.pinned, open_threads.c.touched_at, open_threads.c.id)
    return await editing.rows(connection, editing.latest(open_threads, user_id, columns, limit=limit), Row)


async def count_open(connection: AsyncConnection, user_id: str, *, most: int) -> int:
    wanted = editing.listed(open_threads, user_id, None, after=0, limit=most)
    return await editing.count(connection, wanted.where(open_threads.c.status == "open"))


async def get(connection: AsyncConnection, id_: int) -> Row:
    """Return one thread. Raises NotFound."""
    return await editing.row(connection, open_threads, id_, Row, "open thread")


async def before(
    connection: AsyncConnection, conversation_id: int, limit: int
) -> list[tuple[int, str, date]]:
    """Return threads that were open before a conversation, with texts and days: those touched last, in the
    order of their ids. Those it closed itself are among them, so that it can be understood again."""
    call = conversations.c
    theirs = (
        (call.id == conversation_id)
        & (open_threads.c.user_id == call.user_id)
        & (open_threads.c.agent_id == call.agent_id)
    )
    open_then = (open_threads.c.status == "open") | (open_threads.c.closed_by == conversation_id)
    statement = (
        sa.select(open_threads.c.id, open_threads.c.text, open_threads.c.said_on)
        .join(conversations, theirs)
        .where(open_then, open_threads.c.conversation_id.is_distinct_from(conversation_id))
        .where(open_threads.c.touched_at <= call.started_at)
        .order_by(open_threads.c.touched_at.desc(), open_threads.c.id.desc())
        .limit(limit)
    )
    return sorted((id_, text, said_on) for id_, text, said_on in await connection.execute(statement))


def earlier(conversation: str, limit: int) -> str:
    """Return the SQL of a JSON array of threads (`EarlierThread`) that were open when a conversation began:
    those touched last, in the order of their ids. Those that it or a later conversation closed are among
    them: whichever is understood first, the one that began first is to close them. Around a thread stands
    what was said where it was opened, from the message before it on, and what the user said just before that
    where the agent only asked back. `conversation` is an expression."""
    return f"""(
        select coalesce(json_agg(opened order by opened.id), '[]') from (
            select t.id, t.kind, t.said_by, t.text, t.due, t.said_on, coalesce((
                select string_agg(m.content, ' ' order by m.position) from messages m, (
                    select array(
                        select p.position from messages p
                        where p.conversation_id = t.conversation_id and p.role in ('user', 'agent')
                            and p.position < t.positions[1]
                        order by p.position desc limit {_AROUND}
                    ) as before
                ) p
                where m.conversation_id = t.conversation_id
                    and m.position <= t.positions[cardinality(t.positions)]
                    and (m.position >= coalesce(before[1], 0) and m.role in ('user', 'agent')
                        or m.position >= coalesce(before[{_AROUND}], 0) and m.role = 'user' and exists (
                            select from messages q where q.conversation_id = m.conversation_id
                                and q.position = m.position + 1 and q.role = 'agent'
                                and rtrim(q.content) like '%?'))
            ), '') as around
            from conversations began
                join open_threads t on t.user_id = began.user_id and t.agent_id = began.agent_id
                left join conversations closer on closer.id = t.closed_by
            where began.id = {conversation} and t.conversation_id is distinct from began.id
                and t.touched_at <= began.started_at
                and (t.status = 'open' or closer.started_at >= began.started_at)
            order by t.touched_at desc, t.id desc limit {limit}
        ) opened
    )"""  # noqa: S608 (the expressions are ours)


async def add(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str,
    thread: OpenThread,
    *,
    at: datetime,
    pinned: bool = False,
) -> Row:
    """Add a thread by hand. Ask for a rebuild. Raises NotFound for an unknown user or agent."""
    user_id = await editing.adding(connection, user_id, agent_id)
    values = _columns(thread) | {"user_id": user_id, "agent_id": agent_id, "touched_at": at}
    statement = (
        insert(open_threads).values(**values, pinned=pinned, by_hand=True).returning(open_threads.c.id)
    )
    return await get(connection, (await connection.execute(statement)).scalar_one())


async def change(
    connection: AsyncConnection, id_: int, version: int | None, *, at: datetime, **changes: Unpack[Changes]
) -> Row:
    """Change a thread by hand; digests leave it so from then on. Ask for a rebuild. Raises NotFound, and
    Conflict when it was changed meanwhile."""
    row = await editing.changing(connection, get, id_, version)
    if not editing.differs(row, changes):
        return row
    values: dict[str, Any] = {**changes, "touched_at": at, "by_hand": True, "version": row.version + 1}
    if changes.get("status", row.status) != row.status:
        values |= {"closed_at": None if changes["status"] == "open" else at, "closed_by": None}
    await connection.execute(sa.update(open_threads).where(open_threads.c.id == id_).values(values))
    return await get(connection, id_)


async def replace(
    connection: AsyncConnection,
    conversation_id: int,
    user_id: str,
    agent_id: str,
    opened: Sequence[OpenThread],
    *,
    at: datetime,
    is_first: bool = False,
) -> bool:
    """Store threads over those of an earlier digest of the conversation; return whether they are others now.
    A thread that was there keeps its row, and what became of it; one that is gone is deleted, unless a person
    changed it."""
    asked = {"conversation": conversation_id}
    there = [] if is_first else await editing.rows(connection, _OF_CONVERSATION, Row, asked)
    kept, new = _matched(there, opened)
    for row, thread in kept:
        await _update(connection, row, _columns(thread) | {"touched_at": at})
    gone = [row.id for row in there if not row.by_hand and row not in [one for one, _ in kept]]
    if gone:
        await connection.execute(sa.delete(open_threads).where(open_threads.c.id.in_(gone)))
    if new:
        whose = {"conversation_id": conversation_id, "user_id": user_id, "agent_id": agent_id}
        rows = [{**whose, **_columns(thread), "touched_at": at} for thread in new]
        await _ADD.rows(connection, {"rows": packed(rows)})
    reworded = any(row.text != thread.text for row, thread in kept if not row.by_hand)
    return bool(gone or new or reworded)


async def settle(
    connection: AsyncConnection, conversation_id: int, closes: Iterable[int] = (), *, is_first: bool = False
) -> None:
    """Close the threads that a conversation's digest `closes` now. Those that an earlier digest of it closed
    are open again unless another one closes them. What a person changed after the conversation stays."""
    asked = {"conversation": conversation_id}
    closed = () if is_first else (await connection.execute(_CLOSED_BY, asked)).scalars()
    ids = sorted({*closed, *closes})
    if ids:
        await connection.execute(_SETTLE, {"ids": ids})


async def settle_all(connection: AsyncConnection, user_id: str) -> None:
    """Settle all threads of a user, when conversations became theirs, or somebody else's."""
    ids = (await connection.execute(_RESOLVED, {"user": user_id})).scalars().all()
    if ids:
        await connection.execute(_SETTLE, {"ids": sorted(ids)})


async def remove(connection: AsyncConnection, conversation_id: int) -> None:
    """Take back the threads of a conversation, a person's changes to them too."""
    await connection.execute(sa.delete(open_threads).where(open_threads.c.conversation_id == conversation_id))


async def users_with_old_ones(
    connection: AsyncConnection, now: datetime, days: Mapping[str, int], limit: int
) -> list[str]:
    """Return the users of threads to `expire`; looks at most at `limit` threads of each kind."""
    old = [
        sa.select(open_threads.c.user_id)
        .where(_MAY_EXPIRE, over)
        .order_by(_LAST_DAY)
        .limit(limit)
        .subquery()
        .select()
        for over in _over(now, days)
    ]
    if not old:
        return []
    return sorted(set((await connection.execute(sa.union_all(*old))).scalars()))


async def expire(
    connection: AsyncConnection, user_id: str, now: datetime, days: Mapping[str, int]
) -> list[str]:
    """Expire threads that nobody came back to for as many `days` as their kind is given, counted from the day
    they are due if that is later; return the agents whose prompts are to be rebuilt. 0 days are for ever, and
    pinned ones stay. After `users.lock`."""
    statement = sa.update(open_threads).where(_is_old(now, days), open_threads.c.user_id == user_id)
    touched = statement.values(status="expired", closed_at=now).returning(open_threads.c.agent_id)
    return sorted(set((await connection.execute(touched)).scalars()))


def _is_old(now: datetime, days: Mapping[str, int]) -> sa.ColumnElement[bool]:
    return sa.and_(_MAY_EXPIRE, sa.or_(sa.false(), *_over(now, days)))


def _over(now: datetime, days: Mapping[str, int]) -> list[sa.ColumnElement[bool]]:
    return [
        (open_threads.c.kind == kind) & ((now - timedelta(days=many)).date() > _LAST_DAY)
        for kind, many in days.items()
        if many
    ]


# Word for word as in the index: with a parameter in it, Postgres would not know it for the same.
_LAST_DAY = sa.literal_column(
    "greatest((open_threads.touched_at at time zone 'UTC')::date, open_threads.due)", sa.Date
)
_MAY_EXPIRE = sa.text("open_threads.status = 'open' and not open_threads.pinned")


_OF_CONVERSATION = (
    sa.select(open_threads)
    .where(open_threads.c.conversation_id == sa.bindparam("conversation"))
    .order_by(open_threads.c.id)
)
_COLUMNS = ("conversation_id", "user_id", "agent_id", *OpenThread.__struct_fields__, "touched_at")
_ADD = Statement(inserting("open_threads", _COLUMNS))
_CLOSED_BY = sa.text("select id from open_threads where closed_by = :conversation")
_RESOLVED = sa.text("""
select id from open_threads where user_id = :user
    and (closed_by is not null or id in (select unnest(closes) from digests where user_id = :user))
""")
# The first conversation that closes a thread has closed it.
_SETTLE = sa.text("""
update open_threads t set
    status = case
        when closer.id is not null then 'closed'
        when t.closed_by is not null then 'open'
        else t.status
    end,
    closed_by = closer.id,
    closed_at = closer.ended_at
from open_threads o left join lateral (
    select c.id, c.ended_at from digests d join conversations c on c.id = d.conversation_id
    where d.user_id = o.user_id and c.agent_id = o.agent_id and o.id = any(d.closes)
        and (o.closed_by = c.id or case when o.by_hand then c.started_at else c.ended_at end >= o.touched_at)
    order by c.started_at, c.platform_id limit 1
) closer on true
where o.id = t.id and t.id = any(cast(:ids as bigint[])) and t.closed_by is distinct from closer.id
    and (t.status in ('open', 'expired') or t.closed_by is not null)
""")


def _matched(
    there: Sequence[Row], opened: Sequence[OpenThread]
) -> tuple[list[tuple[Row, OpenThread]], list[OpenThread]]:
    """Return the rows that a digest still has, each with its thread, and the threads that are new. The same
    words are the same thread, else the same kind resting on the same messages: another model words it
    differently. What a person changed need rest on only one of the messages."""
    kept: list[tuple[Row, OpenThread]] = []
    rows, left = list(there), list(opened)
    for same in (_by_text, _by_place):
        for thread in list(left):
            row = next((row for row in rows if same(row) == same(thread)), None)
            if row is not None:
                kept.append((row, thread))
                rows.remove(row)
                left.remove(thread)
    for row, thread in _overlapping([row for row in rows if row.by_hand], left):
        kept.append((row, thread))
        left.remove(thread)
    return kept, left


def _overlapping(rows: Sequence[Row], opened: Sequence[OpenThread]) -> Iterator[tuple[Row, OpenThread]]:
    """Yield pairs that share most of the messages they rest on; each row and thread once."""
    pairs = [(row, thread) for row in rows for thread in opened if _overlap(row, thread)]
    taken: list[Row | OpenThread] = []
    for row, thread in sorted(pairs, key=lambda pair: -_overlap(*pair)):
        if row not in taken and thread not in taken:
            taken += [row, thread]
            yield row, thread


def _overlap(row: Row, thread: OpenThread) -> float:
    either = {*row.positions, *thread.positions}
    return len({*row.positions} & {*thread.positions}) / max(1, len(either))


def _by_text(thread: Row | OpenThread) -> str:
    return thread.text


def _by_place(thread: Row | OpenThread) -> tuple[str, tuple[int, ...]]:
    return thread.kind, thread.positions


async def _update(connection: AsyncConnection, row: Row, values: Mapping[str, Any]) -> None:
    if not row.by_hand and any(getattr(row, name) != value for name, value in values.items()):
        await connection.execute(sa.update(open_threads).where(open_threads.c.id == row.id).values(values))


def _columns(thread: OpenThread) -> dict[str, Any]:
    return {name: getattr(thread, name) for name in OpenThread.__struct_fields__}
