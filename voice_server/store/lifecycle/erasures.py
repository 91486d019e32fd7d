"""Erasures: conversations and whole users that nothing is to be left of. What it takes before and after, and
all locks, are the business of `operations.people.erasing`.

What stays of a conversation is its platform's id, so that no event brings it back, and the rows of its
events, without what they said.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.fact import Provenance
from voice_server.domain.quote import MARK
from voice_server.errors import Conflict, NotFound
from voice_server.store.conversations.chats import PLATFORM
from voice_server.store.knowledge import notes
from voice_server.store.people import user_profiles
from voice_server.store.session import Statement, among
from voice_server.store.tables import (
    conversations,
    digests,
    erased_prompts,
    erased_spans,
    facts,
    identifications,
    users,
)

WHY = "its conversation was erased"
_TELLING = 8  # characters of a quotation by which an answer that has it is known


def gone(platform: str, conversation_id: str, user_id: str, prompt_version: str) -> str:
    """Return SQL that tells whether an event, by these expressions, is of what was erased. Two people may
    have prompts of the same words, and so of one version: a version tells nothing while somebody still has
    that prompt, beside a user who is still there, or of a call that was said to be another's."""
    return f"""(
    exists (select from erasures x where x.platform = {platform} and x.platform_id = {conversation_id})
    or (
        exists (select from erased_users x where x.user_id = {user_id})
        or exists (select from erased_prompts x where x.version = {prompt_version})
        and not exists (select from generated_prompts g where g.version = {prompt_version})
        and not exists (select from users u where u.id = {user_id})
    ) and not exists (
        select from identifications i where i.platform = {platform} and i.platform_id = {conversation_id}
    ))"""  # noqa: S608 (our own expressions)


class ErasableConversation(Struct, frozen=True):
    """A conversation that is there. `concerned` are all users of whom something is known from it, `digest_of`
    about whom it was understood. From `since` on (UTC) a prompt could tell of it."""

    id: int
    platform: str
    platform_id: str
    agent_id: str
    user_id: str | None
    known_as: str
    started_at: datetime
    since: datetime
    digest_of: str | None
    concerned: tuple[str, ...] = ()


class Call(NamedTuple):
    platform: str
    id: str


class WaitingEvent(Struct, frozen=True):
    event_id: int
    call: Call
    user_id: str | None
    body: bytes


class ErasableFact(Struct, frozen=True):
    id: int
    text: str
    origin: str
    said_in: str
    supersedes: str
    superseded_by: int | None
    sources: tuple[int, ...]
    conversation_id: int | None = None
    provenance: Provenance | None = None


# -- a conversation


async def find(connection: AsyncConnection, id_: int) -> ErasableConversation:
    """Return the conversation with this id. Raises NotFound."""
    found = (await connection.execute(_FIND.where(conversations.c.id == id_))).mappings().first()
    if found is None:
        raise NotFound(f"There is no conversation {id_}.")
    call = ErasableConversation(**{str(name): value for name, value in found.items()})
    concerned = {
        call.user_id,
        call.digest_of,
        *await notes.owners(connection, call.platform, call.platform_id),
    }
    return replace(call, concerned=tuple(sorted(one for one in concerned if one)))


async def forget_facts(connection: AsyncConnection, call: ErasableConversation, user_id: str) -> None:
    """Forget the facts that rest on a conversation alone, whatever a person made of them; and its words where
    others name them as what they replaced, or where tools quoted them in later calls. Before its digest goes;
    refresh the facts afterwards."""
    whose = {"user": user_id, "agent": call.agent_id}
    found = (await connection.execute(_FACTS, whose)).mappings()
    rows = [msgspec.convert(dict(row), ErasableFact) for row in found]
    said = (await connection.execute(_SAID, {**whose, "conversation": call.id})).all()
    is_agents = (
        await notes.platform_of(connection, call.agent_id) == call.platform
    )  # a chat may have a call's id
    gone = resting_on(rows, call.id, call.platform_id if is_agents else "")
    await connection.execute(sa.delete(facts).where(facts.c.id.in_(gone)))
    words = _words_gone(
        rows, gone, [row.text for row in said if row.is_its], {row.text for row in said if not row.is_its}
    )
    asked = {**whose, "words": sorted(words - {""})}
    for statement in _UNNAME:
        await connection.execute(statement, asked)
    place = {"conversation": call.id, "name": call.platform_id if is_agents else ""}
    await connection.execute(_UNTRACE, {**whose, **place})
    named = {"named": _NAMED.format(call.id), "chats": PLATFORM, "since": call.since}
    await connection.execute(_UNQUOTE, {**asked, **named, "words": sorted(_parts(words))})


