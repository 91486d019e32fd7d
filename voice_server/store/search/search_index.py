"""The search index of a timeline: its passages, and where each lexeme was said.

Passages count only while their conversation is the user's, was talked, and is as it was indexed. That is
looked up at each search: nothing that changes a conversation has to know of the index.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.conversation import Message, Role
from voice_server.store.knowledge.day_segments import OF_MESSAGE
from voice_server.store.session import Statement


class PackedTimeline(Struct, frozen=True):
    """All passages of a timeline. The lists have an entry for each, in the order of `bases`; `languages` has
    each language once. The bytes are what is kept of each message, one after the other. `starts` are unix
    seconds."""

    timeline_id: int
    generation: int
    bases: list[int]
    sizes: list[int]
    starts: list[int]
    conversation_ids: list[int]
    languages: list[str]
    positions: bytes
    seconds: bytes
    lengths: bytes
    kinds: bytes


class LastPassage(Struct, frozen=True):
    base: int
    size: int
    starts_at: datetime
    language: str


class UnindexedConversation(Struct, frozen=True):
    """A conversation to index from the position after `until` on. `told` names what told it; `last` is the
    timeline's last passage, if it is of this conversation."""

    id: int
    told: int
    until: int
    language: str
    messages: tuple[Message, ...]
    last: LastPassage | None = None


class State(Struct, frozen=True):
    """What there is to index. `whole`: there are gaps, or words of what was said otherwise, and all is
    indexed anew."""

    user_id: str
    agent_id: str
    users_language: str
    whole: bool
    unindexed: tuple[UnindexedConversation, ...]


class NewPassage(Struct, frozen=True):
    """A passage to keep, or how one that begins there goes on. `offset` is its first number, counted from the
    first one added with it."""

    conversation_id: int
    offset: int
    size: int
    starts_at: datetime
    language: str
    positions: bytes
    seconds: bytes
    lengths: bytes
    kinds: bytes


class FoundMessage(Struct, frozen=True):
    """A message as it is shown: `content` is its beginning. `day_segment_id` is None while it is in no
    segment. `summary` is that of its day (Markdown), "" unless asked for and made."""

    conversation_id: int
    position: int
    role: Role
    content: str
    said_at: datetime
    day_segment_id: int | None
    day: date | None
    summary: str


_PASSAGES = sa.text("""
select t.id, t.generation, array_agg(p.base order by p.base), array_agg(p.size order by p.base),
    array_agg(extract(epoch from p.starts_at)::bigint order by p.base),
    array_agg(p.conversation_id order by p.base), array_agg(distinct p.language),
    string_agg(p.positions, ''::bytea order by p.base), string_agg(p.seconds, ''::bytea order by p.base),
    string_agg(p.lengths, ''::bytea order by p.base), string_agg(p.kinds, ''::bytea order by p.base)
from search_timelines t
join search_passages p on p.timeline_id = t.id
join search_conversations s on s.conversation_id = p.conversation_id and s.timeline_id = t.id
join conversations c on c.id = s.conversation_id and c.event_timestamp = s.told
where t.user_id = :user and t.agent_id = :agent
    and c.user_id = t.user_id and c.agent_id = t.agent_id and c.outcome = 'talked'
group by t.id
""")
_WORDS = sa.text("""
select w.lexeme, w.places from search_timelines t
left join search_words w on w.timeline_id = t.id and w.lexeme = any(cast(:lexemes as text[]))
where t.id = :timeline and t.generation = :generation
""")
_SHOWN = 1000  # characters of a message: no result shows more, and some chat messages have 100,000
_MESSAGES = sa.text(f"""
select m.conversation_id, m.position, m.role, left(m.content, {_SHOWN}), m.said_at, s.id, s.day,
    case when wanted.with_summary then coalesce(s.summary, '') else '' end
from unnest(cast(:conversations as bigint[]), cast(:positions as int[]), cast(:with_summary as bool[]))
    as wanted (conversation_id, position, with_summary)
join messages m using (conversation_id, position)
join conversations c on c.id = m.conversation_id and c.user_id = :user and c.agent_id = :agent
{OF_MESSAGE}
where m.role in ('user', 'agent')
""")  # noqa: S608 (all of it is ours)


