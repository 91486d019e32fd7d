"""Merges: two users who turn out to be one person, and taking that back.

    from_user ──everything──→ into_user          from_user stays as a signpost, `merged_into`: an old id
        ↑                         │              that comes back means the survivor
        └── undo, within a time ──┘

What belongs to a conversation follows it. What was set or added by hand is moved by id and noted in `moved`.
Facts and relationships are folded anew afterwards. Where both had one, the survivor's name, time zone,
language, relationship and external id stay; the other's external id stays with the signpost. What either had
pinned or excluded is so for both.

Undoing gives back all that was moved. What came about since:

- a conversation goes back if it came over an address that goes back, or was said to be theirs; else it stays
  with the survivor; what a tool noted in it goes with it;
- what was added by hand stays with the survivor, but an edit follows what it edits, and what was pinned or
  excluded stays so for both;
- what either asked to have forgotten in a conversation that is erased by now is forgotten for both.

What is cached of the two is the business of `operations.people.merging`, which holds both and calls this.
"""

from datetime import datetime, timedelta

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.errors import Conflict, NotFound
from voice_server.store.knowledge import facts, relationships, threads
from voice_server.store.people import names, users
from voice_server.store.tables import user_merges

_NOTHING = sa.text("'{}'::jsonb")


class Merge(Struct, frozen=True):
    """One merge. `undone_at` is None while it holds."""

    id: int
    from_user: str
    into_user: str
    merged_at: datetime
    undone_at: datetime | None = None


async def get(connection: AsyncConnection, merge_id: int) -> Merge:
    """Return one merge. Raises NotFound."""
    row = (await connection.execute(_MERGES.where(user_merges.c.id == merge_id))).first()
    if row is None:
        raise NotFound(f"There is no merge {merge_id}.")
    return Merge(*row)