def _parts(words: Iterable[str]) -> set[str]:
    """Return the parts of these words between quotation marks, which JSON writes otherwise."""
    parts = {part.strip() for text in words for part in text.split(MARK)}
    return {part for part in parts if len(part) >= _TELLING}


def resting_on(rows: Sequence[ErasableFact], conversation_id: int, platform_id: str) -> set[int]:
    """Return the facts that rest on this conversation alone: what it said, what was noted in it ("": nothing
    can have been), and what a person made of either."""
    gone = {row.id for row in rows if _rests_on(row, conversation_id, platform_id)}
    its_edits = {
        row.id
        for row in rows
        if row.provenance and _rests_on(_first(row, row.provenance), conversation_id, platform_id)
    }
    while more := set(_edits(rows, gone, its_edits)):
        gone |= more
    return gone


def _rests_on(row: ErasableFact, conversation_id: int, platform_id: str) -> bool:
    if row.origin == "excerpt":
        return row.conversation_id == conversation_id
    if row.origin == "tool":
        return platform_id != "" and row.said_in == platform_id
    return row.origin == "digest" and set(row.sources) == {conversation_id}


def _first(edit: ErasableFact, provenance: Provenance) -> ErasableFact:
    """Return what was edited first as it was then."""
    sources = tuple(one.conversation_id for one in provenance.sources)
    own = sources[0] if provenance.origin == "excerpt" else None
    return replace(
        edit, origin=provenance.origin, said_in=provenance.said_in, sources=sources, conversation_id=own
    )


def _edits(rows: Sequence[ErasableFact], gone: set[int], its_edits: set[int]) -> Iterator[int]:
    """Yield edits of what is gone: rows that name its words as what they replaced. What was edited may be
    worded otherwise by now, or not at all, and then superseding tells, or where the edited words came from.
    Skip those whose words are still there to be edited."""
    worded = {row.text for row in rows if row.id in gone}
    followed = {row.superseded_by for row in rows if row.id in gone}
    following = {row.superseded_by for row in rows if row.id not in gone}
    for row in rows:
        if row.id in gone or row.origin != "api" or not row.supersedes:
            continue
        is_edit = row.supersedes in worded or (row.id in followed | its_edits and row.id not in following)
        if is_edit and not any(_was_edited(one, row) for one in rows if one.id not in gone):
            yield row.id


def _was_edited(one: ErasableFact, edit: ErasableFact) -> bool:
    """Tell whether an edit may be one of this row. It comes after what it edits: one that takes back another
    is none of those before."""
    is_first = one.origin != "api" or not one.supersedes
    return one.id != edit.id and one.text == edit.supersedes and (is_first or one.id < edit.id)


def _words_gone(
    rows: Sequence[ErasableFact], gone: set[int], its: Iterable[str], others: set[str]
) -> set[str]:
    before = {*its, *(row.text for row in rows if row.id in gone)}
    return before - others - {row.text for row in rows if row.id not in gone and row.origin != "digest"}


