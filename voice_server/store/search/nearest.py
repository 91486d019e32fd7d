"""Nearest: what one user said to one agent, by the vectors nearest to a query's.

The codes of all messages of the timeline are compared (one bit a number), and then the vectors of the 400
nearest by them. Of 3,000 turns, all of the ten nearest were among these. Other timelines do not matter.

There is no HNSW index, on purpose. One over everybody's vectors finds too few of one user's: of 150,000, in
order and with iterative scans, it found 92 % of the ten nearest of a user with a tenth of them, in 73 ms, and
75 % for a user with a thousandth, in 147 ms. One for each timeline costs 700 bytes a message, and comparing
100,000 codes is soon done.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.search.vectors import PLACE, WORD, Vector, code, written

# Messages whose vectors are looked at: at least so many, and so many per result.
_LOOKED_AT, _PER_RESULT = 400, 4


class Space(Struct, frozen=True):
    """The vectors of one user's talk with one agent that are of one model and length."""

    user_id: str
    agent_id: str
    model: str
    length: int


class Neighbour(NamedTuple):
    """A message, or a window that begins at `position`. `similarity` is from -1 to 1."""

    conversation_id: int
    position: int
    similarity: float


async def messages(connection: AsyncConnection, where: Space, vector: Vector, limit: int) -> list[Neighbour]:
    """Return the messages nearest to a vector of length 1, nearest first; of equally near ones the newest
    first."""
    packed = (await connection.execute(_CODES, asdict(where))).all()
    most = max(_LOOKED_AT, _PER_RESULT * limit)
    # in a thread: of a hundred thousand messages it takes milliseconds, and calls come in meanwhile
    conversation_ids, positions = await asyncio.to_thread(_candidates, packed, vector, most)
    asked = {
        "vector": written(vector),
        "conversation_ids": conversation_ids.tolist(),
        "positions": positions.tolist(),
        "limit": limit,
    }
    return [Neighbour(*row) for row in await connection.execute(_VECTORS, asked)] if len(positions) else []


async def windows(connection: AsyncConnection, where: Space, vector: Vector, limit: int) -> list[Neighbour]:
    """Return the nearest windows. There are few: all are looked at."""
    asked = {**asdict(where), "vector": written(vector), "limit": limit}
    return [Neighbour(*row) for row in await connection.execute(_WINDOWS, asked)]


def _candidates(
    packed: Sequence[sa.Row[tuple[int, bytes, bytes]]], vector: Vector, most: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    asked = code(vector)
    positions = np.frombuffer(b"".join(row.positions for row in packed), PLACE)
    codes = np.frombuffer(b"".join(row.codes for row in packed), WORD).reshape(len(positions), len(asked))
    counts = [len(row.positions) // PLACE.itemsize for row in packed]
    conversation_ids = np.repeat(np.array([row.conversation_id for row in packed], np.int64), counts)
    if len(positions) <= most:
        return conversation_ids, positions
    # einsum, since sum() takes twice as long
    differing = np.einsum("ij->i", np.bitwise_count(codes ^ asked), dtype=np.int64)
    newest_first = -np.arange(len(positions))
    best = np.argpartition(differing * len(positions) + newest_first, most)[:most]
    return conversation_ids[best], positions[best]


# In the order of conversations: of equally near ones the newest are candidates.
_CODES = sa.text("""
select conversation_id, positions, codes from embeddings
where user_id = :user_id and agent_id = :agent_id and model = :model and complete and length = :length
order by conversation_id
""")
# A lateral with `offset 0` is not flattened: whatever the planner thinks of the user's share in the table, it
# looks vectors up by their keys. The vector in a query of its own is read once, and not for every row.
_VECTORS = sa.text("""
with asked as materialized (select cast(cast(:vector as text) as halfvec) as vector)
select near.conversation_id, near.position, -(one.embedding <#> (select vector from asked)) as similarity
from unnest(cast(:conversation_ids as bigint[]), cast(:positions as integer[]))
    as near (conversation_id, position)
cross join lateral (
    select embedding from vectors
    where conversation_id = near.conversation_id and kind = 'message' and first_position = near.position
    offset 0
) as one
order by similarity desc, near.conversation_id desc, near.position desc
limit :limit
""")
_WINDOWS = sa.text("""
with asked as materialized (select cast(cast(:vector as text) as halfvec) as vector)
select e.conversation_id, one.first_position, -(one.embedding <#> (select vector from asked)) as similarity
from embeddings e cross join lateral (
    select first_position, embedding from vectors
    where conversation_id = e.conversation_id and kind = 'window' offset 0
) as one
where e.user_id = :user_id and e.agent_id = :agent_id
    and e.model = :model and e.complete and e.length = :length
order by similarity desc, e.conversation_id desc, one.first_position desc
limit :limit
""")
