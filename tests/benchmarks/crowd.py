"""A crowd: as many people as wanted, each with three conversations and all that rows of theirs come to, made
by the database itself. What people say is short: what grows here are the rows, not the words.

About the first twenty there is something to do: ten have a prompt that went stale with the clock, ten a
thread that is to expire. All the others are what no pass and no list may look at.
"""

import asyncpg

AGENT = "agent_crowd"
TEMPLATES = "templates_now"  # the version of the templates that all prompts were built from
MEMBERS = 20  # of each shared line, which every fiftieth person brings
_AT_ONCE = 20_000  # people in one transaction

# Ids are hashes, so that those of one moment do not stand side by side.
_PERSON = "'usr_' || left(md5({n}::text), 20)"
_DAYS_AGO = "now() - interval '1 day' * ((n * 7919::bigint) % 90 + (3 - k) * 0.2)"
_FILL = (
    """
insert into users (id, timezone, created_at)
    select {person}, 'America/New_York', now() - interval '100 days' from generate_series({first}, {last}) n
""",
    """
insert into addresses (address, user_id)
    select 'tel:+1' || 4150000000 + n, {person} from generate_series({first}, {last}) n
""",
    """
insert into addresses (address, shared)
    select 'tel:+44' || 2070000000 + n, true from generate_series({first}, {last}) n where n % 50 = 0
""",
    """
insert into shared_lines (address, user_id)
    select 'tel:+44' || 2070000000 + n, {member}
    from generate_series({first}, {last}) n, generate_series(0, {members} - 1) m where n % 50 = 0
    on conflict do nothing
""",
    """
insert into webhook_events
    (platform, key, kind, type, conversation_id, body, status, received_at, processed_at)
    select 'elevenlabs', format('crowd_%s_%s', n, k), 'post_call', 'post_call_transcription',
        format('crowd_%s_%s', n, k),
        case when (n * 7919::bigint) % 90 < 29 then convert_to(repeat('{{}} ', 100), 'utf8') else '' end,
        'ingested', {ago}, {ago}
    from generate_series({first}, {last}) n, generate_series(1, 3) k
""",
    """
insert into conversations (platform, platform_id, agent_id, user_id, channel, outcome, digest_state,
        started_at, ended_at, known_as, prompt_version, event_id)
    select 'elevenlabs', e.conversation_id, '{agent}', {person}, 'voice', 'talked', 'done',
        {ago} - interval '5 minutes', {ago}, 'tel:+1' || 4150000000 + n,
        'v' || left(md5(format('%s %s', n, k - 1)), 16), e.id
    from generate_series({first}, {last}) n, generate_series(1, 3) k
    join lateral (
        select id, conversation_id from webhook_events
        where platform = 'elevenlabs' and key = format('crowd_%s_%s', n, k)
    ) e on true
""",
    """
insert into messages (conversation_id, position, role, content, said_at)
    select c.id, p, (array['agent', 'user'])[1 + p % 2],
        'Something was said about the plum trees behind the house.', c.started_at + p * interval '1 minute'
    from {theirs} c, generate_series(0, 3) p
""",
    """
insert into digests (conversation_id, user_id, source, summary, key_moments, keywords, stems)
    select c.id, c.user_id, 'extractive', '', '[]', '{{}}', '{{plum,tree}}' from {theirs} c
""",
    """
insert into day_segments (user_id, agent_id, day, timezone, starts_at, ends_at, messages, summary, source,
        sources, marks, finalised)
    select c.user_id, c.agent_id, c.ended_at::date, 'America/New_York', min(c.started_at), max(c.ended_at), 4,
        'Of plum trees.', 'extractive', array_agg(c.id), array_agg('mark'::text), true
    from {theirs} c group by 1, 2, 3
""",
    """
insert into search_timelines (user_id, agent_id, next_place)
    select {person}, '{agent}', 12 from generate_series({first}, {last}) n
""",
    """
insert into search_conversations (conversation_id, timeline_id, told, until)
    select c.id, t.id, c.event_timestamp, 3 from {theirs} c join search_timelines t using (user_id, agent_id)
""",
    """
insert into search_passages (timeline_id, base, conversation_id, size, starts_at, language, positions,
        seconds, lengths, kinds)
    select s.timeline_id, 4 * (row_number() over (partition by s.timeline_id order by c.id) - 1), c.id, 4,
        c.started_at, 'en', '', '', '', ''
    from {theirs} c join search_conversations s on s.conversation_id = c.id
""",
    """
insert into open_threads
    (user_id, agent_id, conversation_id, positions, kind, said_by, text, said_on, due, touched_at)
    select c.user_id, c.agent_id, c.id, array[1], 'promise', 'agent', 'I will send you the recipe.',
        c.ended_at::date,
        case when n > 20 and n % 3 = 0 then current_date + 30 end,
        case when n between 11 and 20 then now() - interval '70 days'
            else now() - interval '1 day' * (n % 50) end
    from {theirs} c cross join lateral (select split_part(c.platform_id, '_', 2)::int) as whose (n)
    where c.platform_id like '%\\_3'
""",
    """
insert into facts
    (user_id, agent_id, key, about, text, stems, certainty, salience, said_on, last_said_on, origin)
    select {person}, '{agent}', k::text, 'user', 'There are plum trees behind the house.', '{{plum,tree}}',
        0.9, 0.5, current_date, current_date, 'digest'
    from generate_series({first}, {last}) n, generate_series(1, 2) k
""",
    """
insert into relationships (user_id, agent_id)
    select {person}, '{agent}' from generate_series({first}, {last}) n
""",
    """
insert into generated_prompts (user_id, agent_id, version, prompt, context_snapshot, created_at)
    select {person}, '{agent}', 'v' || left(md5(format('%s %s', n, k)), 16), 'You are an assistant.',
        '{{"tokens": 5}}', {ago} - interval '40 days'
    from generate_series({first}, {last}) n, generate_series(1, 3) k
""",
    """
insert into cached_voice_prompts (user_id, agent_id, version, template_version, entry, in_cache, fresh_until,
        built_at, talked_at)
    select {person}, '{agent}', 'v' || left(md5(format('%s %s', n, 3)), 16), '{templates}', '\\x00', true,
        case when n <= 10 then now() - interval '1 minute'
            when n % 2 = 0 then now() + interval '1 hour' * (n % 700 + 1)
            end, {ago}, {ago} - interval '5 minutes'
    from generate_series({first}, {last}) n, generate_series(3, 3) k
""",
    """
insert into pending_work (kind, key, requested, done)
    select kind, {person} || '|{agent}', 3, 3
    from generate_series({first}, {last}) n, unnest(array['rebuild', 'days', 'index']) kind
""",
)