async def forget_prompts(
    connection: AsyncConnection, user_ids: Sequence[str], call: ErasableConversation | None = None
) -> None:
    """Delete what was built while it could tell of a conversation, or (None) of anything of these users: for
    them, for who was merged with them then, and for whom a call was taken before. Empty the bodies of
    ingested events of calls that began with it: they repeat it."""
    asked: dict[str, object] = {"users": list(user_ids), "conversation": None, "agent": None, "since": None}
    if call is not None:
        asked |= {"conversation": call.id, "agent": call.agent_id, "since": call.since}
    versions = [
        version
        for statement in (_PROMPTS, _PROMPTS_OF_PARTED, _PROMPTS_OF_MISTAKEN)
        for version in (await connection.execute(statement, asked)).scalars()
    ]
    await connection.execute(_BODIES, {**asked, "versions": versions})
    if call is not None:
        await connection.execute(_MARK_SPANS, asked)


async def delete(connection: AsyncConnection, call: ErasableConversation) -> None:
    """Delete a conversation with all that hangs on it alone. Its digest is gone already."""
    named = Call(call.platform, call.platform_id)
    await connection.execute(_UNUSE, {"conversation": call.id})
    await stay_erased(connection, [named])
    await _delete_identification(connection, named)
    await connection.execute(sa.delete(conversations).where(conversations.c.id == call.id))


async def _delete_identification(connection: AsyncConnection, call: Call) -> None:
    theirs = (identifications.c.platform == call.platform) & (identifications.c.platform_id == call.id)
    await connection.execute(sa.delete(identifications).where(theirs))


# -- a user


async def everybody(connection: AsyncConnection, user_id: str) -> list[str]:
    """Return a user, with all who were merged into them. Raises NotFound; Conflict for one who was merged
    into another."""
    user = await user_profiles.get(connection, user_id)
    if user.merged_into is not None:
        raise Conflict(
            f"User {user_id} was merged into user {user.merged_into}: erase that one, which erases both, or "
            "undo the merge first."
        )
    return sorted((await connection.execute(_EVERYBODY, {"user": user_id})).scalars())


async def calls_of(connection: AsyncConnection, user_ids: Sequence[str]) -> list[Call]:
    """Return all conversations of these users, also those that were said to be theirs and have not ended."""
    columns = conversations.c.platform, conversations.c.platform_id
    named = identifications.c.platform, identifications.c.platform_id
    found = sa.union(
        sa.select(*columns).where(conversations.c.user_id.in_(user_ids)),
        sa.select(*named).where(identifications.c.user_id.in_(user_ids)),
    )
    return [Call(*row) for row in await connection.execute(found)]


async def began_before(
    connection: AsyncConnection, user_id: str, calls: Sequence[Call], moment: datetime
) -> list[int]:
    """Return the ids of those calls that are recorded as a user's, and began before a moment."""
    found = (
        sa.select(conversations.c.id)
        .where(conversations.c.user_id == user_id, conversations.c.started_at < moment)
        .where(sa.tuple_(conversations.c.platform, conversations.c.platform_id).in_(calls))
    )
    return [*await connection.scalars(found)] if calls else []


async def waiting(connection: AsyncConnection, after: int, limit: int) -> list[WaitingEvent]:
    rows = await connection.execute(_WAITING, {"after": after, "limit": limit})
    return [
        WaitingEvent(id_, Call(platform, call), user_id, body) for id_, platform, call, user_id, body in rows
    ]


async def empty(connection: AsyncConnection, event_ids: Sequence[int]) -> None:
    await connection.execute(_EMPTY_EVENTS, {"events": list(event_ids), "why": WHY})


async def delete_user(connection: AsyncConnection, user_ids: Sequence[str], calls: Sequence[Call]) -> None:
    """Delete a user, with those who were merged into them, and all that is theirs. `calls` are all of
    theirs."""
    await connection.execute(_MARK_USERS, {"users": list(user_ids)})
    versions = list((await connection.execute(_PROMPTS_OF_USERS, {"users": list(user_ids)})).scalars())
    await connection.execute(_MARK_PROMPTS, {"versions": versions})
    await forget_prompts(connection, user_ids)
    await stay_erased(connection, calls)
    await connection.execute(_CHATS, {"users": list(user_ids)})
    await connection.execute(sa.delete(users).where(users.c.id.in_(user_ids)))