async def passages(connection: AsyncConnection, user_id: str, agent_id: str) -> PackedTimeline | None:
    row = (await connection.execute(_PASSAGES, {"user": user_id, "agent": agent_id})).first()
    return None if row is None else PackedTimeline(*row)


async def places(
    connection: AsyncConnection, packed: PackedTimeline, lexemes: Sequence[str]
) -> dict[str, bytes] | None:
    """Return packed places, without lexemes that were never said. None when the messages have got other
    numbers since the passages were read."""
    arguments = {"timeline": packed.timeline_id, "generation": packed.generation, "lexemes": list(lexemes)}
    rows = (await connection.execute(_WORDS, arguments)).all()
    return {row.lexeme: row.places for row in rows if row.lexeme is not None} if rows else None


async def messages(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str,
    named: Sequence[tuple[int, int]],
    of_days: Sequence[tuple[int, int]],
) -> dict[tuple[int, int], FoundMessage]:
    """Return messages by conversation and position, those of `of_days` with the summary of their day."""
    wanted = dict.fromkeys(named, False) | dict.fromkeys(of_days, True)
    arguments = {
        "user": user_id,
        "agent": agent_id,
        "conversations": [conversation for conversation, _ in wanted],
        "positions": [position for _, position in wanted],
        "with_summary": list(wanted.values()),
    }
    rows = [FoundMessage(*row) for row in await connection.execute(_MESSAGES, arguments)]
    return {(row.conversation_id, row.position): row for row in rows}


# `theirs` are the conversations that belong to the timeline; the ones of before are those that were indexed
# for it.
_STATE = Statement("""
with theirs as (
    select c.id, c.event_timestamp as told, c.language, c.started_at, s.until,
        s.timeline_id is not distinct from t.id and s.told = c.event_timestamp as indexed
    from conversations c
    left join search_timelines t on t.user_id = c.user_id and t.agent_id = c.agent_id
    left join search_conversations s on s.conversation_id = c.id
    where c.user_id = :user and c.agent_id = :agent and c.outcome = 'talked'
), live as (
    select coalesce(sum(p.size), 0) as places from search_timelines t
    join search_passages p on p.timeline_id = t.id
    join theirs on theirs.id = p.conversation_id and theirs.indexed
    where t.user_id = :user and t.agent_id = :agent
), gaps as (
    select :whole or exists (
        select from search_timelines t, live
        where t.user_id = :user and t.agent_id = :agent and t.next_place <> live.places
    ) as there
), last as (
    select p.conversation_id, p.base, p.size, p.starts_at, p.language from search_timelines t
    join search_passages p on p.timeline_id = t.id and p.base + p.size = t.next_place
    where t.user_id = :user and t.agent_id = :agent
)
select gaps.there, (select language from users where id = :user),
    theirs.id, theirs.told, case when theirs.indexed and not gaps.there then theirs.until else -1 end,
    theirs.language, last.base, last.size, last.starts_at, last.language
from gaps left join theirs on gaps.there or not coalesce(theirs.indexed, false)
    or theirs.until < (select max(position) from messages m where m.conversation_id = theirs.id)
left join last on last.conversation_id = theirs.id and theirs.indexed and not gaps.there
order by last.base is null, theirs.started_at, theirs.id
""")
_SAID = Statement("""
select conversation_id, position, role, content, said_at, tool_name from messages
where conversation_id = any(cast(:ids as bigint[])) order by conversation_id, position
""")


async def state(connection: AsyncConnection, user_id: str, agent_id: str, *, whole: bool = False) -> State:
    rows = await _STATE.rows(connection, {"user": user_id, "agent": agent_id, "whole": whole})
    ids = [row[2] for row in rows if row[2] is not None]
    said: dict[int, list[Message]] = {id_: [] for id_ in ids}
    if ids:
        for id_, *message in await _SAID.rows(connection, {"ids": ids}):
            said[id_].append(Message(*message))
    unindexed = tuple(
        UnindexedConversation(
            id_, told, until, language, tuple(said[id_]), LastPassage(*last) if last[0] is not None else None
        )
        for _, _, id_, told, until, language, *last in rows
        if id_ is not None
    )
    return State(user_id, agent_id, (rows[0][1] or "") if rows else "", bool(rows and rows[0][0]), unindexed)


