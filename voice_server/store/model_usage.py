"""What the model cost, day by day (UTC)."""

from datetime import date

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.digest import ModelUse
from voice_server.store.tables import model_usage


class Usage(Struct, frozen=True):
    """Calls of the model on one day, and the tokens it read and wrote."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


async def add(connection: AsyncConnection, day: date, use: ModelUse) -> None:
    """Count one call."""
    statement = insert(model_usage).values(
        day=day, calls=1, tokens_in=use.tokens_in, tokens_out=use.tokens_out
    )
    counted = ("calls", "tokens_in", "tokens_out")
    more = {name: model_usage.c[name] + statement.excluded[name] for name in counted}
    await connection.execute(statement.on_conflict_do_update(index_elements=["day"], set_=more))


async def total(connection: AsyncConnection) -> Usage:
    sums = [sa.func.coalesce(sa.func.sum(model_usage.c[name]), 0) for name in Usage.__struct_fields__]
    return Usage(*map(int, (await connection.execute(sa.select(*sums))).one()))


async def on(connection: AsyncConnection, day: date) -> Usage:
    columns = [model_usage.c[name] for name in Usage.__struct_fields__]
    row = (await connection.execute(sa.select(*columns).where(model_usage.c.day == day))).first()
    return Usage(*row) if row else Usage()
