"""What a command lists: columns under their names, or a JSON object in each line."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct

_BETWEEN = "  "
_NOTHING = "-"


def lines(rows: Sequence[Struct], *, as_json: bool = False) -> Iterator[str]:
    if as_json:
        yield from (msgspec.json.encode(row).decode() for row in rows)
    elif rows:
        names = rows[0].__struct_fields__
        cells = [[_cell(getattr(row, name)) for name in names] for row in rows]
        yield from _aligned([[name.replace("_", " ").upper() for name in names], *cells])


def fields(row: Struct) -> Iterator[str]:
    names = row.__struct_fields__
    width = max(map(len, names))
    for name in names:
        yield f"{name.replace('_', ' ').ljust(width)}{_BETWEEN}{_cell(getattr(row, name))}"


def _aligned(cells: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    widths[-1] = 0  # nothing stands behind it
    for row in cells:
        yield _BETWEEN.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, dict):
        value = msgspec.json.encode(value).decode() if value else ""
    if isinstance(value, (list, tuple)):
        value = ", ".join(map(str, value))
    return " ".join(str(value).split()) if value not in (None, "") else _NOTHING
