"""What the model cost, day by day (UTC)."""

from collections.abc import Sequence
from datetime import date, timedelta

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.digest import ModelUse
from voice_server.store.session import Statement
from voice_server.store.tables import model_usage


class Usage(Struct, frozen=True):
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


class DayUsage(Usage, frozen=True, kw_only=True):
    day: date


async def add(connection: AsyncConnection, day: date, use: ModelUse) -> None:
    """Count one call."""
    await _ADD.rows(connection, {"day": day, "read": use.tokens_in, "wrote": use.tokens_out})


async def total(connection: AsyncConnection) -> Usage:
    sums = [sa.func.coalesce(sa.func.sum(model_usage.c[name]), 0) for name in Usage.__struct_fields__]
    return Usage(*map(int, (await connection.execute(sa.select(*sums))).one()))


async def on(connection: AsyncConnection, day: date) -> Usage:
    columns = [model_usage.c[name] for name in Usage.__struct_fields__]
    row = (await connection.execute(sa.select(*columns).where(model_usage.c.day == day))).first()
    return Usage(*row) if row else Usage()


async def days(connection: AsyncConnection, last: date, number: int) -> Sequence[DayUsage]:
    """Return `number` days up to `last`, also those without calls."""
    first = last - timedelta(days=number - 1)
    counted = [model_usage.c[name] for name in Usage.__struct_fields__]
    statement = sa.select(*counted, model_usage.c.day).where(model_usage.c.day.between(first, last))
    found = {row.day: DayUsage(*row[:-1], day=row.day) for row in await connection.execute(statement)}
    every = (first + timedelta(days=passed) for passed in range(number))
    return [found.get(day, DayUsage(day=day)) for day in every]


_ADD = Statement("""
insert into model_usage as u (day, calls, tokens_in, tokens_out) values (:day, 1, :read, :wrote)
on conflict (day) do update set calls = u.calls + 1, tokens_in = u.tokens_in + excluded.tokens_in,
    tokens_out = u.tokens_out + excluded.tokens_out
""")