_TIMELINE = Statement("""
insert into search_timelines (user_id, agent_id) values (:user, :agent)
on conflict (user_id, agent_id) do update set next_place = search_timelines.next_place
returning id, next_place
""")
_EMPTY = (
    sa.text("delete from search_words where timeline_id = :timeline"),
    sa.text("delete from search_conversations where timeline_id = :timeline"),
    sa.text("delete from search_passages where timeline_id = :timeline"),
    sa.text("update search_timelines set next_place = 0, generation = generation + 1 where id = :timeline"),
)
# One that became another user's since it was read is left to them.
_CONVERSATIONS = Statement("""
insert into search_conversations (conversation_id, timeline_id, told, until)
select one.id, :timeline, one.told, one.until
from unnest(cast(:ids as bigint[]), cast(:told as bigint[]), cast(:untils as int[])) as one (id, told, until)
where exists (
    select from conversations c join search_timelines t on t.user_id = c.user_id and t.agent_id = c.agent_id
    where c.id = one.id and t.id = :timeline
)
on conflict (conversation_id) do update
set timeline_id = excluded.timeline_id, told = excluded.told, until = excluded.until
""")
# A conversation that was another user's before takes its passages away from there: those are gaps over there.
# A statement of its own: it has to see what the insert waited for, which that user's job has just added.
_TAKE = Statement("""
delete from search_passages p using search_conversations s
where s.conversation_id = p.conversation_id and s.timeline_id = :timeline and p.timeline_id <> :timeline
    and p.conversation_id = any(cast(:ids as bigint[]))
""")
_ADD = Statement("""
with counted as (
    update search_timelines set next_place = next_place + :places where id = :timeline
), said as (
    insert into search_words (timeline_id, lexeme, places)
    select :timeline, one.lexeme, one.places
    from unnest(cast(:lexemes as text[]), cast(:lexeme_places as bytea[])) as one (lexeme, places)
    on conflict (timeline_id, lexeme) do update set places = search_words.places || excluded.places
)
insert into search_passages (timeline_id, base, conversation_id, size, starts_at, language, positions,
    seconds, lengths, kinds)
select :timeline, :base + p."offset", p.conversation_id, p.size, p.starts_at, p.language, p.positions,
    p.seconds, p.lengths, p.kinds
from unnest(cast(:conversation_id as bigint[]), cast(:offset as bigint[]), cast(:size as int[]),
    cast(:starts_at as timestamptz[]), cast(:language as text[]), cast(:positions as bytea[]),
    cast(:seconds as bytea[]), cast(:lengths as bytea[]), cast(:kinds as bytea[]))
    as p (conversation_id, "offset", size, starts_at, language, positions, seconds, lengths, kinds)
join search_conversations s on s.conversation_id = p.conversation_id and s.timeline_id = :timeline
on conflict (timeline_id, base) do update set size = search_passages.size + excluded.size,
    positions = search_passages.positions || excluded.positions,
    seconds = search_passages.seconds || excluded.seconds,
    lengths = search_passages.lengths || excluded.lengths, kinds = search_passages.kinds || excluded.kinds
""")


async def begin(connection: AsyncConnection, user_id: str, agent_id: str, *, whole: bool) -> tuple[int, int]:
    """Lock a timeline until the transaction ends; return its id and the next number of a message. With
    `whole` it is emptied first."""
    row = (await _TIMELINE.rows(connection, {"user": user_id, "agent": agent_id}))[0]
    if not whole:
        return row[0], row[1]
    for statement in _EMPTY:
        await connection.execute(statement, {"timeline": row[0]})
    return row[0], 0


