"""Vectors of what was said, in pgvector: kept, beside their codes, with the conversation they are of."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.errors import ConfigurationError
from voice_server.store.tables import conversations, embeddings, messages, vectors

Vector = npt.NDArray[np.float32]

MESSAGE, WINDOW = "message", "window"
PLACE = np.dtype("<i4")  # of positions
WORD = np.dtype("<u8")  # of codes
_SLICE = 500  # vectors written with one statement
LATEST = 2**63 - 1  # above all ids


class EmbeddedSpan(Struct, frozen=True):
    """The vector, of length 1, of a message or of a window of several."""

    kind: str
    first_position: int
    last_position: int
    vector: Vector


class Place(NamedTuple):
    kind: str
    first_position: int
    last_position: int


class StoredVectors(Struct, frozen=True):
    """The texts with a vector: all up to the position `until`, but for what the embedder refused."""

    until: int
    places: frozenset[Place]


async def prepare(connection: AsyncConnection) -> None:
    """Make the table, unless the migration did. Once, for who makes vectors. Raises ConfigurationError where
    Postgres lacks what it takes."""
    if await _value(connection, "select to_regclass('vectors')"):
        return
    if not await _value(connection, "select to_regtype('halfvec')"):
        raise ConfigurationError(
            "EMBEDDING_MODEL needs pgvector 0.7 or newer in Postgres: install it there and run `create "
            "extension vector` as a superuser in our database; or unset EMBEDDING_MODEL, and search goes by "
            "words alone"
        )
    await connection.execute(sa.text("select pg_advisory_xact_lock(hashtext('vectors'))"))
    await connection.execute(sa.schema.CreateTable(vectors, if_not_exists=True))


async def save(
    connection: AsyncConnection,
    conversation_id: int,
    user_id: str,
    agent_id: str,
    model: str,
    embedded: Sequence[EmbeddedSpan],
    *,
    until: int,
) -> None:
    """Store vectors in place of those it had. The conversation counts as embedded until something is said
    behind `until`. After `users.lock`."""
    await remove(connection, conversation_id)
    whose = {"user_id": user_id, "agent_id": agent_id, "model": model}
    told = {"complete": True, "until": until, **_packed(embedded)._asdict()}
    row = {"conversation_id": conversation_id, **whose, **told}
    await connection.execute(sa.insert(embeddings).values(row))
    await _add(connection, conversation_id, embedded)


async def extend(
    connection: AsyncConnection,
    conversation_id: int,
    embedded: Sequence[EmbeddedSpan],
    *,
    gone: Iterable[Place],
    until: int,
) -> None:
    """Add vectors of what was said since, of the same model and length, without `gone` windows. After
    `users.lock`, and after making sure that what is `stored` is still what they were made for."""
    windows = [one.first_position for one in gone if one.kind == WINDOW]
    theirs = (vectors.c.conversation_id == conversation_id) & (vectors.c.kind == WINDOW)
    await connection.execute(sa.delete(vectors).where(theirs, vectors.c.first_position.in_(windows)))
    await _add(connection, conversation_id, embedded)
    packed = _packed(embedded)
    row = {
        "until": until,
        "tries": 0,
        "length": sa.func.greatest(embeddings.c.length, packed.length),
        "positions": embeddings.c.positions.op("||")(packed.positions),
        "codes": embeddings.c.codes.op("||")(packed.codes),
    }
    ours = embeddings.c.conversation_id == conversation_id
    await connection.execute(sa.update(embeddings).where(ours).values(row))


async def stored(
    connection: AsyncConnection, conversation_id: int, model: str, length: int
) -> StoredVectors | None:
    """Return what has vectors of this model and length (0: any); None unless all that was said at some time
    had them."""
    columns = (embeddings.c.until, embeddings.c.length, embeddings.c.positions)
    ours = (embeddings.c.conversation_id == conversation_id) & (embeddings.c.model == model)
    row = (await connection.execute(sa.select(*columns).where(ours, embeddings.c.complete))).first()
    if row is None or (length and row.length not in (0, length)):
        return None
    positions: list[int] = np.frombuffer(row.positions, PLACE).tolist()
    alone = (Place(MESSAGE, position, position) for position in positions)
    return StoredVectors(row.until, frozenset([*alone, *await _windows(connection, conversation_id)]))


async def _windows(connection: AsyncConnection, conversation_id: int) -> list[Place]:
    columns = (vectors.c.kind, vectors.c.first_position, vectors.c.last_position)
    ours = (vectors.c.conversation_id == conversation_id) & (vectors.c.kind == WINDOW)
    return [Place(*row) for row in await connection.execute(sa.select(*columns).where(ours))]


async def _add(connection: AsyncConnection, conversation_id: int, embedded: Sequence[EmbeddedSpan]) -> None:
    for start in range(0, len(embedded), _SLICE):
        part = embedded[start : start + _SLICE]
        values = {
            "conversation_id": conversation_id,
            "kinds": [one.kind for one in part],
            "firsts": [one.first_position for one in part],
            "lasts": [one.last_position for one in part],
            "vectors": [written(one.vector) for one in part],
        }
        await connection.execute(_INSERT, values)


async def remove(connection: AsyncConnection, conversation_id: int) -> None:
    """Forget the vectors: what was said is told differently now. The conversation counts as not embedded."""
    await connection.execute(sa.delete(embeddings).where(embeddings.c.conversation_id == conversation_id))


async def move(connection: AsyncConnection, conversation_id: int, user_id: str) -> None:
    ours = embeddings.c.conversation_id == conversation_id
    await connection.execute(sa.update(embeddings).where(ours).values(user_id=user_id))


async def is_complete(connection: AsyncConnection, conversation_id: int, model: str) -> bool:
    """Tell whether the conversation, as it is now, has the vectors of this model."""
    ours = (embeddings.c.conversation_id == conversation_id) & (embeddings.c.model == model)
    up_to_date = embeddings.c.complete & ~_goes_on(embeddings.c.conversation_id)
    statement = sa.select(embeddings.c.conversation_id).where(ours, up_to_date)
    return (await connection.execute(statement)).first() is not None


async def awaiting(
    connection: AsyncConnection, model: str, tries: int, limit: int, *, below: int = LATEST, page: int
) -> tuple[list[int], int]:
    """Return conversations that lack vectors of this model, also for what was said since, and were tried
    fewer than `tries` times: the latest first, at most `limit` of the `page` below the id `below`. And the id
    below which to go on, 0 when none is left."""
    preceding = conversations.c.id < below
    looked_at = sa.select(conversations).where(preceding).order_by(conversations.c.id.desc()).limit(page)
    call = looked_at.subquery().c
    first, size = (await connection.execute(sa.select(sa.func.min(call.id), sa.func.count()))).one()
    ours = (embeddings.c.conversation_id == call.id) & (embeddings.c.model == model)
    told = (call.outcome == "talked") & call.user_id.is_not(None)
    statement = (
        sa.select(call.id)
        .outerjoin(embeddings, ours)
        .where(told, embeddings.c.complete.is_not(True) | _goes_on(call.id))
        .where(sa.func.coalesce(embeddings.c.tries, 0) < tries)
        .order_by(call.id.desc())
        .limit(limit)
    )
    found = list((await connection.execute(statement)).scalars())
    if len(found) == limit:
        return found, found[-1]
    return found, first if size == page else 0


def _goes_on(conversation_id: "sa.ColumnElement[int]") -> "sa.ColumnElement[bool]":
    ours = messages.c.conversation_id == conversation_id
    last = sa.select(sa.func.max(messages.c.position)).where(ours).scalar_subquery()
    return sa.func.coalesce(last > embeddings.c.until, False)


async def count_try(
    connection: AsyncConnection, conversation_id: int, user_id: str, agent_id: str, model: str
) -> None:
    """Count that the model was asked in vain. The vectors that there are stay."""
    row = {
        "conversation_id": conversation_id,
        "user_id": user_id,
        "agent_id": agent_id,
        "model": model,
        "tries": 1,
    }
    statement = insert(embeddings).values(row)
    same = embeddings.c.model == statement.excluded.model
    tries = sa.case((same, embeddings.c.tries + 1), else_=1)
    new = {"model": model, "tries": tries, "complete": same & embeddings.c.complete}
    await connection.execute(statement.on_conflict_do_update(index_elements=["conversation_id"], set_=new))


async def _value(connection: AsyncConnection, statement: str) -> object:
    return (await connection.execute(sa.text(statement))).scalar()


class _PackedSpaces(NamedTuple):
    length: int
    positions: bytes
    codes: bytes


def _packed(embedded: Sequence[EmbeddedSpan]) -> _PackedSpaces:
    alone = [one for one in embedded if one.kind == MESSAGE]
    return _PackedSpaces(
        len(embedded[0].vector) if embedded else 0,
        np.array([one.first_position for one in alone], PLACE).tobytes(),
        b"".join(code(one.vector).tobytes() for one in alone),
    )


def code(vector: Vector) -> npt.NDArray[np.uint64]:
    """Return a bit for each number, whether it is above 0."""
    bits = np.packbits(vector > 0)
    return np.pad(bits, (0, -len(bits) % WORD.itemsize)).view(WORD)


def written(vector: Vector) -> str:
    """Write a vector as pgvector reads it."""
    return msgspec.json.encode(vector.tolist()).decode()


_INSERT = sa.text("""
insert into vectors (conversation_id, kind, first_position, last_position, embedding)
select :conversation_id, kind, first_position, last_position, cast(vector as halfvec)
from unnest(
    cast(:kinds as text[]), cast(:firsts as integer[]), cast(:lasts as integer[]), cast(:vectors as text[])
) as given (kind, first_position, last_position, vector)
""")
