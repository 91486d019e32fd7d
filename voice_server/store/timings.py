"""How long the work of all workers took. Workers have no address to be asked at: each adds its counts here,
and every web process tells them."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.runtime.histogram import Bucket
from voice_server.store.tables import timings

Name = Literal["job", "freshness"]
Key = tuple[Name, str]  # and its label, "" for none

_COLUMNS = ("name", "label", *Bucket._fields)
_ADD = sa.text("""
insert into timings as counted (name, label, at_most, times, seconds)
select * from unnest(
    cast(:name as text[]), cast(:label as text[]), cast(:at_most as float8[]), cast(:times as bigint[]),
    cast(:seconds as float8[])
)
on conflict (name, label, at_most) do update set
    times = counted.times + excluded.times, seconds = counted.seconds + excluded.seconds
""")


async def add(connection: AsyncConnection, more: Mapping[Key, Iterable[Bucket]]) -> None:
    """Add what was counted since: all buckets of a key, empty ones too."""
    rows = [
        (name, label, *bucket)
        for (name, label), buckets in sorted(more.items())  # sorted, as everybody does: no deadlock
        for bucket in buckets
    ]
    await connection.execute(_ADD, dict(zip(_COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))


async def total(connection: AsyncConnection) -> dict[Key, list[Bucket]]:
    columns = (timings.c.name, timings.c.label)
    statement = sa.select(*columns, *(timings.c[name] for name in Bucket._fields))
    rows = (await connection.execute(statement.order_by(*columns, timings.c.at_most))).all()
    return {
        key: [Bucket(*row[2:]) for row in found] for key, found in groupby(rows, lambda row: tuple(row[:2]))
    }
