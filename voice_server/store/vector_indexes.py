"""HNSW indexes in pgvector, one for each long timeline: what one user said to one agent, in vectors of one model.

One index over everybody's vectors would not do: asked for one user's it walks among other people's, and ends before
it has met enough of theirs. Of 150,000 vectors, in order and with iterative scans, it found 92 % of the ten nearest of
a user with a tenth of them, in 73 ms, and 75 % for a user with a thousandth, in 147 ms. And what it finds hangs on who
else there is.

    vector_codes    each code (one bit a number) of a timeline once, a partial HNSW index over those of each
    vector_places   which messages and windows have that code

Each once: what is said word for word again (a greeting, "Okay.") would link to nothing but its like, and HNSW loses its
way among a few hundred (pgvector's issue 837).

All this only leads to vectors, which say themselves whose they are: places that are out of date find nothing wrong.
Who writes vectors need not think of it. What is not in the index of its timeline is scanned (`embeddings.index_id`),
until a job takes it up.
"""

import asyncpg
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store import users
from voice_server.store.tables import embeddings, vector_indexes
from voice_server.store.vectors import MESSAGE, WINDOW

_FEWEST = (0, 8)  # version of pgvector: earlier ones end a scan that meets much of what was deleted
_MAKING = 6 * 3600.0  # seconds: 100,000 messages take half a minute
_DROPPING = 600.0


class Index(Struct, frozen=True):
    """An index. It is `ready` when it is searched and Postgres has it. Its timeline has so many `messages` with vectors
    of this model and length; `outside` of them are scanned."""

    id: int
    user_id: str
    agent_id: str
    model: str
    length: int
    ready: bool
    messages: int
    outside: int


async def version(connection: AsyncConnection) -> str:
    """The version of pgvector; empty where Postgres keeps no vectors."""
    return (await connection.execute(_VERSION)).scalar() or ""


def are_possible(version: str) -> bool:
    """Whether a pgvector of this version keeps such indexes."""
    return tuple(int(part) for part in version.split(".")[:2]) >= _FEWEST


async def existing(connection: AsyncConnection) -> list[Index]:
    """All of them. Reads the embeddings of their timelines."""
    return [Index(*row) for row in await connection.execute(_EXISTING)]


async def announce(connection: AsyncConnection, model: str, least: int, most: int) -> None:
    """Give those timelines an index, to be made, that have at least so many messages with vectors of this model and no
    index: the longest first, until there are `most` indexes in all."""
    count = sa.select(sa.func.count()).select_from(vector_indexes)
    there = (await connection.execute(count)).scalar_one()
    wanted = {"model": model, "least": least, "limit": max(0, most - there)}
    rows = [row._asdict() for row in await connection.execute(_LACKING, wanted)]
    if rows:
        await connection.execute(insert(vector_indexes).values(rows).on_conflict_do_nothing())


async def outside(connection: AsyncConnection, index: Index) -> list[int]:
    """The conversations of its timeline that are not in the index."""
    theirs = embeddings.c.index_id.is_distinct_from(index.id)
    statement = sa.select(embeddings.c.conversation_id).where(_of(index), theirs)
    return list((await connection.execute(statement)).scalars())


async def enter(connection: AsyncConnection, index: Index, conversation_id: int, limit: int) -> int:
    """Put so many vectors of a conversation into the index that are not in it, and say how many there were."""
    await connection.execute(_BY_KEYS)
    values = {"id": index.id, "conversation_id": conversation_id, "length": index.length, "limit": limit}
    return len((await connection.execute(_ENTER, values)).all())


async def close(connection: AsyncConnection, index: Index, conversation_id: int) -> None:
    """The conversation is in the index, and is not scanned any more: if it is of its timeline still, and after putting
    in what was said meanwhile. What is said in it now waits for the end of the transaction."""
    await users.lock(connection, index.user_id)
    ours = _of(index) & (embeddings.c.conversation_id == conversation_id)
    if (await connection.execute(sa.select(embeddings.c.conversation_id).where(ours))).first():
        await enter(connection, index, conversation_id, index.messages)
        await connection.execute(sa.update(embeddings).where(ours).values(index_id=index.id))


async def let_go(connection: AsyncConnection, index: Index, limit: int) -> int:
    """Take so many conversations out of the index that are not of its timeline any more, and say how many there
    were."""
    await connection.execute(_BY_KEYS)
    whose = {"id": index.id, "user_id": index.user_id, "agent_id": index.agent_id, "limit": limit}
    return len((await connection.execute(_LET_GO, whose)).all())


async def purge(connection: AsyncConnection, index: Index) -> None:
    """Delete the codes that nothing has any more."""
    await connection.execute(_BY_KEYS)
    await connection.execute(_PURGE, {"id": index.id})


async def make(driver: "asyncpg.Connection[asyncpg.Record]", index: Index) -> None:
    """Make it in Postgres, in some minutes, while vectors are read and written. What was made before is kept; what
    was begun before and not ended is made anew. The connection must be in no transaction."""
    # Half a gigabyte holds the graph of a million messages. One process alone: several share memory that a container
    # often has not got.
    await driver.execute(
        "set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0; set statement_timeout = 0"
    )
    for kind in (MESSAGE, WINDOW):
        name = f"vector_codes_hnsw_{index.id}_{kind}"
        is_valid = await driver.fetchval(_IS_VALID, name)
        if is_valid is False:
            await _drop(driver, name)
        if not is_valid:
            await driver.execute(
                f"create index concurrently {name} on vector_codes"
                f" using hnsw (cast(code as bit({index.length})) bit_hamming_ops)"
                f" where index_id = {index.id} and kind = '{kind}'",
                timeout=_MAKING,
            )