def person(number: int) -> str:
    """SQL: the id of a person by their number, from 1 on."""
    return _PERSON.format(n=number)


async def fill(connection: "asyncpg.Connection[asyncpg.Record]", people: int, already: int = 0) -> None:
    """Make the crowd as large as `people`, of whom so many are there already, and let the planner know."""
    await connection.execute(
        f"insert into agents (id, platform) values ('{AGENT}', 'elevenlabs') on conflict do nothing"  # noqa: S608 (our own names)
    )
    for first in range(already + 1, people + 1, _AT_ONCE):
        last = min(first + _AT_ONCE - 1, people)
        async with connection.transaction():
            for statement in _FILL:
                await connection.execute(_of(statement, first, last))
    await connection.execute("vacuum analyze")


def _of(statement: str, first: int, last: int) -> str:
    theirs = f"""(
        select c.* from conversations c join webhook_events e on e.id = c.event_id
        where e.id > (select coalesce(max(id), 0) - 3 * {last - first + 1} from webhook_events)
    )"""  # noqa: S608 (numbers alone)
    return statement.format(
        first=first,
        last=last,
        person=_PERSON.format(n="n"),
        member=_PERSON.format(n=f"({first} + (n + m * 7) % {last - first + 1})"),
        members=MEMBERS,
        agent=AGENT,
        templates=TEMPLATES,
        ago=_DAYS_AGO,
        theirs=theirs,
    )
