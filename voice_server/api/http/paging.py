"""Long lists, a page at a time: `next` of one page is the `cursor` of the following one."""

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from fastapi import HTTPException, Query
from pydantic import BaseModel, Field

from voice_server.domain.bounds import LARGEST

_FIRST_YEAR, _LAST_YEAR = 1, 9999

T = TypeVar("T")
Row = TypeVar("Row")

Limit = Annotated[int, Query(ge=1, le=200, description="Items on a page at most")]
Cursor = Annotated[str | None, Query(max_length=400, description="`next` of the page before")]


class Page(BaseModel, Generic[T]):
    """A page of a list."""

    items: list[T]
    next: str | None = Field(None, description="The cursor of the following page; null on the last one")


def after(cursor: str | None, key: type[T]) -> T | None:
    """Return the key after which the page begins, None for the first. Raises HTTPException (422) for a
    malformed cursor."""
    if cursor is None:
        return None
    try:
        place = msgspec.json.decode(base64.urlsafe_b64decode(cursor), type=key)
        _require_kept(place)
    except (msgspec.MsgspecError, binascii.Error, ValueError):
        raise HTTPException(422, "query.cursor: send `next` of the page before, as it was") from None
    return place


def _require_kept(key: object) -> None:
    """Raise ValueError for what no row has: Postgres takes neither a NUL nor more than a bigint."""
    if isinstance(key, tuple):
        for one in key:
            _require_kept(one)
    elif isinstance(key, str) and "\0" in key:
        raise ValueError("a NUL")
    elif isinstance(key, int) and abs(key) > LARGEST:
        raise ValueError("no bigint")
    elif isinstance(key, datetime) and not _FIRST_YEAR < key.year < _LAST_YEAR:
        raise ValueError("no moment that is kept")


def page(rows: Sequence[Row], limit: int, key: Callable[[Row], Any]) -> dict[str, Any]:
    """Make a page of `rows`, of which the caller asked for `limit` + 1 to see whether there are more."""
    shown, more = rows[:limit], len(rows) > limit
    return {"items": shown, "next": _cursor(key(shown[-1])) if more else None}


def _cursor(key: object) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode()
