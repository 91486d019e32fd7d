"""What is asked of Postgres, and how it would go about it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store import session


class Statement(NamedTuple):
    text: str
    values: tuple[Any, ...]


@contextmanager
def recorded() -> Iterator[list[Statement]]:
    """The statements that go through SQLAlchemy, or are the store's own `Statement`, meanwhile, in the whole
    process."""
    found: list[Statement] = []

    def note(_connection: object, _cursor: object, text: str, values: Any, *_of_the_event: object) -> None:
        several = values if isinstance(values, list) else [values]
        found.extend(Statement(text, tuple(one)) for one in several)

    run = session.Statement._run

    async def note_and_run(of: session.Statement, raw: Any, values: tuple[Any, ...]) -> Sequence[Any]:
        found.append(Statement(of._text, values))
        return await run(of, raw, values)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        with patch.object(session.Statement, "_run", note_and_run):
            yield found
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)


async def plan(connection: AsyncConnection, statement: Statement, how: str = "") -> dict[str, Any]:
    """The plan of a statement, with all that `how` asks for besides ("analyze, buffers" runs it). In a
    transaction that has begun: take it back afterwards."""
    driver = await session.driver(connection)
    options = ", ".join(filter(None, ("format json", how)))
    answer: list[dict[str, Any]] = await driver.fetchval(
        f"explain ({options}) {statement.text}", *statement.values
    )
    return answer[0]


async def plan_for_any(connection: AsyncConnection, statement: Statement) -> dict[str, Any]:
    """The plan of a statement for whatever values, as a worker has it. In a transaction that has begun."""
    driver = await session.driver(connection)
    await driver.execute(_PLAN_FOR_ANY)
    answer: list[dict[str, Any]] = await driver.fetchval("select pg_temp.plan_for_any($1)", statement.text)
    return answer[0]


# The driver would look for values of the statement that is explained.
_PLAN_FOR_ANY = """
create or replace function pg_temp.plan_for_any(statement text) returns json language plpgsql as $$
declare plan json;
begin
    execute 'explain (generic_plan, format json) ' || statement into plan;
    return plan;
end $$
"""


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every step of a plan."""
    step = plan.get("Plan", plan)
    yield step
    for inner in step.get("Plans", ()):
        yield from nodes(inner)
