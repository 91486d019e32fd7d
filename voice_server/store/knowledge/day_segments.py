"""Day segments: a user's timeline with an agent, cut into days, each with its summary.

`jobs.day_summaries` makes a segment anew whenever one of its conversations changes. What must not be told any
more is withdrawn at once, in the transaction that finds so.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.conversation import Message
from voice_server.domain.days import DaySource
from voice_server.domain.digest import ThreadKind
from voice_server.errors import NotFound
from voice_server.store.knowledge import earlier_summaries
from voice_server.store.knowledge.earlier_summaries import Replacement
from voice_server.store.knowledge.threads import Status
from voice_server.store.session import Statement
from voice_server.store.tables import day_segments, messages

_PARTS = 1000  # conversations whose messages are read at a time

# SQL: the segment `s` to which a message `m` of a conversation `c` belongs, if it is in one yet. Its day is
# one of four around the message (a time zone is less than a day off, and a session runs on into the next day
# at most), which the index by day finds: of 3,900 days none has to be read but these.
OF_MESSAGE = """
left join day_segments s on s.user_id = c.user_id and s.agent_id = c.agent_id
    and s.day between (m.said_at at time zone 'UTC')::date - 2 and (m.said_at at time zone 'UTC')::date + 1
    and m.said_at between s.starts_at and s.ends_at and c.id = any(s.sources)