async def add(
    connection: AsyncConnection,
    timeline_id: int,
    base: int,
    indexed: Sequence[UnindexedConversation],
    passages: Sequence[NewPassage],
    words: Mapping[str, bytes],
) -> None:
    """Add conversations to a timeline that has begun. `base` is the number of their first message; `words`
    are the packed places of each lexeme, `base` counted in."""
    ids = [one.id for one in indexed]
    told = {
        "told": [one.told for one in indexed],
        "untils": [one.messages[-1].position if one.messages else one.until for one in indexed],
    }
    await _CONVERSATIONS.rows(connection, {"timeline": timeline_id, "ids": ids, **told})
    await _TAKE.rows(connection, {"ids": ids, "timeline": timeline_id})
    columns = {name: [getattr(one, name) for one in passages] for name in NewPassage.__struct_fields__}
    places = {"base": base, "places": sum(one.size for one in passages)}
    said = {"lexemes": list(words), "lexeme_places": list(words.values())}
    await _ADD.rows(connection, {"timeline": timeline_id, **places, **said, **columns})


# The last id of a page is asked for first. With both of its ends given for every table, a page is read from a
# part of each index, however much there is before it.
_PAGES = """
select max(id) from (select id from {table} where id > :after order by id limit :page) page
"""
_PAGE_OF_CONVERSATIONS = sa.text(_PAGES.format(table="conversations"))
_PAGE_OF_TIMELINES = sa.text(_PAGES.format(table="search_timelines"))
_BEHIND: sa.TextClause = sa.text("""
select c.id, c.user_id, c.agent_id, t.user_id, t.agent_id from conversations c
left join search_conversations s
    on s.conversation_id = c.id and s.conversation_id > :after and s.conversation_id <= :last
left join search_timelines t on t.id = s.timeline_id
where c.id > :after and c.id <= :last and case when c.outcome = 'talked' and c.user_id is not null
    then t.id is null or t.user_id <> c.user_id or t.agent_id <> c.agent_id or s.told <> c.event_timestamp
    else t.id is not null
end
order by c.id limit :most
""")
_WITH_GAPS: sa.TextClause = sa.text("""
select t.id, t.user_id, t.agent_id from search_timelines t
left join search_passages p on p.timeline_id = t.id and p.timeline_id > :after and p.timeline_id <= :last
where t.id > :after and t.id <= :last
group by t.id having t.next_place <> coalesce(sum(p.size), 0) order by t.id limit :most
""")
_TIMELINES_OF = sa.text("""
select agent_id from search_timelines where user_id = :user
union select distinct agent_id from conversations where user_id = :user order by 1
""")


class IndexGaps(Struct, frozen=True):
    """Users, each with an agent, whose index is not as it should be, on one page of a round. The next page
    begins at `last`, None when this was the last."""

    timelines: list[tuple[str, str]]
    last: int | None


async def behind(connection: AsyncConnection, after: int, page: int, most: int) -> IndexGaps:
    """Find whose index lacks a conversation, or has words of one that is not theirs. Looks at a page of
    conversations by id, up to the one that makes `most`."""
    last = (await connection.execute(_PAGE_OF_CONVERSATIONS, {"after": after, "page": page})).scalar_one()
    if last is None:
        return IndexGaps([], None)
    asked = {"after": after, "last": last, "most": most}
    rows = (await connection.execute(_BEHIND, asked)).all()
    pairs = {pair for _, user, agent, *before in rows for pair in ((user, agent), tuple(before))}
    found = sorted((user, agent) for user, agent in pairs if user is not None)
    return IndexGaps(found, rows[-1][0] if len(rows) == most else last)


async def with_gaps(connection: AsyncConnection, after: int, page: int, most: int) -> IndexGaps:
    """Find whose index has words of what is gone. Looks at a page of timelines, as `behind` does."""
    last = (await connection.execute(_PAGE_OF_TIMELINES, {"after": after, "page": page})).scalar_one()
    if last is None:
        return IndexGaps([], None)
    rows = (await connection.execute(_WITH_GAPS, {"after": after, "last": last, "most": most})).all()
    found = sorted((user, agent) for _, user, agent in rows)
    return IndexGaps(found, rows[-1][0] if len(rows) == most else last)


async def agents_of(connection: AsyncConnection, user_id: str) -> list[str]:
    return list((await connection.execute(_TIMELINES_OF, {"user": user_id})).scalars())
