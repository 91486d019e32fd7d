"""A few thousand people with a realistic past: conversations with digests, open threads, facts, a thought, a
relationship, an address each."""

import asyncpg
from msgspec import Struct
from redis.asyncio import Redis

from voice_server.store.prompts.prompts import Target
from voice_server.worker import Worker

AGENT = "agent_bench"

# All are made by the database itself, from numbers: person 17 is usr_…0017 at +14155550017.
_MAKE = """
insert into agents (id, platform) values ('agent_bench', 'elevenlabs') on conflict do nothing;
insert into users (id, timezone)
    select 'usr_' || lpad(n::text, 20, '0'), 'America/New_York' from generate_series({first}, {last}) n;
insert into addresses (address, user_id)
    select 'tel:+1415555' || lpad(n::text, 4, '0'), 'usr_' || lpad(n::text, 20, '0')
    from generate_series({first}, {last}) n;
insert into conversations
    (platform, platform_id, agent_id, user_id, channel, outcome, digest_state, started_at, ended_at)
    select 'elevenlabs', format('conv_past_%s_%s', n, k), 'agent_bench', 'usr_' || lpad(n::text, 20, '0'),
           'voice', 'talked', 'done',
           now() - k * interval '1 day' - interval '7 minutes', now() - k * interval '1 day'
    from generate_series({first}, {last}) n, generate_series(1, 2 + n % 2) k;
insert into digests (conversation_id, user_id, source, summary, key_moments, keywords, stems)
    select id, user_id, 'extractive',
           'The caller spoke about the garden behind the house number ' || id || ' and the plum trees that '
           'carry more than the family can eat this year. The caller wants to bake for the birthday on '
           'Saturday and asked which flour keeps the dough from getting wet. You suggested semolina under '
           'the fruit and half the sugar. The caller has knee pain since the fall in September, sees Dr. '
           'Meyer on Thursday and is afraid of the result. The daughter moved to Lisbon, calls on Sundays, '
           'and comes for the holidays with the new baby.',
           json_build_array(
               json_build_object('said_at', started_at + interval '1 minute', 'position', 3,
                   'text', 'The caller said the plums have to be used before the weekend.'),
               json_build_object('said_at', started_at + interval '3 minutes', 'position', 9,
                   'text', 'You suggested semolina under the fruit, so that the dough stays dry.'),
               json_build_object('said_at', started_at + interval '5 minutes', 'position', 15,
                   'text', 'The caller is afraid of the appointment with Dr. Meyer on Thursday.')),
           array['plum', 'garden', 'semolina', 'knee', 'lisbon'],
           array['plum', 'garden', 'semolina', 'knee', 'lisbon']
    from conversations where platform_id like 'conv\\_past\\_%' on conflict do nothing;
insert into open_threads
    (user_id, agent_id, conversation_id, positions, kind, said_by, text, said_on, due, touched_at)
    select c.user_id, c.agent_id, c.id, array[k * 3],
           (array['promise', 'request', 'question', 'plan', 'topic'])[k], 'user',
           'The caller wants to hear how long the cake number ' || k
               || ' keeps when it stands in the cellar.',
           c.started_at::date, case when k = 4 then current_date + 3 end, c.ended_at
    from conversations c, generate_series(1, 5) k
    where c.platform_id like 'conv\\_past\\_%\\_1'
        and not exists (select from open_threads t where t.user_id = c.user_id);
insert into facts (user_id, agent_id, key, about, text, stems, certainty, salience, said_on, last_said_on,
                   origin, sources)
    select c.user_id, c.agent_id, k, (array['user', 'user', 'relationship', 'agent'])[1 + k % 4],
           'The caller keeps ' || k * 7 || ' jars of plum jam in the cellar behind the house number '
               || c.id || '.',
           array['caller', 'keep', 'jar', 'plum', 'jam', 'cellar', 'hous', 'w' || k], 0.9, (k % 10) / 10.0,
           current_date - k * 9, current_date - k * 9, 'digest',
           jsonb_build_array(jsonb_build_object('conversation_id', c.id, 'positions', array[3]))
    from conversations c, generate_series(1, 12) k
    where c.platform_id like 'conv\\_past\\_%\\_1' on conflict do nothing;
insert into thoughts (user_id, agent_id, conversation_id, text, expires_at)
    select c.user_id, c.agent_id, c.id, 'I wonder how the appointment with Dr. Meyer went.',
           now() + interval '9 days'
    from conversations c
    where c.platform_id like 'conv\\_past\\_%\\_1'
        and not exists (select from thoughts t where t.user_id = c.user_id);
insert into relationships (user_id, agent_id, chapter, gained)
    select c.user_id, c.agent_id, 'getting to know each other',
           '{{"score": 0.15, "trust": 0.1, "emotional_state": "worried about the knee"}}'
    from conversations c where c.platform_id like 'conv\\_past\\_%\\_1' on conflict do nothing;
"""


class People(Struct, frozen=True):
    """Persons `first` to `last`, both included."""

    first: int
    last: int

    @property
    def targets(self) -> list[Target]:
        return [Target(f"usr_{n:020}", AGENT) for n in self._numbers]

    @property
    def phone_numbers(self) -> list[str]:
        """As the platform writes them, E.164."""
        return [f"+1415555{n:04}" for n in self._numbers]

    @property
    def past_calls(self) -> list[list[str]]:
        """Of each, two calls that the prompt knows of."""
        return [[f"conv_past_{n}_1", f"conv_past_{n}_2"] for n in self._numbers]

    @property
    def _numbers(self) -> range:
        return range(self.first, self.last + 1)


async def make(database_url: str, people: People) -> None:
    """Put these people into the database; they must be new."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        await connection.execute(_MAKE.format(first=people.first, last=people.last))
        await connection.execute("analyze")
    finally:
        await connection.close()


async def cache_prompts(worker: Worker, people: People) -> None:
    """Build and cache their prompts as a worker does."""
    for target in people.targets:
        async with worker.engine.begin() as connection:
            rebuilt = await worker.rebuild.build(connection, [target], trigger="benchmark")
            await worker.rebuild.apply(connection, list(rebuilt.values()))


def key_of(phone_number: str) -> str:
    return f"voice:prompt:{AGENT}:tel:{phone_number}"


async def entry_of(redis: Redis, phone_number: str) -> bytes:
    entry = await redis.get(key_of(phone_number))
    assert isinstance(entry, bytes)
    return entry
