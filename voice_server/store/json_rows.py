"""Many rows in one statement: Postgres reads them from JSON, each value as its column's type."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec


def inserting(table: str, columns: Sequence[str]) -> str:
    """Return SQL that inserts the rows in `:rows`, as `packed` makes them. Never pass names that came from
    outside: they are written into the statement."""
    names = ", ".join(columns)
    return f"""insert into {table} ({names})
        select {names} from json_populate_recordset(null::{table}, cast(:rows as json))"""  # noqa: S608 (our own names)


def replacing(columns: Sequence[str]) -> str:
    return ", ".join(f"{name} = excluded.{name}" for name in columns)


def packed(rows: Sequence[Mapping[str, Any]]) -> str:
    """Encode rows, all with the same columns, for `inserting`."""
    return msgspec.json.encode(rows).decode()