# -- events


async def stay_erased(connection: AsyncConnection, calls: Sequence[Call]) -> None:
    """Empty all events of these calls, and let no later one bring them back. Chats have none."""
    asked = {"platforms": [one.platform for one in calls], "ids": [one.id for one in calls]}
    await connection.execute(_MARK, {**asked, "chats": PLATFORM})
    await connection.execute(_EMPTY, {**asked, "why": WHY})


async def reaches(
    connection: AsyncConnection, event_id: int, user_id: str = "", prompt_version: str = ""
) -> bool:
    """Empty an event if it is of a conversation that was erased, or of a call under way when its user was: it
    names them, or the prompt they had then. Return whether it was. After `users.stay`."""
    asked = {"event": event_id, "why": WHY, "user": user_id, "version": prompt_version}
    return bool(await _REACHES.rows(connection, asked))


async def was_told(
    connection: AsyncConnection, user_ids: Sequence[str], agent_id: str, started_at: datetime
) -> bool:
    """Tell whether a call that began at this moment may have been told of a conversation of these users that
    was erased since."""
    asked = {"users": list(user_ids), "agent": agent_id, "at": started_at}
    return bool(await _WAS_TOLD.rows(connection, asked))


async def not_others(
    connection: AsyncConnection, user_ids: Sequence[str], calls: Sequence[Call]
) -> list[Call]:
    """Return those of these calls that nobody said to be of somebody else than these users."""
    asked = {"users": list(user_ids)}
    named = {"platforms": [one.platform for one in calls], "ids": [one.id for one in calls]}
    return [Call(*row) for row in await connection.execute(_NOT_OTHERS, {**asked, **named})]


async def forget_old_prompts(
    connection: AsyncConnection, before: datetime, _after: int, limit: int
) -> list[int]:
    """Forget prompts erased before a moment: no call that began with one is under way any more. Return a
    number for each."""
    old = (
        sa.select(erased_prompts.c.version)
        .where(erased_prompts.c.erased_at < before)
        .order_by(erased_prompts.c.erased_at)
        .limit(limit)
    )
    gone = await connection.execute(sa.delete(erased_prompts).where(among(erased_prompts.c.version, old)))
    return [0] * gone.rowcount


async def forget_old_spans(
    connection: AsyncConnection, before: datetime, after: int, limit: int
) -> list[int]:
    """Forget old spans among the `limit` that follow the id `after`; return their ids. They are numbered in
    the order of time: none follows the first that stays."""
    page = sa.select(erased_spans).where(erased_spans.c.id > after).order_by(erased_spans.c.id).limit(limit)
    spans = page.subquery().c
    old = sa.select(spans.id).where(spans.until < before)
    gone = sa.delete(erased_spans).where(among(erased_spans.c.id, old)).returning(erased_spans.c.id)
    return list((await connection.execute(gone)).scalars())