async def set_ready(connection: AsyncConnection, index: Index) -> None:
    """From the end of the transaction on it is searched."""
    ours = vector_indexes.c.id == index.id
    await connection.execute(sa.update(vector_indexes).where(ours).values(ready=True))


async def forget(connection: AsyncConnection, index: Index) -> None:
    """From the end of the transaction on it is not searched any more, and `sweep` drops it."""
    await connection.execute(sa.delete(vector_indexes).where(vector_indexes.c.id == index.id))


async def sweep(driver: "asyncpg.Connection[asyncpg.Record]") -> list[str]:
    """Drop what in Postgres is left of indexes that are forgotten, or went with their users; their names."""
    names = [row["name"] for row in await driver.fetch(_LEFT)]
    for name in names:
        await _drop(driver, name)
    return names


async def _drop(driver: "asyncpg.Connection[asyncpg.Record]", name: str) -> None:
    await driver.execute(f"drop index concurrently if exists {name}", timeout=_DROPPING)


def _of(index: Index) -> "sa.ColumnElement[bool]":
    """The embeddings of its timeline."""
    return (
        (embeddings.c.user_id == index.user_id)
        & (embeddings.c.agent_id == index.agent_id)
        & (embeddings.c.model == index.model)
        & (embeddings.c.length == index.length)
        & embeddings.c.complete
    )


_VERSION = sa.text("""
select extversion from pg_extension where extname = 'vector' and to_regclass('vector_places') is not null
""")
_EXISTING = sa.text("""
select i.id, i.user_id, i.agent_id, i.model, i.length,
    i.ready and (
        select count(*) = 2 from pg_index x join pg_class c on c.oid = x.indexrelid
        where x.indisvalid and x.indrelid = to_regclass('vector_codes')
            and c.relname in ('vector_codes_hnsw_' || i.id || '_message', 'vector_codes_hnsw_' || i.id || '_window')
    ) as ready,
    coalesce(sum(octet_length(e.positions)), 0) / 4 as messages,
    coalesce(sum(octet_length(e.positions)) filter (where e.index_id is distinct from i.id), 0) / 4 as outside
from vector_indexes i left join embeddings e on e.user_id = i.user_id and e.agent_id = i.agent_id
    and e.model = i.model and e.length = i.length and e.complete
group by i.id order by i.id
""")
_LACKING = sa.text("""
select user_id, agent_id, model, length from embeddings e where model = :model and complete and length > 0
group by user_id, agent_id, model, length
having sum(octet_length(positions)) / 4 >= :least and not exists (
    select from vector_indexes i where i.user_id = e.user_id and i.agent_id = e.agent_id
        and i.model = e.model and i.length = e.length
)
order by sum(octet_length(positions)) desc limit :limit
""")
# Plans are kept from when these tables were empty and no key was worth looking up. Nor is a lateral with an offset or
# limit flattened to a join of whole tables.
_BY_KEYS = sa.text("set local enable_seqscan = off")
_ENTER = sa.text("""
with coded as materialized (
    select v.kind, v.first_position, binary_quantize(v.embedding) as code from vectors v
    left join lateral (
        select index_id from vector_places
        where conversation_id = v.conversation_id and kind = v.kind and first_position = v.first_position offset 0
    ) as there on true
    where v.conversation_id = :conversation_id and vector_dims(v.embedding) = :length
        and there.index_id is distinct from :id
    limit :limit
), hashed as materialized (
    select kind, first_position, code, hashtextextended(cast(code as text), 0) as alike from coded
), new as (
    insert into vector_codes (index_id, kind, alike, code)
    select distinct on (kind, alike) cast(:id as integer), kind, alike, code from hashed order by kind, alike
    on conflict do nothing
)
insert into vector_places (conversation_id, kind, first_position, index_id, alike)
select :conversation_id, kind, first_position, cast(:id as integer), alike from hashed
on conflict (conversation_id, kind, first_position)
    do update set index_id = excluded.index_id, alike = excluded.alike
returning alike
""")
_LET_GO = sa.text("""
with foreigner as materialized (
    select distinct p.conversation_id from vector_places p join embeddings e on e.conversation_id = p.conversation_id
    where p.index_id = :id and (e.user_id, e.agent_id) <> (:user_id, :agent_id) limit :limit
), scanned as (
    update embeddings e set index_id = null from foreigner f
    where e.conversation_id = f.conversation_id and e.index_id = :id
), gone as (
    delete from vector_places p using foreigner f where p.conversation_id = f.conversation_id and p.index_id = :id
)
select conversation_id from foreigner
""")
_PURGE = sa.text("""
with idle as materialized (
    select c.kind, c.alike from vector_codes c left join lateral (
        select true as is_used from vector_places
        where index_id = c.index_id and kind = c.kind and alike = c.alike limit 1
    ) as place on true
    where c.index_id = :id and place.is_used is null
)
delete from vector_codes c using idle where c.index_id = :id and c.kind = idle.kind and c.alike = idle.alike
""")
_IS_VALID = "select indisvalid from pg_index where indexrelid = to_regclass($1)"
_LEFT = """
select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid
where x.indrelid = to_regclass('vector_codes') and c.relname ~ '^vector_codes_hnsw_[0-9]+_(message|window)$'
    and not exists (select from vector_indexes i where cast(i.id as text) = split_part(c.relname, '_', 4))
"""
