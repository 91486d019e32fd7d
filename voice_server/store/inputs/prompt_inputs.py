"""Everything prompts are made of, gathered in one query (for one prompt: 134 µs; as eight queries: 412)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.analysis import uses, values
from voice_server.digest.person_names.somebody_else import somebody_else
from voice_server.digest.rules import quotes
from voice_server.domain.addresses.address import Address
from voice_server.domain.addresses.number_zone import number_zone
from voice_server.domain.agent import Agent
from voice_server.domain.conversation import Channel
from voice_server.domain.days import PAUSE_HOURS
from voice_server.domain.digest import KeyMoment, Source
from voice_server.domain.fact import Fact, SupersededFact, WithheldFact
from voice_server.domain.memory import (
    ForgottenTopic,
    KnownThread,
    Memory,
    RememberedConversation,
    SummarisedDay,
)
from voice_server.domain.person import CallerName
from voice_server.domain.relationship import Relationship, RelationshipDelta, grown
from voice_server.domain.thought import Thought
from voice_server.store.knowledge import forgotten
from voice_server.store.prompts.prompts import Target
from voice_server.store.session import Statement

_T = TypeVar("_T")
_DAYS_BACK = timedelta(days=3)  # today and yesterday, anywhere on earth
_CONVERSATIONS, _THREADS, _RECENT, _THOUGHTS = 40, 50, 5, 50
_NOTED_LENGTH = 300  # characters of one collected value
_FLAGGED = 20  # facts whose ids the record of a prompt has
_TOPICAL_THREADS = 10  # whose words say what is on now
_FEWEST_CONVERSATIONS = 12  # of the latest, to choose quotes from
_FACTS_EACH = 10  # an agent told more facts is told of more conversations, too
_CHOICE = 2  # facts gathered for one that is told at most

# Which facts may be worth telling is decided in `context.sections.long_term_memory`; these are the first by a
# coarser measure of the same, in one pass over a user's facts: pinned, due about now, then by weight.
# Postgres stems as the digest does (Snowball's English), so what threads are about needs no column of its
# own.

_ONE = f"""
with talked as (
    select id, channel, started_at, ended_at, goes_on, collected
    from conversations where user_id = wanted.user_id and agent_id = wanted.agent_id and outcome = 'talked'
), told as (
    select t.id, t.channel, t.started_at, extract(epoch from t.ended_at - t.started_at)::int as duration,
           t.collected, t.goes_on, d.summary, d.source, d.key_moments, d.keywords, d.caller_name,
           case when t.channel = 'voice' then '{{}}' else array(
               select said_at from messages m
               where m.conversation_id = t.id and m.said_at >= :since order by position
           ) end as said
    from talked t join digests d on d.conversation_id = t.id
    where t.started_at >= least(:since, (
        select min(s.started_at) from (
            select s.started_at from talked s join digests e on e.conversation_id = s.id where not s.goes_on
            order by s.started_at desc, s.id desc limit wanted.conversations
        ) s
    )) and (d.summary <> '' or d.forgets = '[]')  -- one may hold nothing but what is to be forgotten
    order by t.started_at desc, t.id desc limit greatest({_CONVERSATIONS}, wanted.conversations)
), opened as (
    select id, kind, said_by, text, said_on, positions, due, touched_at, pinned, conversation_id
    from open_threads
    where user_id = wanted.user_id and agent_id = wanted.agent_id and status = 'open'
    order by pinned desc, case when due >= cast(:today as date) - 1 then due end, touched_at desc, id desc
    limit {_THREADS}
), followed as (  -- nothing is said of a thread before it is opened
    select distinct on (said ->> 'thread') cast(said ->> 'thread' as bigint) as thread,
           said || jsonb_build_object('conversation_id', c.id) as follow_up
    from digests d join conversations c on c.id = d.conversation_id, jsonb_array_elements(d.follow_ups) said
    where d.user_id = wanted.user_id and d.follow_ups <> '[]' and c.agent_id = wanted.agent_id
        and c.started_at >= (select min(said_on) - 1 from opened)
        and cast(said ->> 'thread' as bigint) in (select id from opened)
    order by said ->> 'thread', c.started_at desc, c.id desc
), open as (
    select opened.*, follow_up from opened left join followed on followed.thread = opened.id
    order by pinned desc, case when due >= cast(:today as date) - 1 then due end, touched_at desc, id desc
), topical as (
    select coalesce(array_agg(distinct stem order by stem), '{{}}') as stems from (
        select unnest(keywords) from (
            select keywords from told order by started_at desc, id desc limit 1
        ) latest
        union all
        select unnest(tsvector_to_array(to_tsvector('english', text)))
        from (select text from open limit {_TOPICAL_THREADS}) first
    ) as spoken (stem)
), known as (
    select id, about, text, key, coalesce(cast(provenance ->> 'said_on' as date), said_on) as said_on,
           last_said_on, topic, certainty, salience, times, valid_from,
           valid_to, due, pinned, superseded_by, facts.stems, facts.sources
    from (
        select * from facts where user_id = wanted.user_id and agent_id = wanted.agent_id
            and superseded_by is null and not excluded and not flagged and times > 0
        union all  -- not `or`: each has an index of its own
        select * from facts where user_id = wanted.user_id and agent_id = wanted.agent_id
            and superseded_by is not null and not excluded and not flagged and times > 0
            and valid_to >= cast(:today as date)
    ) facts, topical
    order by pinned desc,
             coalesce(due between cast(:today as date) - 1 and cast(:today as date) + 15, false) desc,
             (salience * certainty + 0.25 * (facts.stems && topical.stems)::int)
                 * exp(cast(last_said_on - cast(:today as date) as float8) * 0.0019) desc,
             id desc
    limit wanted.facts
), withheld as (
    select id, text, excluded, sources from facts
    where user_id = wanted.user_id and agent_id = wanted.agent_id and excluded
    union all (
        select id, text, excluded, '[]' from facts
        where user_id = wanted.user_id and agent_id = wanted.agent_id and flagged and not excluded
            and superseded_by is null and times > 0
        order by id desc limit {_FLAGGED}
    )
), superseded as (  -- of the latest conversations, whose quotes may say it
    select f.text, f.topic, f.sources, i.text as by, i.topic as by_topic, i.sources as instead
    from facts f join facts i on i.id = f.superseded_by
    where f.user_id = wanted.user_id and f.agent_id = wanted.agent_id
        and f.superseded_by is not null and not f.excluded and not f.flagged and f.times > 0
        and f.valid_to <= cast(:today as date) and exists (
            select from jsonb_array_elements(f.sources) s
            join told on told.id = cast(s ->> 'conversation_id' as bigint)
        )
    order by f.valid_to desc, f.id desc limit wanted.facts
), carried as (
    select id, text, created_at, expires_at, pinned from thoughts
    where user_id = wanted.user_id and agent_id = wanted.agent_id
        and used_at is null and not excluded and expires_at > :now
    order by pinned desc, created_at desc, id desc limit {_THOUGHTS}
), recent as (
    select platform_id from conversations c where user_id = wanted.user_id and agent_id = wanted.agent_id
        and (outcome <> 'talked' or exists (select from digests d where d.conversation_id = c.id))
    order by started_at desc, id desc limit {_RECENT}
)
select json_build_object(
    'timezone', coalesce(nullif(u.timezone, ''), (
        select timezone from conversations where user_id = wanted.user_id and timezone <> ''
        order by started_at desc, id desc limit 1
    ), ''),
    'user_name', u.name, 'user_nickname', u.nickname,
    'agent_name', coalesce((
        select d.agent_name from talked t join digests d on d.conversation_id = t.id where d.agent_name <> ''
        order by t.started_at desc, t.id desc limit 1
    ), ''),
    'conversations', (select count(*) from talked),
    'last_contact', (select max(ended_at) from talked),
    'latest', (select coalesce(json_agg(told), '[]') from told),
    'open_threads', (select coalesce(json_agg(open), '[]') from open),
    'topical_stems', (select stems from topical),
    'facts', (select coalesce(json_agg(known), '[]') from known),
    'withheld', (select coalesce(json_agg(withheld), '[]') from withheld),
    'superseded', (select coalesce(json_agg(superseded), '[]') from superseded),
    'thoughts', (select coalesce(json_agg(carried), '[]') from carried),
    'relationship', (
        select json_build_object(
            'set', json_build_object(
                'chapter', chapter, 'score', score, 'metrics', metrics, 'engagement', engagement,
                'emotional_state', emotional_state, 'conflict_state', conflict_state, 'backstory', backstory
            ),
            'gained', gained
        )
        from relationships where user_id = wanted.user_id and agent_id = wanted.agent_id
    ),
    'days', (
        select coalesce(json_agg(json_build_object(
            'id', id, 'day', day, 'conversations', sources, 'summary', summary
        ) order by day), '[]')
        from day_segments where user_id = wanted.user_id and agent_id = wanted.agent_id and source = 'model'
            and day >= cast(:today as date) - 3
    ),
    'forgotten', {forgotten.topics_of("wanted.user_id")},
    'trigger', (
        select trigger from pending_work
        where kind = 'rebuild' and key = wanted.user_id || '|' || wanted.agent_id
    ),
    'recent_calls', (select coalesce(json_agg(platform_id), '[]') from recent),
    'addresses', (
        select coalesce(json_agg(address order by address), '[]') from addresses
        where user_id = wanted.user_id
    )
)::text as found
from users u where u.id = wanted.user_id and u.merged_into is null
"""  # noqa: S608 (the numbers are ours)
# Each array is one that a query gives: of an array as it comes Postgres sees how short it is, expects that to
# be cheaper than a plan for any, and plans anew each time, which takes it five times as long as the rest.
_QUERY = Statement(f"""
select wanted.user_id, wanted.agent_id, gathered.found
from unnest(
    (select cast(:users as text[])), (select cast(:agents as text[])),
    (select cast(:facts as int[])), (select cast(:conversations as int[]))
) as wanted (user_id, agent_id, facts, conversations)
cross join lateral ({_ONE}) gathered
""")  # noqa: S608 (all of it is ours)


class _ConversationRow(Struct):
    id: int
    channel: Channel
    started_at: datetime
    duration: int
    collected: dict[str, Any]
    summary: str
    key_moments: tuple[KeyMoment, ...]
    said: tuple[datetime, ...]
    goes_on: bool
    source: Source
    caller_name: CallerName | None


class _RelationshipRow(Struct):
    set: Relationship
    gained: RelationshipDelta


class _Row(Struct):
    timezone: str
    conversations: int
    last_contact: datetime | None
    latest: msgspec.Raw
    open_threads: msgspec.Raw
    thoughts: msgspec.Raw
    facts: msgspec.Raw
    days: msgspec.Raw
    relationship: msgspec.Raw
    forgotten: tuple[ForgottenTopic, ...]
    topical_stems: tuple[str, ...]
    withheld: tuple[WithheldFact, ...]
    superseded: tuple[SupersededFact, ...]
    recent_calls: tuple[str, ...]
    addresses: list[Address]
    user_name: str
    user_nickname: str
    agent_name: str
    trigger: str | None = None


_decoder = msgspec.json.Decoder(_Row)
_told = msgspec.json.Decoder(list[_ConversationRow])
_threads = msgspec.json.Decoder(tuple[KnownThread, ...])
_thoughts = msgspec.json.Decoder(tuple[Thought, ...])
_facts = msgspec.json.Decoder(tuple[Fact, ...])
_days = msgspec.json.Decoder(tuple[SummarisedDay, ...])
_related = msgspec.json.Decoder(_RelationshipRow | None)


class PromptRequest(Struct, frozen=True):
    """The time zone for a user who has none, how many facts and latest conversations to choose from, how many
    hours of silence end a session. The agent is called `agent_name` by whoever set it up; `collected` is what
    it makes of the platform's data collection."""

    timezone: str
    facts: int = 60
    conversations: int = _FEWEST_CONVERSATIONS
    day_pause: float = PAUSE_HOURS
    agent_name: str = ""
    collected: Mapping[str, str] = {}