_FIND: sa.Select[Any] = sa.select(
    *(
        conversations.c[name]
        for name in ("id", "platform", "platform_id", "agent_id", "user_id", "known_as", "started_at")
    ),
    # what was noted while it went on is told before it is stored, and the platform's clock may be ahead of
    # ours
    sa.func.least(conversations.c.started_at, conversations.c.created_at).label("since"),
    digests.c.user_id.label("digest_of"),
).select_from(conversations.outerjoin(digests))
_FACTS = sa.text("""
select id, text, origin, said_in, supersedes, superseded_by, conversation_id, provenance,
    array(select (one ->> 'conversation_id')::bigint from jsonb_array_elements(sources) as one) as sources
from facts where user_id = :user and agent_id = :agent
""")
_SAID = sa.text("""
select distinct d.conversation_id = :conversation as is_its, one ->> 'text' as text
from digests d join conversations c on c.id = d.conversation_id, jsonb_array_elements(d.claims) as one
where d.user_id = :user and c.agent_id = :agent
""")
# An edit that stays, since others say what it edits, has not come from here.
_UNTRACE = sa.text("""
update facts set provenance = provenance || jsonb_build_object(
    'said_in', coalesce(nullif(provenance ->> 'said_in', cast(:name as text)), ''),
    'sources', (
        select coalesce(jsonb_agg(one order by place), '[]')
        from jsonb_array_elements(provenance -> 'sources') with ordinality as said (one, place)
        where (one ->> 'conversation_id')::bigint <> cast(:conversation as bigint)
    )
)
where user_id = :user and agent_id = :agent and provenance is not null and (
    provenance ->> 'said_in' = cast(:name as text)
    or provenance -> 'sources' @> jsonb_build_array(
        jsonb_build_object('conversation_id', cast(:conversation as bigint))
    )
)
""")
# What is said to replace words that are gone stands for itself.
_UNNAME = (
    sa.text("""
update digests d set claims = (
    select jsonb_agg(case when one ->> 'supersedes' = any(cast(:words as text[]))
        then one || '{"supersedes": ""}' else one end order by place)
    from jsonb_array_elements(d.claims) with ordinality as said (one, place)
)
from conversations c where c.id = d.conversation_id and d.user_id = :user and c.agent_id = :agent
    and exists (
        select from jsonb_array_elements(d.claims) as one
        where one ->> 'supersedes' = any(cast(:words as text[]))
    )
"""),
    sa.text("""
update facts set supersedes = '' where user_id = :user and agent_id = :agent
    and supersedes = any(cast(:words as text[]))
"""),
)
# What a look-up of ours answered, as the platform tells it. Of a chat the host application knows, and tells
# it again.
_UNQUOTE = sa.text("""
update messages m set content = '' from conversations c
where c.id = m.conversation_id and c.user_id = :user and c.agent_id = :agent and c.started_at >= :since
    and c.platform <> :chats and m.role = 'tool_result'
    and (m.content ~ :named or exists (
        select from unnest(cast(:words as text[])) as one where position(one in m.content) > 0
    ))
""")
_NAMED = r'message_id\\*"\s*:\s*\\*"{}:'  # also where JSON stands in a string of JSON
_PROMPTS = sa.text("""
delete from generated_prompts
where user_id = any(cast(:users as text[])) and agent_id = :agent
    and created_at >= cast(:since as timestamptz)
returning version
""")
# Who was merged with somebody, for a time, has prompts from then that tell of both. The two clocks may differ
# a little.
_PROMPTS_OF_PARTED = sa.text("""
with recursive merged as (
    select from_user, into_user, merged_at, undone_at from user_merges
    where from_user = any(cast(:users as text[])) or into_user = any(cast(:users as text[]))
    union
    select m.from_user, m.into_user, m.merged_at, m.undone_at from merged
    join user_merges m on m.from_user in (merged.from_user, merged.into_user)
        or m.into_user in (merged.from_user, merged.into_user)
), other as (
    select one.id, min(merged_at) as since, max(coalesce(undone_at, 'infinity')) as until
    from merged, unnest(array[from_user, into_user]) as one (id)
    where one.id <> all(cast(:users as text[])) group by one.id
)
delete from generated_prompts p using other
where p.user_id = other.id and p.agent_id = coalesce(cast(:agent as text), p.agent_id)
    and p.created_at >= greatest(other.since, cast(:since as timestamptz)) - interval '1 minute'
    and p.created_at <= other.until + interval '1 minute'
    and not exists (
        select from cached_voice_prompts c
        where c.user_id = p.user_id and c.agent_id = p.agent_id and c.version = p.version
    )
returning p.version
""")
# A call that was said to be theirs was taken, up to then, for one of whoever has the address.
_PROMPTS_OF_MISTAKEN = sa.text("""
delete from generated_prompts p using conversations c
join identifications i on i.platform = c.platform and i.platform_id = c.platform_id
join addresses a on a.address = c.known_as
where (c.id = cast(:conversation as bigint)
        or cast(:conversation as bigint) is null and c.user_id = any(cast(:users as text[])))
    and p.user_id = a.user_id and p.user_id <> all(cast(:users as text[])) and p.agent_id = c.agent_id
    and p.created_at between least(c.started_at, c.created_at) and i.identified_at + interval '1 minute'
    and not exists (
        select from cached_voice_prompts d
        where d.user_id = p.user_id and d.agent_id = p.agent_id and d.version = p.version
    )
returning p.version
""")
_BODIES = sa.text("""
update webhook_events e set body = '' from conversations c
where c.agent_id = coalesce(cast(:agent as text), c.agent_id)
    and (c.user_id = any(cast(:users as text[])) and c.started_at >= cast(:since as timestamptz)
        or c.prompt_version = any(cast(:versions as text[])))
    and e.platform = c.platform and e.conversation_id = c.platform_id
    and e.status in ('ingested', 'ignored') and e.body <> ''
""")
_MARK_USERS = sa.text("""
insert into erased_users (user_id) select unnest(cast(:users as text[])) on conflict do nothing
""")
_PROMPTS_OF_USERS = sa.text("""
select version from generated_prompts where user_id = any(cast(:users as text[]))
union select version from cached_voice_prompts where user_id = any(cast(:users as text[]))
""")
_MARK_PROMPTS = sa.text("""
insert into erased_prompts (version) select distinct unnest(cast(:versions as text[]))
on conflict (version) do update set erased_at = now()
""")
_MARK_SPANS = sa.text("""
insert into erased_spans (user_id, agent_id, since)
select unnest(cast(:users as text[])), :agent, cast(:since as timestamptz)
""")
# The platform's clock and ours may differ a little.
_WAS_TOLD = Statement("""
select user_id from erased_spans where user_id = any(cast(:users as text[])) and agent_id = :agent
    and cast(:at as timestamptz) between since - interval '1 minute' and until + interval '1 minute' limit 1
""")
_NOT_OTHERS: sa.TextClause = sa.text("""
select platform, id from unnest(cast(:platforms as text[]), cast(:ids as text[])) as call (platform, id)
where not exists (
    select from identifications i where i.platform = call.platform and i.platform_id = call.id
        and i.user_id <> all(cast(:users as text[]))
)
""")
_UNUSE = sa.text("update thoughts set used_in = null, used_at = null where used_in = :conversation")
_EVERYBODY = sa.text("""
with recursive one as (
    select id from users where id = :user union select u.id from users u join one on u.merged_into = one.id
)
select id from one
""")
_WAITING: sa.TextClause = sa.text("""
select e.id, e.platform, e.conversation_id, i.user_id, e.body from webhook_events e
left join identifications i on i.platform = e.platform and i.platform_id = e.conversation_id
where e.status in ('received', 'failed') and e.id > :after order by e.id limit :limit
""")
_EMPTY_EVENTS = sa.text("""
update webhook_events set body = '', status = 'erased', reason = :why, processed_at = now()
where id = any(cast(:events as bigint[]))
""")
_MARK = sa.text("""
insert into erasures (platform, platform_id)
select platform, id from unnest(cast(:platforms as text[]), cast(:ids as text[])) as call (platform, id)
where platform <> :chats on conflict do nothing
""")
_EMPTY = sa.text("""
update webhook_events e set body = '', status = 'erased', reason = :why, processed_at = now()
from unnest(cast(:platforms as text[]), cast(:ids as text[])) as call (platform, id)
where e.platform = call.platform and e.conversation_id = call.id
""")
_REACHES = Statement(
    """
update webhook_events e set body = '', status = 'erased', reason = :why, processed_at = now()
where e.id = :event and """
    + gone("e.platform", "e.conversation_id", "cast(:user as text)", "cast(:version as text)")
    + """ returning e.id
"""
)
# Where a sitting was erased, its place in its chat stays, by which alone it is nobody's.
_CHATS = sa.text("""
delete from sittings where chat_id in (
    select s.chat_id from sittings s join conversations c on c.id = s.conversation_id
    where c.user_id = any(cast(:users as text[]))
)
""")
