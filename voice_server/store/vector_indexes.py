"""HNSW indexes in pgvector, one for each long timeline: what one user said to one agent, in vectors of one model.

One index over everybody's vectors would not do: asked for one user's it walks among other people's, and ends before
it has met enough of theirs. Of 150,000 vectors, in order and with iterative scans, it found 92 % of the ten nearest of
a user with a tenth of them, in 73 ms, and 75 % for a user with a thousandth, in 147 ms. And what it finds hangs on who
else there is. So each is a partial index, over the codes of one timeline alone.

A conversation is in an index when its row in `embeddings` says so; then the rows of all its vectors do, and Postgres
keeps them in the index. Who writes or moves vectors need not think of that: what is not in the index of its timeline is
scanned, and what is in the index of another timeline is not found there, until a job puts both right.
"""

from collections.abc import Sequence

import asyncpg
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store import users
from voice_server.store.tables import embeddings, vector_indexes, vectors
from voice_server.store.vectors import MESSAGE, WINDOW

_FEWEST = (0, 8)  # version of pgvector: earlier ones end a scan that meets much of what was deleted
_MAKING = 6 * 3600.0  # seconds: 100,000 messages take half a minute
_DROPPING = 600.0


class Index(Struct, frozen=True):
    """An index. It is `ready` once it is searched. Its timeline has so many `messages` with vectors of this model and
    length; `outside` of them are not in it, and of others `foreign` conversations are."""

    id: int
    user_id: str
    agent_id: str
    model: str
    length: int
    ready: bool
    messages: int
    outside: int
    foreign: int


async def are_possible(connection: AsyncConnection) -> bool:
    """Whether Postgres keeps vectors, and has a pgvector that keeps such indexes."""
    version = (await connection.execute(_VERSION)).scalar()
    return version is not None and tuple(int(part) for part in version.split(".")[:2]) >= _FEWEST


async def existing(connection: AsyncConnection) -> list[Index]:
    """All of them. Reads the embeddings of their timelines."""
    return [Index(*row) for row in await connection.execute(_EXISTING)]


async def announce(connection: AsyncConnection, model: str, least: int, most: int) -> int:
    """Give those timelines an index to be made that have at least so many messages with vectors of this model and no
    index: the longest first, until there are `most` indexes in all. Says how many were announced."""
    count = sa.select(sa.func.count()).select_from(vector_indexes)
    there = (await connection.execute(count)).scalar_one()
    wanted = {"model": model, "least": least, "limit": max(0, most - there)}
    rows = [row._asdict() for row in await connection.execute(_LACKING, wanted)]
    if rows:
        await connection.execute(insert(vector_indexes).values(rows).on_conflict_do_nothing())
    return len(rows)


async def take_up(connection: AsyncConnection, index: Index, limit: int) -> int:
    """Put so many conversations of its timeline into the index, and say how many there were. What is said in one
    meanwhile waits for the end of the transaction."""
    await users.lock(connection, index.user_id)
    theirs = (
        (embeddings.c.user_id == index.user_id)
        & (embeddings.c.agent_id == index.agent_id)
        & (embeddings.c.model == index.model)
        & (embeddings.c.length == index.length)
        & embeddings.c.complete
    )
    outside = embeddings.c.index_id.is_distinct_from(index.id)
    statement = sa.select(embeddings.c.conversation_id).where(theirs, outside).limit(limit)
    ids = list((await connection.execute(statement)).scalars())
    await _put(connection, ids, index.id)
    return len(ids)


async def let_go(connection: AsyncConnection, index: Index, limit: int) -> int:
    """Take so many conversations out of the index that are not of its timeline any more, and say how many there
    were."""
    moved = (embeddings.c.user_id != index.user_id) | (embeddings.c.agent_id != index.agent_id)
    foreign = sa.select(embeddings.c.conversation_id, embeddings.c.user_id).where(
        embeddings.c.index_id == index.id, moved
    )
    found = (await connection.execute(foreign.limit(limit))).all()
    await users.lock(connection, *(row.user_id for row in found))
    still = foreign.where(embeddings.c.conversation_id.in_([row.conversation_id for row in found]))
    ids = [row.conversation_id for row in await connection.execute(still)]
    await _put(connection, ids, None)
    return len(found)


async def _put(connection: AsyncConnection, ids: Sequence[int], index_id: int | None) -> None:
    for table in (vectors, embeddings):
        theirs = table.c.conversation_id.in_(ids)
        await connection.execute(sa.update(table).where(theirs).values(index_id=index_id))


async def make(driver: "asyncpg.Connection[asyncpg.Record]", index: Index) -> None:
    """Make it in Postgres, in some minutes, while vectors are read and written. What was made before is kept; what
    was begun before and not ended is made anew. The connection must be in no transaction."""
    # Half a gigabyte holds the graph of a million messages. One process alone: several share memory that a container
    # often has not got.
    await driver.execute(
        "set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0; set statement_timeout = 0"
    )
    for kind in (MESSAGE, WINDOW):
        name = _name(index.id, kind)
        is_valid = await driver.fetchval(_IS_VALID, name)
        if is_valid is False:
            await _drop(driver, name)
        if not is_valid:
            await driver.execute(
                f"create index concurrently {name} on vectors"
                f" using hnsw (cast(binary_quantize(embedding) as bit({index.length})) bit_hamming_ops)"
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


def _name(index_id: int, kind: str) -> str:
    return f"vectors_hnsw_{index_id}_{kind}"


_VERSION = sa.text("""
select extversion from pg_extension where extname = 'vector' and to_regclass('vectors') is not null
""")
_EXISTING = sa.text("""
select i.id, i.user_id, i.agent_id, i.model, i.length, i.ready,
    coalesce(sum(octet_length(e.positions)), 0) / 4 as messages,
    coalesce(sum(octet_length(e.positions)) filter (where e.index_id is distinct from i.id), 0) / 4 as outside,
    (select count(*) from embeddings f where f.index_id = i.id and (f.user_id, f.agent_id) <> (i.user_id, i.agent_id))
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
_IS_VALID = "select indisvalid from pg_index where indexrelid = to_regclass($1)"
_LEFT = """
select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid
where x.indrelid = to_regclass('vectors') and c.relname like 'vectors\\_hnsw\\_%' and not exists (
    select from vector_indexes i where i.id = cast(split_part(c.relname, '_', 3) as integer)
)
"""
