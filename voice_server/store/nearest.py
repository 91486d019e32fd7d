"""Nearest: of what one user said to one agent, the vectors nearest to a query's.

    short timeline   the codes of all its messages (one bit a number), and of the 400 nearest by them the vectors
    long timeline    the same by its own index (vector_indexes), and by the codes of what is not in that yet

Of 3,000 turns, all of the ten nearest were among the 400 nearest by their codes. Either way it is this timeline's own
that is looked through: what is found does not hang on how many others there are.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.vectors import MESSAGE, PLACE, WINDOW, WORD, Vector, code, written

# Vectors looked at: at least so many messages or windows, and so many per result.
_MESSAGES, _WINDOWS, _PER_RESULT = 400, 200, 4


class Space(Struct, frozen=True):
    """The vectors of one user's talk with one agent, of one model and length, and the index of most of them, if there
    is one. Vectors of other models, or of another length, are not in it."""

    user_id: str
    agent_id: str
    model: str
    length: int
    index_id: int | None = None


class Near(NamedTuple):
    """What is near: a message, or a window that begins at `position`. `similarity` from -1 to 1."""

    conversation_id: int
    position: int
    similarity: float


async def space(connection: AsyncConnection, user_id: str, agent_id: str, model: str, length: int) -> Space:
    """Where to look for the nearest to vectors of this model and length."""
    whose = Space(user_id, agent_id, model, length)
    return replace(whose, index_id=(await connection.execute(_INDEX, asdict(whose))).scalar())


async def messages(connection: AsyncConnection, where: Space, vector: Vector, limit: int) -> list[Near]:
    """The nearest messages to a vector of length 1, nearest first."""
    most = max(_MESSAGES, _PER_RESULT * limit)
    scanned = await _scanned(connection, where, vector, most, limit)
    return _best([*scanned, *await _indexed(connection, where, MESSAGE, vector, most, limit)], limit)


async def windows(connection: AsyncConnection, where: Space, vector: Vector, limit: int) -> list[Near]:
    """The same of windows. There are few: of those that are in no index, all are looked at."""
    most = max(_WINDOWS, _PER_RESULT * limit)
    asked = {**asdict(where), "vector": written(vector), "limit": limit}
    scanned = [Near(*row) for row in await connection.execute(_OTHER_WINDOWS, asked)]
    return _best([*scanned, *await _indexed(connection, where, WINDOW, vector, most, limit)], limit)


async def _indexed(
    connection: AsyncConnection, where: Space, kind: str, vector: Vector, most: int, limit: int
) -> list[Near]:
    """The nearest of those in the index, of so many `most` near by their codes."""
    if where.index_id is None:
        return []
    asked = {**asdict(where), "kind": kind, "vector": written(vector), "most": most, "limit": limit}
    return [Near(*row) for row in await connection.execute(_INDEXED, asked)]


async def _scanned(
    connection: AsyncConnection, where: Space, vector: Vector, most: int, limit: int
) -> list[Near]:
    """The same of messages that are in no index."""
    packed = (await connection.execute(_CODES, asdict(where))).all()
    # in a thread: of a hundred thousand messages it takes milliseconds, and calls come in meanwhile
    conversation_ids, positions = await asyncio.to_thread(_candidates, packed, vector, most)
    asked = {
        "vector": written(vector),
        "conversation_ids": conversation_ids.tolist(),
        "positions": positions.tolist(),
        "limit": limit,
    }
    return [Near(*row) for row in await connection.execute(_VECTORS, asked)] if len(positions) else []


def _best(near: Iterable[Near], limit: int) -> list[Near]:
    """Each once: what is scanned is in the index, too, when it was taken up a moment ago or goes on. Of equally near
    ones the newest: which are found does not hang on chance."""
    each = {(one.conversation_id, one.position): one for one in near}.values()
    return sorted(each, key=lambda one: (one.similarity, one.conversation_id, one.position), reverse=True)[
        :limit
    ]


def _candidates(
    packed: Sequence[sa.Row[tuple[int, bytes, bytes]]], vector: Vector, most: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The messages whose codes differ least from the vector's: their conversations and positions. Takes some ms
    for 100,000 messages."""
    asked = code(vector)
    positions = np.frombuffer(b"".join(row.positions for row in packed), PLACE)
    codes = np.frombuffer(b"".join(row.codes for row in packed), WORD).reshape(len(positions), len(asked))
    counts = [len(row.positions) // PLACE.itemsize for row in packed]
    conversation_ids = np.repeat(np.array([row.conversation_id for row in packed], np.int64), counts)
    if len(positions) <= most:
        return conversation_ids, positions
    differing = np.einsum(
        "ij->i", np.bitwise_count(codes ^ asked), dtype=np.int32
    )  # sum() takes twice as long
    best = np.argpartition(differing, most)[:most]
    return conversation_ids[best], positions[best]


_INDEX = sa.text("""
select id from vector_indexes
where user_id = :user_id and agent_id = :agent_id and model = :model and length = :length and ready
""")
# In the order of conversations: which of equally near ones are candidates does not hang on chance. Ids of indexes begin
# with 1; of one that was dropped a moment ago everything is scanned.
_CODES = sa.text("""
select conversation_id, positions, codes from embeddings
where user_id = :user_id and agent_id = :agent_id and model = :model and complete and length = :length
    and index_id is distinct from coalesce((select id from vector_indexes where id = :index_id and ready), 0)
order by conversation_id desc
""")
# A lateral with `offset 0` is not flattened: whatever the planner thinks of the user's share in the table, it looks
# vectors up by their keys. The vector in a query of its own is read once, and not for every row.
_VECTORS = sa.text("""
with asked as materialized (select cast(cast(:vector as text) as halfvec) as vector)
select near.conversation_id, near.position, -(one.embedding <#> (select vector from asked)) as similarity
from unnest(cast(:conversation_ids as bigint[]), cast(:positions as integer[])) as near (conversation_id, position)
cross join lateral (
    select embedding from vectors
    where conversation_id = near.conversation_id and kind = 'message' and first_position = near.position offset 0
) as one
order by similarity desc, near.conversation_id desc, near.position desc
limit :limit
""")
_OTHER_WINDOWS = sa.text("""
with asked as materialized (select cast(cast(:vector as text) as halfvec) as vector)
select e.conversation_id, one.first_position, -(one.embedding <#> (select vector from asked)) as similarity
from embeddings e cross join lateral (
    select first_position, embedding from vectors
    where conversation_id = e.conversation_id and kind = 'window' offset 0
) as one
where e.user_id = :user_id and e.agent_id = :agent_id and e.model = :model and e.complete and e.length = :length
    and e.index_id is distinct from coalesce((select id from vector_indexes where id = :index_id and ready), 0)
order by similarity desc, e.conversation_id desc, one.first_position desc
limit :limit
""")
# What makes Postgres take an index stands in the statement itself, not among its parameters: which index, and of
# vectors how long. The settings are read when the scan begins: as many candidates as are asked for, also where some of
# what it meets was deleted, or moved away, and is not cleaned away yet. The laterals as above: plans must not hang on statistics, which
# are old when an index is new.
_INDEXED = sa.text("""
with asked as materialized (select cast(cast(:vector as text) as halfvec) as vector), near as materialized (
    select alike from vector_codes
    where index_id = :index_id and kind = :kind and (
        select set_config('hnsw.ef_search', cast(least(:most, 1000) as text), true)
            || set_config('hnsw.iterative_scan', 'relaxed_order', true)
    ) is not null and (
        select true from vector_places p join embeddings e on e.conversation_id = p.conversation_id
        where p.index_id = :index_id and p.kind = :kind and p.alike = vector_codes.alike and e.user_id = :user_id
            and e.agent_id = :agent_id and e.model = :model and e.complete and e.length = :length limit 1
    )
    order by cast(code as bit(:length)) <~> (select cast(binary_quantize(vector) as bit(:length)) from asked)
    limit :most
)
select place.conversation_id, place.first_position, -(one.embedding <#> (select vector from asked)) as similarity
from near
cross join lateral (
    select conversation_id, first_position from vector_places
    where index_id = :index_id and kind = :kind and alike = near.alike
    order by conversation_id desc, first_position desc limit :limit
) as place
cross join lateral (
    select user_id, agent_id, model, length, complete from embeddings
    where conversation_id = place.conversation_id offset 0
) as e
cross join lateral (
    select embedding from vectors
    where conversation_id = place.conversation_id and kind = :kind and first_position = place.first_position offset 0
) as one
where e.user_id = :user_id and e.agent_id = :agent_id and e.model = :model and e.complete and e.length = :length
order by similarity desc, place.conversation_id desc, place.first_position desc
limit :limit
""").bindparams(
    sa.bindparam("index_id", type_=sa.Integer, literal_execute=True),
    sa.bindparam("length", type_=sa.Integer, literal_execute=True),
    sa.bindparam("kind", type_=sa.Text, literal_execute=True),
    sa.bindparam("most", type_=sa.Integer, literal_execute=True),
)