"""


class Row(Struct, frozen=True):
    """A day of a user with an agent, by the columns of `tables.day_segments`."""

    id: int
    user_id: str
    agent_id: str
    day: date
    timezone: str
    starts_at: datetime
    ends_at: datetime
    messages: int
    summary: str
    source: DaySource
    sources: list[int]
    finalised: bool
    updated_at: datetime


class StoredSegment(Struct, frozen=True):
    """What a segment was made from, by the columns of `tables.day_segments`."""

    id: int
    day: date
    timezone: str
    starts_at: datetime
    ends_at: datetime
    source: DaySource
    basis: str
    sources: list[int]
    marks: list[str]
    awaits_model: bool
    finalised: bool
    told: str
    told_messages: int


class Conversation(Struct, frozen=True):
    """A conversation as far as days go by it. `is_told`: it is with this agent and belongs to a day; others
    only say where the user was (`timezone`, "" when unknown). `mark` changes with all that a day takes from
    it."""

    id: int
    is_told: bool
    timezone: str
    started_at: datetime
    ended_at: datetime
    mark: str


class Thread(Struct, frozen=True):
    """What a conversation left open. `closed_by` resolved it; it rests on the messages `positions`.
    `by_hand`: a person closed or changed it."""

    kind: ThreadKind
    text: str
    closed_by: int | None
    positions: list[int]
    status: Status
    by_hand: bool

    @property
    def is_told(self) -> bool:
        """Whether it was left open that day, for all that a person said since."""
        return self.status in ("open", "expired") or (self.status == "closed" and self.closed_by is not None)


class Content(Struct, frozen=True):
    """One conversation as a day's summary needs it; what was understood is empty before it is digested, and
    behind what was said where it goes on."""

    id: int
    language: str
    digested: bool
    goes_on: bool
    summary: str
    messages: tuple[Message, ...]
    threads: tuple[Thread, ...]


class DayCount(NamedTuple):
    """A day of a user, with any agent or one, and how many messages it has."""

    day: date
    messages: int


class NeighbouringDays(NamedTuple):
    """The nearest days with talk before a day and after it, and how many there are in all."""

    before: date | None
    after: date | None
    number: int


class NewSegment(Struct, frozen=True):
    """A segment to keep. `told` names the first `told_messages` messages that may be told of the day: all
    there are. `grown_from` is the `told` of the segment before, if these begin with what it told, else "".
    None: there was none."""

    day: date
    timezone: str
    starts_at: datetime
    ends_at: datetime
    messages: int
    summary: str
    sources: list[int]
    marks: list[str]
    basis: str
    finalised: bool
    told: str = ""
    told_messages: int = 0
    grown_from: str | None = None


class SegmentToSummarise(Struct, frozen=True):
    id: int
    user_id: str
    agent_id: str
    day: date
    timezone: str
    starts_at: datetime
    ends_at: datetime
    sources: list[int]
    basis: str
    finalised: bool


_segment = day_segments.c
_KEPT = [name for name in NewSegment.__struct_fields__ if name != "grown_from"]


def _columns(type_: type[Struct]) -> list["sa.Column[Any]"]:
    return [_segment[name] for name in type_.__struct_fields__]


_ROWS = sa.select(*_columns(Row))
_KNOWN = Statement(
    sa.select(*_columns(StoredSegment))
    .where(_segment.user_id == sa.bindparam("user"), _segment.agent_id == sa.bindparam("agent"))
    .order_by(_segment.day)
)
_OWN_ZONE = Statement("select timezone from users where id = :user")
_SAID = Statement(
    sa.select(messages.c.conversation_id, *(messages.c[name] for name in Message.__struct_fields__))
    .where(messages.c.conversation_id == sa.any_(sa.bindparam("ids", type_=ARRAY(sa.BigInteger))))
    .order_by(*messages.primary_key)
)


async def page(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str | None = None,
    *,
    before: tuple[date, int] | None = None,
    limit: int = 50,
) -> list[Row]:
    statement = _of(user_id, agent_id)
    if before is not None:
        statement = statement.where(sa.tuple_(_segment.day, _segment.id) < before)
    newest = statement.order_by(_segment.day.desc(), _segment.id.desc()).limit(limit)
    return [Row(*row) for row in await connection.execute(newest)]


async def counted(
    connection: AsyncConnection, user_id: str, agent_id: str | None, *, limit: int
) -> list[DayCount]:
    """Count the messages of each day, the latest day first. Reads no summary."""
    counts = sa.select(_segment.day, sa.func.sum(_segment.messages)).where(_theirs(user_id, agent_id))
    newest = counts.group_by(_segment.day).order_by(_segment.day.desc()).limit(limit)
    return [DayCount(*row) for row in await connection.execute(newest)]


async def around(
    connection: AsyncConnection, user_id: str, agent_id: str | None, day: date
) -> NeighbouringDays:
    before = sa.func.max(_segment.day).filter(_segment.day < day)
    after = sa.func.min(_segment.day).filter(_segment.day > day)
    number = sa.func.count(_segment.day.distinct())
    found = sa.select(before, after, number).where(_theirs(user_id, agent_id))
    return NeighbouringDays(*(await connection.execute(found)).one())


async def get(connection: AsyncConnection, user_id: str, agent_id: str | None, id_: int) -> Row:
    """Return a day of a user. Raises NotFound, also for another user's, or (given one) another agent's."""
    row = (await connection.execute(_of(user_id, agent_id).where(_segment.id == id_))).first()
    if row is None:
        raise NotFound(f"There is no day segment {id_} of user {user_id}.")
    return Row(*row)


async def day_of(
    connection: AsyncConnection, user_id: str, agent_id: str, conversation_id: int, began_on: date
) -> date | None:
    """Return the day to which a conversation belongs that began on this day in UTC; None while it is in no
    segment."""
    near = _segment.day.between(began_on - timedelta(days=1), began_on + timedelta(days=1))
    has_it = sa.literal(conversation_id) == sa.any_(_segment.sources)
    first = sa.select(sa.func.min(_segment.day)).where(_theirs(user_id, agent_id), near, has_it)
    day: date | None = (await connection.execute(first)).scalar_one()
    return day


async def on(connection: AsyncConnection, user_id: str, agent_id: str | None, day: date) -> list[Row]:
    theirs = _of(user_id, agent_id).where(_segment.day == day).order_by(_segment.agent_id)
    return [Row(*row) for row in await connection.execute(theirs)]


def _of(user_id: str, agent_id: str | None) -> "sa.Select[Any]":
    return _ROWS.where(_theirs(user_id, agent_id))


def _theirs(user_id: str, agent_id: str | None) -> "sa.ColumnElement[bool]":
    theirs = _segment.user_id == user_id
    return theirs if agent_id is None else theirs & (_segment.agent_id == agent_id)


async def known(connection: AsyncConnection, user_id: str, agent_id: str) -> list[StoredSegment]:
    rows = await _KNOWN.rows(connection, {"user": user_id, "agent": agent_id})
    return [StoredSegment(*row) for row in rows]


async def conversations(
    connection: AsyncConnection, user_id: str, agent_id: str
) -> tuple[str, list[Conversation]]:
    """Return the time zone a user has set ("" for none), and their conversations that say what belongs to
    which day, in order."""
    rows = await _CONVERSATIONS.rows(connection, {"user": user_id, "agent": agent_id})
    own = await _OWN_ZONE.rows(connection, {"user": user_id})
    return own[0][0] if own else "", [Conversation(*row) for row in rows]


async def contents(connection: AsyncConnection, ids: Sequence[int]) -> list[Content]:
    found: list[Content] = []
    for first in range(0, len(ids), _PARTS):
        found += await _contents(connection, sorted(ids)[first : first + _PARTS])
    return found


async def _contents(connection: AsyncConnection, ids: Sequence[int]) -> list[Content]:
    asked = {"ids": list(ids)}
    said: dict[int, list[Message]] = {id_: [] for id_ in ids}
    for id_, *values in await _SAID.rows(connection, asked):
        said[id_].append(Message(*values))
    return [
        Content(id_, language, digested, goes_on, summary, tuple(said[id_]), _threads.decode(left))
        for id_, language, digested, goes_on, summary, left in await _DIGESTS.rows(connection, asked)
    ]


_threads = msgspec.json.Decoder(tuple[Thread, ...])


async def save(
    connection: AsyncConnection, user_id: str, agent_id: str, made: NewSegment, *, awaits_model: bool
) -> int | None:
    """Keep a segment over what there is of that day; return its id if it now awaits the model. A model's
    summary of just this stays; one that goes is kept as an earlier one, where the day lost nothing."""
    if made.grown_from is not None:
        replacement = Replacement(user_id, agent_id, made.day, made.summary, made.basis, made.grown_from)
        await earlier_summaries.before_saving(connection, replacement)
    values = {"user_id": user_id, "agent_id": agent_id, **{name: getattr(made, name) for name in _KEPT}}
    values |= {"source": "extractive", "awaits_model": awaits_model}
    [(id_, awaits)] = await _saving().rows(connection, values)
    return int(id_) if awaits else None


@cache
def _saving() -> Statement:
    named = ("user_id", "agent_id", "source", "awaits_model", *_KEPT)
    statement = insert(day_segments).values(
        {name: sa.bindparam(name, type_=_segment[name].type) for name in named}
    )
    new = statement.excluded
    same = _segment.basis == new.basis
    stays = same & (_segment.source == "model")
    told = {name: sa.case((stays, _segment[name]), else_=new[name]) for name in ("summary", "source")}
    changed = {
        **{name: new[name] for name in _KEPT if name not in ("day", "summary")},
        **told,
        "awaits_model": new.awaits_model & ~stays,
        "model_tries": sa.case((same, _segment.model_tries), else_=0),
        "updated_at": sa.case(
            (same & (_segment.summary == told["summary"]), _segment.updated_at), else_=sa.func.now()
        ),
    }
    over = statement.on_conflict_do_update(index_elements=["user_id", "agent_id", "day"], set_=changed)
    return Statement(over.returning(_segment.id, _segment.awaits_model))


async def remove(connection: AsyncConnection, ids: Iterable[int]) -> None:
    await connection.execute(sa.delete(day_segments).where(_segment.id.in_(list(ids))))


async def renew(connection: AsyncConnection, id_: int) -> None:
    """Have a day summed up anew, by the model too. Its summary stays until then. Ask for the days
    afterwards."""
    anew = {"marks": [], "basis": ""}
    await connection.execute(sa.update(day_segments).where(_segment.id == id_).values(anew))


async def withdraw(connection: AsyncConnection, user_id: str, conversation_id: int) -> None:
    """Take back, until they are made anew, whole summaries of a user's days that tell of a conversation, and
    earlier ones. A day that has nothing else goes."""
    await earlier_summaries.forget_telling(connection, user_id, conversation_id)
    await _withdraw(connection, {"users": [user_id], "conversation": conversation_id})


async def withdraw_strangers(connection: AsyncConnection, user_ids: Sequence[str]) -> None:
    """Withdraw all conversations that are gone, or not these users' any more; and the earlier summaries of
    all their days."""
    await earlier_summaries.forget(connection, user_ids)
    await _withdraw(connection, {"users": list(user_ids), "conversation": None})


async def _withdraw(connection: AsyncConnection, asked: dict[str, Any]) -> None:
    for statement in (_BLANK, _DELETE_EMPTY):
        await connection.execute(statement, asked)


async def unfinished(connection: AsyncConnection, before: datetime, after: int, limit: int) -> list[Row]:
    quiet = (~_segment.finalised) & (_segment.ends_at < before) & (_segment.id > after)
    statement = _ROWS.where(quiet).order_by(_segment.id).limit(limit)
    return [Row(*row) for row in await connection.execute(statement)]


async def to_sum_up(connection: AsyncConnection, id_: int, tries: int) -> SegmentToSummarise | None:
    """Return a segment that awaits the model and was tried fewer than `tries` times. None while one of its
    conversations awaits the model, or it is about to be made anew: first each is understood, then the day."""
    statement = sa.select(*_columns(SegmentToSummarise)).where(_segment.id == id_, _awaiting(tries))
    row = (await connection.execute(statement)).first()
    return SegmentToSummarise(*row) if row else None


async def awaiting_model(connection: AsyncConnection, tries: int, limit: int) -> list[tuple[int, str]]:
    """Return ids and bases of such segments, those first that were tried least."""
    statement = sa.select(_segment.id, _segment.basis).where(_awaiting(tries))
    first = statement.order_by(_segment.model_tries, _segment.id).limit(limit)
    return [(id_, basis) for id_, basis in await connection.execute(first)]


async def summed_up(connection: AsyncConnection, id_: int, basis: str, summary: str) -> bool:
    """Keep a model's summary, and as an earlier one what it replaces; return whether the segment is still
    what the model was asked about."""
    await earlier_summaries.before_model(connection, id_, basis, summary)
    values = {"summary": summary, "source": "model", "awaits_model": False, "updated_at": sa.func.now()}
    ours = (_segment.id == id_) & (_segment.basis == basis) & _segment.awaits_model
    statement = sa.update(day_segments).where(ours).values(values).returning(_segment.id)
    return (await connection.execute(statement)).first() is not None


async def count_try(connection: AsyncConnection, id_: int, basis: str, weight: int) -> None:
    """Count that the model was asked in vain, by weight."""
    ours = (_segment.id == id_) & (_segment.basis == basis)
    once_more = {"model_tries": _segment.model_tries + weight}
    await connection.execute(sa.update(day_segments).where(ours).values(once_more))


def _awaiting(tries: int) -> "sa.ColumnElement[bool]":
    understood = _ALL_UNDERSTOOD.bindparams(tries=tries)
    return sa.and_(_segment.awaits_model, _segment.model_tries < tries, understood)


# A digest that the model was asked for in vain too often (`jobs.digest_with_model`) is waited for no more.
_ALL_UNDERSTOOD = sa.text("""not exists (
    select from digests where conversation_id = any(day_segments.sources)
        and awaits_model and model_tries < :tries
) and not exists (
    select from pending_work
    where kind = 'day_summaries' and key = day_segments.user_id || '|' || day_segments.agent_id
        and requested > done
)""")
# A call is told once it is digested: one in which nothing may be remembered never is. A chat goes on for
# long, and belongs to its days before it has ended. Of open threads counts what a person did: that a later
# conversation closed one is in that one's `closes`, and would here only have all days since then made anew.
_CONVERSATIONS = Statement("""
select c.id,
    c.agent_id = :agent and c.outcome = 'talked' and (d.conversation_id is not null or c.channel <> 'voice'),
    c.timezone, c.started_at, c.ended_at,
    md5(concat_ws('|', c.event_timestamp, c.started_at, c.ended_at, c.language, d.basis, d.source, d.summary,
        d.closes,
        (
            select string_agg(concat_ws('|', t.kind, t.text, t.positions, t.by_hand,
                case
                    when t.status = 'excluded' or t.status = 'closed' and t.closed_by is null then t.status
                end),
                '|' order by t.id)
            from open_threads t where t.conversation_id = c.id
        ),
        case when d.conversation_id is null and c.channel <> 'voice'
            then (select count(*) from messages m where m.conversation_id = c.id) end))