def requested(agent: Agent, timezone: str, day_pause: float) -> PromptRequest:
    """Return what an agent's prompt is chosen from. `timezone` is for agents who have none."""
    facts = _CHOICE * agent.limits.facts_max
    conversations = max(_FEWEST_CONVERSATIONS, agent.limits.facts_max // _FACTS_EACH)
    zone = agent.timezone or timezone
    return PromptRequest(zone, facts, conversations, day_pause, agent.agent_name, agent.collected)


class GatheredMemory(Struct, frozen=True):
    """A user's memory with one agent, and the addresses under which to cache its prompt. `missing` is what
    could not be read, with the reason. `trigger` is who asked for it."""

    memory: Memory
    addresses: tuple[Address, ...]
    missing: dict[str, str] = {}
    trigger: str = ""


async def gather(
    connection: AsyncConnection, wanted: Mapping[Target, PromptRequest], *, now: datetime
) -> dict[Target, GatheredMemory]:
    """Gather all that these prompts are made of, without users who are gone."""
    arguments = {
        "users": [one.user_id for one in wanted],
        "agents": [one.agent_id for one in wanted],
        "facts": [one.facts for one in wanted.values()],
        "conversations": [one.conversations for one in wanted.values()],
        "since": now - _DAYS_BACK,
        "now": now,
        "today": now.date(),
    }
    rows = await _QUERY.rows(connection, arguments)
    targets = ((Target(user, agent), _decoder.decode(found)) for user, agent, found in rows)
    return {target: _gathered(target.user_id, row, wanted[target], now) for target, row in targets}


def _gathered(user_id: str, row: _Row, wanted: PromptRequest, now: datetime) -> GatheredMemory:
    missing: dict[str, str] = {}

    def read(decoder: "msgspec.json.Decoder[_T]", source: str, nothing: _T) -> _T:
        try:
            return decoder.decode(getattr(row, source))
        except msgspec.ValidationError as error:  # one wrong value, written by other hands, costs no prompt
            missing[source] = str(error)
            return nothing

    related = read(_related, "relationship", None)
    memory = Memory(
        user_id=user_id,
        timezone=row.timezone or number_zone(row.addresses, now) or wanted.timezone,
        conversations=row.conversations,
        last_contact=row.last_contact,
        latest=tuple(_remembered(one, row, wanted.collected) for one in read(_told, "latest", [])),
        open_threads=read(_threads, "open_threads", ()),
        recent_calls=row.recent_calls,
        relationship=grown(related.set, related.gained) if related else None,
        thoughts=read(_thoughts, "thoughts", ()),
        facts=read(_facts, "facts", ()),
        topical_stems=row.topical_stems,
        days=read(_days, "days", ()),
        day_pause=wanted.day_pause,
        forgotten=row.forgotten,
        withheld=row.withheld,
        superseded=row.superseded,
        user_name=row.user_name,
        user_nickname=row.user_nickname,
        agent_name=wanted.agent_name or row.agent_name,
    )
    return GatheredMemory(memory, tuple(row.addresses), missing, row.trigger or "")


def _remembered(told: _ConversationRow, user: _Row, mapped: Mapping[str, str]) -> RememberedConversation:
    noted = tuple(
        f"{values.label(item)}: {values.spoken(value)[:_NOTED_LENGTH]}"
        for item, value in told.collected.items()
        if uses.is_noted(item, mapped)
    )
    return RememberedConversation(
        told.id,
        told.channel,
        told.started_at,
        told.duration,
        told.summary,
        told.key_moments,
        noted,
        told.said,
        told.goes_on,
        _is_of_quotes(told),
        somebody_else(told.caller_name, user.user_name, user.user_nickname),
    )


def _is_of_quotes(told: _ConversationRow) -> bool:
    """Tell whether nobody summed it up, also where a reader found facts or threads in it; a release before
    retold it in prose."""
    if told.source == "extractive":
        return not told.summary or any(one.said_by for one in told.key_moments)
    # a run of quotes ends with a mark; to put one together takes 50 µs, and a prompt has many conversations
    return told.summary.endswith('"') and told.summary == quotes.run(told.key_moments)