async def page(
    connection: AsyncConnection, user_id: str, *, before: int | None = None, limit: int = 50
) -> list[Merge]:
    """Return the merges of a user, newest first, undone ones too; with a smaller id than `before`."""
    theirs = (user_merges.c.from_user == user_id) | (user_merges.c.into_user == user_id)
    statement = _MERGES.where(theirs).order_by(user_merges.c.id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(user_merges.c.id < before)
    return [Merge(*row) for row in await connection.execute(statement)]


async def forget_moved(connection: AsyncConnection, before: datetime, after: int, limit: int) -> list[int]:
    """Forget what merges older than `before` moved; return their ids. The merges stay, and can no longer be
    undone."""
    old = (
        sa.select(user_merges.c.id)
        .where(user_merges.c.id > after, user_merges.c.merged_at < before, user_merges.c.moved != _NOTHING)
        .order_by(user_merges.c.id)
        .limit(limit)
    )
    emptied = sa.update(user_merges).where(user_merges.c.id.in_(old)).values(moved=_NOTHING)
    return list((await connection.execute(emptied.returning(user_merges.c.id))).scalars())


async def merge(connection: AsyncConnection, from_user: str, into_user: str, *, now: datetime) -> Merge:
    """Make one user of two, both locked: everything of `from_user` is `into_user`'s from now on. Raises
    NotFound; Conflict unless both stand for themselves: the id of somebody merged means the survivor."""
    if from_user == into_user:
        raise Conflict(f"User {from_user} cannot be merged with themselves.")
    for one in (from_user, into_user):
        if await users.require(connection, one) != one:
            raise Conflict(f"User {one} was merged into another one: name the survivor.")
    arguments = {"from": from_user, "into": into_user, "now": now}
    id_: int = (await connection.execute(_MOVE, arguments)).scalar_one()
    await _fold(connection, into_user)
    return Merge(id_, from_user, into_user, now)


async def undo(connection: AsyncConnection, merge_id: int, *, now: datetime, days: int) -> Merge:
    """Make two users of one again, both locked. That can be done for `days`; 0: for ever. Raises NotFound;
    Conflict when it was undone before, is too long ago, or later merges have to be undone first."""
    made = await get(connection, merge_id)
    await _require_undoable(connection, made, now, days)
    arguments = {"merge": merge_id, "from": made.from_user, "into": made.into_user, "now": now}
    for statement in _MOVE_BACK:
        await connection.execute(statement, arguments)
    await _fold(connection, made.from_user, made.into_user)
    if (await connection.execute(_FLAG_BOTH, arguments)).first():
        await _fold(connection, made.from_user, made.into_user)
    return replace(made, undone_at=now)


async def _require_undoable(connection: AsyncConnection, made: Merge, now: datetime, days: int) -> None:
    if made.undone_at is not None:
        raise Conflict(f"Merge {made.id} was undone on {made.undone_at:%d %B %Y} already.")
    if days and now - made.merged_at > timedelta(days=days):
        raise Conflict(f"Merge {made.id} is more than {days} days old (MERGE_UNDO_DAYS): it stays.")
    kept = sa.select(user_merges.c.moved != _NOTHING).where(user_merges.c.id == made.id)
    if not (await connection.execute(kept)).scalar_one():
        raise Conflict(f"What merge {made.id} moved is no longer known (MERGE_UNDO_DAYS): it stays.")
    both = (made.from_user, made.into_user)
    involved = user_merges.c.from_user.in_(both) | user_merges.c.into_user.in_(both)
    later = sa.select(sa.func.max(user_merges.c.id)).where(
        user_merges.c.id > made.id, user_merges.c.undone_at.is_(None), involved
    )
    last = (await connection.execute(later)).scalar_one()
    if last is not None:
        raise Conflict(f"Merge {last} came after merge {made.id} and has one of its users: undo that first.")


async def _fold(connection: AsyncConnection, *user_ids: str) -> None:
    """Make anew what is made from all conversations of a user."""
    for user_id in user_ids:
        await names.refresh(connection, user_id)
        await threads.settle_all(connection, user_id)
        for agent_id in await users.agents_of(connection, user_id):
            await facts.refresh(connection, user_id, agent_id)
            await relationships.refresh(connection, user_id, agent_id)


_MERGES = sa.select(*(user_merges.c[name] for name in Merge.__struct_fields__))

# One statement, so that every part of it sees what was before. A fact that the survivor has too (`met`) stays
# where it is, and its flags hold for both. Superseding is folded anew: no fact may point at another user's.
_MOVE = sa.text("""
with signpost as (
    update users set merged_into = :into, version = version + 1 where id = :from
), filled as (
    update users i set version = i.version + 1,
        timezone = coalesce(nullif(i.timezone, ''), f.timezone),
        language = coalesce(nullif(i.language, ''), f.language),
        name = case when i.name_source <> 'api' and f.name_source = 'api' then f.name else i.name end,
        nickname = case when i.name_source <> 'api' and f.name_source = 'api' then f.nickname
            else i.nickname end,
        name_source = case when f.name_source = 'api' then 'api' else i.name_source end,
        metadata = f.metadata || i.metadata,
        forgets = i.forgets || f.forgets
    from users f, users was where i.id = :into and was.id = i.id and f.id = :from
    returning case when was.timezone = '' then i.timezone else '' end as timezone,
        case when was.language = '' then i.language else '' end as language,
        case when was.name_source <> 'api' and i.name_source = 'api' then i.name else '' end as name,
        array(select key from jsonb_object_keys(f.metadata) as key where not was.metadata ? key) as metadata
), known_as as (
    update addresses set user_id = :into where user_id = :from returning address
), line as (
    delete from shared_lines where user_id = :from returning address
), joined as (
    insert into shared_lines (address, user_id) select address, :into from line on conflict do nothing
    returning address
), call as (
    update conversations set user_id = :into where user_id = :from returning id
), embedded as (
    update embeddings set user_id = :into where user_id = :from
), understood as (
    update digests set user_id = :into where user_id = :from
), thread as (
    update open_threads set user_id = :into where user_id = :from returning id
), thought as (
    update thoughts set user_id = :into where user_id = :from returning id
), prompt as (
    update generated_prompts p set user_id = :into where user_id = :from and not exists (
        select from generated_prompts where user_id = :into and agent_id = p.agent_id and version = p.version
    ) returning id
), met as (
    update facts i set superseded_by = null,
        pinned = i.pinned or f.pinned, excluded = i.excluded or f.excluded,
        version = case when f.pinned > i.pinned or f.excluded > i.excluded then i.version + 1
            else i.version end
    from facts f, facts was
    where i.user_id = :into and was.id = i.id
        and f.user_id = :from and f.agent_id = i.agent_id and f.key = i.key
    returning i.id, was.pinned, was.excluded, i.version
), moved_fact as (
    update facts f set superseded_by = null, user_id = case when exists (
        select from facts where user_id = :into and agent_id = f.agent_id and key = f.key
    ) then :from else :into end where user_id = :from returning id, user_id, version
), relationship as (
    insert into relationships as r (user_id, agent_id, chapter, score, metrics, engagement, emotional_state,
        conflict_state, backstory, set_at)
    select :into, agent_id, chapter, score, metrics, engagement, emotional_state, conflict_state, backstory,
        set_at
    from relationships
    where user_id = :from and (set_at is not null or chapter || engagement || backstory <> '')
    on conflict (user_id, agent_id) do update set chapter = excluded.chapter, score = excluded.score,
        metrics = excluded.metrics, engagement = excluded.engagement,
        emotional_state = excluded.emotional_state, conflict_state = excluded.conflict_state,
        backstory = excluded.backstory, set_at = excluded.set_at,
        version = r.version + 1
    where not (r.set_at is not null or r.chapter || r.engagement || r.backstory <> '')
    returning r.agent_id, r.version
)
insert into user_merges (from_user, into_user, merged_at, moved)
values (:from, :into, :now, jsonb_build_object(
    'filled', (select to_jsonb(filled) from filled),
    'addresses', (select coalesce(jsonb_agg(address), '[]') from known_as),
    'lines', (select coalesce(jsonb_agg(address), '[]') from line),
    'joined', (select coalesce(jsonb_agg(address), '[]') from joined),
    'conversations', (select coalesce(jsonb_agg(id), '[]') from call),
    'last_conversation', (select coalesce(max(id), 0) from conversations),
    'last_fact', (select coalesce(max(id), 0) from facts),
    'threads', (select coalesce(jsonb_agg(id), '[]') from thread),
    'thoughts', (select coalesce(jsonb_agg(id), '[]') from thought),
    'prompts', (select coalesce(jsonb_agg(id), '[]') from prompt),
    'facts', (select coalesce(jsonb_agg(id), '[]') from moved_fact where user_id = :into),
    'met', (select coalesce(jsonb_agg(to_jsonb(met)), '[]') from met),
    'versions', (select coalesce(jsonb_object_agg(id, version), '{}') from (
        select id, version from moved_fact union select id, version from met
        union select id, version from facts where user_id = :into and id not in (select id from met)
    ) as seen where version > 1),
    'kept', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'said_on', said_on, 'last_said_on', last_said_on, 'certainty', certainty,
        'salience', salience, 'valid_from', valid_from, 'due', due
    )), '[]') from facts
    where user_id in (:from, :into) and origin = 'digest' and (pinned or excluded)),
    'relationships', (select coalesce(jsonb_agg(to_jsonb(relationship)), '[]') from relationship)
)) returning id
""")

_APART = """
with recursive merge as (select id, moved from user_merges where id = :merge)
"""
_PEOPLE = sa.text(f"""{_APART}
, parted as (
    update users set merged_into = null, version = version + 1 where id = :from
), emptied as (
    update users i set version = i.version + 1,
        timezone = case when i.timezone = moved -> 'filled' ->> 'timezone' then '' else i.timezone end,
        language = case when i.language = moved -> 'filled' ->> 'language' then '' else i.language end,
        name_source = case when i.name_source = 'api' and i.name = moved -> 'filled' ->> 'name' then ''
            else i.name_source end,
        metadata = i.metadata
            - array(select jsonb_array_elements_text(coalesce(moved -> 'filled' -> 'metadata', '[]')))
    from merge where i.id = :into
), theirs as (
    update addresses set user_id = :from
    where user_id = :into and address in (select jsonb_array_elements_text(moved -> 'addresses') from merge)
), line as (
    insert into shared_lines (address, user_id)
    select address, :from from addresses, merge
    where shared and (moved -> 'lines' ? address or moved -> 'addresses' ? address) on conflict do nothing
), left_line as (
    delete from shared_lines
    where user_id = :into and address in (select jsonb_array_elements_text(moved -> 'joined') from merge)
), relationship as (
    delete from relationships r
    using merge, jsonb_to_recordset(moved -> 'relationships') as given (agent_id text, version int)
    where r.user_id = :into and r.agent_id = given.agent_id and r.version = given.version
)
update user_merges set undone_at = :now where id = :merge
""")  # noqa: S608 (all of it is ours)
# `side` are the ids that mean the other one again.
_CONVERSATIONS = sa.text(f"""{_APART}
, side as (
    select cast(:from as text) as id union select u.id from users u join side on u.merged_into = side.id
), call as (
    update conversations c set user_id = :from from merge
    where c.user_id = :into and coalesce(
        (select i.user_id in (select id from side) from identifications i
            where i.platform = c.platform and i.platform_id = c.platform_id),
        c.id in (select jsonb_array_elements(moved -> 'conversations')::bigint from merge)
        or c.id > (moved ->> 'last_conversation')::bigint
            and (moved -> 'addresses' ? c.known_as or c.known_as in (select id from side))
    ) returning c.id, c.agent_id, c.prompt_version
), embedded as (
    update embeddings set user_id = :from where conversation_id in (select id from call)
), understood as (
    update digests set user_id = :from where conversation_id in (select id from call)
), thread as (
    update open_threads set user_id = :from
    where user_id = :into and (conversation_id in (select id from call) or conversation_id is null
        and id in (select jsonb_array_elements(moved -> 'threads')::bigint from merge))
), thought as (
    update thoughts set user_id = :from
    where user_id = :into and (conversation_id in (select id from call) or conversation_id is null
        and id in (select jsonb_array_elements(moved -> 'thoughts')::bigint from merge))
), prompt as (
    update generated_prompts set user_id = :from
    where user_id = :into and id in (select jsonb_array_elements(moved -> 'prompts')::bigint from merge)
)
insert into generated_prompts (user_id, agent_id, version, prompt, context_snapshot, created_at)
select :from, p.agent_id, p.version, p.prompt, p.context_snapshot, p.created_at from generated_prompts p
where p.user_id = :into and (p.agent_id, p.version) in (select agent_id, prompt_version from call)
    and p.id not in (select jsonb_array_elements(moved -> 'prompts')::bigint from merge)
on conflict do nothing
""")  # noqa: S608 (all of it is ours)
# What goes back: facts that came, and those that rest on nothing but conversations that go back; and their
# edits since: an edit is a row of its own that names the words it replaced. What a tool noted in a call goes
# where the call does, and an excerpt where its conversation does.
_FACTS = sa.text(f"""{_APART}
, side as (
    select cast(:from as text) as id union select u.id from users u join side on u.merged_into = side.id
), note as (
    select f.id,
        case when c.id is null then i.user_id in (select id from side) else c.user_id = :from end as goes
    from facts f join agents a on a.id = f.agent_id
    left join conversations c on c.platform = a.platform and c.platform_id = f.said_in
    left join identifications i on i.platform = a.platform and i.platform_id = f.said_in
    where f.user_id = :into and f.origin = 'tool' and f.said_in <> ''
    union all
    select f.id, c.user_id = :from from facts f join conversations c on c.id = f.conversation_id
    where f.user_id = :into
)
, rest as (
    select id from facts f where user_id = :into and origin = 'digest' and jsonb_array_length(sources) > 0
        and not exists (
            select from jsonb_to_recordset(sources) as one (conversation_id bigint)
            join conversations c on c.id = one.conversation_id where c.user_id <> :from
        )
        and not exists (select from facts where user_id = :from and agent_id = f.agent_id and key = f.key)
), back as (
    select id, text, superseded_by from facts where user_id = :into and coalesce(
        (select goes from note where note.id = facts.id),
        id in (select id from rest)
            or id in (select jsonb_array_elements(moved -> 'facts')::bigint from merge)
    )
    union
    select f.id, f.text, f.superseded_by from merge, back join facts f on f.id = back.superseded_by
    where f.user_id = :into and f.origin = 'api' and f.supersedes = back.text
        and f.id > coalesce((merge.moved ->> 'last_fact')::bigint, 0)
), met as (
    select one.* from merge, jsonb_to_recordset(moved -> 'met')
        as one (id bigint, pinned boolean, excluded boolean, version int)
)
update facts f set superseded_by = null,
    user_id = case when back.id is null then f.user_id else :from end,
    pinned = coalesce(met.pinned, f.pinned), excluded = coalesce(met.excluded, f.excluded)
from facts i left join back on back.id = i.id left join met on met.id = i.id and met.version = i.version
where f.id = i.id and i.user_id = :into
    and (i.superseded_by is not null or back.id is not null or met.id is not null)
""")  # noqa: S608 (all of it is ours)
# What is kept though nobody says it any more has no claim to make its days and worth from again, when those
# of the other one go.
_KEPT = sa.text(f"""{_APART}
update facts f set said_on = kept.said_on, last_said_on = kept.last_said_on, certainty = kept.certainty,
    salience = kept.salience, valid_from = kept.valid_from, due = kept.due
from merge, jsonb_to_recordset(moved -> 'kept') as kept (id bigint, said_on date, last_said_on date,
    certainty double precision, salience double precision, valid_from date, due date)
where f.id = kept.id and f.user_id in (:from, :into) and f.origin = 'digest'
""")  # noqa: S608 (all of it is ours)
# What was to be told to one is not used up by having been told to the other.
_THOUGHTS = sa.text("""
update thoughts t set used_in = null, used_at = null
from conversations c where c.id = t.used_in
    and t.user_id in (:from, :into) and c.user_id in (:from, :into) and c.user_id <> t.user_id
""")
_MOVE_BACK = (_PEOPLE, _CONVERSATIONS, _FACTS, _KEPT, _THOUGHTS)
# What was pinned or excluded by hand while they were one is so for both, where both said it.
_FLAG_BOTH = sa.text(f"""{_APART}
, by_hand as (
    select f.* from merge, facts f where f.user_id in (:from, :into)
        and f.version > greatest(coalesce((moved -> 'versions' ->> f.id::text)::int, 1), 1)
)
update facts f set pinned = by_hand.pinned, excluded = by_hand.excluded, version = f.version + 1
from by_hand
where f.user_id in (:from, :into) and f.user_id <> by_hand.user_id
    and f.agent_id = by_hand.agent_id and f.key = by_hand.key
    and (f.pinned, f.excluded) is distinct from (by_hand.pinned, by_hand.excluded)
returning f.id
""")  # noqa: S608 (all of it is ours)