from conversations c left join digests d on d.conversation_id = c.id
where c.user_id = :user and (c.timezone <> '' or c.agent_id = :agent and c.outcome = 'talked')
order by c.started_at, c.id
""")
_DIGESTS = Statement("""
select c.id, coalesce(nullif(d.language, ''), c.language), d.conversation_id is not null,
    c.goes_on, coalesce(d.summary, ''), (
        select coalesce(json_agg(json_build_object(
            'kind', kind, 'text', text, 'closed_by', closed_by, 'positions', positions, 'status', status,
            'by_hand', by_hand
        ) order by id), '[]') from open_threads t where t.conversation_id = c.id
    )::text
from conversations c left join digests d on d.conversation_id = c.id
where c.id = any(cast(:ids as bigint[])) order by c.id
""")
_STRANGE = """
cast(:conversation as bigint) is null and (c.id is null or c.user_id is distinct from s.user_id
    or c.agent_id <> s.agent_id or c.outcome <> 'talked') or one.id = :conversation
"""
_BLANK = sa.text(f"""
with strange as (
    select s.id, array_agg(one.id) as conversations from day_segments s, unnest(s.sources) as one (id)
    left join conversations c on c.id = one.id
    where s.user_id = any(cast(:users as text[])) and ({_STRANGE}) group by s.id
)
update day_segments s set summary = '', source = '', basis = '', awaits_model = false,
    marks = '{{}}', finalised = false, updated_at = now(),
    sources = array(select one from unnest(s.sources) as one where one <> all(strange.conversations))
from strange where s.id = strange.id
""")  # noqa: S608 (all of it is ours)
_DELETE_EMPTY = sa.text(
    "delete from day_segments where user_id = any(cast(:users as text[])) and sources = '{}'"
)
