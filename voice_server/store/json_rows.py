"""Rows written by one statement, however many there are: Postgres reads them from JSON, each value as its
column's type."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec


def inserting(table: str, columns: Sequence[str]) -> str:
    """SQL: the rows in `:rows`, as `packed` makes them, into these columns of a table. Both are written into
    the statement: never pass what came from outside."""
    names = ", ".join(columns)
    return f"""insert into {table} ({names})
        select {names} from json_populate_recordset(null::{table}, cast(:rows as json))"""  # noqa: S608 (our own names)


def replacing(columns: Sequence[str]) -> str:
    """SQL: the values of these columns, as they come in, over those that are there."""
    return ", ".join(f"{name} = excluded.{name}" for name in columns)


def packed(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows by column, all with the same ones, for `inserting`."""
    return msgspec.json.encode(rows).decode()
